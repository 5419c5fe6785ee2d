"""What each distribution says of itself, made of the one ``pyproject.toml``: needs, extras, commands, entry points.

``pip install ugs`` is to be small: what only some servers need stands in extras there, and ``ugs-games`` brings it.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.wheels.parts import GAMES, MANUAL, PARTS, SERVER, TOOLS, TOP

SUMMARIES: Final = {
    SERVER: "Universal game server: broker, page, journal, and the kit for players and game masters",
    GAMES: "The games that come with ugs, the universal game server: masters, bots, pictures, schemas",
    TOOLS: "Measures and attacks ugs, the universal game server: ugs bench, ugs soak",
    MANUAL: "The manual of ugs, the universal game server, as a site that a server shows under /docs",
}
OPTIONAL: Final = {"schemas": ("xmlschema",), "gateways": ("trio-websocket",), "tokens": ("argon2-cffi",)}
"""Extras of ``ugs`` that a checkout needs anyway: a server runs without them."""
OF_DEVELOPERS: Final = ("build", "dev")
"""Extras of a checkout that are none of a distribution."""
GROUPS: Final = (
    "ugs.games",
    "ugs.collections",
    "ugs.engines",
    "ugs.front_ends",
    "ugs.game_files",
    "ugs.environments",
    "ugs.encodings",
    "ugs.openings",
    "ugs.gateways",
    "ugs.runners",
    "ugs.commands",
)


def declared() -> dict[str, Any]:
    """The project as ``pyproject.toml`` declares it."""
    project: dict[str, Any] = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def version() -> str:
    """The one version."""
    found = re.search(r'^__version__ = "(.+)"$', (TOP / "ugs/__init__.py").read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def project_of(part: str, places: Iterable[str]) -> dict[str, Any]:
    """The table ``[project]`` of a distribution with the files at these places."""
    whole, places = declared(), set(places)
    project: dict[str, Any] = {
        "name": part,
        "version": version(),
        "description": SUMMARIES[part],
        "readme": {"text": readme(part), "content-type": "text/markdown"},
        "requires-python": whole["requires-python"],
        "license": whole["license"],
        "license-files": whole["license-files"],
        "classifiers": ["Typing :: Typed"],
        "dependencies": needs(part, whole),
        "entry-points": points(whole, places),
    }
    if part == SERVER:
        project["scripts"] = whole["scripts"]
        project["optional-dependencies"] = extras(whole)
    return project


def needs(part: str, whole: Mapping[str, Any]) -> list[str]:
    """What a distribution cannot do without."""
    same = f"=={version()}"
    if part == TOOLS:
        return [f"{GAMES}{same}"]
    if part == MANUAL:
        return [f"{SERVER}{same}"]
    if part == GAMES:
        return [f"{SERVER}[{','.join(OPTIONAL)}]{same}"]
    spared = {name for names in OPTIONAL.values() for name in names}
    return [text for text in whole["dependencies"] if _name(text) not in spared]


def extras(whole: Mapping[str, Any]) -> dict[str, list[str]]:
    """The extras of ``ugs``: the other distributions, what a plain server is spared, and bridges, which bring the
    games."""
    same = f"=={version()}"
    found = {"games": [f"{GAMES}{same}"], "tools": [f"{TOOLS}{same}"], "docs": [f"{MANUAL}{same}"]}
    for extra, names in OPTIONAL.items():
        found[extra] = [text for text in whole["dependencies"] if _name(text) in names]
    for extra, texts in whole["optional-dependencies"].items():
        if extra not in found and extra not in OF_DEVELOPERS:
            found[extra] = [f"{GAMES}{same}", *texts]
    return found


def points(whole: Mapping[str, Any], places: set[str]) -> dict[str, dict[str, str]]:
    """The entry points whose modules are at these places."""
    found: dict[str, dict[str, str]] = {}
    for group in GROUPS:
        for name, target in whole["entry-points"].get(group, {}).items():
            path = target.partition(":")[0].replace(".", "/")
            if {f"{path}.py", f"{path}/__init__.py"} & places:
                found.setdefault(group, {})[name] = target
    return found


def readme(part: str) -> str:
    """What a registry shows of it."""
    others = " and ".join(f"`{other}`" for other in (*PARTS, MANUAL) if other != part)
    return (
        f"{SUMMARIES[part]}.\n\n"
        '    pip install "ugs[games]"\n    ugs demo\n\n'
        f"`ugs` without a command says what to do next, `ugs example` lists the manual. From the same source: "
        f"{others}.\n"
    )


def _name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)
