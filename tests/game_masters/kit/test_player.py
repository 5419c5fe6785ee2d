"""Dialogues of the broker with a bot."""

import random
from dataclasses import replace

import pytest

from game_masters.kit.client import Effect, Finish, Keep, Level, Note, Pause, Reconnect, Send
from game_masters.kit.memory import KeepGame, KeepStep, KeepToken, Memory, News
from game_masters.kit.player import BACK, Player
from game_masters.kit.rules import Bot
from game_masters.kit.sitting import verdict
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, View
from ugs import __version__
from ugs.wire.extensions import (
    Account,
    Because,
    Failed,
    GameVerdict,
    Hello,
    Invitation,
    Ok,
    Ping,
    Pong,
    Reason,
    Rejoin,
    Resend,
    Resume,
    Session,
    TableInfo,
    Visibility,
    Warn,
    WarningScope,
    WarningState,
    Why,
)
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
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)


def next_in_column(view: View, rng: random.Random) -> Cell:
    """A predictable bot: it moves to the field below the last stone."""
    return Cell(view.stones[-1].x, view.stones[-1].y + 1) if view.stones else Cell(0, 0)


def fail(view: View, rng: random.Random) -> Cell:
    raise ZeroDivisionError("oops")


def a_bot(*, games: int | None = None, think_s: float = 0.0, fails: bool = False) -> Player[Cell, View]:
    bot = Bot("fail", "fails", fail) if fails else Bot("column", "plays downwards", next_in_column)
    player = Player(
        GAME,
        GAME.choose_options({}),
        bot,
        nick="ann",
        rng=random.Random(1),
        games=games,
        think_s=think_s,
    )
    player.connected()
    player.received(LoginResponse())
    return player


def state(nick: str | None, payload: bytes = b"<gameState/>", game: str = "g1") -> GameState:
    return GameState(game, nick, None, payload)


def over(own: Result, other: Result, game: str = "g1") -> GameState:
    return GameState(game, None, (PlayerResult("bob", other), PlayerResult("ann", own)))


def tac(x: int, y: int) -> bytes:
    return f'<gameState><tac x="{x}" y="{y}"/></gameState>'.encode()


def tic(x: int, y: int, game: str = "g1") -> Send:
    return Send(Move(game, f'<move><tic x="{x}" y="{y}"/></move>'.encode()))


def sent(effects: list[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


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


# --- with a session -----------------------------------------------------------------------------------------------


def a_session(*, resumed: bool = False, turn: bool = False) -> Session:
    return Session("token", "ann", resumed, 60.0, turn)


def a_bot_with_a_session(*families: str, fails: bool = False) -> Player[Cell, View]:
    player = a_bot(fails=fails)
    player.connected()
    for message in (Hello(families or ("session", "state", "reason")), LoginResponse(), a_session()):
        player.received(message)
    return player


def comes_back(player: Player[Cell, View], *, turn: bool) -> None:
    assert sent(player.connected()) == [
        Hello(("session", "state", "reason"), "ugs bot tic-tac-toe", __version__),
        Resume("token"),
    ]
    for message in (Hello(("session", "state", "reason")), LoginResponse(), a_session(resumed=True, turn=turn)):
        assert sent(player.received(message)) == []
    assert player.accepted


def test_a_move_that_was_lost_with_the_line_is_made_again() -> None:
    player = a_bot_with_a_session()
    assert player.received(state("ann", tac(7, 7))) == [tic(7, 8)]
    comes_back(player, turn=True)
    assert player.received(state("ann", tac(7, 7))) == [tic(7, 8)]


def test_a_move_that_has_arrived_is_not_made_again() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann", tac(7, 7)))
    comes_back(player, turn=False)
    assert player.received(state("ann", tac(7, 7))) == []
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
    assert player.received(state("ann")) == [tic(0, 0)]


def test_a_game_that_begins_after_it_is_back_is_played() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann"))
    comes_back(player, turn=False)
    assert player.received(state("ann", game="g2")) == [tic(0, 0, "g2")]


def test_who_has_moved_does_not_move_on_a_state_that_it_has_missed_either() -> None:
    player = a_bot_with_a_session()
    player.received(state("ann"))
    comes_back(player, turn=False)
    assert player.received(state("ann", tac(5, 5))) == []


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
    [Failed(Reason.INVALID_PLAYER, "no such session"), Error("x-resume: log in first"), Hello(())],
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
    assert sent(player.received(Failed(Reason.NOT_PLAYING, "no state yet", ref="once more"))) == [LeaveGame("g1")]
    assert sent(player.received(Failed(Reason.NOT_PLAYING, "again", ref="once more"))) == []


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


def test_when_the_login_is_not_answered_it_connects_again() -> None:
    player = Player(GAME, GAME.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    assert player.awaiting
    assert player.overdue()[-1] == Reconnect(0)
    assert sent(player.connected()) == [PlayerLogin("ann", "5-in-line-tic-tac-toe")], "in plain v4"


# --- a bot that is killed and started again ------------------------------------------------------------------------


def reborn(*heard: GameState | Move, token: str = "token", over: bool = False, v4: bool = False) -> Player[Cell, View]:
    """A new process of a bot whose memory holds this."""
    bot = Bot("column", "plays downwards", next_in_column)
    memory = Memory(token, over=over, game_id="g1" if heard else "", heard=heard)
    options = GAME.choose_options({})
    return Player(GAME, options, bot, nick="ann", rng=random.Random(2), memory=memory, v4=v4)


def kept(effects: list[Effect]) -> list[News]:
    return [effect.news for effect in effects if isinstance(effect, Keep)]


def test_what_it_needs_for_another_start_is_written_down_before_it_is_said() -> None:
    player = reborn(token="")
    assert sent(player.connected())[1:] == [PlayerLogin("ann", GAME.game_type)]
    player.received(Hello(("session", "state", "reason")))
    player.received(LoginResponse())
    assert kept(player.received(a_session())) == [KeepToken("token")]
    first = state("ann", tac(7, 7))
    *notes, move = player.received(first)
    assert isinstance(move, Send)
    assert isinstance(move.message, Move)
    assert kept(notes) == [KeepGame("g1"), KeepStep(first), KeepStep(move.message)]
    assert kept(player.received(state("bob", tac(7, 8)))) == [KeepStep(state("bob", tac(7, 8)))]
    assert kept(player.received(over(Result.WINNER, Result.LOSER))) == []
    assert kept(player.interrupted()) == [KeepToken("token", over=True)]


def test_it_comes_back_and_knows_the_board() -> None:
    heard = (state("ann", tac(7, 7)), Move("g1", b'<move><tic x="7" y="8"/></move>'), state("bob", tac(7, 8)))
    player = reborn(*heard)
    comes_back(player, turn=True)
    effects = player.received(state("ann", tac(7, 9)))
    assert sent(effects) == [tic(7, 10).message]
    assert kept(effects)[0] == KeepStep(state("ann", tac(7, 9)))


@pytest.mark.parametrize("turn", [True, False])
def test_an_answer_that_was_written_down_is_the_same_after_another_start(turn: bool) -> None:
    """It may have been killed before the move had left, or after."""
    asked, move = state("ann", tac(7, 7)), Move("g1", b'<move><tic x="7" y="8"/></move>')
    player = reborn(asked, move)
    comes_back(player, turn=turn)
    assert sent(player.received(asked)) == ([move] if turn else [])


def test_a_state_that_was_written_down_and_not_answered_is_answered() -> None:
    player = reborn(state("ann", tac(7, 7)))
    comes_back(player, turn=True)
    assert sent(player.received(state("ann", tac(7, 7)))) == [tic(7, 8).message]


def test_what_cannot_be_read_in_its_memory_is_passed_over() -> None:
    player = reborn(state("ann", b"<nonsense/>"), state("ann", tac(7, 7)))
    comes_back(player, turn=True)
    assert sent(player.received(state("ann", tac(7, 9)))) == [tic(7, 10).message]


def test_another_game_than_the_one_it_remembers_is_played_from_its_beginning() -> None:
    player = reborn(state("ann", tac(7, 7)))
    comes_back(player, turn=False)
    effects = player.received(state("ann", game="g2"))
    assert sent(effects) == [tic(0, 0, "g2").message]
    assert kept(effects)[0] == KeepGame("g2")


def test_a_token_that_is_not_known_any_more_makes_it_log_in() -> None:
    player = reborn(token="stale")
    assert sent(player.connected())[1:] == [Resume("stale")]
    player.received(Hello(("session", "state", "reason")))
    assert sent(player.received(Failed(Reason.INVALID_PLAYER, "over"))) == [PlayerLogin("ann", GAME.game_type)]


@pytest.mark.parametrize("player", [reborn(over=True), reborn(v4=True)])
def test_after_a_logout_and_as_plain_v4_it_logs_in_at_once(player: Player[Cell, View]) -> None:
    assert sent(player.connected())[-1] == PlayerLogin("ann", GAME.game_type)


def test_a_nick_that_is_kept_is_waited_for_as_long_as_the_server_says() -> None:
    player = reborn(token="")
    player.connected()
    player.received(Hello(("session", "state", "reason")))
    (note,) = player.received(Failed(Reason.DUPLICATE_USER, "nick 'ann' is kept", wait_s=41))
    assert isinstance(note, Note)
    note, again = player.received(LoginResponse(LoginError.WRONG_NICK))
    assert isinstance(note, Note)
    assert (note.event, note.fields["next_attempt_in_s"]) == ("login refused, waits", 41)
    assert again == Reconnect(41 / 0.8)
    player.connected()
    note, again = player.received(LoginResponse(LoginError.WRONG_NICK))
    assert again == Reconnect(5), "what the server said is not true for ever"


def test_a_server_that_asks_it_to_wait_for_days_is_not_believed() -> None:
    player = reborn(token="")
    player.connected()
    player.received(Hello(("session", "state", "reason")))
    player.received(Failed(Reason.DUPLICATE_USER, "kept", wait_s=1e9))
    assert player.received(LoginResponse(LoginError.WRONG_NICK))[-1] == Reconnect(5)


# --- reasons, and what it waits for ----------------------------------------------------------------------------------


def test_it_says_why_a_game_ended() -> None:
    player = a_bot_with_a_session()
    told = GameVerdict("g1", "illegal move", "player", "ann broke a rule", (), "ann", "illegal-move", "99,18")
    fields = {"game": "g1", "cause": "illegal move", "why": "ann broke a rule", "said": "99,18"}
    assert player.received(told) == [Note("verdict", fields, Level.WARNING)]
    (note,) = player.received(replace(told, culprit="bob", said=""))
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
    assert player.received(Failed(Reason.RATE_LIMIT, "too many", ref="waiting")) == []
    player.received(state("bob"))
    assert player.nudged() == []
    assert player.received(told) == [], "the game has begun meanwhile"


def test_a_server_that_cannot_say_why_is_not_asked() -> None:
    assert a_bot_with_a_session("session", "state").nudged() == [Note("waiting for a game")]
    player = a_bot()
    player.connected()
    assert player.nudged() == [], "before the login"


# --- a seat that was left -----------------------------------------------------------------------------------------


def too_late(*families: str) -> Player[Cell, View]:
    """A bot that had to move when its line was cut, and has logged in anew, since its session was over."""
    game = replace(GAME, rejoins=True)
    player = Player(game, game.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    granted = Hello(families)
    for message in (granted, LoginResponse(), a_session(), state("ann")):
        player.received(message)
    player.connected()
    player.received(granted)
    assert PlayerLogin("ann", GAME.game_type) in sent(player.received(Failed(Reason.INVALID_PLAYER, "over")))
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
    effects = player.received(Failed(Reason.INVALID_GAME, "it is over", ref=BACK))
    assert [note.event for note in effects if isinstance(note, Note)] == ["seat is lost"]
    assert sent(player.received(state("ann"))) != []


def test_where_no_seat_is_given_back_it_does_not_ask() -> None:
    assert sent(too_late("session").received(LoginResponse())) == []


def test_the_seat_of_a_game_that_is_done_is_not_asked_for() -> None:
    game = replace(GAME, rejoins=True)
    player = Player(game, game.choose_options({}), GAME.bots[0], nick="ann", rng=random.Random(1))
    player.connected()
    over = GameState("g1", None, (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)))
    for message in (Hello(("session", "rejoin")), LoginResponse(), a_session(), state("ann"), over):
        player.received(message)
    player.connected()
    player.received(Hello(("session", "rejoin")))
    player.received(Failed(Reason.INVALID_PLAYER, "over"))
    assert sent(player.received(LoginResponse())) == []


def test_a_token_that_is_wrong_ends_a_bot_and_is_not_shown() -> None:
    bot = Bot("column", "plays downwards", next_in_column)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1), token="s3cret")
    hello, login = sent(player.connected())
    assert isinstance(hello, Hello)
    assert (hello.token, login) == ("s3cret", PlayerLogin("ann", GAME.game_type))
    player.received(Hello(()))
    assert sent(player.received(Failed(Reason.INVALID_PLAYER, "playerLogin: not the token"))) == []
    effects = player.received(LoginResponse(LoginError.WRONG_NICK))
    assert Finish(1) in effects
    assert "playerLogin: not the token" in str(effects)
    assert "s3cret" not in str(effects)
