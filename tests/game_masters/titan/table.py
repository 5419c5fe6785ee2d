"""Games of Titan for tests: from a fixture's values, with fixed dice, and requests as they stand in the format."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from game_masters.kit.rules import Entries, Options, Table
from game_masters.titan import GAME, fixture
from game_masters.titan.asking import question
from game_masters.titan.creatures import KINDS, ordered
from game_masters.titan.lands import LANDS
from game_masters.titan.maneuvers import destinations
from game_masters.titan.messages import Message
from game_masters.titan.notation import message_text, read_move
from game_masters.titan.play import Dice, Refused
from game_masters.titan.position import (
    Awaiting,
    Battle,
    BattlePhase,
    Engagement,
    Fighter,
    Legion,
    Phase,
    Player,
    Position,
    Settings,
    Stage,
)
from game_masters.titan.referee import carry_out
from game_masters.titan.rules import Slugathon
from game_masters.titan.strikes import blows_of

NAMES = ("ann", "bob", "cyd", "dee", "eve", "fay")
COLORS = ("Red", "Blue", "Gold", "Green", "Black", "Brown")
PREFIXES = ("Rd", "Bu", "Gd", "Gr", "Bk", "Br")
TOWERS = ("600", "300", "500", "200", "400", "100")


def legion(seat: int, number: int, hex: str, creatures: str) -> dict[str, object]:
    """A legion for a fixture: ``legion(0, 2, "41", "Titan Ogre Ogre")``."""
    return {
        "player": seat,
        "marker": f"{PREFIXES[seat]}{number:02}",
        "hex": hex,
        "creatures": creatures.split(),
    }


def split(parent: str, child: str, creatures: str) -> str:
    """A request to split: ``split("Rd01", "Rd02", "Ogre Ogre")``."""
    inside = "".join(f'<creature name="{name}"/>' for name in creatures.split())
    return f'<split parent="{parent}" child="{child}"><creatures>{inside}</creatures></split>'


def asked_of(position: Position) -> Position:
    """A position of which everybody knows everything, with who is asked what."""
    return replace(position, asked=question(position))


class House:
    """A game, and what is said in it."""

    def __init__(
        self, *legions: dict[str, object], players: int = 2, options: Mapping[str, str] | None = None, **values: object
    ) -> None:
        chosen: Options = GAME.choose_options(dict(options or {}))
        given: dict[str, object] = {"towers": list(TOWERS[:players]), "colors": list(COLORS[:players]), **values}
        if legions:
            given |= {"legions": list(legions), "turn": values.get("turn", 3)}
        start = fixture.read(Entries(given), players, chosen)
        self.game = Slugathon(Table("test", NAMES[:players], chosen, fixture=start), random.Random(1))
        self._told = len(self.game.messages)

    @property
    def position(self) -> Position:
        """The position."""
        return self.game.position

    @property
    def asked(self) -> tuple[str, str] | None:
        """Who is asked what."""
        asked = self.position.asked
        return None if asked is None else (NAMES[asked.seat], str(asked.awaiting))

    def does(self, *requests: str) -> list[str]:
        """Whoever is asked makes requests, one move each; return all that is said, as elements."""
        msg: list[str] = []
        for request in requests:
            assert self.position.asked is not None, "the game is over"
            self.game.apply(self.position.asked.seat, read_move(f"<move>{request}</move>".encode()))
            msg += self.news()
        return msg

    def news(self) -> list[str]:
        """What has been said since it was asked last."""
        messages: Sequence[Message] = self.game.messages[self._told :]
        self._told = len(self.game.messages)
        return [message_text(message) for message in messages]

    def refuses(self, request: str, why: str) -> None:
        """A request of whoever is asked is refused for this reason, and changes nothing."""
        before = self.position, len(self.game.record)
        with pytest.raises(Refused, match=why):
            self.does(request)
        assert (self.position, len(self.game.record)) == before

    def lists(self, tag: str) -> list[str]:
        """The requests of this name that are listed as legal, written."""
        asked = self.position.asked
        assert asked is not None
        moves = self.game.legal_moves(asked.seat)
        return [str(request) for (request,) in moves if tag == request.TAG]

    def score(self, seat: int) -> int:
        """A player's score."""
        return self.position.score_of(seat)

    def inside(self, marker: str) -> str:
        """What is in a legion."""
        return " ".join(self.position.legions[marker].creatures)

    def fights(self) -> None:
        """Go on to the battle, whatever is asked before."""
        while self.position.asked is not None and self.position.asked.awaiting is not Awaiting.MANEUVER:
            asked = self.position.asked.awaiting
            hex = self.position.engagement.hex if self.position.engagement is not None else ""
            marker = self.position.engagement.defender if self.position.engagement is not None else ""
            self.does(f'<doNotFlee legion="{marker}"/>' if asked is Awaiting.FLEE else f'<fight hex="{hex}"/>')


class Arena:
    """A battle with creatures where a test wants them. ``hits``, ``score`` and whatever else is a field of the battle
    or of a fighter can be given."""

    def __init__(
        self,
        terrain: str,
        attackers: str,
        defenders: str,
        *,
        dice: Sequence[int] = (),
        scores: Sequence[int] = (0, 0),
        hits: Mapping[str, int] | None = None,
        settings: Settings | None = None,
        **battle: object,
    ) -> None:
        """``attackers`` and ``defenders`` are ``"Ogre:C3 Lion:D4 Titan:-"``; ``-`` is off the board."""
        sides = {"attacker": attackers, "defender": defenders}
        fighters = [
            Fighter(creature, side, place, place, hits=(hits or {}).get(hex, 0))
            for side, told in sides.items()
            for creature, hex in (one.split(":") for one in told.split())
            for place in (None if hex == "-" else hex,)
        ]
        land = next(label for label, one in LANDS.items() if one.terrain == terrain)
        legions = {}
        players = []
        for seat, side in enumerate(sides):
            creatures = ordered(one.creature for one in fighters if one.side == side)
            marker = f"{PREFIXES[seat]}01"
            legions[marker] = Legion(marker, seat, land, creatures, land, moved=seat == 0, entry_side="bottom")
            markers = tuple(f"{PREFIXES[seat]}{number:02}" for number in range(2, 13))
            players.append(Player(NAMES[seat], TOWERS[seat], COLORS[seat], marker, scores[seat], markers))
        seats = {"attacker": 0, "defender": 1}
        engagement = Engagement(land, "Rd01", "Bu01", seats, stage=Stage.BATTLE, attacker_entered=True)
        counts = {name: kind.count for name, kind in KINDS.items()}
        given = {"phase": BattlePhase.STRIKE, **battle}
        self.position = asked_of(
            Position(
                settings or Settings(),
                tuple(players),
                legions,
                counts,
                dict.fromkeys(KINDS, 0),
                Phase.ENGAGE,
                3,
                0,
                1,
                engagement,
                Battle(terrain, "bottom", tuple(fighters), **given),  # type: ignore[arg-type]
            )
        )
        self.dice = Dice(b"arena", fixed=tuple(dice))

    @property
    def battle(self) -> Battle:
        """The battle."""
        assert self.position.battle is not None
        return self.position.battle

    def at(self, hex: str) -> Fighter:
        """Who is on a hex."""
        fighter = self.battle.at(hex)
        assert fighter is not None
        return fighter

    def does(self, *requests: str) -> list[str]:
        """Whoever is asked makes requests; return all that is said, as elements."""
        msg: list[str] = []
        for text in requests:
            for request in read_move(f"<move>{text}</move>".encode()):
                asked = self.position.asked
                assert asked is not None
                # In a battle everybody knows everything.
                play = carry_out(self.position, self.position, self.dice, asked.seat, request)
                self.position, self.dice = play.position, play.dice
                msg += map(message_text, play.msg)
        return msg

    def refuses(self, request: str, why: str) -> None:
        """A request of whoever is asked is refused for this reason."""
        with pytest.raises(Refused, match=why):
            self.does(request)

    def goes(self, hex: str) -> set[str]:
        """Where the creature on a hex may go; ``-`` is the first one off the board."""
        fighter = self.battle.off_board(self.battle.side)[0] if hex == "-" else self.at(hex)
        return set(destinations(self.position, fighter))

    def terms(self, striker: str, target: str) -> list[tuple[int, int]]:
        """The dice and numbers with which one may strike another."""
        found = [blow for blow in blows_of(self.position, self.at(striker)) if blow.target.hex == target]
        return [(terms.dice, terms.number) for blow in found for terms in blow.terms]
