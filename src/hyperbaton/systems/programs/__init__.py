"""Translators that are programs or Python functions."""
