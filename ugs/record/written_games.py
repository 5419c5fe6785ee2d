"""Recorded games as formats of other programs know them, and back (:mod:`ugs.game_files`)."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final

from ugs.broker.values.record import REMARKS, EntryKind, results_text
from ugs.broker.values.remark_json import NoRemark, read_remark, remark_body
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.game_files import GameFileError, WrittenGame, WrittenMove, WrittenRemark
from ugs.record.game import Entry, GameRecord
from ugs.record.validation import RecordError, check
from ugs.wire.extensions import Remark

MASTER: Final = "imported"
"""The master of a game that was read from a file."""
USUAL_MOVE_US: Final = 1_000_000
"""The time of a move where the file has none."""
ID: Final = re.compile(r"[A-Za-z0-9_-]{6,64}")


def written_game(record: GameRecord) -> WrittenGame:
    """Return what formats know of a recorded game. Raises GameFileError for one that has not ended or of that only the
    result was kept."""
    if record.result is None:
        raise GameFileError(f"game {record.game_id} has not ended")
    moves: list[WrittenMove] = []
    state = b""
    remarks: dict[int | None, WrittenRemark] = {}
    for entry in record.entries:
        if entry.kind in (EntryKind.STATE, EntryKind.OVER) and entry.body:
            state = entry.body
        elif entry.kind in REMARKS:
            remarks[entry.seat] = _remark(record.game_id, entry)
        elif entry.kind is EntryKind.MOVE and entry.seat is not None:
            took_s = (entry.mono_us - entry.handed_us) / 1e6 if entry.handed_us else None
            # A remark belongs to the next move of its player.
            moves.append(WrittenMove(entry.seat, state, entry.body, took_s, remarks.pop(entry.seat, None)))
    if not state:
        raise GameFileError(f"of game {record.game_id} only the result was kept")
    return WrittenGame(
        game_id=record.game_id,
        game_type=record.game_type,
        seats=record.seats,
        moves=tuple(moves),
        last=state,
        outcomes=tuple(map(str, record.outcomes)),
        ended_by=str(record.result.verdict.cause),
        options=record.options,
        began_us=record.began_us,
        event=record.championship,
        round=record.fixture,
    )


def record_of(game: WrittenGame) -> GameRecord:
    """Return a game from a file as a record. Without an id of its own it has one that its contents decide, so that the
    same game is found to be there already. Raises RecordError."""
    try:
        outcomes = [Outcome(one) for one in game.outcomes]
    except ValueError as error:
        raise RecordError(f"a game from a file: {error}") from None
    game_id = game.game_id if ID.fullmatch(game.game_id) else _id_of(game)
    entries = tuple(_entries(game))
    cause = Cause.DRAW if Outcome.DRAWN in outcomes else Cause.FINISHED
    seats = tuple(SeatResult(nick, outcome, None) for nick, outcome in zip(game.seats, outcomes, strict=True))
    began_at, ended_at = entries[0].mono_us / 1e6, entries[-1].mono_us / 1e6
    result = GameResult(game_id, game.game_type, MASTER, seats, Verdict(cause), len(game.moves), began_at, ended_at)
    record = GameRecord(
        game_id, game.game_type, MASTER, game.seats, game.began_us, dict(game.options), entries=entries, result=result
    )
    check(record)
    return record


def _entries(game: WrittenGame) -> Iterator[Entry]:
    now_us = 0
    all_seats = (1 << len(game.seats)) - 1

    def entry(
        kind: EntryKind,
        seat: int | None = None,
        audience: int = 0,
        text: str = "",
        body: bytes = b"",
        handed_us: int = 0,
    ) -> Entry:
        # From 1 on: a time of 0 means that it is not known.
        return Entry(kind, game.began_us + now_us, 1 + now_us, handed_us, seat, audience, text, body)

    yield entry(EntryKind.BEGIN)
    for move in game.moves:
        yield entry(EntryKind.STATE, move.seat, all_seats, body=move.state)
        if move.remark is not None:
            remark = Remark(game.game_id, move.remark.worth, move.remark.plan, move.remark.line)
            yield entry(EntryKind.REMARK, move.seat, body=remark_body(remark))
        began_us = now_us
        now_us += USUAL_MOVE_US if move.took_s is None else round(move.took_s * 1e6)
        handed_us = 0 if move.took_s is None else 1 + began_us
        yield entry(EntryKind.MOVE, move.seat, body=move.move, handed_us=handed_us)
    yield entry(EntryKind.OVER, None, all_seats, results_text(_results(game.outcomes)), game.last)
    yield entry(EntryKind.VERDICT, text=str(Cause.DRAW if "drawn" in game.outcomes else Cause.FINISHED))


def _results(outcomes: Sequence[str]) -> list[tuple[int, str]]:
    """In v4 a draw gives all players the same result."""
    return [(seat, "loser" if outcome == "lost" else "winner") for seat, outcome in enumerate(outcomes)]


def _remark(game_id: str, entry: Entry) -> WrittenRemark:
    try:
        remark = read_remark(game_id, entry.body)
    except NoRemark:
        return WrittenRemark()
    return WrittenRemark(remark.worth, remark.plan, remark.line)


def _id_of(game: WrittenGame) -> str:
    known = repr(
        (game.game_type, game.seats, game.began_us, game.outcomes, game.last, [one.move for one in game.moves])
    )
    # From the contents: importing the same file again finds the games that are there.
    return hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:16]
