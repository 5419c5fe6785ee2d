"""What a reader is shown: news, status, and the position as far as the reader knows it."""

from dataclasses import dataclass

from game_masters.titan.creatures import KINDS, titan_power
from game_masters.titan.history import closed
from game_masters.titan.messages import Message
from game_masters.titan.position import Awaiting, Phase, Position, Question
from game_masters.titan.replacing import replace


@dataclass(frozen=True, slots=True)
class Score:
    """How a player stands."""

    player: str
    points: int
    titan_power: int
    legions: int
    creatures: int
    markers: tuple[str, ...]
    """Those that are free."""


@dataclass(frozen=True, slots=True)
class Stock:
    """How many of a kind are left, and how many are gone for good."""

    creature: str
    left: int
    dead: int


@dataclass(frozen=True, slots=True)
class Status:
    """What all may know of the present. What does not apply is None."""

    event: int
    """The number of messages so far."""
    turn: int
    player: str | None
    """Whose turn it is."""
    phase: Phase
    awaiting: Awaiting | None
    roll: int | None = None
    mulligan: bool | None = None
    """True while the roll may be thrown again."""
    hex: str | None = None
    attacker: str | None = None
    defender: str | None = None
    battle_turn: int | None = None
    battle_phase: str | None = None
    legion: str | None = None
    """The legion that has to act."""
    carries: int | None = None
    scores: tuple[Score, ...] = ()
    stock: tuple[Stock, ...] = ()
    """Only the kinds whose numbers are not those of the box."""
    willing: tuple[str, ...] = ()
    """The players who agree to go on another time."""
    kept: str | None = None
    """The code that the game is found again by, if all have just agreed."""


@dataclass(frozen=True, slots=True)
class Nak:
    """A request that was refused."""

    request: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """The messages after one number and up to another one."""

    after: int
    up_to: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What a reader is shown at one time."""

    news: tuple[Message, ...]
    """The last messages; some of them may have been shown before."""
    status: Status
    position: Position
    """As far as the reader knows it. Without players if the reader has missed messages."""
    nak: Nak | None = None
    replay: Replayed | None = None
    board: bool = False
    """Whether the position is written out, for readers who have missed messages."""


def status_of(position: Position, event: int) -> Status:
    """Return the status of a position that knows everything."""
    asked, engagement, battle = position.asked, position.engagement, position.battle
    begun = position.phase is not Phase.SETUP
    moving = asked is not None and asked.awaiting is Awaiting.MOVE
    return Status(
        event,
        position.turn,
        position.players[position.active].name if begun else None,
        position.phase,
        asked.awaiting if asked is not None else None,
        roll=position.roll if begun else None,
        # Each player may throw the movement roll of the first turn again, once.
        mulligan=True if moving and position.turn == 1 and position.players[position.active].mulligan else None,
        hex=engagement.hex if engagement is not None else None,
        attacker=engagement.attacker if engagement is not None else None,
        defender=engagement.defender if engagement is not None else None,
        battle_turn=battle.turn if battle is not None else None,
        battle_phase=battle.phase if battle is not None else None,
        legion=_acting(position),
        carries=battle.carry.left if battle is not None and battle.carry is not None else None,
        scores=tuple(_score(position, seat) for seat in range(len(position.players))),
        stock=_stock(position),
    )


def _acting(position: Position) -> str | None:
    engagement, asked = position.engagement, position.asked
    if engagement is None or asked is None:
        return None
    side = engagement.side_of(asked.seat)
    return engagement.marker(side) if side is not None else None


def _score(position: Position, seat: int) -> Score:
    player = position.players[seat]
    legions = position.legions_of(seat)
    return Score(
        player.name,
        player.score,
        titan_power(player.score),
        len(legions),
        sum(legion.height for legion in legions),
        player.markers,
    )


def _stock(position: Position) -> tuple[Stock, ...]:
    found = []
    for name, kind in KINDS.items():
        left, dead = position.stock[name], position.dead[name]
        if left != kind.count or dead:
            found.append(Stock(name, left, dead))
    return tuple(found)


def asked_in(status: Status, position: Position) -> Question | None:
    """Return who is asked what, by the status and the position as a reader knows them."""
    if status.awaiting is None:
        return None
    if status.legion is not None:
        legion = position.legions.get(status.legion)
        return Question(status.awaiting, legion.seat) if legion is not None else None
    if status.awaiting is Awaiting.COLOR:
        # As in the master's own order: the lowest tower first.
        waiting = [seat for seat in reversed(position.order) if seat in position.living]
        seat = next((seat for seat in waiting if not position.players[seat].color), None)
        return Question(status.awaiting, seat) if seat is not None else None
    return Question(status.awaiting, position.active)


def seen_with(status: Status, position: Position) -> Position:
    """Return a reader's position with what the status holds: who is asked what, that an engagement is closed, and the
    numbers of the stock, which a reader who does not see all creatures cannot know otherwise."""
    if not position.players:
        return position
    # That the status names no engagement shows that it has been closed.
    if status.hex is None and position.engagement is not None:
        position = closed(position)
    listed = {one.creature: one for one in status.stock}
    stock = {name: listed[name].left if name in listed else kind.count for name, kind in KINDS.items()}
    dead = {name: listed[name].dead if name in listed else 0 for name in KINDS}
    return replace(position, asked=asked_in(status, position), stock=stock, dead=dead)
