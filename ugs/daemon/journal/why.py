"""Accounts of games for players who ask why (``x-why``), read from the journal by a thread.

One is read at a time and few may wait, so that no number of questions slows the server down: each takes the interpreter
for some milliseconds, and then nothing is read for several times as long. Of a long game the last entries are read, and
what is packed is unpacked only if it is small.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog
import trio

from ugs.broker.effects import AskWhy
from ugs.broker.events import Event, WhyAnswered
from ugs.broker.values.name_rules import unique_form
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.processes.supervision import Tasks
from ugs.journal.journal_error import JournalError
from ugs.places import Place
from ugs.record.game import GameRecord
from ugs.record.times import MICRO
from ugs.wire.extensions import RefusalReason

MAX_WAITING: Final = 32
"""Accounts that may wait to be read; further callers are asked to come back later."""
MAX_BYTES: Final = 1_179_648
"""Bytes of the entries of a game that are read or unpacked for one account; the largest state has room in them."""
MAX_ENTRIES: Final = 1000
"""Entries that are read for one account."""
RESTS: Final = 4.0
"""For how many times as long as an account took to be read no other one is read."""
LEFT_OUT: Final = (
    "  its record is too long to be read here; what is left out stands in My games on the page, or the organiser has it"
)
AGAIN_S: Final = 5.0
"""Seconds until it may help to ask again."""


class Accounts:
    """Performs ``AskWhy``. ``happens`` takes the events, ``tasks`` holds a task for each account; without a
    ``place`` there is no journal, and what the broker knows is all there is. ``wall`` is the clock on the wall."""

    def __init__(
        self,
        place: Place | None,
        happens: Callable[[Event], None],
        tasks: Tasks,
        wall: WallClock | None = None,
    ) -> None:
        self._wall = wall or WallClock()
        self._place = place
        self._happens = happens
        self._tasks = tasks
        self._one_at_a_time = trio.Lock()
        self._rests_until = 0.0
        self._waiting = 0
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def explain(self, effect: AskWhy, _now: float) -> None:
        """Perform: the account is going to be read."""
        if self._place is None:
            self._happens(_answered(effect, None))
        elif self._waiting >= MAX_WAITING:
            text = f"x-why: too many accounts are being written; ask again in {AGAIN_S:g} s"
            self._happens(WhyAnswered(effect.conn, effect.ref, effect.game_id, text, RefusalReason.RATE_LIMIT, AGAIN_S))
        else:
            self._waiting += 1
            self._tasks.start_soon(self._explain, effect, self._place)

    async def _explain(self, effect: AskWhy, place: Place) -> None:
        try:
            async with self._one_at_a_time:
                await trio.sleep_until(self._rests_until)
                now_s, asked = self._by_the_wall(effect)
                began = trio.current_time()
                try:
                    text = await trio.to_thread.run_sync(
                        read_account, place, asked, int(now_s * MICRO), abandon_on_cancel=True
                    )
                finally:
                    # Also after a failure: what could not be read took its time all the same.
                    now = trio.current_time()
                    self._rests_until = now + RESTS * (now - began)
        except JournalError as error:
            self._log.warning("account not read", game=effect.game_id, reason=str(error))
            text = None
        except Exception:  # the player waits for an answer
            self._log.exception("bug in the server", during="x-why", game=effect.game_id)
            text = None
        finally:
            self._waiting -= 1
        self._happens(_answered(effect, text))

    def _by_the_wall(self, effect: AskWhy) -> tuple[float, AskWhy]:
        """The time in seconds since 1970, and the effect with how much later than its moments that is. The journal has
        what the clock showed then, also if it was set since."""
        now = self._wall.now()
        self._wall.look(now)
        now_s = self._wall.showed_s(now)
        since_s = self._wall.showed_s(now - effect.since_ago_s)
        # Whose session still lasts may have begun it later by the clock than it is now.
        until_s = self._wall.showed_s(now - effect.until_ago_s) if effect.until_ago_s > 0 else math.inf
        return now_s, replace(effect, since_ago_s=now_s - since_s, until_ago_s=now_s - until_s)


def read_account(place: Place, effect: AskWhy, now_us: int) -> str | None:
    """The account that ``effect`` asks for; None when the journal has no such game, or may not show it. Raises
    JournalError."""
    from ugs.journal.reader import Reader  # a server that keeps nothing does not wait for these to load
    from ugs.why.player_account import own_account

    with Reader(place) as reader:
        latest = reader.latest(effect.game_id, MAX_ENTRIES, MAX_BYTES)
    if latest is None:
        return None
    record, whole = latest
    nick = _seat_of(record, effect, now_us)
    if nick is None:
        return None
    moves = None if whole else effect.moves
    text = own_account(record, nick, effect.last, now_us, moves, runs=bool(effect.known))
    lines = [] if whole else [LEFT_OUT]
    return "\n".join([*effect.known, text, *lines] if record.result is None else [text, *lines])


def _seat_of(record: GameRecord, effect: AskWhy, now_us: int) -> str | None:
    """The nick under which the player who asks has played this game; None if it was another player."""
    if effect.since_us:  # the owner of the nick, who may have written it differently
        form = unique_form(effect.nick)
        own = [seat for seat in record.seats if unique_form(seat) == form]
        is_its = record.began_us >= effect.since_us
    else:
        own = [seat for seat in record.seats if seat == effect.nick]
        # By time, not by name alone: another player may have had the nick before.
        is_its = effect.until_ago_s <= (now_us - record.began_us) / 1e6 <= effect.since_ago_s
    return own[0] if own and (effect.known or is_its) else None


def _answered(effect: AskWhy, text: str | None) -> WhyAnswered:
    """The answer: the account, or what was known before, or else that there is none."""
    known = text if text is not None else "\n".join(effect.known)
    if known:
        return WhyAnswered(effect.conn, effect.ref, effect.game_id, known)
    text = f"x-why: gameId id {effect.game_id!r}: no game of yours since you logged in, as far as is known here"
    return WhyAnswered(effect.conn, effect.ref, effect.game_id, text, RefusalReason.INVALID_GAME)
