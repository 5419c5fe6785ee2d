"""Which distributions of this project are installed, and which of others they need.

One repository makes several: ``ugs`` is the server with what players and masters need, ``ugs-games`` the games that
come with it, ``ugs-tools`` what measures and attacks servers. A checkout has all of it under the name ``ugs``.
"""

import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

OURS: Final = ("ugs", "ugs-games", "ugs-tools")
"""The distributions of this project; they have one version."""
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def version_of(name: str) -> str | None:
    """The version of an installed distribution; None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def needed_by_ours() -> list[str]:
    """The distributions of others that ours need without any extra, sorted by name."""
    names: set[str] = set()
    for ours in OURS:
        try:
            needed = requires(ours) or []
        except PackageNotFoundError:
            continue
        for text in needed:
            found = _NAME.match(text)
            if found is not None and "extra ==" not in text:
                names.add(found[0])
    return sorted(names - set(OURS))
