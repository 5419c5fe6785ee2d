"""The running server's facts as values for pages, and the pages that are made of nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ugs import __version__
from ugs.game_titles import title_of
from ugs.page.contract import Facts
from ugs.page.model import Away, Current, FreeTable, Masters, Pool, PresentMaster, Running, Server, Waiting, WaitingPage
from ugs.page.played import LiveBoard
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.printable import unknown
from ugs.type_hint import type_called, type_hint

POOL: Final = tuple(Pool.__dataclass_fields__)
SOUGHT_GAMES: Final = 10
"""How many of its last games are looked at for one that everyone may see."""


def masters(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> Masters:
    """Game masters and pools."""
    wanted, here = asked.get("game_type"), pools(facts)
    if wanted is not None:
        known = {one.game_type for one in here}
        if site.keeps and wanted not in known:
            with site.reading() as reader:
                known |= {*site.names(reader)[0]}
        wanted = type_called(wanted, known)
        if wanted not in known:
            raise NotThere(unknown("game type", wanted, sorted(known), type_hint(wanted)))
    return Masters(server_of(site, facts), [one for one in here if wanted in (None, one.game_type)])


def waiting(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> WaitingPage:
    """Why a player waits."""
    facts_of = facts.get("why", {})
    found = [
        Waiting(
            one["kind"],
            one["name"],
            one["game_type"],
            one.get("state", ""),
            one.get("waiting_s"),
            one.get("game", ""),
            list(one["why"]),
            one.get("node", ""),
        )
        for one in facts_of.get("found", ())
    ]
    name = asked.get("nick", "")
    some = [one for one in pools(facts) if one.waiting] if not name else []
    played = bool(name) and not found and _has_played(site, name)
    return WaitingPage(server_of(site, facts), name, found, facts_of.get("error", ""), some, played)


def _has_played(site: PublicJournal, nick: str) -> bool:
    if not site.keeps:
        return False
    with site.reading() as reader:
        return bool(site.ended(reader, SOUGHT_GAMES, nick=nick)[0])


def server_of(site: PublicJournal, facts: Facts) -> Server:
    """The server that answers; without facts none is known to run."""
    return Server(__version__, bool(facts), site.keeps, bool(facts.get("draining")), bool(facts.get("journal_lost")))


def running(facts: Facts) -> list[Running]:
    """The running games, with the pictures of those that have been drawn."""
    boards: Mapping[str, LiveBoard] = facts.get("boards", {})
    return [
        _drawn(Running(**facts_of), boards[facts_of["game"]]) if facts_of["game"] in boards else Running(**facts_of)
        for facts_of in facts.get("games", ())
    ]


def _drawn(game: Running, board: LiveBoard) -> Running:
    """A running game with its picture, or one that has just ended, with its result."""
    won = ", ".join(board.won)
    result = (f"{won} won" if won else board.verdict) if board.over else ""
    return replace(game, svg=board.svg, words=board.words, moves=board.moves, over=board.over, result=result)


def pools(facts: Facts) -> list[Pool]:
    """The game types that are offered or played at present."""
    return [
        Pool(
            **{
                **{key: facts_of[key] for key in POOL if key in facts_of},  # without a cluster there is no node
                "masters": [PresentMaster(**master) for master in facts_of["masters"]],
                "tables": [FreeTable(**table) for table in facts_of["tables"]],
            }
        )
        for facts_of in sorted(facts.get("game_types", ()), key=lambda one: title_of(one["game_type"]).casefold())
    ]


def currents(facts: Facts) -> list[Current]:
    """The championships that are announced or played at present."""
    return [
        Current(**{**facts_of, "away": [Away(**away) for away in facts_of["away"]]})
        for facts_of in facts.get("championships", ())
    ]
