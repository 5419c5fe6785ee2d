"""Games of a match whose packet is worth a look: lost, crashed and drawn ones, with the command that makes it.

The games stay in the journal of the match, so a packet is made on request (`ugs why GAME --packet`).
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ugs.broker.verdict import Outcome
from ugs.match.score import ScoredGame

NAME: Final = "packets.txt"
"""The file in the data directory that lists all of them."""
FOLDER: Final = "packets"
"""In the data directory: packets that have come from other machines with their games."""
LOST, DRAWN = "lost", "drawn"


@dataclass(frozen=True, slots=True)
class PacketOffered:
    """A packet that can be made."""

    number: int
    """Of the game in the match."""
    game_id: str
    bot: str
    """As whom the game is shown."""
    why: str
    """A fault such as ``crashes``, or lost, or drawn."""
    command: str
    """What makes it; where it lies, where it has been made."""

    @property
    def at_fault(self) -> bool:
        """Whether the bot has lost the game by a fault."""
        return self.why not in (LOST, DRAWN)


def packets_of(results: Sequence[ScoredGame], bots: Sequence[str], directory: Path) -> list[PacketOffered]:
    """What is offered of these games, for a match of ``bots`` that is kept in ``directory``: first games with a fault,
    as the bot at fault, then those that a bot has lost, then drawn ones, as the first of the bots that played."""
    server = shlex.quote(str(directory / "server"))
    found = [
        (order, result.planned.number, bot, why, result.game_id)
        for result in results
        for order, bot, why in _of_game(result, bots)
    ]
    return [
        PacketOffered(
            number,
            game_id,
            bot,
            why,
            f"ugs why {shlex.quote(game_id)} --data-dir {server} --nick {bot} --packet game-{number}-{bot}.zip",
        )
        for _, number, bot, why, game_id in sorted(found)
    ]


def packet_file(directory: Path, number: int, bot: str) -> Path:
    """Where the packet of a game that another machine has played is kept, for the match in ``directory``."""
    return directory / FOLDER / f"game-{number}-{bot}.zip"


def packets_here(offered: Sequence[PacketOffered], directory: Path, *, journal: bool) -> list[PacketOffered]:
    """What of this can be had: packets that lie there, and with ``journal`` those that can be made of the journal."""
    found = []
    for one in offered:
        path = packet_file(directory, one.number, one.bot)
        if path.exists():
            found.append(replace(one, command=str(path)))
        elif journal:
            found.append(one)
    return found


def _of_game(result: ScoredGame, bots: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """By what comes first: the bot, and why."""
    if result.void:
        return
    for bot, fault in result.faults.items():
        yield 0, bot, fault
    for bot, outcome in result.outcomes.items():
        if outcome is Outcome.LOST and bot not in result.faults:
            yield 1 + bots.index(bot), bot, LOST
    drawn = [bot for bot in bots if result.outcomes.get(bot) is Outcome.DRAWN]
    if drawn:
        yield 1 + len(bots), drawn[0], DRAWN


def as_text(offered: Sequence[PacketOffered]) -> str:
    """A line for each."""
    return "".join(f"game {one.number}, {one.bot}: {one.why}: {one.command}\n" for one in offered)
