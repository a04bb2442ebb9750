"""The claim of a paper that is about metrics, put to the atlas."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hyperbaton.report.contents import Finding
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.claims import asked, decided
from hyperbaton.studies.layer.evidence import Evidence, Test, known, told, unasked
from hyperbaton.studies.metrics.kinds import ORDER
from hyperbaton.studies.metrics.noticing import Atlas

_DETAIL = (
    "What a change of order costs is |β1 − β2| / β of a translator that carries the order over; "
    "here it is measured by what the translation of another sentence costs"
)


def _order(atlas: Atlas) -> Evidence | str:
    """W17: BLEU sees the order, BERTScore, BLEURT and edit distance hardly."""
    costs = {m: one.mean(atlas.kinds([ORDER])).strength for m, one in atlas.readings.items()}
    costs = {metric: cost for metric, cost in costs.items() if known(cost)}
    lead = next((metric for metric in costs if re.match(r"BLEU\b", metric)), "")

    def less(named: str) -> Mapping[str, Aggregate]:
        return {
            f"{lead} minus {metric}": costs[lead] - cost
            for metric, cost in costs.items()
            if lead and re.match(named, metric)
        }

    forgiving, edits = less("BERTScore|BLEURT"), less(r"Levenshtein(?!.*unit=char)")
    if not forgiving:
        vain = [m for m in atlas.readings if re.match("BERTScore|BLEURT", m) and m not in costs]
        why = f" (of {vain[0]}: another sentence costs it nothing certain)" if vain else ""
        beside = f" (edit distance alone: {told(edits)})" if edits else ""
        return f"needs BERTScore or BLEURT, which it is about, beside BLEU{why}{beside}"
    missing = unasked(("BERTScore", "BLEURT", "Levenshtein"), costs)
    detail = f"{missing}. {_DETAIL}" if missing else _DETAIL
    return Evidence("how much more a change of order costs", {**forgiving, **edits}, detail)


TESTS: Mapping[str, Test[Atlas]] = {"W17": _order}


def findings(atlas: Atlas) -> list[Finding]:
    """The claims about metrics, decided together."""
    found = [one for one in asked("wordorder", TESTS, atlas) if one.id in TESTS]
    return decided(found, unit="sentence")
