"""Metrics: which of them notices what."""
