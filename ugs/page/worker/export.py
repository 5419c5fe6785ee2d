"""The pages of a journal as files, for any web server or to be opened from a disk.

It begins with the first page and writes whatever that leads to. Links are relative; a replay has its positions in a
script beside it, since pages from a disk may not fetch anything. What is left out has one page that says so.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ugs.page import html
from ugs.page.assets import assets
from ugs.page.contract import PLAIN, SiteSettings
from ugs.page.pages import BY_NAME
from ugs.page.played import Position
from ugs.page.worker.games import game_file, positions
from ugs.page.worker.packed_positions import as_script
from ugs.page.worker.page_views import VIEWS
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker_limits import MAX_EXPORT_S

LEFT_OUT: Final = "left-out.html"
LIVE_ONLY: Final = frozenset({"masters", "puzzles", "waiting"})
"""Pages that are about a running server."""
DIGITS: Final = 32
"""Hexadecimal digits of a hash in the name of a file: 128 bits. A checksum would do for chance, not for players, who
choose their nicks."""
FIRST: Final = ("overview", "standings", "games", "championships")
"""Pages that are in the navigation."""


@dataclass(slots=True)
class Export:
    """What an export has written."""

    pages: int = 0
    games: int = 0
    left_out: set[str] = field(default_factory=set)
    """Ids of games to which a link leads and which have no replay."""


@dataclass(slots=True)
class _Plan:
    """The pages that are still to be written, and how links lead to those that are known."""

    most_games: int
    to_write: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    done: Export = field(default_factory=Export)

    def link(self, page: str, **asked: object) -> str:
        """Where a page lies; it is going to be written."""
        if page in LIVE_ONLY:
            return LEFT_OUT
        query = {name: value for name, value in asked.items() if value not in (None, "") and name != "at"}
        key = page, repr(sorted(query.items()))
        if key not in self.files:
            if page == "game":
                if self.done.games >= self.most_games:
                    self.done.left_out.add(str(query["id"]))
                    return LEFT_OUT
                self.done.games += 1
            self.files[key] = file_name(page, query)
            self.to_write.append((page, query))
        return self.files[key]


def export(settings: SiteSettings, directory: Path, most_games: int, wrote: Callable[[str], object]) -> Export:
    """Write the site into a directory, which is made if it does not exist. ``wrote`` is told the name of each page.
    At most ``most_games`` games have a replay, the last ones first. Raises JournalError and OSError."""
    site, plan = PublicJournal(settings), _Plan(most_games)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "assets").mkdir(exist_ok=True)
    for asset in assets().values():
        (directory / "assets" / asset.name).write_bytes(asset.body)
    (directory / LEFT_OUT).write_text(html.error(404, "This is not in this copy of the site.", plan.link), "utf-8")
    with site.reading() as reader:
        for game_type in site.names(reader)[0]:
            site.scores.get(reader, (game_type, None), 0.0)
    site.scores.wait()
    for name in FIRST:
        plan.link(name)
    while plan.to_write:
        name, query = plan.to_write.pop(0)
        file = plan.link(name, **query)
        (directory / file).write_text(_page(site, plan, name, query, directory), "utf-8")
        plan.done.pages += 1
        wrote(file)
    return plan.done


def file_name(page: str, query: Mapping[str, object]) -> str:
    """How the file of a page is called: readable, without anything that a file system or a browser minds, and another
    one for each query: nobody finds a nick whose page takes the place of another one's."""
    if page == "overview":
        return "index.html"
    if not query:
        return f"{page}.html"
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(str(value) for value in query.values()).lower()).strip("-")[:40]
    digest = sha256(repr(sorted(query.items())).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{page}-{words or 'x'}-{digest[:DIGITS]}.html"


def _page(site: PublicJournal, plan: _Plan, name: str, query: Mapping[str, Any], directory: Path) -> str:
    try:
        model = VIEWS[name](site, query, {})
        if getattr(model, "pending", False):
            site.scores.wait()
            model = VIEWS[name](site, query, {})
    except NotThere as error:  # a game of which spectators may not know the end
        return html.error(404, str(error), plan.link)
    more: dict[str, Any] = {}
    if name == "game":
        stem = plan.link(name, **query).removesuffix(".html")
        (directory / f"{stem}.ugsg").write_bytes(game_file(site, query, {}))
        more["file"] = f"{stem}.ugsg"
        script, plain = _script(site, query)
        if plain:
            model = VIEWS[name](site, query, {PLAIN: plain})
        if script:
            (directory / f"{stem}.js").write_bytes(script)
            more["replay_script"] = f"{stem}.js"
        else:
            model = replace(model, at=0, positions=0, steps=[], more_before=False, more_after=False)
    nav = [(one, BY_NAME[one].nav) for one in FIRST]
    return html.page(name, model, plan.link, asked=query, nav=nav, **more)


class _TooLong(Exception):
    """A game needs more processor time than a copy of the site may take for it."""


def _script(site: PublicJournal, query: Mapping[str, Any]) -> tuple[bytes, str]:
    """All positions of a game as a script, and why they are trees; empty if they are not. A game that is too dear even
    so has no script."""
    try:
        return as_script(_positions(site, query, "")), ""
    except _TooLong:
        plain = f"its pictures take more than {MAX_EXPORT_S:g} s of processor time"
    try:
        return as_script(_positions(site, query, plain)), plain
    except _TooLong:
        return b"", plain


def _positions(site: PublicJournal, query: Mapping[str, Any], plain: str) -> Iterator[Position]:
    """All positions of a game; with ``plain``, which says why, as trees. Raises _TooLong when they take too much."""
    until = time.process_time() + MAX_EXPORT_S
    facts = {PLAIN: plain} if plain else {}
    told, total = 0, 1
    while told < total:
        some = positions(site, {**query, "from": told + 1}, facts)
        for one in some.positions:
            if time.process_time() >= until:
                raise _TooLong
            yield one
        told, total = told + len(some.positions), some.total if some.positions else 0
