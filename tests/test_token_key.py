"""The public beginning of a token."""

from ugs.token_key import KEY_CHARACTERS, key_of
from ugs.tokens import SECRET_BYTES, new_token


def test_the_key_is_its_beginning_and_the_rest_cannot_be_guessed_from_it() -> None:
    token = new_token()
    assert key_of(token) == token[:KEY_CHARACTERS]
    assert len(token) - KEY_CHARACTERS >= SECRET_BYTES
    assert key_of("short") == "short"
