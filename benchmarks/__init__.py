"""Measurements, each a script that prints its figures."""
