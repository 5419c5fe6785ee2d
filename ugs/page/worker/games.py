"""Pages about games: one that runs, one that has ended, lists of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Outcome
from ugs.broker.verdict_sentences import ORDERLY, in_short, sentence, who_decided
from ugs.game_titles import by_title
from ugs.journal.journal_error import JournalError
from ugs.page.contract import PLAIN, Facts
from ugs.page.drawing import prefix
from ugs.page.model import Server
from ugs.page.played import Games, GameSeat, LiveBoard, PlayedGame, Position, Positions, ends_unmoved
from ugs.page.worker.charts import curve, pace
from ugs.page.worker.live_views import running, server_of
from ugs.page.worker.public_journal import NotKept, NotThere, PublicJournal
from ugs.page.worker.replays import Replay
from ugs.page.worker_limits import MAX_POSITION_BYTES, MAX_POSITION_TAGS, MAX_POSITIONS, STEPS_AFTER, STEPS_BEFORE
from ugs.pictures.contract import knows_parts
from ugs.pictures.recorded import UnknownViewer, scene_of
from ugs.printable import unknown
from ugs.record.game import GameRecord
from ugs.record.response_times import response_times
from ugs.record.times import MICRO
from ugs.record.ugsg import write
from ugs.record.views import public
from ugs.type_hint import type_called, type_hint
from ugs.why.answer import why_ended, words_of_end

USUAL: Final = ("judged by the game master", "no one was at fault")
"""Starts of sentences about a verdict that can be left out."""
OTHERS: Final = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON, Outcome.DRAWN: Outcome.DRAWN}
"""What a game of two counts for the other seat."""
GAMES_A_PAGE: Final = 50
WHOLE_ID: Final = 22
"""Characters of the id of a game that the server makes."""
MAX_CHAMPIONSHIPS: Final = 100
"""Last ones among which can be chosen."""


def game(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> PlayedGame:
    """One game."""
    server = server_of(site, facts)
    board: LiveBoard | None = facts.get("board")
    # What has ended is shown from the journal, with all its positions.
    if board is not None and not (board.over and site.keeps):
        return _live(server, board, facts)
    try:
        replay = replay_for(site, asked, facts)
    except NotThere:
        # It may be over so lately that the journal does not have it.
        if board is None:
            raise
        return _live(server, board, facts)
    except NotKept:
        raise NotThere(f"no game {asked['id']!r} is running, and nothing is kept here") from None
    return ended_game(server, replay, asked, everything=site.settings.is_open(replay.record.game_type))


def positions(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> Positions:
    """Some positions of a game."""
    if "kept" in facts:
        return Positions(asked["id"], facts["board"].positions, facts["kept"])
    return some_positions(replay_for(site, asked, facts), asked.get("from", 1))


def some_positions(replay: Replay, wanted: int) -> Positions:
    """Positions of a game that has ended, from the one that is ``wanted`` on, as many as are sent at a time."""
    first, size, tags = max(1, wanted), 0, 0
    found: list[Position] = []
    for number in range(first, min(first + MAX_POSITIONS, len(replay.steps) + 1)):
        found.append(_position(replay, number))
        size += len(found[-1].svg)
        tags += replay.tags[number - 1]
        if size > MAX_POSITION_BYTES or tags > MAX_POSITION_TAGS:
            break
    return Positions(replay.record.game_id, len(replay.steps), found)


def games(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> Games:
    """Games that have ended, and those of the same kind that run."""
    chosen = {name: asked.get(name) for name in ("game_type", "nick", "championship")}
    running_now = running(facts)
    with site.reading() as reader:
        types, championships = site.names(reader)
        types = sorted({*types, *(one.game_type for one in running_now)})
        chosen["game_type"] = chosen["game_type"] and type_called(chosen["game_type"], types)
        found, more = site.ended(reader, GAMES_A_PAGE, before=asked.get("before"), **chosen)
    if chosen["game_type"] not in (None, *types):
        raise NotThere(unknown("game type", str(chosen["game_type"]), types, type_hint(chosen["game_type"])))
    now = [
        one
        for one in running_now
        if chosen["game_type"] in (None, one.game_type)
        and chosen["championship"] in (None, one.championship)
        and (chosen["nick"] is None or chosen["nick"] in one.nicks)
    ]
    return Games(
        server_of(site, facts),
        chosen["game_type"] or "",
        chosen["nick"] or "",
        chosen["championship"] or "",
        found,
        more,
        now if "before" not in asked else [],
        by_title(types),
        [one.name for one in reversed(championships[-MAX_CHAMPIONSHIPS:])],
    )


def games_table(page: Games) -> list[list[object]]:
    """The games as rows."""
    rows: list[list[object]] = [["game", "game_type", "championship", "began", "ended", "moves", "verdict", "seats"]]
    for one in page.games:
        seats = "; ".join(f"{seat.nick}: {seat.outcome}" for seat in one.seats)
        rows.append([one.game, one.game_type, one.championship, one.began, one.ended, one.moves, one.verdict, seats])
    return rows


def game_file(site: PublicJournal, asked: Mapping[str, Any], _facts: Facts) -> bytes:
    """A game that has ended as a file for ``ugs record import`` and ``ugs replay``. Raises NotThere, NotKept and
    JournalError."""
    record = record_of(site, asked["id"])
    return write(seen(site, record))


# A game that runs.


def _live(server: Server, board: LiveBoard, facts: Facts) -> PlayedGame:
    """A game that runs, at its last position, or at one before that may still be shown."""
    labels = board.labels + [""] * len(board.nicks)
    remarks = board.steps[-1].remarks if board.steps else []
    end = Position(board.positions, board.svg, board.words, board.news, board.next, 0.0, remarks)
    shown: Position = next(iter(facts.get("kept", ())), end)
    return PlayedGame(
        server=server,
        game=board.game,
        game_type=board.game_type,
        championship=facts.get("championship", ""),
        master="",
        seats=[
            GameSeat(nick, label, used_s=board.used.get(nick, 0.0), program=nick not in board.used)
            for nick, label in zip(board.nicks, labels, strict=False)
        ],
        options={},
        began=None,
        ended=None,
        moves=board.moves,
        live=not board.over,
        over=board.over,
        verdict=board.verdict,
        why=[],
        counts=True,
        next=board.next,
        at=shown.number,
        positions=board.positions,
        svg=shown.svg,
        words=shown.words,
        news=shown.news,
        steps=board.steps,
        unmoved=board.over and ends_unmoved(board.steps),
        curve=curve(f"{prefix(board.game)}-curve", board.values, board.nicks, board.positions),
        remarks=shown.remarks,
        thinking_s=facts.get("thinking_s"),
        awaited=facts.get("awaited"),
        plain=facts.get("tree", ""),
    )


# A game that has ended.


def record_of(site: PublicJournal, game_id: str) -> GameRecord:
    """The record of a game whose end may be known by now, with everything in it. Raises NotThere, NotKept and
    JournalError."""
    with site.reading() as reader:
        try:
            # For the reader, the beginning of an id is one: a whole game would be read for nothing.
            record = reader.record(game_id) if reader.head(game_id) is not None else None
        except JournalError:
            reader.version()  # raises again if the journal is at fault, not the name
            record = None
    if record is None or not site.end_may_be_known(record):
        # Who has the whole id may look at a game that is in no list; its beginning could be guessed.
        whole = "; pages want the whole id, lists show its beginning" if len(game_id) < WHOLE_ID else ""
        raise NotThere(f"no game {game_id!r} is running or has ended here{whole}")
    return record


def seen(site: PublicJournal, record: GameRecord) -> GameRecord:
    """As much of a game that has ended as the readers of this site may see."""
    return record if site.settings.is_open(record.game_type) else public(record)


def replay_for(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> Replay:
    """The game that is asked for, which has ended. Raises NotThere, NotKept and JournalError."""
    viewer, plain = asked.get("viewer", ""), facts.get(PLAIN, "")
    kept = site.replays.kept(asked["id"], viewer, plain)
    if kept is not None:
        return kept
    return follow(site, record_of(site, asked["id"]), viewer, plain)


def follow(site: PublicJournal, record: GameRecord, viewer: str, plain: str = "") -> Replay:
    """A game that has ended, as ``viewer`` saw it (empty: the public view), which is kept for the next who ask;
    with ``plain``, which is the reason, without pictures. Raises NotThere."""
    if viewer and not site.settings.is_open(record.game_type):
        raise NotThere("only the public view of this game may be seen")
    try:
        return site.replays.keep(seen(site, record), viewer, plain)
    except UnknownViewer as error:
        raise NotThere(str(error)) from None


def ended_game(server: Server, replay: Replay, asked: Mapping[str, Any], *, everything: bool = False) -> PlayedGame:
    """A game that has ended, at the position that is asked for; with ``everything``, it may be seen through the eyes of
    each player."""
    record, total = replay.record, len(replay.steps)
    assert record.result is not None
    at = min(max(1, asked.get("at", total)), total) if total else 0
    shown = _position(replay, at) if at else None
    first, last = max(0, at - STEPS_BEFORE), min(total, at + STEPS_AFTER)
    moves = [
        (entry.seat, took / MICRO)
        for entry, took in zip(record.entries, response_times(record.entries), strict=True)
        if entry.kind is EntryKind.MOVE and entry.seat is not None
    ]
    return PlayedGame(
        server=server,
        game=record.game_id,
        game_type=record.game_type,
        championship=record.championship,
        master=record.masters[-1],
        seats=_seats(record, moves),
        options=dict(record.options),
        began=record.began_us / MICRO,
        ended=_end_of(record),
        moves=record.result.moves,
        live=False,
        over=True,
        verdict=str(record.result.verdict.cause) + (", corrected" if record.correction is not None else ""),
        why=_why(record, why_ended(record)),
        counts=record.counts and record.taken_out is None and not record.result.verdict.void,
        next=shown.next if shown else [],
        at=at,
        positions=total,
        svg=shown.svg if shown else "",
        words=shown.words if shown else "",
        news=shown.news if shown else [],
        steps=list(replay.steps[first:last]),
        more_before=first > 0,
        more_after=last < total,
        unmoved=ends_unmoved(replay.steps),
        viewer=asked.get("viewer", ""),
        viewers=list(record.seats) if everything else [],
        pace=pace(f"{prefix(record.game_id)}-pace", moves, record.seats),
        curve=curve(f"{prefix(record.game_id)}-curve", replay.values, record.seats, total),
        remarks=shown.remarks if shown else [],
        plain=replay.plain,
    )


def _why(record: GameRecord, account: Sequence[str]) -> list[str]:
    """Why a game ended, without the obvious; in one clause if it ended as it should."""
    result = record.result
    assert result is not None
    lines = [line for line in account if not line.startswith(USUAL)]
    if record.correction is not None or record.taken_out is not None or result.verdict.cause not in ORDERLY:
        return lines
    words = words_of_end(record)
    headline = in_short(result.seats, words, with_program=record.with_program)
    known = {sentence(result, with_program=record.with_program), f"{who_decided(result.verdict.cause)} said: {words}"}
    return [headline, *(line for line in lines if line not in known)]


def _seats(record: GameRecord, moves: Sequence[tuple[int, float]]) -> list[GameSeat]:
    result, seats = record.result, []
    assert result is not None
    for number, seat in enumerate(scene_of(record).seats):
        times = [seconds for its, seconds in moves if its == number]
        its = result.seats[number] if number < len(result.seats) else None
        # Results name players only; of two seats the other one has what is left.
        outcome = record.outcomes[number] if its is not None else None
        if its is None and number == len(record.outcomes) == 1:
            outcome = OTHERS.get(record.outcomes[0])
        seats.append(
            GameSeat(
                seat.nick,
                seat.label,
                str(outcome or ""),
                str(its.departure) if its is not None and its.departure else "",
                max(times, default=0.0),
                sum(times) / len(times) if times else 0.0,
                len(times),
                sum(times),
                its is None,
            )
        )
    return seats


def _position(replay: Replay, number: int) -> Position:
    return _with_picture(replay, number, replay.shown[number - 1].svg(prefix(replay.record.game_id)))


def position_in_parts(replay: Replay, number: int) -> Position:
    """A position of a game that has ended; its picture knows the parts that it was put together from, where the
    renderer names them. It is not for travelling."""
    picture, ids = replay.shown[number - 1], prefix(replay.record.game_id)
    return _with_picture(replay, number, picture.drawn(ids) if knows_parts(picture) else picture.svg(ids))


def _with_picture(replay: Replay, number: int, svg: str) -> Position:
    picture, step = replay.shown[number - 1], replay.steps[number - 1]
    return Position(
        number,
        svg,
        picture.words(),
        step.news,
        list(replay.next[number - 1]),
        step.since_s,
        step.remarks,
        step.written,
    )


def _end_of(record: GameRecord) -> float:
    if record.entries:
        return record.entries[-1].wall_us / MICRO
    assert record.result is not None
    return record.began_us / MICRO + record.result.ended_at - record.result.began_at
