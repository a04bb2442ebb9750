"""Figures as Vega-Lite."""
