"""What clients of the gateway ask for, read in the simplest correct way: it shares no code with what it checks."""

import json
from collections.abc import Callable
from typing import Any, Final, NoReturn

MAX_TABLE_NAME: Final = 40
MAX_CHAT: Final = 2000
MAX_SECRET: Final = 128
PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def is_text(value: Any) -> bool:
    """Whether it is a text that XML can hold."""
    return isinstance(value, str) and value != "" and all(map(fits_into_xml, value))


def fits_into_xml(character: str) -> bool:
    """Whether XML 1.0 allows the character."""
    code = ord(character)
    return code in (9, 10, 13) or (code >= 32 and not 0xD800 <= code <= 0xDFFF and code not in (0xFFFE, 0xFFFF))


def is_handle(value: Any) -> bool:
    """Whether it is a handle, with or without a token."""
    if not isinstance(value, str):
        return False
    handle, _, token = value.partition("#")
    good = 1 <= len(handle) <= 25 and set(handle) <= PLAIN and handle != "None"
    return good and (token == "" or (len(token) <= MAX_SECRET and is_text(token)))


def is_text_up_to(longest: int) -> Callable[[Any], bool]:
    """Whether it is a text of at most so many characters."""
    return lambda value: is_text(value) and len(value) <= longest


def is_list_of_texts(value: Any) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


FIELDS: Final[dict[str, dict[str, Callable[[Any], bool]]]] = {
    "REGISTER_PLAYER": {"handle": is_handle},
    "REREGISTER_PLAYER": {"handle": is_handle},
    "UNREGISTER_PLAYER": {},
    "LIST_PLAYERS": {},
    "ADVERTISE_GAME": {
        "name": is_text_up_to(MAX_TABLE_NAME),
        "mode": lambda value: value in ("STANDARD", "ADULT"),
        "players": lambda value: value in (2, 3, 4),
        "visibility": lambda value: value in ("PUBLIC", "PRIVATE"),
        "invited_handles": is_list_of_texts,
    },
    "LIST_AVAILABLE_GAMES": {},
    "JOIN_GAME": {"game_id": is_text},
    "QUIT_GAME": {},
    "START_GAME": {},
    "CANCEL_GAME": {},
    "EXECUTE_MOVE": {"move_id": is_text},
    "OPTIMAL_MOVE": {},
    "RETRIEVE_GAME_STATE": {},
    "SEND_MESSAGE": {
        "message": is_text_up_to(MAX_CHAT),
        "recipient_handles": lambda value: is_list_of_texts(value) and value != [],
    },
}


def no_number(word: str) -> NoReturn:
    """NaN and its like are no JSON."""
    raise ValueError(word)


def understood(text: str) -> dict[str, Any] | None:
    """The fields of a request, flat, or None if it is none. A handle and its token are two fields."""
    try:
        request = json.loads(text, parse_constant=no_number)
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict) or not isinstance(request.get("message"), str):
        return None
    name, context, player = request["message"], request.get("context"), request.get("player_id")
    fields = FIELDS.get(name)
    first = name == "REGISTER_PLAYER"
    if fields is None or (player is not None if first else not is_text(player)):
        return None
    if context is None and not fields:
        context = {}
    elif not isinstance(context, dict) or not fields:
        return None
    if not all(key in context and good(context[key]) for key, good in fields.items()):
        return None
    flat = {} if first else {"player_id": player}
    for key in fields:
        if key == "handle":
            flat["handle"], _, flat["token"] = context[key].partition("#")
        else:
            flat[key] = tuple(context[key]) if isinstance(context[key], list) else context[key]
    return flat
