"""Costs of coming and going: logins, lost lines, sessions, with as many peers as a server lets in."""

from collections.abc import Iterator
from functools import partial
from itertools import repeat
from typing import Final

from ugs.broker.entrance.pool import BEGUN_AT_ONCE, MAX_SEATED_AT_ONCE
from ugs.broker.events import Timer, TimerFired, TimerKind
from ugs.broker.play.intake import LOST_AT_ONCE, MAX_LOST_SEATS
from ugs.broker.values import questions
from ugs.broker.values.questions import ActKind
from ugs.config import parse
from ugs.soak import traffic
from ugs.soak.costs.rig import Rig
from ugs.soak.costs.scene import Act, CostScene
from ugs.wire.extensions.negotiation import MAX_FAMILIES

TIMES: Final = 5
GAME_TYPE: Final = "chess"


def rig(**settings: object) -> Rig:
    """A server with default settings, and these."""
    return Rig(parse(settings, "costs"))


def player_login(share: float) -> CostScene:
    """A player logs in where the server is nearly full, all of its type wait, and the standings are long."""
    one = rig()
    # A little below the limit: the act itself must be let in.
    number = int((one.config.max_pool - 10) * share)
    one.players(number, GAME_TYPE)

    def acts() -> Iterator[Act]:
        for nick in range(TIMES):
            conn = one.connects()
            yield partial(one.sends, conn, traffic.player_login(f"late{nick}", GAME_TYPE))

    return CostScene(number, acts())


def refused_login(share: float) -> CostScene:
    """A login is refused, since the nick is in use, on a server that is nearly full."""
    one = rig()
    number = int((one.config.max_pool - 10) * share)
    one.players(number, GAME_TYPE)

    def acts() -> Iterator[Act]:
        for _ in range(TIMES):
            conn = one.connects()
            yield partial(one.sends, conn, traffic.player_login("p1", GAME_TYPE))

    return CostScene(number, acts())


def master_login(share: float) -> CostScene:
    """A game master comes for whom as many players wait as a pool may have; as large games as begin as many at once."""
    number = int((parse({}, "defaults").max_pool - 10) * share)

    def acts() -> Iterator[Act]:
        for _ in range(2):
            one = rig()
            one.players(number, GAME_TYPE)
            conn = one.connects()
            seats = MAX_SEATED_AT_ONCE // BEGUN_AT_ONCE
            yield partial(one.sends, conn, traffic.master_login("m", seats, seats, GAME_TYPE))

    return CostScene(number, acts())


def _games(one: Rig, number: int, seats: int = 2) -> int:
    """A master with ``number`` games, all waiting for a move; returns its connection."""
    master = one.master("m", GAME_TYPE, least=seats, most=seats)
    one.players(seats * number, GAME_TYPE)
    one.passes(2)
    while one.begun:
        game = one.begun.popleft()
        one.sends(master, traffic.state(game.game_id, game.players[0]))
    return master


def master_lost(share: float) -> CostScene:
    """The line of a game master is cut that leads as many games as the logins allow; as large as are lost together."""
    seats = MAX_LOST_SEATS // LOST_AT_ONCE
    number = max(1, int((parse({}, "defaults").max_logins // seats - 10) * share))

    def acts() -> Iterator[Act]:
        for _ in range(2):
            one = rig()
            master = _games(one, number, seats)
            yield partial(one.goes, master)

    return CostScene(number, acts())


def player_lost(share: float) -> CostScene:
    """The line of a player is cut in a game, on a server that is nearly full."""
    one = rig()
    number = int((one.config.max_logins // 2 - 10) * share)
    _games(one, number)
    # Connection 1 is the master's; these are one player of each game.
    return CostScene(number, [partial(one.goes, 3 + 2 * lost) for lost in range(TIMES)])


def hello(share: float) -> CostScene:
    """A newcomer asks for as many families as it may."""
    one = rig()
    families = [f"family-{number}" for number in range(max(1, int(MAX_FAMILIES * share)))]

    def acts() -> Iterator[Act]:
        for _ in range(TIMES):
            conn = one.connects()
            yield partial(one.sends, conn, traffic.hello(*families))

    return CostScene(len(families), acts())


def resume(share: float) -> CostScene:
    """A player comes back where as many are absent as may be."""
    # All come from one address here, whose own limit would be met first.
    one = rig(max_absent_per_ip=parse({}, "defaults").max_absent)
    number = int((one.config.max_absent - 10) * share)
    for conn in one.players(number, GAME_TYPE, "session"):
        one.goes(conn)
    tokens = [one.tokens.popleft() for _ in range(TIMES)]

    def acts() -> Iterator[Act]:
        for token in tokens:
            conn = one.connects(traffic.hello("session"))
            yield partial(one.sends, conn, f'<message type="x-resume"><session token="{token}"/></message>'.encode())

    return CostScene(number, acts())


def silence(share: float) -> CostScene:
    """The look for idle players, with as many sessions as a server lets in, all silent for long."""
    one = rig()
    number = int((one.config.max_logins - 10) * share)
    one.players(number, GAME_TYPE, "session")
    one.now += one.config.player_idle_s + 1
    return CostScene(number, [partial(one.happens, TimerFired(Timer(TimerKind.SILENCE, "")))])


def champions(share: float) -> CostScene:
    """Standings of the largest size have changed, on a server that is nearly full of idle players."""
    one = rig()
    number = int((one.config.max_logins - 10) * share)
    one.players(number, GAME_TYPE)

    def acts() -> Iterator[Act]:
        for _ in range(2):
            # As after a result.
            one.broker.server.types[GAME_TYPE].standings.version += 1
            # Longer than champions_interval_s, or nothing would be sent.
            one.now += 3
            yield partial(one.happens, TimerFired(Timer(TimerKind.CHAMPIONS, GAME_TYPE)))

    return CostScene(number, acts())


def broadcast(share: float) -> CostScene:
    """An organiser sends a broadcast, on a server that is nearly full."""
    one = rig()
    number = int((one.config.max_logins - 10) * share)
    one.players(number, GAME_TYPE)
    act = questions.Act(ActKind.BROADCAST, "Lunch", "ada", "lunch", to_all=True)
    return CostScene(number, repeat(partial(one.asks, act), TIMES))
