"""What ``ugs`` without a command prints: what there is to do next."""

from pathlib import Path
from typing import Final

from ugs.commands.game_names import games
from ugs.commands.init_folder import PLAN, SETTINGS

STEPS: Final[tuple[tuple[str, str, str], ...]] = (
    ("look at it", "ugs demo", "a server with bots, on this terminal and in your browser"),
    ("learn it", "ugs tour", "ten guided minutes"),
    ("write a bot", "ugs new bot mybot", "a whole player to begin with; -l rust, or another language"),
    ("lead a game", "ugs new master mymaster", "a game of your own, which people can watch and play in the browser"),
    ("compare bots", "ugs match --help", "is my bot better, and how sure is that?"),
    ("watch games", "ugs watch --help", "as pictures on the terminal; a server shows them in a browser"),
    ("run a contest", "ugs init my-contest", "five questions, and a folder with all that a server needs"),
    ("check a machine", "ugs doctor", "what to do before a server starts"),
)
NEEDS_GAMES: Final = ("ugs demo", "ugs tour")


def guide(folder: Path = Path()) -> str:
    """The steps, beginning with those of the contest in ``folder``, if there is one."""
    steps = STEPS
    if (folder / SETTINGS).is_file():
        plan = f" --championship {PLAN}" if (folder / PLAN).is_file() else ""
        steps = (
            ("check this folder", f"ugs doctor --config {SETTINGS}", "what to do before the server starts"),
            ("run this contest", f"ugs serve --config {SETTINGS}{plan}", "the server, until Ctrl-C"),
            *steps[:3],
        )
    if not games():
        install = ("get games", 'pip install "ugs[games]"', "none is installed; a server runs without")
        steps = (install, *(step for step in steps if step[1] not in NEEDS_GAMES))
    widths = [max(len(step[column]) for step in steps) for column in (0, 1)]
    rows = [f"  {what:{widths[0]}}   {command:{widths[1]}}   {why}\n" for what, command, why in steps]
    return "".join(
        [
            "ugs, the universal game server: programs play games, and you look on, or play.\n\n",
            *rows,
            "\nAll commands: ugs --help. The manual: ugs example README.md, then what it names.\n",
        ]
    )
