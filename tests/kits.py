"""The kits that `ugs new` copies, built and started by tests.

    python -m tests.kits

prints which packages of Debian all kits need that lack a tool here, separated by spaces.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from ugs.commands.kits import BOT, MASTER, Kit, kits_of

BUILD_S: Final = 600
"""Seconds that a compiler may take on a busy machine."""
STRICT: Final = "-O1 -pedantic -Wall -Wextra -Wshadow -Werror"
"""What compilers of C and C++ are asked for besides."""


def bot_kit(language: str) -> Kit:
    """The bot in a language."""
    return kits_of(BOT)[language]


def build(kit: Kit, folder: Path) -> None:
    """Build a kit in the folder that it has been copied to."""
    environment = {**os.environ, "CFLAGS": STRICT, "CXXFLAGS": STRICT}
    for line in kit.build:
        done = subprocess.run(
            line, cwd=folder, capture_output=True, text=True, timeout=BUILD_S, check=False, env=environment
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"


def started(kit: Kit, folder: Path) -> tuple[str | Path, ...]:
    """How a kit is started that was built in this folder, or needs no building, from any working directory."""
    words = [sys.executable if word == "python3" else word for word in kit.command]
    return tuple(folder / word if (folder / word).exists() else word for word in words)


def lacking() -> list[str]:
    """The packages of the kits that lack a tool here, each once."""
    kits = [kit for side in (BOT, MASTER) for kit in kits_of(side).values()]
    return sorted({package for kit in kits if kit.missing() for package in kit.packages})


if __name__ == "__main__":
    print(*lacking())
