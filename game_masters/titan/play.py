"""One request being carried out: the position as it changes, and the messages that say so."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import shake_256
from typing import NoReturn

from game_masters.kit.rules import RuleBroken
from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.history import after, can_reinforce, can_summon
from game_masters.titan.messages import Message
from game_masters.titan.position import (
    Awaiting,
    Battle,
    BattlePhase,
    Engagement,
    Legion,
    Phase,
    Position,
    Question,
    Stage,
)
from game_masters.titan.requests import Request

LOADED = (4, 3, 1, 6, 5, 2)
"""What battle dice show, over and over, with the option ``nonRandomBattleDice``."""
_BYTES = 8


class Refused(RuleBroken):
    """A request that is not allowed here. ``request`` is its name."""

    def __init__(self, request: Request, reason: str) -> None:
        super().__init__(f"{request.TAG}: {reason}")
        self.request = request.TAG


@dataclass(frozen=True, slots=True)
class Dice:
    """A row of dice that nobody can foresee without the secret: the first ones may be fixed."""

    secret: bytes
    thrown: int = 0
    fixed: tuple[int, ...] = ()

    def throw(self) -> tuple[int, "Dice"]:
        """Return what the next die shows, and the dice after it."""
        nexts = Dice(self.secret, self.thrown + 1, self.fixed)
        if self.thrown < len(self.fixed):
            return self.fixed[self.thrown], nexts
        digest = shake_256(self.secret + self.thrown.to_bytes(_BYTES)).digest(_BYTES)
        return 1 + int.from_bytes(digest) % 6, nexts


class Play:
    """The position, and what is said while it changes."""

    def __init__(self, position: Position, dice: Dice) -> None:
        self.position = position
        self.dice = dice
        self.said: list[Message] = []

    def say(self, message: Message) -> None:
        """Tell that something happens, and let it happen."""
        self.position = after(self.position, message)
        self.said.append(message)

    def throw(self) -> int:
        """Return what a die shows."""
        shown, self.dice = self.dice.throw()
        return shown

    def throw_for_battle(self, number: int) -> tuple[int, ...]:
        """Return what dice show in a battle."""
        if self.position.settings.non_random_battle_dice:
            first = self.position.dice
            return tuple(LOADED[(first + place) % len(LOADED)] for place in range(number))
        return tuple(self.throw() for _ in range(number))

    def name(self, seat: int) -> str:
        """Return a player's name."""
        return self.position.players[seat].name


def refuse(request: Request, reason: str) -> NoReturn:
    """Raise :class:`Refused`."""
    raise Refused(request, reason)


def legion_of(play: Play, seat: int, request: Request, marker: str) -> Legion:
    """Return a legion of the player who asks. Raises :class:`Refused`."""
    legion = play.position.legions.get(marker)
    if legion is None:
        refuse(request, f"there is no legion {marker!r}")
    if legion.seat != seat:
        refuse(request, f"legion {marker} belongs to {play.name(legion.seat)}")
    return legion


def engagement_of(play: Play) -> Engagement:
    """Return the engagement. Raises ValueError if there is none, which the table of requests rules out."""
    if play.position.engagement is None:
        raise ValueError("no engagement")
    return play.position.engagement


def battle_in(play: Play) -> Battle:
    """Return the battle. Raises ValueError if there is none, which the table of requests rules out."""
    if play.position.battle is None:
        raise ValueError("no battle")
    return play.position.battle


def listed(words: Sequence[object]) -> str:
    """Return words as a list for people."""
    return ", ".join(map(str, words)) or "none"


# --- who is asked what ------------------------------------------------------------------------------------------------


def question(position: Position) -> Question | None:
    """Return who is asked what; None when the game is over. The position has to know everything that matters."""
    if position.phase is Phase.OVER:
        return None
    if position.phase is Phase.SETUP:
        waiting = [seat for seat in reversed(position.order) if seat in position.living]
        return next((Question(Awaiting.COLOR, seat) for seat in waiting if not position.players[seat].color), None)
    engagement = position.engagement
    if engagement is not None:
        return _about_engagement(position, engagement)
    return Question(Awaiting(position.phase.lower()), position.active)


def _about_engagement(position: Position, engagement: Engagement) -> Question | None:
    attacker, defender = engagement.seats[ATTACKER], engagement.seats[DEFENDER]
    if engagement.stage is Stage.OPENED and not position.legions[engagement.defender].lord:
        return Question(Awaiting.FLEE, defender)
    if engagement.stage in (Stage.OPENED, Stage.STAYED):
        return Question(Awaiting.CONCEDE, attacker)
    if engagement.stage is Stage.TALKS:
        return Question(Awaiting.NEGOTIATE, engagement.seats[engagement.speaker])
    battle = position.battle
    if battle is not None:
        awaiting = Awaiting.MANEUVER if battle.phase is BattlePhase.MANEUVER else Awaiting.STRIKE
        awaiting = Awaiting.CARRY if battle.carry is not None else awaiting
        return Question(awaiting, engagement.seats[battle.acting])
    if position.open_chances and engagement.winner is not None:
        return Question(Awaiting.ACQUIRE, position.legions[engagement.winner].seat)
    if can_summon(position):
        return Question(Awaiting.SUMMON, attacker)
    if can_reinforce(position):
        return Question(Awaiting.REINFORCE, defender)
    return None
