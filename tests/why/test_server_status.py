"""What a running server tells of itself, as text."""

from pathlib import Path
from typing import Any

import pytest

from tests.answering import answering
from ugs.admin import NoAnswer, NoServer
from ugs.why.server_status import as_text, ask_server

MIB = 1_048_576


def figure(name: str, value: Any, limit: int | None = None) -> dict[str, Any]:
    return {"name": name, "help": "", "kind": "gauge", "label": "", "value": value, "limit": limit}


def told(**changes: Any) -> dict[str, Any]:
    """What a server might tell."""
    return {
        "ok": True,
        "version": "1.2",
        "pid": 7,
        "since": "2030-01-01T12:00:00+00:00",
        "up_s": 93_784.0,
        "look_age_s": 0.44,
        "draining": False,
        "journal_lost": "",
        "games": 2,
        "tables": 1,
        "game_types": 1,
        "championships": ["cup (go): running"],
        "more_championships": 0,
        "heaviest": [
            {"kind": "player", "conn": 3, "name": "ann\u202e", "address": "192.0.2.1:1", "held_bytes": 3 * MIB}
        ],
        "addresses": [
            {
                "address": "192.0.2.1",
                "held_bytes": 3 * MIB,
                "most_held_bytes": 512 * MIB,
                "connections": 4,
                "most_connections": 5000,
            }
        ],
        "figures": [
            figure("connections", {"master": 1, "player": 4}, 12_000),
            figure("addresses", 1),
            figure("players", {"idle": 1, "playing": 3}),
            figure("held_bytes", {"documents": 3 * MIB, "games": 512, "tables": 0}, 1024 * MIB),
            figure("held_things", {"documents": 1, "games": 2, "tables": 0, "rows": 4}),
            figure("unsent_bytes", 0, 128 * MIB),
            figure("shed_total", {"max_held_bytes": 2}),
            figure("resident_bytes", 50 * MIB),
            figure("resident_peak_bytes", 3 * 1024 * MIB),
            figure("holds_total", 1),
            figure("longest_hold_s", 0.0312),
            figure("timers", 9),
            figure("journal_pending_bytes", 2048, 64 * MIB),
            figure("rate_overruns_total", 5),
            figure("open_files", 30, 1024),
        ],
        **changes,
    }


def test_all_of_it_in_lines() -> None:
    assert as_text(told()).split("\n") == [
        "server 1.2, process 7, since 2030-01-01 12:00:00 UTC (1 d 2 h)",
        "  looked at its peers 0.4 s ago",
        "  connections 5 of 12000 (master 1, player 4) from 1 address",
        "  players 4 (idle 1, playing 3)",
        "  games 2, tables 1, game types 1, rows of standings 4",
        "  championship cup (go): running",
        "memory held: 3.0 MiB of 1.0 GiB",
        "  documents: 3.0 MiB (1)",
        "  games: 512 B (2)",
        "  not taken by the network: 0 B of 128.0 MiB",
        "  the whole process: 50.0 MiB, at most so far 3.0 GiB",
        "  had to give memory back: 2 by max_held_bytes",
        "heaviest",
        "  3.0 MiB: player, ann\\u{202e}, 192.0.2.1:1",
        "addresses",
        "  192.0.2.1: 3.0 MiB of 512.0 MiB, 4 of 5000 connections",
        "loop",
        "  held up by 1 document, the longest for 31.2 ms; 9 timers",
        "  on the way to the disk: 2.0 KiB of 64.0 MiB",
        "  rate limits passed: 5 times",
        "  open files: 30 of 1024",
    ]


def test_what_is_wrong_comes_first() -> None:
    lines = as_text(told(draining=True, journal_lost="disk full", look_age_s=None, more_championships=3, up_s=0.2))
    assert lines.split("\n")[:4] == [
        "server 1.2, process 7, since 2030-01-01 12:00:00 UTC (0 s)",
        "  is stopping, and begins no game any more",
        "  begins no game while nothing can be written down: disk full",
        "  has not looked at its peers yet",
    ]
    assert "  and 3 more championships" in lines


def test_a_quiet_server_has_little_to_tell() -> None:
    figures = [
        figure(one["name"], {} if isinstance(one["value"], dict) else 0, one["limit"]) for one in told()["figures"]
    ]
    lines = as_text(told(figures=figures, heaviest=[], addresses=[], championships=[])).split("\n")
    assert "heaviest" not in lines
    assert "addresses" not in lines
    assert "  connections 0 of 12000 from 0 addresses" in lines
    assert "  held up by 0 documents; 0 timers" in lines
    assert not any("give memory back" in line for line in lines)


def test_the_server_is_asked(tmp_path: Path) -> None:
    with answering(tmp_path, told()):
        assert ask_server(tmp_path) == told()


def test_one_that_does_not_know_the_question_says_so(tmp_path: Path) -> None:
    with (
        answering(tmp_path, {"ok": False, "error": "ask = 'server': allowed: ping"}),
        pytest.raises(NoAnswer) as refused,
    ):
        ask_server(tmp_path)
    assert str(refused.value).endswith("does not answer: ask = 'server': allowed: ping")


def test_without_a_server_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with pytest.raises(NoServer):
        ask_server(tmp_path)
