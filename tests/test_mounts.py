"""Applications of other packages in the page: found by name, and no others."""

import pytest

from ugs.config import ConfigError
from ugs.mounts import load_mounts


def test_installed_mounts_are_found_by_name() -> None:
    (factory,) = load_mounts(["mcp"])
    assert factory.path == "/mcp"


def test_others_are_refused_with_the_installed_ones() -> None:
    with pytest.raises(ConfigError, match=r"mounts: .*mpc.*mcp"):
        load_mounts(["mpc"])
    assert load_mounts([]) == []
