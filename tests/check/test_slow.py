"""A program that sends nothing since it computes is told from one that waits."""

import pytest
import trio
import trio.testing

from tests.check.room import Dial, Here
from ugs.check.byte_line import End
from ugs.check.case import Broken, Case, CaseFinding
from ugs.check.stage import TrialStage
from ugs.check.trial import Trial
from ugs.processor_time import ProcessorUse


class Stage(TrialStage):
    """Where a program only connects."""

    def forgets(self) -> None:
        """Nothing."""

    async def enter(self) -> None:
        """Nothing is awaited of it."""


class Timed(Here):
    """Of whose program it is known how much of the time it computes, and waits for a processor."""

    part = 0.0

    waiting = 0.0

    def processor_use(self) -> ProcessorUse:
        """These parts of all the time."""
        return ProcessorUse(self.part * trio.current_time(), self.waiting * trio.current_time())


async def silent(part: float, waiting: float) -> list[CaseFinding]:
    """What comes of a program that sends nothing, and computes for this part of the time."""

    async def program(dial: Dial) -> None:
        await dial()
        await trio.sleep_forever()

    async def asked(stage: Stage) -> None:
        end = await stage.on.receive()
        assert isinstance(end, End)
        raise Broken(f"expected a move; it {end.value}")

    async with trio.open_nursery() as nursery:
        visitors = Timed(program, nursery)
        visitors.part, visitors.waiting = part, waiting
        found = await Trial([Case("move", "a move", "", asked)], Stage(visitors, 10), lambda finding: None).run()
        nursery.cancel_scope.cancel()
    return found


@pytest.mark.parametrize(
    ("part", "waiting", "said"),
    [
        (0.99, 0.0, "expected a move; it sent nothing (it used 9.9 s of processor time meanwhile)"),
        (
            0.3,
            0.6,
            "expected a move; it sent nothing "
            "(it used 3.0 s of processor time meanwhile, and waited for a processor for 6.0 s)",
        ),
        (0.5, 0.0, "expected a move; it sent nothing"),
        (0.0, 0.9, "expected a move; it sent nothing"),
    ],
)
def test_slow_is_not_deaf(part: float, waiting: float, said: str) -> None:
    (finding,) = trio.run(silent, part, waiting, clock=trio.testing.MockClock(autojump_threshold=0))
    assert finding.text == said
