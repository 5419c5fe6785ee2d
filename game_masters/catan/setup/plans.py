"""The plans of boards in ``boards.toml``: what is shuffled, where it lies, and which land belongs together."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

LETTERS: Final = "~coswtdg"
"""The letter of each type of hexes, from water on."""


@dataclass(frozen=True)
class PortPlan:
    """Ports: their types, and where they lie, as pairs of edge and facing."""

    types: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    shuffled: bool
    clumps: bool
    """Whether the option BC holds for them."""


@dataclass(frozen=True)
class ClassicPlan:
    """A board without sea."""

    types: tuple[int, ...]
    numbers: tuple[int, ...]
    paths: tuple[tuple[int, ...], ...]
    ports: PortPlan
    layout: tuple[int, ...]
    """The hexes in the order of the message about the board."""


@dataclass(frozen=True)
class GroupPlan:
    """Hexes of a sea board that are shuffled among themselves."""

    types: tuple[int, ...]
    hexes: tuple[int, ...]
    numbers: tuple[int, ...]
    areas: tuple[tuple[int, int], ...]
    """Pairs of a land area and how many of the hexes, from the first, belong to it."""
    types_shuffled: bool
    numbers_shuffled: bool
    infill: bool
    """Nodes that belong to another area stay with it."""
    desert_robber: bool
    clumps: bool


@dataclass(frozen=True)
class SeaPlan:
    """A board with sea."""

    height: int
    width: int
    start: int
    """The land area to start in; 0: anywhere."""
    robber: int | None
    pirate: int | None
    groups: tuple[GroupPlan, ...]
    ports: tuple[PortPlan, ...]
    fog: tuple[int, ...]
    villages: tuple[tuple[int, int], ...]
    """Pairs of node and number."""
    no_points: frozenset[int]
    """Land areas without special points."""
    no_robber: frozenset[int]
    gold_area: int | None
    """The land area where the only gold hex of the first group must lie."""


def classic_plan(seats: int) -> ClassicPlan:
    """Return the classic board of 4 or 6 seats."""
    data = _data()["classic"][str(seats)]
    return ClassicPlan(
        _types(data["types"]),
        _numbers(data["numbers"]),
        tuple(map(_hexes, data["paths"])),
        PortPlan(_numbers(data["port_types"]), _places(data["ports"]), True, True),
        _hexes(data["layout"]),
    )


def sea_plan(scenario: str, players: int) -> SeaPlan:
    """Return the sea board of a scenario, empty for the one without, for ``players`` players."""
    boards: Mapping[str, Any] = _data()["sea"][scenario or "SEA"]
    # Boards for three are also those for two; scenarios without one take the board for four.
    wanted = "6" if players > 4 else "3" if players < 4 and "3" in boards else "4"
    data = boards[wanted]
    return SeaPlan(
        data["height"],
        data["width"],
        data["start"],
        int(data["robber"], 16) if "robber" in data else None,
        int(data["pirate"], 16) if "pirate" in data else None,
        tuple(map(_group, data["groups"])),
        tuple(
            PortPlan(
                _numbers(one["types"]), _places(one["places"]), one.get("shuffled", False), one.get("clumps", False)
            )
            for one in data["ports"]
        ),
        _hexes(data.get("fog", "")),
        tuple((int(node, 16), int(number)) for node, _, number in _pairs(data.get("villages", ""), ":")),
        frozenset(data.get("no_points", ())),
        frozenset(data.get("no_robber", ())),
        data.get("gold_area"),
    )


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((Path(__file__).parent / "boards.toml").read_text(encoding="utf-8"))


def _group(data: Mapping[str, Any]) -> GroupPlan:
    return GroupPlan(
        _types(data["types"]),
        _hexes(data["hexes"]),
        _numbers(data["numbers"]),
        tuple((int(area), int(count)) for area, _, count in _pairs(data["areas"], "x")),
        "types" in data["shuffled"],
        "numbers" in data["shuffled"],
        data.get("infill", False),
        data.get("desert_robber", False),
        data.get("clumps", False),
    )


def _types(text: str) -> tuple[int, ...]:
    return tuple(map(LETTERS.index, text))


def _hexes(text: str) -> tuple[int, ...]:
    return tuple(int(one, 16) for one in text.split())


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _pairs(text: str, between: str) -> list[tuple[str, str, str]]:
    return [one.partition(between) for one in text.split()]


def _places(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((int(edge, 16), int(facing)) for edge, _, facing in _pairs(text, "/"))
