"""What a node lets the others know of itself. It is written to the database as JSON with these names."""

from ugs.broker.values.replies import PublicServer
from ugs.value import value
from ugs.wire.extensions import GameTypeInfo


@value
class NodeCounts:
    """A node in numbers, private games included."""

    games: int = 0
    players: int = 0
    waiting: int = 0
    masters: int = 0


@value
class NodeOverview:
    """What is public at a node, as much of it as others are shown."""

    counts: NodeCounts
    public: PublicServer
    offers: tuple[GameTypeInfo, ...]
    """The game types that masters there lead."""


@value
class OtherNode:
    """Another node as it was ``age_s`` seconds ago."""

    name: str
    overview: NodeOverview
    age_s: float
