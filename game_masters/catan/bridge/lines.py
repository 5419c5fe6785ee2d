"""What the master sends in a game as lines of JSettlers: the number of the message, ``|``, and its values with ``,``
between. Numbers are decimal, coordinates too; what a line keeps apart by such a sign cannot stand in a text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final

from game_masters.catan.message import board_messages as boards
from game_masters.catan.message import gain_messages as gains
from game_masters.catan.message import messages as msg
from game_masters.catan.message.message import Message
from game_masters.catan.message.vocabulary import CardChange, Change, Element

EMPTY: Final = "\t"
"""Stands for an empty text."""
MAX_TEXTS: Final = 500
MAX_NAME: Final = 64
_NUMBERS: Final[Mapping[type[Message], int]] = {
    msg.PutPiece: 1009, msg.SitDown: 1012, boards.BoardLayout: 1014, msg.StartGame: 1018,
    msg.PlayerElement: 1024, msg.GameState: 1025, msg.Turn: 1026, msg.DiceResult: 1028, msg.DiscardRequest: 1029,
    msg.Discard: 1033, msg.MoveRobber: 1034, msg.ChoosePlayer: 1035, msg.ChoosePlayerRequest: 1036,
    msg.RejectOffer: 1037, msg.ClearOffer: 1038, msg.AcceptOffer: 1039, msg.BankTrade: 1040, msg.MakeOffer: 1041,
    msg.ClearTradeMsg: 1042, msg.CancelBuildRequest: 1044, msg.DevCardAction: 1046, msg.PickResources: 1052,
    boards.PotentialSettlements: 1057, gains.GameStats: 1061, msg.ResourceCount: 1063, msg.RollDicePrompt: 1072,
    boards.BoardLayout2: 1084, gains.PlayerStats: 1085, msg.PlayerElements: 1086, msg.SimpleRequest: 1089,
    msg.SimpleAction: 1090, msg.GameServerText: 1091, gains.DiceResultResources: 1092, msg.MovePiece: 1093,
    msg.PieceValue: 1095, msg.GameElements: 1096, msg.SVPTextMessage: 1097, msg.RobberyResult: 1102,
    msg.DeclinePlayerRequest: 1104, msg.UndoPutPiece: 1105, msg.RevealFogHex: 10001,
}  # fmt: skip
_LISTS: Final = frozenset({1085, 1086, 1092, 1096})
"""Messages that have ``|`` between all values."""
_CHANGES: Final = {change: 100 + number for number, change in enumerate(Change)}
_CARD_CHANGES: Final = {change: number for number, change in enumerate(CardChange)}
_SIGNS: Final = {ord("|"): "/", ord(","): ";"} | dict.fromkeys(range(32), " ")


@lru_cache(maxsize=512)  # several clients of one game receive the same
def line_of(message: Message, game: str) -> str | None:
    """Return the line of a message; None if clients have none for it."""
    number = _NUMBERS.get(type(message))
    if number is None:
        return None
    if isinstance(message, msg.GameServerText):
        return f"{number}|{game}\x01{text_of(message.text, MAX_TEXTS)}"
    between = "|" if number in _LISTS else ","
    return f"{number}|{between.join((game, *_VALUES.get(type(message), _values)(message)))}"


def text_of(text: str, most: int) -> str:
    """Return a text for people without the signs that keep values apart."""
    return text.translate(_SIGNS)[:most] or " "


def name_of(text: str) -> str:
    """Return a nick or the name of a game, as it can stand in a line."""
    return text_of(text, MAX_NAME).replace(" ", "_")


def _values(message: Any) -> Iterator[str]:
    """Values in the order of the fields; what is None is left out."""
    for one in fields(message):
        value = getattr(message, one.name)
        if value is not None:
            yield from _written(value)


def _written(value: Any) -> Iterator[str]:
    match value:
        case bool():
            yield "true" if value else "false"
        case Change():
            yield str(_CHANGES[value])
        case int():
            yield str(int(value))
        case str():
            yield text_of(value, MAX_TEXTS)
        case tuple() if len(value) == 6 and not isinstance(value[0], bool):
            yield from map(str, value[:5])  # a bundle, whose unknown ones only discards have
        case tuple():
            for item in value:
                yield from _written(item)


def _discard(message: msg.Discard) -> Iterator[str]:
    if message.seat is not None:
        yield f"p{message.seat}"
    yield from map(str, message.resources)


def _element(message: msg.PlayerElement) -> Iterator[str]:
    yield from map(str, (message.seat, _CHANGES[message.change], message.element, message.amount))
    if message.news:
        yield "Y"


def _elements(message: msg.PlayerElements) -> Iterator[str]:
    yield from map(str, (message.seat, _CHANGES[message.change], *_flat(message.elements)))


def _game_elements(message: msg.GameElements) -> Iterator[str]:
    return map(str, _flat(message.elements))


def _flat(pairs: Sequence[tuple[int, int]]) -> Iterator[int]:
    return (number for pair in pairs for number in pair)


def _card(message: msg.DevCardAction) -> Iterator[str]:
    yield from map(str, (message.seat, _CARD_CHANGES[message.action]))
    if message.cards is not None:
        yield from message.cards.strip("[]").split(", ")
    else:
        yield str(message.card or 0)


def _robbery(message: msg.RobberyResult) -> Iterator[str]:
    yield from map(str, (message.thief, message.victim))
    if message.element is not None:
        yield from ("E", str(int(Element.CLOTH)))
    else:
        yield from ("R", str(message.resource))
    yield from (str(message.amount), "T" if message.gain else "F")
    if message.victim_amount is not None:
        yield str(message.victim_amount)


def _decline(message: msg.DeclinePlayerRequest) -> Iterator[str]:
    yield from map(str, (message.state or 0, message.reason, message.detail or 0, message.place or 0))
    if message.text is not None:
        yield text_of(message.text, MAX_TEXTS)


def _numbered(message: gains.DiceResultResources | gains.PlayerStats) -> Iterator[str]:
    """The numbers of a log, without the ``p=`` before each."""
    (one,) = fields(message)
    for token in one.metadata["form"].tokens("", getattr(message, one.name)):
        yield token.removeprefix("p=")


def _stats(message: gains.GameStats) -> Iterator[str]:
    yield from (str(score.points) for score in message.scores)
    yield from ("true" if score.robot else "false" for score in message.scores)


def _layout(message: boards.BoardLayout) -> Iterator[str]:
    for _, part in message.parts:
        yield from map(str, (part,) if isinstance(part, int) else part)


def _layout2(message: boards.BoardLayout2) -> Iterator[str]:
    for name, part in message.parts:
        if name != "bef":
            yield name
        yield from (str(part),) if isinstance(part, int) else (f"[{len(part)}", *map(str, part))


def _settlements(message: boards.PotentialSettlements) -> Iterator[str]:
    yield str(message.seat)
    if isinstance(message.nodes, tuple):
        yield from map(str, message.nodes or (0,) * (message.areas is not None))
    if message.areas is not None:
        start, areas = message.areas
        yield from ("NA", str(len(areas)), "PAN", str(start))
        for number, nodes in enumerate(areas, start=1):
            yield from (f"LA{number}", *map(str, nodes))


_VALUES: Final[Mapping[type[Message], Callable[[Any], Iterator[str]]]] = {
    msg.Discard: _discard, msg.PlayerElement: _element, msg.PlayerElements: _elements,
    msg.GameElements: _game_elements, msg.DevCardAction: _card, msg.RobberyResult: _robbery,
    msg.DeclinePlayerRequest: _decline, gains.DiceResultResources: _numbered, gains.PlayerStats: _numbered,
    gains.GameStats: _stats, boards.BoardLayout: _layout, boards.BoardLayout2: _layout2,
    boards.PotentialSettlements: _settlements,
}  # fmt: skip
"""How the values of messages are written that have not just one value after another."""
