"""The three messages that list something for each seat: gains of a roll, points, and what was gained in a game."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from game_masters.catan.message.element import Element
from game_masters.catan.message.forms import Form, Malformed, Tokens, decimal, form, pairs_of
from game_masters.catan.message.message import Message
from game_masters.catan.message.vocabulary import RESOURCE_NAMES

_STATS = (*RESOURCE_NAMES, "gold")
_STYPE = "stype="
"""Before the type of statistics that are not those of the points."""


class Gain(NamedTuple):
    """What a seat gained: its new total, and pairs of resource and amount."""

    seat: int
    total: int
    elements: tuple[tuple[int, int], ...]


class Score(NamedTuple):
    """The points of a seat at the end, and whether a program played it."""

    points: int
    robot: bool


class _Gains(Form):
    """Numbers ``p=N``: how many seats gain; for each its seat, total, and pairs of amount and resource; 0 between."""

    def tokens(self, label: str, value: Sequence[Gain]) -> list[str]:
        numbers = [len(value)]
        for place, gain in enumerate(value):
            numbers += [] if place == 0 else [0]
            numbers += [gain.seat, gain.total]
            for resource, amount in gain.elements:
                numbers += [amount, resource]
        return [f"p={number}" for number in numbers]

    def taken(self, label: str, tokens: Tokens) -> tuple[Gain, ...]:
        numbers = _numbers(tokens)
        gains = []
        rest = iter(numbers[1:])
        for seat in rest:
            total = next(rest, -1)
            pairs: list[tuple[int, int]] = []
            for amount in rest:
                if amount == 0:
                    break
                pairs.append((next(rest, 0), amount))
            if total < 0 or not all(1 <= resource <= 6 for resource, _ in pairs):
                raise Malformed(f"gains {numbers} are incomplete")
            gains.append(Gain(seat, total, tuple(pairs)))
        if not numbers or numbers[0] != len(gains):
            raise Malformed(f"gains {numbers}: {len(gains)} seats")
        return tuple(gains)

    def xml(self, label: str, value: Sequence[Gain]) -> tuple[str, str]:
        parts = []
        for gain in value:
            pairs = "".join(f'<e type="{resource}" amount="{amount}"/>' for resource, amount in gain.elements)
            parts.append(f'<gain pn="{gain.seat}" total="{gain.total}">{pairs}</gain>')
        return "", "".join(parts)

    def read(self, label: str, element: Element) -> tuple[Gain, ...]:
        return tuple(
            Gain(decimal(gain.attrib.get("pn", "")), decimal(gain.attrib.get("total", "")), pairs_of(gain))
            for gain in element.iterfind("gain")
        )

    def children(self, label: str) -> frozenset[str]:
        return frozenset({"gain"})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset()


class _Scores(Form):
    """The points of all seats, then for all seats whether they are robots, without labels."""

    def tokens(self, label: str, value: Sequence[Score]) -> list[str]:
        robots = ["true" if score.robot else "false" for score in value]
        return [*(str(score.points) for score in value), *robots]

    def taken(self, label: str, tokens: Tokens) -> tuple[Score, ...]:
        # Statistics of another kind, which are read after this.
        if tokens and tokens[-1].startswith(_STYPE):
            return ()
        parts = tokens[::-1]
        tokens.clear()
        half = len(parts) // 2
        if len(parts) % 2 or not set(parts[half:]) <= {"true", "false"}:
            raise Malformed(f"{len(parts)} scores and robots")
        return tuple(
            Score(decimal(points), robot == "true") for points, robot in zip(parts[:half], parts[half:], strict=True)
        )

    def xml(self, label: str, value: Sequence[Score]) -> tuple[str, str]:
        parts = [
            f'<seat pn="{seat}" score="{score.points}" robot="{"true" if score.robot else "false"}"/>'
            for seat, score in enumerate(value)
        ]
        return "", "".join(parts)

    def read(self, label: str, element: Element) -> tuple[Score, ...]:
        seats = element.findall("seat")
        if [seat.attrib.get("pn") for seat in seats] != [str(number) for number in range(len(seats))]:
            raise Malformed("the seats are not numbered from 0 on")
        return tuple(Score(decimal(seat.attrib.get("score", "")), seat.attrib.get("robot") == "true") for seat in seats)

    def children(self, label: str) -> frozenset[str]:
        return frozenset({"seat"})

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset()


class _Timing(Form):
    """Statistics of a type of its own, ``stype=2|1700000000|90|30``: the type, then its numbers. None for points."""

    optional = True

    def tokens(self, label: str, value: Sequence[int] | None) -> list[str]:
        return [] if value is None else [f"{_STYPE}{value[0]}", *map(str, value[1:])]

    def taken(self, label: str, tokens: Tokens) -> tuple[int, ...] | None:
        if not tokens:
            return None
        parts = [tokens.pop().removeprefix(_STYPE)]
        while tokens:
            parts.append(tokens.pop())
        return tuple(map(decimal, parts))

    def xml(self, label: str, value: Sequence[int] | None) -> tuple[str, str]:
        return ("" if value is None else f' {label}="{" ".join(map(str, value))}"'), ""

    def read(self, label: str, element: Element) -> tuple[int, ...] | None:
        text = element.attrib.get(label)
        return None if text is None else tuple(map(decimal, text.split()))


class _Stats(Form):
    """Numbers ``p=N``: 1 for gains of rolls, then five resources, and picks from gold if there were any."""

    def tokens(self, label: str, value: Sequence[int]) -> list[str]:
        return [f"p={number}" for number in (1, *value)]

    def taken(self, label: str, tokens: Tokens) -> tuple[int, ...]:
        numbers = _numbers(tokens)
        if len(numbers) not in (6, 7) or numbers[0] != 1:
            raise Malformed(f"statistics {numbers}")
        return tuple(numbers[1:])

    def xml(self, label: str, value: Sequence[int]) -> tuple[str, str]:
        return "".join(f' {name}="{count}"' for name, count in zip(("type", *_STATS), (1, *value), strict=False)), ""

    def read(self, label: str, element: Element) -> tuple[int, ...]:
        names = [name for name in _STATS if name != "gold" or "gold" in element.attrib]
        return tuple(decimal(element.attrib.get(name, "")) for name in names)

    def attributes(self, label: str) -> frozenset[str]:
        return frozenset({"type", *_STATS})


def _numbers(tokens: Tokens) -> list[int]:
    numbers = []
    while tokens:
        name, _, number = tokens.pop().partition("=")
        if name != "p":
            raise Malformed(f"{name[:40]!r} is not p")
        numbers.append(decimal(number))
    return numbers


@dataclass(frozen=True, slots=True)
class DiceResultResources(Message):
    """What all players gained by a roll."""

    gains: tuple[Gain, ...] = field(metadata=form(_Gains(), "gains"))


@dataclass(frozen=True, slots=True)
class GameStats(Message):
    """The points of all seats at the end; or, from servers of JSettlers to a client that joins, when the game was
    created and how many seconds ago, as ``timing``: the type 2 and its numbers."""

    scores: tuple[Score, ...] = field(metadata=form(_Scores(), "scores"))
    timing: tuple[int, ...] | None = field(default=None, metadata=form(_Timing(), "timing"))


@dataclass(frozen=True, slots=True)
class PlayerStats(Message):
    """What one player gained by rolls and from gold."""

    counts: tuple[int, ...] = field(metadata=form(_Stats(), "counts"))


GAIN_MESSAGES: tuple[Any, ...] = (DiceResultResources, GameStats, PlayerStats)
