"""What a record says was said to a master and to a player."""

from dataclasses import replace

import pytest

from tests.record.samples import Recorder, tic_tac_toe
from ugs.broker.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.record.game import Entry, GameRecord
from ugs.replay.script import (
    REMOVED,
    AwaitEnd,
    AwaitMove,
    AwaitRemoval,
    AwaitState,
    AwaitThanks,
    Tell,
    master_script,
    player_script,
    renamed,
)
from ugs.replay.source import NotReplayable
from ugs.wire.messages import BeginGame, Error, GameState, Move, PlayerLeftGame, PlayerResult, Result

ANN_WINS = (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER))
EMPTY = b"<gameState/>"


def short_game() -> GameRecord:
    """Ann moves, bob moves, ann wins."""
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.move(0, b"<move>1</move>")
    recorder.state(1, b"<gameState>1</gameState>")
    recorder.adds(EntryKind.ERROR, 10, 0, text="what?")
    recorder.adds(EntryKind.REFUSED, 10, 0, text="not your turn")
    recorder.move(1, b"<move>2</move>")
    recorder.over([(0, "winner"), (1, "loser")])
    return recorder.ends([Outcome.WON, Outcome.LOST])


def test_the_script_of_a_master() -> None:
    assert master_script(short_game()) == [
        Tell(1, BeginGame("g1", ("ann", "bob"))),
        AwaitState(2, 1, GameState("g1", "ann", None, EMPTY)),
        Tell(3, Move("g1", b"<move>1</move>")),
        AwaitState(4, 2, GameState("g1", "bob", None, b"<gameState>1</gameState>")),
        Tell(7, Move("g1", b"<move>2</move>")),
        AwaitState(8, 3, GameState("g1", None, ANN_WINS, EMPTY)),
    ]


def test_the_script_of_a_player() -> None:
    assert player_script(short_game(), "bob") == [
        Tell(2, GameState("g1", "ann", None, EMPTY)),
        Tell(4, GameState("g1", "bob", None, b"<gameState>1</gameState>")),
        AwaitMove(7, 2, b"<move>2</move>", 99_980),
        Tell(8, GameState("g1", None, ANN_WINS, EMPTY)),
        AwaitThanks(8),
    ]


def test_a_state_is_told_to_its_audience_only() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY, audience=1)
    recorder.state(0, b"<gameState>2</gameState>", audience=2)
    assert player_script(recorder.so_far(), "bob") == [
        Tell(3, GameState("g1", "ann", None, b"<gameState>2</gameState>"))
    ]


def leaving(cause: Cause) -> GameRecord:
    """It is ann's turn when she goes out of the game; the master lets bob win."""
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.adds(EntryKind.LEFT, 500, 0, text=str(cause))
    recorder.over([(0, "loser"), (1, "winner")], audience=2)
    return recorder.ends([Outcome.LOST, Outcome.WON], Verdict(cause, "ann"), {0: cause})


def test_a_player_that_left() -> None:
    script = player_script(leaving(Cause.LEFT), "ann")
    assert script == [Tell(2, GameState("g1", "ann", None, EMPTY)), AwaitEnd(3, Cause.LEFT, 480)]
    assert master_script(leaving(Cause.LEFT))[2] == Tell(3, PlayerLeftGame("ann", "g1"))


def test_a_player_that_was_too_slow_is_told_so() -> None:
    *_, end, told = player_script(leaving(Cause.TIMEOUT), "ann")
    assert end == AwaitEnd(3, Cause.TIMEOUT, 480)
    assert told == Tell(3, Error("no move in time: game g1 is lost"))


def test_a_player_that_the_master_took_out() -> None:
    assert player_script(leaving(Cause.REMOVED), "ann")[1:] == [Tell(3, REMOVED)]
    assert master_script(leaving(Cause.REMOVED))[2] == AwaitRemoval(3, "ann")


def test_what_the_server_said_for_the_master_is_not_awaited_from_it() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.adds(EntryKind.LEFT, 500, 0, text="logout")
    recorder.over([(1, "winner"), (0, "loser")], b"", audience=2)
    record = recorder.ends([Outcome.LOST, Outcome.WON], Verdict(Cause.LOGOUT, "ann", True), {0: Cause.LOGOUT})
    assert master_script(record)[-1] == AwaitState(2, 1, GameState("g1", "ann", None, EMPTY))
    told = player_script(record, "bob")[1]
    assert isinstance(told, Tell)
    assert isinstance(told.message, GameState)
    assert told.message.payload == EMPTY


def test_the_players_of_a_void_game_are_told() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.move(0, b"<move/>")
    record = recorder.ends([Outcome.VOID, Outcome.VOID], Verdict(Cause.MASTER_LOST, "m"))
    assert player_script(record, "bob")[-1] == Tell(4, Error("game void: master lost"))


def test_a_game_that_goes_on_is_played_as_far_as_it_has_come() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.move(0, b"<move/>")
    assert len(master_script(recorder.so_far())) == 2


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ((), "its master said nothing in it"),
        ((Entry(EntryKind.STATE, 0, 0, body=EMPTY),), "event 1: a state names nobody"),
        ((Entry(EntryKind.OVER, 0, 0, text="9:winner", body=EMPTY),), "event 1: it names a seat that there is not"),
        ((Entry(EntryKind.OVER, 0, 0, text="0:hero", body=EMPTY),), "event 1: 'hero' is not a valid Result"),
        (
            (Entry(EntryKind.MOVE, 0, 0, seat=0, body=b"up"), Entry(EntryKind.STATE, 0, 0, seat=0, body=EMPTY)),
            "event 1 cannot be sent: the payload does not begin with <move",
        ),
    ],
)
def test_what_cannot_be_led_again_is_refused(entries: tuple[Entry, ...], words: str) -> None:
    with pytest.raises(NotReplayable, match=words):
        master_script(replace(tic_tac_toe(), entries=entries, result=None))


def test_what_cannot_be_played_again_is_refused() -> None:
    with pytest.raises(NotReplayable, match="no player 'cat'; there are ann, bob"):
        player_script(short_game(), "cat")
    with pytest.raises(NotReplayable, match="player 'ann' was told nothing"):
        player_script(Recorder().so_far(), "ann")
    recorder = Recorder()
    recorder.adds(EntryKind.LEFT, 0, 0, text="boredom")
    with pytest.raises(NotReplayable, match="'boredom' is not a valid Cause"):
        player_script(recorder.so_far(), "ann")
    with pytest.raises(NotReplayable, match="cannot be sent"):
        player_script(replace(short_game(), seats=("ann", "b\0b"), result=None), "ann")


def test_nicks_are_exchanged_in_the_envelope() -> None:
    names = {"ann": "bob", "bob": "ann"}
    assert renamed(GameState("g1", "ann", None, EMPTY), names) == GameState("g1", "bob", None, EMPTY)
    over = renamed(GameState("g1", None, ANN_WINS, EMPTY), names)
    assert over == GameState("g1", None, (PlayerResult("bob", Result.WINNER), PlayerResult("ann", Result.LOSER)), EMPTY)
    assert renamed(Error("ann"), names) == Error("ann")
