"""Studies: how probes are made, what is compared, and what is drawn from the scores."""

from __future__ import annotations

from hyperbaton.studies.layer.experiment import Experiment, ProbeStudy
from hyperbaton.studies.registry import STUDIES, load_contents

__all__ = ["STUDIES", "Experiment", "ProbeStudy", "load_contents"]
