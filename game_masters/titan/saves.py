"""Savegames: all messages of a game in one XML element, with the dice that are still to be thrown.

    <titan><formGame .../><join name="ann"/>...<dice secret="9f..." thrown="12"/><digest value="4c..."/></titan>

A save can be made whenever a request is awaited. Loading it applies the messages to an empty game; the digest of the
position that comes out has to be that of the position that was saved.
"""

from dataclasses import replace
from hashlib import sha256
from xml.etree.ElementTree import Element

from game_masters.kit import payload as xml
from game_masters.kit.rules import Unreadable
from game_masters.titan import forms, snapshots
from game_masters.titan.beginning import Saved
from game_masters.titan.history import Inconsistent, from_messages
from game_masters.titan.messages import MESSAGES
from game_masters.titan.play import Dice
from game_masters.titan.position import Position
from game_masters.titan.rules import Slugathon

ROOT = "titan"


def write(game: Slugathon) -> bytes:
    """Return a game as a save."""
    messages = "".join(map(forms.write, game.messages))
    fixed = " ".join(map(str, game.dice.fixed))
    dice = f'<dice secret="{game.dice.secret.hex()}" thrown="{game.dice.thrown}" fixed="{fixed}"/>'
    return f'<{ROOT}>{messages}{dice}<digest value="{digest(game.position)}"/></{ROOT}>'.encode()


def read(save: bytes) -> Saved:
    """Return what a save holds. Raises Unreadable if it is damaged, or has elements that it does not know; attributes
    that it does not know are let be."""
    root = xml.parse(save, ROOT)
    elements = list(root)
    if [element.tag for element in elements[-2:]] != ["dice", "digest"]:
        raise Unreadable("a save ends with the elements dice and digest")
    *said, dice, check = elements
    messages = tuple(forms.read(element, MESSAGES, strict=False) for element in said)
    try:
        position = from_messages(messages)
    except Inconsistent as error:
        raise Unreadable(f"a message that cannot come there: {error}") from error
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


def digest(position: Position) -> str:
    """Return a digest of everything on the table."""
    return sha256(snapshots.write(replace(position, asked=None)).encode()).hexdigest()
