"""What browsers send: forms, within limits, from our own pages only."""

from collections.abc import Mapping
from contextlib import aclosing
from random import uniform
from typing import Final
from urllib.parse import parse_qsl

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ugs.page.server.request_line import is_own_origin

WRONG, FORBIDDEN, TOO_SLOW, TOO_LARGE = 400, 403, 408, 413
MAX_BYTES: Final = 131_072
"""Bytes of a form or a question."""
MAX_FIELDS: Final = 50
MAX_BODY_S: Final = 30.0
"""Within this many seconds all of it has to come: a client that sends a byte now and then would keep a line for
ever."""

LATE_SPREAD_S: Final = 5.0
"""Answers to forms that have not come in time are spread over this many seconds."""


def own(request: Request) -> None:
    """Raises HTTPException for a form of a strange page."""
    if not is_own_origin(request):
        raise HTTPException(FORBIDDEN, "this form comes from another page")


async def fields_of(request: Request) -> Mapping[str, str]:
    """The fields of a form; of several with one name the last. Raises HTTPException."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(WRONG, "a form is application/x-www-form-urlencoded")
    try:
        return dict(parse_qsl((await body_of(request)).decode(), max_num_fields=MAX_FIELDS, errors="strict"))
    except ValueError:
        raise HTTPException(WRONG, f"a form has at most {MAX_FIELDS} fields, in UTF-8") from None


async def body_of(request: Request) -> bytes:
    """What a request brings. Raises HTTPException."""
    parts, size = [], 0
    with trio.move_on_after(MAX_BODY_S):
        # Closed here: a generator that is left halfway would end later, outside of its task.
        async with aclosing(request.stream()) as stream:
            async for part in stream:
                size += len(part)
                if size > MAX_BYTES:
                    raise HTTPException(TOO_LARGE, f"at most {MAX_BYTES} bytes are read")
                parts.append(part)
        return b"".join(parts)
    # Hundreds that came together would be answered together, and hold the loop for a second.
    await trio.sleep(uniform(0, LATE_SPREAD_S))
    raise HTTPException(TOO_SLOW, f"all of it has to come within {MAX_BODY_S:g} s")
