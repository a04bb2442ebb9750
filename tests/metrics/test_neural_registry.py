"""Neural metrics by name: they print as they parse, and nothing heavy is loaded for that."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hyperbaton.metrics import METRICS

SPECS = [
    "BERTScore",
    "BERTScore(model=xlm-roberta-large, layer=17, part=recall, rescale=de)",
    "BLEURT(model=lucadiliello/BLEURT-20-D12, revision=abc, download=true)",
    "COMET(model=Unbabel/wmt22-cometkiwi-da, python=comet/bin/python, batch_size=8)",
    "SentenceCosine(model=sentence-transformers/LaBSE-tiny, device=cpu)",
    'Cosine(encoder="e5(compute=int8)")',
    "TranslatedCosine(encoder=chars)",
    "Compression(tokenizer=models/tiny/source.spm, special=1)",
]


@pytest.mark.parametrize("spec", SPECS)
def test_specs_print_as_they_parse(spec: str) -> None:
    assert str(METRICS.parse(spec)) == spec


def test_naming_a_metric_loads_nothing_heavy() -> None:
    code = (
        "import sys; from hyperbaton.metrics import METRICS; import hyperbaton.stats;"
        f"[METRICS.parse(spec) for spec in {SPECS!r}];"
        "heavy = {'torch', 'transformers', 'bert_score', 'comet', 'scipy.stats', 'tokenizers'};"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
