"""Finds the extensions in this folder, and handles every extension message.

A request that cannot be granted or read is answered with ``x-failed``. A peer that has not sent ``x-hello`` gets an
``error`` as in v4, and so does a game master with a wrong message about a game.
"""

import importlib
import pkgutil
from collections.abc import Sequence

from ugs.broker import extensions
from ugs.broker.extensions.request import ExtensionModule, Refusal, Request
from ugs.broker.facts import Greeted
from ugs.broker.play import dismissals, errors_per_minute, wrong_messages
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.server_state import ServerState
from ugs.wire import extensions as x
from ugs.wire.extensions import Family, RefusalReason
from ugs.wire.messages import Extension as Message

MAX_PROGRAM = 128
"""At most this many characters of a program's name and version are kept."""


def installed() -> list[ExtensionModule]:
    """Return the extensions in this folder, ordered by name. An extension is a module or package with an
    ``EXTENSION``."""
    names = sorted(module.name for module in pkgutil.iter_modules(extensions.__path__))
    modules = [importlib.import_module(f"{extensions.__name__}.{name}") for name in names if name != "switchboard"]
    return [module.EXTENSION for module in modules if hasattr(module, "EXTENSION")]


class Switchboard:
    """Passes each request to its extension, if the peer may send it."""

    def __init__(self, found: Sequence[ExtensionModule]) -> None:
        self.requests: dict[type[Message], Request] = {}
        for one in found:
            self.requests.update(one.requests)

    def received(self, server: ServerState, peer: Peer, message: Message) -> None:
        """Handle an extension message: grant or refuse it."""
        if isinstance(message, x.Hello):
            hello(server, peer, message)
            return
        request = self.requests.get(type(message))
        if request is None:
            misread(server, peer, f"{message.TYPE}: not a message for the server", message)
            return
        # The shape is judged before the state, so that a program's mistake shows at the first try.
        wrong = request.wrong(server.config, message) or _not_granted(request, peer, message)
        if wrong is not None:
            misread(server, peer, wrong, message)
        else:
            _answer(server, request, peer, message)


def misread(server: ServerState, peer: Peer, reason: str, message: object) -> None:
    """Refuse an extension message that cannot be read, or that its peer may not send. ``message`` has the reference, if
    any. A peer that has not sent x-hello gets an ``error`` of v4."""
    if not peer.connection.greeted:
        wrong_messages.complain(server, peer, reason)
        return
    server.note("wrong message", peer, warning=True, reason=reason)
    server.send_extension([peer], x.Failed(RefusalReason.INVALID_REQUEST, reason, ref=_ref(message)))
    # Counted like the wrong messages of v4 (D5).
    errors_per_minute.count(server, peer, reason)


def hello(server: ServerState, peer: Peer, message: x.Hello) -> None:
    """A peer has sent ``x-hello``: grant families to a newcomer; from any other peer it is refused."""
    connection = peer.connection
    # What was answered before was answered as to a v4 peer: families cannot change after that.
    if connection.answered or not isinstance(peer, Newcomer):
        wrong_messages.complain(server, peer, "x-hello: only as the first message of a connection")
        return
    asked = set(message.families)
    # One that is not known here is left out and no mistake: newer programs work with older servers.
    families = frozenset(family for family in Family if family.value in asked)
    program = f"{message.program} {message.version}".strip()[:MAX_PROGRAM]
    connection.is_greeted(families, program, message.token)
    granted = tuple([family.value for family in Family if family in connection.families])
    server.send_extension([peer], x.Hello(granted, ref=message.ref))
    server.report(Greeted(peer))


def _not_granted(request: Request, peer: Peer, message: Message) -> str | None:
    if not request.families.isdisjoint(peer.connection.families):
        return None
    if len(request.families) == len(Family):
        return f"{message.TYPE}: no extension was granted; ask with x-hello first"
    names = " or ".join(sorted(request.families))
    return f"{message.TYPE}: the extension {names} was not granted; ask with x-hello first"


def _answer(server: ServerState, request: Request, peer: Peer, message: Message) -> None:
    """Answer a valid request whose family was granted."""
    wrong: Refusal | str | None
    if peer.state not in request.who:
        wrong = Refusal(RefusalReason.INVALID_PLAYER, f"{message.TYPE}: you are {peer.state}")
    elif (text := _used_up(server, request, peer)) is not None:
        wrong = Refusal(RefusalReason.RATE_LIMIT, f"{message.TYPE}: {text}")
    else:
        wrong = request.answer(server, peer, message)
    if isinstance(wrong, Refusal):
        _refuse(server, peer, message, wrong)
    elif wrong is not None:
        wrong_messages.complain(server, peer, wrong, getattr(message, "game_id", ""))


def _used_up(server: ServerState, request: Request, peer: Peer) -> str | None:
    # Nothing else is limited so: leaving and cancelling must always work.
    is_limited = request.is_list or request.goes_to_many
    return server.allowances.refusal(peer, server.now) if is_limited else None


def _refuse(server: ServerState, peer: Peer, message: Message, refusal: Refusal) -> None:
    server.note("refused", peer, reason=str(refusal.reason), text=refusal.text)
    server.send_extension([peer], x.Failed(refusal.reason, refusal.text, ref=_ref(message)))
    if isinstance(peer, Newcomer) and peer.refusals:
        dismissals.count_refusal(server, peer)


def _ref(message: object) -> str:
    return getattr(message, "ref", "")
