"""What the worker can be asked: a table of names and functions.

Each takes the site, what is asked, and what the running server adds, and returns a :class:`PageAnswer` for a client, or
any value that can go through a pipe for the page itself.
"""

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

import msgspec

from ugs.game_titles import title_of, titles_apart
from ugs.journal.journal_error import JournalError
from ugs.page import html
from ugs.page.contract import PLAIN, Facts, Masthead, PageAnswer
from ugs.page.gzip_chunks import compressed
from ugs.page.played import LiveBoard, Position
from ugs.page.seen_positions import MovablePosition
from ugs.page.worker import my_games, openapi
from ugs.page.worker.games import game_file
from ugs.page.worker.page_views import TABLES, VIEWS
from ugs.page.worker.public_journal import NotKept, NotThere, PublicJournal
from ugs.page.worker.puzzles import tasks
from ugs.pictures.contract import Scene, Shown
from ugs.pictures.installed_renderers import explained, is_drawn
from ugs.pictures.recorded import shown_states
from ugs.printable import safe_cell
from ugs.standings.source import WrongRequest
from ugs.standings.standings import all_as_json
from ugs.type_hint import types_of_games

JSON, CSV, HTML = "application/json", "text/csv; charset=utf-8", "text/html; charset=utf-8"
UNREADABLE: Final = "the journal cannot be read; see the server's log"
WORTH_ZIPPING: Final = 600
"""Answers from this many bytes on are compressed."""

KINDS: Final[Mapping[str, str]] = {"html": HTML, "json": JSON, "csv": CSV, "parts": JSON}


def finished(body: bytes, kind: str, status: int = 200, *, later: bool = False, trouble: str = "") -> PageAnswer:
    """An answer with all that a client wants to know of it."""
    zipped = gzip.compress(body, 6, mtime=0) if len(body) >= WORTH_ZIPPING else b""
    headers = {"Retry-After": "2"} if later else {}
    return PageAnswer(body, kind, status, zipped, sha256(body).hexdigest()[:32], headers, trouble, later)


def refused(
    form: str, status: int, text: str, *, site: Masthead = html.NO_MASTHEAD, later: bool = False, trouble: str = ""
) -> PageAnswer:
    """An answer that explains what is wrong; ``site`` stands around it, for people."""
    if form == "html":
        return finished(html.error(status, text, site=site).encode(), HTML, status, later=later, trouble=trouble)
    return finished(json.dumps({"error": text}).encode(), JSON, status, later=later, trouble=trouble)


def view(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> PageAnswer:
    """A page in one of its forms: ``html``, ``json``, ``csv``, or the ``parts`` that change."""
    name, form, query, title = asked["page"], asked["form"], asked["query"], site.settings.masthead
    try:
        model = VIEWS[name](site, query, facts)
    except (NotThere, WrongRequest) as error:
        return refused(form, 404, str(error), site=title)
    except NotKept as error:
        return refused(form, 503, str(error), site=title)
    except JournalError as error:
        return refused(form, 503, UNREADABLE, site=title, trouble=str(error))
    later, body = bool(getattr(model, "pending", False)), FORMS[form](name, query, model, title)
    # Shown all the same, with what the running server knows.
    trouble = site.trouble if getattr(model, "unreadable", False) else ""
    if form == "parts":
        return PageAnswer(body, JSON, compressed=compressed(b"data: %b\n\n" % body), trouble=trouble, later=later)
    return finished(body, KINDS[form], later=later, trouble=trouble)


def _html(name: str, query: Mapping[str, Any], model: Any, site: Masthead) -> bytes:
    return html.page(name, model, asked=query, site=site).encode()


def _parts(name: str, query: Mapping[str, Any], model: Any, _site: Masthead) -> bytes:
    parts_over = {"parts": html.parts(name, model, asked=query), "over": getattr(model, "over", False)}
    return json.dumps(parts_over, ensure_ascii=False, separators=(",", ":")).encode()


def _json(_name: str, _query: Mapping[str, Any], model: Any, _site: Masthead) -> bytes:
    return msgspec.json.encode(model)


def _csv(name: str, _query: Mapping[str, Any], model: Any, _site: Masthead) -> bytes:
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    for row in TABLES[name](model):
        rows.writerow([safe_cell(cell) for cell in row])
    return written.getvalue().encode()


FORMS: Final[Mapping[str, Callable[[str, Mapping[str, Any], Any, Masthead], bytes]]] = {
    "html": _html,
    "parts": _parts,
    "json": _json,
    "csv": _csv,
}


def standings_json(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> PageAnswer:
    """The standings as ``ugs standings --connect`` reads them."""
    game_type, championship = asked.get("game_type"), asked.get("championship")
    try:
        with site.reading() as reader:
            every = site.championships(reader) if championship is not None else []
            one = next((one for one in every if one.name == championship), None)
            if one is None or game_type not in (None, one.game_type):
                found, _ = site.scores.get(reader, (game_type, championship))
            else:
                found, _ = site.scores.of_championship(one)
    except NotKept as error:
        return refused("json", 503, str(error))
    except WrongRequest as error:
        return refused("json", 404, str(error))
    except JournalError as error:
        return refused("json", 503, UNREADABLE, trouble=str(error))
    if found is None:
        return refused("json", 503, "the standings are being computed; ask again", later=True)
    return finished(json.dumps(all_as_json(found.standings)).encode(), JSON)


def game_as_file(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> PageAnswer:
    """A game that has ended, as a file."""
    try:
        body = game_file(site, asked, _facts)
    except NotThere as error:
        return refused("json", 404, str(error))
    except NotKept as error:
        return refused("json", 503, str(error))
    except JournalError as error:
        return refused("json", 503, UNREADABLE, trouble=str(error))
    answer = finished(body, "text/plain; charset=utf-8")
    name = re.sub(r"[^A-Za-z0-9_-]", "_", asked["id"])
    return replace(answer, headers={"Content-Disposition": f'attachment; filename="{name}.ugsg"'})


def boards(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> list[LiveBoard | None]:
    """What running games look like; see :class:`ugs.page.drawing.DrawnGames`."""
    return site.drawing.boards(asked["told"])


def board_positions(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> list[Position]:
    """Positions of a running game that were shown before; see :class:`ugs.page.drawing.DrawnGames`."""
    return site.drawing.positions(asked["game"], asked["first"], asked["most"])


def hand(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> MovablePosition:
    """What a position looks like for one who plays it at a browser, and what may be done in it."""
    scene: Scene = asked["scene"]

    def before(game_id: str) -> Sequence[Shown]:
        if not site.keeps or scene.viewer is None:
            return ()
        nick = scene.seats[scene.viewer].nick
        try:
            with site.reading() as reader:
                record = reader.record(game_id)
        except JournalError:
            return ()
        if record.game_id != game_id or nick not in record.seats:
            return ()
        return [one for _, one in shown_states(record, record.seats.index(nick))]

    game, plain = (asked["game"], asked["game_type"]), facts.get(PLAIN, "")
    return site.hands.show(*game, scene, asked["shown"], before, plain, past=asked.get("past", False))


def play(site: PublicJournal, _asked: Mapping[str, Any], facts: Facts) -> PageAnswer:
    """The page where people play: the games that are played here and can be played by clicking."""
    types = [one for one in facts["game_types"] if one["masters"] and (one["draws"] or is_drawn(one["game_type"]))]
    words = {one["game_type"]: explained().get(one["game_type"], {}) for one in types}
    titles = titles_apart(one["game_type"] for one in types)
    books = {name: found for name, found in tasks().items() if name in titles and found}
    page = html.beside(
        "play.html",
        here="play",
        types=sorted(types, key=lambda one: titles[one["game_type"]].casefold()),
        titles=titles,
        explained=words,
        paused={one["game_type"]: one["paused"] for one in types if one.get("paused")},
        puzzles=books,
        keeps=site.keeps,
        site=site.settings.masthead,
    )
    return finished(page.encode(), HTML)


def game_names(_site: PublicJournal, _asked: Mapping[str, Any], _facts: Facts) -> dict[str, str]:
    """The game types of games that are called something else."""
    return types_of_games()


def game_titles(_site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> dict[str, str]:
    """The titles of game types."""
    return {one: title_of(one) for one in asked["types"]}


def document(_site: PublicJournal, _asked: Mapping[str, Any], _facts: Facts) -> PageAnswer:
    """The description of the API."""
    return finished(json.dumps(openapi.document()).encode(), JSON)


ANSWERS: Final[Mapping[str, Callable[[PublicJournal, Mapping[str, Any], Facts], Any]]] = {
    "view": view,
    "standings.json": standings_json,
    "boards": boards,
    "board positions": board_positions,
    "game file": game_as_file,
    "openapi": document,
    "hand": hand,
    "game names": game_names,
    "game titles": game_titles,
    "play": play,
    "own games": my_games.page(my_games.games),
    "own game": my_games.page(my_games.game),
    "own positions": my_games.data(my_games.positions),
    "own file": my_games.download(my_games.file, "ugsg", "text/plain; charset=utf-8"),
    "own packet": my_games.download(my_games.packet, "zip", "application/zip"),
}
