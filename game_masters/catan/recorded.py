"""Recorded games as logs: JSON lines of ``ugs record export`` are played again, and the messages are written down.

A record has the seed of its game, so the game can be led once more, move by move, with the times of the moves. One
without a seed, which only a server without extensions leaves, is put together from its states; that is complete if
all could see everything.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from game_masters.catan import FOUR, SIX
from game_masters.catan.logs.soclog import CLIENTS, FULL, Entry, Header, Log, log_of, summary_of
from game_masters.catan.notation import read_events
from game_masters.catan.rules import Position
from game_masters.kit.fixture import read_fixture
from game_masters.kit.leading import Leading
from game_masters.kit.puzzles import as_game, chosen_puzzle
from game_masters.kit.rules import AnyGame, BadFixture, Table, Unreadable
from game_masters.kit.seating import Chance, Impossible, seat
from game_masters.kit.showing import Manner
from ugs.wire.extensions import Restore
from ugs.wire.messages import Choice

_GAMES: Final = {game.game_type: game for game in (FOUR, SIX)}
_US: Final = 1000
"""Microseconds in a millisecond."""


class BadRecord(Exception):
    """A text that is no record of a game of Catan, or of one that cannot be played again. The message gives the
    reason."""


def log_of_record(text: str) -> tuple[Log, list[str]]:
    """Return the log of the first game in JSON lines, and the comments for its end. Raises BadRecord."""
    try:
        head, *events = [json.loads(line) for line in text.splitlines() if line.strip()]
        game = _GAMES.get(head["type"], SIX if len(head["seats"]) > FOUR.players.max else FOUR)
        events = events[: head["events"]]
        if head.get("seed"):
            return _played_again(game, head, events)
        return _put_together(head, events), []
    except (ValueError, LookupError, TypeError, AttributeError) as why:
        raise BadRecord(f"no record of a game in JSON lines: {type(why).__name__}: {why}") from why


def _played_again(game: AnyGame, head: Mapping[str, Any], events: list[Mapping[str, Any]]) -> tuple[Log, list[str]]:
    setup = next((event["text"] for event in events if event["event"] == "setup"), "")
    states: list[Position] = []

    def start(table: Table, rng: random.Random) -> Position:
        states.append(Position(table, rng))
        return states[-1]

    def chance(purpose: str) -> random.Random:
        return random.Random(f"{seed} {purpose}" if purpose else seed)

    try:
        options = tuple(Choice(name, value) for name, value in head.get("options", {}).items())
        given = Restore(
            head["game"], tuple(head["seats"]), options, head.get("seats_total", 0), head["seed"], (), setup
        )
        asked, puzzle = chosen_puzzle(given, game)
        setup = puzzle.fixture if puzzle is not None else setup
        fixture = read_fixture(game, setup) if setup else None
        seed = fixture.seed if fixture and fixture.seed else head["seed"]
        numbers: Chance = chance
        seating = seat(game, game.choose_options({}), asked, numbers, fixture)
        manner = Manner(movers=not seating.table.options.flag("PLAY_FO"))
        watched = replace(game, start=start)
        leading = Leading(watched if puzzle is None else as_game(watched, puzzle), seating, chance, manner, None)
        leading.begin()
    except (Impossible, BadFixture, Unreadable) as why:
        raise BadRecord(f"the game cannot be set up again: {why}") from why
    (state,) = states
    times: list[int | None] = [0] * len(state.record)
    for event in events:
        if leading.over:
            break
        if event["event"] == "move":
            leading.moved(event["seat"], event["body"].encode())
        elif event["event"] == "left" and leading.seat_of(head["seats"][event["seat"]]) is not None:
            leading.left(event["seat"])
        at = (event["wall_us"] - head["began_us"]) // _US
        times += [max(at, 0)] * (len(state.record) - len(times))
    seconds = head["began_us"] // 1_000_000
    now = (events[-1]["wall_us"] if events else head["began_us"]) // 1_000_000
    return log_of(state.play, times, seconds, now), summary_of(state.play)


def _put_together(head: Mapping[str, Any], events: list[Mapping[str, Any]]) -> Log:
    known: dict[int, Entry] = {}
    for event in events:
        if event["event"] in ("state", "view", "over") and event.get("body"):
            at = (event["wall_us"] - head["began_us"]) // _US
            # An event stands in the states of all who receive it: the first counts.
            for number, one in read_events(event["body"].encode()):
                game = head["game"] if one.message.LABELLED else ""
                known.setdefault(number, Entry(one, game, max(at, 0)))
    entries = tuple(known[number] for number in sorted(known))
    kind = FULL if any(entry.event.audience.from_client for entry in entries) else CLIENTS
    return Log(Header(head["game"], kind, created_at=head["began_us"] // 1_000_000), entries)
