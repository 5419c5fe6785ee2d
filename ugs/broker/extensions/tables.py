"""Tables: players set them up, sit down at them, and begin the game there when they like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ugs.broker.desk import Desk, GameType
from ugs.broker.effects import RecordBegin
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.link import Link
from ugs.broker.onlookers import Onlookers
from ugs.wire.extensions import Advertise, Cancel, Join, ListTables, Quit, Start, TableInfo, Visibility, Wait
from ugs.wire.messages import Choice

if TYPE_CHECKING:
    from ugs.broker.rules import Rules


@dataclass(slots=True, eq=False)
class GameTable:
    """One table, from the moment at which it is set up to the end of the game there."""

    id: str
    """That of its game, once there is one."""
    name: str
    type: GameType
    owner: Link
    """Who has set it up."""
    seats: int
    """All of them, with those of ``computers``."""
    computers: int
    visibility: Visibility
    options: Mapping[str, str]
    """What was chosen."""
    invited: tuple[str, ...]
    members: list[Link]
    """Who sits there, in the order in which they sat down; nobody once the game has begun."""
    active_at: float = 0.0
    """When somebody last sat down or got up."""
    warned: bool = False
    """Whether those who sit there have been told that nothing has happened for long."""
    playing: bool = False
    """Whether the game has begun."""
    awaits_master: bool = False
    """Whether it begins as soon as there is a master for it."""

    @classmethod
    def again(cls, begin: RecordBegin, owner: Link, members: Sequence[Link]) -> "GameTable":
        """The table of a game in which the server was lost."""
        assert owner.type is not None
        total = begin.seats_total or len(begin.seats)
        facts = begin.table
        return cls(
            begin.game_id,
            facts["name"],
            owner.type,
            owner,
            total,
            total - len(begin.seats),
            Visibility(facts["visibility"]),
            begin.options,
            (),
            [],
            playing=True,
        )

    @property
    def free(self) -> int:
        """Seats on which nobody sits yet."""
        return self.seats - self.computers - len(self.members)

    @property
    def facts(self) -> dict[str, str]:
        """What is recorded of it with its game."""
        return {"name": self.name, "owner": self.owner.name, "visibility": self.visibility.value}

    @property
    def info(self) -> TableInfo:
        """What players are told of it."""
        options = tuple([Choice(name, value) for name, value in self.options.items()])
        return TableInfo(
            self.id,
            self.name,
            self.type.name,
            self.owner.name,
            self.seats,
            self.free,
            self.computers,
            self.visibility,
            options,
            self.invited,
        )


class Tables:
    """Answers the requests about tables."""

    def __init__(self, desk: Desk, rules: "Rules", onlookers: Onlookers) -> None:
        self._desk = desk
        self._rules = rules

    def list(self, link: Link, message: ListTables) -> Refusal | None:
        raise NotImplementedError

    def advertise(self, link: Link, message: Advertise) -> Refusal | None:
        raise NotImplementedError

    def join(self, link: Link, message: Join) -> Refusal | None:
        raise NotImplementedError

    def start(self, link: Link, message: Start) -> Refusal | None:
        raise NotImplementedError

    def cancel(self, link: Link, message: Cancel) -> Refusal | None:
        raise NotImplementedError

    def quit(self, link: Link, message: Quit) -> Refusal | None:
        raise NotImplementedError

    def wait(self, link: Link, message: Wait) -> Refusal | None:
        raise NotImplementedError
