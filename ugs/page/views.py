"""From the journal and the facts of the running server to what pages show (:mod:`ugs.page.model`).

Each function makes one page: it takes the site, what the query asks (checked by :mod:`ugs.page.pages`), and the facts.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from ugs import __version__
from ugs.page.contract import Facts
from ugs.page.model import Away, Board, Current, Ended, Master, OpenTable, Overview, Pool, Running, Server, Top, TopLine
from ugs.page.site import Site

Asked: TypeAlias = Mapping[str, Any]
View: TypeAlias = Callable[[Site, Asked, Facts], Any]

LATEST: Final = 8
"""Results on the overview."""
TOP_TYPES, TOP_LINES = 6, 5
"""Game types on the overview, and the best of each."""


def overview(site: Site, _asked: Asked, facts: Facts) -> Overview:
    """What happens now."""
    latest: list[Ended] = []
    tops: list[Top] = []
    pending = False
    if site.keeps:
        with site.reading() as reader:
            latest, _ = site.ended(reader, LATEST)
            types = list(dict.fromkeys([*(one.game_type for one in latest), *site.names(reader)[0]]))
            for game_type in types[:TOP_TYPES]:
                found, computing = site.scores.get(reader, (game_type, None))
                pending = pending or (computing and found is None)
                tops += [_top(one) for one in found or () if one.players]
    return Overview(
        server_of(site, facts),
        running(facts),
        facts.get("more_games", 0),
        latest,
        tops,
        pending,
        pools(facts),
        currents(facts),
    )


def server_of(site: Site, facts: Facts) -> Server:
    """The server that answers; without facts nobody is known to run."""
    return Server(__version__, bool(facts), site.keeps, bool(facts.get("draining")), bool(facts.get("journal_lost")))


def running(facts: Facts) -> list[Running]:
    """The running games, with the pictures of those that have been drawn."""
    boards: Mapping[str, Board] = facts.get("boards", {})
    return [
        replace(Running(**told), svg=boards[told["game"]].svg, words=boards[told["game"]].words)
        if told["game"] in boards
        else Running(**told)
        for told in facts.get("games", ())
    ]


def pools(facts: Facts) -> list[Pool]:
    """The game types that are offered or played at present."""
    return [
        Pool(
            **{
                **{key: told[key] for key in POOL},
                "masters": [Master(**master) for master in told["masters"]],
                "tables": [OpenTable(**table) for table in told["tables"]],
            }
        )
        for told in facts.get("game_types", ())
    ]


def currents(facts: Facts) -> list[Current]:
    """The championships that are announced or played at present."""
    return [
        Current(**{**told, "away": [Away(**away) for away in told["away"]]}) for told in facts.get("championships", ())
    ]


def _top(standings: Any) -> Top:
    lines = [
        TopLine(line.place, line.nick, line.won, line.lost, line.drawn, line.points)
        for line in standings.players[:TOP_LINES]
    ]
    return Top(standings.game_type, standings.games, len(standings.players), lines)


POOL: Final = tuple(Pool.__dataclass_fields__)

VIEWS: Final[Mapping[str, View]] = {"overview": overview}
"""By the name of the page."""

TABLES: Final[Mapping[str, Callable[[Any], list[list[object]]]]] = {}
"""By the name of a page with a table: its rows, names of the columns first."""
