"""Which distributions are installed."""

from ugs import __version__
from ugs.distributions import needed_by_ours, version_of


def test_versions_are_those_that_are_installed() -> None:
    assert version_of("ugs") == __version__
    assert version_of("ugs-no-such-distribution") is None


def test_what_is_needed_is_named_without_extras_and_once() -> None:
    needed = needed_by_ours()
    assert {"trio", "pydantic", "starlette"} <= set(needed)
    assert {"pytest", "hatchling", "mcp", "ugs"}.isdisjoint(needed)
    assert needed == sorted(set(needed))
