"""A seat that is given back, as the master leads it: what its player and the others are told, also by a successor."""

import random
from collections.abc import Sequence

import pytest

from game_masters.bang import GAME
from game_masters.bang.messages.events import PlayerChanged
from game_masters.bang.messages.moves import Move as BangMove
from game_masters.bang.notation import follow, write_move
from game_masters.bang.views.view import View
from game_masters.kit.client import Effect, Note, Send
from game_masters.kit.master import Master
from tests.broker.house import House
from ugs.wire.extensions import (
    Failed,
    Family,
    Hello,
    PastLeft,
    PastMove,
    PastRejoined,
    RefusalReason,
    Rejoin,
    Rejoined,
    Restore,
    Views,
)
from ugs.wire.messages import BeginGame, GameMasterLogin, GameState, LoginResponse, Message, Move, PlayerLeftGame

NICKS = ("ann", "ben", "cleo", "dan", "eve")
PLAYS = (Family.SESSION, Family.REJOIN)
FAMILIES = ("views", "table", "restore", "rejoin", "reason", "faults")


class Table:
    """A game of five that a master leads."""

    def __init__(self, seed: str = "7") -> None:
        self.master = Master(GAME, GAME.choose_options({}), id="m", chance=random.Random)
        (hello, *_) = sent(self.master.connected())
        assert isinstance(hello, Hello)
        assert set(FAMILIES) == set(hello.families)
        self.master.received(Hello(FAMILIES))
        self.master.received(LoginResponse())
        self.seed = seed
        self.past: list[PastMove | PastLeft | PastRejoined] = []
        self.state: Views
        self._hear(self.master.received(BeginGame("g1", NICKS, (), 0, seed)))

    @property
    def asked(self) -> str:
        (nick,) = self.state.next_players
        return nick

    def view(self, nick: str) -> View:
        """What a player was shown last."""
        return follow(GAME.choose_options({}))({view.nick: view.payload for view in self.state.views}[nick])

    def moves(self, choose: int = 0) -> None:
        """The player who is asked makes a move."""
        legal: Sequence[BangMove] = self.view(self.asked).legal
        payload = write_move(legal[choose % len(legal)])
        self.past.append(PastMove(self.asked, payload))
        self._hear(self.master.received(Move("g1", payload)))

    def leaves(self, nick: str) -> list[Message]:
        self.past.append(PastLeft(nick, "left"))
        return self._hear(self.master.received(PlayerLeftGame(nick, "g1")))

    def comes_back(self, nick: str) -> list[Message]:
        self.past.append(PastRejoined(nick))
        return self._hear(self.master.received(Rejoined("g1", nick)))

    def _hear(self, effects: list[Effect]) -> list[Message]:
        assert not [effect for effect in effects if isinstance(effect, Note) and effect.bug is not None]
        for message in sent(effects):
            if isinstance(message, Views):
                self.state = message
        return sent(effects)

    @property
    def over(self) -> bool:
        return bool(self.state.game_over)


def sent(effects: Sequence[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def test_the_program_plays_for_who_is_asked_and_leaves_and_who_returns_is_asked_again() -> None:
    table = Table()
    leaver = table.asked
    (state,) = table.leaves(leaver)
    assert isinstance(state, Views)
    assert table.over or table.asked != leaver
    assert leaver not in [view.nick for view in state.views]
    assert table.comes_back(leaver) == [], "somebody has been asked already"
    table.moves()
    (change,) = [
        entry
        for entry in table.view(leaver).news
        if isinstance(entry, PlayerChanged) and entry.player.controlled and not entry.player.ai
    ]
    assert change.player.name == leaver
    known = table.view(leaver).known
    assert known.player(known.you).name == leaver
    assert len(known.hand) == known.player(known.you).hand
    for _ in range(400):
        if table.over or table.asked == leaver:
            break
        table.moves(1)
    assert table.over or table.asked == leaver


def test_who_returns_has_its_result_at_the_end() -> None:
    table = Table()
    leaver = next(nick for nick in NICKS if nick != table.asked)
    table.leaves(leaver)
    table.comes_back(leaver)
    for number in range(3000):
        if table.over:
            break
        table.moves(number)
    won = {result.nick for result in table.state.game_over if result.result.value == "winner"}
    known = table.view(leaver).known
    assert {player.name for player in known.players if player.winner} == won


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_a_successor_goes_on_where_seats_were_left_and_given_back(seed: str) -> None:
    table = Table(seed)
    for number in range(6):
        leaver = NICKS[number % 5]
        table.moves(number)
        if table.over or len([nick for nick in NICKS if nick != leaver]) < 2:
            break
        table.leaves(leaver)
        table.moves(number)
        table.comes_back(leaver)
        table.moves(number)
    other = Master(GAME, GAME.choose_options({}), id="n", chance=random.Random)
    other.connected()
    other.received(Hello(FAMILIES))
    other.received(LoginResponse())
    again = [
        one
        for one in sent(other.received(Restore("g1", NICKS, (), 0, seed, tuple(table.past))))
        if isinstance(one, Views)
    ]
    assert again == [table.state]


def test_a_stranger_does_not_come_back() -> None:
    table = Table()
    for nick in ("ann", "zoe"):
        (note,) = table.master.received(Rejoined("g1", nick))
        assert isinstance(note, Note)
        assert note.event == "a stranger comes back"


# --- with the broker ----------------------------------------------------------------------------------------------


class Room:
    """A broker, the master of Bang!, and players who each make the first legal move when they are asked."""

    def __init__(self) -> None:
        self.house = House(session_grace_s=10)
        self.players = {nick: self.house.guest(nick, *PLAYS, game_type="bang") for nick in NICKS}
        self.master = Master(GAME, GAME.choose_options({}), id="m", chance=random.Random)
        self.line = self.house.greets(*map(Family, FAMILIES))
        self.line.says(GameMasterLogin("m", "bang", "5", "5"))
        self.master.connected()
        self.master.received(Hello(FAMILIES))
        self.shown: dict[str, GameState] = {}
        self.goes_on()

    def goes_on(self) -> None:
        """What the broker has told the master, the master answers, and all read what they were told."""
        while mail := self.line.hears():
            for message in mail:
                for answer in sent(self.master.received(message)):
                    self.line.says(answer)
        for nick, peer in self.players.items():
            for message in peer.hears():
                if isinstance(message, GameState):
                    self.shown[nick] = message

    @property
    def game(self) -> str:
        (game,) = self.house.broker.games
        return game.id

    @property
    def asked(self) -> str:
        (mover,) = self.house.broker.games[0].turn.movers
        return mover.name

    def view(self, nick: str) -> View:
        return follow(GAME.choose_options({}))(self.shown[nick].payload)

    def moves(self) -> None:
        asked = self.asked
        self.players[asked].says(Move(self.game, write_move(self.view(asked).legal[-1])))
        self.goes_on()


def test_a_player_whose_session_is_over_gets_seat_and_hand_back_and_an_impostor_does_not() -> None:
    room = Room()
    token = room.players["dan"].token
    assert room.asked != "dan"
    room.players["dan"].is_lost()
    room.house.passes(11)
    room.goes_on()
    impostor = room.house.guest("dan", *PLAYS, game_type="bang")
    impostor.says(Rejoin(room.game))
    (refused,) = [message for message in impostor.hears() if isinstance(message, Failed)]
    assert refused.code is RefusalReason.INVALID_PLAYER
    room.players["dan"] = impostor
    room.shown.pop("dan", None)
    room.moves()
    assert "dan" not in room.shown
    impostor.says(Rejoin(room.game, token))
    room.goes_on()
    room.moves()
    known = room.view("dan").known
    own = known.player(known.you)
    assert (own.name, own.ai, own.controlled, len(known.hand)) == ("dan", False, True, own.hand)
    for nick in NICKS[:3]:
        others = room.view(nick).known
        assert {card.id for card in others.hand}.isdisjoint({card.id for card in known.hand})
