"""Moves on the wire: ``<move>`` with one action, in the form of KBang's protocol 2, or in that of protocol 1.

    <move><action><play-card played-card-id="90417" target-player-id="3"/></action></move>
    <move><play-card id="90417" target-hand-id="3"/></move>

The first form is written; both are read, with or without ``action``. Ids that are missing or 0 mean none. Attributes
and elements that are not known are ignored.
"""

import re
from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.bang.messages.moves import (
    Ability,
    Chat,
    CreateGame,
    Discard,
    Draw,
    EndTurn,
    JoinGame,
    LeaveGame,
    Move,
    Pass,
    Play,
    StartGame,
)
from game_masters.kit import payload as xml
from game_masters.kit.rules import Unreadable

_ID = re.compile(r"[ \t\r\n]*([0-9]{1,10})[ \t\r\n]*")
MAX_CARDS = 80
MAX_NAME = 64
MAX_TEXT = 4000
"""Characters of a text that is read at all; the rules allow fewer."""


def write_move(move: Move) -> bytes:
    """Return the ``<move>`` element for a move."""
    return f"<move><action>{action_text(move)}</action></move>".encode()


def action_text(move: Move) -> str:
    """Return an action as the only child of ``action``."""
    match move:
        case Draw():
            return "<draw-card/>"
        case Play(card=card, player=player, target=target):
            also = f' target-player-id="{player}"' if player else ""
            also += f' target-card-id="{target}"' if target else ""
            return f'<play-card played-card-id="{card}"{also}/>'
        case Pass():
            return "<pass/>"
        case Ability(player=player, cards=()):
            return f'<use-ability target-player-id="{player}"/>' if player else "<use-ability/>"
        case Ability(cards=cards):
            ids = "".join(f"<card-id>{card}</card-id>" for card in cards)
            return f"<use-ability><target-cards>{ids}</target-cards></use-ability>"
        case Discard(card=card):
            return f'<discard card-id="{card}"/>'
        case EndTurn():
            return "<end-turn/>"
        case Chat(text=text):
            return f"<chat-message message={quoteattr(text)}/>"
        case CreateGame():
            return _create_text(move)
        case JoinGame(player=player):
            return f'<join-game player-id="{player}"/>' if player else "<join-game/>"
        case StartGame():
            return "<start-game/>"
        case LeaveGame():
            return "<leave-game/>"


def _create_text(move: CreateGame) -> str:
    name = f" name={quoteattr(move.name)}" if move.name else ""
    options = ""
    if move.shuffle is not None:
        value = "true" if move.shuffle else "false"
        options = f'<options><element name="shuffle-players" type="bool" value="{value}"/></options>'
    return f'<create-game><game-data{name} ai-players-cnt="{move.computers}">{options}</game-data></create-game>'


def read_move(payload: bytes) -> Move:
    """Return the move in a ``<move>`` element. Raises Unreadable."""
    return read_action(_only(xml.parse(payload, "move")))


def read_action(action: Element) -> Move:
    """Return the move that an action stands for; it may be wrapped in ``action``. Raises Unreadable."""
    if action.tag == "action":
        action = _only(action)
    reader = _READERS.get(action.tag)
    if reader is None:
        raise Unreadable(f"element {action.tag[:40]!r} is no action; there are: {', '.join(sorted(_READERS))}")
    return reader(action)


def _only(element: Element) -> Element:
    if len(element) != 1:
        raise Unreadable(f"element {element.tag}: expected exactly one action in it, not {len(element)}")
    return element[0]


def _id(element: Element, *names: str) -> int:
    """Return the first of these attributes that is there; 0 if none is."""
    for name in names:
        text = element.get(name)
        if text is None:
            continue
        match = _ID.fullmatch(text)
        if match is None:
            raise Unreadable(f"element {element.tag}, attribute {name}: {text[:40]!r} is not an id")
        return int(match[1])
    return 0


def _play(action: Element) -> Move:
    card = _id(action, "played-card-id", "id")
    # Protocol 1 names a hand where protocol 2 names its player.
    player = _id(action, "target-player-id") or _id(action, "target-hand-id")
    return Play(card, player, _id(action, "target-card-id"))


def _ability(action: Element) -> Move:
    named = [*action.iterfind("target-cards/card-id")]
    ids = [_text_id(element) for element in named] + [_id(element, "id") for element in action.iterfind("card")]
    if len(ids) > MAX_CARDS:
        raise Unreadable(f"element use-ability: {len(ids)} cards")
    return Ability(_id(action, "target-player-id"), tuple(ids))


def _text_id(element: Element) -> int:
    match = _ID.fullmatch(element.text or "")
    if match is None:
        raise Unreadable(f"element card-id: {(element.text or '')[:40]!r} is not an id")
    return int(match[1])


def _chat(action: Element) -> Move:
    text = action.get("message")
    text_sent = (text if text is not None else action.text or "").strip()
    if len(text_sent) > MAX_TEXT:
        raise Unreadable(f"element chat-message: {len(text_sent)} characters")
    return Chat(text_sent)


_TRUTH: Mapping[str, bool] = {"true": True, "1": True, "false": False, "0": False}


def _create(action: Element) -> Move:
    data = action.find("game-data")
    if data is None:
        # Protocol 1: an element of the same name inside.
        data = action.find("create-game")
    if data is None:
        return CreateGame()
    name = (data.get("name") or "").strip()
    if len(name) > MAX_NAME:
        raise Unreadable(f"element {data.tag}, attribute name: {len(name)} characters; at most {MAX_NAME}")
    # Protocol 1 has an attribute for it, protocol 2 a list of options.
    shuffle = data.get("shufflePlayers")
    for option in data.iterfind("options/element"):
        if option.get("name") == "shuffle-players":
            shuffle = option.get("value")
    if shuffle is not None and shuffle not in _TRUTH:
        raise Unreadable(f"element {data.tag}: shuffle-players is {shuffle[:40]!r}; expected true or false")
    computers = _id(data, "ai-players-cnt", "AIPlayers")
    return CreateGame(name, computers, None if shuffle is None else _TRUTH[shuffle])


_READERS: Mapping[str, Callable[[Element], Move]] = {
    "draw-card": lambda action: Draw(),
    "play-card": _play,
    "pass": lambda action: Pass(),
    "use-ability": _ability,
    "discard": lambda action: Discard(_id(action, "card-id", "id")),
    # So it is called in protocol 1.
    "discard-card": lambda action: Discard(_id(action, "card-id", "id")),
    "end-turn": lambda action: EndTurn(),
    "chat-message": _chat,
    "create-game": _create,
    "join-game": lambda action: JoinGame(_id(action, "player-id", "playerId")),
    "start-game": lambda action: StartGame(),
    "leave-game": lambda action: LeaveGame(),
}
