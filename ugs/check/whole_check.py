"""A whole check: the program on trial, and what plays the other side around it."""

import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from shlex import split
from typing import Final

import trio

from ugs.check.case import Case, CaseFinding, NoProgram
from ugs.check.led_game import InstalledRules
from ugs.check.offered_moves import OfferedMoves
from ugs.check.referee import WITH_SKETCHES, BundledOpponents, MasterReferee
from ugs.check.trial import Trial
from ugs.check.tried_bot import TriedBot
from ugs.check.tried_master import TriedMaster
from ugs.check.visitors import ByHand, StartedProgram, Visitors
from ugs.game_collections import in_collection
from ugs.match.games import GROUP, InstalledGame, find_game
from ugs.match.match_settings import WrongMatch
from ugs.replay.dialogue import Dialogue

ANSWER_S: Final = 10.0
"""Seconds for an answer, unless set otherwise."""
MASTER_S: Final = 60.0
"""The same for our own game master, on a busy machine."""

Show = Callable[[CaseFinding], None]


@dataclass(frozen=True, slots=True)
class Where:
    """Where the program on trial comes from."""

    command: Sequence[str] = ()
    listen: tuple[str, int] | None = None
    """The address to wait at for a program that is started by hand; then there is no command."""
    ask: Callable[[str], None] = lambda text: None
    """Called with a sentence for who has to start it."""
    timeout_s: float = ANSWER_S


async def check_bot(where: Where, game: InstalledGame, cases: Sequence[Case], show: Show) -> list[CaseFinding]:
    """Try a bot of an installed game. Raises NoProgram if nothing could be tried."""
    found: list[CaseFinding] = []
    async with trio.open_nursery() as nursery:
        visitors = await _visitors(where, nursery)
        async with _our_master(game, nursery) as referee:
            stage = TriedBot(visitors, referee, BundledOpponents(game), game.game_type, where.timeout_s)
            found += await _run(cases, stage, show)
        nursery.cancel_scope.cancel()
    return found


async def check_own_bot(
    where: Where, master: str, game_type: str, cases: Sequence[Case], show: Show
) -> list[CaseFinding]:
    """Try a bot of a game that a program leads: ``master`` is its command line, ``game_type`` what it has to lead,
    empty for any. Raises NoProgram if nothing could be tried."""
    found: list[CaseFinding] = []
    async with trio.open_nursery() as nursery:
        visitors = await _visitors(where, nursery)
        started = StartedProgram(split(master), nursery, MASTER_S)
        try:
            async with await _started(started) as stream:
                referee = MasterReferee(Dialogue(stream, MASTER_S), WITH_SKETCHES, "the game master")
                await referee.enter()
                if game_type not in ("", referee.game_type):
                    raise NoProgram(f"the game master leads {referee.game_type!r}, not {game_type!r}")
                opponents = OfferedMoves(referee.drawings)
                stage = TriedBot(visitors, referee, opponents, referee.game_type, where.timeout_s)
                found += await _run(cases, stage, show)
        finally:
            await started.aclose()
        nursery.cancel_scope.cancel()
    return found


async def check_master(where: Where, game_type: str, cases: Sequence[Case], show: Show) -> list[CaseFinding]:
    """Try a game master. Raises NoProgram if nothing could be tried."""
    found: list[CaseFinding] = []
    async with trio.open_nursery() as nursery:
        visitors = await _visitors(where, nursery)
        rules = _Installed(nursery)
        try:
            stage = TriedMaster(visitors, where.timeout_s, game_type, rules.of)
            found += await _run(cases, stage, show)
        finally:
            await rules.aclose()
        nursery.cancel_scope.cancel()
    return found


async def _run(cases: Sequence[Case], stage: TriedBot | TriedMaster, show: Show) -> list[CaseFinding]:
    try:
        return await Trial(cases, stage, show).run()
    finally:
        with trio.CancelScope(shield=True):
            await stage.visitors.aclose()


async def _visitors(where: Where, nursery: trio.Nursery) -> Visitors:
    """Raises NoProgram when the address is taken."""
    if where.listen is None:
        return StartedProgram(where.command, nursery, where.timeout_s)
    host, port = where.listen
    try:
        # A host may have several addresses; a program is started with one of them.
        (listener, *_) = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise NoProgram(f"{host}:{port}: {error.strerror or error}") from None
    return ByHand(listener, where.ask)


class _Installed:
    """The rules of the game that a master turns out to lead, if they are installed."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._stack = AsyncExitStack()

    async def of(self, game_type: str) -> InstalledRules | None:
        """Those of this type."""
        game = game_of_type(game_type)
        if game is None:
            return None
        referee = await self._stack.enter_async_context(_our_master(game, self._nursery))
        return InstalledRules(referee, BundledOpponents(game), game.chance)

    async def aclose(self) -> None:
        """End our own master."""
        await self._stack.aclose()


async def _started(master: StartedProgram) -> trio.abc.HalfCloseableStream:
    """The connection of a game master. Raises NoProgram, which names it: the bot is another program."""
    try:
        return await master.fresh()
    except NoProgram as error:
        raise NoProgram(f"the game master: {error}") from None


@asynccontextmanager
async def _our_master(game: InstalledGame, nursery: trio.Nursery) -> AsyncIterator[MasterReferee]:
    """The installed master of a game, for as long as it is needed."""
    master = StartedProgram(our_master(game.name), nursery, MASTER_S)
    try:
        async with await master.fresh() as stream:
            referee = MasterReferee(Dialogue(stream, MASTER_S))
            await referee.enter()
            yield referee
    finally:
        await master.aclose()


def our_master(game: str) -> list[str]:
    """The command line of the installed master of a game."""
    return [sys.executable, "-m", "ugs", "master", game, "--connect", "{address}", "--once", "--log-level", "warning"]


def game_of_type(game_type: str) -> InstalledGame | None:
    """The installed game of this type, if there is one."""
    named = [game_type] if in_collection(game_type) else sorted(point.name for point in entry_points(group=GROUP))
    for name in named:
        try:
            game = find_game(name)
        except WrongMatch:
            continue
        if game.game_type == game_type:
            return game
    return None
