"""Games that have ended are looked up by their whole id."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from ugs.page.worker import games
from ugs.page.worker.public_journal import NotThere, PublicJournal


class Journal:
    """A journal with one large game, ``Zr7kQ2mXw9``, of which no entry may be read."""

    @contextmanager
    def reading(self) -> Iterator["Journal"]:
        yield self

    def head(self, game_id: str) -> Any:
        """None, as for any id that is not whole."""
        assert game_id == "Zr7"

    def record(self, game_id: str) -> Any:
        """A reader takes the beginning of an id for it."""
        raise AssertionError(f"the whole game of {game_id!r} is read")

    def version(self) -> tuple[int, int, int]:
        """The journal is sound."""
        return 0, 0, 0


def test_nothing_is_read_for_the_beginning_of_an_id() -> None:
    with pytest.raises(NotThere, match="no game 'Zr7'"):
        games._record(cast(PublicJournal, Journal()), "Zr7")
