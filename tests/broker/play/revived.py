"""Games that go on after the server was killed."""

from tests.broker.house import House, Peer, turn
from ugs.broker.effects import RecordBegin
from ugs.wire.extensions import Failed, Family, PastLeft, PastMove, Reason, Restore, Resume

SESSION, RESTORE, VIEWS, MOVERS, LOBBY = (
    Family.SESSION,
    Family.RESTORE,
    Family.VIEWS,
    Family.MOVERS,
    Family.LOBBY,
)

FIRST = b"<gameState><!-- 1 --></gameState>"
ANN, BEN = b"<gameState>ann's</gameState>", b"<gameState>ben's</gameState>"
LOST = Failed(Reason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")


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


def refused(house: House, token: str) -> Failed:
    """The answer to a peer that comes with an invalid token."""
    peer = house.greets(SESSION)
    peer.says(Resume(token))
    (answer,) = peer.hears()
    assert isinstance(answer, Failed)
    return answer
