"""Tests of a translator for pytest: it must not break under a small change of its source.

from hyperbaton.testing import assert_stable, system_fixture

translate = system_fixture("bundled", "en-de")

def test_the_final_mark_does_not_matter(translate):
    assert_stable(translate, "I must think about it.", under=["final mark"])
"""

from hyperbaton.testing.stability import assert_holds as assert_holds
from hyperbaton.testing.stability import assert_stable as assert_stable
from hyperbaton.testing.stability import each_case as each_case
from hyperbaton.testing.systems import OpenSystem as OpenSystem
from hyperbaton.testing.systems import open_system as open_system
from hyperbaton.testing.systems import system_fixture as system_fixture
from hyperbaton.testing.variants import variants as variants

__all__ = [
    "OpenSystem",
    "assert_holds",
    "assert_stable",
    "each_case",
    "open_system",
    "system_fixture",
    "variants",
]
