"""Translation systems: what opens a translator, and what is translated is stored."""

from hyperbaton.systems.system import SYSTEMS, System, Translation, Translator

__all__ = ["SYSTEMS", "System", "Translation", "Translator"]
