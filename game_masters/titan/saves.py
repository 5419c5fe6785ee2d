"""Savegames: all messages of a game in one XML element, with the dice that are still to be thrown.

    <titan><formGame .../><join name="ann"/>...<dice secret="9f..." thrown="12"/><digest value="4c..."/></titan>

A save can be made whenever a request is awaited. Loading it applies the messages to an empty game; the digest of the
position that comes out has to be that of the position that was saved.

A server keeps fixtures of 65 536 characters, and a long game has more messages than that. So a fixture may hold a save
in a short form (:func:`game_masters.titan.packing.packed`): compressed, in base64.
"""

import zlib
from base64 import b64decode
from xml.etree.ElementTree import Element

from game_masters.kit import payload as xml
from game_masters.kit.rules import Unreadable
from game_masters.titan import forms
from game_masters.titan.beginning import Saved
from game_masters.titan.history import Inconsistent
from game_masters.titan.messages import MESSAGES
from game_masters.titan.packing import ROOT, as_fixture, digest, written
from game_masters.titan.play import Dice
from game_masters.titan.referee import resume
from game_masters.titan.rules import Slugathon, form_options

MAX_SAVE = 4 * 1024 * 1024
"""Bytes of a save that is unpacked; the longest games have half a megabyte."""


def write(game: Slugathon) -> bytes:
    """Return a game as a save."""
    return written(game.messages, game.dice, game.position)


def unpacked(text: str) -> bytes:
    """Return the save in a text of either form. Raises Unreadable."""
    if text.lstrip().startswith("<"):
        return text.encode()
    unpacking = zlib.decompressobj()
    try:
        # Bounded, since a few bytes can unpack to any number.
        save = unpacking.decompress(b64decode(text, validate=True), MAX_SAVE)
    except (ValueError, zlib.error) as error:
        raise Unreadable(f"neither XML nor a packed save: {error}") from error
    if not unpacking.eof:
        raise Unreadable(f"a packed save that is cut, or has more than {MAX_SAVE} bytes")
    return save


def fixture(game: Slugathon) -> str:
    """Return a fixture for a game that goes on where this one is."""
    return as_fixture(write(game), len(game.position.players), form_options(game.options))


def read(save: bytes) -> Saved:
    """Return what a save holds. Raises Unreadable if it is damaged, or has elements that it does not know; attributes
    that it does not know are let be."""
    root = xml.parse(save, ROOT)
    elements = list(root)
    if [element.tag for element in elements[-2:]] != ["dice", "digest"]:
        raise Unreadable("a save ends with the elements dice and digest")
    *parts, dice, check = elements
    messages = tuple(forms.read(element, MESSAGES, strict=False) for element in parts)
    try:
        position = resume(messages, _dice(dice)).position
    except Inconsistent as error:
        raise Unreadable(f"a message that cannot come there: {error}") from error
    # The digest differs if the file was changed, or if the rules have changed since.
    if digest(position) != check.get("value"):
        raise Unreadable("the messages lead to another position than the one that was saved")
    return Saved(messages, _dice(dice))


def _dice(element: Element) -> Dice:
    try:
        secret = bytes.fromhex(forms.text_of(element, "secret"))
        fixed = tuple(map(int, element.get("fixed", "").split()))
    except ValueError as error:
        raise Unreadable(f"element dice: {error}") from error
    return Dice(secret, xml.integer(element, "thrown"), fixed)
