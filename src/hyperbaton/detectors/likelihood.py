"""`likelihood:SYSTEM`: does the translation of one sentence do for the other too?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.detectors.calibration import Curve, Similarities, read_calibration
from hyperbaton.detectors.detector import Pair
from hyperbaton.detectors.similarity import SimilarityDetector
from hyperbaton.language.languages import base
from hyperbaton.metrics.neural.likelihood import CrossLikelihood
from hyperbaton.systems.ct2.system import CTranslate2, Scores
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import EMPTY
from hyperbaton.systems.hf import HuggingFace
from hyperbaton.systems.shipped.bundled import Packaged
from hyperbaton.systems.system import SYSTEMS, Translator

SHIPPED = DATA / "detectors"


@dataclass(frozen=True)
class Likelihood(SimilarityDetector):
    """Translation cross-likelihood (Vamvas & Sennrich 2022) with any translator that can score.

    Of a text that is too long for the translator the beginning is read, as classifiers do too.
    A system's own options stand in brackets of their own: `likelihood:ct2:DIR(beam=1)()`.
    """

    name: ClassVar[str] = "likelihood"
    positional: ClassVar[str | None] = "system"

    system: str
    into: str = ""
    """The language that is translated into; English unless the sentences are, then German."""

    def similarities(self, pairs: Sequence[Pair], language: str) -> Similarities:
        """The normalised cross-likelihood, averaged over both directions."""
        metric = CrossLikelihood(_scorer(self.system, language, self._pivot(language)))
        # A sentence explains its own translation as well as itself does: no need to ask.
        found = np.ones(len(pairs))
        asked = [place for place, (a, b) in enumerate(pairs) if a != b]
        if asked:
            first, second = zip(*(pairs[place] for place in asked), strict=True)
            found[asked] = metric.sentence_scores(first, second)
        return found

    def curve(self, language: str) -> Curve:
        """From the options, or the calibration that is shipped for this very model."""
        if self.threshold is None and not self.calibration:
            shipped = SHIPPED / self.shipped_name(language)
            if shipped.is_file():
                return read_calibration(shipped, language)
        return super().curve(language)

    def fields(self, language: str) -> dict[str, str]:
        """The translator and the curve."""
        curve = super().fields(language)
        scorer = _scorer(self.system, language, self._pivot(language))
        return {"translator": scorer.signature, **curve}

    def shipped_name(self, language: str) -> str:
        """The file name under which a calibration of this model is found without being named.

        It has the hash of the model's files, which does not depend on where they lie.
        """
        scorer = _scorer(self.system, language, self._pivot(language))
        match = re.search(r"\|model:([0-9a-f]+)", scorer.signature)
        return f"likelihood-{match[1] if match else 'none'}.json"

    def _pivot(self, language: str) -> str:
        return self.into or ("de" if base(language) == "en" else "en")


class _Scorer:
    """An open translator as the metric wants it."""

    def __init__(self, translator: Translator, scores: Scores) -> None:
        self._translator = translator
        self._scores = scores

    @property
    def signature(self) -> str:
        return self._translator.signature

    def translate(self, texts: Sequence[str]) -> list[str]:
        answers = translate_all(self._translator, texts)
        # An empty pivot explains nothing, which is what its likelihood says.
        fault = next((a.fault for a in answers if a.text is None and a.fault != EMPTY), "")
        if fault:
            raise HyperbatonError(f"the likelihood detector's translator failed: {fault}")
        return [answer.text or "" for answer in answers]

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[tuple[float, ...]]:
        return [found.log_probs for found in self._scores.score(sources, targets)]


@lru_cache(maxsize=4)
def _scorer(system: str, source: str, target: str) -> _Scorer:
    chosen = SYSTEMS.parse(system)
    if isinstance(chosen, Packaged | CTranslate2 | HuggingFace):
        # A weak system may answer with one word 200 times; that must not end the study.
        chosen = replace(chosen, overlong="truncate")
    translator = chosen.open(source, target)
    if not isinstance(translator, Scores):
        raise HyperbatonError(
            f"'{system}' cannot say how likely a translation is: use a ct2: or hf: model"
        )
    return _Scorer(translator, translator)
