"""What is known of a game, a player or a master, as values that can be written as JSON.

``now`` in each account is the running server's answer (:func:`ugs.broker.views.why.explain`), or None; the rest comes
from the journal. ``why`` holds sentences for people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from ugs.broker.values.record import EntryKind, read_movers, read_reason, read_verdict_reason
from ugs.broker.verdict import CLOSED, GIVEN_BY_SERVER, LINE_LOST, MASTER_GONE, Cause, Fault, GameResult
from ugs.broker.verdict_sentences import fault_of, refused_in_words, repeats, sentence, who_decided
from ugs.championship.ledger import What
from ugs.durations import elapsed_text
from ugs.journal.acts import BannedName
from ugs.journal.continuing_games import SERVER_LOST
from ugs.journal.reader import LoggedEntry, Login
from ugs.journal.row_reader import GameSummary
from ugs.record.game import Entry, GameRecord
from ugs.record.narration import day_and_time
from ugs.record.times import MICRO, written_time
from ugs.why.exchanges import Exchange, exchanges
from ugs.why.timing import missed_move, timing_of_last_move

Account: TypeAlias = dict[str, Any]
Live: TypeAlias = Mapping[str, Any]

SINCE: dict[str, frozenset[EntryKind]] = {
    "begun": frozenset({EntryKind.BEGIN}),
    "turn": frozenset({EntryKind.STATE}),
    "answer": frozenset({EntryKind.MOVE, EntryKind.LEFT}),
    "alone": frozenset({EntryKind.LEFT}),
    "away": frozenset({EntryKind.AWAY}),
    "taking": frozenset({EntryKind.RESTORED}),
    "closing": frozenset({EntryKind.VERDICT}),
    "over": frozenset({EntryKind.VERDICT}),
}
"""For each phase of a running game, the kinds of entries that begin it."""
BACK = frozenset({EntryKind.BACK, EntryKind.REJOINED})
"""A player whose line was lost is in the game again."""
BACK_OR_CUT = BACK | {EntryKind.CUT}


def game_account(
    record: GameRecord, last: int, now_us: int, live: Live | None = None, logins: Sequence[Login] = ()
) -> Account:
    """The account of a game: how it stands or how it ended, its ``last`` exchanges, and where the time of its last move
    went.

    ``now_us`` is the present time in microseconds since 1970. ``logins`` are those of its master, oldest first: where
    the game ended with its line, they hold the reason why that ended.
    """
    result = record.result
    timing, missed = timing_of_last_move(record, _live_round_trips(record, live)), missed_move(record)
    return {
        "kind": "game",
        "game": record.game_id,
        "game_type": record.game_type,
        "master": record.master,
        "masters": list(record.masters),
        "championship": record.championship,
        "fixture": record.fixture,
        "counts": record.counts and record.taken_out is None,
        "table": dict(record.table),
        "options": dict(record.options),
        "began": written_time(record.began_us),
        "ended": _ended(record),
        "seats": _seats(record),
        "moves": sum(entry.kind is EntryKind.MOVE for entry in record.entries) if result is None else result.moves,
        "verdict": _verdict(result),
        "why": [*why_ended(record, logins), *_still(live)] if result else _running(record, now_us, live),
        "last_move": None if timing is None else asdict(timing),
        "missed_move": None if missed is None else asdict(missed),
        "exchanges": [exchange_as_json(exchange) for exchange in exchanges(record, last)],
        "now": live,
    }


def why_ended(record: GameRecord, logins: Sequence[Login] = ()) -> list[str]:
    """Why a game has ended, in sentences; none if it runs. ``logins`` as for :func:`game_account`."""
    return [] if record.result is None else _over(record, record.result, logins)


def words_of_end(record: GameRecord) -> str:
    """The reason for the end of a game: from its master, or from the server that has closed the line of the player at
    fault; where the master's reason repeats that this one left, what the record knows of it. Of a time-out, that its
    line was lost. Empty if there was none, or the game runs."""
    result = record.result
    if result is None:
        return ""
    verdict = result.verdict
    seat = (
        record.seats.index(verdict.culprit)
        if verdict.fault is Fault.PLAYER and verdict.culprit in record.seats
        else None
    )
    code, text = _reason_of(record, result, seat) or ("", "")
    words = "" if repeats(verdict.cause, code, text) else text or code
    if verdict.cause is not Cause.TIMEOUT or seat is None:
        return words
    parts = [words or _no_move_for(record.entries, seat), "line lost" if _is_away(record.entries, seat) else ""]
    return ", ".join(filter(None, parts))


def live_account(live: Live) -> Account:
    """The account of something that only the running server knows."""
    name = "game" if live["kind"] == "game" else "name"
    return {"kind": live["kind"], name: live[name], "why": list(live["why"]), "now": live}


def person_account(
    role: str,
    name: str,
    logins: Sequence[Login],
    games: Sequence[GameSummary],
    last: int,
    now_us: int,
    live: Live | None = None,
    withdrawals: Sequence[tuple[str, LoggedEntry]] = (),
    lines: Mapping[str, str] = MappingProxyType({}),
    ban: BannedName | None = None,
) -> Account:
    """The account of a player or a master (``role``): why it waits if it is online, and its ``last`` logins and games,
    newest first.

    ``logins`` and ``withdrawals`` from championships are given oldest first, ``games`` newest first; ``lines`` are
    :func:`words_of_end` of some of them, by id; ``ban`` is what keeps it out.
    """
    newest = list(reversed(logins))
    why = _absence(name, newest) if live is None else [*live["why"], *_since_end(games, now_us, live)]
    return {
        "kind": role,
        "name": name,
        "why": why if ban is None else [_banned(ban), *why],
        "withdrawals": [_withdrawal(championship, logged) for championship, logged in withdrawals[-last:] if last],
        "running": [game.game_id for game in games if game.running],
        "logins": [_login(login) for login in newest[:last]],
        "games": [_summary(game) | {"said": lines.get(game.game_id, "")} for game in games[:last]],
        "now": live,
    }


# Games.


def _over(record: GameRecord, result: GameResult, logins: Sequence[Login]) -> list[str]:
    verdict = result.verdict
    if verdict.void:
        judge = "the server"
    elif verdict.cause is Cause.ADJUDICATED:
        judge = "the organiser"
    elif verdict.by_server:
        judge = "the server, since the game master did not"
    else:
        judge = f"the game master {record.masters[-1]!r}"
    # Who voided it, and why, is enough.
    voided = record.taken_out is not None and record.taken_out.voided
    ended = sentence(replace(result, master=record.masters[-1]), with_program=record.with_program)
    return [
        # First, since what follows names the winner that the game had before.
        *([] if record.correction is None else [record.correction.sentence(record.seats)]),
        *([] if record.taken_out is None else [record.taken_out.sentence]),
        *([] if voided else [ended]),
        *_end_of_line(record, result, logins),
        *_not_on(record, result),
        *_lost_lines(record, result),
        *_words_of_end(record, result),
        *_closed_before(record, result),
        *refused_in_words(result),
        *([] if voided else [fault_of(verdict)]),
        # A game that was won by the rules names who judged it.
        *([] if voided or f"judged by {judge}" in ended else [f"judged by {judge}"]),
        *([] if record.counts or record.taken_out is not None else ["it does not count for standings or ratings"]),
    ]


def _end_of_line(record: GameRecord, result: GameResult, logins: Sequence[Login]) -> list[str]:
    """Why the line of the master ended, where the game ended with it."""
    if result.verdict.cause not in MASTER_GONE:
        return []
    until = record.entries[-1].wall_us if record.entries else record.began_us
    for login in reversed(logins):
        ended_us = login.ended_us if (login.role, login.game_type) == ("master", record.game_type) else None
        # A master may have had more than one line: the one that ended within the game counts.
        if ended_us is not None and record.began_us <= ended_us <= until:
            return [f"the line of {login.name} ended at {day_and_time(ended_us)}: {login.reason}"]
    return []


def _not_on(record: GameRecord, result: GameResult) -> list[str]:
    """Why a game did not go on after its server was lost."""
    if result.verdict.cause is not Cause.SERVER_LOST:
        return []
    last = record.entries[-1].text if record.entries else ""
    why = last.removeprefix(f"{SERVER_LOST}: ")
    known = "" if why == last else f": {why}"
    return [
        f"it could not go on{known} (a game does where `master_grace_s` is set, its master has restore, and all its "
        "players have session)"
    ]


def _lost_lines(record: GameRecord, result: GameResult) -> list[str]:
    """How often the line of the player at fault was lost before the end: a program that has crashed is not slow, and
    one that was started again may not know the position."""
    verdict = result.verdict
    culprit = verdict.culprit
    if verdict.fault is not Fault.PLAYER or culprit not in record.seats:
        return []
    seat, times, lost_us = record.seats.index(culprit), 0, None
    for entry in record.entries:
        if entry.seat == seat and entry.kind in BACK:
            lost_us = None
        elif entry.seat == seat and lost_us is None and _is_lost(entry):
            times, lost_us = times + 1, entry.mono_us
    if verdict.cause in LINE_LOST and lost_us is not None:
        # That it was lost at last is how the game ended.
        times, lost_us = times - 1, None
    if not times:
        return []
    if lost_us is None:
        return [f"{culprit}'s line was lost {_times(times)} in this game; it came back"]
    before = elapsed_text((record.entries[-1].mono_us - lost_us) / MICRO)
    if times == 1:
        return [f"the line of {culprit} had been lost {before} before, and it did not come back"]
    return [
        f"{culprit}'s line was lost {_times(times)} in this game, at last {before} before, and it did not come back"
    ]


def _is_lost(entry: Entry) -> bool:
    """Whether the line of a player was lost by this: its seat waits, or it is out of the game."""
    return entry.kind is EntryKind.CUT or (entry.kind is EntryKind.LEFT and entry.text in LINE_LOST)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _words_of_end(record: GameRecord, result: GameResult) -> list[str]:
    """The master's reason for the end, and the server's message to the player who is at fault for it."""
    culprit = result.verdict.culprit
    seat = record.seats.index(culprit) if culprit in record.seats else None
    lines = []
    reason = _reason_of(record, result, seat if result.verdict.fault is Fault.PLAYER else None)
    if reason is not None and not repeats(result.verdict.cause, *reason):
        code, text = reason
        lines.append(f"{who_decided(result.verdict.cause)} said: {text or code}")
    refused = [entry.text for entry in record.entries if entry.kind is EntryKind.REFUSED and entry.seat == seat]
    if seat is not None and refused and (reason is None or result.verdict.cause not in GIVEN_BY_SERVER):
        lines.append(f"the last mistake that {culprit} was sent: {refused[-1]}")
    return lines


def _no_move_for(entries: Sequence[Entry], seat: int) -> str:
    """How long a seat had been asked when its time ran out; empty where these entries do not show it."""
    left_us = None
    for entry in reversed(entries):
        if entry.kind is EntryKind.LEFT and entry.seat == seat:
            left_us = entry.mono_us
        elif left_us is not None and entry.kind is EntryKind.STATE and seat in read_movers(entry.seat, entry.text):
            return f"no move for {elapsed_text((left_us - entry.mono_us) / MICRO)}"
    return ""


def _is_away(entries: Sequence[Entry], seat: int) -> bool:
    """Whether the line of a seat was lost, and has not come back."""
    cut = (one.kind is EntryKind.CUT for one in reversed(entries) if one.seat == seat and one.kind in BACK_OR_CUT)
    return next(cut, False)


def _closed_before(record: GameRecord, result: GameResult) -> list[str]:
    """Why the server has closed lines of other players than the one at fault for the end, whose game went on then."""
    lines, closings = [], dict.fromkeys(range(len(record.seats)), "")
    for entry in record.entries:
        if entry.kind is EntryKind.REFUSED and entry.seat is not None:
            closings[entry.seat] = entry.text
        elif entry.kind is EntryKind.LEFT and entry.seat is not None and entry.text in CLOSED:
            nick = record.seats[entry.seat]
            if nick != result.verdict.culprit:
                lines.append(f"the server closed the connection of {nick}: {closings[entry.seat] or entry.text}")
    return lines


def _reason_of(record: GameRecord, result: GameResult, blamed: int | None) -> tuple[str, str] | None:
    """Code and text of the reason that belongs to the end of a game: given since the last state; or, for a player who
    was taken out before, the last one that names its seat. Where the master's private messages are left out of a
    record, the verdict repeats the reason, as sent to spectators."""
    entry = None if result.verdict.cause in GIVEN_BY_SERVER else _reason_given(record.entries, blamed)
    if entry is not None:
        return read_reason(entry.text)
    verdicts = (entry.text for entry in reversed(record.entries) if entry.kind is EntryKind.VERDICT)
    return read_verdict_reason(next(verdicts, ""), result.verdict)


def _reason_given(entries: Sequence[Entry], blamed: int | None) -> Entry | None:
    if any((one.kind, one.seat, one.text) == (EntryKind.LEFT, blamed, Cause.ILLEGAL_MOVE) for one in entries):
        # What the master gave as a reason of the end came later, and is not why this player is out.
        return next((one for one in reversed(entries) if (one.kind, one.seat) == (EntryKind.REASON, blamed)), None)
    for entry in reversed(entries):
        if entry.kind is EntryKind.STATE:
            break
        if entry.kind is EntryKind.REASON and (blamed is None or entry.seat in (None, blamed)):
            return entry
    if blamed is None or not any(entry.kind is EntryKind.LEFT and entry.seat == blamed for entry in entries):
        return None
    return next((one for one in reversed(entries) if one.kind is EntryKind.REASON and one.seat == blamed), None)


def _running(record: GameRecord, now_us: int, live: Live | None) -> list[str]:
    """The sentences about a game without a verdict in the journal."""
    if live is None:
        return ["it has no verdict: it was running when the server was lost, and the server was not started again"]
    lines = list(live["why"])
    begins = SINCE.get(live["phase"], frozenset())
    since = next((entry.wall_us for entry in reversed(record.entries) if entry.kind in begins), None)
    if since is not None:
        so_far = max(0.0, (now_us - since) / 1e6)
        limit = live.get("limit_s")
        left = f"; {elapsed_text(max(0.0, limit - so_far))} are left" if limit is not None else ""
        lines.append(f"since {day_and_time(since)}, {elapsed_text(so_far)} ago{left}")
    return lines


def _live_round_trips(record: GameRecord, live: Live | None) -> tuple[int, ...]:
    """The round trips of the master and the seats of a running game, in the order of a record."""
    if live is None:
        return ()
    trips = {(peer["role"], peer["name"]): peer.get("round_trip_us", 0) for peer in live["peers"]}
    return trips.get(("master", record.masters[-1]), 0), *(trips.get(("player", nick), 0) for nick in record.seats)


def _ended(record: GameRecord) -> str | None:
    if record.result is None:
        return None
    at = record.entries[-1].wall_us if record.entries else None
    seconds = record.result.ended_at - record.result.began_at
    return written_time(at if at is not None else record.began_us + round(seconds * 1e6))


def _seats(record: GameRecord) -> list[Account]:
    if record.result is None:
        return [{"seat": seat, "nick": nick} for seat, nick in enumerate(record.seats)]
    return [
        {"seat": seat, "nick": its.nick, "outcome": str(outcome), "departure": its.departure and str(its.departure)}
        for seat, (its, outcome) in enumerate(zip(record.result.seats, record.outcomes, strict=True))
    ]


def _verdict(result: GameResult | None) -> Account | None:
    if result is None:
        return None
    verdict = result.verdict
    return {
        "cause": str(verdict.cause),
        "fault": str(verdict.fault),
        "culprit": verdict.culprit,
        "by_server": verdict.by_server,
        "void": verdict.void,
    }


def exchange_as_json(exchange: Exchange) -> Account:
    """An exchange as JSON. Documents are UTF-8; the payload of an invalid record may not be, and is then written in
    hex."""
    try:
        document = {"document": exchange.document.decode()}
    except UnicodeDecodeError:
        document = {"document_hex": exchange.document.hex()}
    return {
        "entry": exchange.entry,
        "at": written_time(exchange.wall_us),
        "since_begin_us": exchange.since_begin_us,
        "from": exchange.sender,
        "to": list(exchange.receivers),
        **document,
        "note": exchange.note,
        "asked": exchange.asked,
    }


def _still(live: Live | None) -> list[str]:
    """What a game with a verdict still waits for."""
    return [] if live is None else list(live["why"])


# People.


def _since_end(games: Sequence[GameSummary], now_us: int, live: Live) -> list[str]:
    """Since when the game is over that a player owes its thanks for."""
    ended_us = next((game.ended_us for game in games if game.game_id == live.get("game")), None)
    if ended_us is None:
        return []
    return [f"that game ended at {day_and_time(ended_us)}, {elapsed_text(max(0.0, (now_us - ended_us) / 1e6))} ago"]


def _absence(name: str, newest: Sequence[Login]) -> list[str]:
    if not newest:
        return [f"{name} is not here"]
    login = newest[0]
    if login.ended_us is None:
        return [f"{name} has been here since {day_and_time(login.began_us)}, as far as the journal knows"]
    return [f"{name} is not here; it was until {day_and_time(login.ended_us)}: {login.reason}"]


def _banned(ban: BannedName) -> str:
    until = "" if ban.until_us is None else f", until {day_and_time(ban.until_us)}"
    return f"banned by {ban.who} since {day_and_time(ban.since_us)}{until}: {ban.why}"


def _withdrawal(championship: str, logged: LoggedEntry) -> Account:
    """Why an entrant is out of a championship for good, and who decided it (empty: the entrant itself)."""
    entry = logged.entry
    return {
        "championship": championship,
        "at": written_time(logged.wall_us),
        "who": entry.who,
        "why": entry.why,
        "disqualified": entry.what is What.DISQUALIFIED,
    }


def _login(login: Login) -> Account:
    return {
        "role": login.role,
        "game_type": login.game_type,
        "address": login.address,
        "version": login.version,
        "players": login.players,
        "began": written_time(login.began_us),
        "ended": None if login.ended_us is None else written_time(login.ended_us),
        "reason": login.reason,
    }


def _summary(game: GameSummary) -> Account:
    return {
        "game": game.game_id,
        "game_type": game.game_type,
        "championship": game.championship,
        "counts": game.counts,
        "began": written_time(game.began_us),
        "taken_out": "" if game.taken_out is None else game.taken_out.sentence,
        "verdict": None if game.verdict is None else str(game.verdict.cause),
        "moves": game.moves,
        "seats": [{"nick": seat.nick, "outcome": seat.outcome and str(seat.outcome)} for seat in game.seats],
    }
