"""Where standings come from: the journal in a data directory, or a server that runs somewhere else.

The standings of a game type include all its games that count, of open play and of championships. If all of them belong
to one championship, they are the standings of that championship.
"""

import http.client
import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import ProxyHandler, build_opener

from ugs.broker.championships.ledgers import plan_of_ledger
from ugs.broker.championships.progress import from_ledger
from ugs.broker.verdict import GameResult
from ugs.championship.ledger import What
from ugs.championship.ledger_text import correction_text
from ugs.journal.reader import Reader, RecordedChampionship
from ugs.places import Place
from ugs.printable import unknown
from ugs.standings.compute import ChampionshipFacts, championship_facts, standings_of
from ugs.standings.forgotten import replaced
from ugs.standings.skill import Course, Progress
from ugs.standings.standings import NotStandings, Standings, read_json
from ugs.type_hint import type_called

PAGE = "/standings.json"
"""The page of a server with its standings; the query may contain ``game_type`` and ``championship``."""

PLACED_BY_SCHEDULE = frozenset({"swiss", "knock-out", "stages", "league"})
"""Formats whose ledger alone is not sufficient: who had a bye, and the order before the end."""

TIME_LIMIT_S = 30.0
MAX_ANSWER = 256 * 1024 * 1024
PLAYERS_PORT = "here players and game masters connect; --connect takes the port of the page, 8080 unless set otherwise"
"""What is wrong with a port where a server answers with a message of the protocol."""
MAX_NAMED = 8
"""Championships that a note names, the last ones."""


class WrongRequest(Exception):
    """The request cannot be answered: there is no such game type or championship (the text lists those there are), or
    the address is not one."""


class NoStandings(Exception):
    """The server could not be asked, or its answer is not standings. The text gives the reason."""


def from_journal(
    place: Place,
    game_type: str | None = None,
    championship: str | None = None,
    *,
    ratings: bool = True,
    progress: Progress | None = None,
    course: Course | None = None,
) -> list[Standings]:
    """One standings if a championship or a game type is given, otherwise one for every game type. How the ratings of
    one game type or championship went is added to ``course``.

    A server may be writing at the same time. Raises :class:`WrongRequest`, and
    :class:`ugs.journal.database.JournalError` when there is no journal that can be read.
    """
    with Reader(place) as reader:
        championships = reader.championships()
        types = sorted({*reader.game_types(), *(one.game_type for one in championships)})
        if game_type is not None:
            game_type = type_called(game_type, types)
            _known("game type", game_type, types)
            championships = [one for one in championships if one.game_type == game_type]
            types = [game_type]
        if championship is not None:
            _known("championship", championship, [one.name for one in championships])
            chosen = next(one for one in championships if one.name == championship)
            return [_of_championship(reader, chosen, Rated(ratings, progress, course))]
        return [
            _of_type(
                reader,
                name,
                [one for one in championships if one.game_type == name],
                Rated(ratings, progress, course if len(types) == 1 else None),
            )
            for name in types
        ]


def results_from_journal(
    place: Place, game_type: str | None = None, championship: str | None = None
) -> list[GameResult]:
    """The results behind the standings that :func:`from_journal` gives, of all of them in a row. Raises as it does."""
    with Reader(place) as reader:
        championships = reader.championships()
        types = sorted({*reader.game_types(), *(one.game_type for one in championships)})
        if game_type is not None:
            game_type = type_called(game_type, types)
            _known("game type", game_type, types)
            types = [game_type]
        chosen = [one for one in championships if one.game_type in types]
        if championship is not None:
            _known("championship", championship, [one.name for one in chosen])
            return list(reader.results(championship=championship))
        return [result for name in types for result in _all_of(reader, name, chosen)]


def _all_of(reader: Reader, game_type: str, championships: Iterable[RecordedChampionship]) -> list[GameResult]:
    forgotten = reader.forgotten(game_type)
    found = list(replaced(reader.results(game_type=game_type), forgotten))
    for one in championships:
        if one.game_type == game_type:
            found += replaced(reader.results(championship=one.name), forgotten)
    return _in_order(reader, game_type, found)


def from_server(url: str, game_type: str | None = None, championship: str | None = None) -> list[Standings]:
    """The same from a running server; ``url`` is the address of its web page: ``http://HOST:PORT``, or ``HOST:PORT``.

    Raises :class:`WrongRequest`, with the server's own text for a name that it does not know, and :class:`NoStandings`.
    """
    if "://" not in url:
        url = f"http://{url}"
    if not _is_web_address(url):
        raise WrongRequest(f"--connect {url!r}: allowed: the web address of a server, e.g. http://127.0.0.1:8080")
    asked = {"game_type": game_type, "championship": championship}
    query = urlencode({name: value for name, value in asked.items() if value is not None})
    address = f"{url.rstrip('/')}{PAGE}{'?' if query else ''}{query}"
    try:
        # Ask the server directly: the proxies of the environment are meant for browsers.
        with build_opener(ProxyHandler({})).open(address, timeout=TIME_LIMIT_S) as answer:
            body: bytes = answer.read(MAX_ANSWER + 1)
    except HTTPError as error:
        with error:
            detail = _error_text(error.read(10_000))
        if error.code == http.client.NOT_FOUND and detail:
            raise WrongRequest(detail) from None
        raise NoStandings(f"{address}: {error.code} {error.reason}{f': {detail}' if detail else ''}") from None
    except http.client.BadStatusLine as error:
        raise NoStandings(f"{address}: {PLAYERS_PORT if '<message' in str(error) else f'no answer: {error}'}") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise NoStandings(f"{address}: no answer: {reason}") from None
    if len(body) > MAX_ANSWER:
        raise NoStandings(f"{address}: the answer is larger than {MAX_ANSWER} bytes")
    try:
        return read_json(body)
    except NotStandings as error:
        raise NoStandings(f"{address}: the answer is not standings: {error}") from None


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # The port is parsed only here, and may raise.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _error_text(body: bytes) -> str:
    """The ``error`` of a JSON object, sent by a server that does not know a name; else an empty text."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    return str(found["error"]) if isinstance(found, dict) and "error" in found else ""


def _known(kind: str, name: str, names: Iterable[str]) -> None:
    listed = list(names)
    if name not in listed:
        raise WrongRequest(unknown(kind, name, listed))


def _facts_of(championship: RecordedChampionship) -> ChampionshipFacts:
    entries = [logged.entry for logged in championship.ledger]
    plan = championship.sum().plan
    if plan.get("format") not in PLACED_BY_SCHEDULE:
        return championship_facts(entries)
    played = from_ledger(plan_of_ledger(plan), entries, lambda _, __: None)
    return championship_facts(entries, played.placing, played.byes)


class Rated(NamedTuple):
    """Whether and how ratings are computed: the arguments of :func:`ugs.standings.compute.standings_of`."""

    ratings: bool
    progress: Progress | None
    course: Course | None


def _of_championship(reader: Reader, championship: RecordedChampionship, rated: Rated) -> Standings:
    results = reader.results(championship=championship.name)
    notes = _corrections(championship)
    facts = _facts_of(championship)
    return standings_of(results, championship.game_type, facts, notes=notes, **rated._asdict())


def _of_type(reader: Reader, game_type: str, championships: Sequence[RecordedChampionship], rated: Rated) -> Standings:
    forgotten = reader.forgotten(game_type)
    in_open_play = list(replaced(reader.results(game_type=game_type), forgotten))
    if len(championships) == 1 and not in_open_play:
        return _of_championship(reader, championships[0], rated)
    if not championships:
        return standings_of(in_open_play, game_type, **rated._asdict())
    results = in_open_play + [
        result
        for championship in championships
        for result in replaced(reader.results(championship=championship.name), forgotten)
    ]
    named = [one.name for one in championships[-MAX_NAMED:]]
    more = [f"{len(championships) - len(named)} earlier ones"] if len(championships) > len(named) else []
    note = f"these are all games of this type, those of its championships among them: {', '.join(named + more)}"
    notes = [note, *_corrected_in(championships)]
    return standings_of(_in_order(reader, game_type, results), game_type, notes=notes, **rated._asdict())


def _corrections(championship: RecordedChampionship) -> list[str]:
    """Each result that an organiser has put right, with who and why."""
    return [
        f"{correction_text(logged.entry.data)} ({logged.entry.who}: {logged.entry.why})"
        for logged in championship.ledger
        if logged.entry.what is What.CORRECTED
    ]


def _corrected_in(championships: Sequence[RecordedChampionship]) -> list[str]:
    """The corrections of all of them; the last ones, if there are many, since each championship has its own."""
    every = [(one.name, text) for one in championships for text in _corrections(one)]
    lines = [f"championship {name}: {text}" for name, text in every[-MAX_NAMED:]]
    more = len(every) - len(lines)
    return [*lines, f"and {more} earlier corrections: see each championship"] if more else lines


def _in_order(reader: Reader, game_type: str, results: list[GameResult]) -> list[GameResult]:
    """Results from several sources in the order the games ended. Results without a game come last, since they are not
    rated. (The times in a result are on a clock that starts again with each life of the server.)"""
    ended = {game.game_id: game.ended_us for game in reader.games(game_type=game_type)}
    return sorted(results, key=lambda result: ended.get(result.game_id) or float("inf"))
