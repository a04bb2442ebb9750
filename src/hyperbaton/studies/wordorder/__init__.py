"""Word order: is a translator robust to it or faithful? (Parthasarathi et al. 2021)"""

from hyperbaton.studies.wordorder.study import WordOrder

__all__ = ["WordOrder"]
