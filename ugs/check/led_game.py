"""A game that the master on trial leads: its players, which state is due, what a right state holds."""

from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from ugs.check import as_server
from ugs.check.byte_line import ByteLine
from ugs.check.case import Broken, NotForThis
from ugs.check.drawn_positions import Drawings
from ugs.check.referee import GivenPosition, Opponents, Referee
from ugs.check.xml_spelling import PLAIN, WHOLE, Cut, SpelledElement, Style, element
from ugs.wire.extensions import Family

NO_MOVES: Final = (
    "no moves are known: the rules of this game are not installed here; to run these cases, install its package beside "
    "ugs (ugs games lists it then), or let the master draw the legal moves as offers in a sketch"
)
REFUSED: Final = "no moves are known: its sketches are refused, and the moves in them, too: see sketch/accepted"
UNASKED: Final = "state/one-answer"
NEXT_PLAYER: Final = "state/next-player"
LISTED: Final = "over/all-listed"
"""Cases that are watched."""


@dataclass(frozen=True, slots=True)
class InstalledRules:
    """The installed rules of the game that a master leads."""

    referee: Referee
    opponents: Opponents
    chance: bool
    """Whether anything depends on random numbers."""


class MasterOnTrial(Protocol):
    """The master, as far as a game has to do with it."""

    granted: frozenset[str]
    options: tuple[tuple[str, str], ...]
    rules: InstalledRules | None

    @property
    def on(self) -> ByteLine:
        """The connection."""

    async def send(self, *messages: SpelledElement, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
        """Send messages glued to each other, in this spelling and these pieces."""

    async def state(self) -> object:
        """Take the next state of some game that is awaited. Raises Broken."""


class TriedGame:
    """A game that the master on trial leads."""

    def __init__(self, master: MasterOnTrial, id: str, nicks: tuple[str, ...]) -> None:
        self.master = master
        self.id = id
        self.nicks = nicks
        self.present = list(nicks)
        self.position = GivenPosition((), None, b"")
        self.drawings = Drawings(nicks)
        self.owed = True
        """Whether a state is due."""
        self.dropped = False
        self._moves = 0
        """Moves that were taken from offers."""

    @property
    def shown(self) -> bytes:
        """What all players are shown, without the id of the game: a state may hold it."""
        return self.position.payload.replace(self.id.encode(), b"ID")

    @property
    def going(self) -> bool:
        """Whether the rules still allow a move."""
        return self.position.results is None

    @property
    def knows_move(self) -> bool:
        """Whether there is a legal move, and it is known here."""
        return self.going and (self.master.rules is not None or bool(self.drawings.offered(self.position.movers[0])))

    def beginning(self, seed: str = "check") -> SpelledElement:
        """The message that begins it."""
        self.master.on.asks()
        more = []
        if Family.TABLE in self.master.granted:
            more += [element("option", name=name, value=value) for name, value in self.master.options]
        if Family.RESTORE in self.master.granted:
            more.append(element("seed", value=seed))
        return as_server.begin(self.id, self.nicks, *more)

    def takes(self, position: GivenPosition) -> None:
        """A state has come. Raises Broken."""
        if not self.owed:
            raise Broken(f"it has sent a state of game {self.id}, and none was due", UNASKED)
        self.owed = False
        strangers = [nick for nick in (*position.movers, *position.views) if nick not in self.present]
        if strangers and position == self.position:  # the state before, when the stranger was still there
            raise Broken(f"it has sent the same state of game {self.id} again, and none was due", UNASKED)
        if strangers and position.movers and position.movers[0] not in self.present:
            raise Broken(f"expected a nextPlayer of {self.present}; it was {position.movers[0]!r}", NEXT_PLAYER)
        if position.results is not None:
            missing = [nick for nick in self.present if nick not in position.results]
            unknown = [nick for nick in position.results if nick not in self.nicks]
            if missing or unknown:
                raise Broken(
                    f"expected gameOver with {self.present}; missing: {missing}, not in the game: {unknown}", LISTED
                )
        self.position = position
        self.drawings.shows_state()

    def takes_out(self, nick: str) -> None:
        """The master takes a player out."""
        if nick in self.present:
            self.present.remove(nick)

    async def answered(self) -> GivenPosition:
        """The state that is due. Those of other games are taken meanwhile. Raises Broken."""
        while self.owed:
            await self.master.state()
        return self.position

    def moving(self, payload: bytes, nick: str = "") -> SpelledElement:
        """The message for a move of a player who may."""
        mover = nick or self.position.movers[0]
        self.master.on.asks()
        self.owed = True
        if Family.MOVERS in self.master.granted:
            return as_server.moved(self.id, mover, payload)
        return as_server.move(self.id, payload)

    async def move(self, payload: bytes, style: Style = PLAIN, cut: Cut = WHOLE) -> GivenPosition:
        """Hand it a move, and take the state after it. Raises Broken."""
        await self.master.send(self.moving(payload), style=style, cut=cut)
        return await self.answered()

    def legal(self) -> bytes:
        """A legal move, by the installed rules or of those that its sketch offers. Raises NotForThis where no move is
        known, or the game is over."""
        if not self.going:
            raise NotForThis("the game is over already")
        mover, rules = self.position.movers[0], self.master.rules
        if rules is not None:
            return rules.opponents.move(self.id, mover, self.position)
        offered = self.drawings.offered(mover)
        if offered:
            # Not the first one always: some games end only where something else is chosen.
            self._moves += 1
            return Random(f"{self.nicks} {self._moves}").choice(offered)
        raise NotForThis(REFUSED if self.drawings.refused else NO_MOVES)

    async def turn(self, style: Style = PLAIN, cut: Cut = WHOLE) -> GivenPosition:
        """A legal move and the state after it. Raises Broken."""
        return await self.move(self.legal(), style, cut)

    async def leave(self, nick: str, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
        """A player leaves. Whether a state is due depends on whether any player who was asked is still there."""
        self.present.remove(nick)
        self.owed = True
        await self.master.send(as_server.left(nick, self.id), style=style, cut=cut)

    async def drop(self) -> None:
        """The game is not needed any more: its messages are passed over."""
        self.dropped, self.owed = True, False
        if self.master.rules is not None:
            self.master.rules.opponents.forget(self.id)
        if not self.going:
            return
        if Family.TABLE in self.master.granted:
            await self.master.send(as_server.stop(self.id))
        else:
            # v4 has no other way to end a game.
            await self.master.send(*(as_server.left(nick, self.id) for nick in self.present))


def check_judged(game: TriedGame) -> None:
    """Raises Broken where a legal move was taken for an illegal one."""
    if game.position.culprit:
        raise Broken(f"expected a legal move to be taken; it answers {game.position.culprit}: {game.position.why}")
