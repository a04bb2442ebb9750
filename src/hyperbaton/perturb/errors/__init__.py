"""Learners' errors made on purpose: each with the ERRANT type of the correction it needs."""
