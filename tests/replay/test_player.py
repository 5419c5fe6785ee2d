"""A recorded game replayed against players that a test makes up."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio
import trio.testing
from msgspec.structs import replace as restated

from tests.record.samples import GAME_TYPE, Recorder, card_game
from tests.replay.peers import between, hears
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.peer import Peer
from ugs.record.game import GameRecord
from ugs.replay.comparison import Similarity
from ugs.replay.dialogue import Dialogue
from ugs.replay.player import Compared, PlayerReplay, PlayerReport
from ugs.replay.script import player_script
from ugs.wire.extensions import Hello
from ugs.wire.messages import (
    ChampionRow,
    ChampionsList,
    Error,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)

MOVE = Move("g1", b'<move a="1"/>')
THANKS = ThankYou("g1")


def recorded() -> GameRecord:
    """Ann moves twice, bob once, ann wins."""
    recorder = Recorder()
    recorder.state(0, b"<gameState/>")
    recorder.move(0, MOVE.payload)
    recorder.state(1, b"<gameState/>")
    recorder.move(1, b"<move/>")
    recorder.state(0, b"<gameState/>")
    recorder.move(0, MOVE.payload)
    recorder.over([(0, "winner"), (1, "loser")])
    return recorder.ends([Outcome.WON, Outcome.LOST])


async def played_by(
    *acts: Sequence[Message], record: GameRecord | None = None, nick: str = "ann", think_s: float = 0.0
) -> tuple[PlayerReport, list[Message]]:
    """The replay of ann's part against a player that sends these messages when it has to act, and all it was told."""
    record = record or recorded()
    told: list[Message] = []

    async def player(peer: Peer) -> None:
        await peer.send(PlayerLogin(nick, GAME_TYPE))
        left = list(acts)
        while (message := await peer.receive()) is not None:
            told.append(message)
            asked = isinstance(message, GameState) and (message.game_over or message.next_player == nick)
            if asked and left:
                await trio.sleep(think_s)
                await peer.send(*left.pop(0))

    async def replay(dialogue: Dialogue) -> PlayerReport:
        return await PlayerReplay(dialogue, record, "ann", player_script(record, "ann")).run()

    return await between(replay, player), told


async def test_a_player_that_does_the_same_in_another_time(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await played_by([MOVE], [MOVE], [THANKS], think_s=0.25)
    text = '<move a="1"/>'
    assert report == PlayerReport(
        (
            Compared(1, Similarity.SAME, text, 99_980, text, 250_000),
            Compared(3, Similarity.SAME, text, 99_980, text, 250_000),
        )
    )
    assert report.same


async def test_what_the_player_is_told(autojump_clock: trio.testing.MockClock) -> None:
    _, told = await played_by([MOVE], [MOVE], [THANKS])
    to_ann, to_bob = GameState("g1", "ann", None), GameState("g1", "bob", None)
    over = GameState("g1", None, (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)))
    table = ChampionsList((ChampionRow("ann", 0, 0), ChampionRow("bob", 0, 0)))
    assert told == [LoginResponse(), table, to_ann, to_bob, to_ann, over, ServerShutdown()]


async def test_another_move_differs_and_the_recorded_game_goes_on(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await played_by([restated(MOVE, payload=b"<move/>")], [MOVE], [THANKS])
    assert not report.same
    assert [one.similarity for one in report.compared] == [Similarity.DIFFERENT, Similarity.SAME]
    assert report.compared[0].now == "<move/>"


async def test_a_move_that_is_only_written_otherwise_is_no_difference(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await played_by([restated(MOVE, payload=b"<move a='1' ></move>")], [MOVE], [THANKS])
    assert report.same
    assert report.compared[0].similarity is Similarity.WRITING


@pytest.mark.parametrize("last", [THANKS, Logout(), Error("no thanks")])
async def test_every_answer_to_the_end_of_the_game_will_do(
    autojump_clock: trio.testing.MockClock, last: Message
) -> None:
    assert (await played_by([MOVE], [MOVE], [last]))[0].same


async def test_a_player_that_does_not_thank_has_failed(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await played_by([MOVE], [MOVE], [MOVE])
    assert not report.same
    assert report.failure == "after the end of the game the player sent nothing in time (10 s): no thank you"
    assert report.notes == ("move after the end of the game",)


async def test_a_player_that_does_not_move_ends_the_replay(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await played_by([MOVE])
    assert report.failure == "event 7: instead of move 3 the player sent nothing in time (10 s)"
    assert [(one.number, one.now_us) for one in report.compared] == [(1, 0), (3, None)]


async def test_a_player_that_leaves_ends_the_replay(autojump_clock: trio.testing.MockClock) -> None:
    report, _ = await played_by([LeaveGame("g1")])
    assert report.failure == "event 3: instead of move 1 the player sent leaveGame"


async def test_a_player_under_another_nick_is_called_by_it(autojump_clock: trio.testing.MockClock) -> None:
    report, told = await played_by([MOVE], [MOVE], [THANKS], nick="bob")
    assert report.same
    assert report.notes == ("it logs in as 'bob' and plays for 'ann'",)
    assert GameState("g1", None, (PlayerResult("bob", Result.WINNER), PlayerResult("ann", Result.LOSER))) in told


async def test_unusual_messages_are_noted_and_skipped(autojump_clock: trio.testing.MockClock) -> None:
    odd: list[Message] = [Error("dear me"), ThankYou("g1"), Move("g2", b"<move/>"), MOVE]
    report, _ = await played_by(odd, [MOVE], [THANKS], record=replace(recorded(), game_type="nim", result=None))
    assert report.same
    assert report.notes == (
        f"it plays {GAME_TYPE!r}, the record is of 'nim'",
        "the player reports an error: dear me",
        "thank you is not a message of a player in its turn",
        "move of another game: 'g2'",
    )


def ended_by(cause: Cause) -> GameRecord:
    """It is ann's turn when she leaves the game."""
    recorder = Recorder()
    recorder.state(0, b"<gameState/>")
    recorder.adds(EntryKind.LEFT, 500, 0, text=str(cause))
    return recorder.ends([Outcome.LOST, Outcome.WON], Verdict(cause, "ann"), {0: cause})


@pytest.mark.parametrize(
    ("cause", "act", "alike"),
    [
        (Cause.LEFT, [LeaveGame("g1")], Similarity.SAME),
        (Cause.LOGOUT, [Logout()], Similarity.SAME),
        (Cause.TIMEOUT, [], Similarity.SAME),
        (Cause.LEFT, [MOVE], Similarity.DIFFERENT),
        (Cause.TIMEOUT, [MOVE], Similarity.DIFFERENT),
        (Cause.LOGOUT, [LeaveGame("g1")], Similarity.DIFFERENT),
        (Cause.DISCONNECTED, [], Similarity.DIFFERENT),
    ],
)
async def test_a_player_that_went_out_of_the_game_is_expected_to_do_so_again(
    autojump_clock: trio.testing.MockClock, cause: Cause, act: list[Message], alike: Similarity
) -> None:
    report, told = await played_by(act, record=ended_by(cause)) if act else await played_by(record=ended_by(cause))
    (one,) = report.compared
    assert (one.number, one.recorded, one.similarity) == (0, f"out: {cause}", alike)
    assert any(isinstance(message, Error) for message in told) is (cause is Cause.TIMEOUT)


async def test_a_player_that_does_not_log_in_fails(autojump_clock: trio.testing.MockClock) -> None:
    async def player(peer: Peer) -> None:
        await peer.send(Logout())
        assert isinstance(await hears(peer), Error)

    async def replay(dialogue: Dialogue) -> PlayerReport:
        return await PlayerReplay(dialogue, recorded(), "ann", player_script(recorded(), "ann")).run()

    report = await between(replay, player)
    assert report.failure == "the player closed the connection and had not logged in"
    assert report.compared == ()


async def test_a_lost_connection_is_expected_where_it_was_lost(autojump_clock: trio.testing.MockClock) -> None:
    async def player(peer: Peer) -> None:
        await peer.send(PlayerLogin("ann", GAME_TYPE))
        for _ in range(3):
            await hears(peer)

    async def replay(dialogue: Dialogue) -> PlayerReport:
        record = ended_by(Cause.DISCONNECTED)
        return await PlayerReplay(dialogue, record, "ann", player_script(record, "ann")).run()

    report = await between(replay, player)
    assert report.same
    assert report.compared[0].now == "closed the connection"


async def test_a_player_that_asks_for_extensions_is_served_without_them(autojump_clock: trio.testing.MockClock) -> None:
    told: list[Message] = []

    async def player(peer: Peer) -> None:
        await peer.send(Hello(("session", "state"), "bot", "1"), PlayerLogin("bob", "cards"))
        while (message := await peer.receive()) is not None:
            told.append(message)
            if isinstance(message, GameState):
                await peer.send(ThankYou("c1") if message.game_over else Move("c1", b"<move>4</move>"))

    async def replay(dialogue: Dialogue) -> PlayerReport:
        record = card_game()
        return await PlayerReplay(dialogue, record, "bob", player_script(record, "bob")).run()

    report = await between(replay, player)
    assert report.compared[0].similarity is Similarity.SAME
    assert told[:2] == [Hello(()), LoginResponse()]
    assert [message.payload for message in told if isinstance(message, GameState)] == [
        b"<gameState>bob: 4</gameState>",
        b"<gameState>bob: none</gameState>",
        b"<gameState/>",
    ]
