"""The table of all pages: path, what may be asked, what the running server adds. HTML, JSON, CSV, OpenAPI and the site
on disk are made from it, so a page is added here, in :mod:`ugs.page.worker.page_views` and as a template.

All pages lie at the top, and what they show is chosen by the query: so links can be relative, and a hostile nick is
never a part of a path.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ugs.printable import meant

API: Final = "/api/v1"
MAX_TEXT: Final = 200
MAX_NUMBER: Final = 1_000_000_000


class WrongQuery(ValueError):
    """A query that cannot be answered; the text names the parameter and what is allowed."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a query."""

    name: str
    about: str
    required: bool = False
    number: bool = False
    """Whether it is a whole number, from 0."""
    choices: tuple[str, ...] = ()
    """What it may be; anything if empty."""
    blank: bool = False
    """Whether an empty text asks for nothing: forms send all their fields."""
    also: str = ""
    """Another name that it is understood by: links of before, and of those who take the name of another page's."""
    one_less: str = ""
    """The parameter, a number, that this one stands for: its value is one less."""

    def read(self, text: str) -> str | int:
        """Its value. Raises WrongQuery."""
        if self.number:
            # isdigit() alone fits the digits of other scripts as well.
            if not (text.isascii() and text.isdigit() and len(text) < 10):
                raise WrongQuery(f"parameter {self.name!r}: expected a whole number from 0 to {MAX_NUMBER}")
            return int(text)
        if self.choices and text not in self.choices:
            raise WrongQuery(f"parameter {self.name!r}: allowed: {', '.join(self.choices)}")
        if not 0 < len(text) <= MAX_TEXT:
            raise WrongQuery(f"parameter {self.name!r}: expected 1 to {MAX_TEXT} characters")
        return text


@dataclass(frozen=True, slots=True)
class Page:
    """One page."""

    name: str
    path: str
    summary: str
    params: tuple[Param, ...] = ()
    facts: str = ""
    """What the running server adds: a name in the table of :mod:`ugs.page.server.live_facts`; empty: nothing."""
    nav: str = ""
    """What it is called in the navigation; empty: it is not there."""
    table: bool = False
    """Whether there is a table of it as CSV."""
    changes: bool = True
    """Whether open pages are notified when it changes."""
    html: bool = True
    """Whether it is a page, not only an answer of the API."""

    @property
    def api(self) -> str:
        """Where its JSON is."""
        return API + ("/overview" if self.path == "/" else self.path)


def read_query(params: Sequence[Param], query: Iterable[tuple[str, str]]) -> dict[str, str | int]:
    """What a query asks. Raises WrongQuery for unknown, repeated, missing and wrong parameters."""
    known: Mapping[str, Param] = {param.name: param for param in params}
    others = {param.also: param.name for param in params if param.also}
    asked: dict[str, str | int] = {}
    for given, text in query:
        name = others.get(given, given)
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise WrongQuery(f"unknown parameter {name[:MAX_TEXT]!r}{meant(name, known)}; allowed: {allowed}")
        if name in asked:
            raise WrongQuery(f"parameter {name!r}: given twice")
        if known[name].blank and not text.strip():
            continue
        asked[name] = known[name].read(text)
    for param in params:
        if param.required and param.name not in asked:
            raise WrongQuery(f"parameter {param.name!r}: missing")
        if param.one_less and param.name in asked:
            asked[param.one_less] = int(asked.pop(param.name)) + 1
    return asked


GAME_TYPE: Final = Param("game_type", "only this game type")
CHAMPIONSHIP: Final = Param("championship", "only this championship")
GAME: Final = Param("id", "the id of the game", required=True)
MOVE: Final = Param("move", "the number of the move before the position; 0: none", number=True, one_less="at")
AT: Final = Param("at", "the number of the position, from 1, where no move is named", number=True)
VIEWER: Final = Param("viewer", "as this player saw it, where the organiser allows that")

PAGES: Final[tuple[Page, ...]] = (
    Page(
        "overview",
        "/",
        "What happens now: running games, latest results, the top of the standings, who waits for what",
        facts="overview",
        nav="Now",
    ),
    Page(
        "standings",
        "/standings",
        "Standings of a game type or a championship, with ratings and how sure they are",
        (
            GAME_TYPE,
            CHAMPIONSHIP,
            Param(
                "sort",
                "column to sort by",
                choices=("place", "nick", "points", "won", "lost", "drawn", "games", "faults", "rating"),
            ),
            Param("order", "the largest or the smallest first", choices=("up", "down")),
        ),
        facts="alive",
        nav="Standings",
        table=True,
    ),
    Page(
        "games",
        "/games",
        "Games that have ended, and those of the same kind that run",
        (
            replace(GAME_TYPE, blank=True),
            replace(CHAMPIONSHIP, blank=True),
            Param("nick", "only games of this player", blank=True),
            Param("before", "go on where the last answer ended", number=True),
        ),
        facts="whole",
        nav="Games",
        table=True,
    ),
    Page(
        "championships",
        "/championships",
        "All championships",
        facts="alive",
        nav="Championships",
    ),
    Page(
        "championship",
        "/championship",
        "The schedule of a championship: rounds, results, what is to come, who is missing",
        (Param("name", "its name", required=True),),
        facts="whole",
        table=True,
    ),
    Page("masters", "/masters", "Game masters and pools: who waits for whom", (GAME_TYPE,), facts="whole", nav="Pools"),
    Page(
        "puzzles",
        "/puzzles",
        "The puzzles of a game: position and task",
        (GAME_TYPE,),
        facts="public",
        nav="Puzzles",
        changes=False,
    ),
    Page(
        "waiting",
        "/waiting",
        "Why a player waits, or a game master has no game",
        (Param("nick", "a nick or the id of a game master", also="name"),),
        facts="why",
        nav="Waiting?",
    ),
    Page(
        "player",
        "/player",
        "A player: what it does, results, opponents, faults, response times, versions of its program",
        (Param("nick", "its nick", required=True, also="name"),),
        facts="why",
    ),
    Page(
        "game",
        "/game",
        "A game: as it runs, or position by position after its end",
        (GAME, MOVE, AT, VIEWER),
        facts="game",
    ),
    Page(
        "positions",
        "/positions",
        "Positions of a game, at most 20 at a time; of one that runs the last 60 are there",
        (GAME, Param("from", "the number of the first one, from 1", number=True), VIEWER),
        facts="positions",
        html=False,
        changes=False,
    ),
)

BY_NAME: Final[Mapping[str, Page]] = {page.name: page for page in PAGES}
