"""The game in a log: options, seats, the board, and what dice, deck and thefts have brought."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from game_masters.catan.board.geometry import classic_net, sea_net
from game_masters.catan.game.chance import Script
from game_masters.catan.game.options import OPTIONS, Variant, variant
from game_masters.catan.logs.soclog import Log
from game_masters.catan.message.board_messages import BoardLayout, BoardLayout2, PotentialSettlements
from game_masters.catan.message.events import Event
from game_masters.catan.message.messages import (
    DevCardAction,
    DiceResult,
    NewGameWithOptions,
    RevealFogHex,
    RobberyResult,
    SitDown,
    StartGame,
    Turn,
)
from game_masters.catan.message.vocabulary import CardChange, Hex
from game_masters.catan.setup.plans import ClassicPlan, PortPlan, classic_plan, sea_plan
from game_masters.kit.rules import BadOption, Options

_PLAYERS = 2
"""The smallest number of players; the options set how many the board is for."""
_CODED_PORT = 6
_FACINGS = 16
_LOWEST_NUMBERS = 4
"""Codes of numbers up to this one are two less than the number, those above three less."""


class CannotReplay(Exception):
    """A log whose game cannot be played again. The message gives the reason."""


@dataclass(frozen=True)
class LoggedGame:
    """What a log holds before its game starts, and its chance after that."""

    game: str
    variant: Variant
    unknown_options: tuple[str, ...]
    names: Mapping[int, str]
    """By seat; the others are vacant."""
    robots: frozenset[int]
    script: Script
    board_at: int
    """The number of the event that describes the board."""
    start: int
    """The number of the event that starts the game."""


def what_log_gives(log: Log) -> LoggedGame:
    """Return the game in a log. Raises CannotReplay."""
    events = log.events
    start = next((number for number, event in enumerate(events) if _is_server(event, StartGame)), None)
    if start is None:
        raise CannotReplay("the log has no SOCStartGame")
    chosen, unknown = _options(events[:start])
    names: dict[int, str] = {}
    robots: set[int] = set()
    for event in events[:start]:
        sat = event.message
        if isinstance(sat, SitDown) and not event.audience.from_client and 0 <= sat.seat < chosen.seats:
            names[sat.seat] = sat.nick
            # A person may take the seat of a robot before the start.
            (robots.add if sat.robot else robots.discard)(sat.seat)
    if not names:
        raise CannotReplay("no player sits down before the game starts")
    found = [number for number, event in enumerate(events[:start]) if _board_of(event)]
    if not found:
        raise CannotReplay("no board is described before the game starts")
    turn = next((event.message for event in events[start:] if _is_server(event, Turn)), None)
    first = turn.seat if isinstance(turn, Turn) and turn.seat in names else min(names)
    script = _script(chosen, _board_of(events[found[-1]]), events, start, first)
    return LoggedGame(log.header.game, chosen, unknown, names, frozenset(robots), script, found[-1], start)


def _is_server(event: Event, kind: type) -> bool:
    return isinstance(event.message, kind) and not event.audience.from_client


def _board_of(event: Event) -> dict[str, int | tuple[int, ...]]:
    """The parts of the board that an event describes to all; empty if it does not."""
    message = event.message
    if event.audience.kind != "all" or not isinstance(message, BoardLayout | BoardLayout2):
        return {}
    parts: dict[str, int | tuple[int, ...]] = dict(message.parts)
    return parts if parts.keys() & {"hexLayout", "HL", "LH"} else {}


def _options(events: Sequence[Event]) -> tuple[Variant, tuple[str, ...]]:
    made = next((event.message for event in events if isinstance(event.message, NewGameWithOptions)), None)
    texts: dict[str, str] = {}
    unknown = []
    known = {option.name: option for option in OPTIONS}
    for word in made.options.split(",") if made is not None else ():
        key, equals, value = word.partition("=")
        if key in known and equals:
            texts[key] = value
        elif word not in ("", "-"):
            unknown.append(word)
    try:
        values = {
            name: option.parse(texts[name]) if name in texts else option.default for name, option in known.items()
        }
    except BadOption as why:
        raise CannotReplay(str(why)) from why
    return variant(Options(values), _PLAYERS), tuple(unknown)


# --- chance -----------------------------------------------------------------------------------------------------------


_Parts: TypeAlias = Mapping[str, int | tuple[int, ...]]


class _Laid(NamedTuple):
    """What lies on the board: hexes with type and number, types of ports, and which hexes are under fog."""

    hexes: tuple[tuple[int, int, int], ...]
    ports: tuple[int, ...]
    fog: tuple[int, ...] = ()


def _script(chosen: Variant, parts: _Parts, events: Sequence[Event], start: int, first: int) -> Script:
    try:
        laid = _sea(chosen, parts, events) if chosen.sea else _land(chosen, parts)
    except (KeyError, IndexError, TypeError, ValueError) as why:
        raise CannotReplay(f"the board is not one of ours: {type(why).__name__}: {why}") from why
    robber = parts.get("RH", parts.get("robberHex"))
    villages = parts.get("CV", ())
    numbers = villages[3::2] if isinstance(villages, tuple) else ()
    then = events[start:]
    return Script(
        laid.hexes, laid.ports, first, tuple(_dice(then)), tuple(_deck(then)), tuple(_thefts(then)), numbers, laid.fog,
        robber if isinstance(robber, int) and robber > 0 else None,
    )  # fmt: skip


def _dice(events: Sequence[Event]) -> Iterator[int]:
    for event in events:
        if isinstance(event.message, DiceResult) and event.audience.kind == "all" and event.message.result > 0:
            yield event.message.result


def _deck(events: Sequence[Event]) -> Iterator[int]:
    """The cards as far as they are sent: the buyer receives them before the others."""
    bought = -1
    for event in events:
        message = event.message
        if isinstance(message, DevCardAction) and message.action == CardChange.DRAW:
            if message.card and message.seat != bought:
                yield message.card
            bought = message.seat
        else:
            bought = -1


def _thefts(events: Sequence[Event]) -> Iterator[int]:
    for event in events:
        message = event.message
        known = isinstance(message, RobberyResult) and message.resource is not None and 1 <= message.resource <= 5
        if known and isinstance(message, RobberyResult) and str(event.audience) in ("all", f"p{message.thief}"):
            yield message.resource or 0


# --- the board --------------------------------------------------------------------------------------------------------


def _numbers(parts: _Parts, key: str) -> tuple[int, ...]:
    part = parts[key]
    return part if isinstance(part, tuple) else (part,)


def _land(chosen: Variant, parts: _Parts) -> _Laid:
    plan = classic_plan(6 if chosen.six else 4)
    land = set(plan.paths[0])
    coded = "hexLayout" in parts
    types = _numbers(parts, "hexLayout" if coded else "HL")
    numbers = _numbers(parts, "numberLayout" if coded else "NL")
    hexes = []
    for hex, type, number in zip(plan.layout, types, numbers, strict=True):
        if hex in land:
            hexes.append((hex, type or int(Hex.DESERT), max(plain_number(number) if coded else number, 0)))
    ports = (
        _numbers(parts, "PL")
        if "PL" in parts
        else tuple(_coded_ports(plan, dict(zip(plan.layout, types, strict=True))))
    )
    return _Laid(tuple(hexes), ports)


def plain_number(code: int) -> int:
    """Return the number that a code of a board of four seats means; -1: none."""
    return code if code < 0 else code + 2 if code <= _LOWEST_NUMBERS else code + 3


def _coded_ports(plan: ClassicPlan, types: Mapping[int, int]) -> Iterator[int]:
    """The types of the ports, in the order of their places: each stands on its water hex."""
    net = classic_net(plan.paths[0])
    for edge, facing in plan.ports.places:
        (land,) = net.edge_hexes[edge]
        code = types[net.neighbour(land, (facing + 2) % 6 + 1)]
        # 7 to 12 are ports of 3 for 1, which have a facing and no resource.
        yield 0 if code <= _CODED_PORT + 6 else code % _FACINGS


def _sea(chosen: Variant, parts: _Parts, events: Sequence[Event]) -> _Laid:
    listed = _numbers(parts, "LH")
    plan = sea_plan(chosen.scenario, chosen.players)
    fog = tuple(hex for hex, type in zip(listed[::3], listed[1::3], strict=True) if type == Hex.FOG)
    net = sea_net(plan.height, plan.width)
    lists = [one.areas for one in (event.message for event in events) if isinstance(one, PotentialSettlements)]
    settled = {node for areas in lists if areas is not None for area in areas[1] for node in area}
    # Of a hex that was never revealed the areas show whether it is land; which land it was did not matter.
    revealed: dict[int, tuple[int, int]] = {
        hex: (int(Hex.DESERT if set(net.hex_nodes[hex]) <= settled else Hex.WATER), 0) for hex in fog
    }
    revealed |= {
        one.hex: (one.type, one.dice) for one in (event.message for event in events) if isinstance(one, RevealFogHex)
    }
    hexes = []
    for hex, type, number in zip(listed[::3], listed[1::3], listed[2::3], strict=True):
        shown = revealed.get(hex, (type, number))
        hexes.append((hex, shown[0], max(shown[1], 0)))
    ports = _numbers(parts, "PL") if "PL" in parts else ()
    count = len(ports) // 3
    at = dict(zip(ports[count : 2 * count], ports[:count], strict=True))
    return _Laid(tuple(hexes), tuple(_ports(plan.ports, at)), fog)


def _ports(plans: Sequence[PortPlan], at: Mapping[int, int]) -> Iterator[int]:
    for plan in plans:
        for edge, _ in plan.places:
            yield at[edge]
