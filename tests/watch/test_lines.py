"""What spectators are told, as lines."""

import json

import pytest

from ugs.watch.lines import as_json, as_text
from ugs.wire.extensions import EventKind, GameEvent, SeatInfo, SeatKind, SeatState, Watching
from ugs.wire.messages import Choice, PlayerResult, Result

SEATS = (
    SeatInfo("ann", SeatKind.HUMAN, SeatState.PLAYING, "RED"),
    SeatInfo("Rover", SeatKind.PROGRAM, SeatState.PLAYING, "BLUE"),
    SeatInfo("ben", SeatKind.HUMAN, SeatState.QUIT),
)
SHOWN = Watching("g1", "chess", 4, SEATS, (Choice("size", "9"),), ("ann",), b"<gameState>\n <x/>\n</gameState>")
WON = (PlayerResult("ann", Result.WINNER), PlayerResult("ben", Result.LOSER))


def event(what: EventKind, **more: object) -> GameEvent:
    """Event 7 of g1."""
    return GameEvent("g1", 7, 12.34, what, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (
            SHOWN,
            "g1 chess size=9: ann (RED), Rover (BLUE, program), ben (quit); event 4, ann to move  "
            "<gameState> <x/> </gameState>",
        ),
        (Watching("g1", "chess", 0, SEATS[:1]), "g1 chess: ann (RED); event 0"),
        (event(EventKind.BEGIN), "g1 7 12.340 s  begins"),
        (event(EventKind.MOVE, nick="ann"), "g1 7 12.340 s  ann moves"),
        (event(EventKind.LEFT, nick="ann", text="timeout"), "g1 7 12.340 s  ann is out: timeout"),
        (
            event(EventKind.STATE, next_players=("ann", "ben"), state=b"<gameState/>"),
            "g1 7 12.340 s  ann and ben to move  <gameState/>",
        ),
        (event(EventKind.STATE, next_players=("ann",)), "g1 7 12.340 s  ann to move"),
        (event(EventKind.OVER, game_over=WON), "g1 7 12.340 s  over: ann winner, ben loser"),
        (event(EventKind.ENDED, text="finished, fault: nobody"), "g1 7 12.340 s  ended: finished, fault: nobody"),
    ],
)
def test_people_read_one_line_for_each_thing(message: Watching | GameEvent, line: str) -> None:
    assert as_text(message) == line


def test_every_kind_of_event_has_a_line_and_braces_mean_nothing() -> None:
    for what in EventKind:
        assert "{nick}" not in as_text(event(what, nick="{text}", text="{state}")).replace("{text}", "")


def test_what_a_terminal_would_obey_is_only_shown() -> None:
    told = as_text(event(EventKind.LEFT, nick="a\u202eb", text="a\x1b[2Jb\x9bc\nü"))
    assert told.endswith(r"a\u{202e}b is out: a\u{1b}[2Jb\u{9b}c\nü")


def test_programs_read_json() -> None:
    assert json.loads(as_json(SHOWN)) == {
        "what": "watching",
        "game": "g1",
        "game_type": "chess",
        "number": 4,
        "seats": [
            {"nick": "ann", "kind": "human", "state": "PLAYING", "label": "RED"},
            {"nick": "Rover", "kind": "program", "state": "PLAYING", "label": "BLUE"},
            {"nick": "ben", "kind": "human", "state": "QUIT", "label": ""},
        ],
        "options": {"size": "9"},
        "next": ["ann"],
        "state": "<gameState>\n <x/>\n</gameState>",
    }
    line = as_json(event(EventKind.OVER, game_over=WON, state="<gameState>ü</gameState>".encode()))
    assert "\n" not in line
    assert json.loads(line) == {
        "what": "over",
        "game": "g1",
        "number": 7,
        "after_s": 12.34,
        "nick": "",
        "text": "",
        "next": [],
        "results": {"ann": "winner", "ben": "loser"},
        "state": "<gameState>ü</gameState>",
    }
