"""Whatever peers call themselves and say, no command prints a character that a terminal would obey."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands.line import ugs
from tests.record.samples import tic_tac_toe
from ugs.broker.values.record import EntryKind
from ugs.journal.importing import store
from ugs.record.game import Entry, GameRecord

HOSTILE = "=a\x1b]0;x\x07\x7f\x9b2J\u202eb\u2066\u200e\u200f\u061c\u200b\r\nc"
PAYLOAD = f"<move>{HOSTILE}</move>".encode()


def hostile() -> GameRecord:
    """A game of which every text is hostile."""
    game = tic_tac_toe(game_id=f"g1{HOSTILE}")
    assert game.result is not None
    nicks = ("ann" + HOSTILE, HOSTILE)
    seats = tuple(replace(seat, nick=nick) for seat, nick in zip(game.result.seats, nicks, strict=True))
    verdict = replace(game.result.verdict, culprit=HOSTILE)
    result = replace(game.result, game_type=HOSTILE, master=HOSTILE, seats=seats, verdict=verdict)
    last = game.entries[-1]
    entries = (
        *(replace(entry, body=PAYLOAD) if entry.kind is EntryKind.MOVE else entry for entry in game.entries),
        Entry(EntryKind.AWAY, last.wall_us, last.mono_us, seat=0, text=HOSTILE),
    )
    return replace(
        game,
        game_type=HOSTILE,
        master=HOSTILE,
        seats=nicks,
        options={HOSTILE: HOSTILE},
        server=HOSTILE,
        table={"name": HOSTILE, "owner": HOSTILE, "visibility": "PUBLIC"},
        entries=entries,
        result=result,
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A directory with a journal."""
    assert store(tmp_path / "data", hostile())
    return tmp_path / "data"


@pytest.mark.parametrize(
    "command",
    [
        "record list",
        "record list --format json",
        "record show g1",
        "record show g1 --full",
        "record show g1 --public",
        "record show nothing",
        "record export g1",
        "record export g1 --format jsonl",
        "standings",
        "standings --no-ratings",
        "standings --format json",
        "standings --format csv",
        "standings --format markdown",
        "standings --format html",
        "why g1",
        "why g1 --format json",
        f"why {HOSTILE}",
        f"record show {HOSTILE}",
        f"standings --championship {HOSTILE}",
        f"standings --game-type {HOSTILE}",
        "championship list",
    ],
)
def test_no_command_prints_what_a_terminal_obeys(data: Path, command: str) -> None:
    result = ugs(*command.split(" "), "--data-dir", data)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.output
    for line in result.output.split("\n"):
        assert line.isprintable(), line


def test_programs_still_read_the_very_names(data: Path) -> None:
    games = json.loads(ugs("record", "list", "--format", "json", "--data-dir", data).stdout)["games"]
    assert games[0]["seats"][1]["nick"] == HOSTILE
    standings = json.loads(ugs("standings", "--format", "json", "--data-dir", data).stdout)
    assert {player["nick"] for player in standings["players"]} == {"ann" + HOSTILE, HOSTILE}


def test_no_cell_of_the_csv_is_a_formula_and_numbers_are_numbers(data: Path) -> None:
    text = ugs("standings", "--format", "csv", "--data-dir", data).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 2
    for row in rows:
        assert not row["nick"].startswith(("=", "+", "-", "@"))
        assert row["game_type"].startswith("'=")
        assert float(row["points"]) + float(row["mu"]) >= 0


def test_an_export_with_hidden_hands_is_for_its_owner_only(data: Path, tmp_path: Path) -> None:
    for name, options, mode in (("all", (), 0o600), ("public", ("--public",), 0o644)):
        assert ugs("record", "export", "g1", "--data-dir", data, "--output", tmp_path / name, *options).exit_code == 0
        assert (tmp_path / name).stat().st_mode & 0o777 == mode
