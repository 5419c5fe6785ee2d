"""Games of Titan for tests: from a fixture's values, with fixed dice, and requests as they stand in the format."""

import random
from collections.abc import Mapping, Sequence

import pytest

from game_masters.kit.rules import Entries, Options, Table
from game_masters.titan import GAME, fixture
from game_masters.titan.messages import Message
from game_masters.titan.notation import message_text, read_move
from game_masters.titan.play import Refused
from game_masters.titan.position import Awaiting, Position
from game_masters.titan.rules import Slugathon

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
        said: list[str] = []
        for request in requests:
            assert self.position.asked is not None, "the game is over"
            self.game.apply(self.position.asked.seat, read_move(f"<move>{request}</move>".encode()))
            said += self.news()
        return said

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
        return [str(request) for (request,) in moves if request.TAG == tag]

    def score(self, seat: int) -> int:
        """A player's score."""
        return self.position.score_of(seat)

    def inside(self, marker: str) -> str:
        """What is in a legion."""
        return " ".join(self.position.legions[marker].creatures)

    def fights(self, *, first: str = "maneuver") -> None:
        """Go on to the battle, whatever is asked before."""
        while self.position.asked is not None and self.position.asked.awaiting is not Awaiting.MANEUVER:
            asked = self.position.asked.awaiting
            hex = self.position.engagement.hex if self.position.engagement is not None else ""
            marker = self.position.engagement.defender if self.position.engagement is not None else ""
            self.does(f'<doNotFlee legion="{marker}"/>' if asked is Awaiting.FLEE else f'<fight hex="{hex}"/>')
