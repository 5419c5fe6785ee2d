"""A rehearsal: one game led by the real master and played by the game's own bots, over the simplest broker that works
for one game.

Everything goes through bytes, as on a wire: a bot sees only the states that reach its seat. The rehearsal keeps what
the master received and what it sent, so that the same can be sent to it again.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from game_masters.kit.client import Effect, Note, Send
from game_masters.kit.contract import ContractBroken, expect
from game_masters.kit.master import Master
from game_masters.kit.rules import AnyGame, Unreadable
from game_masters.kit.sitting import Sitting
from ugs.wire.codec import encode
from ugs.wire.extensions import (
    Because,
    Family,
    Hello,
    Labels,
    Moved,
    Past,
    PastLeft,
    PastMove,
    PastRejoined,
    Rejoined,
    Restore,
    Views,
)
from ugs.wire.messages import BeginGame, GameState, LoginResponse, Message, Move, PlayerLeftGame, PlayerResult

GAME_ID = "rehearsal"
SEED = "a seed for rehearsals"
MAX_GAME = 20_000
"""A game with more events than this counts as one that never ends."""
# Well-formed, so that it reaches the game, and no game has such a move.
NONSENSE = b"<move><unknown-element/></move>"

Event = BeginGame | Move | Moved | PlayerLeftGame | Rejoined
"""What a master receives about a game."""


@dataclass(frozen=True, slots=True)
class Wire:
    """What the server grants."""

    families: frozenset[Family]

    def __str__(self) -> str:
        return "+".join(sorted(self.families)) or "plain v4"


def wires_of(game: AnyGame) -> list[Wire]:
    """Return all sets of granted families that make a difference to the game."""
    always = frozenset({Family.VIEWS} if game.hidden_information else ())
    # A game that hides information by default cannot be led on plain v4.
    wires = [] if game.hides(game.choose_options({})) else [frozenset[Family]()]
    always |= {Family.REJOIN} if game.conduct.rejoins else frozenset()
    wires.append(always | {Family.TABLE, Family.RESTORE})
    if game.conduct.simultaneous:
        wires += [always | {Family.MOVERS}, always | {Family.TABLE, Family.RESTORE, Family.MOVERS}]
    return [Wire(families) for families in wires]


@dataclass(frozen=True, slots=True)
class Shown:
    """A state that has reached a player, and the move that answered it, if the player was asked and moved."""

    payload: bytes
    move: bytes | None = None


@dataclass(slots=True)
class Rehearsal:
    """The messages of one game."""

    wire: Wire
    players: tuple[str, ...]
    seats: int
    events: list[Event] = field(default_factory=list)
    movers: list[str] = field(default_factory=list)
    """The player each event is about; empty for the beginning."""
    answers: list[list[Message]] = field(default_factory=list)
    """What the master answered to each event."""
    shown: dict[str, list[Shown]] = field(default_factory=dict)
    """What each player was shown, in order."""
    results: tuple[PlayerResult, ...] = ()
    """Empty while the game is not over."""
    labels: Labels | None = None

    def restore(self, happened: int) -> Restore:
        """Return the message that hands the game over after the first ``happened`` events that follow the beginning."""
        begin = self.events[0]
        assert isinstance(begin, BeginGame)
        past = tuple(map(_past, self.events[1 : happened + 1], self.movers[1 : happened + 1]))
        return Restore(begin.game_id, begin.players, begin.options, begin.seats, begin.seed, past)


def _past(event: Event, nick: str) -> Past:
    match event:
        case PlayerLeftGame():
            return PastLeft(nick, "left")
        case Rejoined():
            return PastRejoined(nick)
        case Move() | Moved():
            return PastMove(nick, event.payload)
    raise TypeError(f"{event} is the beginning")


def no_chance(purpose: str) -> random.Random:
    """The chance of a master that gets a seed from the server. Raises LookupError."""
    raise LookupError(f"chance of its own for {purpose!r}, though the server gave a seed")


def a_master(game: AnyGame, wire: Wire) -> Master[Any, Any]:
    """Return a master that has logged in over ``wire``."""
    # With a seed from the server, other chance would make a game that no other master can repeat.
    chance = no_chance if Family.RESTORE in wire.families else random.Random
    master = Master(game, game.choose_options({}), id="rehearsing", chance=chance, v4=not wire.families)
    master.connected()
    if wire.families:
        master.received(Hello(tuple(sorted(wire.families))))
    master.received(LoginResponse())
    return master


def a_sitting(game: AnyGame) -> Sitting[Any]:
    """Return a player who has read no state yet."""
    return Sitting(GAME_ID, lambda: game.notation.follow(game.choose_options({})))


def a_state(payload: bytes) -> GameState:
    """Return a state as a player gets it. Readers ignore whose turn it is."""
    return GameState(GAME_ID, "player", None, payload)


def messages_of(effects: Sequence[Effect], game: AnyGame) -> list[Message]:
    """Return what a master sends. Raises :class:`ContractBroken` if the effects show a bug of the game."""
    for effect in effects:
        if isinstance(effect, Note) and effect.bug is not None:
            bug = effect.bug
            raise ContractBroken(f"{game.name}: its master has to give up: {type(bug).__name__}: {bug}") from bug
    return [effect.message for effect in effects if isinstance(effect, Send)]


def written(messages: Sequence[Message]) -> list[bytes]:
    """Return the documents."""
    return [encode(message) for message in messages]


def rehearse(
    game: AnyGame, wire: Wire, players: int, seats: int, seed: int, *, trouble: float = 0.0, longest: int | None = None
) -> Rehearsal:
    """Play a game to its end, or for at most ``longest`` events (None: as many as any game may have).

    ``trouble`` is the probability that a player sends a bad move; that a player leaves is half as likely, and as
    likely that one who has left comes back, where it can.
    """
    broker = _Broker(game, wire, players, seats, random.Random(seed))
    broker.begin()
    most = MAX_GAME if longest is None else longest
    while not broker.rehearsal.results and len(broker.rehearsal.events) < most:
        broker.goes_on(trouble)
    return broker.rehearsal


class _Broker:
    """The broker and its players."""

    def __init__(self, game: AnyGame, wire: Wire, players: int, seats: int, rng: random.Random) -> None:
        self._game = game
        self._rng = rng
        self._master = a_master(game, wire)
        nicks = tuple(f"player-{number}" for number in range(players))
        self.rehearsal = Rehearsal(wire, nicks, seats, shown={nick: [] for nick in nicks})
        self._present = list(nicks)
        self._asked: list[str] = []
        self._sittings = {nick: a_sitting(game) for nick in nicks}
        self._views: dict[str, Any] = {}

    def begin(self) -> None:
        """Ask the master to begin."""
        seats = self.rehearsal.seats if self.rehearsal.seats > len(self._present) else 0
        seed = SEED if Family.RESTORE in self.rehearsal.wire.families else ""
        self._happens(BeginGame(GAME_ID, tuple(self._present), (), seats, seed), "")

    def goes_on(self, trouble: float) -> None:
        """Let one of the players who were asked move, or a player leave."""
        if self._rng.random() < trouble / 2 and len(self._present) > 1:
            leaver = self._rng.choice(self._present)
            self._present.remove(leaver)
            self._asked = [nick for nick in self._asked if nick != leaver]
            self._happens(PlayerLeftGame(leaver, GAME_ID), leaver)
            return
        gone = [nick for nick in self.rehearsal.players if nick not in self._present]
        if gone and Family.REJOIN in self.rehearsal.wire.families and self._rng.random() < trouble:
            leaver = self._rng.choice(gone)
            self._present.append(leaver)
            self._happens(Rejoined(GAME_ID, leaver), leaver)
            return
        expect(bool(self._asked), self._game, "no player is asked to move, and the game is not over")
        mover = self._rng.choice(self._asked)
        self._asked.remove(mover)
        if self._rng.random() < trouble:
            payload = NONSENSE
        else:
            number = self.rehearsal.players.index(mover)
            # Each player has another bot, so that more of the game is seen.
            bot = self._game.bots[(number + 1) % len(self._game.bots)]
            payload = self._game.notation.write_move(bot.choose(self._views[mover], self._rng))
            self._sittings[mover].answers(Move(GAME_ID, payload))
            last = self.rehearsal.shown[mover]
            last[-1] = Shown(last[-1].payload, payload)
        several = Family.MOVERS in self.rehearsal.wire.families
        self._happens(Moved(GAME_ID, mover, payload) if several else Move(GAME_ID, payload), mover)

    def _happens(self, event: Event, nick: str) -> None:
        answers = messages_of(self._master.received(event), self._game)
        self.rehearsal.events.append(event)
        self.rehearsal.movers.append(nick)
        self.rehearsal.answers.append(answers)
        for answer in answers:
            if isinstance(answer, Labels):
                self.rehearsal.labels = answer
            elif isinstance(answer, Views):
                self._shows(answer, answer.next_players, answer.game_over)
            elif isinstance(answer, GameState):
                self._shows(answer, () if answer.next_player is None else (answer.next_player,), answer.game_over or ())
            elif not isinstance(answer, Because):
                raise ContractBroken(f"{self._game.name}: its master answers {event.TYPE} with {answer}")

    def _shows(self, state: GameState | Views, asked: Sequence[str], results: tuple[PlayerResult, ...]) -> None:
        """Show the state to all players who are present, except those who would be asked again."""
        for nick in self._present:
            # A server with movers does not ask again a player that has been asked.
            if nick in self._asked and nick in asked and Family.MOVERS in self.rehearsal.wire.families:
                continue
            payload = payload_for(state, nick)
            try:
                self._views[nick] = self._sittings[nick].receives(a_state(payload))
            except Unreadable as error:
                raise ContractBroken(f"{self._game.name}: cannot read its own {payload!r}: {error}") from error
            self.rehearsal.shown[nick].append(Shown(payload))
        self._asked = [nick for nick in asked if nick in self._present]
        self.rehearsal.results = results


def payload_for(state: GameState | Views, nick: str) -> bytes:
    """Return what ``state`` shows the player ``nick``."""
    if isinstance(state, GameState):
        return state.payload
    views = {view.nick: view.payload for view in state.views}
    # The view without a nick is for all who have none of their own.
    return views.get(nick, views[""])
