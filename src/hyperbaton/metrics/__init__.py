"""κ, the similarity of two texts: lexical and neural metrics, structure measures, array kernels."""

from importlib import import_module

from hyperbaton.base.callable_rooms import make_callable
from hyperbaton.base.spec import Registry
from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, SentenceMetric, Statistics

__all__ = ["METRICS", "Level", "Metric", "Scores", "Segments", "SentenceMetric", "Statistics"]

METRICS: Registry[Metric] = Registry(
    "metric",
    {
        "BLEU": "hyperbaton.metrics.bleu:BLEU",
        "chrF": "hyperbaton.metrics.chrf:chrF",
        "chrF++": "hyperbaton.metrics.chrf:chrFpp",
        "TER": "hyperbaton.metrics.ter:TER",
        "Levenshtein": "hyperbaton.metrics.edits:Levenshtein",
        "LevenshteinDistance": "hyperbaton.metrics.edits:LevenshteinDistance",
        "ROUGE-L": "hyperbaton.metrics.rouge:ROUGEL",
        "METEOR": "hyperbaton.metrics.meteor:METEOR",
        "METEOR-1.5": "hyperbaton.metrics.meteor:METEOR15",
        "ExactMatch": "hyperbaton.metrics.edits:ExactMatch",
        "bigramF": "hyperbaton.metrics.structure:bigramF",
        "Compression": "hyperbaton.metrics.compression:Compression",
        "BERTScore": "hyperbaton.metrics.neural.bertscore:BERTScore",
        "BLEURT": "hyperbaton.metrics.neural.bleurt:BLEURT",
        "COMET": "hyperbaton.metrics.neural.comet:COMET",
        "Cosine": "hyperbaton.metrics.neural.cosine:Cosine",
        "TranslatedCosine": "hyperbaton.metrics.neural.cosine:TranslatedCosine",
        "SentenceCosine": "hyperbaton.metrics.neural.cosine:SentenceCosine",
        # A room above this one, which is loaded by name only.
        "Paraphrase": "hyperbaton.detectors.metric:Paraphrase",
    },
)
"""Every metric by name; cross-likelihood takes a translator, so it is made in code."""

# `hyperbaton.metrics()` is the study of metrics, in a room above this one.
make_callable(
    __name__, lambda: import_module("hyperbaton.studies.layer.running").function_of("metrics")
)
