"""What the tools for agents answer: games, rules and positions, as values that become JSON."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from game_masters.agents.agent_seat import AgentGame, AgentSeat, SeatPhase
from game_masters.kit.rules import AnyGame
from game_masters.registry import Registry
from ugs.printable import safe

MAX_MOVES: Final = 400
"""Moves that are listed; the others of a turn can be made by a whole ``<move>`` element."""
MAX_LINES: Final = 400
MAX_WORDS: Final = 4_000
MAX_BOARD: Final = 60_000
"""Characters of a board, or of a state where there is none."""
MAX_SCHEMA: Final = 6000
"""Characters of the schema in the rules."""
WIDTH: Final = 100
"""Columns of a position as text."""


def games(registry: Registry, collected: Sequence[str]) -> dict[str, Any]:
    """Return the installed games in short, and the names of those that collections make when they are asked for."""
    listed = [
        {
            "game": one.game.name,
            "game_type": one.game.game_type,
            "summary": one.game.summary,
            "players": _players(one.game),
        }
        for one in registry.installed
    ]
    return {"games": listed, "more": list(collected)}


def rules(game: AnyGame) -> dict[str, Any]:
    """Return the page of a game in short."""
    schema = game.schema.read_text(encoding="utf-8") if game.schema.is_file() else ""
    return {
        "game": game.name,
        "game_type": game.game_type,
        "summary": game.summary,
        "players": _players(game),
        "hidden": game.hidden_information,
        "chance": game.chance,
        "options": {one.name: f"{one.explanation}; {one.allowed_text}" for one in game.options},
        "moves": "wait_turn lists your moves with numbers; act takes a number, or a whole <move> element of the schema",
        "schema": schema[:MAX_SCHEMA],
    }


def standing(seat: AgentSeat, *, look: bool = True) -> dict[str, Any]:
    """Return where an agent stands: its game as it may see it, its moves, and what has happened since it looked last.
    With ``look`` False the news stay for the next time."""
    game = seat.played
    found: dict[str, Any] = {"state": str(seat.phase), "nick": seat.nick, "game": seat.game.name}
    if seat.refusal:
        found["reason"] = safe(seat.refusal)
    if seat.notes:
        found["notes"] = [safe(note) for note in seat.notes]
    if game is None or seat.phase in (SeatPhase.LOBBY, SeatPhase.WAITING, SeatPhase.COMING):
        return found
    found |= {"game_id": game.id, "your_turn": game.mine, "seats": _seats(game), **_position(game)}
    found["news"] = [safe(line) for line in game.news]
    if look:
        game.news.clear()
    if game.mine:
        found["moves"] = _moves(game)
        found["more_moves"] = max(0, len(game.offers) - MAX_MOVES)
    if game.result:
        found["result"] = game.result
    if game.unfit:
        found["unfit_moves"] = game.unfit
    return found


def _moves(game: AgentGame) -> Mapping[str, str]:
    return {str(number): safe(offer.label) for number, offer in enumerate(game.offers[:MAX_MOVES])}


def _position(game: AgentGame) -> dict[str, str]:
    if game.picture is None:
        return {"payload": game.payload[:MAX_BOARD].decode("utf-8", "replace")}
    try:
        lines = list(game.picture.text(WIDTH))[:MAX_LINES]
        text = "\n".join("".join(span.text for span in line) for line in lines)
        return {"position": game.picture.words()[:MAX_WORDS], "board": text[:MAX_BOARD]}
    except Exception:  # any error of a renderer
        return {"payload": game.payload[:MAX_BOARD].decode("utf-8", "replace")}


def _seats(game: AgentGame) -> list[dict[str, str]]:
    return [{"nick": safe(seat.nick), "label": safe(seat.label)} for seat in game.seats]


def _players(game: AnyGame) -> str:
    few, most = game.players.min, game.players.max
    return str(few) if few == most else f"{few} to {most}"
