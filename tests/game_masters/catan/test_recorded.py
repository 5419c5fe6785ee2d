"""Recorded games become logs: what players were shown stands in them, in the same place, with the times of moves."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from game_masters.catan import FOUR
from game_masters.catan.logs.soclog import read
from game_masters.catan.notation import read_events
from game_masters.catan.recorded import BadRecord, log_of_record
from game_masters.catan.tools import app
from game_masters.kit.contract import variants
from game_masters.kit.puzzles import PUZZLE, puzzle_of
from game_masters.kit.rehearsal import GAME_ID, SEED, Rehearsal, Wire, rehearse
from game_masters.kit.seating import written
from ugs.wire.extensions import Family, Moved
from ugs.wire.messages import BeginGame, GameState, Move, PlayerLeftGame

WIRE = Wire(frozenset({Family.VIEWS, Family.TABLE, Family.RESTORE, Family.MOVERS}))
SECOND = 1_000_000


def record_of(rehearsal: Rehearsal, seed: str = SEED, options: Mapping[str, str] | None = None) -> str:
    """The JSON lines of a rehearsal, one second from move to move."""
    players = list(rehearsal.players)
    lines = []
    for number, (event, nick) in enumerate(zip(rehearsal.events, rehearsal.movers, strict=True)):
        line: dict[str, object] = {"wall_us": number * SECOND, "mono_us": number * SECOND}
        if isinstance(event, BeginGame):
            lines.append({"event": "begin", **line})
        elif isinstance(event, PlayerLeftGame):
            lines.append({"event": "left", **line, "seat": players.index(nick), "text": "left"})
        elif isinstance(event, Move | Moved):
            lines.append({"event": "move", **line, "seat": players.index(nick), "body": event.payload.decode()})
        for answer in rehearsal.answers[number]:
            if isinstance(answer, GameState):
                lines.append({"event": "state", **line, "seat": 0, "body": answer.payload.decode()})
    head: dict[str, object] = {"game": GAME_ID, "format": 1, "type": "settlers", "seats": players, "began_us": 0}
    head |= {"events": len(lines), "options": options or {}}
    head |= {"seed": seed} if seed else {}
    head |= {"seats_total": rehearsal.seats} if rehearsal.seats > len(players) else {}
    return "\n".join(json.dumps(line) for line in [head, *lines])


@pytest.mark.parametrize(("players", "trouble"), [(4, 0.0), (3, 0.1), (2, 0.0)])
def test_what_players_were_shown_stands_in_the_log(players: int, trouble: float) -> None:
    rehearsal = rehearse(FOUR, WIRE, players, 4 if players == 2 else players, 5, trouble=trouble, longest=150)
    log, comments = log_of_record(record_of(rehearsal))
    logged = [str(entry.event) for entry in log.entries]
    shown = {
        n: str(event) for states in rehearsal.shown.values() for one in states for n, event in read_events(one.payload)
    }
    assert set(shown.values()) <= set(logged)
    in_order = [shown[number] for number in sorted(shown)]
    rest = iter(logged)
    assert all(line in rest for line in in_order)
    assert log.entries[0].at == 0
    assert log.entries[-1].at is not None
    assert log.entries[-1].at >= 140 * 1000 or rehearsal.results
    assert comments[0].startswith("End of log. Game state ")


def test_a_server_writes_down_every_option_also_that_the_game_is_no_puzzle() -> None:
    rehearsal = rehearse(FOUR, WIRE, 3, 3, 7, longest=20)
    all_of_them = {**written(FOUR, FOUR.choose_options({})), PUZZLE: "0"}
    assert log_of_record(record_of(rehearsal, options=all_of_them)) == log_of_record(record_of(rehearsal))


def test_a_puzzle_that_was_solved_becomes_a_log() -> None:
    puzzle = puzzle_of(FOUR, 1)
    moves = [{"event": "move", "wall_us": 0, "seat": 0, "body": f"<move>{one}</move>"} for one in puzzle.solution]
    seats = puzzle.start(FOUR).players
    head = {"game": "g", "type": "settlers", "seats": ["ann"], "seats_total": seats, "began_us": 0, "seed": "x"}
    lines = [{**head, "events": len(moves), "options": {PUZZLE: "1"}}, *moves]
    log, _ = log_of_record("\n".join(map(json.dumps, lines)))
    asked = [entry.event.audience.from_client for entry in log.entries]
    assert asked.count(True) >= len(moves)


def test_a_record_without_a_seed_is_put_together_from_its_states() -> None:
    (opened,) = [one for one in variants(FOUR) if not one.hides(one.choose_options({}))]
    rehearsal = rehearse(opened, Wire(frozenset()), 3, 3, 6, longest=60)
    log, _ = log_of_record(record_of(rehearsal, seed=""))
    assert log.header.type == "F"
    shown = {n: event for states in rehearsal.shown.values() for one in states for n, event in read_events(one.payload)}
    assert [entry.event for entry in log.entries] == [shown[number] for number in sorted(shown)]


def test_the_command_writes_a_log_that_can_be_read(tmp_path: Path) -> None:
    rehearsal = rehearse(FOUR, WIRE, 3, 3, 7, longest=60)
    (tmp_path / "game.jsonl").write_text(record_of(rehearsal), encoding="utf-8")
    for more in ([], ["--clients"], ["--view", "1"]):
        result = CliRunner().invoke(app, ["export", str(tmp_path / "game.jsonl"), *more])
        assert result.exit_code == 0
        assert read(result.stdout).header.type == ("C" if more else "F")


@pytest.mark.parametrize(
    "text", ["", "hello", "{}", '{"game":"g","type":"settlers","seats":["a"],"events":0,"seed":"x","began_us":0}']
)
def test_what_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadRecord):
        log_of_record(text)
    (tmp_path / "game.jsonl").write_text(text, encoding="utf-8")
    assert CliRunner().invoke(app, ["export", str(tmp_path / "game.jsonl")]).exit_code == 1
