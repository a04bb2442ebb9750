"""The smallest change of a sentence after which its translation no longer says the same."""
