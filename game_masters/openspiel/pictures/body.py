"""What the body of a picture is: the part that differs from game to game."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from game_masters.openspiel.view import Play, View
from ugs.pictures.contract import Line
from ugs.pictures.svg import Svg

WIDTH: Final = 320.0
MARGIN: Final = 14.0
PAINTS: Final = ("red", "blue", "green", "yellow", "violet", "sky", "gold", "rock", "marsh", "swamp")
"""The colours of seats; each has its number beside it."""


class Body(ABC):
    """The position of a game, to be drawn below the seats."""

    @property
    def paints(self) -> Sequence[str]:
        """The colours of the seats."""
        return PAINTS

    @property
    @abstractmethod
    def height(self) -> float:
        """How high it is, where a picture is :data:`WIDTH` wide."""

    def in_words(self, move: str) -> str:
        """The text of a move for people, who see the board; as OpenSpiel writes it unless a board knows better."""
        return move

    @abstractmethod
    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        """Draw it below ``top``. ``plays`` are the moves that may be clicked; return the places of those that can be
        clicked on it."""

    @abstractmethod
    def text(self, width: int) -> Sequence[Line]:
        """Return it for a terminal."""

    @abstractmethod
    def words(self) -> str:
        """Return it in words."""


BodyMaker: TypeAlias = Callable[[View], "Body | None"]
"""Reads the body of a position; None where it is not as expected."""
