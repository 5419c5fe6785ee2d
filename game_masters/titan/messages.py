"""What happens in a game, message by message. In their order they determine its state: see ``history.py``.

The names are those of the network format: ``Split`` here is ``<split>`` there (:attr:`Message.TAG`). A message as the
game master keeps it holds everything; :func:`seen_by` returns what one reader may see of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Final

from game_masters.titan.battlelands import Hex
from game_masters.titan.creatures import Creature
from game_masters.titan.lands import Label


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that has happened."""

    TAG: ClassVar[str] = ""

    def __str__(self) -> str:
        """One line for people."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        shown = (f"{name}={_shown_value(value)}" for name, value in values if value is not None)
        return " ".join((self.TAG, *shown))


@dataclass(frozen=True, slots=True)
class Stack:
    """A legion with its creatures, as one side of a fight."""

    name: str
    creatures: tuple[Creature, ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(self.creatures)})"


@dataclass(frozen=True, slots=True)
class Losses:
    """Creatures that a legion loses; those that ``returned`` go back where they came from. ``hexes``: where they lie on
    the map of a battle, one for each creature."""

    legion: str
    creatures: tuple[Creature, ...]
    returned: bool | None = None
    hexes: tuple[Hex, ...] = ()

    def __str__(self) -> str:
        places = f" on {','.join(self.hexes)}" if self.hexes else ""
        return f"{self.legion}({','.join(self.creatures)}{places}{' returned' if self.returned else ''})"


# --- the beginning ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FormGame(Message):
    """A game with these options."""

    TAG = "formGame"
    min_players: int
    max_players: int
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Join(Message):
    """A player, in the order of the seats."""

    TAG = "join"
    name: str


@dataclass(frozen=True, slots=True)
class Tower(Message):
    """The tower of a player."""

    TAG = "tower"
    name: str
    hex: Label


@dataclass(frozen=True, slots=True)
class Place(Message):
    """A legion stands on the board from the beginning; only in games that begin from a fixture."""

    TAG = "place"
    player: str
    legion: str
    hex: Label
    creatures: tuple[Creature, ...] | None
    height: int


@dataclass(frozen=True, slots=True)
class Lost(Message):
    """Creatures are out of the game from the beginning; only in games that begin from a fixture."""

    TAG = "lost"
    creature: Creature
    number: int


@dataclass(frozen=True, slots=True)
class Color(Message):
    """The colour of a player, and the marker of the first legion."""

    TAG = "color"
    name: str
    color: str
    first_marker: str


@dataclass(frozen=True, slots=True)
class Turn(Message):
    """A player's turn begins."""

    TAG = "turn"
    player: str
    number: int


# --- splitting and moving ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Split(Message):
    """A legion is split; the creatures are those of the new one, None for readers who may not see them."""

    TAG = "split"
    parent: str
    child: str
    numsplit: int
    creatures: tuple[Creature, ...] | None


@dataclass(frozen=True, slots=True)
class Merge(Message):
    """A legion goes back into another one."""

    TAG = "merge"
    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class Roll(Message):
    """The movement roll, which ends the splitting."""

    TAG = "roll"
    die: int


@dataclass(frozen=True, slots=True)
class Mulligan(Message):
    """The roll is thrown again."""

    TAG = "mulligan"


@dataclass(frozen=True, slots=True)
class Move(Message):
    """A legion moves. ``lord`` is the one that a teleport shows."""

    TAG = "move"
    legion: str
    hex: Label
    entry_side: str
    teleport: bool
    lord: Creature | None


@dataclass(frozen=True, slots=True)
class UndoMove(Message):
    """A legion goes back to where it was."""

    TAG = "undoMove"
    legion: str


@dataclass(frozen=True, slots=True)
class DoneMoving(Message):
    """The moves are over."""

    TAG = "doneMoving"


# --- engagements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Engage(Message):
    """An engagement is opened. Both legions, or ``creatures``: the legion opposed to the reader."""

    TAG = "engage"
    hex: Label
    creatures: tuple[Creature, ...] | None
    attacker: Stack | None
    defender: Stack | None


@dataclass(frozen=True, slots=True)
class Flee(Message):
    """A legion flees and is destroyed."""

    TAG = "flee"
    legion: str
    creatures: tuple[Creature, ...]


@dataclass(frozen=True, slots=True)
class DoNotFlee(Message):
    """The defender stays."""

    TAG = "doNotFlee"
    legion: str


@dataclass(frozen=True, slots=True)
class Concede(Message):
    """A legion gives up and is destroyed. ``withdraws``: its owner leaves the game."""

    TAG = "concede"
    legion: str
    creatures: tuple[Creature, ...]
    withdraws: bool | None = None


@dataclass(frozen=True, slots=True)
class DoNotConcede(Message):
    """The attacker does not give up."""

    TAG = "doNotConcede"
    legion: str


@dataclass(frozen=True, slots=True)
class Negotiate(Message):
    """The owner of ``legion`` makes an offer. Without a survivor: both legions are destroyed."""

    TAG = "negotiate"
    hex: Label
    legion: str
    survivor: str | None
    creatures: tuple[Creature, ...] | None


@dataclass(frozen=True, slots=True)
class Accept(Message):
    """The offer that stands is carried out; first the attacker's losses, then the defender's."""

    TAG = "accept"
    hex: Label
    survivor: str | None
    losses: tuple[Losses, ...]


@dataclass(frozen=True, slots=True)
class Fight(Message):
    """A battle begins."""

    TAG = "fight"
    hex: Label
    attacker: Stack
    defender: Stack


@dataclass(frozen=True, slots=True)
class EndEngage(Message):
    """An engagement is over, except for its points. Without a winner both legions are gone."""

    TAG = "endEngage"
    hex: Label
    method: str
    winner: str | None
    creatures: tuple[Creature, ...] | None


# --- battles ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Enter(Message):
    """A creature comes onto the map."""

    TAG = "enter"
    creature: Creature
    hex: Hex


@dataclass(frozen=True, slots=True)
class Maneuver(Message):
    """A creature moves on the map."""

    TAG = "maneuver"
    start_hex: Hex
    end_hex: Hex


@dataclass(frozen=True, slots=True)
class UndoManeuver(Message):
    """A creature goes back to where it was."""

    TAG = "undoManeuver"
    hex: Hex


@dataclass(frozen=True, slots=True)
class DoneManeuvering(Message):
    """The maneuvers of one side are over; its creatures that never came on are lost, or have returned."""

    TAG = "doneManeuvering"
    losses: tuple[Losses, ...]


@dataclass(frozen=True, slots=True)
class Drift(Message):
    """A creature in the drift takes a hit."""

    TAG = "drift"
    hex: Hex


@dataclass(frozen=True, slots=True)
class Strike(Message):
    """A creature strikes. ``hits`` counts all dice that hit, ``carries`` what may be carried over."""

    TAG = "strike"
    striker_hex: Hex
    target_hex: Hex
    dice: int
    strike: int
    hits: int
    carries: int
    rolls: tuple[int, ...]
    carry_hexes: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class Carry(Message):
    """Hits are carried over."""

    TAG = "carry"
    target_hex: Hex
    hits: int
    carries: int
    carry_hexes: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class DoneStriking(Message):
    """The strikes of one side, or the strikes back, are over. After those back the dead leave the map: ``losses`` are
    the attacker's, then the defender's. Older saves have none."""

    TAG = "doneStriking"
    losses: tuple[Losses, ...] = ()


# --- gains and losses -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Points(Message):
    """A player scores. ``kind`` is ``half`` for what an elimination leaves, which brings no angels."""

    TAG = "points"
    player: str
    points: int
    kind: str | None


@dataclass(frozen=True, slots=True)
class Acquire(Message):
    """A legion gets an angel or an archangel for its points; without a creature its owner has declined."""

    TAG = "acquire"
    legion: str
    creature: Creature | None


@dataclass(frozen=True, slots=True)
class Summon(Message):
    """A legion calls a creature out of another one; without a creature its owner has declined."""

    TAG = "summon"
    summoner: str
    donor: str | None
    creature: Creature | None


@dataclass(frozen=True, slots=True)
class Unsummon(Message):
    """A summoned creature that did not come onto the map goes back."""

    TAG = "unsummon"
    summoner: str
    donor: str
    creature: Creature


@dataclass(frozen=True, slots=True)
class Recruit(Message):
    """A legion musters, or a defender is reinforced; without a recruit the defender's owner has declined."""

    TAG = "recruit"
    legion: str
    recruit: Creature | None
    recruiter: Creature | None
    number: int | None
    """How many recruiters are shown."""


@dataclass(frozen=True, slots=True)
class UndoRecruit(Message):
    """A recruit goes back."""

    TAG = "undoRecruit"
    legion: str


@dataclass(frozen=True, slots=True)
class Reveal(Message):
    """The contents of a legion whose owner is eliminated."""

    TAG = "reveal"
    legion: str
    creatures: tuple[Creature, ...]


@dataclass(frozen=True, slots=True)
class EliminatePlayer(Message):
    """A player is out of the game, with all legions."""

    TAG = "eliminatePlayer"
    loser: str
    slayer: str | None


@dataclass(frozen=True, slots=True)
class GameOver(Message):
    """The end. Without a winner the game is drawn."""

    TAG = "gameOver"
    winner: str | None


MESSAGES: Final[Mapping[str, type[Message]]] = {
    message.TAG: message
    for message in (
        FormGame, Join, Tower, Place, Lost, Color, Turn, Split, Merge, Roll, Mulligan, Move, UndoMove, DoneMoving,
        Engage, Flee, DoNotFlee, Concede, DoNotConcede, Negotiate, Accept, Fight, EndEngage, Enter, Maneuver,
        UndoManeuver, DoneManeuvering, Drift, Strike, Carry, DoneStriking, Points, Acquire, Summon, Unsummon, Recruit,
        UndoRecruit, Reveal, EliminatePlayer, GameOver,
    )
}  # fmt: skip
"""All messages that make up a game, by tag."""

SECRET: Final = (Place, Split, Engage, Negotiate)
"""The messages that look different to different readers."""


def seen_by(message: Message, owner: int | None, other: int | None, seat: int | None) -> Message:
    """Return what ``seat`` (None: a spectator) sees of a message of :data:`SECRET`.

    ``owner`` is the owner of the legion that is placed or split, or the attacker; ``other`` the defender.
    """
    if isinstance(message, Place | Split):
        return message if seat is not None and seat == owner else replace(message, creatures=None)
    if isinstance(message, Engage):
        # Each side of an engagement sees the other's legion, and no one else either.
        stacks = {owner: message.defender, other: message.attacker}
        opposed = stacks.get(seat) if seat is not None else None
        creatures = opposed.creatures if opposed is not None else None
        return replace(message, creatures=creatures, attacker=None, defender=None)
    if isinstance(message, Negotiate):
        return message if seat is not None and seat in (owner, other) else replace(message, creatures=None)
    return message


def _shown_value(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_shown_value, value))
    return str(value)
