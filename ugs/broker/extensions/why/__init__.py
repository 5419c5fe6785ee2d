"""Why a game ended, and what a peer waits for (family ``reason``).

What a reason does to a game is the core's: ``play/reasons.py``.

verdict_messages.py  reasons of masters, verdicts for players
recent.py   games that have ended lately
asking.py   players and spectators ask why
"""

import re
from typing import Final

from ugs.broker import facts
from ugs.broker.extensions.request import MASTERS, PLAYERS, SPECTATORS, ExtensionModule, Request
from ugs.broker.extensions.why import asking, recent, verdict_messages
from ugs.broker.state.server_state import ServerState
from ugs.config import Config
from ugs.wire.extensions import Because, Family, Why

_CODE: Final = re.compile(r"[A-Za-z0-9._-]+")


def wrong_reason(_config: Config, message: Because) -> str | None:
    """Return what is wrong with a reason, regardless of the sender; None if nothing is."""
    if not _CODE.fullmatch(message.code):
        return f"x-reason: cause code {message.code!r}: allowed are letters, digits, '-', '_' and '.', at least one"
    return None


def _over(server: ServerState, fact: facts.GameOver) -> None:
    recent.keep(server, fact)
    verdict_messages.over(server, fact)


EXTENSION = ExtensionModule(
    requests={
        Because: Request(frozenset({Family.REASON}), MASTERS, verdict_messages.because, wrong_reason),
        Why: Request(frozenset({Family.REASON}), PLAYERS | SPECTATORS, asking.why, asking.wrong, is_list=True),
    },
    hooks={
        facts.RuleBroken: verdict_messages.rule_broken,
        facts.GameOver: _over,
        facts.PlayerBack: verdict_messages.back,
        facts.Proven: asking.proven,
    },
)
