"""A packet: all that is known of one game, in one zip file to pass on, with the command that replays it.

It holds what the journal holds, hidden hands and seeds included: it is for readers who may see them. Nothing in it runs
on its own, and its times are the game's, so that the same game gives the same bytes.
"""

import io
import json
import shlex
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ugs.printable import safe, safe_json
from ugs.record import jsonl, ugsg
from ugs.record.game import GameRecord
from ugs.record.narration import account as narrated
from ugs.record.response_times import response_times
from ugs.why.text import as_text

WIDTH: Final = 10_000
"""Characters of a line of the story, at most."""
RECORD: Final = "game.ugsg"
EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip file can name."""


def packet(record: GameRecord, account: Mapping[str, Any]) -> bytes:
    """The zip file for a game and its account (:func:`ugs.why.answer.game_account`)."""
    files: dict[str, str | bytes] = {
        "README.txt": _readme(record),
        "account.txt": as_text(dict(account)) + "\n",
        "account.json": safe_json(json.dumps(account, indent=2, ensure_ascii=False)) + "\n",
        "story.txt": "".join(f"{line}\n" for line in narrated(record, WIDTH, states=True)),
        "times.csv": _times(record),
        RECORD: ugsg.write(record),
        "game.jsonl": jsonl.write(record),
    }
    return zipped(record, files)


def zipped(record: GameRecord, files: Mapping[str, str | bytes]) -> bytes:
    """A zip file of these files, with the time of the game in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _moment(record))
            info.compress_type = zipfile.ZIP_DEFLATED
            # Unpacked, the files are readable by their owner only.
            info.external_attr = 0o600 << 16
            archive.writestr(info, content)
    return packed.getvalue()


def command(nick: str) -> str:
    """The command that replays the game against a bot, from where the packet was unpacked; ``mybot.py`` stands for the
    bot."""
    return f"ugs replay {RECORD} --as {shlex.quote(nick)} -- python3 mybot.py {{host}} {{port}} {shlex.quote(nick)}"


def _readme(record: GameRecord) -> str:
    """What is in the packet, and how to replay it. Names in it are quoted for a shell; of a nick that is not printable
    there is no command."""
    lines = [
        f"Game {safe(record.game_id)} of {safe(record.game_type)}",
        "",
        "account.txt   why it ended so, whose fault that was, and what was exchanged last",
        "account.json  the same for programs, documents exact to the byte",
        "story.txt     everything that happened, in words, with the documents",
        "times.csv     when each entry came, and how long it took",
        f"{RECORD}     the record, as text",
        "game.jsonl    the same as JSON, one line for each entry",
        "",
        "To replay it against a bot, put the command line of the bot in the place of `python3 mybot.py`. It is sent",
        "what it was sent in the game, and the output shows where it answers otherwise:",
        "",
    ]
    lines += [f"  {command(nick)}" for nick in record.seats if nick.isprintable()]
    return "\n".join(lines) + "\n"


def _times(record: GameRecord) -> str:
    """One line for each entry: its number, kind and seat, seconds since the first, and seconds that its sender took."""
    first_us = record.entries[0].mono_us if record.entries else 0
    rows = ["entry,kind,seat,since_begin_s,took_s"]
    for number, (entry, took_us) in enumerate(zip(record.entries, response_times(record.entries), strict=True), 1):
        seat = "" if entry.seat is None else entry.seat
        took = f"{took_us / 1e6:.6f}" if entry.body else ""
        rows.append(f"{number},{entry.kind},{seat},{(entry.mono_us - first_us) / 1e6:.6f},{took}")
    return "\n".join(rows) + "\n"


def _moment(record: GameRecord) -> tuple[int, int, int, int, int, int]:
    """When the game began, for the files in the packet."""
    at = datetime.fromtimestamp(record.began_us / 1e6, UTC)
    # 2107 is the last year that a zip file can name.
    return max(EARLIEST, min((at.year, at.month, at.day, at.hour, at.minute, at.second), (2107, 12, 31, 0, 0, 0)))
