"""Forms as browsers send them, and as clients send them that do not come to an end."""

import pytest
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message
from trio.testing import MockClock

from ugs.page.server.forms import LATE_SPREAD_S, MAX_BODY_S, MAX_BYTES, body_of, fields_of

FORM = [(b"content-type", b"application/x-www-form-urlencoded")]


def request(*pieces: bytes, every_s: float = 0.0, ends: bool = True) -> Request:
    """A form that comes in these pieces, and the last of them again and again if it does not end."""
    told = iter(pieces)

    async def receive() -> Message:
        await trio.sleep(every_s)
        piece = next(told, None)
        if piece is None:
            return {"type": "http.request", "body": b"" if ends else pieces[-1], "more_body": not ends}
        return {"type": "http.request", "body": piece, "more_body": True}

    return Request({"type": "http", "method": "POST", "path": "/", "headers": FORM}, receive)


async def test_a_form_may_come_in_pieces(autojump_clock: MockClock) -> None:
    assert await fields_of(request(b"a=1&", b"b=", b"2&a=3", every_s=1.0)) == {"a": "3", "b": "2"}


async def test_a_form_that_is_dripped_comes_to_an_end(autojump_clock: MockClock) -> None:
    """Its line was kept for as long as somebody sent a byte now and then, or none."""
    began = trio.current_time()
    with trio.fail_after(10 * MAX_BODY_S), pytest.raises(HTTPException) as refused:
        await body_of(request(b"a", every_s=1.0, ends=False))
    assert refused.value.status_code == 408
    assert MAX_BODY_S <= trio.current_time() - began <= MAX_BODY_S + LATE_SPREAD_S


async def test_forms_that_are_late_together_are_not_answered_together(autojump_clock: MockClock) -> None:
    """The answers to 390 of them held the loop for a second."""
    answered: list[float] = []

    async def late() -> None:
        with pytest.raises(HTTPException):
            await body_of(request(b"a", every_s=1.0, ends=False))
        answered.append(trio.current_time())

    async with trio.open_nursery() as nursery:
        for _ in range(100):
            nursery.start_soon(late)
    assert len({round(moment, 1) for moment in answered}) > 20


async def test_a_form_that_is_too_large_is_not_read_to_its_end() -> None:
    with pytest.raises(HTTPException) as refused:
        await body_of(request(b"a" * MAX_BYTES, b"a", ends=False))
    assert refused.value.status_code == 413
