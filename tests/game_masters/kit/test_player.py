"""Dialogues of the broker with a bot."""

import random
from dataclasses import replace

import pytest

from game_masters.kit.client import Finish, Level, Note, Pause, Reconnect, Send
from game_masters.kit.player import Player
from game_masters.kit.rules import Bot
from game_masters.kit.thought import Thought
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, View
from tests.game_masters.kit.one_bot import a_bot, a_bot_with_a_session, next_in_column, over, sent, state, tac, tic
from tests.game_masters.sealed_bids import SEALED_BIDS
from ugs import __version__
from ugs.wire.extensions import Account, Because, BoardMark, Failed, GameVerdict, Hello, RefusalReason, Remark, Why
from ugs.wire.messages import (
    BeginGame,
    ChampionRow,
    ChampionsList,
    Error,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    Message,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)


def test_it_logs_in_and_is_let_in() -> None:
    bot = Bot("column", "plays downwards", next_in_column)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1), game_type="small")
    assert player.connected() == [
        Send(Hello(("session", "state", "reason"), "ugs bot tic-tac-toe", __version__)),
        Send(PlayerLogin("ann", "small")),
    ]
    assert not player.accepted
    assert player.received(LoginResponse()) == [
        Note("logged in", {"nick": "ann", "game_type": "small", "bot": "column"})
    ]
    assert player.accepted


@pytest.mark.parametrize("error", set(LoginError) - {LoginError.WRONG_NICK})
def test_a_refused_first_login_is_the_end_and_the_reason_is_told(error: LoginError) -> None:
    player = Player(GAME, GAME.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    note, end = player.received(LoginResponse(error))
    assert isinstance(note, Note)
    assert note.fields["error_id"] == int(error)
    assert note.fields["reason"]
    assert note.fields["advice"]
    assert end == Finish(1)


def test_a_nick_in_use_is_tried_again_and_the_bot_says_how_long_it_waits() -> None:
    player = Player(GAME, GAME.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    note, again = player.received(LoginResponse(LoginError.WRONG_NICK))
    assert isinstance(note, Note)
    assert (note.fields["name"], note.fields["next_attempt_in_s"]) == ("ann", 5)
    assert again == Reconnect(5)
    player.connected()
    assert [type(effect) for effect in player.received(LoginResponse())] == [Note]
    assert player.accepted


def test_a_refused_later_login_is_tried_again() -> None:
    player = a_bot()
    player.connected()
    assert player.received(LoginResponse(LoginError.WRONG_NICK))[-1] == Reconnect()


def test_it_moves_on_its_turn_only_and_remembers_the_stones() -> None:
    player = a_bot()
    assert player.received(state("ann")) == [tic(0, 0)]
    assert player.received(state("bob", tac(0, 0))) == []
    assert player.received(state("ann", tac(7, 7))) == [tic(7, 8)]


def test_a_bot_of_ones_own_shows_its_own_name_and_version() -> None:
    options = GAME.choose_options({})
    bot = Player(GAME, options, GAME.bots[0], nick="ann", rng=random.Random(0), program=("mine", "7"))
    (hello,) = [
        effect.message for effect in bot.connected() if isinstance(effect, Send) and isinstance(effect.message, Hello)
    ]
    assert (hello.program, hello.version) == ("mine", "7")


def test_it_thinks_before_it_moves() -> None:
    assert a_bot(think_s=0.25).received(state("ann")) == [Pause(0.25), tic(0, 0)]


@pytest.mark.parametrize(
    ("own", "other", "verdict"),
    [
        (Result.WINNER, Result.LOSER, "won"),
        (Result.LOSER, Result.WINNER, "lost"),
        (Result.LOSER, Result.LOSER, "drawn"),
        (Result.WINNER, Result.WINNER, "drawn"),
    ],
)
def test_it_says_thank_you_when_a_game_is_over(own: Result, other: Result, verdict: str) -> None:
    player = a_bot()
    player.received(state("ann"))
    assert player.received(over(own, other)) == [
        Note("game over", {"game": "g1", "result": verdict}),
        Send(ThankYou("g1")),
    ]
    assert player.played == 1


def test_a_result_that_does_not_mention_it_is_no_reason_to_be_rude() -> None:
    game_over = GameState("g1", None, (PlayerResult("bob", Result.WINNER),))
    note, thanks = a_bot().received(game_over)
    assert note == Note("game over", {"game": "g1", "result": "not listed"})
    assert thanks == Send(ThankYou("g1"))


def test_after_the_wanted_number_of_games_it_logs_out() -> None:
    """It does not say thank you, since the server could then seat it once more."""
    player = a_bot(games=2)
    assert sent(player.received(over(Result.WINNER, Result.LOSER, "g1"))) == [ThankYou("g1")]
    effects = player.received(over(Result.WINNER, Result.LOSER, "g2"))
    assert sent(effects) == [Logout()]
    end = effects[-1]
    assert isinstance(end, Finish)
    assert end.exit_code == 0
    assert end.linger_s > 0


def test_a_new_game_begins_on_an_empty_board_and_void_games_do_not_count() -> None:
    player = a_bot(games=1)
    player.received(state("ann"))
    player.received(state("bob", tac(3, 3)))
    assert sent(player.received(Error("game void: the game master is gone"))) == []
    assert player.played == 0
    assert player.received(state("ann", game="g2")) == [tic(0, 0, "g2")]


@pytest.mark.parametrize(
    "text", ["no move within 30 s: game g1 is lost; that is the 2nd", "removed by the game master"]
)
def test_a_game_that_the_server_takes_it_out_of_counts_once(text: str) -> None:
    player = a_bot(games=2)
    player.received(state("ann"))
    assert sent(player.received(Error("game g0 is lost"))) == []
    assert player.played == 0
    assert sent(player.received(Error(text))) == []
    assert sent(player.received(Error(text))) == []
    assert player.played == 1
    assert player.received(state("ann", game="g2")) == [tic(0, 0, "g2")]
    effects = player.received(Error("no time left: game g2 is lost"))
    assert sent(effects) == [Logout()]
    assert isinstance(effects[-1], Finish)


def test_a_state_it_cannot_read_makes_it_leave() -> None:
    player = a_bot()
    effects = player.received(state("bob", b"<gameState><chess/></gameState>"))
    assert sent(effects) == [LeaveGame("g1")]
    assert player.played == 1


def test_a_last_state_it_cannot_read_is_thanked_for() -> None:
    game_over = GameState("g1", None, (PlayerResult("ann", Result.WINNER),), b"<gameState><chess/></gameState>")
    assert sent(a_bot().received(game_over)) == [ThankYou("g1")]


def test_a_bug_in_the_bot_costs_one_game() -> None:
    player = a_bot(fails=True)
    note, leave = player.received(state("ann"))
    assert isinstance(note, Note)
    assert (note.level, type(note.bug)) == (Level.ERROR, ZeroDivisionError)
    assert leave == Send(LeaveGame("g1"))
    assert player.received(state("bob", game="g2")) == []


def test_the_last_game_counts_even_if_it_is_left() -> None:
    assert sent(a_bot(games=1, fails=True).received(state("ann"))) == [Logout()]


def test_what_needs_no_answer_is_noted() -> None:
    player = a_bot()
    messages: list[Message] = [
        Error("not your turn"),
        ChampionsList((ChampionRow("bob", 3, 0), ChampionRow("ann", 1, 2))),
        ChampionsList(()),
        BeginGame("g1", ("ann", "bob")),
        Logout(),
    ]
    for message in messages:
        effects = player.received(message)
        assert len(effects) == 1
        assert isinstance(effects[0], Note)
    (note,) = player.received(ChampionsList((ChampionRow("bob", 3, 0), ChampionRow("ann", 1, 2))))
    assert note == Note("champions", {"rank": 2, "won": 1, "lost": 2}, Level.DEBUG)


def test_a_shutdown_satisfies_it_unless_games_are_still_wanted() -> None:
    for games, satisfied in [(None, True), (3, False)]:
        player = a_bot(games=games)
        assert not player.satisfied
        player.received(ServerShutdown())
        assert player.satisfied is satisfied
        player.connected()
        assert not player.satisfied


def test_a_signal_makes_it_say_good_bye_if_it_was_let_in() -> None:
    assert sent(a_bot().interrupted()) == [Logout()]
    stranger = Player(GAME, GAME.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    stranger.connected()
    assert sent(stranger.interrupted()) == []


def test_with_v4_it_asks_for_nothing() -> None:
    player = Player(GAME, GAME.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1), v4=True)
    assert sent(player.connected()) == [PlayerLogin("ann", GAME.game_type)]


# --- remarks ---------------------------------------------------------------------------------------------------------


def thinks(view: View, move: Cell) -> Thought | None:
    """What a bot thinks at its first, second and third move."""
    thoughts = (Thought(0.5, "down", "0,1", (("0,0", "0,1", "1"),)), None, Thought(plan="wait"))
    return thoughts[len(view.stones) // 2]


@pytest.mark.parametrize("granted", [("remark",), ()])
def test_it_remarks_what_it_thinks_before_its_move_where_it_may(granted: tuple[str, ...]) -> None:
    bot = Bot("column", "plays downwards", next_in_column, remark=thinks)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1))
    assert sent(player.connected())[0] == Hello(
        ("session", "state", "reason", "remark"), "ugs bot tic-tac-toe", __version__
    )
    player.received(Hello(("session", *granted)))
    player.received(LoginResponse())
    remark = Send(Remark("g1", 0.5, "down", "0,1", (BoardMark("0,0", "0,1", "1"),)))
    assert player.received(state("ann")) == [*([remark] if granted else []), tic(0, 0)]
    player.received(state("bob", tac(0, 0)))
    assert player.received(state("ann", tac(7, 7))) == [tic(7, 8)]


@pytest.mark.parametrize("thought", [Thought(float("nan")), 7])
def test_a_wrong_thought_costs_no_game(thought: Thought) -> None:
    bot = Bot("column", "plays downwards", next_in_column, remark=lambda view, move: thought)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1))
    player.connected()
    player.received(Hello(("session", "remark")))
    player.received(LoginResponse())
    note, move = player.received(state("ann"))
    assert isinstance(note, Note)
    assert (note.level, move) == (Level.WARNING, tic(0, 0))


# --- reasons, and what it waits for ----------------------------------------------------------------------------------


def test_it_says_why_a_game_ended() -> None:
    player = a_bot_with_a_session()
    told = GameVerdict("g1", "illegal move", "player", "ann broke a rule", (), "ann", "illegal-move", "99,18")
    fields = {"game": "g1", "cause": "illegal move", "why": "ann broke a rule", "said": "99,18"}
    assert player.received(told) == [Note("verdict", fields, Level.WARNING)]
    (note,) = player.received(replace(told, culprit="bob", words=""))
    assert isinstance(note, Note)
    assert note.level is Level.INFO
    (note,) = player.received(Because("g1", "illegal-move", "99,18", "ann"))
    assert isinstance(note, Note)
    assert note.fields == {"game": "g1", "code": "illegal-move", "text": "99,18"}


def test_without_a_game_it_says_what_it_waits_for() -> None:
    player = a_bot_with_a_session()
    assert player.nudged() == [Send(Why(ref="waiting"))]
    told = Account("there is no game master for chess", ref="waiting")
    assert player.received(told) == [Note("waiting", {"why": "there is no game master for chess"})]
    assert player.received(replace(told, ref="")) == []
    assert player.received(Failed(RefusalReason.RATE_LIMIT, "too many", ref="waiting")) == []
    player.received(state("bob"))
    assert player.nudged() == []
    assert player.received(told) == [], "the game has begun meanwhile"


def test_a_server_that_cannot_say_why_is_not_asked() -> None:
    assert a_bot_with_a_session("session", "state").nudged() == [Note("waiting for a game")]
    player = a_bot()
    player.connected()
    assert player.nudged() == [], "before the login"


def test_a_game_that_the_server_ends_has_no_position_and_that_is_no_fault() -> None:
    game = SEALED_BIDS
    player = Player(game, game.choose_options({}), game.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    player.received(LoginResponse())
    ended = over(Result.WINNER, Result.WINNER)
    assert [effect.event for effect in player.received(ended) if isinstance(effect, Note)] == ["game over"]
    strange = GameState("g2", None, ended.game_over, b"<gameState><oops/></gameState>")
    notes = [effect.event for effect in player.received(strange) if isinstance(effect, Note)]
    assert notes == ["unreadable state", "game over"]
