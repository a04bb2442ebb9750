"""The share of sound sentences that an open translator repairs: quickly, without a run."""

from __future__ import annotations

import numpy as np

from hyperbaton.corpus.repairs import repairs
from hyperbaton.metrics import METRICS
from hyperbaton.stats import Bootstrap, Estimate, mean
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.system import Translator

__all__ = ["false_repairs"]


def false_repairs(
    translator: Translator, source: str, target: str, metric: str = "chrF"
) -> Estimate:
    """The share whose translation is nearer to the usual sentence's reference than to their own.

    A sentence without a translation is left out; of a tie neither is nearer. The study `repairs`
    says the same with a run and a report.
    """
    items = repairs(source, target)
    answers = translate_all(translator, [item.columns["varied"] for item in items])
    outputs = [answer.text or "" for answer in answers]
    similarity = METRICS.parse(metric).for_language(target)
    sign = 1 if similarity.higher_is_better else -1
    usual = similarity.sentence_scores(outputs, [item.reference_text or "" for item in items])
    own = similarity.sentence_scores(outputs, [item.columns["varied_reference"] for item in items])
    failed = np.array([answer.text is None for answer in answers])
    found = np.where(failed, np.nan, sign * usual > sign * own)
    return mean(found, Bootstrap(method="wilson"))
