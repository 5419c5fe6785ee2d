"""Which distributions of this project are installed, and which of others they need.

One repository makes several: ``ugs`` is the server with what players and masters need, ``ugs-games`` the games that
come with it, ``ugs-tools`` what measures and attacks servers, ``ugs-docs`` the manual as a site. A checkout has all of
it, except for the site, under the name ``ugs``.
"""

import re
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final

OURS: Final = ("ugs", "ugs-games", "ugs-tools", "ugs-docs")
"""The distributions of this project; they have one version."""
_EXTRA: Final = re.compile(r"pip install \"ugs\[([^]]+)\]\"")
"""The extra that is missing, in the text of :class:`NotInstalled`."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


class NotInstalled(ImportError):
    """A part of this project that lacks the distribution of others that it needs. The text has the command that
    installs it."""


def what_installs(reasons: Iterable[str]) -> str:
    """One command that installs all that is missing by these texts of :class:`NotInstalled`; empty where they name
    none."""
    extras = dict.fromkeys(extra for why in reasons for extra in _EXTRA.findall(why))
    return f'pip install "ugs[{",".join(extras)}]"' if extras else ""


def version_of(name: str) -> str | None:
    """The version of an installed distribution; None where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # it brings all that e-mail needs

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def needed_by_ours() -> list[str]:
    """The distributions of others that ours need without any extra, sorted by name."""
    from importlib.metadata import PackageNotFoundError, requires

    names: set[str] = set()
    for ours in OURS:
        try:
            needed = requires(ours) or []
        except PackageNotFoundError:
            continue
        for text in needed:
            found = _NAME.match(text)
            # Those of an extra carry that marker.
            if found is not None and "extra ==" not in text:
                names.add(found[0])
    return sorted(names - set(OURS))


EXTRA_OF: Final = {
    "xmlschema": "schemas",
    "elementpath": "schemas",
    "trio_websocket": "gateways",
    "argon2": "tokens",
    "ugs.bench": "tools",
    "ugs.soak": "tools",
    "ugs.commands.bench": "tools",
    "ugs.commands.bench_run": "tools",
    "ugs.commands.soak": "tools",
    "ugs.commands.soak_run": "tools",
    "distributed": "dask",
    "pyspiel": "openspiel",
    "open_spiel": "openspiel",
    "chess": "chess",
    "pyffish": "chess",
    "sgfmill": "go",
    "gymnasium": "env",
    "pettingzoo": "env",
    "mcp": "mcp",
    "psycopg": "postgresql",
}
"""Which extra of ``ugs`` brings a module."""


def what_to_install(error: ImportError) -> str:
    """How to get the module whose absence is this error: a command; empty where that is unknown."""
    known = isinstance(error, ModuleNotFoundError) and error.name in EXTRA_OF
    return install_for(error.name) if known and error.name is not None else ""


def install_for(module: str) -> str:
    """The command that installs a module of an extra. Raises KeyError for any other."""
    return f'pip install "ugs[{EXTRA_OF[module]}]"'


def missing(module: str) -> str:
    """The message where a module of an extra is not installed, empty where it is."""
    return "" if find_spec(module) is not None else f"needs {module}, which is not installed: {install_for(module)}"
