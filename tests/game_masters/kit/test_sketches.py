"""Sketches of a game in Python: sent before the states that they show, where the server passes them on."""

import random
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from game_masters.apologies import STANDARD
from game_masters.apologies.views import Move as Play
from game_masters.apologies.views import View
from game_masters.kit.check_sketches import SKETCHED
from game_masters.kit.client import Note, Send
from game_masters.kit.contract import Check, ContractBroken
from game_masters.kit.master import Master
from game_masters.kit.rules import Game
from ugs.wire.extensions import Hello, Sketch, Views
from ugs.wire.messages import BeginGame, Choice, GameState, LoginResponse

PACKAGES = Path(__file__).parents[2] / "packages"
BOARD = '<sketch><grid columns="2" rows="2"/>%s</sketch>'


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The game of a package that is not installed here."""
    monkeypatch.syspath_prepend(PACKAGES / "ugs-nim")
    return import_module("ugs_nim").GAME


def hands(view: View, nicks: Sequence[str], seat: int | None) -> bytes:
    """The hand that the view shows."""
    held = view.seats[seat].hand if seat is not None else ()
    return (BOARD % f"<words>{nicks[seat] if seat is not None else 'all'} {len(held)}</words>").encode()


def sketched(game: Any, sketch: Any) -> Any:
    """The game with another sketch."""
    return replace(game, conduct=replace(game.conduct, sketch=sketch))


def told(game: Game[Play, View], *families: str, **options: str) -> list[object]:
    """What the answer to the begin of a game is made of."""
    master = Master(game, game.choose_options({}), id="m1", chance=random.Random)
    master.connected()
    master.received(Hello(families))
    master.received(LoginResponse())
    chosen = tuple(Choice(name, value) for name, value in options.items())
    effects = master.received(BeginGame("g1", ("ann", "bob"), chosen, 0, "seed"))
    return [effect.message if isinstance(effect, Send) else effect for effect in effects]


def test_a_sketch_goes_before_the_state_that_it_shows() -> None:
    sketch, state = told(sketched(STANDARD, hands), "sketch")[-2:]
    assert sketch == Sketch("g1", (BOARD % "<words>all 0</words>").encode())
    assert isinstance(state, GameState)


def test_each_who_has_a_state_of_its_own_has_a_sketch_of_its_own() -> None:
    messages = told(sketched(STANDARD, hands), "sketch", "views", mode="ADULT", rules="strict")
    found = [one for one in messages if isinstance(one, Sketch)]
    assert isinstance(messages[-1], Views)
    assert [one.nick for one in found] == [view.nick for view in messages[-1].views] == ["ann", "bob", ""]
    assert [one.sketch.decode() for one in found] == [
        BOARD % f"<words>{words}</words>" for words in ("ann 5", "bob 5", "all 0")
    ]


@pytest.mark.parametrize(("game", "families"), [(sketched(STANDARD, hands), ()), (STANDARD, ("sketch",))])
def test_nothing_is_sketched_where_nobody_wants_it(game: Game[Play, View], families: tuple[str, ...]) -> None:
    assert not [one for one in told(game, *families) if isinstance(one, Sketch)]


def test_a_sketch_that_fails_costs_a_line_of_the_log_and_no_game() -> None:
    def fails(view: View, nicks: Sequence[str], seat: int | None) -> bytes:
        raise LookupError("no colour")

    *_, note, state = told(sketched(STANDARD, fails), "sketch")
    assert isinstance(note, Note)
    assert (note.event, note.fields["reason"]) == ("no sketch", "LookupError: no colour")
    assert isinstance(state, GameState)


@pytest.mark.parametrize("check", SKETCHED, ids=lambda check: check.__name__)
def test_nim_keeps_what_sketches_promise(check: Check, nim: Any) -> None:
    check(nim)


@pytest.mark.parametrize(
    ("offer", "words"),
    [
        ('<offer label="a" at="0,0"><move><take heap="0" count="99"/></move></offer>', "an offer is not legal"),
        ('<offer label="a" at="0,0"><move><put/></move></offer>', "an offer is no move"),
        ('<piece at="0,0"/>', "the sketch is wrong: piece: there is no such element"),
    ],
)
def test_an_author_is_told_what_is_wrong(offer: str, words: str, nim: Any) -> None:
    game = sketched(nim, lambda view, nicks, seat: (BOARD % offer).encode())
    with pytest.raises(ContractBroken, match=words):
        all_kept(game)


def all_kept(game: Any) -> None:
    """Every promise about sketches."""
    for check in SKETCHED:
        check(game)
