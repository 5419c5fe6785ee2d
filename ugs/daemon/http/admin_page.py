"""What the administration of the page needs of the server: its tokens, the table of questions, the latest acts."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

import structlog
import trio

from ugs.config import Config
from ugs.daemon.admin import ASKS, AdminDesk
from ugs.daemon.http.live import LiveServer
from ugs.daemon.shell import Shell
from ugs.journal.done import done_lines
from ugs.journal.journal_error import JournalError
from ugs.journal.tokens import IdentitiesError
from ugs.page.server.admin import Administration
from ugs.page.server.admin_tokens import others_may_read, read_keys
from ugs.page.server.admin_visits import Visits
from ugs.places import place_of

MAX_ACTS = 30
"""The latest acts that are shown."""
DISK_S = 5.0
"""Seconds that the page waits for what has just been done to reach the disk, where it reads the acts from."""
LOOK_AGAIN_S = 0.02


def administration_of(config: Config, shell: Shell, live: LiveServer) -> Administration | None:
    """The administration of a server; None where the settings name no file of tokens."""
    if not config.admin_token_file:
        return None
    path = Path(config.admin_token_file)
    if others_may_read(path):
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        log.warning("others can read the tokens of organisers: chmod 600", path=str(path))

    async def latest() -> Sequence[str]:
        with trio.move_on_after(0 if shell.broker.server.condition.journal_lost else DISK_S):
            await written(lambda: shell.keeping.recorder.lag_s)
        return await trio.to_thread.run_sync(latest_acts, config.kept_at)

    desk = AdminDesk(shell.questions, shell.status)
    plans = [name for name in ("plan", "edit") if name in ASKS]
    return Administration(Visits(lambda: read_keys(path)), desk.reply, live.whole, latest, plans)


async def written(lag_s: Callable[[], float]) -> None:
    """Wait until all that has been recorded by now is on disk. ``lag_s``: for how long the oldest of what is not there
    has waited, in seconds; 0 where there is nothing."""
    asked = monotonic()
    while lag_s() > monotonic() - asked:  # noqa: ASYNC110  (the thread of the disk sets no event)
        await trio.sleep(LOOK_AGAIN_S)


def latest_acts(kept_at: str) -> list[str]:
    """What organisers did last, the latest first; nothing where nothing is kept or can be read."""
    if not kept_at:
        return []
    try:
        return done_lines(place_of(kept_at), MAX_ACTS)[::-1]
    except (JournalError, IdentitiesError):
        return []
