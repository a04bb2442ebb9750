"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is not a slow program: how long an example takes is no property of the code.
settings.register_profile("hyperbaton", deadline=None)
settings.load_profile("hyperbaton")
