"""The games of one player, as it saw them: for its own corner (:mod:`ugs.page.server.my_games`).

Whose games are whose: those that its nick began while it was its own. That is looked up in the journal each time,
before anything of a game is read. What is shown is what the player was shown (:func:`ugs.record.views.own`).
"""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.row_reader import GameSummary
from ugs.page import html
from ugs.page.contract import PLAIN, Facts, Owner, PageAnswer
from ugs.page.played import Ended
from ugs.page.worker.games import ended_game, some_positions
from ugs.page.worker.live_views import server_of
from ugs.page.worker.public_journal import NotKept, NotThere, PublicJournal, ended
from ugs.page.worker.replays import Replay
from ugs.record.game import GameRecord
from ugs.record.times import MICRO
from ugs.record.ugsg import write
from ugs.record.views import own
from ugs.why.lookup import words_of_ends
from ugs.why.player_account import own_account
from ugs.why.seat_packet import seat_packet

GAMES_A_PAGE: Final = 50
MAX_WORDS_BYTES: Final = 1_048_576
"""Bytes of records that are read for the reasons of ends on a page, of which a visitor may ask for many."""
EXCHANGES: Final = 10
"""Last documents that the account of a game shows."""
SLACK_US: Final = 10_000
"""By how much the clock of the broker and that of the journal may differ. A game begins right after its player has
come; a game of another player with this nick began before that one went."""
END_OF_TIME_US: Final = 1 << 62
UNREADABLE: Final = "the journal cannot be read; see the server's log"


@dataclass(frozen=True, slots=True)
class OwnGames:
    """The corner."""

    nick: str
    running: str
    """The id of its running game; empty: it is in none."""
    keeps: bool
    """Whether anything is kept."""
    games: list[Ended]
    before: int | None
    """Where to go on; None: there are no more."""
    words: dict[str, str]
    """Reasons for the ends of some of them, by id."""


def games(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> str:
    """The corner, as a page."""
    owner: Owner = asked["owner"]
    found: list[Ended] = []
    words: dict[str, str] = {}
    number = None
    if site.keeps:
        with site.reading() as reader:
            latest = reader.ended(
                nick=owner.nick, before=asked.get("before"), began_us=_window(owner), limit=GAMES_A_PAGE
            )
            listed = []
            for number, game in latest:  # noqa: B007
                if _may_know_end(site, game, owner.nick):
                    listed.append(game)
                    found.append(ended(game))
            words = words_of_ends(reader, listed, MAX_WORDS_BYTES)
    page = OwnGames(owner.nick, owner.game, site.keeps, found, number if len(found) == GAMES_A_PAGE else None, words)
    return html.beside("mine.html", here="mine", page=page, link=own_link, site=site.settings.masthead)


def game(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> str:
    """One game, as a page."""
    owner: Owner = asked["owner"]
    replay = _replay(site, asked, facts)
    shown = ended_game(server_of(site, facts), replay, asked)
    with site.reading() as reader:
        account = own_account(reader.record(asked["id"]), owner.nick, EXCHANGES, time.time_ns() // 1000)
    query = urlencode({"id": asked["id"]})
    return html.page(
        "game",
        shown,
        own_link,
        asked={"id": asked["id"]},
        here="mine",
        doors=html.DOORS,
        account=account,
        site=site.settings.masthead,
        file=f"mine.ugsg?{query}",
        positions=f"mine-positions?{query}",
    )


def positions(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> bytes:
    """Some positions of a game, as JSON."""
    found = some_positions(_replay(site, asked, facts), asked.get("from", 1))
    return msgspec.json.encode(found)


def file(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> bytes:
    """A game as a file for ``ugs record import`` and ``ugs replay``."""
    return write(_own_record(site, asked))


def packet(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> bytes:
    """What the writer of the player needs to find out why a game ended so."""
    with site.reading() as reader:
        _summary(reader, site, asked)
        record = reader.record(asked["id"])
    return seat_packet(record, asked["owner"].nick, time.time_ns() // 1000)


def own_link(page: str, **asked: object) -> str:
    """Links of the corner: to games as the player saw them, to all other pages as usual."""
    if page != "game":
        return html.served(page, **asked)
    query = html.by_move({name: asked[name] for name in ("id", "at") if asked.get(name)})
    return "mine-game?" + urlencode(query)


def _window(owner: Owner) -> tuple[int, int]:
    """Between which moments a game of this nick began that is its own."""
    until_us = round(owner.until * MICRO) if owner.until is not None else END_OF_TIME_US
    return round(owner.since * MICRO) - SLACK_US, until_us


def _may_know_end(site: PublicJournal, game: GameSummary, nick: str) -> bool:
    """Whether the player may know by now how a game has ended: if it left early, as spectators may."""
    stayed = any(seat.nick == nick and seat.departure is None for seat in game.seats)
    return game.verdict is not None and (stayed or site.may_be_seen(game))


def _summary(reader: Reader, site: PublicJournal, asked: Mapping[str, Any]) -> GameSummary:
    """A game that is its own and has ended. Raises NotThere."""
    owner: Owner = asked["owner"]
    least, most = _window(owner)
    head = reader.head(asked["id"])
    if (
        head is None
        or not least <= head[0].began_us <= most
        or all(seat.nick != owner.nick for seat in head[0].seats)
        or not _may_know_end(site, head[0], owner.nick)
    ):
        raise NotThere(f"no game {asked['id']!r} of yours has ended here")
    return head[0]


def _own_record(site: PublicJournal, asked: Mapping[str, Any]) -> GameRecord:
    with site.reading() as reader:
        _summary(reader, site, asked)
        record = reader.record(asked["id"])
    return own(record, record.seats.index(asked["owner"].nick))


def _replay(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> Replay:
    nick, plain = asked["owner"].nick, facts.get(PLAIN, "")
    with site.reading() as reader:
        _summary(reader, site, asked)
    kept = site.own_replays.kept(asked["id"], nick, plain)
    return kept if kept is not None else site.own_replays.keep(_own_record(site, asked), nick, plain)


def page(
    answer_with: Callable[[PublicJournal, Mapping[str, Any], Facts], str],
) -> Callable[[PublicJournal, Mapping[str, Any], Facts], PageAnswer]:
    """An answer of the worker, made of a page."""
    return _guarded(lambda *asked: PageAnswer(answer_with(*asked).encode()))


def data(
    answer_with: Callable[[PublicJournal, Mapping[str, Any], Facts], bytes],
) -> Callable[[PublicJournal, Mapping[str, Any], Facts], PageAnswer]:
    """The same, made of JSON."""
    return _guarded(lambda *asked: PageAnswer(answer_with(*asked), "application/json"))


def download(
    answer_with: Callable[[PublicJournal, Mapping[str, Any], Facts], bytes], suffix: str, media_type: str
) -> Callable[[PublicJournal, Mapping[str, Any], Facts], PageAnswer]:
    """The same, made of a file."""

    def answer(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> PageAnswer:
        name = re.sub(r"[^A-Za-z0-9_-]", "_", asked["id"])
        headers = {"Content-Disposition": f'attachment; filename="{name}.{suffix}"'}
        return PageAnswer(answer_with(site, asked, facts), media_type, headers=headers)

    return _guarded(answer)


def _guarded(
    answer_with: Callable[[PublicJournal, Mapping[str, Any], Facts], PageAnswer],
) -> Callable[[PublicJournal, Mapping[str, Any], Facts], PageAnswer]:
    def answer(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> PageAnswer:
        try:
            return answer_with(site, asked, facts)
        except NotThere as error:
            return _refused(site, 404, str(error))
        except NotKept as error:
            return _refused(site, 503, str(error))
        except JournalError as error:
            return _refused(site, 503, UNREADABLE, str(error))

    return answer


def _refused(site: PublicJournal, status: int, text: str, trouble: str = "") -> PageAnswer:
    page = html.error(status, text, site=site.settings.masthead)
    return PageAnswer(page.encode(), status=status, trouble=trouble)
