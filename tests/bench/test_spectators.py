"""Spectators that only read: what they count, and which mistakes they notice."""

import io
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice

import pytest

from ugs.bench import spectators
from ugs.bench.child import as_argument, run_plan
from ugs.bench.spectators import BenchSpectator, SpectatorsFailed, SpectatorsPlan, gathered, read_in_turns
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import EventKind, Failed, GameEvent, Hello, RefusalReason, Watching

GRANTED = DECLARATION + encode(Hello(("watch",)))


def shown(number: int) -> bytes:
    """Return a game as of event ``number``."""
    return DECLARATION + encode(Watching("g1", "bench", number, ()))


def event(number: int) -> bytes:
    """One event."""
    state = b'<gameState><number number="7"/></gameState>'
    return DECLARATION + encode(GameEvent("g1", number, 1, EventKind.STATE, next_players=("ann",), state=state))


@contextmanager
def server(*said: bytes) -> Iterator[SpectatorsPlan]:
    """Sends the same to each connection, and closes its side after that."""
    with ExitStack() as peers, socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):  # the listener is closed at the end
                while True:
                    peer, _ = listener.accept()
                    peers.enter_context(peer)
                    peer.sendall(b"".join(said))
                    peer.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        host, port = listener.getsockname()
        yield SpectatorsPlan(host, port, 1)
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def test_events_are_counted_however_they_are_cut() -> None:
    stream = GRANTED + shown(4) + event(5) + event(6) + event(7)
    for size in (1, 7, 100, len(stream)):
        with server() as plan:
            one = BenchSpectator(plan)
            for begin in range(0, len(stream), size):
                one.takes(stream[begin : begin + size])
            assert (one.watching, one.events) == (True, 3)
            one.socket.close()


@pytest.mark.parametrize(
    ("stream", "words"),
    [
        (GRANTED + shown(4) + event(6), "event 6 has come, and 1 of them after 4"),
        (GRANTED + shown(4) + event(5) + event(5), "event 5 has come, and 2"),
        (GRANTED + encode(Failed(RefusalReason.USER_LIMIT, "x-watch: full")), "refused"),
        (b"", "closed the connection"),
    ],
)
def test_what_is_missing_or_refused_is_named(stream: bytes, words: str) -> None:
    with server() as plan:
        one = BenchSpectator(plan)
        with pytest.raises(SpectatorsFailed, match=words):
            one.takes(stream)
        one.socket.close()


def test_everybody_is_there_before_anybody_reads_on() -> None:
    with server(GRANTED, shown(4), event(5)) as plan, ExitStack() as stack:
        everybody = gathered(SpectatorsPlan(plan.host, plan.port, 3), stack)
        assert [one.watching for one in everybody] == [True, True, True]
        with pytest.raises(SpectatorsFailed, match="closed"):
            for _ in islice(read_in_turns(everybody), 100):
                pass
        assert everybody[0].events == 1


def test_a_failure_is_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with server(encode(Failed(RefusalReason.USER_LIMIT, "x-watch: full"))) as plan:
        assert run_plan(spectators.watch, spectators.SpectatorsPlan, as_argument(plan)) == 1
    answer_to = capsys.readouterr()
    assert answer_to.out == ""
    assert answer_to.err.startswith("watching refused")
    assert answer_to.err.count("\n") == 1
