"""A result that an organiser has put right is shown as it counts wherever it is shown, with who did it and why."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.standings.journals import Kept
from tests.standings.results import void
from tests.standings.test_source import CUP, a_cup, written
from ugs.broker.effects import RecordAct
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.commands.record_run import GameChoice, export, list_games
from ugs.journal.importing import store
from ugs.journal.reader import Reader
from ugs.page.worker.public_journal import ended
from ugs.record import jsonl, ugsg
from ugs.record.narration import heading
from ugs.standings.layout import remarks
from ugs.standings.source import from_journal
from ugs.why.answer import game_account

VOID_GAME = replace(void("ann", "ben"), game_id="v1")
SENTENCE = "corrected by eve: wrong clock; what counts: {}; it was: {}"


def corrected(*more: LedgerEntry) -> list[LedgerEntry]:
    """Ben has not won against cat after all."""
    before, now = {"ben": "won", "cat": "lost"}, {"ben": "lost", "cat": "won"}
    data = {"game": "cup2", "fixture": 2, "outcomes": now, "before": before}
    return [LedgerEntry(What.CORRECTED, data, "eve", "wrong clock"), *more]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    def write(kept: Kept) -> None:
        a_cup(kept)
        kept.ledger("cup", "chess", corrected())

    return written(tmp_path, write)


def sentence() -> str:
    nicks = [seat.nick for seat in CUP[1].seats]
    now = {"ben": "lost", "cat": "won"}
    then = {"ben": "won", "cat": "lost"}
    return SENTENCE.format(*(", ".join(f"{nick} {of[nick]}" for nick in nicks) for of in (now, then)))


def test_the_game_itself_keeps_what_it_was_and_has_what_counts(data_dir: Path) -> None:
    with Reader(data_dir) as reader:
        record, other = reader.record("cup2"), reader.record("cup1")
        latest = reader.latest("cup2", 1000, 1_000_000)
    assert latest == (record, True), "its players are told the same"
    assert other.correction is None
    assert record.result is not None
    assert [seat.outcome for seat in record.result.seats] == [Outcome.WON, Outcome.LOST]
    assert record.outcomes == (Outcome.LOST, Outcome.WON)
    assert sentence() in heading(record)
    assert [line.split()[-1] for line in heading(record) if " seat " in line] == ["lost", "won"]
    assert sentence() in game_account(record, 0, 0)["why"]
    assert [seat["outcome"] for seat in game_account(record, 0, 0)["seats"]] == ["lost", "won"]


def test_lists_have_what_counts(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Reader(data_dir) as reader:
        game = next(one for one in reader.games() if one.game_id == "cup2")
    assert [(seat.nick, seat.outcome) for seat in ended(game).seats] == [("ben", "lost"), ("cat", "won")]
    assert ended(game).corrected == "eve: wrong clock"
    list_games(data_dir, GameChoice(), as_json=False)
    (line,) = [one for one in capsys.readouterr().out.splitlines() if "cup2" in one]
    assert "ben lost, cat won" in line
    assert "corrected by eve: wrong clock" in line


def test_an_export_says_so_and_is_read_back(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Reader(data_dir) as reader:
        record = reader.record("cup2")
    for form in (ugsg, jsonl):
        assert next(form.read(form.write(record).splitlines(keepends=True))) == record
    export(data_dir, ["cup2"], None, "ugsg", open_to_all=True)
    assert '[Corrected "eve" "wrong clock"]' in capsys.readouterr().out


def test_standings_say_so(data_dir: Path) -> None:
    (found,) = from_journal(data_dir, championship="cup")
    assert "game cup2 is corrected: ben lost, cat won; it was: ben won, cat lost (eve: wrong clock)" in remarks(found)


AGAIN = LedgerEntry(What.REPLAYED, {"game": "cup2", "fixture": 2}, "eve", "coffee on keyboard")
PLAYED_AGAIN = "does not count: to be played again (eve: coffee on keyboard)"
VOIDED = "voided by eve: wrong table; it counts for no player"


@pytest.fixture
def replayed(tmp_path: Path) -> Path:
    """A game whose result was corrected, and which is played again after all."""

    def write(kept: Kept) -> None:
        a_cup(kept)
        kept.ledger("cup", "chess", corrected(AGAIN))

    return written(tmp_path, write)


@pytest.fixture
def voided(tmp_path: Path) -> Path:
    """A game of open play that an organiser has ended."""

    def write(kept: Kept) -> None:
        kept.results([replace(VOID_GAME, verdict=Verdict(Cause.VOIDED))])
        kept.act(RecordAct("void", VOID_GAME.game_id, "chess", "eve", "wrong table"))

    return written(tmp_path, write)


def test_a_correction_of_a_game_that_is_played_again_is_past(replayed: Path) -> None:
    with Reader(replayed) as reader:
        assert reader.record("cup2").correction is None


@pytest.mark.parametrize(("kept", "game_id", "said"), [("replayed", "cup2", PLAYED_AGAIN), ("voided", "v1", VOIDED)])
def test_a_game_that_was_taken_out_says_so_everywhere(
    kept: str, game_id: str, said: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    data_dir: Path = request.getfixturevalue(kept)
    with Reader(data_dir) as reader:
        record = reader.record(game_id)
        listed = next(one for one in reader.games() if one.game_id == game_id)
        (row,) = [ended(one) for _, one in reader.ended() if one.game_id == game_id]
    assert said in heading(record)
    assert (game_account(record, 0, 0)["counts"], game_account(record, 0, 0)["why"][0]) == (False, said)
    assert not any("fault of the server" in line for line in game_account(record, 0, 0)["why"])
    assert (row.counts, row.taken_out, listed.counts) == (False, said, False)
    list_games(data_dir, GameChoice(), as_json=False)
    (line,) = [one for one in capsys.readouterr().out.splitlines() if game_id in one]
    assert said in line
    assert "voided, voided" not in line
    for form in (ugsg, jsonl):
        assert next(form.read(form.write(record).splitlines(keepends=True))) == record


def test_what_was_exported_of_a_game_that_was_taken_out_is_imported_twice(replayed: Path, tmp_path: Path) -> None:
    with Reader(replayed) as reader:
        record = reader.record("cup2")
    assert store(tmp_path / "other", record)
    assert not store(tmp_path / "other", record)
