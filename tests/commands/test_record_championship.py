"""A championship goes from one journal to another."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from tests.journal.servers import TYPE, JournalServer, begun
from ugs.championship.ledger import LedgerEntry, What
from ugs.standings.source import from_journal


def counts(server: JournalServer, game_id: str, fixture: int) -> None:
    """A game of the cup that ann wins."""
    nicks = ["ann", "ben"]
    facts = {"fixture": fixture, "round": 1, "nicks": nicks, "label": "", "game": game_id}
    server.ledger("cup", LedgerEntry(What.FIXTURE, facts))
    server.plays(game_id, *nicks, championship="cup", fixture=fixture)
    outcomes = {"ann": "won", "ben": "lost"}
    server.ledger("cup", LedgerEntry(What.RESULT, {"game": game_id, "fixture": fixture, "outcomes": outcomes}))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal with a cup that is over: two games, one of them corrected."""
    directory = tmp_path / "old"
    with JournalServer(directory) as server:
        plan = {"name": "cup", "game_type": TYPE, "format": "round-robin", "tie_breaks": ["wins"]}
        server.ledger("cup", LedgerEntry(What.PLANNED, {"plan": plan}, "eve"))
        server.ledger("cup", begun("ann", "ben")[1])
        counts(server, "g1", 1)
        counts(server, "g2", 2)
        before, now = {"ann": "won", "ben": "lost"}, {"ann": "lost", "ben": "won"}
        corrected = {"game": "g2", "fixture": 2, "outcomes": now, "before": before}
        server.ledger("cup", LedgerEntry(What.CORRECTED, corrected, "eve", "wrong clock"))
        server.ledger("cup", LedgerEntry(What.OVER, {"placing": []}))
    return directory


def exported(data_dir: Path, name: str = "cup.jsonl") -> Path:
    """The file with the cup."""
    file = data_dir.parent / name
    result = ugs("record", "export", "--all", "--championship", "cup", "--data-dir", data_dir, "--output", file)
    assert result.exit_code == 0
    return file


def test_it_stands_in_the_standings_of_where_it_was_imported(old: Path, tmp_path: Path) -> None:
    file, new = exported(old), tmp_path / "new"
    result = ugs("record", "import", file, "--data-dir", new)
    assert result.stdout == f"{file}: championship cup: imported\n{file}: 2 imported, 0 there already\n"
    assert from_journal(new, None, "cup") == from_journal(old, None, "cup")
    assert [(line.nick, line.won) for line in from_journal(new, TYPE)[0].players] == [("ann", 1), ("ben", 1)]
    again = ugs("record", "import", file, "--data-dir", new)
    assert again.stdout == f"{file}: championship cup: there already\n{file}: 0 imported, 2 there already\n"


def test_another_championship_of_that_name_stays(old: Path, tmp_path: Path) -> None:
    file, new = exported(old), tmp_path / "new"
    with JournalServer(new) as server:
        server.ledger("cup", begun("cat", "dan")[0])
    result = ugs("record", "import", file, "--data-dir", new)
    assert result.exit_code == 1
    assert "championship 'cup': the journal has another championship of this name" in result.stderr


def test_one_that_is_not_over_and_a_file_for_people_carry_no_ledger(old: Path, tmp_path: Path) -> None:
    with JournalServer(tmp_path / "young") as server:
        server.ledger("cup", begun("ann", "ben")[0])
        server.plays("g1", "ann", "ben", championship="cup", fixture=1)
    young = ugs(
        *("record", "export", "--all", "--championship", "cup", "--data-dir", tmp_path / "young", "--format", "jsonl")
    )
    assert "without the ledger of championship cup: it is not over" in young.stderr
    text = ugs("record", "export", "--all", "--championship", "cup", "--data-dir", old)
    assert "only JSON lines can hold it" in text.stderr


def test_who_was_disqualified_after_the_end_is_so_where_it_was_imported(old: Path, tmp_path: Path) -> None:
    with JournalServer(old) as server:
        server.ledger("cup", LedgerEntry(What.DISQUALIFIED, {"nick": "ann"}, "eve", "cheated"))
    new = tmp_path / "new"
    assert ugs("record", "import", exported(old), "--data-dir", new).exit_code == 0
    (standings,) = from_journal(new, None, "cup")
    assert [(line.place, line.nick) for line in standings.players] == [(1, "ben"), (None, "ann")]
    shown = ugs("championship", "show", "cup", "--data-dir", new).stdout
    assert "out: ann (disqualified by eve: cheated); its results stand for the others; it has no place" in shown
    assert any(
        line.split()[:2] == ["–", "ann"] and "disqualified by eve: cheated" in line for line in shown.splitlines()
    )
    assert "won by ben" in ugs("championship", "list", "--data-dir", new).stdout
    assert "ann is disqualified and has no place (eve: cheated)" in shown


@pytest.mark.parametrize(
    ("replace", "words"),
    [
        (('"what":"over"', '"what":"resumed"'), "only one that is over can be, from its plan on"),
        (('"what":"over"', '"what":"strange"'), "'strange' is not a valid What"),
        (('"field":', '"fields":'), "its ledger makes no sense: KeyError"),
    ],
)
def test_a_ledger_that_makes_no_sense_is_refused(old: Path, replace: tuple[str, str], words: str) -> None:
    file = exported(old)
    file.write_text(file.read_text().replace(*replace))
    result = ugs("record", "import", file, "--data-dir", old.parent / "new")
    assert result.exit_code == 1
    assert words in result.stderr
