"""Games that go on after the server was killed."""

from tests.broker.house import House, Peer, turn
from ugs.broker.effects import RecordBegin
from ugs.wire.extensions import Family, PastLeft, PastMove, Restore

SESSION, RESTORE, LOBBY = Family.SESSION, Family.RESTORE, Family.LOBBY
VIEWS, MOVERS = Family.VIEWS, Family.MOVERS
FIRST = b"<gameState><!-- 1 --></gameState>"
ANN, BEN = b"<gameState>ann's</gameState>", b"<gameState>ben's</gameState>"


def game(house: House, *nicks: str, families: tuple[Family, ...] = (RESTORE,)) -> tuple[Peer, ...]:
    """A game g1 of these, who all have sessions; the first has been asked to move."""
    players = [house.guest(nick, SESSION) for nick in nicks]
    master = house.leader("m", *families, players=(len(nicks), len(nicks)))
    master.says(turn("g1", nicks[0], FIRST))
    for peer in (master, *players):
        peer.hears()
    return master, *players


def restored(house: House, *happened: PastMove | PastLeft, nicks: tuple[str, ...] = ("ann", "ben")) -> Restore:
    """What a new master of g1 is told; ``house`` is the one in which it began."""
    (seed,) = [one.seed for one in house.records if isinstance(one, RecordBegin) and one.game_id == "g1"]
    return Restore("g1", nicks, (), 0, seed, happened)
