"""A recorded game replayed against masters that a test makes up."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio.testing
from msgspec.structs import replace as restated

from tests.record.samples import GAME_TYPE, LABELS, Recorder, card_game
from tests.replay.peers import between, hears, hears_all
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.peer import Peer
from ugs.record.game import GameRecord
from ugs.record.narration import setup_of
from ugs.replay.dialogue import Dialogue
from ugs.replay.master import FAMILIES, MasterReplay, MasterReport, state_difference
from ugs.replay.script import AwaitState, master_script
from ugs.wire.extensions import (
    Because,
    Failed,
    Family,
    Hello,
    Label,
    Labels,
    Moved,
    OfferedOption,
    Offers,
    RefusalReason,
    SeatKind,
    View,
    Views,
)
from ugs.wire.messages import (
    BeginGame,
    Choice,
    Error,
    GameMasterLogin,
    GameState,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
    ServerShutdown,
)

LOGIN = GameMasterLogin("other", GAME_TYPE, "2", "2")
FIRST = GameState("g1", "ann", None, b"<gameState/>")
SECOND = GameState("g1", "bob", None, b"<gameState>1</gameState>")
ANN_WON, BOB_LOST = PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)
OVER = GameState("g1", None, (ANN_WON, BOB_LOST))


def recorded() -> GameRecord:
    """A game of one move: ann moves, bob leaves, ann wins."""
    recorder = Recorder()
    recorder.state(0, FIRST.payload)
    recorder.move(0, b"<move/>")
    recorder.state(1, SECOND.payload)
    recorder.adds(EntryKind.LEFT, 10, 1, text="left")
    recorder.over([(0, "winner"), (1, "loser")], audience=1)
    return recorder.ends([Outcome.WON, Outcome.LOST])


async def led_by(*answers: Sequence[Message], record: GameRecord | None = None) -> MasterReport:
    """The replay against a master that gives these answers, one to each message, and then waits."""
    record = record or recorded()
    asked: list[Message] = []

    async def master(peer: Peer) -> None:
        await peer.send(LOGIN)
        await hears(peer)
        for answer in answers:
            asked.append(await hears(peer))
            if answer:
                await peer.send(*answer)
        asked.extend(await hears_all(peer))

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, record, master_script(record)).run()

    report = await between(replay, master)
    assert ServerShutdown() in asked, "it is told when it is over"
    return report


async def test_a_master_that_does_the_same(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [SECOND], [OVER])
    assert report == MasterReport(3, 3)
    assert report.same


async def test_the_master_is_told_what_the_record_says(autojump_clock: trio.testing.MockClock) -> None:
    asked: list[Message] = []

    async def master(peer: Peer) -> None:
        await peer.send(LOGIN)
        await hears(peer)
        for answer in (FIRST, SECOND, OVER):
            asked.append(await hears(peer))
            await peer.send(answer)
        asked.append(await hears(peer))

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, recorded(), master_script(recorded())).run()

    await between(replay, master)
    assert asked == [
        BeginGame("g1", ("ann", "bob")),
        Move("g1", b"<move/>"),
        PlayerLeftGame("bob", "g1"),
        ServerShutdown(),
    ]


def given_up() -> GameRecord:
    """Ann moves, and the master gives the game up."""
    recorder = Recorder()
    recorder.state(0, FIRST.payload)
    recorder.move(0, b"<move/>")
    return recorder.ends([Outcome.VOID, Outcome.VOID], Verdict(Cause.GIVEN_UP, "m"))


async def test_a_master_that_has_failed_gets_the_move_once_more(autojump_clock: trio.testing.MockClock) -> None:
    again = Failed(RefusalReason.INVALID_REQUEST, "its program has failed", "g1")
    report = await led_by([FIRST], [again], record=given_up())
    why = "the master gives the game back: its program has failed"
    assert report.difference == (f"event 3 has no answer, as in the game: {why}",)
    assert report.failed, "so its last lines are printed"
    report = await led_by([FIRST], [], record=given_up())
    assert report.difference == ("event 3 has no answer, as in the game: the master sent nothing in time",)
    report = await led_by([FIRST], [SECOND], record=given_up())
    assert report.same
    assert report.notes == ("event 3: the record has no answer, since the master failed; now it gives one",)


async def test_reasons_are_granted_and_not_compared(autojump_clock: trio.testing.MockClock) -> None:
    said = Because("g1", "row-completed", "five in a row")
    assert (await led_by((FIRST,), (said, SECOND), (said, OVER))).same
    assert Family.REASON in FAMILIES


async def test_the_first_state_that_differs_is_reported_and_is_the_last(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [restated(SECOND, payload=b"<gameState>2</gameState>")])
    assert not report.same
    assert (report.equal, report.states, report.failed) == (1, 3, False)
    assert report.difference == (
        "event 4: state 2 differs",
        "recorded: <gameState>1</gameState>",
        "now:      <gameState>2</gameState>",
        "                     ^ byte 12",
    )


async def test_another_player_to_move_is_a_difference(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [restated(SECOND, next_player="ann")])
    assert report.difference == ("event 4: state 2 differs", "recorded: bob is to move", "now:      ann is to move")


async def test_another_result_is_a_difference(autojump_clock: trio.testing.MockClock) -> None:
    wrong = GameState("g1", None, (PlayerResult("ann", Result.LOSER), BOB_LOST))
    report = await led_by([FIRST], [SECOND], [wrong])
    assert report.difference[1:] == (
        "recorded: game over: ann winner, bob loser",
        "now:      game over: ann loser, bob loser",
    )


async def test_the_order_of_results_does_not_matter(autojump_clock: trio.testing.MockClock) -> None:
    assert (await led_by([FIRST], [SECOND], [GameState("g1", None, (BOB_LOST, ANN_WON))])).same


def test_a_payload_that_is_only_written_otherwise_differs_and_that_is_said() -> None:
    other = restated(FIRST, payload=b"<gameState></gameState>")
    awaited = AwaitState(2, 1, FIRST, ("ann",), {}, ("ann", "bob"))
    assert state_difference(awaited, other, ("ann", "bob"))[-1] == "the payloads are equal except for the writing"
    assert state_difference(awaited, FIRST, ("ann", "bob")) == []


async def test_a_master_that_takes_a_player_out_on_its_own_differs(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([PlayerLeftGame("ann", "g1")])
    assert report.difference[1:] == ("recorded: ann is to move", "now:      the master takes ann out")


async def test_a_state_that_crossed_with_a_departure_is_refused_as_it_was_then(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The player had already left when the master named it, so the record does not have that state."""
    recorder = Recorder()
    recorder.state(0, FIRST.payload)
    recorder.move(0, b"<move/>")
    recorder.adds(EntryKind.LEFT, 10, 1, text="left")
    recorder.over([(0, "winner"), (1, "loser")], audience=1)
    record = recorder.ends([Outcome.WON, Outcome.LOST])
    assert (await led_by([FIRST], [SECOND], [OVER], record=record)).same


async def test_a_player_who_comes_back_may_be_named_again(autojump_clock: trio.testing.MockClock) -> None:
    recorder = Recorder()
    recorder.state(0, FIRST.payload)
    recorder.adds(EntryKind.LEFT, 10, 1, text="left")
    recorder.adds(EntryKind.REJOINED, 10, 1)
    recorder.move(0, b"<move/>")
    recorder.state(1, SECOND.payload)
    recorder.over([(0, "winner"), (1, "loser")])
    record = recorder.ends([Outcome.WON, Outcome.LOST])
    assert SECOND.next_player == "bob"
    assert (await led_by([FIRST], [], [], [SECOND, OVER], record=record)).same


async def test_a_player_whom_the_master_took_out_is_taken_out_again(autojump_clock: trio.testing.MockClock) -> None:
    recorder = Recorder()
    recorder.state(0, FIRST.payload)
    recorder.move(0, b"<move/>")
    recorder.adds(EntryKind.LEFT, 10, 1, text=str(Cause.REMOVED))
    recorder.over([(0, "winner"), (1, "loser")], audience=1)
    record = recorder.ends([Outcome.WON, Outcome.LOST])
    assert (await led_by([FIRST], [PlayerLeftGame("bob", "g1"), OVER], record=record)).same
    report = await led_by([FIRST], [OVER], record=record)
    assert report.difference == (
        "event 4: playerLeftGame of 'bob' is missing",
        "now: a state: game over: ann winner, bob loser",
    )


async def test_a_state_after_the_end_is_one_too_many(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [SECOND], [OVER, OVER])
    assert report.difference[0] == "after event 6, the end of the game: one more state"


async def test_a_silent_master_fails_after_the_time_limit(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [])
    assert report.failed
    assert report.difference == ("event 4: state 2 is missing: the master sent nothing in time (10 s)",)


async def test_a_master_that_goes_away(autojump_clock: trio.testing.MockClock) -> None:
    async def master(peer: Peer) -> None:
        await peer.send(LOGIN)
        await hears(peer)

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, recorded(), master_script(recorded())).run()

    report = await between(replay, master)
    assert report.failed
    assert report.difference == ("event 2: state 1 is missing: the master closed the connection",)


async def test_a_master_that_does_not_log_in_fails(autojump_clock: trio.testing.MockClock) -> None:
    async def master(peer: Peer) -> None:
        assert await peer.receive() is None

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, recorded(), master_script(recorded())).run()

    report = await between(replay, master)
    assert report.difference == ("the master sent nothing in time and had not logged in",)


async def test_unusual_messages_are_noted_and_skipped(autojump_clock: trio.testing.MockClock) -> None:
    first: list[Message] = [Error("dear me"), Logout(), GameState("g2", "ann", None), FIRST]
    report = await led_by(first, [SECOND], [PlayerLeftGame("bob", "g1"), OVER])
    assert report.same
    assert report.notes == (
        "the master reports an error: dear me",
        "logout is not a message of a master in a game",
        "gameState of another game: 'g2'",
    )


@pytest.mark.parametrize("game_type", ["nim", GAME_TYPE])
async def test_another_game_type_is_noted(autojump_clock: trio.testing.MockClock, game_type: str) -> None:
    record = replace(recorded(), game_type=game_type, result=None)
    report = await led_by([FIRST], [SECOND], [OVER], record=record)
    noted = [f"it leads games of type {GAME_TYPE!r}, the record is of 'nim'"] if game_type == "nim" else []
    assert list(report.notes) == noted


# A master that has asked for extensions.

ALL = ("views", "table", "movers", "restore", "watch")
SEATED = Labels("c1", LABELS)
TWO_CARDS = (
    View("ann", b"<gameState>ann: 7</gameState>"),
    View("bob", b"<gameState>bob: 4</gameState>"),
    View("", b"<gameState>two cards</gameState>"),
)
BOTH_MOVE = Views("c1", ("ann", "bob"), (), TWO_CARDS)
ANN_MOVES = Views(
    "c1",
    ("ann",),
    (),
    (View("", b"<gameState>one card</gameState>"), View("bob", b"<gameState>bob: none</gameState>")),
)
ROBOT = PlayerResult("Robot 1", Result.LOSER)
ENDS = Views("c1", (), (ROBOT, ANN_WON, BOB_LOST), (View("ann", b"<gameState>you win</gameState>"),))


async def led_with(
    families: tuple[str, ...], *answers: Sequence[Message], record: GameRecord | None = None
) -> tuple[MasterReport, list[Message]]:
    """The replay of the card game against a master that asks for these families, and what the master was told."""
    record = record or card_game()
    told: list[Message] = []

    async def master(peer: Peer) -> None:
        await peer.send(Hello(families, "test", "1"))
        granted = await hears(peer)
        assert granted == Hello(tuple(family for family in families if family != "watch"))
        await peer.send(GameMasterLogin("m", "cards", "2", "2"), Offers((OfferedOption("deck", "large"),)))
        await hears(peer)
        for answer in answers:
            told.append(await hears(peer))
            await peer.send(*answer)
        told.extend(await hears_all(peer))

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, record, master_script(record)).run()

    return await between(replay, master), told


async def test_a_game_with_hidden_hands_is_led_again_and_every_view_compared(
    autojump_clock: trio.testing.MockClock,
) -> None:
    report, told = await led_with(ALL, [SEATED, BOTH_MOVE], [ANN_MOVES], [ENDS])
    assert report == MasterReport(3, 3)
    assert told == [
        BeginGame("c1", ("ann", "bob"), (Choice("deck", "small"),), 3, "s-1", setup_of(card_game())),
        Moved("c1", "bob", b"<move>4</move>"),
        Moved("c1", "ann", b"<move>7</move>"),
        ServerShutdown(),
    ]


def viewed(views: Views, nick: str, payload: bytes) -> Views:
    """The same with a different view for one player."""
    changed = tuple(replace(view, payload=payload) if view.nick == nick else view for view in views.views)
    return replace(views, views=changed)


@pytest.mark.parametrize(
    ("first", "lines"),
    [
        (
            viewed(BOTH_MOVE, "bob", b"<gameState>bob: 5</gameState>"),
            ("what bob is shown:", "recorded: <gameState>bob: 4</gameState>"),
        ),
        (
            viewed(BOTH_MOVE, "", b"<gameState>bob: 5</gameState>"),
            ("recorded: <gameState>two cards</gameState>", "now:      <gameState>bob: 5</gameState>"),
        ),
        (
            replace(BOTH_MOVE, views=(TWO_CARDS[0], TWO_CARDS[2])),
            ("what bob is shown:", "recorded: <gameState>bob: 4</gameState>"),
        ),
        (
            replace(BOTH_MOVE, next_players=("bob",)),
            ("recorded: ann, bob are to move", "now:      bob is to move"),
        ),
        (
            GameState("c1", "ann", None, TWO_CARDS[2].payload),
            ("recorded: ann, bob are to move", "now:      ann is to move"),
        ),
        (
            Failed(RefusalReason.INVALID_REQUEST, "too few cards", "c1"),
            ("recorded: ann, bob are to move", "now:      the master gives the game back: too few cards"),
        ),
    ],
)
async def test_what_differs_is_told_with_whose_view_it_is(
    autojump_clock: trio.testing.MockClock, first: Message, lines: tuple[str, str]
) -> None:
    report, _ = await led_with(ALL, [first])
    assert report.difference[:3] == ("event 6: state 1 differs", *lines)
    assert not report.failed


async def test_a_view_for_a_player_that_saw_the_common_state_differs(autojump_clock: trio.testing.MockClock) -> None:
    more = replace(ANN_MOVES, views=(*ANN_MOVES.views, View("ann", b"<gameState>9</gameState>")))
    report, _ = await led_with(ALL, [BOTH_MOVE], [more])
    assert report.difference[1:3] == ("what ann is shown:", "recorded: <gameState>one card</gameState>")
    same = replace(ANN_MOVES, views=(*ANN_MOVES.views, View("ann", ANN_MOVES.views[0].payload)))
    assert (await led_with(ALL, [BOTH_MOVE], [same], [ENDS]))[0].same


async def test_what_a_master_has_not_asked_to_be_told_is_not_told_and_noted(
    autojump_clock: trio.testing.MockClock,
) -> None:
    report, told = await led_with(("views",), [BOTH_MOVE], [ANN_MOVES], [ENDS])
    assert report.same
    assert told[:2] == [BeginGame("c1", ("ann", "bob")), Move("c1", b"<move>4</move>")]
    assert report.notes == tuple(
        f"the record has {name}, but the master did not ask for it" for name in ("options", "seats", "seed", "setup")
    )


async def test_other_names_of_seats_are_noted(autojump_clock: trio.testing.MockClock) -> None:
    other = Labels("c1", (Label("ann", "green", SeatKind.HUMAN),))
    report, _ = await led_with(ALL, [other, BOTH_MOVE], [ANN_MOVES], [ENDS])
    assert report.same
    assert report.notes == ("it names the seats differently than recorded",)
    record = replace(card_game(), entries=tuple(e for e in card_game().entries if e.kind is not EntryKind.LABELS))
    report, _ = await led_with(ALL, [other, BOTH_MOVE], [ANN_MOVES], [ENDS], record=record)
    assert report.notes == (), "a record without names knows nothing of them"


async def test_views_that_crossed_with_a_departure_are_refused_too(autojump_clock: trio.testing.MockClock) -> None:
    recorder = Recorder("c1")
    recorder.movers([0, 1], b"<gameState/>")
    recorder.adds(EntryKind.LEFT, 10, 1, text="left")
    recorder.over([(0, "winner"), (1, "loser")], audience=1)
    record = recorder.ends([Outcome.WON, Outcome.LOST])
    first = Views("c1", ("ann", "bob"), (), (View("", b"<gameState/>"),))
    over = Views("c1", (), (ANN_WON, BOB_LOST), ())
    report, told = await led_with(ALL, [first], [first, over], record=record)
    assert report.same
    assert Error("x-views: nextPlayer nick 'bob': has left") in told


async def test_a_view_after_the_end_is_one_too_many(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await led_with(ALL, [BOTH_MOVE], [ANN_MOVES], [ENDS, ENDS])
    assert report.difference == (
        "after event 16, the end of the game: one more state",
        "now: a state: game over: Robot 1 loser, ann winner, bob loser",
    )
