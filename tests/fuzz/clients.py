"""Texts of the gateway's clients: read as a simple reader reads them, and whole conversations of several clients."""

import re
from dataclasses import asdict
from typing import Final

from game_masters.apologies.gateway.requests import Malformed, Request, read
from tests.fuzz.plainly import understood
from tests.game_masters.apologies.gateway.stage import Client, Stage

MAX_LINES: Final = 60
SECONDS: Final = (0.1, 1, 5, 30, 100, 400, 2000, 5000, 0, 20)
"""What time a digit stands for."""
IDS: Final = re.compile(r'("(?:player_id|game_id|move_id|mode|visibility)": ?)"@(\d)"')


def requests_target(data: bytes) -> None:
    """A text is the same request to both readers, or to both of them none; a refusal is one line for people."""
    text = data.decode(errors="replace")
    expected = understood(text)
    said: Request | Malformed
    try:
        said = read(text)
    except Malformed as wrong:
        said = wrong
    if isinstance(said, Malformed):
        assert expected is None, f"refused: {said.reason}"
        assert "\n" not in said.reason
    else:
        assert expected == asdict(said)


def gateway_target(data: bytes) -> None:
    """Lines of a conversation; the first character says whose line it is, or what happens. After each of them, broker
    and gateway agree, the invariants of the broker hold, and no text tells anybody's secret (see Stage).

    ``0`` to ``9``: this client says the rest of the line, and connects first if it is not there. ``-``: the client
    named next goes. ``=``: it sends bytes. ``~``: time passes. ``m``: the master is lost, or comes. In the fields of
    ``IDS``, ``@1`` stands for the id of the player who has registered first, and so on.
    """
    stage = Stage()
    clients: dict[int, Client] = {}
    for line in data.split(b"\n")[:MAX_LINES]:
        what, rest = line[:1].decode(errors="replace"), line[1:].decode(errors="replace")
        digit = ord(rest[0]) % 10 if rest else 0
        if what.isdecimal() and what.isascii():
            _client(stage, clients, int(what)).says(with_ids(rest))
        elif what == "-" and digit in clients:
            clients.pop(digit).goes()
        elif what == "=":
            _client(stage, clients, digit).says_bytes()
        elif what == "~":
            stage.passes(SECONDS[digit])
        elif what == "m" and stage.led_by is None:
            stage.master_comes()
        elif what == "m":
            stage.master_goes()


def with_ids(text: str) -> str:
    """A text with ids of players where they may stand, and nowhere else: who tells its secret in the chat, or has it as
    its handle, has told it."""
    return IDS.sub(r'\1"secret00000\2"', text.replace("secret", "sacred"))


def _client(stage: Stage, clients: dict[int, Client], number: int) -> Client:
    known = clients.get(number)
    if known is None or known.closed_with is not None:
        known = clients[number] = stage.client()
    return known
