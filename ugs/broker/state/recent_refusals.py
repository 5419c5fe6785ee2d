"""Logins that were refused lately, and lines that the server has closed: for people who ask why."""

from collections import OrderedDict
from dataclasses import field, replace
from typing import Final, Generic, TypeVar

from ugs.broker.values.name_rules import unique_form
from ugs.value import state, value

MAX_NAMES: Final = 1000
"""Names that are remembered."""
MAX_OF_ORIGIN: Final = 50
"""Names that are remembered per address: no address can push out those of others."""
MAX_NAME: Final = 64
"""Characters of a name that is remembered; a longer one is no name."""


@value
class Refused:
    """The last refusal of a name, and how many there were in a row. ``at`` in seconds of the broker's clock."""

    name: str
    role: str
    why: str
    address: str
    origin: str
    at: float
    times: int = 1


@value
class Closed(Refused):
    """The last time that the server closed the line of a name for a mistake, and how often in all. ``private``: it was
    at a private table, or in the game there."""

    private: bool = False


R = TypeVar("R", bound=Refused)


@state(eq=True)
class LatestRefusals(Generic[R]):
    """By role and the unique form of the name, oldest first."""

    latest: OrderedDict[tuple[str, str], R] = field(default_factory=OrderedDict)

    def remember(self, one: R) -> None:
        """Add one. Beyond the limits, the oldest of its address, then the oldest of all, is forgotten."""
        if not 1 <= len(one.name) <= MAX_NAME:
            return
        key = (one.role, unique_form(one.name))
        before = self.latest.pop(key, None)
        times = 1 if before is None else before.times + 1
        of_origin = [other for other, known in self.latest.items() if known.origin == one.origin]
        if len(of_origin) >= MAX_OF_ORIGIN:
            del self.latest[of_origin[0]]
        elif len(self.latest) >= MAX_NAMES:
            self.latest.popitem(last=False)
        self.latest[key] = replace(one, times=times)

    def find(self, role: str, name: str) -> R | None:
        """The last one of this name in this role, or None."""
        return self.latest.get((role, unique_form(name)))
