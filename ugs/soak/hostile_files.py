"""Files that a stranger sends to an organiser: records, plans and settings that cost more than they are worth.

Each is given to the command that reads it, in a process that may have MAX_BYTES of memory. The command has to refuse it
in a line, with the exit code of a command that failed: no traceback, no death, no screenful.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import trio

from ugs.soak.target import AttackSite

MAX_BYTES: Final = 1 << 30
"""Address space of a command that reads such a file; starting takes a third of it."""
MAX_OUTPUT: Final = 10_000
"""Bytes that a command may write."""
PATIENCE_S: Final = 60.0
REFUSED: Final = (1, 2)
"""Exit codes of a command that reports what is wrong."""

_BOUNDED: Final = (
    # Set in the process itself, before anything of ugs is loaded; no core of 1 GB is left when it dies.
    "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2); "
    "resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); sys.argv[:2] = ['ugs']; "
    "runpy.run_module('ugs', run_name='__main__')"
)
_IMPORT: Final = ("record", "import", "{file}", "--data-dir", "{directory}/data")
_PLAN: Final = ("championship", "plan", "{file}", "--dry-run")
_SERVE: Final = ("serve", "--config", "{file}", "--port", "0")


@dataclass(frozen=True, slots=True)
class HostileFile:
    """One file."""

    name: str
    command: tuple[str, ...]
    """What reads it; ``{file}`` and ``{directory}`` stand for the file and its directory."""
    make: Callable[[], bytes]

    def written(self, directory: Path) -> list[str]:
        """Write it there; the words of the command that reads it."""
        path = directory / f"{self.name}.toml"
        path.write_bytes(self.make())
        return [word.format(file=path, directory=directory) for word in self.command]


def _jsonl(events: int, event: bytes, seats: bytes = b'["a","b"]') -> bytes:
    head = (
        b'{"game":"g","format":1,"type":"t","master":"m","seats":%b,"began_us":0,"result":{"verdict":"finished",'
        b'"outcomes":["won","lost"],"left":[null,null],"moves":0,"began_at":0.0,"ended_at":1.0},"events":%d}\n'
    )
    return head % (seats, events) + (b'{"event":"move","wall_us":0,"mono_us":0%b}\n' % event) * events


def _ugsg(events: int, event: bytes, tags: bytes = b"") -> bytes:
    head = b'[Game "g"]\n[Format "1"]\n[Type "t"]\n[Master "m"]\n[Began "2030-05-01T20:00:00.000000Z"]\n%b'
    seats = b'[Seat "0 a"]\n[Seat "1 b"]\n[Clock "0.000000"]\n[Events "%d"]\n\n'
    return head % tags + seats % events + (b"00:00:00.000000 +0.000000 %b\n" % event) * events


def _ledger(data: bytes, at_us: bytes = b"1") -> bytes:
    return b'{"ledger":"l","type":"t","at_us":%b,"what":"planned","data":%b}\n' % (at_us, data)


def _plan(text: bytes) -> bytes:
    return b'name = "p"\ngame_type = "t"\n' + text


FILES: Final = tuple(
    HostileFile(*row)
    for row in (
        # Records: a number that stands for many bits, an expression that goes back, lines and games without an end.
        ("audiences", _IMPORT, lambda: _jsonl(33_000, b',"audience":[999999]')),
        ("seats", _IMPORT, lambda: _jsonl(1, b"", b"[%b]" % b",".join([b'"x"'] * 300_000))),
        ("events", _IMPORT, lambda: _jsonl(600_000, b"")),
        ("deep-line", _IMPORT, lambda: b'{"game":' + b"[" * 1_000_000),
        ("long-line", _IMPORT, lambda: b'{"game":[' + b"{}," * 6_000_000),
        ("long-number", _IMPORT, lambda: b'{"game":' + b"9" * 4_000_000 + b"}\n"),
        ("ledger-numbers", _IMPORT, lambda: _ledger(b'{"plan":{}}', b"9" * 30)),
        ("ledger-surrogates", _IMPORT, lambda: _ledger(b'{"plan":"\\ud800"}')),
        ("ledger-lines", _IMPORT, lambda: _ledger(b'{"plan":[%b{}]}' % (b"{}," * 200_000)) * 150),
        ("quoted", _IMPORT, lambda: _ugsg(1, b'away 0 "%b"' % (b"x" * 36_000_000))),
        ("escapes", _IMPORT, lambda: _ugsg(1, b'away 0 "%b"' % (b"\\\\" * 4_000_000))),
        ("values", _IMPORT, lambda: b"[Option%b]\n" % (b' ""' * 2_700_000)),
        ("tags", _IMPORT, lambda: b"".join(b'[Option "%d" ""]\n' % number for number in range(600_000))),
        ("one-line", _IMPORT, lambda: b"[" * 400_000_000),
        # Plans: numbers that size something, depth, keys of many parts.
        ("first", _PLAN, lambda: _plan(b"first = 1000000000\n")),
        ("first-hexadecimal", _PLAN, lambda: _plan(b"first = 0x" + b"f" * 1_000_000)),
        ("first-digits", _PLAN, lambda: _plan(b"first = " + b"9" * 5000)),
        ("seats-of-a-game", _PLAN, lambda: _plan(b"first = 9\nseats = 100000\nopenings = [{name='a',text='b'}]\n")),
        ("rounds", _PLAN, lambda: _plan(b'first = 64\nformat = "league"\nrounds = 1000000\n')),
        ("ladder", _PLAN, lambda: _plan(b'first = 1000\nformat = "ladder"\nrounds = 1000000\n')),
        ("lists", _PLAN, lambda: _plan(b"x = " + b"[" * 100_000)),
        ("inline", _PLAN, lambda: _plan(b"x = " + b"{a=" * 50_000)),
        ("dotted", _PLAN, lambda: _plan(b".".join([b"a"] * 200_000) + b" = 1\n")),
        ("many-dotted", _PLAN, lambda: _plan(b"".join(b"a%d%b = 1\n" % (n, b".a" * 300) for n in range(3000)))),
        ("endless-opening", _PLAN, lambda: _plan(b'first = 4\n[openings]\nfiles = ["/dev/zero"]\n')),
        ("long-text", _PLAN, lambda: _plan(b'first = "%b"\n' % (b"x" * 10_000_000))),
        ("unknown-keys", _PLAN, lambda: b"".join(b"x%d = 1\n" % number for number in range(100_000))),
        # Settings.
        ("settings-deep", _SERVE, lambda: b"x = " + b"[" * 100_000),
        ("settings-number", _SERVE, lambda: b"port = " + b"9" * 4000),
        ("settings-infinite", _SERVE, lambda: b"lists_per_s = inf\n"),
        ("settings-nul", _SERVE, lambda: b'data_dir = "a\\u0000b"\n'),
    )
)


async def hostile_files(site: AttackSite) -> None:
    """Commands of an organiser read hostile records, plans and settings, each within 1 GB of memory."""
    site.begins()
    while True:
        for file in FILES:
            wrong = await trial(file)
            if wrong:
                site.dealt.harm.append(f"file {file.name}: {wrong}")


async def trial(file: HostileFile) -> str:
    """Let the command read this file; what is wrong with how it dealt with it, or nothing."""
    with TemporaryDirectory(prefix="ugs-soak-file-") as directory:
        argv = [sys.executable, "-c", _BOUNDED, str(MAX_BYTES), *file.written(Path(directory))]
        with trio.move_on_after(PATIENCE_S):
            done = await trio.run_process(argv, capture_stdout=True, capture_stderr=True, check=False)
            data = done.stderr.decode(errors="replace").strip()
            last = data.rpartition("\n")[2][:200]
            # Death by a signal is a negative number, so it is none of these.
            if done.returncode not in REFUSED:
                return f"exit code {done.returncode}: {last}"
            if "Traceback" in data or len(data) > MAX_OUTPUT:
                return f"{len(data)} characters instead of a line: {last}"
            return ""
        return f"not read within {PATIENCE_S:.0f} s"
