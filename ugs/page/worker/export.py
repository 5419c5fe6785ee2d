"""The pages of a journal as files, for any web server or to be opened from a disk.

It begins with the first page and follows all its links. Links are relative; a replay has its positions in a script
beside it (:mod:`ugs.page.worker.exported_games`), since pages from a disk may not fetch anything. Links to what is left
out lead to a page that explains it.
"""

import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ugs.journal.reader import Reader
from ugs.journal.row_reader import GameSummary
from ugs.page import html
from ugs.page.assets import assets
from ugs.page.contract import SiteSettings
from ugs.page.pages import BY_NAME
from ugs.page.worker.exported_games import Studio, studio
from ugs.page.worker.page_views import VIEWS
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker.site_files import write_file

LEFT_OUT: Final = "left-out.html"
OF_THE_SERVER: Final = "of-the-server.html"
IN_PLACE: Final = {
    LEFT_OUT: ("This game has no replay in this copy", "The site itself may have it."),
    OF_THE_SERVER: ("This page is not in this copy", "It is about a server that runs."),
}
"""What stands for pages that are left out, by the names of the files: heading and sentence."""
ALL: Final = -1
"""As a limit: no limit."""
LIVE_ONLY: Final = frozenset({"masters", "puzzles", "waiting"})
"""Pages that are about a running server."""
DIGITS: Final = 32
"""Hexadecimal digits of a hash in the name of a file: 128 bits. A checksum would do for chance, not for players, who
choose their nicks."""
MANY: Final = 24
"""From this many games on it is worth starting processes that draw them."""
FIRST: Final = ("overview", "standings", "games", "championships")
"""Pages that are in the navigation."""


@dataclass(slots=True)
class Export:
    """What an export has written."""

    pages: int = 0
    games: int = 0
    left_out: set[str] = field(default_factory=set)
    """Ids of games that a link leads to and that have no replay."""
    left_out_of_championships: int = 0
    """How many of them are games of championships."""


@dataclass(slots=True)
class _Plan:
    """The pages that are still to be written, and how links lead to those that are known."""

    replays_left: int
    """How many more games may have a replay."""
    games: Studio
    to_write: deque[tuple[str, Mapping[str, Any]]] = field(default_factory=deque)
    replays: deque[tuple[str, Mapping[str, Any]]] = field(default_factory=deque)
    """Those of games, which come last: they are drawn while the other pages are written."""
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    done: Export = field(default_factory=Export)

    def link(self, page: str, **asked: object) -> str:
        """Where a page lies; it is going to be written."""
        if page in LIVE_ONLY:
            return OF_THE_SERVER
        # A replay has all positions of a game on one page, whose script reads what stands behind the name of the file.
        query = html.by_move({name: value for name, value in asked.items() if value not in (None, "")})
        move = query.pop("move", None)
        key = page, repr(sorted(query.items()))
        if key not in self.files:
            if page == "game":
                if not self.replays_left:
                    self.done.left_out.add(str(query["id"]))
                    return LEFT_OUT
                self.replays_left -= 1
                self.done.games += 1
                self.games.order(file_name(page, query), query)
            self.files[key] = file_name(page, query)
            (self.replays if page == "game" else self.to_write).append((page, query))
        return self.files[key] + (f"#move-{move}" if move is not None else "")


def export(
    settings: SiteSettings,
    directory: Path,
    most_games: int,
    wrote: Callable[[str, int], object],
    processes: int = 1,
) -> Export:
    """Write the site into a directory, which is made if it does not exist. ``wrote`` is called with the name of each
    page, and how many more are known to come. At most ``most_games`` games have a replay: those of championships, then
    others, the last ones first; many of them are drawn by ``processes`` processes at a time. Raises JournalError and
    OSError."""
    # A file is not brought up to date later, so it waits for its standings.
    site = PublicJournal(settings, patient=True)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "assets").mkdir(exist_ok=True)
    for asset in assets().values():
        write_file(directory / "assets" / asset.name, asset.body)
    with site.reading() as reader:
        many = len(list(reader.ended(limit=MANY))) == MANY and most_games >= MANY
        of_championships = _of_championships(reader)
        first = _first(site, reader, of_championships, most_games)
    with studio(settings, directory, processes if many else 1) as games:
        plan = _Plan(most_games, games)
        for game_id in first:  # others, such as those at private tables, when their players' pages link to them
            plan.link("game", id=game_id)
        for file, (heading, text) in IN_PLACE.items():
            in_place = html.error(404, text, plan.link, settings.masthead, heading)
            write_file(directory / file, in_place.encode())
        for name in FIRST:
            plan.link(name)
        while following := plan.to_write or plan.replays:
            name, query = following.popleft()
            file = plan.link(name, **query)
            write_file(directory / file, _page(site, plan, name, query).encode())
            plan.done.pages += 1
            wrote(file, len(plan.to_write) + len(plan.replays))
    ids = (game.game_id for game in of_championships)
    plan.done.left_out_of_championships = len(plan.done.left_out.intersection(ids))
    return plan.done


def _of_championships(reader: Reader) -> list[GameSummary]:
    """The ended games of all championships, the last ones first."""
    found = [one for cup in reader.championships() for one in reader.ended(championship=cup.name, limit=ALL)]
    return [game for _number, game in sorted(found, key=lambda numbered: -numbered[0])]


def _first(site: PublicJournal, reader: Reader, of_championships: Sequence[GameSummary], most: int) -> list[str]:
    """Ids of at most ``most`` games whose end may be known: of what is shown to strangers they look for games of
    championships first."""
    last = [game for _number, game in reader.ended(limit=most)]
    known = [game.game_id for game in (*of_championships, *last) if site.may_be_seen(game)]
    return list(dict.fromkeys(known))[:most]


def file_name(page: str, query: Mapping[str, object]) -> str:
    """How the file of a page is called: readable, without anything that a file system or a browser minds, and another
    one for each query, so no nick can be chosen whose page takes the place of another one's."""
    if page == "overview":
        return "index.html"
    if not query:
        return f"{page}.html"
    words = re.sub(r"[^a-z0-9]+", "-", " ".join(str(value) for value in query.values()).lower()).strip("-")[:40]
    digest = sha256(repr(sorted(query.items())).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{page}-{words or 'x'}-{digest[:DIGITS]}.html"


def _page(site: PublicJournal, plan: _Plan, name: str, query: Mapping[str, Any]) -> str:
    more: dict[str, Any] = {"site": site.settings.masthead}
    try:
        if name == "game":
            drawn = plan.games.take(plan.link(name, **query))
            model = drawn.model
            more |= {"file": drawn.file, "replay_script": drawn.script}
        else:
            model = VIEWS[name](site, query, {})
    except NotThere as error:  # a game whose end spectators may not know
        return html.error(404, str(error), plan.link, site.settings.masthead)
    nav = [(one, BY_NAME[one].nav) for one in FIRST]
    return html.page(name, model, plan.link, asked=query, nav=nav, **more)
