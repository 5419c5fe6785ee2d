"""A position: everything that is on the table, as an immutable value.

The game master's position knows all creatures; that of a reader has :data:`~game_masters.titan.creatures.UNKNOWN` for
those that the reader has not seen. Both are made by ``history.py`` from the messages of the game and from nothing else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from game_masters.titan.battlelands import ATTACKER, BATTLELANDS, DEFENDER, Battleland, Hex
from game_masters.titan.creatures import ANGEL, ARCHANGEL, KINDS, TITAN, UNKNOWN, Creature, power
from game_masters.titan.lands import LANDS, Label
from game_masters.titan.replacing import replace

HIGHEST: Final = 7
"""Creatures in a legion at most."""
START_HEIGHT: Final = 8
"""Creatures of a legion before the first split."""
MARKERS: Final = 12
"""Markers of a colour."""
POINTS_PER_ANGEL: Final = 100
POINTS_PER_ARCHANGEL: Final = 500
TITAN_TELEPORT: Final = 400
"""A legion with the Titan may teleport at this score and above."""
BATTLE_TURNS: Final = 7
MAX_UNDONE: Final = 30
"""Requests that may be taken back in one phase; without a limit a player could hold the others up for ever, and fill
the record of the game."""
REINFORCED_IN: Final = 4
"""The battle turn when the defender may be reinforced."""

COLOURS: Final[Mapping[str, str]] = {
    "Black": "Bk", "Blue": "Bu", "Brown": "Br", "Gold": "Gd", "Green": "Gr", "Red": "Rd",
}  # fmt: skip
"""The colours, and how their markers begin."""
OTHER: Final[Mapping[str, str]] = {ATTACKER: DEFENDER, DEFENDER: ATTACKER}


def markers_of(colour: str) -> tuple[str, ...]:
    """Return the markers of a colour."""
    return tuple(f"{COLOURS[colour]}{number:02}" for number in range(1, MARKERS + 1))


class Phase(StrEnum):
    """The parts of a game, and of a turn."""

    SETUP = "Setup"
    SPLIT = "Split"
    MOVE = "Move"
    ENGAGE = "Engage"
    MUSTER = "Muster"
    OVER = "Over"


class Awaiting(StrEnum):
    """What a player is asked."""

    COLOR = "color"
    SPLIT = "split"
    MOVE = "move"
    ENGAGE = "engage"
    FLEE = "flee"
    CONCEDE = "concede"
    NEGOTIATE = "negotiate"
    MANEUVER = "maneuver"
    STRIKE = "strike"
    CARRY = "carry"
    ACQUIRE = "acquire"
    SUMMON = "summon"
    REINFORCE = "reinforce"
    MUSTER = "muster"


class Stage(StrEnum):
    """How far an engagement has come."""

    OPENED = "opened"
    STAYED = "stayed"
    """The defender does not flee."""
    TALKS = "talks"
    BATTLE = "battle"
    OVER = "over"


class Method(StrEnum):
    """How an engagement ended."""

    FLEE = "flee"
    CONCEDE = "concede"
    NEGOTIATE = "negotiate"
    FIGHT = "fight"
    TIME_LOSS = "timeLoss"


class BattlePhase(StrEnum):
    """The parts of a turn in a battle."""

    MANEUVER = "Maneuver"
    STRIKE = "Strike"
    STRIKEBACK = "Strikeback"


class Window(StrEnum):
    """Whether the attacker may summon in the middle of a battle."""

    SHUT = "shut"
    OPEN = "open"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game, as ``formGame`` has them."""

    balanced_towers: bool = True
    all_stacks_visible: bool = False
    cumulative_slow: bool = True
    one_hex_allowed: bool = True
    non_random_battle_dice: bool = False
    no_first_turn_t2t_teleport: bool = False
    no_first_turn_teleport: bool = False
    tower_to_tower_teleport_only: bool = False
    no_tower_teleport: bool = False
    no_titan_teleport: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """One player."""

    name: str
    tower: Label = ""
    color: str = ""
    first: str = ""
    """The marker of the first legion."""
    score: int = 0
    markers: tuple[str, ...] = ()
    """Those that are free."""
    alive: bool = True
    mulligan: bool = True
    """Whether the roll of the first turn has not been thrown again."""
    teleported: bool = False
    summoned: bool = False


@dataclass(frozen=True, slots=True)
class Legion:
    """A stack of creatures under one marker."""

    marker: str
    seat: int
    hex: Label
    creatures: tuple[Creature, ...]
    origin: Label
    """Where it was when its owner's turn began."""
    moved: bool = False
    entry_side: str = ""
    teleported: bool = False
    recruit: Creature | None = None
    """What it has mustered this turn."""
    parent: str | None = None
    """The legion that it was split from this turn."""
    family: tuple[Creature, ...] = ()
    """What all who were split from one legion this turn have together."""

    @property
    def height(self) -> int:
        """The number of creatures."""
        return len(self.creatures)

    @property
    def lord(self) -> bool:
        """Whether a lord is known to be in it."""
        return any(creature != UNKNOWN and KINDS[creature].lord for creature in self.creatures)


@dataclass(frozen=True, slots=True)
class Offer:
    """What one side of an engagement has offered."""

    side: str
    survivor: str | None
    creatures: tuple[Creature, ...] | None
    """None if the reader may not know them."""


@dataclass(frozen=True, slots=True)
class Talks:
    """The talks of the two sides of an engagement before a battle."""

    speaker: str = DEFENDER
    """The side that has to answer."""
    offer: Offer | None = None
    """The last one."""
    offers: tuple[int, int] = (0, 0)
    """How many the attacker and the defender have made."""

    def begun(self) -> "Talks":
        """Return the talks when no side has conceded: the defender speaks, unless it has made an offer already."""
        return replace(self, speaker=ATTACKER if self.offer is not None else DEFENDER)

    def after(self, offer: Offer) -> "Talks":
        """Return the talks after an offer, which the other side has to answer."""
        by_attacker, by_defender = self.offers
        offers = (by_attacker + (offer.side == ATTACKER), by_defender + (offer.side == DEFENDER))
        return Talks(OTHER[offer.side], offer, offers)

    def made_by(self, side: str) -> int:
        """Return how many offers a side has made."""
        return self.offers[0 if side == ATTACKER else 1]


@dataclass(frozen=True, slots=True)
class Fall:
    """A player who will be eliminated, and who gains from that."""

    seat: int
    slayer: int | None


@dataclass(frozen=True, slots=True)
class Engagement:
    """Two legions in one land, from when the engagement is opened until nothing of it is left to decide."""

    hex: Label
    attacker: str
    defender: str
    seats: Mapping[str, int]
    """The owners, by side."""
    stage: Stage = Stage.OPENED
    talks: Talks = Talks()
    attacker_entered: bool = False
    """Whether the attacker's first maneuvers are over."""
    reinforced: bool = False
    dead_titans: tuple[int, ...] = ()
    """The owners of Titans that have died here."""
    lords: tuple[Creature, ...] = ()
    """Dead lords and demi-lords, which go back into the stock in the end."""
    withdrawn: int | None = None
    """Who leaves the game with it."""
    method: Method | None = None
    winner: str | None = None
    owed: bool = False
    """Whether the points for it have not been given yet."""
    chances: tuple[int, ...] = ()
    """Scores that let the winner acquire something."""
    falls: tuple[Fall, ...] = ()
    may_summon: bool = False
    may_reinforce: bool = False

    def marker(self, side: str) -> str:
        """Return the legion of a side."""
        return self.attacker if side == ATTACKER else self.defender

    def side(self, marker: str) -> str:
        """Return the side of a legion."""
        return ATTACKER if marker == self.attacker else DEFENDER

    def side_of(self, seat: int) -> str | None:
        """Return the side of a player; None for one who takes no part."""
        return next((side for side, owner in self.seats.items() if owner == seat), None)


@dataclass(frozen=True, slots=True)
class Fighter:
    """A creature in a battle."""

    creature: Creature
    side: str
    hex: Hex | None = None
    """None while it is off the board."""
    start: Hex | None = None
    """Where it was when the phase began."""
    hits: int = 0
    struck: bool = False
    """Whether it has struck in this phase."""
    joined: str | None = None
    """How it has come in this phase: ``summon`` or ``recruit``; None if it was there before."""
    donor: str | None = None

    @property
    def moved(self) -> bool:
        """Whether it has moved in this phase."""
        return self.hex != self.start


@dataclass(frozen=True, slots=True)
class CarryOver:
    """Hits that may still be carried over, and to whom."""

    left: int
    hexes: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle."""

    terrain: str
    entry_side: str
    fighters: tuple[Fighter, ...]
    """Those who live, and those killed in the present turn of a side."""
    turn: int = 1
    side: str = DEFENDER
    """Whose part of the turn it is."""
    phase: BattlePhase = BattlePhase.MANEUVER
    fallen: tuple[tuple[str, Creature], ...] = ()
    """The dead, with their sides."""
    defender_killed: bool = False
    """Whether a creature of the defender has been killed on the map."""
    window: Window = Window.SHUT
    carry: CarryOver | None = None

    @property
    def land(self) -> Battleland:
        """The map."""
        return BATTLELANDS[self.terrain]

    @property
    def acting(self) -> str:
        """The side that has to act."""
        return OTHER[self.side] if self.phase is BattlePhase.STRIKEBACK else self.side

    def at(self, hex: Hex) -> Fighter | None:
        """Return who is on a hex."""
        for fighter in self.fighters:
            if fighter.hex == hex:
                return fighter
        return None

    @property
    def occupied(self) -> Mapping[Hex, Fighter]:
        """All who are on the map."""
        return {fighter.hex: fighter for fighter in self.fighters if fighter.hex is not None}

    def off_board(self, side: str) -> list[Fighter]:
        """Return the creatures of a side that are not on the map."""
        return [fighter for fighter in self.fighters if fighter.side == side and fighter.hex is None]


@dataclass(frozen=True, slots=True)
class Question:
    """Who is asked what."""

    awaiting: Awaiting
    seat: int


@dataclass(frozen=True, slots=True)
class Position:
    """Everything on the table."""

    settings: Settings = Settings()
    players: tuple[Player, ...] = ()
    legions: Mapping[str, Legion] = field(default_factory=dict)
    """By marker."""
    stock: Mapping[Creature, int] = field(default_factory=dict)
    dead: Mapping[Creature, int] = field(default_factory=dict)
    phase: Phase = Phase.SETUP
    turn: int = 0
    active: int = 0
    """The player whose turn it is."""
    roll: int | None = None
    engagement: Engagement | None = None
    battle: Battle | None = None
    dice: int = 0
    """The number of battle dice thrown so far."""
    undone: int = 0
    """The number of requests of this phase that were taken back."""
    winner: int | None = None
    asked: Question | None = None
    """Set where the position is shown to a reader; the messages alone do not set it."""

    # --- players ------------------------------------------------------------------------------------------------------

    def seat_of(self, name: str) -> int:
        """Return the seat of a player. Raises KeyError."""
        for seat, player in enumerate(self.players):
            if player.name == name:
                return seat
        raise KeyError(name)

    @property
    def living(self) -> list[int]:
        """The seats that are in the game."""
        return [seat for seat, player in enumerate(self.players) if player.alive]

    @property
    def order(self) -> list[int]:
        """All seats in the order of their turns: from the highest tower down."""
        return sorted(range(len(self.players)), key=lambda seat: -int(self.players[seat].tower))

    def score_of(self, seat: int) -> int:
        """Return a player's score."""
        return self.players[seat].score

    def with_player(self, seat: int, **changes: Any) -> "Position":
        """Return the position with one player changed."""
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)
        return replace(self, players=tuple(players))

    # --- legions ------------------------------------------------------------------------------------------------------

    def legions_of(self, seat: int) -> list[Legion]:
        """Return the legions of a player, by marker."""
        return [self.legions[marker] for marker in sorted(self.legions) if self.legions[marker].seat == seat]

    def in_land(self, hex: Label) -> list[Legion]:
        """Return the legions in a land."""
        return [legion for legion in self.legions.values() if legion.hex == hex]

    def with_legions(self, *legions: Legion) -> "Position":
        """Return the position with these legions added or changed."""
        return replace(self, legions={**self.legions, **{legion.marker: legion for legion in legions}})

    def without_legion(self, marker: str) -> "Position":
        """Return the position without a legion; its marker is free again."""
        legion = self.legions[marker]
        left = {name: one for name, one in self.legions.items() if name != marker}
        freed = tuple(sorted((*self.players[legion.seat].markers, marker)))
        return replace(self.with_player(legion.seat, markers=freed), legions=left)

    @property
    def engagements(self) -> list[Label]:
        """The lands where the active player's legions stand beside another player's."""
        own = {legion.hex for legion in self.legions.values() if legion.seat == self.active}
        others = {legion.hex for legion in self.legions.values() if legion.seat != self.active}
        return sorted(own & others, key=int)

    def terrain(self, hex: Label) -> str:
        """Return the terrain of a land."""
        return LANDS[hex].terrain

    # --- engagements and battles --------------------------------------------------------------------------------------

    def power(self, fighter: Fighter) -> int:
        """Return the dice of a creature in the battle, and the hits that it can take."""
        if fighter.creature != TITAN or self.engagement is None:
            # A Titan grows with its owner's score, also in the middle of a battle.
            return KINDS[fighter.creature].power
        return power(TITAN, self.score_of(self.engagement.seats[fighter.side]))

    def alive(self, fighter: Fighter) -> bool:
        """Return whether a creature in the battle can take another hit."""
        return fighter.hits < self.power(fighter)

    def beaten(self, side: str) -> bool:
        """Return whether a side of the battle has no creature left, or has lost its Titan."""
        battle, engagement = self.battle, self.engagement
        if battle is None or engagement is None:
            return False
        gone = all(fighter.side != side for fighter in battle.fighters)
        return gone or engagement.seats[side] in engagement.dead_titans

    @property
    def open_chances(self) -> list[int]:
        """The scores that let the winner of the engagement still acquire something."""
        engagement = self.engagement
        legion = self.legions.get(engagement.winner or "") if engagement is not None else None
        if engagement is None or legion is None or legion.height >= HIGHEST:
            return []
        return [score for score in engagement.chances if self.acquirable(score)]

    def acquirable(self, score: int) -> list[Creature]:
        """Return what can be acquired for reaching this score."""
        # An angel may be taken in place of an archangel.
        choice = (ANGEL, ARCHANGEL) if score % POINTS_PER_ARCHANGEL == 0 else (ANGEL,)
        return [creature for creature in choice if self.stock[creature] > 0]

    def donors(self, seat: int) -> Iterator[tuple[Legion, Creature]]:
        """Yield the legions of a player that can give something summoned into the engagement, each with what it
        can give, unknown creatures included."""
        fighting = self.engagement.attacker if self.engagement is not None else ""
        for legion in self.legions_of(seat):
            # A legion that is in an engagement itself gives nothing away.
            if legion.marker == fighting or any(other.seat != seat for other in self.in_land(legion.hex)):
                continue
            for creature in dict.fromkeys(legion.creatures):
                if creature == UNKNOWN or KINDS[creature].summonable:
                    yield legion, creature

    @property
    def ends_with_falls(self) -> bool:
        """Whether the game is over when those have been eliminated whose Titans have just died."""
        falls = self.engagement.falls if self.engagement is not None else ()
        return len(set(self.living) - {fall.seat for fall in falls}) <= 1
