"""Ids and secrets for the broker, which has no chance of its own."""

import secrets

GAME_ID_BYTES = 16
"""Random bytes in a game id: 22 characters, unguessable, and never the same twice."""


def new_secret() -> str:
    """A text that cannot be guessed, for a token or a seed."""
    return secrets.token_urlsafe(36)


def new_game_id() -> str:
    """An id for a game. It begins with a letter or a digit, so that no command line takes it for an option."""
    while not (game_id := secrets.token_urlsafe(GAME_ID_BYTES))[0].isalnum():
        pass
    return game_id
