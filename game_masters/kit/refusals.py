"""What a master or a bot does about a refused login: it ends, or tries again and logs for how long.

A client that was accepted before has lost a connection that the server may not have noticed yet: its old connection
still holds its nick, its seat in the pool or its registration. So it tries again. On a first login the reason will not
go away by itself, with one exception: a nick may be in use by an earlier run of the same program, and the server keeps
it for a while.
"""

import unicodedata
from collections.abc import Mapping
from typing import Final

from game_masters.kit.client import Effect, Finish, Level, Note, Reconnect
from ugs.wire.extensions import BANNED
from ugs.wire.messages import LoginError

MAX_NAME: Final = 64
"""Characters of a nick or a master's id."""
RETRY_S: Final = 5.0
"""Seconds between two attempts to log in with a name that is in use."""
PATIENCE_S: Final = 90.0
"""A name that is in use is given up after this time, in seconds. By default a server keeps a nick for 60 s."""

MAX_WAIT_S: Final = 3600.0
"""The longest time that a server may name for a name to be free again."""
MIN_PART: Final = 0.8
"""The loop waits for at least this part of what is asked for, so that not all clients come at once."""

REASONS: Final[Mapping[LoginError, str]] = {
    LoginError.WRONG_NICK: "wrong nick or id: malformed or already in use",
    LoginError.IMPROPER_GAME_TYPE: "improper game type: malformed or not offered by this server",
    LoginError.PLAYERS_POOL_OVERFLOW: "no room: the pool of waiting players or the server is full, or a championship "
    "of this game type has begun",
    LoginError.MASTER_ALREADY_REGISTERED: "a master for this game type is already registered",
    LoginError.WRONG_GAME_TYPE_DESCRIPTION: "wrong description of the game type: numbers of players",
}
"""The five reasons of a refused login, in words."""
ADVICE: Final[Mapping[LoginError, str]] = {
    LoginError.WRONG_NICK: "choose another name",
    LoginError.IMPROPER_GAME_TYPE: "ask the organiser for the game types of this server, and name one with --game-type",
    LoginError.PLAYERS_POOL_OVERFLOW: "try again later",
    LoginError.MASTER_ALREADY_REGISTERED: "stop the other master, or ask the organiser to raise masters_per_game",
    LoginError.WRONG_GAME_TYPE_DESCRIPTION: "all masters of a game type must allow the same numbers of players",
}
"""What a person can do about each."""
LASTING: Final = frozenset({LoginError.IMPROPER_GAME_TYPE, LoginError.WRONG_GAME_TYPE_DESCRIPTION})
"""Reasons that do not go away by waiting, also for a client that was let in before: the server's settings have
changed."""
UNPROVEN: Final = (
    "show the token of the name in UGS_TOKEN or with --token-file, take another name, or ask the organiser"
)
"""The same about a name that may not be used so."""
SHUT_OUT: Final = "ask the organiser"
"""The same about a name that is banned."""


class Refusals:
    """Counts the refusals of one client that has not been accepted yet."""

    def __init__(self, name: str) -> None:
        """``name`` is the nick of the player or the id of the master."""
        self._name = name
        self._waited_s = 0.0

    def refused(self, error: LoginError, accepted_before: bool, wait_s: float = 0.0, why: str = "") -> list[Effect]:
        """Return what to do about a refusal. ``accepted_before``: an earlier login of this client was accepted;
        ``wait_s``: the server reported that asking again helps after ``wait_s`` seconds; ``why``: its own reason, which
        takes the place of ours."""
        fields: dict[str, object] = {"reason": why or REASONS[error], "error_id": int(error)}
        if 0 < wait_s <= MAX_WAIT_S:
            why = "the name is kept for a player whose line is cut, perhaps an earlier start of this program"
            fields |= {"reason": why, "name": self._name, "next_attempt_in_s": wait_s}
            # The loop shortens each wait by chance, so more is asked for: an attempt before the time would be refused
            # once more.
            return [Note("login refused, waits", fields, Level.WARNING), Reconnect(wait_s / MIN_PART)]
        # The old connection may hold the name until the server notices that it is dead.
        if accepted_before and error not in LASTING:
            return [Note("login refused, will try again", fields, Level.WARNING), Reconnect()]
        if error is not LoginError.WRONG_NICK:
            return [Note("login refused", fields | {"advice": ADVICE[error]}, Level.ERROR), Finish(1)]
        # A name that can never be right need not be tried again.
        if not is_name(self._name):
            reason = f"a name has 1 to {MAX_NAME} characters, no control characters, and is not blank"
            return [Note("login refused", fields | {"reason": reason, "name": self._name}, Level.ERROR), Finish(1)]
        if self._waited_s >= PATIENCE_S:
            reason = f"the name is still in use after {self._waited_s:g} s"
            fields |= {"reason": reason, "name": self._name, "advice": ADVICE[error]}
            return [Note("login refused", fields, Level.ERROR), Finish(1)]
        fields |= {
            "reason": "the name is in use, perhaps by an earlier connection of this program",
            "name": self._name,
            "next_attempt_in_s": RETRY_S,
            "gives_up_in_s": PATIENCE_S - self._waited_s,
        }
        self._waited_s += RETRY_S
        return [Note("login refused, will try again", fields, Level.WARNING), Reconnect(RETRY_S)]

    def unproven(self, why: str) -> list[Effect]:
        """Return what to do when the name needs another token, or is banned: waiting does not help."""
        fields = {"reason": why, "name": self._name, "advice": SHUT_OUT if BANNED in why else UNPROVEN}
        return [Note("login refused", fields, Level.ERROR), Finish(1)]


def is_name(text: str) -> bool:
    """Return whether ``text`` may be a nick or an id."""
    return 1 <= len(text) <= MAX_NAME and not text.isspace() and all(map(_is_allowed, text))


def _is_allowed(character: str) -> bool:
    # Only control characters are refused, as the server does; a nick may be in any script.
    return unicodedata.category(character) != "Cc"
