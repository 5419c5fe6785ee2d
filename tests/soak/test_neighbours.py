"""What neighbours of an attack have waited for is held against a bound."""

import pytest
import trio
from trio.testing import MockClock

from ugs.soak.neighbours import BOUND_S, Waits
from ugs.soak.report import dealt_with
from ugs.soak.target import Dealt


async def waits(dealt: Dealt, *seconds: float) -> None:
    """Somebody waits so long, one time after the other, until the attack ends."""
    with Waits(dealt, "a login").judged() as waited:
        for each in seconds:
            with waited.one():
                await trio.sleep(each)


async def test_who_waits_little_is_not_harmed(autojump_clock: MockClock) -> None:
    dealt = Dealt()
    await waits(dealt, 0.1, BOUND_S, 0.2)
    assert dealt.harm == []
    assert dealt.waited == {"a login": BOUND_S}
    assert f"a login: {BOUND_S * 1000:.0f} ms" in dealt_with(dealt.as_dict())


@pytest.mark.parametrize(
    ("seconds", "said"), [((0.1, 2.0), "a login: waited 2000 ms, bound 1000"), ((), "a login: was never there")]
)
async def test_who_waits_long_or_for_ever_is(autojump_clock: MockClock, seconds: tuple[float, ...], said: str) -> None:
    dealt = Dealt()
    await waits(dealt, *seconds)
    assert dealt.harm == [said]


async def test_who_still_waits_at_the_end_has_waited(autojump_clock: MockClock) -> None:
    dealt = Dealt()
    with trio.move_on_after(3):
        await waits(dealt, 0.1, 100)
    assert dealt.harm == ["a login: waited 2900 ms, bound 1000"]
