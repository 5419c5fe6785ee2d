"""What is kept of a match, so that it can go on: one line of JSON for each game that begins or ends.

The first line describes the match. A line that was not written whole, because the machine or the match was killed,
is taken for none.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import IO, Any, Final

from ugs.broker.verdict import Cause, Outcome
from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.planner import PlannedGame
from ugs.match.programs import MatchFailed
from ugs.match.score import ScoredGame
from ugs.path_faults import reason_of

NAME: Final = "match.jsonl"
COPY: Final = "~"
"""Stands between a bot and the number of its copy, from the second on; no name of a bot has it."""
MAY_DIFFER: Final = frozenset({"concurrency", "data_dir", "output", "cluster"})
"""What may be another one when a match goes on."""


NAMES: Final[Mapping[type, tuple[str, ...]]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in (PlannedGame, ScoredGame)
}
"""The fields of what is kept."""


class MatchFile:
    """The file of one match."""

    def __init__(self, directory: Path, wanted: MatchSettings, *, resume: bool) -> None:
        """Begin a match, or go on with the one that lies there. Raises WrongMatch when there is none, when it is
        another match, and when one lies there and is not to be resumed; MatchFailed while it is being played;
        OSError when the file cannot be written."""
        self.path = directory / NAME
        new = not self.path.exists()
        self._lock = _held(self.path)
        self.results: dict[int, ScoredGame] = {}
        """By number."""
        self.begun: dict[int, tuple[PlannedGame, str]] = {}
        """By number: games that had begun and have no result, with their ids."""
        try:
            lines = list(self._lines())
            if lines and not resume:
                raise WrongMatch(f"{directory} holds a match: go on with --resume, or take another --data-dir")
            if not lines and resume:
                raise WrongMatch(f"{directory} holds no match to go on with")
            if lines:
                _same(lines[0], wanted)
                self._read(lines[1:])
            self._file: IO[str] = self.path.open("a" if lines else "w", encoding="utf-8")
        except BaseException:
            if new:
                self.path.unlink(missing_ok=True)
            os.close(self._lock)
            raise
        if not lines:
            self._write({"match": wanted.plain()})
        elif not self.path.read_bytes().endswith(b"\n"):
            self._file.write("\n")  # the last line was cut by a kill

    def begins(self, planned: PlannedGame, game_id: str) -> None:
        """A game begins."""
        self._write({"begun": _fields(planned), "game": game_id})

    def ended(self, result: ScoredGame) -> None:
        """A game has ended. It outlives this process once this returns. Raises MatchFailed where that cannot be."""
        self._write({"result": {**_fields(result), "planned": _fields(result.planned)}})

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        if not self._file.closed:
            with suppress(OSError):  # what could not be written is tried once more
                self._file.close()
            os.close(self._lock)

    def _write(self, line: Mapping[str, object]) -> None:
        try:
            self._file.write(json.dumps(line) + "\n")
            # To the system: a kill loses nothing, only a machine that goes down may.
            self._file.flush()
        except OSError as error:
            raise MatchFailed(f"{self.path}: cannot be written: {reason_of(error)}") from error

    def _lines(self) -> Iterator[Mapping[str, Any]]:
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if isinstance(found, dict):
                yield found

    def _read(self, lines: list[Mapping[str, Any]]) -> None:
        for line in lines:
            if "result" in line:
                result = _result(line["result"])
                self.results[result.planned.number] = result
                self.begun.pop(result.planned.number, None)
            elif "begun" in line:
                planned = _planned(line["begun"])
                self.begun[planned.number] = (planned, str(line["game"]))


def _held(path: Path) -> int:
    """The file of a match, made if there is none, locked for this process however it ends. Raises MatchFailed where
    another one has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise MatchFailed(f"{path.parent}: this match is being played, by another process") from None
    except OSError:  # no locks on this file system
        pass
    return handle


def _same(line: Mapping[str, Any], wanted: MatchSettings) -> None:
    before, now = line.get("match", {}), wanted.plain()
    for key, value in now.items():
        if key not in MAY_DIFFER and before.get(key) != value:
            raise WrongMatch(f"--resume: {key} was {before.get(key)!r} and is {value!r} now: that is another match")


def _fields(one: PlannedGame | ScoredGame) -> dict[str, object]:
    """The fields by name, as they are: what dataclasses offer for this copies all they hold, twice a game."""
    return {name: getattr(one, name) for name in NAMES[type(one)]}


def _planned(line: Mapping[str, Any]) -> PlannedGame:
    return PlannedGame(**{**line, "bots": tuple(line["bots"])})


def _result(line: Mapping[str, Any]) -> ScoredGame:
    outcomes = {bot: Outcome(outcome) for bot, outcome in line["outcomes"].items()}
    return ScoredGame(
        **{**line, "planned": _planned(line["planned"]), "outcomes": outcomes, "cause": Cause(line["cause"])}
    )


def bot_of(nick: str) -> str:
    """The bot whose copy this player is."""
    return nick.partition(COPY)[0]


def fault_file(directory: Path, number: int, bot: str) -> Path:
    """Where it is kept what a bot at fault wrote during game ``number`` of the match in ``directory``."""
    return directory / "faults" / f"{number:06}-{bot}.log"


def errors_of(data_dir: Path, game_id: str, nick: str) -> bytes:
    """What a bot wrote during a game of a match, if the journal is that of one and it was kept; else nothing."""
    directory = data_dir.parent
    try:
        for line in (directory / NAME).read_text(encoding="utf-8", errors="replace").splitlines():
            # The id is looked for first: reading each line as JSON takes much longer.
            result = json.loads(line).get("result") if game_id in line else None
            if isinstance(result, dict) and result.get("game_id") == game_id:
                return fault_file(directory, result["planned"]["number"], bot_of(nick)).read_bytes()
    except (OSError, ValueError, KeyError, TypeError):
        return b""
    return b""
