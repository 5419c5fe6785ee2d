"""What spectators are sent, as lines for people and as JSON lines for programs."""

import json
from collections.abc import Callable

from ugs.printable import safe, safe_json
from ugs.wire.extensions import EventKind, GameEvent, SeatInfo, SeatKind, SeatState, Watching

EVENT_TEXTS: dict[EventKind, str] = {
    EventKind.BEGIN: "begins",
    EventKind.SKETCH: "a picture of the position",
    EventKind.REMARK: "{nick} remarks: {text}",
    EventKind.STATE: "{next} to move  {state}",
    EventKind.MOVE: "{nick} moves",
    EventKind.FAULT: "the move of {nick} is refused",
    EventKind.LEFT: "{nick} is out: {text}",
    EventKind.REJOINED: "{nick} has its seat again",
    EventKind.OVER: "over: {results}  {state}",
    EventKind.ENDED: "ended: {text}",
}
"""The text of each event for people."""


def as_text(message: Watching | GameEvent, *, state: bool = True) -> str:
    """One line for people, with control characters escaped; without the state unless ``state``."""
    shown = _state(message.state) if state else ""
    if isinstance(message, Watching):
        seats = ", ".join(map(_seat, message.seats))
        options = "".join(f" {option.name}={option.value}" for option in message.options)
        turn = f", {_listed(message.next_players)} to move" if message.next_players else ""
        head = f"{message.game_id} {message.game_type}{options}: {seats}; event {message.number}{turn}"
        return safe(f"{head}  {shown}".rstrip())
    fields = EVENT_TEXTS[message.what].format(
        nick=message.nick,
        text=message.text,
        next=_listed(message.next_players),
        results=", ".join(f"{one.nick} {one.result.value}" for one in message.game_over),
        state=shown,
    )
    return safe(f"{message.game_id} {message.number} {message.after_s:.3f} s  {fields}".rstrip())


def as_json(message: Watching | GameEvent) -> str:
    """One line of JSON: an object whose ``what`` is ``watching`` or the kind of event.

    Times are in seconds after the beginning of the game. A state is the text of its element, empty if there is none.
    """
    state = message.state.decode("utf-8")
    if isinstance(message, Watching):
        fields: dict[str, object] = {
            "what": "watching",
            "game": message.game_id,
            "game_type": message.game_type,
            "number": message.number,
            "seats": [
                {"nick": seat.nick, "kind": seat.kind.value, "state": seat.state.value, "label": seat.label}
                for seat in message.seats
            ],
            "options": {option.name: option.value for option in message.options},
            "next": list(message.next_players),
            "state": state,
        }
    else:
        fields = {
            "what": message.what.value,
            "game": message.game_id,
            "number": message.number,
            "after_s": message.after_s,
            "nick": message.nick,
            "text": message.text,
            "next": list(message.next_players),
            "results": {one.nick: one.result.value for one in message.game_over},
            "state": state,
        }
    return safe_json(json.dumps(fields, ensure_ascii=False))


WRITERS: dict[bool, Callable[[Watching | GameEvent], str]] = {False: as_text, True: as_json}
"""The writer of a line: for people (False), or as JSON (True)."""


def _state(state: bytes) -> str:
    return " ".join(state.decode("utf-8").split())


def _listed(nicks: tuple[str, ...]) -> str:
    return " and ".join(nicks) or "no player"


def _seat(seat: SeatInfo) -> str:
    notes = [seat.label] if seat.label else []
    notes += [seat.kind.value] if seat.kind is SeatKind.PROGRAM else []
    notes += [seat.state.value.lower()] if seat.state is not SeatState.PLAYING else []
    return f"{seat.nick} ({', '.join(notes)})" if notes else seat.nick
