"""The family ``sketch``: masters describe how positions look, players and spectators get the sketches.

A wrong sketch is refused as a whole, with the mistake, and the game goes on. Those for whom it was get the reason in
its place (:mod:`ugs.sketch.refusal`). :mod:`ugs.sketch` bounds the cost of reading one; it is loaded with the first
sketch, since most servers never see one.

A master draws all its games with the same code, so a mistake there is in every sketch that it sends. Were each a wrong
message, the master would be closed within a minute and all its games void. So in each state one wrong sketch per viewer
is none, and takes no more of the server than a right one; and for each game few mistakes are reported, each once.
"""

from collections.abc import Iterator
from typing import Final

from ugs.broker.extensions.request import MASTERS, ExtensionModule, Request
from ugs.broker.play import intake, wrong_messages
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game, Master
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Family, Sketch

MAX_REPORTED: Final = 8
"""Different mistakes in the sketches of a game that are reported to its master."""
REPORTED: Final[Key[set[tuple[int, str]]]] = Key("mistakes in sketches", set)
"""With a game: the number of a master's connection and what was wrong."""


def sketch(server: ServerState, master: Master, message: Sketch) -> str | None:
    """A master has sent ``x-sketch``: how the next state or result looks. Returns what is wrong with it where that is a
    wrong message, or None."""
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-sketch", message.game_id)
    # Also a wrong one takes its bytes of what the master may send of this game.
    if not intake.sketch_counted(server, game, len(message.sketch)):
        return None
    wrong = next(_misplaced(game, message), None)
    if wrong is None:
        wrong = _unfit(game, message)
        from ugs.sketch.refusal import refused

        game.shown.drawn[message.nick] = refused(wrong) if wrong else message.sketch
    return _refuse(server, master, game, f"x-sketch: {wrong} (game {game.id})") if wrong else None


def _refuse(server: ServerState, master: Master, game: Game, text: str) -> str | None:
    """A sketch was wrong. Returns the text where that is a wrong message: beyond one per viewer since the last
    state."""
    if game.shown.refuses_sketch() > len(game.seats) + 1:
        return text
    reported = REPORTED.of(game)
    # A successor makes its own mistakes.
    of_master = [mistake for conn, mistake in reported if conn == master.conn]
    if text in of_master or len(of_master) >= MAX_REPORTED:
        server.note("wrong message", master, warning=True, reason=text)
        return None
    reported.add((master.conn, text))
    last = len(of_master) == MAX_REPORTED - 1
    wrong_messages.refuse(
        server, master, f"{text}; no more of this game's sketches are reported" if last else text, game.id
    )
    return None


def _misplaced(game: Game, message: Sketch) -> Iterator[str]:
    """Yield why a sketch is for no viewer, without a look at its content."""
    if message.nick and message.nick not in game.seat_of:
        yield f"viewer nick {message.nick!r}: not a player in this game"
    drawn = game.shown.drawn.get(message.nick)
    if drawn is not None and _stands(drawn):
        viewer = f"viewer nick {message.nick!r}" if message.nick else "for all viewers"
        yield f"{viewer}: a second sketch since the last state"


def _stands(drawn: bytes) -> bool:
    """Whether a sketch was not refused: one that was may be mended before the state."""
    from ugs.sketch.refusal import why_refused

    return not why_refused(drawn)


def _unfit(game: Game, message: Sketch) -> str:
    """What is wrong in a sketch; empty: nothing."""
    from ugs.sketch.decoding import unfit

    return unfit(message.sketch, game.seat_of.keys() | game.shown.programs)


EXTENSION = ExtensionModule(requests={Sketch: Request(frozenset({Family.SKETCH}), MASTERS, sketch)})
