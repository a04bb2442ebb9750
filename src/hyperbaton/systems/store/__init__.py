"""The store of translations, so that none is paid for twice."""
