"""What a running server and its journal know of a name."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from ugs.admin import NoAnswer, NoServer, ask
from ugs.broker.verdict import MASTER_GONE, Fault
from ugs.broker.verdict_sentences import ORDERLY
from ugs.game_ids import not_one
from ugs.journal.acts import BannedName
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.row_reader import GameSummary
from ugs.journal.tokens import IdentitiesError, listed
from ugs.places import Place
from ugs.printable import MAX_LIKENED
from ugs.printable import near as close_to
from ugs.record.game import GameRecord
from ugs.why.answer import Account, Live, game_account, live_account, person_account, words_of_end

MAX_READ = 2_000
MAX_READ_BYTES = 1_048_576
"""Entries of a game, and bytes of them, that are read for one line about it. A packed game is read as a whole or not at
all."""
MAX_LIST_BYTES = 8_388_608
"""The same for all lines of a list."""
ENTRY_BYTES = 64
"""What an entry costs beside its text."""
RECENT_GAMES = 1000
"""The number of recent games that are searched for similar names."""


MAX_COMPARED_NAMES = 10_000
"""Names that are compared with an unknown one; this is a program of its own."""


class UnknownName(Exception):
    """Neither the server nor the journal knows the name. The text is for people and lists similar names."""


def look_up(name: str, data_dir: Place, last: int, now_us: int) -> tuple[list[Account], list[str]]:
    """The accounts of everything called ``name``, and notes about what could not be asked.

    ``name`` is a nick, a master's id, a championship or a game (its id, or the beginning of exactly one id). Raises
    :class:`UnknownName`, and :class:`JournalError` when the journal cannot be read and no server knows the name.
    """
    if not name or any("\ud800" <= char <= "\udfff" for char in name):  # not valid text on the command line
        raise UnknownName(f"{name!r}: no player, game master, game or championship of this name")
    live, near, notes = _live(name, data_dir)
    try:
        with Reader(data_dir) as reader:
            accounts = _accounts(reader, name, last, now_us, live, data_dir)
            if not accounts:
                raise _unknown(reader, name, [*near, *_with_tokens(data_dir)])
    except JournalError as error:
        if not live:
            raise
        return [live_account(one) for one in live.values()], [*notes, str(error)]
    return accounts, notes


def account_of(reader: Reader, record: GameRecord, last: int, now_us: int, live: Live | None = None) -> Account:
    """The account of a game of this journal."""
    verdict = record.result.verdict if record.result is not None else None
    master = verdict.culprit if verdict is not None and verdict.cause in MASTER_GONE else None
    logins = reader.logins(master) if master is not None else []
    return game_account(record, last, now_us, live, logins)


def _live(name: str, data_dir: Place) -> tuple[dict[str, Live], Sequence[str], list[str]]:
    """What the server knows, by kind, similar names that it knows, and notes about asking it."""
    try:
        answer = ask(data_dir, {"ask": "why", "name": name})
    except NoServer:
        return {}, (), ["no server runs on this data directory: this is what its journal knows"]
    except NoAnswer as error:
        return {}, (), [f"{error}; this is what its journal knows"]
    found: list[Mapping[str, Any]] = answer.get("found", [])
    return {one["kind"]: one for one in found}, answer.get("near", ()), []


def _accounts(
    reader: Reader, name: str, last: int, now_us: int, live: dict[str, Live], data_dir: Place
) -> list[Account]:
    ban = reader.ban(name, now_us)
    accounts = [
        account for role in ("player", "master") for account in _person(reader, role, name, last, now_us, live, ban)
    ]
    if not accounts and ban is not None:
        # It may never have been here.
        accounts.append(person_account("player", ban.name, (), (), last, now_us, ban=ban))
    game = live.get("game")
    record = _record(reader, game["game"] if game is not None else name)
    # A nick may be the beginning of an id: then the player is meant.
    if record is not None and (not accounts or game is not None or record.game_id == name):
        accounts.append(account_of(reader, record, last, now_us, game))
    elif game is not None:
        accounts.append(live_account(game))
    championship = live.get("championship")
    if championship is not None or (not accounts and any(one.name == name for one in reader.championships())):
        accounts.append(_championship(name, championship, data_dir))
    return accounts


def _championship(name: str, here: Live | None, data_dir: Place) -> Account:
    """The account of a championship: what it waits for, as far as a server knows, and the command that shows the
    rest."""
    waits = [] if here is None else [*here["why"], *map(_held, here["fixtures"])]
    command = shlex.join(["ugs", "championship", "show", name, "--data-dir", str(data_dir)])
    shown = f"`{command}` shows all about it"
    return {"kind": "championship", "name": name, "why": [*waits, shown], "now": here}


def _held(fixture: Live) -> str:
    """A game of a championship that could begin, and what it waits for."""
    return f"fixture {fixture['fixture']}, {', '.join(fixture['nicks'])}: {held_text(fixture) or 'it begins soon'}"


def held_text(fixture: Live) -> str:
    """What a game of a championship waits for, as the server has answered; empty where nothing holds it up."""
    return "; ".join(fixture["why"])


def _person(
    reader: Reader, role: str, name: str, last: int, now_us: int, live: dict[str, Live], ban: BannedName | None
) -> Iterator[Account]:
    here = live.get(role)
    known_as = name if here is None else here["name"]
    logins = [login for login in reader.logins(known_as) if login.role == role]
    # One at least shows that it has played.
    games = list(reader.games(nick=known_as, limit=max(last, 1))) if role == "player" else []
    if here is not None or logins or games:
        gone = reader.withdrawals(known_as) if role == "player" else []
        words = words_of_ends(reader, games[:last])
        yield person_account(role, known_as, logins, games, last, now_us, here, gone, words, ban)


def words_of_ends(reader: Reader, games: Iterable[GameSummary], most_bytes: int = MAX_LIST_BYTES) -> dict[str, str]:
    """:func:`words_of_end` of those of these games that ended by the rules or by a player's fault, by id, as far as
    ``most_bytes`` of their entries go: what a list costs must not grow with the games in it."""
    words = {}
    for game in games:
        if most_bytes <= 0:
            break
        verdict = game.verdict
        if verdict is not None and (verdict.fault is Fault.PLAYER or verdict.cause in ORDERLY):
            found = reader.latest(game.game_id, MAX_READ, min(most_bytes, MAX_READ_BYTES))
            if found is not None:
                most_bytes -= sum([len(one.body) + len(one.text) + ENTRY_BYTES for one in found[0].entries])
                words[game.game_id] = words_of_end(found[0])
    return words


def _record(reader: Reader, game_id: str) -> GameRecord | None:
    """The record of a game; None when there is none. Raises JournalError when the journal cannot be read."""
    try:
        return reader.record(game_id)
    except JournalError:
        reader.game_types()  # raises again if the journal is at fault, not the name
        return None


def _with_tokens(data_dir: Place) -> list[str]:
    """Who has a token, and may never have been here."""
    try:
        return [one.name for one in listed(data_dir)[:MAX_LIKENED]]
    except IdentitiesError:
        return []


def _unknown(reader: Reader, name: str, others: Sequence[str]) -> UnknownName:
    """``others``: names besides those of recent games that may have been meant."""
    recent = list(reader.games(limit=RECENT_GAMES))
    begun_alike = [game.game_id for game in recent if game.game_id.startswith(name)]
    people = chain.from_iterable((game.master, *(seat.nick for seat in game.seats)) for game in recent)
    known = dict.fromkeys(chain(people, others, (game.game_id for game in recent)))
    if begun_alike:
        return UnknownName(not_one(name, begun_alike))
    near = close_to(name, tuple(islice(known, MAX_COMPARED_NAMES)))
    hint = f"; there is {', '.join(near[:10])}" if near else ""
    return UnknownName(f"{name!r}: no player, game master, game or championship of this name{hint}")
