"""Finds the extensions in this folder, and takes in every extension message.

A request that cannot be granted or read is answered with ``x-failed``; a peer that has not said ``x-hello`` gets an
``error`` as in v4, and so does a game master that says something wrong about a game.
"""

import importlib
import math
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass

from ugs.broker import extensions
from ugs.broker.extensions.request import Extension, Refusal, Request
from ugs.broker.facts import Greeted
from ugs.broker.play import answers
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.desk import Desk
from ugs.broker.state.extras import Key
from ugs.wire import extensions as x
from ugs.wire.extensions import Family, Reason
from ugs.wire.messages import Extension as Message

LONGEST_PROGRAM = 128
"""At most this many characters of a program's name and version are kept."""


def installed() -> list[Extension]:
    """The extensions in this folder, in the order of their names. An extension is a module or package with an
    ``EXTENSION``."""
    names = sorted(module.name for module in pkgutil.iter_modules(extensions.__path__))
    modules = [importlib.import_module(f"{extensions.__name__}.{name}") for name in names if name != "switchboard"]
    return [module.EXTENSION for module in modules if hasattr(module, "EXTENSION")]


@dataclass(slots=True)
class Allowance:
    """With a peer: how many lists it may have at once, as of a moment."""

    tokens: float = math.inf
    at: float = 0.0


ALLOWANCE: Key[Allowance] = Key("lists", Allowance)


def _within_rate(desk: Desk, peer: Peer) -> bool:
    """Whether a peer may have one more list now; if so, it is counted."""
    allowance, config = ALLOWANCE.of(peer), desk.config
    tokens = min(config.list_burst, allowance.tokens + (desk.now - allowance.at) * config.lists_per_s)
    allowance.at = desk.now
    allowance.tokens = tokens - 1 if tokens >= 1 else tokens
    return tokens >= 1


class Switchboard:
    """Gives each request to its extension, if the peer may send it."""

    def __init__(self, found: Sequence[Extension]) -> None:
        self.requests: dict[type[Message], Request] = {}
        for one in found:
            self.requests.update(one.requests)

    def received(self, desk: Desk, peer: Peer, message: Message) -> None:
        """Take in an extension message: grant or refuse it."""
        if isinstance(message, x.Hello):
            hello(desk, peer, message)
            return
        request = self.requests.get(type(message))
        if request is None:
            answers.complain(desk, peer, f"{message.TYPE}: not a message for the server")
        elif request.families.isdisjoint(peer.connection.families):
            names = " or ".join(sorted(request.families)) if len(request.families) < len(Family) else "any"
            text = f"{message.TYPE}: the extension {names} was not granted; ask with x-hello first"
            if peer.connection.greeted:
                misread(desk, peer, text, getattr(message, "ref", ""))
            else:
                answers.complain(desk, peer, text)
        elif peer.state not in request.who:
            _refuse(desk, peer, message, Refusal(Reason.INVALID_PLAYER, f"{message.TYPE}: you are {peer.state}"))
        elif request.is_list and not peer.connection.by_gateway and not _within_rate(desk, peer):
            burst, rate = desk.config.list_burst, desk.config.lists_per_s
            text = f"{message.TYPE}: too many lists; allowed are {burst} at once and {rate:g} a second"
            _refuse(desk, peer, message, Refusal(Reason.RATE_LIMIT, text))
        else:
            wrong = request.answer(desk, peer, message)
            if isinstance(wrong, Refusal):
                _refuse(desk, peer, message, wrong)
            elif wrong is not None:
                answers.complain(desk, peer, wrong, getattr(message, "game_id", ""))


def misread(desk: Desk, peer: Peer, reason: str, ref: str) -> None:
    """An extension message that cannot be read, or may not be sent, has come from a peer that may use some."""
    desk.note("wrong message", peer, warning=True, reason=reason)
    desk.tell([peer], x.Failed(Reason.INVALID_REQUEST, reason, ref=ref))
    if not desk.within_errors(peer):
        answers.too_many_errors(desk, peer)


def hello(desk: Desk, peer: Peer, message: x.Hello) -> None:
    """A peer has sent ``x-hello``: grant families to a newcomer; from any other peer it is refused."""
    connection = peer.connection
    if connection.heard or not isinstance(peer, Newcomer):
        answers.complain(desk, peer, "x-hello: only as the first message of a connection")
        return
    asked = set(message.families)
    connection.greeted = True
    connection.families = frozenset(family for family in Family if family.value in asked)
    connection.program = f"{message.program} {message.version}".strip()[:LONGEST_PROGRAM]
    granted = tuple([family.value for family in Family if family in connection.families])
    desk.tell([peer], x.Hello(granted, ref=message.ref))
    desk.tell_of(Greeted(peer))


def _refuse(desk: Desk, peer: Peer, message: Message, refusal: Refusal) -> None:
    desk.note("refused", peer, reason=str(refusal.reason), text=refusal.text)
    desk.tell([peer], x.Failed(refusal.reason, refusal.text, ref=getattr(message, "ref", "")))
    if isinstance(peer, Newcomer) and peer.refusals:
        answers.count_refusal(desk, peer)
