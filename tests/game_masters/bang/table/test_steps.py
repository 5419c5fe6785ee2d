"""Long steps: while nobody but the computer plays, players are asked to go on, and everybody is told everything."""

import random

import pytest

from game_masters.bang import GAME
from game_masters.bang.messages.events import Event
from game_masters.bang.messages.moves import Chat, Draw, JoinGame, LeaveGame, Move
from game_masters.bang.notation import follow, write_move
from game_masters.bang.rules import Position
from game_masters.bang.table import steps
from game_masters.bang.table.steps import MAX_STEP, Steps
from game_masters.bang.views.view import View
from game_masters.kit.client import Send
from game_masters.kit.master import Master
from game_masters.kit.rules import Table
from tests.game_masters.bang.saloon import NAMES
from ugs.wire.extensions import Hello, PastMove, Restore, Views
from ugs.wire.messages import BeginGame, LoginResponse, Message
from ugs.wire.messages import Move as WireMove

FAMILIES = ("views", "table", "restore", "rejoin", "reason")


def test_a_player_is_asked_after_a_long_step_best_one_who_plays() -> None:
    counted = Steps([1, 2, 3])
    assert counted.listener(MAX_STEP - 1, {2, 3}) is None
    assert counted.listener(MAX_STEP, {2, 3}) == 2
    assert counted.listener(MAX_STEP, {0}) == 1
    counted.begin(10)
    assert counted.listener(MAX_STEP + 9, {2}) is None
    assert counted.copy().listener(MAX_STEP + 10, {2}) == 2


def test_nobody_who_is_gone_is_asked() -> None:
    counted = Steps([1, 2])
    counted.gone(1)
    other = counted.copy()
    other.back(1)
    assert (counted.listener(MAX_STEP, {1}), other.listener(MAX_STEP, {1})) == (2, 1)
    counted.gone(2)
    assert counted.listener(MAX_STEP, {1}) is None


class Party:
    """A game of ann, ben and five computer players, as a master leads it."""

    def __init__(self) -> None:
        self.master = Master(GAME, GAME.choose_options({}), id="m", chance=random.Random)
        self.master.connected()
        self.master.received(Hello(FAMILIES))
        self.master.received(LoginResponse())
        self.past: list[PastMove] = []
        self.ids: list[int] = []
        self.parts = 0

    def receives(self, message: Message) -> None:
        (self.state,) = [
            effect.message
            for effect in self.master.received(message)
            if isinstance(effect, Send) and isinstance(effect.message, Views)
        ]
        news = self.view("").news
        self.parts += 1
        self.ids += [entry.id for entry in news if isinstance(entry, Event)]
        assert len(news) < steps.MAX_STEP + 30

    @property
    def asked(self) -> str:
        return self.state.next_players[0]

    def view(self, nick: str) -> View:
        return follow(GAME.choose_options({}))({view.nick: view.payload for view in self.state.views}[nick])

    def moves(self, move: Move) -> None:
        payload = write_move(move)
        self.past.append(PastMove(self.asked, payload))
        self.receives(WireMove("g1", payload))


def test_the_rest_of_a_game_is_told_in_parts_and_a_successor_goes_on_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both players leave the table and look on. Whatever the one who is asked says, the game goes on."""
    monkeypatch.setattr(steps, "MAX_STEP", 40)
    party = Party()
    party.receives(BeginGame("g1", ("ann", "ben"), (), 7, "3"))
    answers: list[Move] = [LeaveGame(), LeaveGame(), LeaveGame(), Chat("well?"), Draw()]
    for number in range(100):
        if party.state.game_over:
            break
        party.moves(answers[min(number, number % 5)])
        if number == 3:
            other = Party()
            other.receives(Restore("g1", ("ann", "ben"), (), 7, "3", tuple(party.past)))
            assert other.state == party.state
    assert party.state.game_over
    assert party.parts > 5
    assert party.ids == [*range(1, party.view("").known.event + 1)], "spectators are told every event once"


def test_who_is_asked_to_go_on_is_offered_that_and_nothing_is_played_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MAX_STEP", 20)
    state = Position(Table("g1", NAMES, GAME.choose_options({}), players=1), random.Random(1))
    rng = random.Random(1)
    bot = GAME.bot(None)
    while state.movers != (0,) or state.view(0).legal != (JoinGame(),):
        seat = state.movers[0]
        state.apply(seat, bot.choose(state.view(seat, len(state.record)), rng))
    view, turn = state.view(0), state.course.requested
    assert turn.id != 1
    assert bot.choose(view, rng) == JoinGame()
    events = state.course.log.events
    state.apply(0, JoinGame())
    assert state.movers == (turn.id - 1,)
    assert state.course.log.events == events, "only the computer player that is asked moves on"
    assert state.view(0).known == view.known
