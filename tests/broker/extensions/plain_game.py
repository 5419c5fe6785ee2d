"""A whole game of two players who ask for every extension but the lobby, as a program: it needs nothing but ``ugs``.

``test_removal.py`` runs it with copies of ``ugs`` that lack an extension.
"""

from itertools import count

from ugs.broker.broker import Broker
from ugs.broker.effects import Send
from ugs.broker.events import Connected, Event, Received, ResultKept, ShutdownAsked, Started
from ugs.config import parse
from ugs.wire.extensions import Family, Hello
from ugs.wire.messages import (
    Error,
    GameMasterLogin,
    GameState,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

MASTER, PLAYERS = 1, {2: "ann", 3: "ben"}
OVER = GameState("g1", None, (PlayerResult("ann", Result.WINNER), PlayerResult("ben", Result.LOSER)))


def play() -> None:
    """Play it. Raises AssertionError when it does not go as it should."""
    ids, secrets = count(1), count(1)
    broker = Broker(parse({"time_s": 60}, "test"), lambda: f"g{next(ids)}", lambda: f"{next(secrets):036}")
    sent: list[tuple[int, Message]] = []

    def happens(*events: Event) -> None:
        for event in events:
            effects = broker.handle(event, 1.0)
            sent.extend((conn, one.message) for one in effects if isinstance(one, Send) for conn in one.to)

    happens(Started(), *map(Connected, (MASTER, *PLAYERS)), Received(MASTER, GameMasterLogin("m", "chess", "2", "2")))
    families = Hello(tuple(family.value for family in Family if family is not Family.LOBBY))
    for conn, nick in PLAYERS.items():
        happens(Received(conn, families), Received(conn, PlayerLogin(nick, "chess")))
    happens(Received(MASTER, GameState("g1", "ann", None)), Received(2, Move("g1", b"<move/>")))
    happens(Received(MASTER, OVER), ResultKept("g1"))
    for conn in PLAYERS:
        assert (conn, OVER) in sent
        happens(Received(conn, ThankYou("g1")))
    assert not [message for _, message in sent if isinstance(message, Error)]
    happens(ShutdownAsked())
    assert broker.server.condition.stopped


if __name__ == "__main__":
    play()
