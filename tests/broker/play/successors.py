"""Games that were led by a master that is lost."""

from tests.broker.house import House, Peer, turn
from ugs.broker.effects import RecordBegin
from ugs.wire.extensions import Family, PastLeft, PastMove, Restore
from ugs.wire.messages import Error

RESTORE, TABLE, MOVERS, VIEWS = Family.RESTORE, Family.TABLE, Family.MOVERS, Family.VIEWS
FIRST = b"<gameState>first</gameState>"
VOID = Error("game void: the game master is gone")


def game(house: House, *nicks: str, families: tuple[Family, ...] = (RESTORE,)) -> tuple[Peer, ...]:
    """A game of these in which the first has been asked to move."""
    master, *players = house.table(*nicks, families=families)
    master.says(turn("g1", nicks[0], FIRST))
    for peer in players:
        peer.hears()
    return master, *players


def restored(house: House, *happened: PastMove | PastLeft, nicks: tuple[str, ...] = ("ann", "ben")) -> Restore:
    """What a new master of g1 is told."""
    return Restore("g1", nicks, (), 0, seed_of(house), happened)


def seed_of(house: House) -> str:
    """The seed of g1."""
    (begin,) = [one for one in house.records if isinstance(one, RecordBegin) and one.game_id == "g1"]
    assert len(begin.seed) >= 32
    return begin.seed
