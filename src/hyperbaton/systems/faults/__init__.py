"""Answers that are no translations."""
