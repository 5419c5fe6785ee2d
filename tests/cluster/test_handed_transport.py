"""The line of a peer that was handed over: what it has read, and what it is not sent a second time."""

import pytest

from tests.daemon.shell import Pipe
from ugs.cluster.handed_transport import HandedTransport, without_greeting
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import Hello
from ugs.wire.messages import Error, LoginResponse

HELLO = DECLARATION + encode(Hello(("session",)))
ANSWER = DECLARATION + encode(LoginResponse())


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (HELLO, b""),
        (HELLO + ANSWER, ANSWER),
        (HELLO + HELLO, HELLO),
        (ANSWER + HELLO, ANSWER + HELLO),
        (DECLARATION + encode(Error("no")), DECLARATION + encode(Error("no"))),
        (b"<", b"<"),
        (b"no document", b"no document"),
    ],
)
def test_the_first_document_is_left_out_if_it_is_a_greeting(data: bytes, left: bytes) -> None:
    assert without_greeting(data) == left


def test_what_is_left_out_counts_as_sent_and_the_rest_as_far_as_it_was_taken() -> None:
    pipe = Pipe(room=10)
    transport = HandedTransport(pipe, "192.0.2.1:1", b"", greeted=True)
    assert transport.send_now(HELLO + ANSWER) == len(HELLO) + 10
    assert transport.send_now(HELLO) == 0
    pipe.makes_room(1000)
    assert transport.send_now(HELLO) == len(HELLO)
    assert pipe.writes == [ANSWER[:10], HELLO]


def test_a_peer_without_a_greeting_is_sent_all() -> None:
    pipe = Pipe()
    assert HandedTransport(pipe, "192.0.2.1:1", b"", greeted=False).send_now(HELLO) == len(HELLO)
    assert pipe.writes == [HELLO]


def test_what_the_door_has_read_comes_first_and_counts_as_what_came() -> None:
    transport = HandedTransport(Pipe(), "192.0.2.1:1", b"first", greeted=True)
    assert (transport.unread(), transport.taken) == (5, 0)
    assert transport.receive_now() == b"first"
    assert transport.taken == 5
