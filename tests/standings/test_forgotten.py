"""Nicks that organisers have forgotten, in standings."""

from dataclasses import replace
from pathlib import Path

from tests.standings.journals import Kept
from tests.standings.results import GAME_TYPE, drawn, forfeit, won
from ugs.broker.effects import RecordAct
from ugs.broker.verdict import Cause, Verdict
from ugs.standings.compute import standings_of
from ugs.standings.forgotten import has_line, replaced
from ugs.standings.source import from_journal

GAMES = [
    replace(result, game_id=f"g{number}")
    for number, result in enumerate([won("ann", "ben"), drawn("ann", "cat"), won("ben", "ann")], 1)
]
FORGOTTEN = {"ann": frozenset({"g1", "g2"})}


def test_without_forgotten_nicks_nothing_changes() -> None:
    assert list(replaced(GAMES, {})) == GAMES


def test_the_opponents_keep_what_it_counted_for_them_and_it_begins_anew() -> None:
    standings = standings_of(replaced(GAMES, FORGOTTEN), GAME_TYPE)
    lines = {line.nick: (line.place, line.won, line.lost, line.drawn) for line in standings.players}
    assert lines == {"ben": (1, 1, 1, 0), "cat": (2, 0, 0, 1), "ann": (3, 0, 1, 0)}
    assert standings.cross_table.keys() == {"ann", "ben"}, "nobody is shown beside the forgotten one"
    assert standings.games == 3
    whole = standings_of(GAMES, GAME_TYPE)
    ratings = {line.nick: line.rating for line in standings.players}
    assert ratings["cat"] == {line.nick: line.rating for line in whole.players}["cat"], "it has met the same strength"


def test_a_culprit_is_replaced_too_and_a_game_that_was_not_played_is_one_of_them() -> None:
    left = replace(GAMES[0], verdict=Verdict(Cause.LEFT, "ann"))
    (one,) = replaced([left], FORGOTTEN)
    assert one.verdict.culprit not in (None, "ann")
    (two,) = replaced([forfeit("ben", "ann")], FORGOTTEN)
    assert [has_line(seat.nick) for seat in two.seats] == [True, False]
    (three,) = replaced([replace(GAMES[0], verdict=Verdict(Cause.LEFT, "ben"))], FORGOTTEN)
    assert three.verdict.culprit == "ben"


def test_the_standings_of_a_journal_agree(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.results(GAMES[:2])
    kept.on_disk(2)
    kept.journal.record(RecordAct("forget", "ann", GAME_TYPE, "root", "burnt"), 1, 1)
    kept.journal.flush()
    kept.close()
    (standings,) = from_journal(tmp_path)
    assert [line.nick for line in standings.players] == ["cat", "ben"]
    kept = Kept(tmp_path)
    kept.results(GAMES[2:])
    kept.close()
    (standings,) = from_journal(tmp_path)
    assert {line.nick: (line.won, line.lost, line.drawn) for line in standings.players} == {
        "ann": (0, 1, 0), "ben": (1, 1, 0), "cat": (0, 0, 1),
    }  # fmt: skip
