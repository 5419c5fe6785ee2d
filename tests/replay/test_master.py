"""A recorded game led once more, by masters that a test makes up."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio.testing

from tests.record.samples import GAME_TYPE, Recorder
from tests.replay.peers import between, hears, hears_all
from ugs.broker.record import EntryKind
from ugs.broker.verdict import Cause, Outcome
from ugs.peer import Peer
from ugs.record.game import GameRecord
from ugs.replay.dialogue import Dialogue
from ugs.replay.master import MasterReplay, MasterReport, state_difference
from ugs.replay.script import master_script
from ugs.wire.messages import (
    BeginGame,
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


async def test_the_first_state_that_differs_is_reported_and_is_the_last(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [replace(SECOND, payload=b"<gameState>2</gameState>")])
    assert not report.same
    assert (report.equal, report.states, report.failed) == (1, 3, False)
    assert report.difference == (
        "event 4: state 2 differs",
        "recorded: <gameState>1</gameState>",
        "now:      <gameState>2</gameState>",
        "                     ^ byte 12",
    )


async def test_another_player_to_move_is_a_difference(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [replace(SECOND, next_player="ann")])
    assert report.difference == ("event 4: state 2 differs", "recorded: bob is to move", "now:      ann is to move")


async def test_another_result_is_a_difference(autojump_clock: trio.testing.MockClock) -> None:
    wrong = GameState("g1", None, (PlayerResult("ann", Result.LOSER), BOB_LOST))
    report = await led_by([FIRST], [SECOND], [wrong])
    assert report.difference[1:] == (
        "recorded: game over: ann winner, bob loser",
        "now:      game over: ann loser, bob loser",
    )


async def test_the_order_of_results_is_none(autojump_clock: trio.testing.MockClock) -> None:
    assert (await led_by([FIRST], [SECOND], [GameState("g1", None, (BOB_LOST, ANN_WON))])).same


def test_a_payload_that_is_only_written_otherwise_differs_and_that_is_said() -> None:
    other = replace(FIRST, payload=b"<gameState></gameState>")
    assert state_difference(FIRST, other)[-1] == "the payloads are equal but for the writing"
    assert state_difference(FIRST, FIRST) == []


async def test_a_master_that_takes_somebody_out_of_itself_differs(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([PlayerLeftGame("ann", "g1")])
    assert report.difference[1:] == ("recorded: ann is to move", "now:      the master takes ann out")


async def test_a_state_that_crossed_with_a_departure_is_refused_as_it_was_then(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The player had left already when the master named it, so the record does not have that state."""
    recorder = Recorder()
    recorder.state(0, FIRST.payload)
    recorder.move(0, b"<move/>")
    recorder.adds(EntryKind.LEFT, 10, 1, text="left")
    recorder.over([(0, "winner"), (1, "loser")], audience=1)
    record = recorder.ends([Outcome.WON, Outcome.LOST])
    assert (await led_by([FIRST], [SECOND], [OVER], record=record)).same


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


async def test_a_master_that_says_nothing_is_not_waited_for_for_ever(autojump_clock: trio.testing.MockClock) -> None:
    report = await led_by([FIRST], [])
    assert report.failed
    assert report.difference == ("event 4: state 2 is missing: the master said nothing in time (10 s)",)


async def test_a_master_that_goes_away(autojump_clock: trio.testing.MockClock) -> None:
    async def master(peer: Peer) -> None:
        await peer.send(LOGIN)
        await hears(peer)

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, recorded(), master_script(recorded())).run()

    report = await between(replay, master)
    assert report.failed
    assert report.difference == ("event 2: state 1 is missing: the master closed the connection",)


async def test_who_does_not_log_in_leads_nothing(autojump_clock: trio.testing.MockClock) -> None:
    async def master(peer: Peer) -> None:
        assert await peer.receive() is None

    async def replay(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, recorded(), master_script(recorded())).run()

    report = await between(replay, master)
    assert report.difference == ("the master said nothing in time and had not logged in",)


async def test_what_is_odd_is_noted_and_passed_over(autojump_clock: trio.testing.MockClock) -> None:
    first: list[Message] = [Error("dear me"), Logout(), GameState("g2", "ann", None), FIRST]
    report = await led_by(first, [SECOND], [PlayerLeftGame("bob", "g1"), OVER])
    assert report.same
    assert report.notes == (
        "the master reports an error: dear me",
        "logout is nothing that a master says in a game",
        "gameState of another game: 'g2'",
    )


@pytest.mark.parametrize("game_type", ["nim", GAME_TYPE])
async def test_another_game_type_is_noted(autojump_clock: trio.testing.MockClock, game_type: str) -> None:
    record = replace(recorded(), game_type=game_type, result=None)
    report = await led_by([FIRST], [SECOND], [OVER], record=record)
    noted = [f"it leads games of type {GAME_TYPE!r}, the record is of 'nim'"] if game_type == "nim" else []
    assert list(report.notes) == noted
