"""A hash of what a system is made of, so that a changed model or script is another system."""

from hyperbaton.fingerprint import fingerprint

__all__ = ["fingerprint"]
