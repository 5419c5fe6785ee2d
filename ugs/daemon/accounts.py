"""Accounts of games for players who ask why (``x-why``), read from the journal by a thread.

One is read at a time and few may wait, so that no number of questions slows the server down: each takes the interpreter
for some milliseconds at a time. Entries of very long games are left out.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog
import trio

from ugs.broker.effects import Explain
from ugs.broker.events import Event, Explained
from ugs.daemon.supervision import Tasks
from ugs.daemon.wall_clock import WallClock
from ugs.journal.reader import Reader
from ugs.journal.schema import JournalError
from ugs.record.times import MICRO
from ugs.why.own import own_account
from ugs.wire.extensions import Reason

MOST_WAITING: Final = 32
"""Accounts that may wait for being read; who asks then is told to ask again."""
MOST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of the entries of a game that are read for one account: about 50 ms."""
AGAIN_S: Final = 5.0
"""Seconds after which it may help to ask again."""


class Accounts:
    """Performs ``Explain``. ``happens`` takes the events, ``tasks`` holds a task for each account; without a
    ``directory`` there is no journal, and what the broker knows is all there is. ``wall`` is the clock on the wall."""

    def __init__(
        self,
        directory: Path | None,
        happens: Callable[[Event], None],
        tasks: Tasks,
        wall: WallClock | None = None,
    ) -> None:
        self._wall = wall or WallClock()
        self._directory = directory
        self._happens = happens
        self._tasks = tasks
        self._one_at_a_time = trio.CapacityLimiter(1)
        self._waiting = 0
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def explain(self, effect: Explain, _now: float) -> None:
        """Perform: the account is going to be read."""
        if self._directory is None:
            self._happens(_told(effect, None))
        elif self._waiting >= MOST_WAITING:
            text = f"x-why: too many accounts are being written; ask again in {AGAIN_S:g} s"
            self._happens(Explained(effect.conn, effect.ref, effect.game_id, text, Reason.RATE_LIMIT, AGAIN_S))
        else:
            self._waiting += 1
            self._tasks.start_soon(self._explain, effect, self._directory)

    async def _explain(self, effect: Explain, directory: Path) -> None:
        try:
            now_s, asked = self._by_the_wall(effect)
            text = await trio.to_thread.run_sync(
                read_account, directory, asked, int(now_s * MICRO), limiter=self._one_at_a_time, abandon_on_cancel=True
            )
        except JournalError as error:
            self._log.warning("account not read", game=effect.game_id, reason=str(error))
            text = None
        except Exception:  # the player waits for an answer
            self._log.exception("bug in the server", during="x-why", game=effect.game_id)
            text = None
        finally:
            self._waiting -= 1
        self._happens(_told(effect, text))

    def _by_the_wall(self, effect: Explain) -> tuple[float, Explain]:
        """The time in seconds since 1970, and the effect with how much later than its moments that is. The journal has
        what the clock showed then, also if it was set since."""
        now = trio.current_time()
        self._wall.look(now)
        now_s = self._wall.showed_s(now)
        since_s = self._wall.showed_s(now - effect.since_ago_s)
        # Whose session still lasts may have begun it later by the clock than it is now.
        until_s = self._wall.showed_s(now - effect.until_ago_s) if effect.until_ago_s > 0 else math.inf
        return now_s, replace(effect, since_ago_s=now_s - since_s, until_ago_s=now_s - until_s)


def read_account(directory: Path, effect: Explain, now_us: int) -> str | None:
    """The account that ``effect`` asks for; None when the journal has no such game, or may not show it. Raises
    JournalError."""
    with Reader(directory) as reader:
        head = reader.head(effect.game_id)
        if head is None:
            return None
        summary, size = head
        is_own = any(seat.nick == effect.nick for seat in summary.seats)
        begun_ago_s = (now_us - summary.began_us) / 1e6
        if not is_own or not (effect.known or effect.until_ago_s <= begun_ago_s <= effect.since_ago_s):
            return None
        if size > MOST_BYTES:
            lines = effect.known or (f"game {effect.game_id}",)
            return "\n".join([*lines, f"its record has {size} bytes, too many to be shown here; ask the organiser"])
        text = own_account(reader.record(effect.game_id), effect.nick, effect.last, now_us)
        running = summary.verdict is None
        return "\n".join([*effect.known, text]) if running else text


def _told(effect: Explain, text: str | None) -> Explained:
    """What is told: the account, or what was known before; or else that there is none."""
    known = text if text is not None else "\n".join(effect.known)
    if known:
        return Explained(effect.conn, effect.ref, effect.game_id, known)
    text = f"x-why: gameId id {effect.game_id!r}: no game of yours since you logged in, as far as is known here"
    return Explained(effect.conn, effect.ref, effect.game_id, text, Reason.INVALID_GAME)
