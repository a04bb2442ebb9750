"""`likelihood:SYSTEM`: does the translation of one sentence do for the other too?"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import ClassVar

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.detectors.calibration import Curve, Similarities, read_calibration
from hyperbaton.detectors.detector import Pair
from hyperbaton.detectors.similarity import SimilarityDetector
from hyperbaton.language.languages import base
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
        translator, scores = self._opened(language)
        # A sentence explains its own translation as well as itself does: no need to ask.
        found = np.ones(len(pairs))
        asked = [place for place, (a, b) in enumerate(pairs) if a != b]
        if asked:
            found[asked] = cross_likelihoods(
                [pairs[place] for place in asked],
                partial(_translated, translator),
                lambda *texts: [one.log_probs for one in scores.score(*texts)],
            )
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
        translator, _ = self._opened(language)
        return {"translator": translator.signature, **super().fields(language)}

    def shipped_name(self, language: str) -> str:
        """The file name under which a calibration of this model is found without being named.

        It has the hash of the model's files, which does not depend on where they lie.
        """
        match = re.search(r"\|model:([0-9a-f]+)", self._opened(language)[0].signature)
        return f"likelihood-{match[1] if match else 'none'}.json"

    def _opened(self, language: str) -> tuple[Translator, Scores]:
        pivot = self.into or ("de" if base(language) == "en" else "en")
        return _opened(self.system, language, pivot)


def cross_likelihoods(
    pairs: Sequence[Pair],
    translate: Callable[[Sequence[str]], Sequence[str]],
    score: Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]],
) -> Similarities:
    """P(translation of b | a) / P(translation of b | b), averaged over both directions.

    P is the geometric mean over the tokens, of which `score` gives the natural log-probabilities.
    Every text is translated once, every pair scored once.
    """
    texts = sorted({text for pair in pairs for text in pair}, key=lambda text: (len(text), text))
    translation = dict(zip(texts, translate(texts), strict=True))
    directed = [*pairs, *((b, a) for a, b in pairs)]
    other = [(a, translation[b]) for a, b in directed]
    own = [(b, translation[b]) for _, b in directed]
    scored = sorted({*other, *own}, key=lambda pair: (len(pair[1]), pair))
    rows = score([source for source, _ in scored], [target for _, target in scored])
    # A target without a token is certain: the product of no probabilities is 1.
    means = [math.fsum(row) / len(row) if len(row) else 0.0 for row in rows]
    known = dict(zip(scored, means, strict=True))
    ratios = [math.exp(known[a] - known[b]) for a, b in zip(other, own, strict=True)]
    return np.asarray(np.array(ratios, dtype=np.float64).reshape(2, -1).mean(axis=0))


def _translated(translator: Translator, texts: Sequence[str]) -> list[str]:
    answers = translate_all(translator, texts)
    # An empty pivot explains nothing, which is what its likelihood says.
    fault = next((a.fault for a in answers if a.text is None and a.fault != EMPTY), "")
    if fault:
        raise HyperbatonError(f"the likelihood detector's translator failed: {fault}")
    return [answer.text or "" for answer in answers]


@lru_cache(maxsize=4)
def _opened(system: str, source: str, target: str) -> tuple[Translator, Scores]:
    chosen = SYSTEMS.parse(system)
    if isinstance(chosen, Packaged | CTranslate2 | HuggingFace):
        # A weak system may answer with one word 200 times; that must not end the study.
        chosen = replace(chosen, overlong="truncate")
    translator = chosen.open(source, target)
    if not isinstance(translator, Scores):
        raise HyperbatonError(
            f"'{system}' cannot say how likely a translation is: use a ct2: or hf: model"
        )
    return translator, translator
