"""Tokens and secrets: how a token is made, and the hash that recognises it later.

A token that is made here has 144 random bits, so its hash need not be expensive; a secret chosen by a person can be
guessed, so each guess has to cost something. Hashes are Argon2id; the text of a hash contains its cost.
"""

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from ugs.distributions import install_for
from ugs.path_faults import reason_of

SECRET_BYTES: Final = 24
"""Eight of them are of the key."""
MAX_TOKEN: Final = 128
"""Characters of a token or secret."""
MAX_BYTES: Final = 4096
"""Bytes of a file with a token."""


class TokenError(Exception):
    """A token that cannot be used; the text gives the reason and does not show it."""


def new_token() -> str:
    """A token that cannot be guessed: 40 letters, digits, ``-`` and ``_``."""
    while True:
        token = secrets.token_urlsafe(6 + SECRET_BYTES)
        if token[0] != "-":  # it would be an option on a command line
            return token


def digest_of(secret: str, *, made_here: bool = False) -> str:
    """The hash of a secret, as text with salt and cost: about 30 ms of processor time and 19 MiB of memory, for a token
    that was ``made_here`` a millisecond and 1 MiB. Raises TokenError where there is no room for that."""
    from argon2 import PasswordHasher, Type  # a server without tokens does not wait for it
    from argon2.exceptions import HashingError

    passes, kib = (1, 1024) if made_here else (2, 19 * 1024)
    hasher = PasswordHasher(time_cost=passes, memory_cost=kib, parallelism=1, hash_len=32, salt_len=16, type=Type.ID)
    try:
        return hasher.hash(_bytes(secret))
    except HashingError as error:
        raise TokenError(f"it cannot be hashed: {error}") from None


def fits(digest: str, secret: str) -> bool:
    """Whether ``digest`` is the hash of this secret; costs what making it has cost. Raises TokenError for a text that
    is no hash, and where nothing is installed that checks it."""
    try:
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError
    except ModuleNotFoundError as error:  # a server that asks for no tokens runs without it
        raise TokenError(f"its hash cannot be checked: needs argon2: {install_for('argon2')}") from error

    try:
        # The cost stands in the digest, not in this hasher.
        return PasswordHasher().verify(digest, _bytes(secret))
    except VerifyMismatchError:
        return False
    except (InvalidHashError, VerificationError) as error:
        raise TokenError(f"its hash cannot be used: {error}") from None


def read_token(path: Path) -> str:
    """The token in a file: its only line, without white space around it and without a name and a tab before it. Raises
    TokenError."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1).decode().strip()
    except OSError as error:
        raise TokenError(f"{path}: cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError:
        raise TokenError(f"{path}: not UTF-8") from None
    if text.count("\t") == 1 and "\n" not in text:  # as `ugs token add` prints it, behind its name
        text = text.partition("\t")[2].strip()
    if not text or len(text) > MAX_TOKEN or not text.isprintable():
        raise TokenError(f"{path}: is no token: one line of 1 to {MAX_TOKEN} characters is wanted")
    return text


def others_may_read(path: Path) -> bool:
    """Whether others than its owner may read a file."""
    try:
        return bool(os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def _bytes(secret: str) -> bytes:
    return secret.encode("utf-8", "surrogatepass")
