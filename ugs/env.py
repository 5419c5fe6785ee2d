"""Installed games as environments for learners: ``pip install "ugs[env]"``, then::

    import ugs.env

    env = ugs.env.aec_env("tic-tac-toe")                    # PettingZoo, all seats
    env = ugs.env.seat_env("tic-tac-toe", against="random")  # Gymnasium, one seat against bundled bots

The names come from the packages that stand among the entry points ``ugs.environments``; ugs itself knows no games and
none of the libraries. See docs/learning.md.
"""

from typing import Any, Final

from ugs.distributions import install_for
from ugs.loading import entry_points

GROUP: Final = "ugs.environments"
"""The entry points among which environments are found: each names one function or class by its public name."""


def __getattr__(name: str) -> Any:
    """Load what an entry point of this name leads to. Raises AttributeError for an unknown name, and
    ModuleNotFoundError with the command that installs what is missing."""
    # Python and its tools ask for such names by themselves, which is no reason to search all packages.
    if name.startswith("__"):
        raise AttributeError(name)
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise AttributeError(f"ugs.env has no {name!r}; it has: {', '.join(sorted(found)) or 'nothing'}")
    try:
        return found[name].load()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("gymnasium", "numpy", "pettingzoo"):
            text = f"{error}; environments for learners need it: {install_for('pettingzoo')}"
            raise ModuleNotFoundError(text, name=error.name) from error
        raise


def __dir__() -> list[str]:
    """The names of all installed environments."""
    return sorted({"GROUP", *(point.name for point in entry_points(group=GROUP))})
