"""Why a game ends or a player has to go, in the words of its master.

A reason belongs to the master's next message: a result puts it into the verdict, a player who is taken out gets it, and
a state that continues the game drops it. So a broken rule that was forgiven has no effect later.

Only ``x-reason`` can report a broken rule. The text of an ``error`` is for people, and blames no player.
"""

import re
from typing import Final

from ugs.broker.facts import RuleBroken
from ugs.broker.play import record_entries
from ugs.broker.state.history import ENTRY_BYTES
from ugs.broker.state.model import Game, Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import GIVEN_BY_SERVER, Cause, Outcome, Reason, Verdict
from ugs.printable import safe

MAX_CHARACTERS: Final = 1024
"""Characters of a reason that are kept; written as escapes they may be more."""
WHERE_IDS_ARE: Final = 4096
"""Characters at the beginning of an ``error`` that are searched for the id of a game."""
OF_ALL: Final = ""
"""No nick: the reason of an end that concerns all."""
ERROR: Final = "error"
"""The code of a reason that was an ``error``."""
_WORD: Final = re.compile(r"[A-Za-z0-9_-]+")


def give(server: ServerState, game: Game, reason: Reason) -> None:
    """The master gives a reason for its next message. A player who broke a rule gets it."""
    game.reasons.gives(reason)
    record_entries.reason(server, game, reason)
    if reason.nick in game.present:
        server.report(RuleBroken(game, game.present[reason.nick], reason))


def decline(server: ServerState, game: Game, code: str, text: str) -> None:
    """The master cannot lead a game: its words are the reason of the end, unless it has given one with ``x-reason``."""
    if game.reasons.latest is None:
        text_shown = printable(text)
        # Words count in the size of the game, or a master could fill the journal with them.
        game.history.receives(len(text_shown) + ENTRY_BYTES)
        give(server, game, Reason(code, text_shown))


def blurt(server: ServerState, master: Master, text: str) -> None:
    """A master has sent an ``error``. If it names a running game by its id, that is the reason of what follows there,
    unless the master has given one. The first id that is named counts."""
    named = (master.games.get(word[0]) for word in _WORD.finditer(text[:WHERE_IDS_ARE]))
    game = next((game for game in named if game is not None), None)
    if game is not None and game.reasons.latest is None:
        text_shown = printable(text)
        game.history.receives(len(text_shown) + ENTRY_BYTES)
        give(server, game, Reason(ERROR, text_shown))


def printable(text: str) -> str:
    """Return a text of a master as one line without terminal controls."""
    return safe(text[:MAX_CHARACTERS].strip())


def culprit(game: Game, outcomes: dict[str, Outcome]) -> str | None:
    """Return the player whose broken rule has ended the game; ``outcomes`` are those of the players who are there. A
    player who has not lost is not the culprit: the master contradicts itself."""
    reason = game.reasons.latest
    if reason is not None and outcomes.get(reason.nick) is Outcome.LOST:
        return reason.nick
    return None


def removal(game: Game, player: Player) -> Cause:
    """Why the master takes this player out. Its reason is used up."""
    return Cause.REMOVED if game.reasons.takes_out(player.name) is None else Cause.ILLEGAL_MOVE


def closed(game: Game, player: Player, cause: Cause, why: str) -> None:
    """The server has closed the connection of a player of this game for ``cause``, or taken it out by a limit, for the
    reason ``why``."""
    if cause in GIVEN_BY_SERVER and why:
        game.reasons.of[player.name] = Reason(cause.replace(" ", "-"), printable(why), player.name)


def ended(game: Game, cause: Cause, why: str) -> None:
    """The server ends this game for all players by a limit; ``why`` names the limit and the value."""
    game.reasons.of[OF_ALL] = Reason(cause.replace(" ", "-"), printable(why))


def of_end(game: Game, verdict: Verdict) -> Reason | None:
    """Return the reason for the end of a game: the master's, or the server's if it has closed the connection of the
    culprit or ended the game itself; where a player is out for a broken rule, why."""
    blamed = verdict.culprit
    if verdict.cause in GIVEN_BY_SERVER:
        text_shown = game.reasons.of.get(OF_ALL) or (game.reasons.of.get(blamed) if blamed is not None else None)
        if text_shown is not None:
            return text_shown
    if verdict.cause is Cause.ILLEGAL_MOVE and blamed in game.departures and blamed in game.reasons.of:
        return game.reasons.of[blamed]
    return game.reasons.latest or (game.reasons.of.get(blamed) if blamed is not None else None)
