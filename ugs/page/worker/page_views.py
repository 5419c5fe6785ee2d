"""From the journal and the facts of the running server to what pages show (:mod:`ugs.page.model`).

Each function makes one page: it takes the site, what the query asks (checked by :mod:`ugs.page.pages`), and the facts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ugs.journal.journal_error import JournalError
from ugs.page.contract import Facts
from ugs.page.played import Ended
from ugs.page.results import ChampionshipLine, OverviewFacts, Top
from ugs.page.worker.championships import championship, championship_table, championships, contest, other_contests
from ugs.page.worker.games import game, games, games_table, positions
from ugs.page.worker.live_views import currents, masters, pools, running, server_of, waiting
from ugs.page.worker.players import player
from ugs.page.worker.public_journal import FirstPage, PublicJournal
from ugs.page.worker.puzzles import puzzles
from ugs.page.worker.standings import standings, standings_table, top
from ugs.standings.source import WrongRequest
from ugs.standings.standings import Standings

Asked: TypeAlias = Mapping[str, Any]
View: TypeAlias = Callable[[PublicJournal, Asked, Facts], Any]

LATEST: Final = 8
"""Results on the overview."""
TOP_TYPES, TOP_LINES = 6, 5
"""Game types on the overview, and the best of each."""


def overview(site: PublicJournal, _asked: Asked, facts: Facts) -> OverviewFacts:
    """What happens now. What the running server knows is shown in any case."""
    latest: Sequence[Ended] = ()
    tops: Sequence[Top] = ()
    others: Sequence[ChampionshipLine] = ()
    shown, pending, unreadable = None, False, False
    if site.keeps:
        try:
            site.first_page = _from_journal(site)
        except JournalError as error:
            site.trouble, unreadable = str(error), True
        shown, others, latest, tops, pending = site.first_page
    return OverviewFacts(
        server_of(site, facts),
        running(facts),
        facts.get("more_games", 0),
        list(latest),
        list(tops),
        pending and not unreadable,
        pools(facts),
        currents(facts),
        shown,
        unreadable,
        site.settings.title,
        site.settings.text,
        list(others),
    )


def _from_journal(site: PublicJournal) -> FirstPage:
    """What the first page shows of the journal. Raises JournalError."""
    tops: list[Top] = []
    pending = False
    with site.reading() as reader:
        shown = contest(site, reader)
        others = other_contests(site, reader, shown)
        latest, _ = site.ended(reader, LATEST)
        types = list(dict.fromkeys([*(one.game_type for one in latest), *site.names(reader)[0]]))
        for game_type in types[:TOP_TYPES]:
            try:
                found, _ = site.scores.get(reader, (game_type, None))
            except WrongRequest:  # there are none
                continue
            pending = pending or found is None
            tops += [top(one, TOP_LINES) for one in (found.standings if found else ()) if _played(one)]
    return FirstPage(shown, others, latest, tops, pending)


def _played(standings: Standings) -> bool:
    """Whether anything counts yet: the field of a championship has standings before its first result."""
    return any(line.games or line.byes for line in standings.players)


VIEWS: Final[Mapping[str, View]] = {
    "overview": overview,
    "standings": standings,
    "games": games,
    "game": game,
    "positions": positions,
    "player": player,
    "championships": championships,
    "championship": championship,
    "masters": masters,
    "puzzles": puzzles,
    "waiting": waiting,
}
"""By the name of the page."""

TABLES: Final[Mapping[str, Callable[[Any], list[list[object]]]]] = {
    "standings": standings_table,
    "games": games_table,
    "championship": championship_table,
}
"""By the name of a page with a table: its rows, names of the columns first."""
