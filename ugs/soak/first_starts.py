"""First starts that are killed: the next one has to work, with any half-made files of the first."""

import signal
import subprocess
import sys
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import trio

from ugs.soak.target import AttackSite

PATIENCE_S: Final = 60.0
"""For a server to listen, on a busy machine too."""
LATER: Final = 0.618
"""How much later the next one is killed, as a part of the time that making the files takes: this spreads evenly."""
LOOK_S: Final = 0.002


async def first_starts(site: AttackSite) -> None:
    """Servers are killed while they make their files for the first time, each at another moment, and started again."""
    site.begins()
    with TemporaryDirectory(prefix="ugs-soak-first-") as directory:
        # Not killed: how long it makes its files decides when the others die.
        usual = await _start(Path(directory))
    if usual.wrong:
        site.dealt.harm.append(f"a first start that is left alone: {usual.wrong}")
        return
    for number in count(1):
        with TemporaryDirectory(prefix="ugs-soak-first-") as directory:
            after_s = usual.making_s * (number * LATER % 1.0)
            await _start(Path(directory), after_s)
            again = await _start(Path(directory))
        if again.wrong:
            site.dealt.harm.append(f"killed {after_s:.3f} s after its first file, it never starts again: {again.wrong}")


@dataclass(frozen=True, slots=True)
class FirstStart:
    """What came of one."""

    wrong: str
    """Why it does not listen; empty if it does."""
    making_s: float
    """Seconds from its first file until it listened or ended."""


async def _start(directory: Path, killed_after_s: float = PATIENCE_S) -> FirstStart:
    """Start a server there until it listens. Once it has begun to make its files it lives for so long at most."""
    ready, data = directory / "ready.json", directory / "data"
    ready.unlink(missing_ok=True)
    errors = directory / "server.log"
    argv = [sys.executable, "-m", "ugs", "serve", "--port", "0", "--ready-file", str(ready), "--data-dir", str(data)]
    with errors.open("wb") as log:
        process = await trio.lowlevel.open_process(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            with trio.move_on_after(PATIENCE_S):
                await _exists(trio.Path(data), process)
            began = trio.current_time()
            with trio.move_on_after(killed_after_s):
                await _exists(trio.Path(ready), process)
            making_s = trio.current_time() - began
        finally:
            if process.poll() is None:
                # As in a crash: a server that stops in order would tidy up its files.
                process.send_signal(signal.SIGKILL)
            with trio.CancelScope(shield=True):
                await process.wait()
    last = errors.read_text(errors="replace").strip().rpartition("\n")[2][:200]
    return FirstStart("" if ready.exists() else last or "it does not listen", making_s)


async def _exists(path: trio.Path, process: trio.Process) -> None:
    """Wait until there is such a file, or the process has ended."""
    while not await path.exists() and process.poll() is None:  # noqa: ASYNC110 - another process makes it
        await trio.sleep(LOOK_S)
