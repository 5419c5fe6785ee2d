"""The family ``sketch``: masters describe how positions look, players and spectators get the sketches.

A wrong sketch is refused as a whole, with the mistake, and the game goes on. Those for whom it was get the reason in
its place (:mod:`ugs.sketch.refusal`). :mod:`ugs.sketch` bounds the cost of reading one; it is loaded with the first
sketch, since most servers never see one.
"""

from collections.abc import Iterator

from ugs.broker.extensions.request import MASTERS, ExtensionModule, Request
from ugs.broker.play import intake
from ugs.broker.state.model import Game, Master
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Family, Sketch


def sketch(server: ServerState, master: Master, message: Sketch) -> str | None:
    """A master has sent ``x-sketch``: how the next state or result looks. Returns what is wrong with it, or None."""
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-sketch", message.game_id)
    wrong = next(_misplaced(game, message), None)
    unfit = _unfit(game, message) if wrong is None else ""
    if unfit:
        from ugs.sketch.refusal import refused

        _shows(server, game, message.nick, refused(unfit))
    if wrong or unfit:
        return f"x-sketch: {wrong or unfit} (game {game.id})"
    _shows(server, game, message.nick, message.sketch)
    return None


def _shows(server: ServerState, game: Game, nick: str, sketch: bytes) -> None:
    if intake.sketch_counted(server, game, len(sketch)):
        game.shown.drawn[nick] = sketch


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
