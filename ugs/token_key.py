"""The public beginning of a token."""

from typing import Final

KEY_CHARACTERS: Final = 8
"""The first characters of a token, which are public: by them its owner is found, and most wrong tokens at once."""


def key_of(token: str) -> str:
    """The public part of a token that :func:`ugs.tokens.new_token` has made."""
    return token[:KEY_CHARACTERS]
