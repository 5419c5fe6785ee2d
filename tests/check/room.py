"""Programs of this process on trial, over streams in memory."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import trio
import trio.testing

from tests.check.bots import Bot
from tests.check.counting import GAME_TYPE, CountingOpponents, CountingReferee
from tests.check.masters import Master
from ugs.check.case import Case, CaseFinding, CaseVerdict, NoProgram
from ugs.check.led_game import InstalledRules
from ugs.check.stage import TrialStage
from ugs.check.suites import of_bots, of_masters
from ugs.check.trial import Trial
from ugs.check.tried_bot import TriedBot
from ugs.check.tried_master import TriedMaster
from ugs.processor_time import ProcessorUse

TIMEOUT_S = 5.0


Dial = Callable[[], Awaitable[trio.abc.Stream]]
Program = Callable[[Dial], Awaitable[None]]
"""Opens connections by itself, and ends."""


class Here:
    """Brings connections of a program that runs as a task."""

    by_hand = False

    def __init__(self, program: Program, nursery: trio.Nursery) -> None:
        self._program = program
        self._nursery = nursery
        self._scope = trio.CancelScope()
        self._receive: trio.MemoryReceiveChannel[trio.abc.HalfCloseableStream] | None = None

    async def fresh(self) -> trio.abc.HalfCloseableStream:
        """Start the program."""
        await self.aclose()
        self._scope = trio.CancelScope()
        send, self._receive = trio.open_memory_channel[trio.abc.HalfCloseableStream](10)
        self._nursery.start_soon(self._run, self._scope, send)
        stream = await self.again(TIMEOUT_S)
        if stream is None:
            raise NoProgram("it does not connect")
        return stream

    async def _run(
        self, scope: trio.CancelScope, connections: trio.MemorySendChannel[trio.abc.HalfCloseableStream]
    ) -> None:
        with scope, connections:

            async def dial() -> trio.abc.Stream:
                ours, theirs = trio.testing.memory_stream_pair()
                await connections.send(ours)
                return theirs

            await self._program(dial)

    async def again(self, within_s: float) -> trio.abc.HalfCloseableStream | None:
        """Its next connection."""
        assert self._receive is not None
        with trio.move_on_after(within_s), suppress(trio.EndOfChannel):
            return await self._receive.receive()
        return None

    async def aclose(self) -> None:
        """End the program."""
        self._scope.cancel()

    async def ends(self) -> None:
        """It has nothing to write."""

    def begins_case(self) -> None:
        """Nothing to leave out."""

    def processor_use(self) -> ProcessorUse:
        """Not known."""
        return ProcessorUse()

    def wrote(self) -> list[str]:
        """Nothing."""
        return []


class RunsOn(Here):
    """Brings connections of a program that is started once, by hand, and dials again by itself."""

    by_hand = True

    async def fresh(self) -> trio.abc.HalfCloseableStream:
        """Start the program for the first one."""
        if self._receive is None:
            return await super().fresh()
        stream = await self.again(TIMEOUT_S)
        if stream is None:
            raise NoProgram("it does not connect again")
        return stream

    async def aclose(self) -> None:
        """Let it run."""


def bot_program(kind: type[Bot]) -> Program:
    """A bot that comes back while it has a session."""

    async def program(dial: Dial) -> None:
        token = game = ""
        again = True
        while again:
            bot = kind(await dial())
            bot.token, bot.game = token, game
            try:
                again = await bot.run()
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                again = bool(bot.token)
            except Exception:  # it has crashed
                again = False
            finally:
                await trio.aclose_forcefully(bot.stream)
            token, game = bot.token, bot.game

    return program


def master_program(kind: type[Master]) -> Program:
    """A master with one connection."""

    async def program(dial: Dial) -> None:
        master = kind(await dial())
        try:
            await master.run()
        except Exception:  # it has crashed, or lost its connection
            pass
        finally:
            await trio.aclose_forcefully(master.stream)

    return program


def try_bot(
    kind: type[Bot],
    cases: Sequence[Case] | None = None,
    referee: type[CountingReferee] = CountingReferee,
    brings: type[Here] = Here,
) -> list[CaseFinding]:
    """What comes of a bot."""

    def stage(nursery: trio.Nursery) -> TrialStage:
        here = brings(bot_program(kind), nursery)
        return TriedBot(here, referee(), CountingOpponents(), GAME_TYPE, TIMEOUT_S)

    return _tried(of_bots() if cases is None else cases, stage)


def try_master(kind: type[Master], cases: Sequence[Case] | None = None, *, rules: bool = True) -> list[CaseFinding]:
    """What comes of a master."""

    async def found(game_type: str) -> InstalledRules | None:
        return InstalledRules(CountingReferee(), CountingOpponents(), chance=False) if rules else None

    def stage(nursery: trio.Nursery) -> TrialStage:
        return TriedMaster(Here(master_program(kind), nursery), TIMEOUT_S, rules=found)

    return _tried(of_masters() if cases is None else cases, stage)


def _tried(cases: Sequence[Case], stage: Callable[[trio.Nursery], TrialStage]) -> list[CaseFinding]:
    found: list[CaseFinding] = []

    async def all_of_it() -> None:
        async with trio.open_nursery() as nursery:
            found.extend(await Trial(cases, stage(nursery), lambda finding: None).run())
            nursery.cancel_scope.cancel()

    trio.run(all_of_it, clock=trio.testing.MockClock(autojump_threshold=0))
    return found


def names(findings: Sequence[CaseFinding], verdict: CaseVerdict = CaseVerdict.FAILED) -> list[str]:
    """The names of the cases of which this has come."""
    return [one.case.name for one in findings if one.verdict is verdict]
