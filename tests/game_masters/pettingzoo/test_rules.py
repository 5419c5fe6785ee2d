"""Environments of PettingZoo led by a master: what their interface allows, and what it does not."""

import random
import re
import subprocess
import sys
import warnings
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test

from game_masters.kit.rehearsal import rehearse, wires_of
from game_masters.kit.rules import RuleBroken, Table, Unreadable
from game_masters.pettingzoo import COLLECTION, notation
from game_masters.pettingzoo.environment import MAX_ACTIONS, MAX_CELLS, NotPlayable
from game_masters.pettingzoo.sketching import sketch
from game_masters.pettingzoo.view import EventKind, Numbers, Play, View
from game_masters.registry import find_game
from tests.game_masters.pettingzoo import guessed_number, hidden_signs
from ugs.game_collections import NotInCollection
from ugs.sketch.decoding import read

GUESSED, SIGNS = "guessed_number", "hidden_signs"


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in ((GUESSED, guessed_number), (SIGNS, hidden_signs)):
        monkeypatch.setitem(sys.modules, name, module)


def begun(name: str, seed: int = 1, **options: str) -> Any:
    game = COLLECTION.game(name)
    nicks = ("ann", "bob", "cat")[: game.players.max]
    return game.start(Table("g", nicks, game.choose_options(options)), random.Random(seed))


def test_the_environments_of_these_tests_are_what_pettingzoo_wants() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # observations that are not one array are warned of
        api_test(guessed_number.env(), num_cycles=3)
        parallel_api_test(hidden_signs.parallel_env(), num_cycles=3)


def test_names_are_found_without_any_library() -> None:
    """A server, and a shell that completes names, must not wait for it; pictures are asked of any name on the wire."""
    code = (
        "import sys; from game_masters.pettingzoo import COLLECTION as c; c.names(); c.pictures('this'); c.missing();"
        "sys.exit(any(name in sys.modules for name in ('pettingzoo', 'numpy', 'gymnasium', 'this')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_actions_count_from_0_and_the_mask_says_which_are_legal() -> None:
    state = begun(GUESSED)
    assert state.movers == (0,)
    assert state.labels == ("guesser_0", "guesser_1", "guesser_2")
    assert state.legal_moves(0) == tuple(map(Play, range(9)))
    state.apply(0, Play(4))
    assert Play(4) not in state.legal_moves(1)
    for seat, move in ((0, Play(1)), (1, Play(4)), (1, Play(99))):
        with pytest.raises(RuleBroken):
            state.apply(seat, move)


def test_rewards_are_added_up_and_the_most_win() -> None:
    state = begun(GUESSED)
    hidden = state._environment._env.hidden
    for seat, guess in enumerate(sorted(range(5, 14), key=lambda one: abs(one - hidden))[:3]):
        state.apply(seat, Play(guess - 5))
    assert state.outcome.winners == {0}
    assert state.view(None).points[0] == 0.0 > state.view(None).points[1]
    assert [event.play for event in state.view(None).events] != [None] * 3, "when it is over, all is shown"


def test_a_seat_sees_its_own_observation_and_spectators_none() -> None:
    state = begun(GUESSED)
    state.apply(0, Play(4))
    own, other, public = state.view(0), state.view(1), state.view(None)
    assert [(one.name, one.shape) for one in own.observation] == [("seen.hint", (2,)), ("seen.own", ()), ("turn", (1,))]
    assert own.observation[1].text == "9"
    assert other.observation[1].text == "0"
    assert own.observation[0].text.endswith(" 0.333333343")
    assert (own.events[0].play, other.events[0].play, public.events[0].play) == (4, None, None)
    assert (own.plays, public.observation, public.plays, public.board) == ((), (), (), "")
    assert len(other.plays) == 8


def test_where_all_choose_at_once_a_choice_is_sealed() -> None:
    state = begun(SIGNS)
    before = state.view(1)
    state.apply(0, Play(2))
    after = state.view(1)
    assert after.observation == before.observation
    assert after.events[0].play is None
    state.apply(1, Play(1))
    assert state.view(1).observation[0].text == "2"


def test_an_open_game_shows_the_position_to_all() -> None:
    state = begun(GUESSED, open="yes")
    state.apply(0, Play(4))
    assert state.view(0) == state.view(None)
    assert state.view(None).board.startswith("hidden: ")
    assert not COLLECTION.game(GUESSED).hides(COLLECTION.game(GUESSED).choose_options({"open": "yes"}))


def test_who_is_out_has_lost_and_chance_moves_for_it() -> None:
    state = begun(GUESSED)
    state.fault(0, Unreadable("x"))
    assert state.movers == (1,)
    assert [event.kind for event in state.record] == [EventKind.OUT, EventKind.PLAY]
    state.leave(1)
    assert state.outcome.winners == {2}


def test_a_copy_goes_on_by_itself() -> None:
    state = begun(SIGNS)
    state.apply(0, Play(2))
    other = deepcopy(state)
    other.apply(1, Play(0))
    assert (len(state.record), len(other.record)) == (1, 2)
    assert state.view(1).observation != other.view(1).observation


def test_a_game_is_played_over_the_bytes_of_the_wire() -> None:
    game = COLLECTION.game(GUESSED)
    assert rehearse(game, wires_of(game)[0], 3, 3, 1).results


def test_parameters_stand_in_the_name() -> None:
    assert COLLECTION.game(f"{GUESSED}(players=4)").players.max == 4
    assert find_game(f"pettingzoo:{GUESSED}").game_type == f"pettingzoo:{GUESSED}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("os", "has neither a function env nor parallel_env"),
        ("no_such_module", "there is no module no_such_module"),
        ("x y", "expected a module"),
        ("a" * 60, "at most 64 characters"),
        (f"{GUESSED}(players=1001)", "players must be from -1000 to 1000"),
        (f"{GUESSED}(players)", "expected NAME=VALUE"),
        (f"{GUESSED}(players=1)", "it is for 1 players"),
        (f"{GUESSED}(players=99)", "it is for 99 players; games here have 2 to 64"),
        (f"{GUESSED}(wrong=1)", "TypeError"),
    ],
)
def test_what_cannot_be_led_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(NotInCollection, match=re.escape(reason)):
        COLLECTION.game(name)


@pytest.mark.parametrize(
    ("spaces", "reason"),
    [
        ({"action_space": "Box(0, 1, (2,))"}, "only Discrete can be listed"),
        ({"action_space": f"Discrete({MAX_ACTIONS + 1})"}, f"at most {MAX_ACTIONS}"),
        ({"observation_space": f"Box(0, 1, ({MAX_CELLS + 1},))"}, f"at most {MAX_CELLS}"),
        ({"observation_space": "Text(9)"}, "a Text cannot be sent as numbers"),
    ],
)
def test_spaces_that_cannot_travel_are_named(
    monkeypatch: pytest.MonkeyPatch, spaces: dict[str, str], reason: str
) -> None:
    from gymnasium import spaces as kinds

    for name, written in spaces.items():
        space = eval(written, vars(kinds))
        monkeypatch.setattr(guessed_number.Guessing, name, lambda self, agent, space=space: space)
    with pytest.raises(NotInCollection, match=reason):
        COLLECTION.game(f"{GUESSED}(players=5)")


def test_a_mask_that_allows_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    state = begun(GUESSED)
    state._environment._env.infos["guesser_1"]["action_mask"][:] = 0
    with pytest.raises(NotPlayable, match="asks guesser_1 for an action, and its mask allows none"):
        state.apply(0, Play(1))


VIEW: Final = View(
    "m", 2, 0, 0, "", (Numbers("o", (1, 2, 2), "1 0 0 1"),), (Play(0), Play(3)), (), ()
)  # a board of two fields


@pytest.mark.parametrize(
    "view",
    [
        VIEW,
        replace(VIEW, board="a <b>\n c", turn=None, points=(1.0, -1.0)),
        replace(VIEW, board="x" * 90, seat=None),
        replace(VIEW, observation=(Numbers("far", (), "1e30"),)),
    ],
)
def test_every_view_has_a_sketch_and_is_read_as_it_was(view: View) -> None:
    assert notation.read_view(notation.write_view(view)) == view
    drawn = read(sketch(view, ("<ann>", "bob"), 0))
    assert [offer.label for offer in drawn.offers] == ["action 0", "action 3"]


@pytest.mark.parametrize(
    "payload",
    [
        b"<gameState/>",
        b'<gameState game="g" seats="2">text</gameState>',
        b'<gameState game="g" seats="2"><observation shape="2">1</observation></gameState>',
        b'<gameState game="g" seats="2"><observation shape="-1">1</observation></gameState>',
        b'<gameState game="g" seats="2"><observation shape="1 1 1 1 1 1 1 1 1">1</observation></gameState>',
        b'<gameState game="g" seats="2"><observation shape="1">x</observation></gameState>',
        b'<gameState game="g" seats="2"><play/></gameState>',
        b'<gameState game="g" seats="2"><event kind="x"/></gameState>',
        b'<gameState game="g" seats="2"><other/></gameState>',
    ],
)
def test_strange_states_are_unreadable(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        notation.read_view(payload)
