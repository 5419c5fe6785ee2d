"""The games of a copy of the site: each has its record and positions in files beside its page, which lists all moves.

They are what an export takes its time for, and none depends on another one: so processes draw them while the other
pages are written, in the order their pages are wanted.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from ugs.page.contract import PLAIN, SiteSettings
from ugs.page.played import PlayedGame, Position
from ugs.page.worker import kept_drawings
from ugs.page.worker.drawing_processes import drawing_processes
from ugs.page.worker.games import follow, game, position_in_parts, record_of, replay_for, seen
from ugs.page.worker.packed_positions import as_script
from ugs.page.worker.public_journal import PublicJournal
from ugs.page.worker.site_files import write_file
from ugs.page.worker_limits import MAX_EXPORT_S, ProcessorBudget
from ugs.record.ugsg import write

HTML: Final = ".html"


@dataclass(frozen=True, slots=True)
class ExportedGame:
    """A game whose files are written, except for its page."""

    model: PlayedGame
    """What its page shows."""
    file: str
    """The file with its record."""
    script: str
    """The file with its positions; empty: it was too expensive."""


class Studio(Protocol):
    """Draws games."""

    def order(self, page: str, query: Mapping[str, Any]) -> None:
        """The game that is asked for by ``query`` will be wanted; ``page`` is the file of its page."""
        ...

    def take(self, page: str) -> ExportedGame:
        """The game that was ordered for this page. Raises NotThere, JournalError and OSError."""
        ...


@contextmanager
def studio(settings: SiteSettings, directory: Path, processes: int) -> Iterator[Studio]:
    """Draws games into a directory with that many processes; with one, this process does it alone."""
    if processes < 2:
        yield _Alone(settings, directory)
        return
    with drawing_processes(processes) as pool:
        yield _Several(settings, directory, pool)


class _Alone:
    """Draws a game when it is taken."""

    def __init__(self, settings: SiteSettings, directory: Path) -> None:
        self._settings = settings
        self._directory = directory
        self._ordered: dict[str, Mapping[str, Any]] = {}

    def order(self, page: str, query: Mapping[str, Any]) -> None:
        self._ordered[page] = query

    def take(self, page: str) -> ExportedGame:
        return _drawn(self._settings, self._directory, page, self._ordered.pop(page))


class _Several:
    """Has games drawn as soon as they are ordered."""

    def __init__(self, settings: SiteSettings, directory: Path, pool: Executor) -> None:
        self._settings = settings
        self._directory = directory
        self._pool = pool
        self._ordered: dict[str, Future[ExportedGame]] = {}

    def order(self, page: str, query: Mapping[str, Any]) -> None:
        self._ordered[page] = self._pool.submit(_drawn, self._settings, self._directory, page, query)

    def take(self, page: str) -> ExportedGame:
        return self._ordered.pop(page).result()


def _drawn(settings: SiteSettings, directory: Path, page: str, query: Mapping[str, Any]) -> ExportedGame:
    site, stem = PublicJournal(settings), page.removesuffix(HTML)
    recorded = record_of(site, query["id"])
    record = write(seen(site, recorded))
    origin = kept_drawings.origin_of(settings, record)
    before = kept_drawings.kept(directory, stem, origin)
    if before is not None:
        return ExportedGame(before[0], f"{stem}.ugsg", before[1])
    follow(site, recorded, query.get("viewer", ""))
    model = game(site, query, {})
    write_file(directory / f"{stem}.ugsg", record)
    script, plain = _script(site, query)
    if plain:
        model = game(site, query, {PLAIN: plain})
    if script:
        write_file(directory / f"{stem}.js", script)
        # A page from a disk cannot ask for those that are far from the position it was written with.
        steps = list(replay_for(site, query, {PLAIN: plain} if plain else {}).steps)
        model = replace(model, steps=steps, more_before=False, more_after=False)
    else:
        model = replace(model, at=0, positions=0, steps=[], more_before=False, more_after=False)
    file = f"{stem}.js" if script else ""
    kept_drawings.keep(directory, stem, origin, model, file)
    return ExportedGame(model, f"{stem}.ugsg", file)


class _TooLong(Exception):
    """A game needs more processor time than a copy of the site may take for it."""


def _script(site: PublicJournal, query: Mapping[str, Any]) -> tuple[bytes, str]:
    """All positions of a game as a script, and why they are trees; empty if they are not. A game that is too expensive
    even so has no script."""
    try:
        return as_script(_positions(site, query, "")), ""
    except _TooLong:
        plain = f"its pictures take more than {MAX_EXPORT_S:g} s of processor time"
    try:
        return as_script(_positions(site, query, plain)), plain
    except _TooLong:
        return b"", plain


def _positions(site: PublicJournal, query: Mapping[str, Any], plain: str) -> Iterator[Position]:
    """All positions of a game; with ``plain``, which is the reason, as trees. Raises _TooLong when they take too
    much."""
    budget = ProcessorBudget(MAX_EXPORT_S)
    replay = replay_for(site, query, {PLAIN: plain} if plain else {})
    for number in range(1, len(replay.steps) + 1):
        yield position_in_parts(replay, number)
        if budget.used_up():
            raise _TooLong
