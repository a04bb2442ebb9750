"""Learners' errors made on purpose: each with the ERRANT type of the correction it needs."""

from hyperbaton.perturb.errors.noise import Correction, Noisy, write
from hyperbaton.perturb.errors.slips import KINDS, Slip, slips

__all__ = ["KINDS", "Correction", "Noisy", "Slip", "slips", "write"]
