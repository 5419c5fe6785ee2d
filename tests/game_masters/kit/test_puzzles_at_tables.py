"""Puzzles at tables: a master offers them, one player solves them, the judge ends the game."""

import random
from typing import Any

import pytest

from game_masters.kit.client import Send
from game_masters.kit.master import Master
from game_masters.kit.puzzles import PUZZLE, puzzle_of
from game_masters.tic_tac_toe import GAME
from ugs.wire.extensions import Because, Failed, Family, Hello, OfferedOption, Offers, PastMove, Restore
from ugs.wire.messages import BeginGame, Choice, GameState, LoginResponse, Message, Move, PlayerResult, Result

FAMILIES = (Family.TABLE, Family.RESTORE, Family.REASON)
SOLUTION = f"<move>{puzzle_of(GAME, 1).solution[0]}</move>".encode()


def sent(effects: list[Any]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def master() -> tuple[Master[Any, Any], list[Message]]:
    found: Master[Any, Any] = Master(GAME, GAME.choose_options({}), id="m", chance=random.Random)
    found.connected()
    found.received(Hello(FAMILIES))
    return found, sent(found.received(LoginResponse()))


def begin(number: str, players: tuple[str, ...] = ("ann",), seats: int = 2) -> BeginGame:
    """As a server begins a game at a table: with all options that were offered."""
    options = (Choice("width", "20"), Choice("height", "20"), Choice("row", "5"), Choice(PUZZLE, number))
    return BeginGame("g1", players, options, seats, "the seed of the server")


def last_state(said: list[Message]) -> GameState:
    (state,) = [message for message in said if isinstance(message, GameState)]
    return state


def test_a_master_offers_the_puzzles_of_its_game() -> None:
    _, said = master()
    (offers,) = said
    assert isinstance(offers, Offers)
    assert offers.options[-1] == OfferedOption(PUZZLE, "0", least=0, most=12)


def test_who_solves_it_has_won() -> None:
    leads, _ = master()
    state = last_state(sent(leads.received(begin("1"))))
    assert state.next_player == "ann"
    assert state.payload.count(b"<tac ") == 8
    said = sent(leads.received(Move("g1", SOLUTION)))
    assert last_state(said).game_over is not None
    assert PlayerResult("ann", Result.WINNER) in (last_state(said).game_over or ())
    (because,) = [message for message in said if isinstance(message, Because)]
    assert because.text == "puzzle solved"


def test_who_does_not_has_lost() -> None:
    leads, _ = master()
    leads.received(begin("1"))
    state = last_state(sent(leads.received(Move("g1", b'<move><tic x="0" y="0"/></move>'))))
    assert PlayerResult("ann", Result.LOSER) in (state.game_over or ())


def test_a_successor_goes_on_with_the_same_puzzle() -> None:
    first, _ = master()
    first.received(begin("12"))
    move, last = (f"<move>{text}</move>".encode() for text in puzzle_of(GAME, 12).solution)
    told = last_state(sent(first.received(Move("g1", move))))
    second, _ = master()
    restore = Restore("g1", ("ann",), begin("12").options, 2, "the seed of the server", (PastMove("ann", move),))
    assert last_state(sent(second.received(restore))).payload == told.payload
    assert last_state(sent(second.received(Move("g1", last)))).game_over is not None


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (begin("13"), "no puzzle 13"),
        (begin("x"), "no puzzle 0"),
        (begin("1", ("ann", "bob")), "2 players; one solves it"),
        (begin("1", ("ann",), 3), "3 seats; puzzle 1 has 2"),
    ],
)
def test_what_cannot_be_a_puzzle_is_declined(asked: BeginGame, why: str) -> None:
    leads, _ = master()
    (failed,) = sent(leads.received(asked))
    assert isinstance(failed, Failed)
    assert why in failed.text


def test_number_0_is_a_game_like_any_other() -> None:
    leads, _ = master()
    state = last_state(sent(leads.received(begin("0", ("ann", "bob"), 0))))
    assert state.payload == b"<gameState/>"
