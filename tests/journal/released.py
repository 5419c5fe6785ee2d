"""Journals of released versions: ``python -m tests.journal.released`` makes one of the version that is here.

It holds a championship, open games, tokens, a ban, and a game that was cut off when the server was killed, with what is
to be known of all that afterwards. ``tests/journal/test_released.py`` starts today's server on each.
"""

import json
import signal
import tempfile
import zipfile
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

from tests.end_to_end.processes import Server, client, output, until
from ugs import __version__
from ugs.journal.reader import Reader

FOLDER: Final = Path(__file__).parent / "versions"
GAME: Final = "tic-tac-toe"
GAME_TYPE: Final = "5-in-line-tic-tac-toe"
EXPECTED: Final = "expected.json"
DAY: Final = (2026, 1, 1, 0, 0, 0)
"""The time of all files in an archive."""
PLAN: Final = f'name = "cup"\ngame_type = "{GAME_TYPE}"\nentrants = ["ann", "bob"]\nrepeats = 2\n'


def make(room: Path, into: Path) -> Path:
    """Let a server be used and killed in an empty folder; returns the archive of its journal."""
    data = room / "data"
    plan = room / "cup.toml"
    plan.write_text(PLAN, encoding="utf-8")
    arguments = ("--data-dir", data, "--championship", plan)
    with ExitStack() as stack:
        server = stack.enter_context(Server(room, *arguments))
        stack.enter_context(client("master", server, GAME))
        quick = ("--think-ms", "0", "--no-state")
        ann = stack.enter_context(
            client("bot", server, GAME, "--nick", "ann", "--bot", "threats", "--games", "4", *quick)
        )
        stack.enter_context(client("bot", server, GAME, "--nick", "bob", "--bot", "random", *quick))
        assert ann.ends() == 0, ann.output
        output("token", "add", "cat", "--data-dir", data)
        output("admin", "ban", "eve", "--why", "test", "--data-dir", data)
        slow = ("--think-ms", "600000", "--no-state")
        stack.enter_context(client("bot", server, GAME, "--nick", "dan", *slow))
        server.logs("game begun", times=5)
        until(lambda: len(known_of(data)["games"]) == 5)
        server.signal(signal.SIGKILL)
        server.ends()
    archive = into / f"{__version__}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(data.iterdir()):
            if path.is_file():
                packed.writestr(zipfile.ZipInfo(path.name, DAY), path.read_bytes(), zipfile.ZIP_DEFLATED)
        packed.writestr(zipfile.ZipInfo(EXPECTED, DAY), json.dumps(known_of(data), indent=1), zipfile.ZIP_DEFLATED)
    return archive


def unpack(archive: Path, into: Path) -> Any:
    """Put a journal where a server finds it; returns what is to be known of it."""
    into.mkdir(mode=0o700)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(into)
    for path in into.iterdir():
        path.chmod(0o600)
    expected = into / EXPECTED
    known = json.loads(expected.read_text(encoding="utf-8"))
    expected.unlink()
    return known


def known_of(data: Path) -> dict[str, Any]:
    """What a journal holds that no later version may lose or change: of each game its moves and what it counted, the
    championships, acts and names with tokens."""
    with closing(Reader(data)) as reader:
        ids = [game.game_id for game in reader.games(limit=100)]
        return {
            "games": {one: record_of(reader, one) for one in sorted(ids)},
            "championships": sorted(one.name for one in reader.championships()),
            "acts": [f"{act.kind} {act.subject}" for act in reader.acts()],
        }


def record_of(reader: Reader, game_id: str) -> dict[str, Any]:
    """A game as later versions must know it."""
    record = reader.record(game_id)
    result = record.result
    return {
        "type": record.game_type,
        "entries": len(record.entries),
        "outcomes": {seat.nick: str(seat.outcome) for seat in result.seats} if result is not None else None,
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ugs-released-") as place:
        print(make(Path(place), FOLDER))
