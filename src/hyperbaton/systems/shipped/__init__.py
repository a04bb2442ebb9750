"""Translators that come with hyperbaton."""
