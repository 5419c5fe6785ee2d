"""Which failures of a TLS handshake mean that trying again does not help."""

import ssl

import pytest
import trio

from ugs.peer import NotTrusted, connect


async def _fails(answer: bytes) -> OSError:
    """How a TLS connection fails to a server that answers the first bytes with these, and hangs up."""

    async def serve(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some()
            if answer:
                await stream.send_all(answer)

    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, [listener])
        port = listener.socket.getsockname()[1]
        with pytest.raises(OSError, match="no TLS with") as caught:
            await connect("127.0.0.1", port, tls=ssl.create_default_context())
        nursery.cancel_scope.cancel()
    return caught.value


async def test_a_server_that_speaks_no_tls() -> None:
    assert isinstance(await _fails(b'<message type="error">document refused</message>'), NotTrusted)


async def test_a_server_that_hangs_up_may_only_be_busy() -> None:
    assert not isinstance(await _fails(b""), NotTrusted)
