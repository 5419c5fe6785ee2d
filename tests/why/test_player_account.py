"""What a player far away may know of a game of its own, and what not."""

from dataclasses import replace

import pytest

from tests.record.samples import card_game
from tests.why.records import BEGAN_US, RUNNING, entry, over
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.record.game import GameRecord
from ugs.why.player_account import MAX_LINE, own_account

NOW_US = BEGAN_US + 60_000_000


def illegal() -> GameRecord:
    """Bob put his stone outside the board."""
    verdict = Verdict(Cause.ILLEGAL_MOVE, "bob")
    entries = (
        entry(EntryKind.MOVE, 9_000, seat=1, body=b"<move>99,18</move>"),
        entry(EntryKind.REASON, 9_100, seat=1, text="illegal-move: 99,18 is outside the board of 20 x 20"),
        entry(EntryKind.OVER, 9_200, audience=0b11, text="0:winner 1:loser", body=b"<gameState>end</gameState>"),
        entry(EntryKind.VERDICT, 9_200, text="illegal move, fault: player of bob"),
    )
    return over(verdict, (Outcome.WON, Outcome.LOST), None, *entries)


def test_a_student_reads_why_it_lost() -> None:
    lines = own_account(illegal(), "bob", 6, NOW_US).split("\n")
    assert lines[:5] == [
        "game g1 (chess)",
        "  bob broke a rule of the game; ann won",
        "  the game master said: 99,18 is outside the board of 20 x 20",
        "  the fault of the player bob: it counts as lost for it",
        "  judged by the game master 'm'",
    ]
    text = "\n".join(lines)
    for document in ("<gameState>2</gameState>", "<move>99,18</move>", 'code="illegal-move" nick="bob"', "loser"):
        assert document in text


def test_the_documents_of_others_are_not_shown() -> None:
    text = own_account(illegal(), "ann", 100, NOW_US)
    assert "<move>a</move>" in text
    assert "<move>99,18</move>" not in text
    assert "<cause" not in text
    assert "the game master said: 99,18" in text


def test_only_the_last_ones_are_shown() -> None:
    text = own_account(illegal(), "bob", 1, NOW_US)
    assert "gameOver" in text
    assert "99,18</move>" not in text
    assert "last exchanges" not in own_account(illegal(), "bob", 0, NOW_US)


@pytest.mark.parametrize(
    ("nick", "hidden"), [("ann", ("bob: 4", "bob: none", "<move>4")), ("bob", ("ann: 7", "you win", "<move>7"))]
)
def test_hidden_hands_stay_hidden(nick: str, hidden: tuple[str, ...]) -> None:
    text = own_account(card_game(), nick, 100, NOW_US)
    assert all(one not in text for one in (*hidden, "hands =", "s-1"))
    assert "gameState" in text


@pytest.mark.parametrize("nick", ["server", "master m", "m"])
def test_no_name_gives_a_right_to_what_others_say(nick: str) -> None:
    """In exchanges the server and the master are named like this."""
    record = replace(card_game(), seats=("ann", nick))
    assert record.result is not None
    seats = tuple(replace(seat, nick=name) for seat, name in zip(record.result.seats, record.seats, strict=True))
    record = replace(record, result=replace(record.result, seats=seats), master="m")
    text = own_account(record, nick, 100, NOW_US)
    assert all(one not in text for one in ("ann: 7", "<move>7", "hands =", "s-1", "beginGame", "x-restore"))


def test_the_time_of_a_move_is_that_of_its_own_player() -> None:
    assert "last move (ann" in own_account(RUNNING, "ann", 0, NOW_US)
    assert "last move" not in own_account(RUNNING, "bob", 0, NOW_US)


def test_a_long_document_is_shown_from_its_beginning() -> None:
    body = b"<move>" + b"x" * 10_000 + b"</move>"
    record = replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=body),))
    longest = max(own_account(record, "ann", 6, NOW_US).split("\n"), key=len)
    assert longest.startswith("      <message")
    assert longest[MAX_LINE:].startswith("… (10")


def test_what_a_terminal_obeys_is_escaped() -> None:
    record = replace(illegal(), seats=("an\u202en", "bob"))
    assert all(line.isprintable() for line in own_account(record, "bob", 100, NOW_US).split("\n"))
