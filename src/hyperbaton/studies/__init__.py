"""Studies: how probes are made, what is compared, and what is drawn from the scores."""

from __future__ import annotations

from hyperbaton.studies.study import STUDIES, Study, load_contents

__all__ = ["STUDIES", "Study", "load_contents"]
