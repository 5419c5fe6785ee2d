"""The lines of ``ugs bot`` on a terminal: short, as the bots of ``ugs new bot`` write them. A pipe gets JSON."""

from collections.abc import Callable, Mapping
from typing import Final

from structlog.typing import EventDict

LINES: Final[Mapping[str, Callable[[EventDict], str]]] = {
    "begins": lambda e: f"{e['bot']} plays as {e['nick']}: {e['does']}{_others(e['others'])}",
    "logged in": lambda e: f"logged in as {e['nick']}",
    "session resumed": lambda e: f"back again as {e['nick']}",
    "back in a game": lambda e: f"back in game {e['game']}",
    "game over": lambda e: f"game over: {e['result']} in {e['game']}",
    "verdict": lambda e: "why: " + "; ".join(filter(None, [e["why"], e.get("said")])),
    "waiting": lambda e: f"waiting: {e['why']}",
    "trying again": lambda e: f"trying again in {e['after_s']} s",
    "stopped": lambda e: f"stopped, games played: {e['games']}",
    "all games played": lambda e: f"all games played: {e['games']}",
}
"""What is written in place of an event and its fields; of others all fields are."""
SAME_IN_ALL: Final = frozenset({"event", "timestamp", "level", "exception", "role", "game_name", "server"})
"""Fields that are left out of other lines: a terminal shows one bot, whose command line stands above."""


def line_for_people(event: EventDict) -> str:
    """A line with the time of day, from an event whose texts are safe for a terminal; a traceback is below it."""
    words = LINES.get(event["event"], _plain)(event)
    below = f"\n{event['exception']}" if "exception" in event else ""
    return f"{event['timestamp'][11:19]} {words}{below}"


def _plain(event: EventDict) -> str:
    fields = {name: value for name, value in event.items() if name not in SAME_IN_ALL}
    reason = "; ".join(str(fields.pop(name)) for name in ("reason", "text", "advice") if fields.get(name))
    rest = ", ".join(f"{name} {value}" for name, value in fields.items())
    return f"{event['event']}{f': {reason}' if reason else ''}{f' ({rest})' if rest else ''}"


def _others(names: list[str]) -> str:
    return f" (others: --bot {', '.join(names)})" if names else ""
