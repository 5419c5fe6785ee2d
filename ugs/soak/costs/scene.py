"""What a cost is: the most expensive thing that one kind of message or request may ask of the loop, within its
limits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

Act: TypeAlias = Callable[[], object]
"""One document handled, one question answered, one timer fired."""


@dataclass(frozen=True, slots=True)
class CostScene:
    """A broker made ready. Each act costs about the same; only the acts are measured."""

    elements: int
    """How many things an act goes through: seats, rows, names, bytes; what the limit bounds."""
    acts: Iterable[Act]
    """A few of them. What has to be made ready before an act is made ready when it is taken out."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What bounds the elements: a setting with its default, or a fixed number."""

    name: str
    most: int


@dataclass(frozen=True, slots=True)
class Cost:
    """One row of the table. ``stage(share)`` makes ready what the limits let in, or that share of it."""

    name: str
    stage: Callable[[float], CostScene]
    limits: tuple[Limit, ...]
    """What bounds the elements."""
    covers: tuple[str, ...] = ()
    """The messages (types of the wire) and questions (class names) whose most expensive case this is."""

    @property
    def what(self) -> str:
        """What happens, in a sentence."""
        return " ".join((self.stage.__doc__ or "").split())
