"""What happens in a game, as the protocol has it: game events with their commands, and server events.

These are the omniscient versions, which the record keeps. :func:`seen_by` gives the version of one reader: the same
event with the same commands, but hidden cards are ``HIDDEN`` and hidden roles unknown.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeAlias

from game_masters.bang.cards.playing_cards import HIDDEN, Card
from game_masters.bang.messages.words import ASKED, Phase, Pocket, Reaction, Role, Type

Viewer: TypeAlias = int | None
"""The id of a player, 0 for spectators, None for the omniscient log."""
SPECTATOR = 0


class Movement(NamedTuple):
    """One card moves. Players are 0 where a pocket belongs to no player."""

    source: Pocket
    target: Pocket
    giver: int
    taker: int
    card: Card
    seen: frozenset[int] | None = None
    """The players who see the card; None: all."""
    second: Card | None = None
    """Of a card taken from the discard pile: the new top."""


class LifePoints(NamedTuple):
    """How many life points a player has now; on the wire never fewer than 0."""

    player: int
    points: int


class Update(NamedTuple):
    """Attributes of a player have changed; None: not this one."""

    player: int
    role: Role | None = None
    alive: bool | None = None
    winner: bool | None = None


class Dealt(NamedTuple):
    """A player at the start of the game."""

    id: int
    name: str
    character: str
    role: Role
    life: int


class SetPlayers(NamedTuple):
    """All players at the start, in the order of the seats."""

    players: tuple[Dealt, ...]


class Context(NamedTuple):
    """Whose turn it is, and who is asked for what."""

    current: int
    requested: int
    turn: int
    phase: Phase
    reaction: Reaction | None = None
    caused_by: int = 0
    needed: int = 0
    """In a last save that takes more than one Beer: how many are still missing."""


Command: TypeAlias = Movement | LifePoints | Update | SetPlayers | Context


@dataclass(frozen=True, slots=True)
class Event:
    """A game event."""

    id: int
    type: Type
    player: int = 0
    target: int = 0
    caused_by: int = 0
    success: bool | None = None
    ability: bool = False
    cards: int | None = None
    """Of a shuffle: how many cards went from the discard pile to the deck."""
    meaning: tuple[tuple[str, Card], ...] = ()
    """``card-played``, ``card-target``, ``cause``, ``checked``, with the card."""
    commands: tuple[Command, ...] = ()

    def __str__(self) -> str:
        return f"{self.id} {record(self, _numbered)}"


# --- server events ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What all may know of a player: ``public-player``."""

    id: int
    name: str
    controlled: bool = True
    """False while the seat has no player."""
    ai: bool = False
    alive: bool = True
    winner: bool = False
    sheriff: bool = False
    character: str = ""
    life: int = 0
    hand: int = 0
    role: Role = Role.UNKNOWN
    table: tuple[Card, ...] = ()


class Seated(Protocol):
    """A player as the game holds it, or as a reader follows it."""

    id: int
    name: str
    controlled: bool
    ai: bool
    alive: bool
    winner: bool
    character: str
    table: list[Card]


def view_of(one: Seated, *, sheriff: bool, life: int, hand: int, role: Role) -> PlayerView:
    """Return what all may know of a player now."""
    return PlayerView(
        one.id, one.name, one.controlled, one.ai, one.alive, one.winner, sheriff, one.character, life, hand, role,
        tuple(one.table),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerCreated:
    """A seat has been created, while the game waits for players."""

    player: PlayerView

    def __str__(self) -> str:
        return f"{self.player.name} sits down"


@dataclass(frozen=True, slots=True)
class PlayerRemoved:
    """A seat has been removed, while the game waits for players."""

    player: int

    def __str__(self) -> str:
        return f"player {self.player} is removed"


@dataclass(frozen=True, slots=True)
class PlayerChanged:
    """A seat has lost its controller, or got another one."""

    player: PlayerView

    def __str__(self) -> str:
        return f"{self.player.name} {controller_words(self.player)}"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A player has sent a chat text."""

    player: int
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


@dataclass(frozen=True, slots=True)
class GameUpdated:
    """Something about the game has changed: whether it can be started, and perhaps its name."""

    startable: bool
    name: str = ""
    """The new name; empty: the old one."""

    def __str__(self) -> str:
        named = f"the game is called {self.name}, and " if self.name else ""
        return f"{named}the game {'can' if self.startable else 'cannot'} be started"


@dataclass(frozen=True, slots=True)
class Exited:
    """This player has left: the last event that it receives."""

    player: int

    def __str__(self) -> str:
        return f"player {self.player} leaves"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A move of this player was refused; only this player receives it."""

    player: int
    action: str
    reason: str
    text: str

    def __str__(self) -> str:
        return f"player {self.player}: {self.action or 'the move'} is refused: {self.reason}: {self.text}"


@dataclass(frozen=True, slots=True)
class Resynced:
    """This player has asked for a snapshot."""

    player: int

    def __str__(self) -> str:
        return f"player {self.player} asks for a snapshot"


ServerEvent: TypeAlias = PlayerCreated | PlayerRemoved | PlayerChanged | ChatMessage | GameUpdated | Exited | Rejected
Entry: TypeAlias = Event | ServerEvent | Resynced
"""What the record of a game consists of."""

_PRIVATE = (Exited, Rejected, Resynced)


def seen_by(entry: Entry, viewer: Viewer) -> Entry | None:
    """Return the version of an entry that a reader gets; None if it gets none."""
    if viewer is None:
        return entry
    if isinstance(entry, _PRIVATE):
        return entry if entry.player == viewer else None
    if not isinstance(entry, Event):
        return entry
    # Most entries hide nothing, and all readers are handed the same one.
    for command in entry.commands:
        if (type(command) is Movement and command.seen is not None) or type(command) is SetPlayers:
            return replace(entry, commands=tuple([_seen(command, viewer) for command in entry.commands]))
    return entry


def _seen(command: Command, viewer: int) -> Command:
    if isinstance(command, Movement):
        if command.seen is None:
            return command
        card = command.card if viewer in command.seen else HIDDEN
        # Who else has seen the card is left out.
        return Movement(command.source, command.target, command.giver, command.taker, card, None, command.second)
    if isinstance(command, SetPlayers):
        return SetPlayers(tuple([_dealt(one, viewer) for one in command.players]))
    return command


def _dealt(player: Dealt, viewer: int) -> Dealt:
    # All know the sheriff from the beginning.
    open_role = player.role is Role.SHERIFF or player.id == viewer
    return player if open_role else player._replace(role=Role.UNKNOWN)


# --- in words ---------------------------------------------------------------------------------------------------------


def _numbered(player: int) -> str:
    return f"player {player}"


def controller_words(player: PlayerView) -> str:
    """Return who plays a seat, in words."""
    if not player.controlled:
        return "has left"
    return "is played by the computer" if player.ai else "is there again"


def record(event: Event, name: Callable[[int], str]) -> str:
    """Return a game event as one line for people; ``name`` gives the name of a player."""
    return f"{_TEXTS[event.type](event, name)}{_effects(event, name)}"


def _card(event: Event, what: str) -> str:
    return next((card.words for label, card in event.meaning if label == what), "a card")


def _start(event: Event, name: Callable[[int], str]) -> str:
    sheriffs = [
        player.name
        for command in event.commands
        if isinstance(command, SetPlayers)
        for player in command.players
        if player.role is Role.SHERIFF
    ]
    return f"the game starts; the sheriff is {', '.join(sheriffs)}"


def _drawn(event: Event, name: Callable[[int], str]) -> str:
    moved = [command for command in event.commands if isinstance(command, Movement)]
    gained = [one for one in moved if one.target is Pocket.HAND]
    if moved and not gained:
        return f"{name(event.player)} looks at {_number(len(moved))}"
    givers = {one.giver for one in gained if one.source is Pocket.HAND}
    origin = f", one of {name(min(givers))}" if givers else ""
    if any(one.source is Pocket.GRAVEYARD for one in gained):
        origin = ", one of the discard pile"
    if gained and all(one.source is Pocket.SELECTION for one in gained):
        return f"{name(event.player)} takes {gained[0].card.words}"
    return f"{name(event.player)} draws {_number(len(gained))}{origin}"


def _number(cards: int) -> str:
    return "a card" if cards == 1 else f"{cards} cards"


def _checked(event: Event, name: Callable[[int], str]) -> str:
    result = "succeeds" if event.success else "fails"
    checked = _card(event, "checked") if any(label == "checked" for label, _ in event.meaning) else "no card"
    return f"{name(event.player)} draws for {_card(event, 'cause')}: {checked}, which {result}"


def _played(event: Event, name: Callable[[int], str]) -> str:
    return f"{name(event.player)} plays {_card(event, 'card-played')}"


def _on_player(event: Event, name: Callable[[int], str]) -> str:
    return f"{name(event.player)} plays {_card(event, 'card-played')} on {name(event.target)}"


def _on_card(event: Event, name: Callable[[int], str]) -> str:
    whose = f"{_card(event, 'card-target')} of {name(event.target)}"
    return f"{name(event.player)} plays {_card(event, 'card-played')} on {whose}"


def _discarded(event: Event, name: Callable[[int], str]) -> str:
    moved = [command.card for command in event.commands if isinstance(command, Movement)]
    return f"{name(event.player)} discards {', '.join(card.words for card in moved) or 'nothing'}"


def _killed(event: Event, name: Callable[[int], str]) -> str:
    roles = [command.role for command in event.commands if isinstance(command, Update) and command.role is not None]
    by = f", by {name(event.caused_by)}" if event.caused_by else ""
    return f"{name(event.player)}, {'an' if roles[0] is Role.OUTLAW else 'a'} {roles[0]}, is eliminated{by}"


def _finished(event: Event, name: Callable[[int], str]) -> str:
    won = [name(one.player) for one in event.commands if isinstance(one, Update) and one.winner]
    return f"the game is over; won by {', '.join(won) or 'no player'}"


_TEXTS: dict[Type, Callable[[Event, Callable[[int], str]], str]] = {
    Type.START_GAME: _start,
    Type.DEAL_CARDS: lambda event, name: "the cards are dealt",
    Type.START_TURN: lambda event, name: f"it is the turn of {name(event.player)}",
    Type.DRAW_CARD: _drawn,
    Type.DRAW_INTO_SELECTION: lambda event, name: f"{name(event.player)} turns cards for {_card(event, 'cause')}",
    Type.CHECK_DECK: _checked,
    Type.PLAY_CARD: _played,
    Type.PLAY_ON_TABLE: _played,
    Type.PLAY_ON_PLAYER: _on_player,
    Type.PLAY_ON_CARD: _on_card,
    Type.REACTION_PLAY: lambda event, name: f"{name(event.player)} answers with {_card(event, 'card-played')}",
    Type.REACTION_PASS: lambda event, name: f"{name(event.player)} passes",
    Type.DISCARD_CARD: _discarded,
    Type.KILL_PLAYER: _killed,
    Type.SHUFFLE_DECK: lambda event, name: f"{event.cards} discarded cards are shuffled",
    Type.FINISH_GAME: _finished,
}


def _effects(event: Event, name: Callable[[int], str]) -> str:
    """Return the part of a line about life points and who is asked next."""
    lives = [
        f"{name(one.player)} has {one.points} {'life' if one.points == 1 else 'lives'}"
        for one in event.commands
        if isinstance(one, LifePoints)
    ]
    asked = [
        f"{name(one.requested)} is asked {ASKED[one.reaction]}"
        for one in event.commands
        if isinstance(one, Context) and one.reaction is not None
    ]
    return "".join(f"; {text}" for text in (*lives, *asked))
