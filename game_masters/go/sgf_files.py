"""Finished games of Go in SGF files: what ``ugs record export --format sgf`` and ``ugs record import FILE.sgf`` do.

A remark of a player is the value (``V``, for Black as always in SGF) and the comment of its move. A file is read by
replaying its main line by the rules of this game, from its stones that were set up; its result is taken as it stands,
since most files count by other rules.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from game_masters.go import notation
from game_masters.go.rules import OPTIONS, PASS, RESIGN, Beginning, GoMove, Match, View, name_of, point_of
from game_masters.kit.rules import BadOption, Options, RuleBroken, Table, Unreadable
from ugs.distributions import NotInstalled, install_for
from ugs.game_files import GameFileError, GameFileFormat, WrittenGame, WrittenMove, WrittenRemark

try:
    from sgfmill import sgf, sgf_grammar
except ImportError as error:
    raise NotInstalled(f"its library is not installed: {install_for('sgfmill')}") from error

GAME_TYPE: Final = "go"
MAX_FILE_BYTES: Final = 8 * 1_048_576
"""Bytes of a file; all of it is in memory while it is read."""
MAX_NAME: Final = 64
GAME_ID: Final = "GN"
COLOURS: Final = "bw"


def write(game: WrittenGame) -> bytes:
    """Return a game as SGF. Raises GameFileError for one whose states cannot be read."""
    reads = notation.follow(Options())
    try:
        # By the number of moves before it, which is what a state shows.
        notes = {len(reads(move.state).moves): move for move in game.moves if move.state}
        view = reads(game.last)
    except Unreadable as error:
        raise GameFileError(f"game {game.game_id}: a state cannot be read: {error}") from error
    found = sgf.Sgf_game(size=view.size)
    root = found.get_root()
    root.set("KM", view.komi2 / 2)
    # It counts as here, by area.
    root.set("RU", "AGA")
    root.set("DT", datetime.fromtimestamp(game.began_us / 1e6, UTC).strftime("%Y-%m-%d"))
    for key, text in (("PB", game.seats[0]), ("PW", game.seats[1]), (GAME_ID, game.game_id), ("EV", game.event)):
        if text:
            root.set(key, text)
    root.set("RE", _result(game))
    if any(view.setup):
        black, white = ({_place(vertex, view.size) for vertex in side} for side in view.setup)
        root.set_setup_stones(black, white)
    first = (view.turn + len(view.moves)) % 2
    if first:
        root.set("PL", "w")
    for ply, vertex in enumerate(view.moves):
        node = found.extend_main_sequence()
        seat = (first + ply) % 2
        node.set_move(COLOURS[seat], None if vertex == PASS.vertex else _place(vertex, view.size))
        remark = notes[ply].remark if ply in notes else None
        if remark is not None and remark.worth is not None:
            node.set("V", remark.worth if seat == 0 else -remark.worth)
        if remark is not None and (remark.plan or remark.line):
            node.set("C", "\n".join(text for text in (remark.plan, remark.line) if text))
    written: bytes = found.serialise()
    return written + b"\n"


def _place(vertex: str, size: int) -> tuple[int, int]:
    return divmod(point_of(vertex, size), size)


def _result(game: WrittenGame) -> str:
    if "drawn" in game.outcomes:
        return "0"
    if "won" not in game.outcomes:
        return "Void"
    resigned = game.moves[-1:] and game.moves[-1].move == notation.write_move(RESIGN)
    # T: on time, F: by forfeit, R: by resignation.
    how = {"timeout": "T", "illegal move": "F"}.get(game.ended_by, "R" if resigned else "")
    return f"{COLOURS[game.outcomes.index('won')].upper()}+{how}"


def read(lines: Iterable[bytes]) -> Iterator[WrittenGame]:
    """Yield the games of an SGF file. Raises GameFileError, which names the game."""
    size, parts = 0, list[bytes]()
    for line in lines:
        size += len(line)
        if size > MAX_FILE_BYTES:
            raise GameFileError(f"longer than {MAX_FILE_BYTES} bytes")
        parts.append(line)
    try:
        trees = sgf_grammar.parse_sgf_collection(b"".join(parts))
    # Deep variations exhaust the parser's stack.
    except (ValueError, RecursionError) as error:
        raise GameFileError(f"not SGF: {error}") from error
    for number, tree in enumerate(trees, 1):
        try:
            yield _game(sgf.Sgf_game.from_coarse_game_tree(tree))
        except (ValueError, KeyError, RuleBroken, BadOption, GameFileError) as error:
            raise GameFileError(f"game {number}: {error}") from error


def _game(game: Any) -> WrittenGame:
    root = game.get_root()
    size, komi2 = game.get_size(), 2 * game.get_komi()
    if komi2 != int(komi2):
        raise GameFileError(f"komi {komi2 / 2:g} is not a number of half points")
    texts = {"size": str(size), "komi2": str(int(komi2))}
    options = Options({option.name: option.parse(texts[option.name]) for option in OPTIONS})
    black, white, empty = root.get_setup_stones()
    if empty:
        raise GameFileError("points that are set up as empty")
    setup = tuple(tuple(name_of(row * size + column, size) for row, column in sorted(side)) for side in (black, white))
    moves = [(node, *node.get_move()) for node in game.get_main_sequence()]
    played = [(node, COLOURS.index(colour), place) for node, colour, place in moves if colour is not None]
    # The first move shows who begins, whether or not the file has PL.
    turn = played[0][1] if played else None
    names = _names(root.get("PB") if root.has_property("PB") else "", root.get("PW") if root.has_property("PW") else "")
    beginning = Beginning((setup[0], setup[1]), (), turn)
    match = Match(Table("", names, options, fixture=beginning), random.Random(0))
    written, shown = list[WrittenMove](), 0
    for node, seat, place in played:
        if match.outcome is not None:
            raise GameFileError(f"it goes on after its end by {match.outcome.termination}: move {len(written) + 1}")
        state = notation.write_view(match.view(None, shown))
        shown = len(match.record)
        move = PASS if place is None else GoMove(name_of(place[0] * size + place[1], size))
        match.apply(seat, move)
        written.append(WrittenMove(seat, state, notation.write_move(move), None, _remark(node, seat)))
    # A file may end without two passes; then the rules see no end.
    view: View = replace(match.view(None, shown), over=True, banned=())
    return WrittenGame(
        game_id=root.get(GAME_ID) if root.has_property(GAME_ID) else "",
        game_type=GAME_TYPE,
        seats=names,
        moves=tuple(written),
        last=notation.write_view(view),
        outcomes=_outcomes(root),
        options=texts,
        began_us=_began_us(root),
    )


def _outcomes(root: Any) -> tuple[str, str]:
    result = (root.get("RE") if root.has_property("RE") else "").strip()
    if result.lower() in ("0", "draw", "jigo"):
        return "drawn", "drawn"
    if result[:2].upper() not in ("B+", "W+"):
        raise GameFileError(f"result {result[:20]!r}; only games that have ended are imported")
    return ("won", "lost") if result[0].upper() == "B" else ("lost", "won")


def _remark(node: Any, seat: int) -> WrittenRemark | None:
    if not node.has_property("V"):
        return None
    worth = float(node.get("V"))
    comment = node.get("C") if node.has_property("C") else ""
    plan, _, line = comment.partition("\n")
    return WrittenRemark(worth if seat == 0 else -worth, plan[:500], line[:500])


def _names(black: str, white: str) -> tuple[str, str]:
    if not black.strip() or not white.strip() or black == white:
        return "Black", "White"
    return black[:MAX_NAME], white[:MAX_NAME]


def _began_us(root: Any) -> int:
    text = root.get("DT") if root.has_property("DT") else ""
    try:
        return round(datetime.strptime(text[:10], "%Y-%m-%d").replace(tzinfo=UTC).timestamp()) * 1_000_000
    except ValueError:
        return 0


SGF: Final = GameFileFormat((GAME_TYPE,), write, read)
