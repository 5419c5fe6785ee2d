"""The other end of a connection to the broker: a Trio stream that carries messages.

Masters, bots and tools use it. The broker does not, since it moves bytes in its own way.

XML declarations
----------------
The first document on a connection has one, as the specification wants it. Older programs stop understanding for good
when a second one arrives in the same segment. So until the server has spoken, no other document has one; after that,
the first document of each write has one if the first document of the server had one.

Limits
------
What the server accepts from one side must be acceptable to the other side, and relaying a document makes it larger:

- bytes: a declaration is added; ``x-moved`` adds the player's nick; ``x-restore`` holds all moves of a game
- levels: none are added to a move or a state; ``x-views`` and ``x-restore`` have one level more than they
- attributes: none are added to an element of a payload

:data:`FROM_SERVER` leaves room for all that, for every value of the server's settings ``max_depth`` and
``max_attributes``, and for ``max_message_bytes`` up to a quarter of its own. :data:`TO_SERVER` is what a server with
the default settings accepts of a peer that has logged in.
"""

import socket
import ssl
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import trio

from ugs.tls import in_words
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.framing import Document, Framer, Limits, WireError
from ugs.wire.messages import Extension, Message

TO_SERVER: Final = Limits()
"""The largest document that a server accepts by default; its settings may allow more or less."""
FROM_SERVER: Final = Limits(
    max_message_bytes=64 * 1024 * 1024, max_depth=1000 + 8, max_attributes=10_000, max_markup=64 * 1024 * 1024
)
"""The largest document that masters, bots and tools accept from a server."""

STANDBY_S: Final = 1
"""The same where another server stands by for this one; sent bytes without an answer are waited for three times as
long."""
KEEPALIVE_S: Final = 10
"""After this many seconds of silence the system asks the server's machine whether the connection still exists. A
machine that was switched off does not close it; without this, a peer that only waits would wait for ever."""


class NotTrusted(OSError):
    """The two do not come together over TLS, and trying again does not help: the certificate is not trusted, or one of
    them speaks no TLS. The text names the reason and what to do."""


class Peer:
    """Sends and receives UGS messages over a stream, which it owns from now on.

    One task may send while another receives; two may not do the same at once (Trio raises BusyResourceError).
    """

    def __init__(self, stream: trio.abc.Stream, *, declarations: bool = True, limits: Limits = FROM_SERVER) -> None:
        """Use ``stream``. With ``declarations`` False, no document is sent with an XML declaration."""
        self._stream = stream
        self._may_declare = declarations
        self._declares = declarations
        """Whether the next write begins with a declaration."""
        self._spoken_to = False
        """Whether a document of the server has arrived."""
        self._framer = Framer(limits)
        self._documents: Iterator[Document] = iter(())
        self._mistake: WrongMessage | WireError | None = None
        """What the next :meth:`receive` raises: it was found behind messages that were returned."""

    async def send(self, *messages: Message) -> None:
        """Send messages in one write, without bytes between the documents. At most the first has a declaration.

        Raises trio.BrokenResourceError when the connection is gone, trio.ClosedResourceError after aclose. If the call
        is cancelled, an unknown part has been sent, and the connection can only be closed.
        """
        declaration = DECLARATION if self._declares and messages else b""
        # A second declaration might arrive in the same segment as the first (see above).
        if declaration and not self._spoken_to:
            self._declares = False
        await self._stream.send_all(declaration + b"".join(map(encode, messages)))

    async def receive(self) -> Message | None:
        """Return the next message, or None when the other side has closed (a document it left unfinished is dropped).

        Raises WrongMessage for a whole document that is not a message; the next call goes on after it. Raises WireError
        for bytes that cannot be cut into documents; no further message can be received then. trio.BrokenResourceError
        and trio.ClosedResourceError as for ``send``. No message is lost when a call is cancelled.
        """
        # Documents may lie ready: without this a busy connection would let no other task run.
        await trio.lowlevel.checkpoint()
        if self._mistake is not None:
            mistake, self._mistake = self._mistake, None
            raise mistake
        while True:
            document = next(self._documents, None)
            if document is not None:
                if not self._spoken_to:
                    self._spoken_to = True
                    self._declares = self._may_declare and document.declared
                return decode(document.raw)
            data = await self._stream.receive_some()
            if not data:
                return None
            self._documents = iter(self._framer.feed(bytes(data)))

    async def receive_ready(self) -> Sequence[Message]:
        """Return the next message with those behind it that have come together with it; nothing when the other side has
        closed. Raises as :meth:`receive`; messages before a mistake are returned first."""
        first = await self.receive()
        if first is None:
            return ()
        messages = [first]
        try:
            messages.extend(decode(document.raw) for document in self._documents)
        except (WrongMessage, WireError) as mistake:
            self._mistake = mistake
        return messages

    async def aclose(self) -> None:
        """Close the stream. Safe to call twice."""
        await self._stream.aclose()

    async def __aenter__(self) -> "Peer":
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()


HUNG_UP: Final = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""Ends of a handshake that are no matter of trust: a server that restarts, or has no room for one more, does so."""
SOON_S: Final = 0.8
"""How long one server of several may take to answer before the next one is asked: a machine that has just gone away is
often the first of them."""
ANSWER_S: Final = 1.5
"""The same when all of them have been asked: a packet may have been lost on the way to a server."""
MAX_UNREAD: Final = 131_072
"""Bytes that the network keeps for a peer that does not read them. What is in line there nothing can pass by; in the
server small messages pass large ones."""


async def connect(
    host: str,
    port: int,
    *,
    declarations: bool = True,
    limits: Limits = FROM_SERVER,
    tls: ssl.SSLContext | None = None,
    follow: Callable[[trio.abc.Stream], trio.abc.Stream] | None = None,
    impatient: bool = False,
) -> Peer:
    """Open a TCP connection to a broker, encrypted if there is ``tls`` (:func:`ugs.tls.client_context`). ``follow`` may
    put a stream of its own in front, which sees all documents. An ``impatient`` one breaks within seconds when the
    machine of the server has gone. Raises OSError when no server answers there, or none that can be trusted; its text
    names the reason and what to do.

    Trio's streams send small writes at once (TCP_NODELAY), which a game that moves in turns needs.
    """
    try:
        stream = await trio.open_tcp_stream(host, port)
    except OSError as error:
        raise OSError(_advice(error, host, port)) from error
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MAX_UNREAD)
    if sys.platform == "linux":
        for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL):
            stream.setsockopt(socket.IPPROTO_TCP, option, STANDBY_S if impatient else KEEPALIVE_S)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
        if impatient:  # a sent move that nothing answers stops keepalives, and is sent again for a quarter of an hour
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 3 * STANDBY_S * 1000)
    line: trio.abc.Stream = stream if tls is None else await _encrypted(stream, tls, host, port)
    return Peer(line if follow is None else follow(line), declarations=declarations, limits=limits)


async def connect_any(
    servers: Sequence[tuple[str, int]],
    *,
    declarations: bool = True,
    limits: Limits = FROM_SERVER,
    tls: ssl.SSLContext | None = None,
    follow: Callable[[trio.abc.Stream], trio.abc.Stream] | None = None,
) -> Peer:
    """Open a connection to the first of these servers, host and port, that answers: of a server and those that stand by
    for it, only one does. A machine that is away holds up the others for :data:`SOON_S`. Raises OSError like
    :func:`connect`; the text is about all of them."""
    if len(servers) == 1:
        return await connect(*servers[0], declarations=declarations, limits=limits, tls=tls, follow=follow)
    reasons: list[str] = []
    for number, (host, port) in enumerate([*servers, *servers]):
        if number == len(servers):
            reasons.clear()  # those of the second time are about longer waits
        patience_s = SOON_S if number < len(servers) else ANSWER_S
        try:
            with trio.fail_after(patience_s):
                return await connect(
                    host, port, declarations=declarations, limits=limits, tls=tls, follow=follow, impatient=True
                )
        except NotTrusted:
            raise
        except trio.TooSlowError:
            reasons.append(f"{host} port {port} does not answer within {patience_s:g} s")
        except OSError as error:
            reasons.append(str(error))
    raise OSError("; ".join(reasons))


async def _encrypted(
    stream: trio.SocketStream, tls: ssl.SSLContext, host: str, port: int
) -> trio.SSLStream[trio.SocketStream]:
    """The stream with TLS, once the server has proved that it is ``host``. Raises OSError (:class:`NotTrusted` where
    trying again does not help), and then the stream is closed."""
    # Either side may close without TLS's own goodbye: whether a document is complete, its framing shows.
    encrypted = trio.SSLStream(stream, tls, server_hostname=host, https_compatible=True)
    try:
        await encrypted.do_handshake()
    except trio.BrokenResourceError as error:
        await trio.aclose_forcefully(stream)
        cause = error.__cause__
        reason = in_words(cause) if isinstance(cause, ssl.SSLError) else "it has closed the connection"
        hint = "check name and --ca" if isinstance(cause, ssl.SSLCertVerificationError) else "check address and port"
        failure = NotTrusted if isinstance(cause, ssl.SSLError) and not isinstance(cause, HUNG_UP) else OSError
        raise failure(f"no TLS with {host} port {port}: {reason}: {hint}") from error
    except BaseException:
        # Also when cancelled: nothing else would close the stream.
        await trio.aclose_forcefully(stream)
        raise
    return encrypted


def _advice(error: OSError, host: str, port: int) -> str:
    """Return in a sentence why there is no connection, and what can be done about it."""
    if isinstance(error, socket.gaierror):
        return f"there is no host {host!r} ({error.strerror}): check the address"
    if any(isinstance(each, ConnectionRefusedError) for each in _causes(error)):
        return f"no server listens at {host} port {port}: start one there with `ugs serve`, or check the address"
    return f"{host} port {port} cannot be reached ({error.strerror or error}): check address, network and firewall"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all that it was made of: one attempt per address of the host."""
    yield error
    for cause in error.exceptions if isinstance(error, BaseExceptionGroup) else (error.__cause__,):
        if cause is not None:
            yield from _causes(cause)


def check_acceptable(message: Message, limits: Limits = TO_SERVER) -> None:
    """Make sure that a server with these ``limits`` accepts the document of ``message``.

    Raises ValueError for a message that cannot be written as one document, WireError for a document that would make the
    server close the connection, WrongMessage for a message of v4 that it would answer with an ``error``.
    """
    documents = list(Framer(limits).feed(DECLARATION + encode(message)))
    if len(documents) != 1:
        raise ValueError(f"{message.TYPE}: its payload is not one element")
    if not isinstance(message, Extension):  # those take ten times as long to read, and do not close the connection
        decode(documents[0].raw)
