"""The cases of game masters that are about what is wrong, late or unknown."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from ugs.check import as_server
from ugs.check.case import Case, Level, NotForThis
from ugs.check.led_game import TriedGame, check_judged
from ugs.check.sentences import S
from ugs.check.tried_master import TriedMaster
from ugs.check.unusual_names import TEXTS
from ugs.check.xml_spelling import element

# What is wrong.


ILLEGAL: Final[dict[str, tuple[str, bytes]]] = {
    "empty": ("that is empty", b"<move/>"),
    "text": ("that is text", b"<move>e4</move>"),
    "blank": ("with blanks only", b"<move>   </move>"),
    "unknown-element": ("with an unknown element", b"<move><castle side='left'/></move>"),
    "two-elements": ("with two elements", b"<move><a/><b/></move>"),
    "attributes": ("with attributes of its own", b'<move x="1" y="2"/>'),
    "cdata": ("with CDATA", b"<move><![CDATA[</move>]]></move>"),
    "comment": ("with a comment only", b"<move><!-- </move> --></move>"),
    "namespace": ("with a namespace", b'<m:move xmlns:m="urn:m"/>'.replace(b"m:move", b"move", 1)),
    "prefix": ("with a prefix", b'<move xmlns:g="urn:game"><g:go/></move>'),
    # Below the limits of a server: 64 levels, and further down 64 attributes and a megabyte.
    "deep": ("of 60 levels", b"<move>" + b"<a>" * 58 + b"</a>" * 58 + b"</move>"),
    "wide": ("of 5,000 elements", b"<move>" + b"<a/>" * 5000 + b"</move>"),
    "long": ("of 200 KB", b"<move>" + b"x" * 200_000 + b"</move>"),
    "long-attribute": ("with an attribute of 100 KB", b'<move><a x="' + b"9" * 100_000 + b'"/></move>'),
    "many-attributes": (
        "with 60 attributes",
        b"<move><a " + b" ".join(b'a%d="1"' % n for n in range(60)) + b"/></move>",
    ),
    "unicode": ("with letters of four bytes", "<move>🎲</move>".encode()),
    "control": ("with references to control characters", b"<move><a x='&#9;&#10;'/></move>"),
    "move-inside": ("with another move inside", b"<move><move/></move>"),
    "message-inside": ("with a message inside", b'<move><message type="logout"/></move>'),
}
"""Moves that no game takes for legal, by name: what they are, and the payload."""

DAMAGED: Final[dict[str, tuple[str, Callable[[bytes], bytes]]]] = {
    "huge-number": ("with huge numbers", lambda payload: _digits(payload, b"9" * 30)),
    "negative": ("with negative numbers", lambda payload: _digits(payload, b"-1")),
    "no-number": ("with letters for numbers", lambda payload: _digits(payload, b"x")),
    "fraction": ("with fractions", lambda payload: _digits(payload, b"0.5")),
    "empty-number": ("with empty values", lambda payload: _digits(payload, b"")),
    "foreign-digits": ("with digits of another script", lambda payload: _digits(payload, "٣".encode())),
    "extra-attribute": ("with one attribute more", lambda payload: payload.replace(b"/>", b' zz="1"/>')),
    "extra-child": ("with one element more", lambda payload: payload.replace(b"</move>", b"<zz/></move>")),
}
"""Legal moves that are spoiled."""


def _digits(payload: bytes, number: bytes) -> bytes:
    """The payload with other numbers in its attributes."""
    parts = payload.split(b'"')
    # Every second part stands between quotes.
    parts[1::2] = [number if part.lstrip(b"-").isdigit() else part for part in parts[1::2]]
    return b'"'.join(parts)


async def illegal_move(master: TriedMaster, payload: bytes) -> None:
    """A move that is none: the game is answered, and so is another one."""
    other = await master.begin()
    game = await master.begin()
    await game.move(payload)
    if other.knows_move:
        await other.turn()
        check_judged(other)
    await game.drop()
    await other.drop()
    await master.plays_on()


async def damaged_move(master: TriedMaster, damage: Callable[[bytes], bytes]) -> None:
    """A legal move that was spoiled."""
    game = await master.begin()
    payload = game.legal()
    damaged = damage(payload)
    if damaged == payload:
        raise NotForThis("the moves of this game have nothing to spoil in that way")
    await game.drop()
    await illegal_move(master, damaged)


async def strange(master: TriedMaster, message: Callable[[TriedGame], Any]) -> None:
    """Something that means nothing to it: no state of it comes, the game that runs goes on, and so does the master."""
    game = await master.begin()
    await master.send(message(game))
    if game.knows_move:
        await game.turn()
        check_judged(game)
    await game.drop()
    await master.plays_on()


STRANGE: Final[dict[str, tuple[str, str, Callable[[TriedGame], Any]]]] = {
    "move-of-no-game": ("a move of a game that it does not lead", S.LATE_FOR_MASTER,
                        lambda game: as_server.move("nothing", b"<move/>")),
    "left-of-no-game": ("a leaver of a game that it does not lead", S.LATE_FOR_MASTER,
                        lambda game: as_server.left("ann", "nothing")),
    "stranger-left": ("a player leaves who is not in the game", S.LATE_FOR_MASTER,
                      lambda game: as_server.left("a stranger", game.id)),
}  # fmt: skip


async def begun_twice(master: TriedMaster) -> None:
    """The same id once more: the game that runs goes on."""
    game = await master.begin()
    await master.send(game.beginning())
    game.owed = True  # a state is no mistake, and none is no mistake either
    master.needs_rules()
    await game.drop()
    await master.plays_on()


async def unknown_message(master: TriedMaster) -> None:
    """A message of a later version."""
    if not master.greeted:
        raise NotForThis("the game master sends no x-hello")
    await master.send(as_server.message("x-later", element("news", what="more")))
    await master.plays_on()


async def error_with(master: TriedMaster, text: str) -> None:
    """An error with this text."""
    await master.send(as_server.error(text))
    await master.plays_on()


def wrong_cases() -> Iterator[Case]:
    """All of them."""
    for name, (what, payload) in ILLEGAL.items():
        yield Case(f"illegal/{name}", f"a move {what}", S.ANSWERS, partial(illegal_move, payload=payload))
    for name, (what, damage) in DAMAGED.items():
        yield Case(f"illegal/{name}", f"a legal move {what}", S.ANSWERS, partial(damaged_move, damage=damage))
    for name, (what, sentence, message) in STRANGE.items():
        yield Case(f"late/{name}", what, sentence, partial(strange, message=message))
    yield Case("late/begun-twice", "a game begins twice", S.MANY_GAMES, begun_twice, Level.SHOULD)
    yield Case("late/unknown", "a message of a later version", S.MORE, unknown_message, Level.SHOULD)
    for name, (what, text) in TEXTS.items():
        yield Case(f"error/{name}", f"an error with a text {what}", S.ERROR, partial(error_with, text=text))
