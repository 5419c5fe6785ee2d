"""What a next life of the server knows of those before, counted from all that was to be written down.

It does on lists what the journal does in its tables, by itself: games that never ended are void through the fault of
the server, and what is kept has gone through JSON.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ugs.broker.effects import RecordBegin, RecordChampionship, Recording, RecordResult
from ugs.broker.past import Past, PastChampionship
from ugs.broker.standings import Row
from ugs.broker.verdict import Outcome
from ugs.championship.ledger import LedgerEntry, What


def past_of(before: Past, recordings: Iterable[Recording]) -> Past:
    """The past after one more life, in which so much came on file."""
    rows = {name: {row.nick: replace(row) for row in of} for name, of in before.tables.items()}
    seats = {
        name: {nick: Counter(dict(enumerate(had))) for nick, had in of.items()} for name, of in before.seats.items()
    }
    ledgers = {one.name: (one.game_type, list(one.ledger)) for one in before.championships}
    running: dict[str, RecordBegin] = {}
    for effect in recordings:
        match effect:
            case RecordBegin(game_id=game_id, championship=championship, game_type=game_type):
                running[game_id] = effect
                for seat, nick in enumerate(effect.seats):
                    if not championship:
                        seats.setdefault(game_type, defaultdict(Counter)).setdefault(nick, Counter())[seat] += 1
            case RecordResult(result=result):
                running.pop(result.game_id, None)
                for one in result.seats:
                    if not result.championship and one.outcome is not Outcome.VOID:
                        row = rows.setdefault(result.game_type, {}).setdefault(one.nick, Row(one.nick))
                        setattr(row, one.outcome, getattr(row, one.outcome) + 1)
            case RecordChampionship(name=name, game_type=game_type, entry=entry):
                ledgers.setdefault(name, (game_type, []))[1].append(written(entry))
    for game_id, begin in running.items():
        if begin.championship:
            lost = {"game": game_id, "fixture": begin.fixture, "again": True, "server": True}
            ledgers[begin.championship][1].append(LedgerEntry(What.VOID, lost))
    return Past(
        {name: list(of.values()) for name, of in rows.items()},
        {name: {nick: listed(had) for nick, had in of.items()} for name, of in seats.items()},
        [PastChampionship(name, game_type, ledger) for name, (game_type, ledger) in ledgers.items()],
    )


def written(entry: LedgerEntry) -> LedgerEntry:
    """An entry written down and read again."""
    data: Mapping[str, Any] = json.loads(json.dumps(dict(entry.data)))
    return LedgerEntry(entry.what, data, entry.who, entry.why)


def listed(had: Counter[int]) -> Sequence[int]:
    """How often the first seat, the second, … was had."""
    return [had[seat] for seat in range(max(had, default=-1) + 1)]
