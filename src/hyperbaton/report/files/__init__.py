"""Figures and tables as files for a paper."""
