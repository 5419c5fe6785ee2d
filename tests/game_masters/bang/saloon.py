"""Games for tests, in which everything is where the test wants it: set up from a fixture, told in names of cards.

By default there are four players: 1 is the sheriff, 2 and 3 are outlaws, 4 is the renegade. Their characters use their
abilities only when they are asked to. Player 1 has drawn ``diligenza`` and ``wells-fargo`` and may play.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from game_masters.bang import GAME
from game_masters.bang.cards.playing_cards import Card
from game_masters.bang.messages.events import Context, Event, LifePoints, Movement
from game_masters.bang.messages.moves import Ability, Discard, Draw, EndTurn, Move, Pass, Play
from game_masters.bang.messages.words import Phase, Reason, Type
from game_masters.bang.rules import Position, Refused
from game_masters.bang.setup.fixture import read
from game_masters.bang.table.circle import Player
from game_masters.kit.entries import Entries
from game_masters.kit.rules import Table

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")
CHARACTERS = (
    "sid-ketchum", "jesse-jones", "pedro-ramirez", "kit-carlson", "jourdonnais", "lucky-duke", "vulture-sam",
)  # fmt: skip
ROLES: Mapping[int, Sequence[str]] = {
    4: ("sheriff", "outlaw", "outlaw", "renegade"),
    5: ("sheriff", "outlaw", "outlaw", "renegade", "deputy"),
    6: ("sheriff", "outlaw", "outlaw", "renegade", "deputy", "outlaw"),
    7: ("sheriff", "outlaw", "outlaw", "renegade", "deputy", "outlaw", "deputy"),
}
FIRST = ("diligenza", "wells-fargo")
"""What player 1 draws."""


class Saloon:
    """A game, and what a test does in it."""

    def __init__(
        self,
        number: int = 4,
        *,
        deck: Sequence[str] = (),
        discard: Sequence[str] = (),
        draw: bool = True,
        begins: int = 1,
        seed: int = 1,
        options: Mapping[str, str] | None = None,
        **players: Mapping[str, Any],
    ) -> None:
        """``p1`` to ``p7`` say what is to be said of a player. With ``draw``, the first player has drawn."""
        fixed: dict[str, Any] = {}
        used = {str(one["character"]) for one in players.values() if "character" in one}
        free = [character for character in CHARACTERS if character not in used]
        for id in range(1, number + 1):
            said = {"role": ROLES[number][id - 1], **players.get(f"p{id}", {})}
            said.setdefault("character", free.pop(0) if free else None)
            if said.get("alive", True):
                said.setdefault("hand", [])
            fixed[str(id)] = said
        top = [*(FIRST if draw else ()), *deck]
        values: dict[str, Any] = {"player": fixed, "deck": top, "discard": list(discard), "begins": begins}
        chosen = GAME.choose_options(dict(options or {}))
        entries = Entries(values)
        start = read(entries, number, chosen)
        entries.nothing_else()
        self.state = Position(Table("g1", NAMES[:number], chosen, fixture=start), random.Random(seed))
        self.seen = len(self.state.record)
        if draw:
            self.does(Draw())

    # --- what is so -----------------------------------------------------------------------------------------------

    def player(self, id: int) -> Player:
        return self.state.course.players[id]

    def hand(self, id: int) -> list[str]:
        return [card.name for card in self.player(id).hand]

    def table(self, id: int) -> list[str]:
        return [card.name for card in self.player(id).table]

    def life(self, id: int) -> int:
        return self.player(id).life

    @property
    def asked(self) -> int:
        """Who has to act."""
        (seat,) = self.state.movers
        return seat + 1

    @property
    def context(self) -> Context:
        return self.state.course.context

    @property
    def reaction(self) -> str:
        return str(self.context.reaction or "")

    @property
    def phase(self) -> Phase:
        return self.context.phase

    @property
    def top(self) -> str:
        """The top of the discard pile."""
        return self.state.course.piles.graveyard[-1].name

    def card(self, name: str, owner: int | None = None) -> Card:
        """A card of this name: of the selection, or of the player's hand or table."""
        player = self.player(self.asked if owner is None else owner)
        cards = [*self.state.course.piles.selection, *player.hand, *player.table] if owner is None else player.table
        return next(card for card in cards if card.name == name)

    # --- what is done ---------------------------------------------------------------------------------------------

    def does(self, move: Move) -> list[Event]:
        """Let the player who is asked make a move; the game events that follow."""
        self.seen = len(self.state.record)
        self.state.apply(self.asked - 1, move)
        return self.news

    @property
    def news(self) -> list[Event]:
        return [entry for entry in self.state.record[self.seen :] if isinstance(entry, Event)]

    def plays(self, name: str, on: int = 0, at: str = "") -> list[Event]:
        """Play a card alone, on a player, or at a card on that player's table."""
        card = self.card(name)
        if at:
            return self.does(Play(card.id, 0, self.card(at, on).id))
        return self.does(Play(card.id, on))

    def answers(self, name: str) -> list[Event]:
        return self.plays(name)

    def passes(self) -> list[Event]:
        return self.does(Pass())

    def draws(self) -> list[Event]:
        return self.does(Draw())

    def ends(self) -> list[Event]:
        """End the turn, after discarding what is too much."""
        player = self.player(self.asked)
        before = player.id
        found: list[Event] = []
        while self.asked == before and len(player.hand) > player.life:
            found += self.does(Discard(player.hand[-1].id))
        return found + (self.does(EndTurn()) if self.asked == before and self.phase is Phase.TURN else [])

    def uses(self, *cards: str, on: int = 0) -> list[Event]:
        """Use the ability of the own character."""
        ids: list[int] = []
        for name in cards:
            ids.append(next(one.id for one in self.player(self.asked).hand if one.name == name and one.id not in ids))
        return self.does(Ability(on, tuple(ids)))

    def refuses(self, move: Move, seat: int | None = None) -> Reason:
        """The reason for which a move is refused; it must not change anything."""
        before = portrait(self.state)
        try:
            self.state.apply(self.asked - 1 if seat is None else seat, move)
        except Refused as refused:
            assert portrait(self.state) == before
            return refused.refusal.reason
        raise AssertionError(f"{move} is allowed")

    def cannot_play(self, name: str, on: int = 0, at: str = "") -> Reason:
        target = self.card(at, on).id if at else 0
        return self.refuses(Play(self.card(name).id, 0 if at else on, target))


def portrait(state: Position) -> tuple[object, ...]:
    return (str(state), len(state.record), state.movers, [state.view(seat) for seat in (None, 0, 1, 2, 3)])


def types(events: Sequence[Event]) -> list[str]:
    """The types of events, and whose they are: ``draw-card 1``."""
    return [f"{event.type} {event.player}".removesuffix(" 0") for event in events]


def moved(event: Event) -> list[str]:
    """The movements of an event: ``bang hand1 graveyard``."""
    return [
        f"{one.card.name} {one.source}{one.giver or ''} {one.target}{one.taker or ''}"
        for one in event.commands
        if isinstance(one, Movement)
    ]


def lives(event: Event) -> dict[int, int]:
    """The life points that an event tells."""
    return {one.player: one.points for one in event.commands if isinstance(one, LifePoints)}


def context_of(event: Event) -> Context | None:
    """The context that an event tells."""
    return next((one for one in event.commands if isinstance(one, Context)), None)


def kill(saloon: Saloon) -> list[Event]:
    """Let the dying player give up; the events."""
    assert saloon.reaction == "last-save"
    return saloon.passes()


__all__ = ["Saloon", "Type", "context_of", "kill", "lives", "moved", "portrait", "types"]
