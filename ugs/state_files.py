"""Where the bots of this user keep what they need to come back, and the token in such a file.

What else is in it is the bots' own business (``game_masters/kit/memory.py``).
"""

import hashlib
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PLAIN = re.compile(r"[^A-Za-z0-9-]+")
MAX_HINT = 32
"""Characters of a file's name that show people whose it is; a hash behind them makes it unique."""
KEPT_S = 30 * 86_400.0
"""Seconds that the file of a bot that has not played is kept: no server remembers its token that long."""
MAX_LINE = 65_536
"""Characters of the first line of such a file, at most."""


def default_path(server: str, nick: str) -> Path:
    """Where the bot ``nick`` at ``server`` (``HOST:PORT``) keeps its state by default: below the user's directory for
    state (``XDG_STATE_HOME``, usually ``~/.local/state``). Raises RuntimeError where the user has no home."""
    state = os.environ.get("XDG_STATE_HOME", "")
    # The XDG specification wants relative paths ignored.
    base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    hint = _PLAIN.sub("-", f"{nick}-{server}")[:MAX_HINT].strip("-")
    mark = hashlib.sha256(f"{server}\0{nick}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return base / "ugs" / "sessions" / f"{hint}-{mark}.jsonl"


def forget_old(path: Path, now_s: float) -> None:
    """Remove the files beside ``path``, which lies in its usual place, that no bot has used for :data:`KEPT_S`
    seconds; ``now_s`` is the time in seconds since 1970. What cannot be removed stays."""
    for file in path.parent.glob("*.jsonl"):
        with suppress(OSError):
            if file != path and file.stat().st_mtime < now_s - KEPT_S:
                file.unlink()
                file.with_name(f"{file.name}.lock").unlink()


class Kept(NamedTuple):
    """Whose file it is."""

    server: str
    """``HOST:PORT``."""
    nick: str
    token: str
    """Empty where there is none."""


def kept_in(path: Path) -> Kept | None:
    """What a bot keeps in this file; None if it is no such file. Raises OSError when there is none or it cannot be
    read."""
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline(MAX_LINE)
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict):
        return None
    kept = Kept(*(head.get(name, "") for name in Kept._fields))
    return kept if all(isinstance(text, str) for text in kept) else None


def token_in(path: Path, server: str, nick: str) -> str:
    """The token that the bot ``nick`` at ``server`` keeps in this file; empty where there is none. Raises OSError when
    there is no such file or it cannot be read."""
    kept = kept_in(path)
    return kept.token if kept is not None and (kept.server, kept.nick) == (server, nick) else ""
