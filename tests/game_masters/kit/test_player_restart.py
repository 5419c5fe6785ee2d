"""A bot that is killed and started again: what it keeps, and how it goes on."""

import random

import pytest

from game_masters.kit.client import Effect, Keep, Note, Reconnect, Send
from game_masters.kit.hosting import Guest
from game_masters.kit.memory import KeepGame, KeepStep, KeepToken, Memory, News
from game_masters.kit.player import BEFORE, Player
from game_masters.kit.rules import Bot
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, View
from tests.game_masters.kit.one_bot import a_session, comes_back, next_in_column, over, sent, state, tac, tic
from ugs.wire.extensions import (
    Failed,
    GameTypes,
    Hello,
    ListStates,
    ListTables,
    PastState,
    RefusalReason,
    Resume,
    States,
    Tables,
)
from ugs.wire.messages import GameState, LoginError, LoginResponse, Move, PlayerLogin, Result, ThankYou


def reborn(
    *received: GameState | Move, token: str = "token", over: bool = False, v4: bool = False
) -> Player[Cell, View]:
    """A new process of a bot whose memory holds this."""
    bot = Bot("column", "plays downwards", next_in_column)
    memory = Memory(token, over=over, game_id="g1" if received else "", received=received)
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
    received = (state("ann", tac(7, 7)), Move("g1", b'<move><tic x="7" y="8"/></move>'), state("bob", tac(7, 8)))
    player = reborn(*received)
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


BEFORE_IT = States("g1", (PastState(tac(7, 7)), PastState(tac(7, 8))), BEFORE)


def without_its_game(*, turn: bool = True) -> Player[Cell, View]:
    """It has come back with its token alone, is shown the last state, and asks for those before."""
    player = reborn()
    comes_back(player, turn=turn)
    assert sent(player.received(state("ann", tac(9, 0)))) == [ListStates("g1", BEFORE)]
    return player


def test_without_what_it_has_kept_of_its_game_it_asks_for_all_states() -> None:
    seen: list[View] = []

    def remember(view: View, rng: random.Random) -> Cell:
        seen.append(view)
        return Cell(0, 0)

    bot = Bot("remember", "remembers what it sees", remember)
    memory = Memory("token")
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1), memory=memory)
    comes_back(player, turn=True)
    assert sent(player.received(state("ann", tac(9, 0)))) == [ListStates("g1", BEFORE)]
    earlier = [state("", tac(7, 7)), state("", tac(7, 8))]
    assert kept(player.received(BEFORE_IT)) == [KeepGame("g1"), *map(KeepStep, earlier)]
    assert sent(player.received(state("ann", tac(9, 0)))) == [tic(0, 0).message]
    assert [view.stones for view in seen] == [(Cell(7, 7), Cell(7, 8), Cell(9, 0))]
    assert player.received(BEFORE_IT) == []


def test_who_has_moved_before_it_was_killed_does_not_move_once_more() -> None:
    player = without_its_game(turn=False)
    player.received(BEFORE_IT)
    assert sent(player.received(state("ann", tac(9, 0)))) == []
    assert sent(player.received(state("ann", tac(9, 1)))) == [tic(9, 2).message]


def test_a_state_that_comes_before_the_earlier_ones_is_one_of_them() -> None:
    player = without_its_game(turn=False)
    assert player.received(state("ann", tac(9, 1))) == []
    player.received(BEFORE_IT)
    assert sent(player.received(state("ann", tac(9, 1)))) == [tic(9, 2).message]


def test_where_earlier_states_are_not_shown_it_goes_on_with_the_last_one() -> None:
    player = without_its_game()
    refused = Failed(RefusalReason.INVALID_GAME, "its players are not shown the same", ref=BEFORE)
    assert sent(player.received(refused)) == [tic(9, 1).message]
    assert player.received(refused) == []


def test_a_game_that_ends_while_earlier_states_are_awaited_is_thanked_for() -> None:
    player = without_its_game()
    assert sent(player.received(over(Result.WINNER, Result.LOSER))) == [ThankYou("g1")]
    assert player.received(Failed(RefusalReason.NOT_PLAYING, "you are in no game", ref=BEFORE)) == []


def test_a_line_that_is_cut_again_makes_it_ask_again() -> None:
    player = without_its_game()
    comes_back(player, turn=True)
    assert sent(player.received(state("ann", tac(9, 0)))) == [ListStates("g1", BEFORE)]


def test_a_token_that_is_not_known_any_more_makes_it_log_in() -> None:
    player = reborn(token="stale")
    assert sent(player.connected())[1:] == [Resume("stale")]
    player.received(Hello(("session", "state", "reason")))
    assert sent(player.received(Failed(RefusalReason.INVALID_PLAYER, "over"))) == [PlayerLogin("ann", GAME.game_type)]


@pytest.mark.parametrize("player", [reborn(over=True), reborn(v4=True)])
def test_after_a_logout_and_as_plain_v4_it_logs_in_at_once(player: Player[Cell, View]) -> None:
    assert sent(player.connected())[-1] == PlayerLogin("ann", GAME.game_type)


def test_a_nick_that_is_kept_is_waited_for_as_long_as_the_server_says() -> None:
    player = reborn(token="")
    player.connected()
    player.received(Hello(("session", "state", "reason")))
    (note,) = player.received(Failed(RefusalReason.DUPLICATE_USER, "nick 'ann' is kept", wait_s=41))
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
    player.received(Failed(RefusalReason.DUPLICATE_USER, "kept", wait_s=1e9))
    assert player.received(LoginResponse(LoginError.WRONG_NICK))[-1] == Reconnect(5)


def test_a_guest_of_a_table_who_is_back_in_its_game_looks_for_no_table() -> None:
    """Each look at the tables would be a pause in which it does not read the states of its game."""
    bot = Bot("column", "plays downwards", next_in_column)
    rng, memory = random.Random(2), Memory("token", game_id="g1", received=(state("ann", tac(7, 7)),))
    place = Guest(GAME.game_type, "Friday")
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=rng, memory=memory, place=place)
    player.connected()
    player.received(Hello(("session", "state", "reason", "lobby")))
    asks = sent(player.received(LoginResponse()))
    assert asks == [ListTables("seat 1")]
    player.received(a_session(resumed=True, turn=True))
    effects = player.received(state("ann", tac(7, 9)))
    effects += player.received(GameTypes(()))
    assert [one for one in sent(effects) if isinstance(one, Move)] == [tic(7, 10).message]
    assert player.received(Tables((), "seat 1")) == []
