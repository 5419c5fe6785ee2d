"""Plays a match: here, or in batches on other machines.

Games come from the planner and results go to the score, both by way of the match's books; who plays them in between is
:mod:`ugs.match.local_games` on this machine, or a pool of others that :mod:`ugs.match.batch_runner` feeds.
"""

from collections.abc import Mapping
from pathlib import Path

from ugs.match.batch_runner import check_bots, find_opener, play_in_batches
from ugs.match.bookkeeping import MatchBooks
from ugs.match.games import Choose
from ugs.match.local_games import Lanes
from ugs.match.match_settings import MatchSettings


class Match(MatchBooks):
    """A match that is going to be played, in a directory that is there."""

    def __init__(
        self,
        wanted: MatchSettings,
        directory: Path,
        *,
        resume: bool = False,
        objects: Mapping[str, Choose] | None = None,
    ) -> None:
        """Raises WrongMatch; OSError when nothing can be written."""
        self._opener = find_opener(wanted.cluster) if wanted.cluster else None
        if wanted.cluster:
            check_bots(wanted.bots, objects or {})
        super().__init__(wanted, directory, resume=resume, objects=objects)

    async def play(self) -> None:
        """Play to the end, once. Raises MatchFailed when it cannot go on."""
        try:
            self.take_up()
            if self.over:
                return
            if self._opener is not None:
                await play_in_batches(self, self._opener)
            else:
                await Lanes(self).play()
        finally:
            self.kept.close()
