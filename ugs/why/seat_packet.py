"""A packet for the writer of one player: why its game ended so, as this player saw it, with a script that plays the
last position against a program.

It holds what the player sent and was shown, and nothing else: no hand of another seat, no seed, no token. Nothing in it
runs on its own, and the same game gives the same bytes.
"""

import shlex
from collections.abc import Iterator
from typing import Final

from ugs.broker.values.record import EntryKind
from ugs.printable import safe, safe_lines
from ugs.record import ugsg
from ugs.record.game import GameRecord
from ugs.record.response_times import handed_before
from ugs.record.views import own
from ugs.why.packet import RECORD, zipped
from ugs.why.player_account import own_account

EXCHANGES: Final = 20
"""Documents at the end that the account shows."""
MAX_ERRORS: Final = 65_536
"""Bytes of what the program has written: the last ones."""
SCRIPT: Final = "replay.sh"
TIMEOUT_S: Final = 30
"""Seconds that the program has for each answer by default."""


def seat_packet(record: GameRecord, nick: str, now_us: int, errors: bytes = b"") -> bytes:
    """The zip file for the player ``nick`` of a game. ``errors`` is what its program has written, where it was kept;
    ``now_us`` is the present time in microseconds since 1970. Raises ValueError for a nick that has no seat."""
    seat = record.seats.index(nick)
    files: dict[str, str | bytes] = {
        "README.txt": _readme(record, nick, errors=bool(errors)),
        "account.txt": own_account(record, nick, EXCHANGES, now_us) + "\n",
        "times.csv": "".join(f"{row}\n" for row in _times(record, seat)),
        RECORD: ugsg.write(own(record, seat)),
        SCRIPT: script(nick),
    }
    if errors:
        text = errors[-MAX_ERRORS:].decode("utf-8", "replace")
        # Tabs stay: stack traces and tables are indented with them.
        files["errors.txt"] = "\t".join(map(safe_lines, text.split("\t")))
    return zipped(record, files)


def script(nick: str) -> str:
    """The script that plays the game up to its last position against a program."""
    return f"""#!/bin/sh
# Plays the game against a program and looks at its answer in the last position that asked {safe(nick)}.
# Exit code: 0 when it answers legally and in time, 1 when not, or when an earlier answer is illegal that is not the
# move of the record, 2 when the command is wrong. The game goes on as in the record, whatever the program answers.
# The installed rules judge what is legal; where they cannot, since something is hidden or left to chance, it says so.
#
#   sh {SCRIPT} python3 mybot.py {{host}} {{port}} {shlex.quote(safe(nick))}
#
# In TIMEOUT are the seconds for an answer ({TIMEOUT_S}), in UGS the command that is `ugs` here.
if [ "$#" -eq 0 ]; then
    sed -n '2,9s/^# \\{{0,1\\}}//p' "$0"
    exit 2
fi
folder=$(dirname -- "$0")
timeout=${{TIMEOUT:-{TIMEOUT_S}}}
exec ${{UGS:-ugs}} replay "$folder/{RECORD}" --as {shlex.quote(nick)} --position --timeout "$timeout" -- "$@"
"""


def _readme(record: GameRecord, nick: str, *, errors: bool) -> str:
    written = (
        ["errors.txt    what your program wrote during the game, to standard output and error; the end of it"]
        if errors
        else []
    )
    lines = [
        f"Game {safe(record.game_id)} of {safe(record.game_type)}, as {safe(nick)} saw it",
        "",
        "account.txt   why it ended so, whose fault that was, and the last documents, exact to the byte",
        "times.csv     each move: how long it waited for the server, thought, and was on the network",
        f"{RECORD}     the record, with what this player was shown: `ugs replay {RECORD} --viewer NICK`",
        f"{SCRIPT}     plays the last position against a program; without arguments it explains how",
        *written,
    ]
    return "\n".join(lines) + "\n"


def _times(record: GameRecord, seat: int) -> Iterator[str]:
    """A row for each move of the seat, in microseconds; empty where it is not known."""
    yield "move,waited_for_server_us,thought_us,network_us"
    trip_us = record.round_trips_us[seat + 1] if seat + 1 < len(record.round_trips_us) else 0
    number, shown_us = 0, 0
    for at, entry in enumerate(record.entries):
        if entry.kind is EntryKind.STATE:
            shown_us = entry.mono_us
        if entry.kind is not EntryKind.MOVE:
            continue
        number += 1
        if entry.seat != seat:
            continue
        handed_us = handed_before(record.entries, at)
        if not handed_us:
            yield f"{number},,,"
            continue
        took_us = entry.mono_us - handed_us
        # The round trip was measured at another moment, and may be longer than this move took.
        network_us = min(trip_us, took_us) if trip_us else None
        thought_us = took_us if network_us is None else took_us - network_us
        yield f"{number},{max(0, handed_us - shown_us)},{thought_us},{'' if network_us is None else network_us}"
