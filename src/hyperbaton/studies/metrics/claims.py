"""The claim of a paper that is about metrics, put to the atlas."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hyperbaton.report.contents import Finding
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.claims import asked, decided
from hyperbaton.studies.layer.evidence import Evidence, Test, known
from hyperbaton.studies.metrics.kinds import ORDER
from hyperbaton.studies.metrics.noticing import Atlas

_FORGIVING = r"(BERTScore|BLEURT|Levenshtein)\b(?!.*unit=char)"
_DETAIL = (
    "What a change of order costs is |β1 − β2| / β of a translator that carries the order over; "
    "here it is measured by what the translation of another sentence costs"
)

_ONLY_EDITS = "Only edit distance was asked: for the rest of the claim add BERTScore or BLEURT"


def _order(atlas: Atlas) -> Evidence | str:
    """W17: BLEU sees the order, BERTScore, BLEURT and edit distance hardly."""
    costs = {m: one.mean(atlas.kinds([ORDER])).strength for m, one in atlas.readings.items()}
    costs = {metric: cost for metric, cost in costs.items() if known(cost)}
    lead = next((metric for metric in costs if re.match(r"BLEU\b", metric)), "")
    numbers: Mapping[str, Aggregate] = {
        f"{lead} minus {metric}": costs[lead] - cost
        for metric, cost in costs.items()
        if lead and re.match(_FORGIVING, metric)
    }
    if not numbers:
        return "needs BLEU beside Levenshtein, BERTScore or BLEURT, and damage to the order"
    asked_all = any(not one.split(" minus ")[1].startswith("Levenshtein") for one in numbers)
    told = _DETAIL if asked_all else f"{_ONLY_EDITS}. {_DETAIL}"
    return Evidence("how much more a change of order costs", numbers, told)


TESTS: Mapping[str, Test[Atlas]] = {"W17": _order}


def findings(atlas: Atlas) -> list[Finding]:
    """The claims about metrics, decided together."""
    found = [one for one in asked("wordorder", TESTS, atlas) if one.id in TESTS]
    return decided(found, unit="sentence")
