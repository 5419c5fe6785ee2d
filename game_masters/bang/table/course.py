"""The course of a game: what is where, what happens, and the events for it.

Everything that changes a game is here or in the modules for what follows from it (:mod:`plays`, :mod:`answers`,
:mod:`harm`, :mod:`turns`). Nothing here asks whether a move is allowed: :mod:`legality` does.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from game_masters.bang.cards.characters import SUZY
from game_masters.bang.cards.playing_cards import Card
from game_masters.bang.messages.events import Command, Context, Entry, Event, Movement
from game_masters.bang.messages.words import Phase, Pocket, Stage, Termination, Type
from game_masters.bang.table.circle import Circle, Player
from game_masters.bang.table.deeds import Deeds, deed_of
from game_masters.bang.table.piles import Piles
from game_masters.bang.table.requests import LastSave, Stack


@dataclass(slots=True)
class Turn:
    """Whose turn it is, and how far it has come."""

    player: int = 0
    number: int = 0
    """It counts the turns of the sheriff."""
    phase: Phase = Phase.DRAW
    bangs: int = 0
    """How many BANG! have been played in it."""


@dataclass(slots=True)
class Log:
    """What has happened."""

    entries: list[Entry] = field(default_factory=list)
    events: int = 0
    """The id of the last event."""
    context: Context | None = None
    """The last context that was sent."""
    deeds: Deeds = field(default_factory=Deeds)
    """Who has acted against whom."""

    def copy(self) -> "Log":
        """Return a copy that shares nothing that can change."""
        return Log(list(self.entries), self.events, self.context, Deeds.of(self.deeds.all_deeds()))


@dataclass(eq=False, slots=True)
class Course:
    """One game."""

    players: Circle
    piles: Piles
    turn: Turn = field(default_factory=Turn)
    stack: Stack = field(default_factory=Stack)
    log: Log = field(default_factory=Log)
    stage: Stage = Stage.WAITING
    ended: Termination | None = None

    # --- who is asked -------------------------------------------------------------------------------------------------

    @property
    def current(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn.player]

    @property
    def requested(self) -> Player:
        """The player who has to act."""
        top = self.stack.top
        return self.current if top is None else self.players[top.requested]

    @property
    def context(self) -> Context:
        """The context as it is now."""
        turn, top = self.turn, self.stack.top
        if top is None:
            return Context(turn.player, turn.player, turn.number, turn.phase)
        missing = 1 - self.players[top.requested].life if isinstance(top, LastSave) else 0
        return Context(
            turn.player,
            top.requested,
            turn.number,
            Phase.REACTION,
            top.reaction,
            top.cause,
            # Readers take one for granted; only a Dynamite, which costs three, can leave more to heal.
            missing if missing > 1 else 0,
        )

    # --- events -------------------------------------------------------------------------------------------------------

    def record(
        self,
        type: Type,
        player: int = 0,
        commands: Iterable[Command] = (),
        *,
        target: int = 0,
        caused_by: int = 0,
        success: bool | None = None,
        ability: bool = False,
        cards: int | None = None,
        meaning: tuple[tuple[str, Card], ...] = (),
        context: bool = True,
    ) -> None:
        """Add an event, with the context if that has changed (without ``context``, never); then let Suzy Lafayette
        draw if she may. What the event reports has been done already."""
        self._add(type, player, commands, target, caused_by, success, ability, cards, meaning, context=context)
        self.look_at_suzy()

    def _add(
        self,
        type: Type,
        player: int,
        commands: Iterable[Command],
        target: int = 0,
        caused_by: int = 0,
        success: bool | None = None,
        ability: bool = False,
        cards: int | None = None,
        meaning: tuple[tuple[str, Card], ...] = (),
        *,
        context: bool = True,
    ) -> None:
        commands_out = tuple(commands)
        # Between the death of the player whose turn it is and the next turn, no player is asked.
        asks = context and self.stage is Stage.PLAYING and bool(self.turn.player) and self.requested.alive
        if asks and self.context != self.log.context:
            self.log.context = self.context
            commands_out += (self.context,)
        self.log.events += 1
        event = Event(self.log.events, type, player, target, caused_by, success, ability, cards, meaning, commands_out)
        self.log.entries.append(event)
        deed = deed_of(event)
        if deed is not None:
            self.log.deeds.count(deed)

    def look_at_suzy(self, *, dying: bool = False) -> None:
        """Let Suzy Lafayette draw a card if her hand is empty and she has to wait for nothing that is under way.
        ``dying``: also without a life point."""
        suzy = next((player for player in self.players if player.character == SUZY), None)
        if suzy is None or suzy.hand or not suzy.alive or self.stage is not Stage.PLAYING or not self.turn.player:
            return
        # KBang lets her draw between a lost duel and her last save; here one who is dying draws nothing.
        if (suzy.life <= 0 and not dying) or self.stack.store or self.stack.duels_of(suzy.id):
            return
        self.draw(suzy, 1, ability=True)

    # --- cards --------------------------------------------------------------------------------------------------------

    def refill(self, wanted: int) -> None:
        """See to it that the next step finds as many cards in the deck, if they exist."""
        shuffled = self.piles.refill(wanted)
        if shuffled:  # it is part of a step that has begun: no player draws in between
            self._add(Type.SHUFFLE_DECK, 0, (), cards=shuffled)

    def draw(self, player: Player, number: int, *, ability: bool = False) -> None:
        """Let a player draw cards, as an event of its own; none if there are no cards."""
        self.refill(number)
        commands = self.drawn(player, number)
        if commands:
            self.record(Type.DRAW_CARD, player.id, commands, ability=ability)

    def drawn(self, player: Player, number: int, *, seen_by_all: bool = False) -> list[Command]:
        """Move cards from the deck to a hand."""
        seen = None if seen_by_all else frozenset({player.id})
        commands: list[Command] = []
        for card in self.piles.take(number):
            player.hand.append(card)
            commands.append(Movement(Pocket.DECK, Pocket.HAND, 0, player.id, card, seen))
        return commands

    def discarded(self, player: Player, card: Card) -> Movement:
        """Move a card of a hand or table to the discard pile."""
        pocket = Pocket.HAND if card in player.hand else Pocket.TABLE
        (player.hand if pocket is Pocket.HAND else player.table).remove(card)
        self.piles.graveyard.append(card)
        return Movement(pocket, Pocket.GRAVEYARD, player.id, 0, card)

    def taken(self, giver: Player, taker: Player, card: Card) -> Movement:
        """Move a card of a hand or table to another hand."""
        if card in giver.hand:
            giver.hand.remove(card)
            # The giver sees it, too: it must know which card has gone.
            moved = Movement(Pocket.HAND, Pocket.HAND, giver.id, taker.id, card, frozenset({giver.id, taker.id}))
        else:
            giver.table.remove(card)
            moved = Movement(Pocket.TABLE, Pocket.HAND, giver.id, taker.id, card)
        taker.hand.append(card)
        return moved

    def laid(self, giver: Player, taker: Player, card: Card) -> Movement:
        """Move a card of a hand or table to a table."""
        pocket = Pocket.HAND if card in giver.hand else Pocket.TABLE
        (giver.hand if pocket is Pocket.HAND else giver.table).remove(card)
        taker.table.append(card)
        return Movement(pocket, Pocket.TABLE, giver.id, taker.id, card)

    def any_card(self, player: Player) -> Card:
        """Return a card of a hand, by chance."""
        return player.hand[self.piles.rng.randrange(len(player.hand))]

    # --- copies -------------------------------------------------------------------------------------------------------

    def copy(self) -> "Course":
        """Return a game that goes on alike, and apart."""
        turn = self.turn
        return Course(
            Circle([player.copy() for player in self.players]),
            self.piles.copy(),
            Turn(turn.player, turn.number, turn.phase, turn.bangs),
            self.stack.copy(),
            self.log.copy(),
            self.stage,
            self.ended,
        )
