"""The books of a match: its settings, which games it has given out, and what has come of them, wherever they are
played."""

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.match.copies import Copies
from ugs.match.cost import MatchCost
from ugs.match.game_results import of_journal
from ugs.match.games import Choose, game_of, options_of, players_of
from ugs.match.match_file import MatchFile
from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.openings import read_openings, setup_of
from ugs.match.packets import PacketOffered, packets_here, packets_of
from ugs.match.planner import GivenGames, PlannedGame, Planner
from ugs.match.score import MatchScore, ScoredGame
from ugs.processor_time import ProcessorUse

MAX_FAULTS: Final = 10_000
"""Games with a fault whose output of the bot is kept."""
MAX_NOTES: Final = 100
"""Remarks that wait to be shown."""


@dataclass(slots=True)
class Progress:
    """How far a match has come, for those who show it."""

    total: int
    began: float = field(default_factory=time.monotonic)
    played: int = 0
    """Games that have ended in this life of the match."""
    running: int = 0
    void: int = 0
    """Games that had to be played again."""
    address: str = ""
    page: str = ""
    master_code: int | None = None
    """The exit code of the last game master that has ended by itself, negative for a signal; None: none has."""
    notes: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_NOTES))
    """What people should know of a match that goes on all the same; what shows them takes them out."""

    @property
    def seconds(self) -> float:
        """Since the first game could begin."""
        return max(1e-9, time.monotonic() - self.began)

    @property
    def per_second(self) -> float:
        """Games that ended in a second."""
        return self.played / self.seconds


class MatchBooks:
    """The books of a match that is going to be played, in a directory that is there."""

    def __init__(
        self,
        wanted: MatchSettings,
        directory: Path,
        *,
        resume: bool = False,
        objects: Mapping[str, Choose] | None = None,
        games: GivenGames | None = None,
    ) -> None:
        """``games``: play these, and ignore number and openings of games in ``wanted``.
        Raises WrongMatch; OSError when nothing can be written."""
        self.wanted = wanted
        self.directory = directory
        self.game = game_of(wanted)
        options_of(self.game, wanted.option)  # wrong ones are refused before anything else is looked at
        self.players = players = players_of(self.game, wanted.players or 2 * bool(wanted.master), len(wanted.bots))
        """Of one game."""
        if wanted.openings and self.game.fixture is None:
            raise WrongMatch(f"--openings: games of {self.game.name} begin in one way only; it takes no fixtures")
        self._openings = read_openings(Path(wanted.openings)) if wanted.openings else []
        self.setups: dict[int, str] = {}
        """By number: how games begin that come from elsewhere."""
        self.planner = Planner(wanted, players, len(self._openings)) if games is None else games
        # Only these play a pairing again with seats exchanged, from the same opening.
        pairs = players == 2 and wanted.seats == "balanced" and wanted.format in ("round-robin", "gauntlet")
        test = wanted.sprt.test() if wanted.sprt is not None else None
        self.score = MatchScore(
            tuple(wanted.bots), self.game.game_type, 2 if pairs else 1, test, until_best=wanted.until == "best"
        )
        self.progress = Progress(self.planner.total)
        self.copies = Copies(
            wanted.bots,
            self.game,
            wanted.option,
            directory,
            wanted.concurrency,
            objects,
            wanted.time_limits,
            wanted.connect_timeout_s,
        )
        self.kept = MatchFile(directory, wanted, resume=resume)
        self.cost: MatchCost | None = None
        """Once all games are over."""
        self.faults: list[tuple[ScoredGame, Path]] = []
        """Games that ended by a fault, with what the bot at fault wrote meanwhile."""
        self.used_elsewhere: dict[str, tuple[int, ProcessorUse]] = {}
        """By bot that is a program: games that other machines have played, and what it has used there."""
        self._waiting: deque[PlannedGame] = deque()
        """Games that were given out before, and are to be played first."""

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played."""
        return bool(self.score.stopped) or self.planner.finished

    @property
    def keeps_games(self) -> bool:
        """Whether the server writes games down: nothing reads them where the folder goes with the match."""
        return bool(self.wanted.data_dir)

    @property
    def packets(self) -> list[PacketOffered]:
        """Games that a packet can be made of; none where the games are not kept."""
        if not self.wanted.data_dir:
            return []
        offered = packets_of(self.score.counted, tuple(self.wanted.bots), self.directory)
        return packets_here(offered, self.directory, journal=not self.wanted.cluster)

    def times(self) -> dict[str, tuple[int, ProcessorUse]]:
        """By bot that is a program: games that were played, and what it has used."""
        return {**self.copies.times(), **self.used_elsewhere}

    def take_up(self) -> None:
        """Go through the results that are there. A game that had begun may have ended without us."""
        for number, result in self._ended_without_us().items():
            self.kept.ended(result)
            self.kept.results[number] = result
        known = self.kept.results
        last = max(known, default=0)
        # Asked as in the first life of the match, so that it gives the same games.
        while last and not self.score.stopped and (planned := self.planner.next()) is not None:
            if planned.number in known:
                self._settle(known[planned.number])
            else:
                self._waiting.append(planned)
            # Behind the last known result the planner goes on by itself.
            if planned.number >= last:
                return

    def next_game(self) -> PlannedGame | None:
        """A game that is to be played now; None while others have to end before, or when there is none."""
        return self._waiting.popleft() if self._waiting else self.planner.next()

    def setup_of(self, planned: PlannedGame) -> str:
        """How a game begins, in the words of its master. Raises WrongMatch."""
        if planned.number in self.setups:
            return self.setups[planned.number]
        opening = self._openings[planned.opening - 1] if planned.opening else None
        return setup_of(self.game, planned, opening, self.wanted.seed)

    def ended(self, result: ScoredGame) -> None:
        """A game has ended: it is kept, then it counts."""
        self.progress.played += 1
        self.kept.ended(result)
        self._settle(result)

    def failed(self, result: ScoredGame, wrote: Path) -> None:
        """A game ended by the fault of a bot. What it wrote is in this file, as soon as it has written anything."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append((result, wrote))

    def _settle(self, result: ScoredGame) -> None:
        self.score.take(result)
        self.planner.settle(result.planned.number, result.points)

    def _ended_without_us(self) -> dict[int, ScoredGame]:
        """The results in the journal of the server of games that we do not know to be over. Those that ended by a fault
        are played again: the lines of bots that were killed were lost, too."""
        data = self.directory / "server"
        if not self.kept.begun or not data.exists():
            return {}
        begun = {game_id: planned for planned, game_id in self.kept.begun.values()}
        try:
            with Reader(data) as reader:
                results = reader.results(game_type=self.game.game_type)
                found = [of_journal(begun[one.game_id], one) for one in results if one.game_id in begun]
        except JournalError:
            return {}
        return {result.planned.number: result for result in found if not result.void and not result.faults}
