"""Isometry: does meaning equivalence survive translation? (Shankar 2021)"""

from hyperbaton.studies.isometry.recorded import read_recorded, write_recorded
from hyperbaton.studies.isometry.samples import Judged

__all__ = ["Judged", "read_recorded", "write_recorded"]
