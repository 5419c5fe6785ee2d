"""One state for all or one for each, if it depends on the options of a game whether it hides anything."""

import random
from collections.abc import Sequence

import pytest

from game_masters.apologies import STANDARD
from game_masters.apologies.views import Move as Play
from game_masters.apologies.views import View
from game_masters.kit.client import Effect, Finish, Level, Note, Send
from game_masters.kit.master import Master
from game_masters.kit.rehearsal import payload_for
from ugs.wire.extensions import Failed, Hello, Offers, PastMove, RefusalReason, Restore, Views
from ugs.wire.messages import BeginGame, Choice, Error, GameState, LoginResponse, Logout, Message, Move

SEED = "a seed"
ALL = ("table", "restore", "views")
ADULT = (Choice("mode", "ADULT"), Choice("rules", "strict"))
OPEN = (Choice("mode", "STANDARD"), Choice("rules", "strict"))
ABOUT_MODES = {ADULT: Views, OPEN: GameState}


def login(*families: str, mode: str = "STANDARD", v4: bool = False) -> tuple[Master[Play, View], list[Effect]]:
    """Return a master with this default mode, and what it does when it is logged in."""
    options = STANDARD.choose_options({"mode": mode})
    master = Master(STANDARD, options, id="m1", chance=random.Random, v4=v4)
    master.connected()
    if families:
        master.received(Hello(families))
    return master, master.received(LoginResponse())


def a_master(*families: str, mode: str = "STANDARD", v4: bool = False) -> Master[Play, View]:
    master, _ = login(*families, mode=mode, v4=v4)
    assert master.accepted
    return master


def sent(effects: Sequence[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def state_of(effects: Sequence[Effect]) -> GameState | Views:
    message = sent(effects)[-1]
    assert isinstance(message, GameState | Views)
    return message


def begin(*options: Choice, seats: int = 0) -> BeginGame:
    return BeginGame("g1", ("ann", "bob"), options, seats, SEED)


def next_move(state: GameState | Views) -> tuple[str, bytes]:
    """Return who is asked, and the move of its computer player, which sees no more than a player sees."""
    asked = state.next_player if isinstance(state, GameState) else state.next_players[0]
    assert asked is not None
    view = STANDARD.notation.follow(STANDARD.choose_options({}))(payload_for(state, asked))
    return asked, STANDARD.notation.write_move(STANDARD.bots[0].choose(view, random.Random(1)))


@pytest.mark.parametrize(("options", "kind"), ABOUT_MODES.items())
@pytest.mark.parametrize("own", ["STANDARD", "ADULT"])
def test_each_game_is_shown_as_its_own_options_want_it(
    options: tuple[Choice, ...], kind: type[Message], own: str
) -> None:
    """This also holds for games of one master at the same time."""
    master = a_master(*ALL, mode=own)
    master.received(BeginGame("g0", ("cyd", "dan"), (), 0, SEED))
    state = state_of(master.received(begin(*options)))
    assert type(state) is kind
    assert type(state_of(master.received(Move("g1", next_move(state)[1])))) is kind


def test_with_a_hidden_hand_each_player_sees_its_own_and_who_watches_sees_none() -> None:
    state = state_of(a_master(*ALL).received(begin(*ADULT, seats=4)))
    assert isinstance(state, Views)
    assert [view.nick for view in state.views] == ["ann", "bob", ""]
    read = STANDARD.notation.follow(STANDARD.choose_options({}))
    hands = [[len(seat.hand) for seat in read(view.payload).seats] for view in state.views]
    assert hands == [[5, 0, 0, 0], [0, 5, 0, 0], [0, 0, 0, 0]]


def test_where_nothing_is_hidden_it_is_byte_for_byte_what_plain_v4_is_told() -> None:
    plain, able = a_master(v4=True), a_master("views")
    state = state_of(plain.received(BeginGame("g1", ("ann", "bob"))))
    assert state == state_of(able.received(BeginGame("g1", ("ann", "bob"))))
    while isinstance(state, GameState) and state.game_over is None:
        move = Move("g1", next_move(state)[1])
        state = state_of(plain.received(move))
        assert state == state_of(able.received(move))


@pytest.mark.parametrize("own", ["STANDARD", "ADULT"])
def test_another_master_goes_on_with_the_options_of_the_game_whatever_its_own_are(own: str) -> None:
    first, second = a_master(*ALL), a_master(*ALL, mode=own)
    state = state_of(first.received(begin(*ADULT, seats=3)))
    happened = []
    for _ in range(5):
        nick, payload = next_move(state)
        happened.append(PastMove(nick, payload))
        state = state_of(first.received(Move("g1", payload)))
    taken = second.received(Restore("g1", ("ann", "bob"), ADULT, 3, SEED, tuple(happened)))
    assert isinstance(state, Views)
    assert state_of(taken) == state
    move = Move("g1", next_move(state)[1])
    assert sent(second.received(move)) == sent(first.received(move))


# --- servers that show everybody the same -----------------------------------------------------------------------------


@pytest.mark.parametrize("families", [(), ("table",), ("table", "restore")])
def test_a_master_whose_own_options_hide_something_does_not_stay_there(families: tuple[str, ...]) -> None:
    master, (note, logout, end) = login(*families, mode="ADULT")
    assert isinstance(note, Note)
    assert (note.level, note.fields) == (Level.ERROR, {"needed": ["views"]})
    assert logout == Send(Logout())
    assert isinstance(end, Finish)
    assert not master.accepted


@pytest.mark.parametrize(("families", "modes"), [(("table",), "STANDARD"), (ALL, "STANDARD ADULT")])
def test_what_would_hide_something_is_offered_where_it_can_be_hidden(families: tuple[str, ...], modes: str) -> None:
    _, effects = login(*families)
    (offers,) = sent(effects)
    assert isinstance(offers, Offers)
    assert [option.values for option in offers.options if option.name != "puzzle"] == [modes, "strict upstream"]


@pytest.mark.parametrize("message", [begin(*ADULT), Restore("g1", ("ann", "bob"), ADULT, 0, SEED, ())])
def test_a_game_that_hides_something_is_declined_there_with_the_options_that_do(message: Message) -> None:
    master = a_master("table", "restore")
    (failed,) = sent(master.received(message))
    assert isinstance(failed, Failed)
    assert (failed.code, failed.game_id) == (RefusalReason.INVALID_REQUEST, "g1")
    why = "apologies with mode=ADULT, rules=strict has hidden information, and here all see the same state"
    assert failed.text == why
    assert master.running == 0
    assert isinstance(state_of(master.received(begin(*OPEN))), GameState)


def test_without_tables_it_is_declined_with_an_error() -> None:
    """The server sends options to a master that did not ask for them; no state is shown to anybody."""
    (error,) = sent(a_master().received(begin(*ADULT)))
    assert isinstance(error, Error)
    assert "has hidden information" in error.text
