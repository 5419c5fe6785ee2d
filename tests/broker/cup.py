"""What most tests of championships need: players log in, games are played."""

from tests.broker.house import CHESS, House, Peer, over, thank
from ugs.wire.messages import BeginGame

IS_OVER = (
    "championship cup is over; its results stand; `ugs championship correct` puts a result right, "
    "and `ugs championship disqualify` takes an entrant's place away"
)
"""Why an order comes too late."""


def plays(house: House, master: Peer, peers: dict[str, Peer], games: int = 0) -> None:
    """End ``games`` games (0: all of the championship), each won by the nick that sorts first."""
    left = games or 99
    while left and house.broker.games and (games or house.broker.server.types[CHESS].championship is not None):
        game = house.broker.games[0]
        first, *others = sorted(game.present)
        master.says(over(game.id, first, losers=tuple(others)))
        thank(game.id, *(peers[nick] for nick in (first, *others)))
        left -= 1


def comes(house: House, *nicks: str) -> dict[str, Peer]:
    """Log players in; returns them by nick."""
    return {nick: house.player(nick) for nick in nicks}


def begun(house: House) -> list[object]:
    """Who has begun which championship, in order."""
    return [(note["championship"], note["players"]) for note in house.noted("championship begun")]


def over_by_name(house: House) -> list[object]:
    """Which championships are over, in order."""
    return [note["championship"] for note in house.noted("championship over")]


def asked(master: Peer) -> list[set[str]]:
    """Who meets whom in the games the master has been asked to begin."""
    return [set(message.players) for message in master.hears() if isinstance(message, BeginGame)]
