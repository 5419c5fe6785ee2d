"""Which distributions are installed, and what brings a module that is not."""

import pytest

from ugs import __version__
from ugs.distributions import missing, needed_by_ours, version_of, what_to_install


def test_versions_are_those_that_are_installed() -> None:
    assert version_of("ugs") == __version__
    assert version_of("ugs-no-such-distribution") is None


def test_what_is_needed_is_named_without_extras_and_once() -> None:
    needed = needed_by_ours()
    assert {"trio", "msgspec", "starlette"} <= set(needed)
    assert {"pytest", "hatchling", "mcp", "ugs"}.isdisjoint(needed)
    assert needed == sorted(set(needed))


@pytest.mark.parametrize(
    ("error", "command"),
    [
        (ModuleNotFoundError("", name="xmlschema"), 'pip install "ugs[schemas]"'),
        (ModuleNotFoundError("", name="ugs.bench"), 'pip install "ugs[tools]"'),
        (ModuleNotFoundError("", name="no_such_module"), ""),
        (ImportError("cannot import name", name="xmlschema"), ""),
    ],
)
def test_a_module_that_is_not_there_comes_with_an_extra(error: ImportError, command: str) -> None:
    assert what_to_install(error) == command


def test_what_is_installed_is_not_missing() -> None:
    assert missing("xmlschema") == ""
