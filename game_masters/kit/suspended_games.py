"""Games that their players go on with another time, in a folder of the game master.

Each is a file of its own, which only the user who leads games can read: it holds all that is hidden, and the dice. Its
name is the code that the players received, which cannot be guessed. A game is found by its code and goes on, in a game
of its own, only with the players who were in it.
"""

import json
import os
from pathlib import Path
from typing import Final

from game_masters.kit.resuming import NotKept
from game_masters.kit.rules import Kept
from game_masters.kit.seating import Impossible
from ugs.wire.extensions import MAX_SETUP

MAX_KEPT: Final = 10_000
"""Games on a shelf. Then a new one takes the place of the smallest if that is smaller, so that no number of games in
which little has happened keeps a long one from its place."""
MAX_FILE_BYTES: Final = 1024 * 1024
LENGTHS: Final = range(16, 65)
"""Characters of a code."""


class Folder:
    """A shelf in a folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def put(self, kept: Kept) -> None:
        """Write a game down, so that it is there whole or not at all."""
        if len(kept.fixture) > MAX_SETUP:
            raise NotKept(f"the game is too long to be kept: {len(kept.fixture)} characters, at most {MAX_SETUP}")
        values = {"seats": kept.seats, "needed": kept.needed, "fixture": kept.fixture}
        file = self._path / f"{kept.code}.json"
        new = self._path / f"{kept.code}.{os.getpid()}.new"
        try:
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if file.exists():
                return
            # Before the file is made: it would be counted itself.
            self._make_room(len(json.dumps(values)))
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            with open(handle, "w", encoding="utf-8") as written:
                json.dump(values, written)
                written.flush()
                os.fsync(written.fileno())
            # The name is there only when the whole game is.
            os.replace(new, file)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise NotKept(f"the game could not be kept: {error.strerror or error}") from error

    def _make_room(self, size: int) -> None:
        """Make room for a game of this number of bytes. Raises :class:`NotKept` if all games that are kept
        are larger."""
        with os.scandir(self._path) as files:
            sizes = {file.path: file.stat().st_size for file in files}
        if len(sizes) < MAX_KEPT:
            return
        smallest = min(sizes, key=sizes.__getitem__)
        if sizes[smallest] >= size:
            raise NotKept(f"{MAX_KEPT} games are kept, and none of them is smaller than this one")
        os.unlink(smallest)

    def get(self, code: str) -> Kept:
        """Read a game."""
        unknown = Impossible("option resume: no game is kept here under this code")
        # A code becomes part of a path: nothing but letters and digits.
        if not (code.isascii() and code.isalnum() and len(code) in LENGTHS):
            raise unknown
        try:
            with open(self._path / f"{code}.json", encoding="utf-8") as file:
                values = json.loads(file.read(MAX_FILE_BYTES))
            return Kept(code, tuple(values["seats"]), int(values["needed"]), str(values["fixture"]))
        except OSError as error:
            # No file, or one that may not be read: from outside both look the same.
            raise unknown from error
        except (ValueError, KeyError, TypeError) as error:
            raise Impossible(f"option resume: the file of this game is damaged: {error}") from error
