"""What an extension of the protocol is to the broker: requests that it answers, hooks for facts, its own timers."""

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
ANY_STATE = frozenset(PeerState)


@value
class Refusal:
    """Why a request is not granted: a code for programs and a sentence for people."""

    reason: RefusalReason
    text: str


def _nothing(_config: Config, _message: Message) -> None:
    """Return None: any message that could be read is right."""


@value
class Request:
    """Which peers may send a message, and the function that answers it."""

    families: frozenset[Family]
    """A peer must have been granted one of these."""
    who: frozenset[PeerState]
    answer: Callable[[ServerState, Any, Any], Refusal | str | None]
    """``answer(server, peer, message)`` returns None when all is well, a refusal, or (for masters) what is wrong, for
    an ``error``."""
    wrong: Callable[[Config, Any], str | None] = _nothing
    """``wrong(config, message)`` returns what is wrong with the message regardless of the sender, or None. It is called
    first."""
    is_list: bool = False
    """Whether the answer can be long (lists, the past of a game) and the request changes nothing."""
    goes_to_many: bool = False
    """Whether other peers get messages because of it, and it may be refused.

    Both kinds are refused while the allowance of their sender is used up. ``answer`` subtracts their cost."""


@value
class ExtensionModule:
    """One module of this folder as the broker uses it: the module's ``EXTENSION``."""

    requests: Mapping[type[Message], Request] = field(default_factory=dict)
    hooks: Mapping[type[object], Hook] = field(default_factory=dict)
    """Its hooks for facts of ``ugs/broker/facts.py``, by the type of the fact."""
    timers: Mapping[TimerKind, Callable[[ServerState, Any], None]] = field(default_factory=dict)
    """``timer(server, subject)`` is called when a timer of this kind has fired."""
