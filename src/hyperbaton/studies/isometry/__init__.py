"""Isometry: does meaning equivalence survive translation? (Shankar 2021)"""

from hyperbaton.studies.isometry.judged import Judged
from hyperbaton.studies.isometry.recorded import read_recorded, write_recorded
from hyperbaton.studies.isometry.vote import OUTCOMES, Votes, vote

__all__ = ["OUTCOMES", "Judged", "Votes", "read_recorded", "vote", "write_recorded"]
