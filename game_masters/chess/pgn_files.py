"""Finished games of chess in PGN files: what ``ugs record export --format pgn`` and ``ugs record import FILE.pgn`` do.

A move has the seconds that its player took (``[%emt]``) and, where its player has remarked what the position is worth,
``[%eval]``, for White as always in PGN, with the depth. All of that is read again, and the game is replayed by the
rules, so that a record of it looks as if it had been played here. Variations are not kept.
"""

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import chess.engine
import chess.pgn

from game_masters.chess import notation
from game_masters.chess.boards import BadPosition
from game_masters.chess.rules import OPTIONS, ChessMove, Match, board_of
from game_masters.kit.rules import Options, RuleBroken, Unreadable
from ugs.game_files import GameFileError, GameFileFormat, WrittenGame, WrittenMove, WrittenRemark

GAME_TYPE: Final = "chess"
MAX_GAME_BYTES: Final = 1_048_576
"""Bytes of a game in a file."""
MAX_NAME: Final = 64
MATE_WORTH: Final = 100.0
"""What a mate is worth in a remark, in pawns."""
RESULTS: Final = {("won", "lost"): "1-0", ("lost", "won"): "0-1", ("drawn", "drawn"): "1/2-1/2"}
OUTCOMES: Final = {result: outcomes for outcomes, result in RESULTS.items()}
ENDS: Final = {"finished": "normal", "draw": "normal", "timeout": "time forfeit", "illegal move": "rules infraction"}
MATE: Final = re.compile(r"mate in (-?[0-9]{1,4})\b")
DEPTH: Final = re.compile(r"depth ([0-9]{1,4})\b")
TAG: Final = re.compile(rb'\[[A-Za-z0-9_]+ "')
GAME_ID: Final = "UgsGame"
"""The tag with the id of a game."""


def write(game: WrittenGame) -> bytes:
    """Return a game as PGN. Raises GameFileError for one whose states cannot be read."""
    known = {option.name: option for option in OPTIONS}
    chess960 = "chess960" in game.options and known["chess960"].parse(game.options["chess960"]) is True
    reads = notation.follow(Options({"chess960": chess960}))
    try:
        # By the number of moves before it, which is what a state shows.
        notes = {len(reads(move.state).moves): move for move in game.moves if move.state}
        last = reads(game.last)
    except Unreadable as error:
        raise GameFileError(f"game {game.game_id}: a state cannot be read: {error}") from error
    board = chess.Board(last.start, chess960=chess960)
    pgn = chess.pgn.Game()
    pgn.setup(board)
    began = datetime.fromtimestamp(game.began_us / 1e6, UTC)
    date = began.strftime("%Y.%m.%d")
    white, black = game.seats
    pgn.headers.update({"Event": game.event or "?", "Date": date, "Round": str(game.round or "?")})
    pgn.headers.update({"White": white, "Black": black, "Result": RESULTS.get(_pair(game.outcomes), "*")})
    pgn.headers.update({"UTCDate": date, "UTCTime": began.strftime("%H:%M:%S")})
    pgn.headers["Termination"] = ENDS.get(game.ended_by, "abandoned" if game.ended_by else "unterminated")
    pgn.headers[GAME_ID] = game.game_id
    node: chess.pgn.GameNode = pgn
    for ply, uci in enumerate(last.moves):
        child = node.add_variation(chess.Move.from_uci(uci))
        if (note := notes.get(ply)) is not None:
            _annotate(child, note, white=node.turn())
        node = child
    return f"{pgn}\n\n".encode()


def _annotate(node: chess.pgn.ChildNode, note: WrittenMove, *, white: bool) -> None:
    remark = note.remark
    if remark is not None:
        depth = DEPTH.search(remark.plan)
        rest = DEPTH.sub("", MATE.sub("", remark.plan)).strip(" ,")
        # A brace would end the comment in the file, and [% begin a command.
        node.comment = " ".join(rest.replace("{", "(").replace("}", ")").replace("[%", "[").split())
        if remark.worth is not None:
            mate = MATE.search(remark.plan)
            score: chess.engine.Score = chess.engine.Cp(round(remark.worth * 100))
            if mate is not None:
                score = chess.engine.Mate(int(mate.group(1)))
            turn = chess.WHITE if white else chess.BLACK
            node.set_eval(chess.engine.PovScore(score, turn), int(depth.group(1)) if depth else None)
    if note.took_s is not None:
        node.set_emt(max(0.0, note.took_s))


def read(lines: Iterable[bytes]) -> Iterator[WrittenGame]:
    """Yield the games of a PGN file. Raises GameFileError, which names the game."""
    for number, text in enumerate(_texts(lines), 1):
        try:
            yield _game(text)
        except (ValueError, RuleBroken, BadPosition, GameFileError) as error:
            raise GameFileError(f"game {number}: {error}") from error


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    """The texts of the games: a tag behind moves begins the next one. Raises GameFileError for one that is too long."""
    game, size, moves, number = list[bytes](), 0, False, 1
    for line in lines:
        # Files that were joined have such marks in the middle.
        line = line.removeprefix(codecs.BOM_UTF8)
        is_tag = TAG.match(line) is not None
        if is_tag and moves:
            yield b"".join(game).decode("utf-8", "replace")
            game, size, moves, number = [], 0, False, number + 1
        moves = moves or bool(line.strip() and not is_tag and not line.startswith((b";", b"%")))
        size += len(line)
        if size > MAX_GAME_BYTES:
            raise GameFileError(f"game {number}: longer than {MAX_GAME_BYTES} bytes")
        game.append(line)
    if b"".join(game).strip():
        yield b"".join(game).decode("utf-8", "replace")


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps what is wrong without a line on standard error: it is reported with the game."""

    def handle_error(self, error: Exception) -> None:
        """Keep it."""
        self.game.errors.append(error)


def _game(text: str) -> WrittenGame:
    pgn = chess.pgn.read_game(io.StringIO(text), Visitor=_Builder)
    if pgn is None:
        raise GameFileError("no moves")
    if pgn.errors:
        raise GameFileError(str(pgn.errors[0]))
    outcomes = OUTCOMES.get(pgn.headers.get("Result", "*"))
    if outcomes is None:
        raise GameFileError(f"result {pgn.headers.get('Result', '*')[:20]!r}; only games that have ended are imported")
    board = pgn.board()
    # Variants have classes that are derived from it.
    if type(board) is not chess.Board:
        raise GameFileError(f"a game of {board.uci_variant}, not of chess")
    variant = "chess960" if board.chess960 else "chess"
    match = Match(board_of(variant, board.fen() if "FEN" in pgn.headers or board.chess960 else None))
    moves = list[WrittenMove]()
    shown = 0
    for node in pgn.mainline():
        if match.outcome is not None:
            raise GameFileError(f"it goes on after its end by {match.outcome.termination}: move {node.move.uci()}")
        state, seat = notation.write_view(match.view(None, shown)), match.view(None).turn
        shown = len(match.record)
        move = ChessMove(node.move.uci())
        match.apply(seat, move)
        moves.append(WrittenMove(seat, state, notation.write_move(move), node.emt(), _remark(node, seat)))
    view = match.view(None, shown)
    # Given up, agreed or on time: the rules see no end, but the state is that of one.
    if match.outcome is None:
        view = replace(view, legal=(), claim=False, claims=(), offered=False)
    elif _outcomes(match) != outcomes:
        raise GameFileError(f"the moves end with {match.outcome.termination}, and the result is another one")
    return WrittenGame(
        game_id=pgn.headers.get(GAME_ID, ""),
        game_type=GAME_TYPE,
        seats=_names(pgn.headers.get("White", "?"), pgn.headers.get("Black", "?")),
        moves=tuple(moves),
        last=notation.write_view(view),
        outcomes=outcomes,
        options={"chess960": "yes"} if board.chess960 else {},
        began_us=_began_us(pgn.headers),
    )


def _outcomes(match: Match) -> tuple[str, str]:
    assert match.outcome is not None
    if match.outcome.drawn:
        return "drawn", "drawn"
    return ("won", "lost") if 0 in match.outcome.winners else ("lost", "won")


def _remark(node: chess.pgn.ChildNode, seat: int) -> WrittenRemark | None:
    found = node.eval()
    if found is None:
        return None
    own = found.white() if seat == 0 else found.black()
    mate, cp = own.mate(), own.score()
    depth = node.eval_depth()
    plan = ", ".join([*([f"depth {depth}"] if depth is not None else []), *([f"mate in {mate}"] if mate else [])])
    worth = (cp or 0) / 100 if mate is None else MATE_WORTH if mate > 0 else -MATE_WORTH
    return WrittenRemark(worth, plan)


def _names(white: str, black: str) -> tuple[str, str]:
    first, second = ("" if name.strip("? ") == "" else name[:MAX_NAME] for name in (white, black))
    return (first or "White", second or "Black") if first != second else ("White", "Black")


def _pair(outcomes: tuple[str, ...]) -> tuple[str, str]:
    return (outcomes[0], outcomes[1]) if len(outcomes) == 2 else ("", "")


def _began_us(headers: chess.pgn.Headers) -> int:
    # Unknown parts are question marks: the first month and day stand for them, and 1970 for an unknown year.
    date = headers.get("UTCDate", headers.get("Date", "")).replace("??", "01").replace("0101", "1970", 1)
    for text, form in ((f"{date} {headers.get('UTCTime', '')}", "%Y.%m.%d %H:%M:%S"), (date, "%Y.%m.%d")):
        try:
            return round(datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()) * 1_000_000
        except ValueError:
            continue
    return 0


PGN: Final = GameFileFormat((GAME_TYPE,), write, read)
