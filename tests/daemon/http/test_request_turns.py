"""Who is served next over HTTP: whoever asks much waits for itself."""

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ugs.daemon.http.request_turns import PLAYING_GAP_S, ROUND, Caller, RequestTurns, TurnKind, kind_of

CROWD = 390
ATTACKER, OTHER = "203.0.113.1", "192.0.2.1"


class Served:
    """Turns that run, and who was served in which order."""

    def __init__(self, nursery: trio.Nursery, playing: bool = True) -> None:
        self.nursery = nursery
        self.turns = RequestTurns(lambda: playing)
        self.order: list[str] = []

    def runs(self) -> None:
        """Turns are given from now on."""
        self.nursery.start_soon(self.turns.run)

    def asks(self, name: str, origin: str, kind: TurnKind, again: bool = False, gone: bool = False) -> None:
        """A connection wants a turn, or one after the other."""
        caller = Caller(origin, lambda: not gone)

        async def ask() -> None:
            while True:
                await self.turns.wait(caller, kind)
                self.order.append(name)
                if not again:
                    return

        self.nursery.start_soon(ask)


@pytest.mark.parametrize(
    ("kind", "origin", "most"),
    [
        (TurnKind.PLAY, OTHER, 1),
        (TurnKind.PLAY, ATTACKER, 1),
        (TurnKind.HEALTH, OTHER, 3),
        (TurnKind.PAGE, OTHER, len(ROUND) + 1),
    ],
)
@pytest.mark.parametrize("crowd", [TurnKind.HEALTH, TurnKind.PAGE])
async def test_one_more_waits_for_a_turn_or_two_of_a_crowd(
    nursery: trio.Nursery, autojump_clock: MockClock, crowd: TurnKind, kind: TurnKind, origin: str, most: int
) -> None:
    served = Served(nursery)
    for number in range(CROWD):
        served.asks(f"crowd{number}", ATTACKER, crowd, again=True)
    served.runs()
    await trio.sleep(CROWD * PLAYING_GAP_S * 2.5)
    served.order.clear()
    served.asks("one", origin, kind)
    await trio.sleep((most + 2) * PLAYING_GAP_S)
    assert served.order.index("one") <= most


async def test_connections_of_one_address_take_turns(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    served = Served(nursery)
    for name in "abc":
        served.asks(name, ATTACKER, TurnKind.PAGE, again=True)
    served.runs()
    await trio.sleep(30.5 * PLAYING_GAP_S)
    assert {name: served.order.count(name) for name in "abc"} == dict.fromkeys("abc", 10) | {served.order[0]: 11}


async def test_nobody_waits_for_ever_behind_those_who_play(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    served = Served(nursery)
    for number in range(50):
        served.asks("player", f"192.0.2.{number}", TurnKind.PLAY, again=True)
    served.asks("page", OTHER, TurnKind.PAGE, again=True)
    served.asks("health", OTHER, TurnKind.HEALTH, again=True)
    served.runs()
    await trio.sleep(99.5 * PLAYING_GAP_S)
    assert {name: served.order.count(name) for name in ("player", "page", "health")} == {
        "player": 50,
        "page": 25,
        "health": 25,
    }


@pytest.mark.parametrize("playing", [True, False])
async def test_there_are_gaps_while_games_are_played(
    nursery: trio.Nursery, autojump_clock: MockClock, playing: bool
) -> None:
    served = Served(nursery, playing)
    for number in range(10):
        served.asks(str(number), ATTACKER, TurnKind.PAGE)
    began = trio.current_time()
    served.runs()
    while len(served.order) < 10:  # noqa: ASYNC110
        await trio.sleep(PLAYING_GAP_S / 10)
    assert (trio.current_time() - began >= 9 * PLAYING_GAP_S) is playing


async def test_who_has_gone_costs_no_gap(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    served = Served(nursery)
    for number in range(1000):
        served.asks("gone", f"10.0.{number % 250}.{number // 250}", TurnKind.PAGE, gone=True)
    served.asks("here", OTHER, TurnKind.PAGE)
    await wait_all_tasks_blocked()
    served.runs()
    await trio.sleep(2 * PLAYING_GAP_S)
    assert "here" in served.order


async def test_two_tasks_of_one_connection_may_wait_for_one_turn(nursery: trio.Nursery) -> None:
    turns = RequestTurns(lambda: False)
    caller = Caller(OTHER)
    nursery.start_soon(turns.run)
    async with trio.open_nursery() as both:
        for _ in range(2):
            both.start_soon(turns.wait, caller, TurnKind.PAGE)


def _kinds() -> dict[bytes, TurnKind]:
    return {
        b"/healthz": TurnKind.HEALTH,
        b"/readyz?x=1": TurnKind.HEALTH,
        b"/metrics": TurnKind.HEALTH,
        b"/": TurnKind.PAGE,
        b"/healthz/": TurnKind.PAGE,
        b"/games?id=/healthz": TurnKind.PAGE,
        b"*": TurnKind.PAGE,
    }


@pytest.mark.parametrize(("target", "kind"), _kinds().items())
def test_health_is_a_matter_of_the_path(target: bytes, kind: TurnKind) -> None:
    assert kind_of(target) is kind


def test_every_kind_has_its_turn_in_the_round() -> None:
    decide: Callable[[TurnKind], int] = ROUND.count
    assert all(decide(kind) for kind in TurnKind)
