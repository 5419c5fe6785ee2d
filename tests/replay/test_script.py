"""What a record says a master and a player were told."""

from dataclasses import replace

import pytest

from tests.record.samples import Recorder, card_game, tic_tac_toe
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.record.game import Entry, GameRecord
from ugs.record.narration import setup_of
from ugs.replay.script import (
    REMOVED,
    AwaitEnd,
    AwaitMissing,
    AwaitMove,
    AwaitRemoval,
    AwaitState,
    AwaitThanks,
    SendStep,
    for_families,
    master_script,
    player_script,
    renamed,
)
from ugs.replay.source import NotReplayable
from ugs.wire.extensions import Moved
from ugs.wire.messages import (
    BeginGame,
    Choice,
    Error,
    GameState,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
)

ANN_WINS = (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER))
EMPTY = b"<gameState/>"
BOTH = ("ann", "bob")


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
        SendStep(1, BeginGame("g1", ("ann", "bob"))),
        AwaitState(2, 1, GameState("g1", "ann", None, EMPTY), ("ann",), {}, BOTH),
        SendStep(3, Moved("g1", "ann", b"<move>1</move>")),
        AwaitState(4, 2, GameState("g1", "bob", None, b"<gameState>1</gameState>"), ("bob",), {}, BOTH),
        SendStep(7, Moved("g1", "bob", b"<move>2</move>")),
        AwaitState(8, 3, GameState("g1", None, ANN_WINS, EMPTY), (), {}, BOTH),
    ]


def test_the_script_of_a_player() -> None:
    assert player_script(short_game(), "bob") == [
        SendStep(2, GameState("g1", "ann", None, EMPTY)),
        SendStep(4, GameState("g1", "bob", None, b"<gameState>1</gameState>")),
        AwaitMove(7, 2, b"<move>2</move>", 99_980),
        SendStep(8, GameState("g1", None, ANN_WINS, EMPTY)),
        AwaitThanks(8),
    ]


def test_a_master_of_all_families_is_told_options_seats_and_seed_and_who_moved() -> None:
    begin, two, bobs_move, one, anns_move, over = master_script(card_game())
    deck = (Choice("deck", "small"),)
    assert begin == SendStep(1, BeginGame("c1", ("ann", "bob"), deck, 3, "s-1", setup_of(card_game())))
    assert setup_of(card_game())
    assert two == AwaitState(
        6,
        1,
        GameState("c1", "ann", None, b"<gameState>two cards</gameState>"),
        ("ann", "bob"),
        {"ann": b"<gameState>ann: 7</gameState>", "bob": b"<gameState>bob: 4</gameState>"},
        (),
    )
    assert bobs_move == SendStep(7, Moved("c1", "bob", b"<move>4</move>"))
    assert isinstance(one, AwaitState)
    assert (one.views, one.others) == ({"bob": b"<gameState>bob: none</gameState>"}, ("ann",))
    assert anns_move == SendStep(14, Moved("c1", "ann", b"<move>7</move>"))
    assert isinstance(over, AwaitState)
    assert (over.movers, over.state.game_over) == ((), ANN_WINS)


@pytest.mark.parametrize(
    ("families", "begin", "move"),
    [
        ((), BeginGame("g", BOTH), Move("g", b"<move/>")),
        (("table",), BeginGame("g", BOTH, (Choice("a", "b"),), 4), Move("g", b"<move/>")),
        (("restore", "movers"), BeginGame("g", BOTH, seed="s"), Moved("g", "ann", b"<move/>")),
    ],
)
def test_a_master_is_told_what_it_has_the_families_for(
    families: tuple[str, ...], begin: Message, move: Message
) -> None:
    whole = BeginGame("g", BOTH, (Choice("a", "b"),), 4, "s")
    assert for_families(whole, families) == begin
    assert for_families(Moved("g", "ann", b"<move/>"), families) == move
    assert for_families(PlayerLeftGame("ann", "g"), families) == PlayerLeftGame("ann", "g")


def test_a_move_is_told_after_the_answer_to_the_one_before() -> None:
    recorder = Recorder()
    recorder.movers([0, 1], EMPTY)
    recorder.move(1, b"<move>1</move>")
    recorder.move(0, b"<move>2</move>")
    recorder.state(0, EMPTY, audience=0b10)
    recorder.over([(0, "winner"), (1, "loser")])
    script = master_script(recorder.ends([Outcome.WON, Outcome.LOST]))
    assert [step.event for step in script] == [1, 2, 3, 5, 4, 6]


def taken_over(*between: Entry, last: EntryKind = EntryKind.STATE) -> list[int]:
    """The numbers of the events in the script of a master that has been replaced when it was ann's turn."""
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.adds(EntryKind.AWAY, 10)
    for entry in between:
        recorder.adds(entry.kind, 10, entry.seat, text=entry.text, body=entry.body)
    recorder.adds(EntryKind.RESTORED, 10, text="successor")
    if last is EntryKind.STATE:
        recorder.state(1, EMPTY)
    else:
        recorder.over([(0, "winner"), (1, "loser")])
    recorder.move(1, b"<move/>")
    recorder.over([(0, "winner"), (1, "loser")])
    return [step.event for step in master_script(recorder.so_far())]


def test_a_state_that_only_a_new_master_had_to_tell_is_not_awaited() -> None:
    left, moved = Entry(EntryKind.LEFT, 0, 0, seat=0, text="left"), Entry(EntryKind.MOVE, 0, 0, seat=0, body=b"<move/>")
    assert taken_over() == [1, 2, 6, 7]
    assert taken_over(moved) == [1, 2, 4, 6, 7, 8]
    assert taken_over(left) == [1, 2, 4, 6, 7, 8]
    assert taken_over(replace(left, seat=1)) == [1, 2, 4, 7, 8]
    assert taken_over(last=EntryKind.OVER) == [1, 2, 5, 6, 7]


def test_a_player_is_shown_its_own_view_and_named_itself_when_it_may_move() -> None:
    begin = {"ann": b"<gameState>ann: 7</gameState>", "bob": b"<gameState>bob: 4</gameState>"}
    for nick in BOTH:
        assert player_script(card_game(), nick)[0] == SendStep(6, GameState("c1", nick, None, begin[nick]))
    assert player_script(card_game(), "ann")[1:] == [
        SendStep(9, GameState("c1", "ann", None, b"<gameState>one card</gameState>")),
        AwaitMove(14, 2, b"<move>7</move>", 1_200_130),
        SendStep(16, GameState("c1", None, ANN_WINS, b"<gameState>you win</gameState>")),
        AwaitThanks(16),
    ]
    assert player_script(card_game(), "bob")[1:4] == [
        AwaitMove(7, 1, b"<move>4</move>", 99_980),
        SendStep(9, GameState("c1", "ann", None, b"<gameState>bob: none</gameState>")),
        SendStep(16, GameState("c1", None, ANN_WINS, EMPTY)),
    ]


def test_who_may_not_move_is_told_the_first_of_those_who_may() -> None:
    recorder = Recorder(seats=("ann", "bob", "cat"))
    recorder.movers([2, 0], EMPTY, audience=0b111)
    told = [player_script(recorder.so_far(), nick)[0] for nick in ("ann", "bob", "cat")]
    named = [
        step.message.next_player for step in told if isinstance(step, SendStep) and isinstance(step.message, GameState)
    ]
    assert named == ["ann", "cat", "cat"]


def test_a_state_is_told_to_its_audience_only() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY, audience=1)
    recorder.state(0, b"<gameState>2</gameState>", audience=2)
    assert player_script(recorder.so_far(), "bob") == [
        SendStep(3, GameState("g1", "ann", None, b"<gameState>2</gameState>"))
    ]


def leaving(cause: Cause) -> GameRecord:
    """It is ann's turn when she leaves the game; the master lets bob win."""
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.adds(EntryKind.LEFT, 500, 0, text=str(cause))
    recorder.over([(0, "loser"), (1, "winner")], audience=2)
    return recorder.ends([Outcome.LOST, Outcome.WON], Verdict(cause, "ann"), {0: cause})


def test_a_player_that_left() -> None:
    script = player_script(leaving(Cause.LEFT), "ann")
    assert script == [SendStep(2, GameState("g1", "ann", None, EMPTY)), AwaitEnd(3, Cause.LEFT, 480)]
    assert master_script(leaving(Cause.LEFT))[2] == SendStep(3, PlayerLeftGame("ann", "g1"))


def test_a_player_that_was_too_slow_is_told_so() -> None:
    *_, end, told = player_script(leaving(Cause.TIMEOUT), "ann")
    assert end == AwaitEnd(3, Cause.TIMEOUT, 480)
    assert told == SendStep(3, Error("no move in time: game g1 is lost"))


def test_a_player_that_the_master_took_out() -> None:
    assert player_script(leaving(Cause.REMOVED), "ann")[1:] == [SendStep(3, REMOVED)]
    assert master_script(leaving(Cause.REMOVED))[2] == AwaitRemoval(3, "ann")


def test_what_the_server_said_for_the_master_is_not_awaited_from_it() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.adds(EntryKind.LEFT, 500, 0, text="logout")
    recorder.over([(1, "winner"), (0, "loser")], b"", audience=2)
    record = recorder.ends([Outcome.LOST, Outcome.WON], Verdict(Cause.LOGOUT, "ann", True), {0: Cause.LOGOUT})
    assert master_script(record)[-1] == AwaitState(2, 1, GameState("g1", "ann", None, EMPTY), ("ann",), {}, BOTH)
    told = player_script(record, "bob")[1]
    assert isinstance(told, SendStep)
    assert isinstance(told.message, GameState)
    assert told.message.payload == EMPTY


def test_the_players_of_a_void_game_are_told() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.move(0, b"<move/>")
    record = recorder.ends([Outcome.VOID, Outcome.VOID], Verdict(Cause.MASTER_LOST, "m"))
    assert player_script(record, "bob")[-1] == SendStep(4, Error("game void: master lost"))


def test_what_a_master_did_not_answer_is_the_end_of_a_game_that_was_void_by_that() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.move(0, b"<move/>")
    recorder.adds(EntryKind.LEFT, 10, 1, text="logout")
    script = master_script(recorder.ends([Outcome.VOID, Outcome.VOID], Verdict(Cause.GIVEN_UP, "m")))
    assert script[2:] == [
        SendStep(3, Moved("g1", "ann", b"<move/>")),
        SendStep(4, PlayerLeftGame("bob", "g1")),
        AwaitMissing(3),
    ]
    stopped = recorder.ends([Outcome.VOID, Outcome.VOID], Verdict(Cause.SHUTDOWN, ""))
    assert len(master_script(stopped)) == 2, "the fault of another one"
    begun = Recorder().ends([Outcome.VOID, Outcome.VOID], Verdict(Cause.NO_BEGINNING, "m"))
    assert master_script(begun)[1:] == [AwaitMissing(1)]


def test_a_game_that_goes_on_is_played_as_far_as_it_has_come() -> None:
    recorder = Recorder()
    recorder.state(0, EMPTY)
    recorder.move(0, b"<move/>")
    assert len(master_script(recorder.so_far())) == 2


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ((), "its master sent nothing in it"),
        ((Entry(EntryKind.STATE, 0, 0, body=EMPTY),), "event 1: a state names no player"),
        ((Entry(EntryKind.OVER, 0, 0, text="9:winner", body=EMPTY),), "event 1: it names a seat that there is not"),
        ((Entry(EntryKind.OVER, 0, 0, text="0:hero", body=EMPTY),), "event 1: 'hero' is not a valid Result"),
        (
            (Entry(EntryKind.MOVE, 0, 0, seat=0, body=b"up"), Entry(EntryKind.STATE, 0, 0, seat=0, body=EMPTY)),
            "event 1 cannot be sent: .*the payload does not begin with <move",
        ),
        ((Entry(EntryKind.STATE, 0, 0, seat=0, text="0 2", body=EMPTY),), "event 1: it names a seat that there is not"),
        (
            (Entry(EntryKind.STATE, 0, 0, seat=0, text="-1 0", body=EMPTY),),
            "event 1: it names a seat that there is not",
        ),
        ((Entry(EntryKind.STATE, 0, 0, seat=0, text="all", body=EMPTY),), "event 1: invalid literal"),
    ],
)
def test_what_cannot_be_led_again_is_refused(entries: tuple[Entry, ...], words: str) -> None:
    with pytest.raises(NotReplayable, match=words):
        master_script(replace(tic_tac_toe(), entries=entries, result=None))


def test_what_cannot_be_played_again_is_refused() -> None:
    with pytest.raises(NotReplayable, match="no player 'cat'; there are ann, bob"):
        player_script(short_game(), "cat")
    with pytest.raises(NotReplayable, match="player 'ann' was sent nothing"):
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
