"""What the next life of the server knows of earlier ones, computed from all that was recorded.

It does on lists what the journal does in its SQL tables, without sharing its code. Games that never ended are void
through the fault of the server, unless they may go on. All that is kept has gone through JSON. It knows no times.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ugs.broker.effects import (
    RecordAct,
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    Recording,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.broker.past import Past, PastChampionship, PastGame
from ugs.broker.values.access import AccessRule
from ugs.broker.values.record import EntryKind, departed
from ugs.broker.values.standings import Row
from ugs.broker.verdict import Outcome
from ugs.championship.ledger import LedgerEntry, What

KINDS = {
    (False, False): "ban",
    (False, True): "ban address",
    (True, False): "allow",
    (True, True): "allow address",
}
"""The acts that make rules, by whether they allow and whether they are about addresses."""


def past_of(before: Past, recordings: Iterable[Recording]) -> Past:
    """The past after one more life, in which ``recordings`` were written."""
    rows = {name: {row.nick: replace(row) for row in of} for name, of in before.standings.items()}
    seats = {name: {nick: Counter(had) for nick, had in of.items()} for name, of in before.seats.items()}
    ledgers = {one.name: (one.game_type, list(one.ledger)) for one in before.championships}
    running: dict[str, RecordBegin] = {one.begin.game_id: one.begin for one in before.games}
    entries = {one.begin.game_id: [entry for _, entry in one.entries] for one in before.games}
    sessions = {one.session: one for one in before.sessions}
    paused = dict(before.paused)
    bans = {(one.subject, KINDS[one.allows, one.is_address]): one for one in before.bans}
    for effect in recordings:
        match effect:
            case RecordSession(session=session):
                sessions[session] = effect
            case RecordSessionOver(session=session):
                sessions.pop(session, None)
            case RecordEntry(game_id=game_id):
                entries.setdefault(game_id, []).append(effect)
            case RecordBegin(game_id=game_id, championship=championship, game_type=game_type):
                running[game_id] = effect
                for seat, nick in enumerate(effect.seats):
                    if not championship and effect.counts:
                        seats.setdefault(game_type, defaultdict(Counter)).setdefault(nick, Counter())[seat] += 1
            case RecordResult(result=result):
                running.pop(result.game_id, None)
                for one in result.seats:
                    counts = len(result.seats) > 1 and one.outcome is not Outcome.VOID
                    if counts and not result.championship:
                        row = rows.setdefault(result.game_type, {}).setdefault(one.nick, Row(one.nick))
                        setattr(row, one.outcome, getattr(row, one.outcome) + 1)
            case RecordAct(kind="pause", game_type=game_type, why=why):
                paused[game_type] = why
            case RecordAct(kind="resume", game_type=game_type):
                paused.pop(game_type, None)
            case RecordAct(kind=kind, subject=subject, why=why, seconds=seconds) if kind in KINDS.values():
                allows, is_address = next(key for key, known in KINDS.items() if known == kind)
                bans[subject, kind] = AccessRule(subject, is_address, why, seconds, allows)
            case RecordAct(kind="unban" | "unban address" as kind, subject=subject):
                bans.pop((subject, kind.removeprefix("un")), None)
            case RecordAct(kind="disallow" | "disallow address" as kind, subject=subject):
                bans.pop((subject, kind.removeprefix("dis")), None)
            case RecordAct(kind="forget", subject=nick, game_type=game_type):
                rows.get(game_type, {}).pop(nick, None)
                seats.get(game_type, {}).pop(nick, None)
            case RecordChampionship(name=name, game_type=game_type, entry=entry):
                ledgers.setdefault(name, (game_type, []))[1].append(written(entry))
    going_on = [begin for begin in running.values() if may_go_on(begin, entries[begin.game_id], sessions.values())]
    for game_id, begin in running.items():
        if begin.championship and begin not in going_on:
            lost = {"game": game_id, "fixture": begin.fixture, "again": True, "server": True}
            ledgers[begin.championship][1].append(LedgerEntry(What.VOID, lost))
    return Past(
        {name: list(of.values()) for name, of in rows.items() if of},
        {name: {nick: dict(had) for nick, had in of.items()} for name, of in seats.items()},
        [PastChampionship(name, game_type, ledger) for name, (game_type, ledger) in ledgers.items()],
        list(sessions.values()),
        [PastGame(begin, 0.0, [(0.0, entry) for entry in entries[begin.game_id]]) for begin in going_on],
        list(bans.values()),
        paused,
    )


def may_go_on(begin: RecordBegin, entries: Iterable[RecordEntry], sessions: Iterable[RecordSession]) -> bool:
    """Whether all who are still in a game may come back, and its master can be replaced."""
    entries = list(entries)
    if any(entry.kind in (EntryKind.OVER, EntryKind.VERDICT) for entry in entries):
        return False
    gone = departed(entries)
    present = {nick for seat, nick in enumerate(begin.seats) if seat not in gone}
    there = {one.nick for one in sessions if one.game_type == begin.game_type}
    return bool(begin.seed) and bool(present) and present <= there


def written(entry: LedgerEntry) -> LedgerEntry:
    """An entry written down and read again."""
    data: Mapping[str, Any] = json.loads(json.dumps(dict(entry.data)))
    return LedgerEntry(entry.what, data, entry.who, entry.why)
