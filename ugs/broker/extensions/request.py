"""What an extension of the protocol is to the broker: requests it answers, facts it hears of, timers of its own."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from ugs.broker.events import TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.server_state import Hook, ServerState
from ugs.config import Config
from ugs.value import value
from ugs.wire.extensions import Family, RefusalReason
from ugs.wire.messages import Extension as Message

NEW = frozenset({PeerState.NEW})
PLAYERS = frozenset({PeerState.IDLE, PeerState.PLAYING, PeerState.OWING})
SPECTATORS = frozenset({PeerState.NEW, PeerState.WATCHING})
MASTERS = frozenset({PeerState.MASTER})
SPEAKERS = PLAYERS | {PeerState.WATCHING}
ANYBODY = frozenset(PeerState)


@value
class Refusal:
    """Why a request is not granted: a code for programs and a sentence for people."""

    reason: RefusalReason
    text: str


def _nothing(_config: Config, _message: Message) -> None:
    """Nothing is wrong with a message that could be read."""


@value
class Request:
    """Who may send a message, and what answers it."""

    families: frozenset[Family]
    """A peer must have been granted one of these."""
    who: frozenset[PeerState]
    answer: Callable[[ServerState, Any, Any], Refusal | str | None]
    """``answer(server, peer, message)`` returns None when all is well, a refusal, or (for masters) what is wrong, for
    an ``error``."""
    wrong: Callable[[Config, Any], str | None] = _nothing
    """``wrong(config, message)`` returns what is wrong with the message whoever sends it, or None. It is asked before
    all else."""
    is_list: bool = False
    """Whether the answer can be long (lists, the past of a game) and nothing is changed."""
    goes_to_many: bool = False
    """Whether others are told something on account of it, and it may be refused.

    Both kinds are refused while the allowance of their sender is used up. What they cost is taken out of that by
    ``answer``."""


@value
class ExtensionModule:
    """One module of this folder, as the broker sees it; the module calls it ``EXTENSION``."""

    requests: Mapping[type[Message], Request] = field(default_factory=dict)
    hooks: Mapping[type[object], Hook] = field(default_factory=dict)
    """What it does when it hears of a fact of ``ugs/broker/facts.py``, by the type of the fact."""
    timers: Mapping[TimerKind, Callable[[ServerState, Any], None]] = field(default_factory=dict)
    """``timer(server, subject)`` when a timer of this kind has fired."""
