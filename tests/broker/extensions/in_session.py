"""Games of players with sessions."""

from tests.broker.house import House, Peer, turn
from ugs.wire.extensions import Failed, Family, RefusalReason, Resume

SESSION, STATE, LOBBY = Family.SESSION, Family.STATE, Family.LOBBY
BODY = b"<gameState><!-- \xc3\xa9 --><a x='1'/></gameState>"
STRANGER = Failed(RefusalReason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")
KEPT = "nick 'ann' is kept for its absent player for another 41 s; come back by x-resume, or wait"


def seated(house: House, *nicks: str, body: bytes = BODY) -> tuple[Peer, ...]:
    """A master of v4 and a game g1 of these: the first has a session and is to move, the others speak v4."""
    first = house.guest(nicks[0], SESSION, STATE)
    others = house.players(*nicks[1:])
    master = house.master("m", (len(nicks), len(nicks)))
    master.says(turn("g1", nicks[0], body))
    for peer in (master, first, *others):
        peer.hears()
        peer.standings()
    return master, first, *others


def refused(house: House, token: str) -> Failed:
    """The answer to a peer that comes with an invalid token."""
    peer = house.greets(SESSION)
    peer.says(Resume(token))
    (answer,) = peer.hears()
    assert isinstance(answer, Failed)
    return answer
