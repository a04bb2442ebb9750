"""Metrics: which one notices which damage."""
