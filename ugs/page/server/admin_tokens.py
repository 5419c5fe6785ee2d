"""The tokens of organisers: a file with one line for each, ``NAME TOKEN``, or with one token alone.

The file is read again for each question, so a token that is taken out of it stops working at once. All tokens are
compared, each in constant time, however much of one is right.
"""

import hashlib
import hmac
import os
import stat
from pathlib import Path
from typing import NamedTuple

from ugs.path_faults import reason_of

MIN_CHARACTERS = 20
"""Characters of a token: more than can be guessed. ``openssl rand -hex 20`` makes one."""
MAX_BYTES = 65_536
NAMELESS = "organiser"
"""Who shows the token of a file with nothing but that."""


class KeysError(Exception):
    """A file of tokens that cannot be used; the text names it and what is wrong."""


class AdminKey(NamedTuple):
    """Who has a token."""

    name: str
    digest: bytes


def read_keys(path: Path) -> list[AdminKey]:
    """The tokens in a file. Raises KeysError."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1).decode()
    except OSError as error:
        raise KeysError(f"{path}: cannot be read: {reason_of(error)}") from error
    except UnicodeDecodeError:
        raise KeysError(f"{path}: not UTF-8") from None
    if len(text) > MAX_BYTES:
        raise KeysError(f"{path}: has more than {MAX_BYTES} bytes")
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    keys = []
    for words in lines:
        if len(words) > 2 or (len(words) == 1 and len(lines) > 1):
            raise KeysError(f"{path}: a line is NAME TOKEN, without white space in either; or there is a token alone")
        if len(words[-1]) < MIN_CHARACTERS:
            raise KeysError(f"{path}: a token has at least {MIN_CHARACTERS} characters, as of: openssl rand -hex 20")
        keys.append(AdminKey(words[0] if len(words) == 2 else NAMELESS, digest_of(words[-1])))
    if not keys:
        raise KeysError(f"{path}: there is no token in it")
    return keys


def others_may_read(path: Path) -> bool:
    """Whether others than its owner may read a file."""
    try:
        return bool(os.stat(path).st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def find(keys: list[AdminKey], token: str) -> AdminKey | None:
    """The one with this token; None if there is none."""
    shown = digest_of(token)
    found = None
    for key in keys:  # to the end, also after a match
        if hmac.compare_digest(key.digest, shown):
            found = key
    return found


def digest_of(token: str) -> bytes:
    """What is compared: of the same length for all tokens."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
