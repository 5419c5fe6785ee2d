"""A bot with a session: its line is cut, and it comes back to its seat, or too late."""

import random
from dataclasses import replace

import pytest

from game_masters.kit.client import Finish, Level, Note, Reconnect, Send
from game_masters.kit.comeback import BACK
from game_masters.kit.entry import FAREWELL_S
from game_masters.kit.player import BEFORE, Player
from game_masters.kit.rules import Bot, Conduct, NoMove
from game_masters.kit.sitting import verdict
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, View
from tests.game_masters.kit.one_bot import (
    a_bot,
    a_bot_with_a_session,
    a_session,
    comes_back,
    next_in_column,
    over,
    sent,
    state,
    tac,
    tic,
)
from ugs.wire.extensions import (
    Failed,
    Hello,
    Invitation,
    ListStates,
    Ok,
    Ping,
    Pong,
    RefusalReason,
    Rejoin,
    Resend,
    Session,
    States,
    TableInfo,
    Visibility,
    Warn,
    WarningScope,
    WarningState,
)
from ugs.wire.messages import (
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

IN_GAME = Note("back in a game", {"game": "g1"})


@pytest.mark.parametrize("called", ["ann", "ann#s3cret"])
def test_the_nick_is_the_one_that_the_server_calls_the_player_by(called: str) -> None:
    bot = Bot("column", "plays downwards", next_in_column)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann#s3cret", rng=random.Random(1))
    assert PlayerLogin("ann#s3cret", GAME.game_type) in sent(player.connected())
    effects = [*player.received(Hello(("session",))), *player.received(LoginResponse())]
    effects += player.received(replace(a_session(), nick=called))
    assert Note("logged in", {"nick": "ann", "game_type": GAME.game_type, "bot": "column"}) in effects
    assert "s3cret" not in str(effects)
    assert player.received(state(called, tac(7, 7))) == [tic(7, 8)]


def test_a_move_that_was_lost_with_the_line_is_made_again() -> None:
    player = a_bot_with_a_session()
    assert player.received(state("ann", tac(7, 7))) == [tic(7, 8)]
    comes_back(player, turn=True)
    assert player.received(state("ann", tac(7, 7))) == [IN_GAME, tic(7, 8)]


def test_a_move_that_has_arrived_is_not_made_again() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann", tac(7, 7)))
    comes_back(player, turn=False)
    assert player.received(state("ann", tac(7, 7))) == [IN_GAME]
    assert player.received(state("bob", tac(7, 8))) == []
    assert player.received(state("ann", tac(9, 0))) == [tic(9, 1)]


def test_a_chance_is_not_taken_twice_for_one_move() -> None:
    def any_column(view: View, rng: random.Random) -> Cell:
        return Cell(rng.randrange(20), 19 - len(view.stones))

    moves: list[list[Message]] = []
    for cut in (False, True):
        bot = Bot("any", "plays anywhere", any_column)
        player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1))
        player.connected()
        for message in (Hello(("session",)), LoginResponse(), a_session()):
            player.received(message)
        first = sent(player.received(state("ann")))
        if cut:
            comes_back(player, turn=True)
            assert sent(player.received(state("ann"))) == first
        moves.append([*first, *sent(player.received(state("ann", tac(0, 0))))])
    assert moves[0] == moves[1]


def test_what_was_missed_is_its_own_stone_and_the_answer_to_it() -> None:
    """A state that was lost with the connection showed the stone of its own move."""
    seen: list[View] = []

    def remember(view: View, rng: random.Random) -> Cell:
        seen.append(view)
        return Cell(len(seen), 0)

    bot = Bot("remember", "remembers what it sees", remember)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1))
    player.connected()
    for message in (Hello(("session",)), LoginResponse(), a_session()):
        player.received(message)
    player.received(state("ann"))
    comes_back(player, turn=True)
    assert sent(player.received(state("ann", tac(9, 9)))) != []
    assert seen[-1].stones == (Cell(1, 0), Cell(9, 9))


def test_a_game_that_began_while_the_line_was_cut_is_played() -> None:
    player = a_bot_with_a_session()
    comes_back(player, turn=True)
    assert sent(player.received(state("ann"))) == [ListStates("g1", BEFORE)]
    assert player.received(States("g1", (), BEFORE)) == []
    assert player.received(state("ann")) == [IN_GAME, tic(0, 0)]


def test_a_game_that_begins_after_it_is_back_is_played() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann"))
    comes_back(player, turn=False)
    assert sent(player.received(state("ann", game="g2"))) == sent([tic(0, 0, "g2")])


def test_who_has_moved_does_not_move_on_a_state_that_it_has_missed_either() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann"))
    comes_back(player, turn=False)
    assert player.received(state("ann", tac(5, 5))) == [IN_GAME]


def test_who_comes_back_to_no_game_notes_so_and_counts_the_one_that_has_ended() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann"))
    player.connected()
    player.received(Hello(("session",)))
    player.received(LoginResponse())
    assert player.received(Session("token", "ann", True, 60.0)) == [Note("no game of the session goes on")]
    assert sent(player.received(Error("while you were away: game g1 is won"))) == []
    assert player.played == 1


def test_a_thank_you_that_may_have_been_lost_is_said_again_and_the_game_counted_once() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann"))
    player.received(over(Result.WINNER, Result.LOSER))
    comes_back(player, turn=False)
    assert player.received(over(Result.WINNER, Result.LOSER)) == [Send(ThankYou("g1"))]
    assert player.played == 1


def test_leaving_is_said_again_after_a_cut_and_a_state_that_crossed_with_it_is_passed_over() -> None:
    player = a_bot_with_a_session("session", fails=True)
    assert sent(player.received(state("ann"))) == [LeaveGame("g1")]
    assert player.received(state("ann", tac(0, 0))) == []
    comes_back(player, turn=True)
    assert player.received(state("ann", tac(0, 0))) == [Send(LeaveGame("g1"))]
    assert player.played == 1


@pytest.mark.parametrize(
    "answer",
    [Failed(RefusalReason.INVALID_PLAYER, "no such session"), Error("x-resume: log in first"), Hello(())],
    ids=["session is over", "a server without extensions", "a server without sessions"],
)
def test_a_session_that_is_not_known_any_more_makes_it_log_in_anew(answer: Message) -> None:
    player = a_bot_with_a_session()
    player.received(state("ann", tac(3, 3)))
    player.connected()
    if isinstance(answer, Failed):
        player.received(Hello(("session", "state", "reason")))
    assert sent(player.received(answer)) == [PlayerLogin("ann", GAME.game_type)]
    assert sent(player.received(Error("and once more"))) == []
    player.received(LoginResponse())
    assert player.accepted
    assert player.received(state("ann", game="g1")) == [tic(0, 0)]


def test_after_a_shutdown_there_is_nothing_to_come_back_to() -> None:
    player = a_bot_with_a_session()
    player.received(ServerShutdown())
    assert sent(player.connected())[1:] == [PlayerLogin("ann", GAME.game_type)]


def test_a_state_it_cannot_read_is_asked_for_once_more() -> None:
    player = a_bot_with_a_session()
    garbage = state("ann", b"<gameState><chess/></gameState>")
    assert sent(player.received(garbage)) == [Resend("g1", "once more")]
    assert player.received(state("ann", tac(4, 4))) == [tic(4, 5)]
    assert sent(player.received(garbage)) == [Resend("g1", "once more")]
    assert sent(player.received(garbage)) == [LeaveGame("g1")]


def test_a_state_that_comes_twice_because_it_was_asked_for_is_answered_once() -> None:
    """The requested state is the last one, which may have been under way already."""
    player = a_bot_with_a_session()
    player.received(state("bob", b"<gameState><chess/></gameState>"))
    assert player.received(state("ann", tac(4, 4))) == [tic(4, 5)]
    assert player.received(state("ann", tac(4, 4))) == []
    assert player.received(state("ann", tac(6, 6))) == [tic(6, 7)]


def test_a_state_that_is_not_to_be_had_once_more_makes_it_leave() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann", b"<gameState><chess/></gameState>"))
    assert sent(player.received(Failed(RefusalReason.NOT_PLAYING, "no state yet", ref="once more"))) == [
        LeaveGame("g1")
    ]
    assert sent(player.received(Failed(RefusalReason.NOT_PLAYING, "again", ref="once more"))) == []


def test_it_shows_that_it_is_there() -> None:
    player = a_bot_with_a_session()
    assert player.received(Ping("7")) == [Send(Pong("7"))]
    idle = Warn(WarningScope.PLAYER, WarningState.IDLE, 900.0)
    assert sent(player.received(idle)) == [Ping()]
    assert sent(player.received(Warn(WarningScope.GAME, WarningState.IDLE, 900.0, "g1"))) == []
    assert sent(player.received(Warn(WarningScope.CLOCK, WarningState.LOW, 3.0, "g1"))) == []


def test_what_it_did_not_ask_for_is_hardly_worth_a_line() -> None:
    table = TableInfo("t1", "Friday", "chess", "bob", 2, 1, 0, Visibility.PUBLIC)
    (note,) = a_bot_with_a_session().received(Invitation(table))
    assert isinstance(note, Note)
    assert note.level is Level.DEBUG


@pytest.mark.parametrize(
    ("own", "others", "word"),
    [
        (Result.LOSER, {Result.LOSER}, "lost or drawn"),
        (Result.WINNER, {Result.WINNER}, "drawn"),
        (Result.LOSER, {Result.LOSER, Result.WINNER}, "lost"),
    ],
)
def test_among_three_equal_results_may_be_lost_to_a_player_who_had_left(
    own: Result, others: set[Result], word: str
) -> None:
    assert verdict(own, others, 3) == word


def test_a_move_that_would_cost_the_connection_costs_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME.notation, "write_move", lambda move: b"<move><tic></move>")
    player = a_bot()
    note, leaving = player.received(state("ann"))
    assert isinstance(note, Note)
    assert note.event == "bot failed"
    assert leaving == Send(LeaveGame("g1"))


def bot_that_raises(error: Exception) -> Player[Cell, View]:
    """A bot in the pool whose choice is an error."""

    def raises(_view: View, _rng: random.Random) -> Cell:
        raise error

    player = Player(GAME, GAME.choose_options({}), Bot("mine", "mine", raises), nick="ann", rng=random.Random(1))
    player.connected()
    player.received(LoginResponse())
    return player


def test_who_knows_no_move_gives_up_without_a_traceback() -> None:
    effects = bot_that_raises(NoMove("I know no castles")).received(state("ann"))
    note = Note("giving up", {"game": "g1", "reason": "I know no castles"}, Level.ERROR)
    assert effects == [Send(Logout()), note, Finish(1, FAREWELL_S)]


def test_a_bug_in_a_choice_keeps_its_traceback() -> None:
    bug = ZeroDivisionError("division by zero")
    assert bot_that_raises(bug).received(state("ann")) == [
        Note("bot failed", {"game": "g1"}, Level.ERROR, bug),
        Send(LeaveGame("g1")),
    ]


def test_when_the_login_is_not_answered_it_connects_again() -> None:
    player = Player(GAME, GAME.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    assert player.awaiting
    assert player.overdue()[-1] == Reconnect(0)
    assert sent(player.connected()) == [PlayerLogin("ann", "5-in-line-tic-tac-toe")], "in plain v4"


# --- a seat that was left -----------------------------------------------------------------------------------------


def too_late(*families: str) -> Player[Cell, View]:
    """A bot that had to move when its line was cut, and has logged in anew, since its session was over."""
    game = replace(GAME, conduct=Conduct(rejoins=True))
    player = Player(game, game.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    granted = Hello(families)
    for message in (granted, LoginResponse(), a_session(), state("ann")):
        player.received(message)
    player.connected()
    player.received(granted)
    assert PlayerLogin("ann", GAME.game_type) in sent(player.received(Failed(RefusalReason.INVALID_PLAYER, "over")))
    return player


def test_a_bot_that_comes_back_too_late_asks_for_its_seat_and_plays_on() -> None:
    player = too_late("session", "rejoin")
    assert sent(player.received(LoginResponse())) == [Rejoin("g1", "token", BACK)]
    assert [note.event for note in player.received(Ok(BACK)) if isinstance(note, Note)] == ["has its seat again"]
    assert player.received(state("bob", tac(7, 8))) == []
    assert len(sent(player.received(state("ann", tac(9, 0))))) == 1


def test_a_bot_whose_seat_is_lost_waits_for_another_game() -> None:
    player = too_late("session", "rejoin")
    player.received(LoginResponse())
    effects = player.received(Failed(RefusalReason.INVALID_GAME, "it is over", ref=BACK))
    assert [note.event for note in effects if isinstance(note, Note)] == ["seat is lost"]
    assert sent(player.received(state("ann"))) != []


def test_where_no_seat_is_given_back_it_does_not_ask() -> None:
    assert sent(too_late("session").received(LoginResponse())) == []


def test_the_seat_of_a_game_that_is_done_is_not_asked_for() -> None:
    game = replace(GAME, conduct=Conduct(rejoins=True))
    player = Player(game, game.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    over = GameState("g1", None, (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)))
    for message in (Hello(("session", "rejoin")), LoginResponse(), a_session(), state("ann"), over):
        player.received(message)
    player.connected()
    player.received(Hello(("session", "rejoin")))
    player.received(Failed(RefusalReason.INVALID_PLAYER, "over"))
    assert sent(player.received(LoginResponse())) == []


def test_a_token_that_is_wrong_ends_a_bot_and_is_not_shown() -> None:
    bot = Bot("column", "plays downwards", next_in_column)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1), token="s3cret")
    hello, login = sent(player.connected())
    assert isinstance(hello, Hello)
    assert (hello.token, login) == ("s3cret", PlayerLogin("ann", GAME.game_type))
    player.received(Hello(()))
    assert sent(player.received(Failed(RefusalReason.INVALID_PLAYER, "playerLogin: not the token"))) == []
    effects = player.received(LoginResponse(LoginError.WRONG_NICK))
    assert Finish(1) in effects
    assert "playerLogin: not the token" in str(effects)
    assert "s3cret" not in str(effects)
