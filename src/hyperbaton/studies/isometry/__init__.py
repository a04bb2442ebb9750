"""Isometry: does meaning equivalence survive translation? (Shankar 2021)"""

from hyperbaton.studies.judged_pairs import Judged
from hyperbaton.studies.recorded_pairs import read_recorded, write_recorded

__all__ = ["Judged", "read_recorded", "write_recorded"]
