"""What a connection and an address may say in a time. The clock is a number."""

from collections.abc import Callable

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Pipe, Shell
from ugs.config import Config
from ugs.daemon.fairness.rates import FEW_ORIGINS, Bucket, Overrun, Rates
from ugs.wire.messages import Error, LoginResponse, PlayerLogin

Opens = Callable[..., Shell]
NONSENSE = b'<message type="nonsense"/>'


def rates(**settings: object) -> Rates:
    return Rates(Config.read(settings))


# Buckets.


@given(st.lists(st.tuples(st.floats(0, 10), st.floats(0, 500)), max_size=50), st.floats(0.1, 100), st.floats(0.1, 10))
def test_a_peer_that_waits_as_told_never_gets_more_than_rate_and_burst(
    steps: list[tuple[float, float]], per_second: float, burst_s: float
) -> None:
    bucket, now, taken, largest = Bucket(per_second, burst_s, 0), 0.0, 0.0, 0.0
    for pause, amount in steps:
        now += pause
        largest = max(largest, amount)
        assert taken <= (now + burst_s) * per_second * (1 + 1e-9) + 1e-6, "before this amount"
        taken += amount
        now += bucket.take(amount, now)


@given(st.lists(st.floats(0, 1), max_size=50))
def test_a_peer_below_the_rate_never_waits(shares: list[float]) -> None:
    bucket = Bucket(100, 1, 0)
    for second, share in enumerate(shares, 1):
        assert bucket.take(100 * share, second) == 0


def test_no_limit() -> None:
    assert Bucket(0, 10, 0).take(1e9, 0) == 0


def test_what_may_come_at_once_comes_again_after_a_while() -> None:
    bucket = Bucket(10, 2, 0)
    assert bucket.take(20, 0) == 0
    assert bucket.take(5, 0) == 0.5
    assert not bucket.full(2)
    assert bucket.full(2.5)
    assert bucket.take(20, 100) == 0


# Meters.


def test_a_limit_that_was_overrun_is_named() -> None:
    meter = rates(max_messages_per_second=10, rate_burst_s=1).meter("a", 0)
    assert meter.add_sent(10, 1000, 0) is None
    assert meter.add_sent(5, 1000, 0) == Overrun(
        "rate limit: at most 10 messages per second", 0.5, first=True, last=False
    )


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"max_bytes_per_second": 100}, "at most 100 bytes per second"),
        ({"max_messages_per_second_per_ip": 2}, "at most 2 messages per second from your address"),
        ({"max_bytes_per_second_per_ip": 100}, "at most 100 bytes per second from your address"),
    ],
)
def test_each_limit(settings: dict[str, object], text: str) -> None:
    meter = rates(rate_burst_s=1, **settings).meter("a", 0)
    overrun = meter.add_sent(5, 500, 0)
    assert overrun is not None
    assert overrun.text == f"rate limit: {text}"


def test_connections_from_one_address_share_its_limits_and_others_do_not() -> None:
    ours = rates(max_messages_per_second_per_ip=10, rate_burst_s=1)
    one, other, elsewhere = ours.meter("a", 0), ours.meter("a", 0), ours.meter("b", 0)
    assert one.add_sent(10, 0, 0) is None
    assert other.add_sent(1, 0, 0) is not None
    assert elsewhere.add_sent(10, 0, 0) is None


def test_logins_are_limited_for_an_address() -> None:
    ours = rates(max_logins_per_second_per_ip=2, rate_burst_s=1)
    answers = [ours.meter("a", 0).logs_in(0) for _ in range(3)]
    assert answers[:2] == [None, None]
    assert answers[2] == Overrun("rate limit: at most 2 logins per second from your address", 0.5, True, False)


def test_patience_ends_when_the_limit_is_overrun_for_long() -> None:
    meter = rates(max_messages_per_second=10, rate_burst_s=1, rate_patience_s=5).meter("a", 0)
    meter.add_sent(10, 0, 0)
    now, lasts = 0.0, []
    while now < 7:
        overrun = meter.add_sent(10, 0, now)
        assert overrun is not None
        assert overrun.first is (now == 0)
        lasts.append((now, overrun.last))
        now += overrun.wait_s
    assert lasts == [(float(second), second > 5) for second in range(7)]


def test_patience_begins_anew_after_a_pause() -> None:
    meter = rates(max_messages_per_second=10, rate_burst_s=1, rate_patience_s=5).meter("a", 0)
    for now in range(0, 100, 10):
        overrun = meter.add_sent(20, 0, now)
        assert overrun is not None
        assert not overrun.last


def test_small_limits_are_looked_at_soon() -> None:
    assert rates().messages_together == 256
    assert rates(max_messages_per_second=10, rate_burst_s=2).messages_together == 5
    assert rates(max_bytes_per_second_per_ip=100, rate_burst_s=2).bytes_together == 50
    assert rates(max_messages_per_second=0, max_bytes_per_second=0).messages_together == 256


def test_addresses_are_forgotten_when_that_does_not_matter() -> None:
    ours = rates(max_messages_per_second_per_ip=10, rate_burst_s=1)
    busy, connected = ours.meter("busy", 0), ours.meter("connected", 0)
    busy.add_sent(1_000_000, 0, 0)
    ours.forget(busy)
    for number in range(5 * FEW_ORIGINS):
        ours.forget(ours.meter(str(number), 100))
    assert len(ours._origins) <= FEW_ORIGINS + 2
    assert ours.meter("busy", 100).add_sent(1, 0, 100) is not None
    assert ours.meter("connected", 100).origin is connected.origin


# In the server.


async def test_a_peer_that_says_too_much_is_told_then_slowed_then_closed(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_messages_per_second=10, rate_burst_s=1, rate_patience_s=5, max_errors_per_minute=1000)
    pipe = Pipe()
    shell.attaches(pipe)
    for _ in range(5):
        pipe.says(NONSENSE * 40)
    await trio.sleep(0.01)
    texts = [message.text for message in pipe.messages() if isinstance(message, Error)]
    limit = "rate limit: at most 10 messages per second"
    assert texts.count(limit) == 1
    assert len(texts) == 41, "one read of the network, and the limit"
    await trio.sleep(5.4)
    assert not pipe.ended
    await trio.sleep(10)
    texts = [message.text for message in pipe.messages() if isinstance(message, Error)]
    assert texts[-1] == limit
    assert pipe.is_closed()


async def test_a_peer_that_was_slowed_down_goes_on(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_messages_per_second=10, rate_burst_s=1, max_errors_per_minute=1000)
    pipe = Pipe()
    shell.attaches(pipe)
    pipe.says(NONSENSE * 64 + NONSENSE * 3)
    pipe.says(PlayerLogin("ann", GO))
    await trio.sleep(5.3)
    assert LoginResponse() not in pipe.messages()
    await trio.sleep(0.5)
    assert LoginResponse() in pipe.messages()
    assert not pipe.is_closed()


async def test_too_many_logins_from_one_address_have_to_wait(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_logins_per_second_per_ip=1, rate_burst_s=2, login_timeout_s=3)
    pipes = [Pipe() for _ in range(6)]
    for number, pipe in enumerate(pipes):
        shell.attaches(pipe)
        pipe.says(PlayerLogin(f"n{number}", GO))
    await wait_all_tasks_blocked()
    assert [LoginResponse() in pipe.messages() for pipe in pipes] == [True] * 2 + [False] * 4
    limit = Error("rate limit: at most 1 logins per second from your address")
    assert [limit in pipe.messages() for pipe in pipes] == [False] * 2 + [True] * 4
    await trio.sleep(2.9)
    assert [LoginResponse() in pipe.messages() for pipe in pipes] == [True] * 4 + [False] * 2
    assert [pipe.ended for pipe in pipes] == [False] * 4 + [True] * 2


# Documents that do not end.


async def test_a_document_that_does_not_end_expires(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(document_timeout_s=60)
    ann = await shell.player("ann")
    for _ in range(6):
        await ann.says(b"<message type='error'>" if not _ else b"drip ")
        await trio.sleep(9.9)
    with capture_logs() as lines:
        message = await ann.hears(within=1)
    assert message == Error("document refused: it has not ended within 60 s")
    assert await ann.hears() is None
    assert "disconnected" in [line["event"] for line in lines] or shell.peers.count() <= 1


async def test_nothing_expires_while_the_disk_keeps_the_server_from_reading(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens(document_timeout_s=60)
    pipe = Pipe()
    shell.attaches(pipe)
    pipe.says(PlayerLogin("ann", GO), b"<message type='error'>")
    await wait_all_tasks_blocked()
    behind = True
    monkeypatch.setattr(shell.keeping.recorder, "behind", lambda: behind)
    pipe.says(b"the first half")
    await wait_all_tasks_blocked()
    pipe.says(b"</message>")
    await trio.sleep(200)
    behind = False
    await trio.sleep(200)
    assert pipe.messages() == [LoginResponse()]


async def test_nothing_expires_while_the_peer_must_not_be_heard(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(document_timeout_s=10, max_bytes_per_second=100, rate_burst_s=1, rate_patience_s=1000)
    pipe = Pipe()
    shell.attaches(pipe)
    pipe.says(PlayerLogin("ann", GO), b"<message type='error'>" + b"x" * 3000)
    await wait_all_tasks_blocked()
    pipe.says(b"</message>")
    await trio.sleep(100)
    texts = [message.text for message in pipe.messages() if isinstance(message, Error)]
    assert texts == ["rate limit: at most 100 bytes per second"]


async def test_documents_that_end_do_not_expire(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(document_timeout_s=60, move_timeout_s=1000)
    ann = await shell.player("ann")
    document = b'<message type="error">x</message>'
    await ann.says(document[:10])
    for _ in range(10):
        await trio.sleep(50)
        await ann.says(document[10:] + document[:10])
    await ann.says(document[10:])
    await ann.hears_nothing_for(200)


async def test_a_peer_that_goes_in_the_middle_of_a_document_is_forgotten(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(document_timeout_s=60)
    ann = await shell.player("ann")
    await ann.says(b"<message type='error'>")
    await wait_all_tasks_blocked()
    await ann.hangs_up()
    await wait_all_tasks_blocked()
    with capture_logs() as lines:
        await trio.sleep(100)
    assert lines == []
