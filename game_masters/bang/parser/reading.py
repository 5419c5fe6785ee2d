"""Events and snapshots out of XML. Both generations of KBang's spellings are read, and what is not known is ignored."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar, cast
from xml.etree.ElementTree import Element

from game_masters.bang.cards.characters import CHARACTERS
from game_masters.bang.cards.playing_cards import HIDDEN, NAMES, RANKS, SUITS, Card
from game_masters.bang.messages.events import (
    ChatMessage,
    Command,
    Context,
    Dealt,
    Entry,
    Event,
    Exited,
    GameUpdated,
    LifePoints,
    Movement,
    PlayerChanged,
    PlayerCreated,
    PlayerRemoved,
    PlayerView,
    Rejected,
    SetPlayers,
    Update,
)
from game_masters.bang.messages.moves import Move
from game_masters.bang.messages.words import Phase, Pocket, Reaction, Role, Stage, Type
from game_masters.bang.parser.actions import read_action
from game_masters.bang.table.deeds import Deed
from game_masters.bang.views.known import Known, Replica
from game_masters.bang.views.view import View
from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable

E = TypeVar("E", bound=StrEnum)

SPELLINGS: Mapping[str, str] = {
    "wellsfargo": "wells-fargo", "catbalou": "cat-balou", "generalstore": "general-store", "appalossa": "appaloosa",
    "stagecoach": "diligenza",
}  # fmt: skip
"""Other spellings of cards."""
_SMALL = {str(number): number for number in range(1000)}
_STAGES = {"WaitingForPlayers": "waiting-for-players", "Playing": "playing", "Finished": "finished"}
_PHASES = {"response": "reaction"}
_ROLES = {"invalid": "unknown", "": "unknown"}
_RANKS: Mapping[str, str] = {
    **{rank: rank for rank in RANKS},
    **dict(zip("jqka", RANKS[9:], strict=True)),
    **{str(number): rank for number, rank in zip(range(11, 15), RANKS[9:], strict=True)},
}
_MEANINGS = {
    "card-played": "card-played", "card-target": "card-target", "cause": "cause", "checked": "checked",
    # The spellings of KBang's code; those above are of its description.
    "played-card": "card-played", "target-card": "card-target", "caused-by-card": "cause", "checked-card": "checked",
}  # fmt: skip


def read_view(payload: bytes) -> View:
    """Return the view in a state. Raises Unreadable."""
    root = xml.parse(payload, "gameState")
    snapshot: Known | None = None
    news: list[Entry] = []
    legal: list[Move] = []
    for child in _unwrapped(root):
        if child.tag == "game-event":
            news.append(read_event(child))
        elif child.tag == "server-event":
            entered = child.find("enter-game")
            if entered is not None:
                snapshot = _snapshot(entered)
            else:
                news += _server_event(child)
        elif child.tag == "legal":
            legal += [read_action(action) for action in child]
    if snapshot is None:
        raise Unreadable("element gameState: no enter-game in it")
    # An exit names no player: the reader itself has left.
    entries = tuple(Exited(snapshot.you) if isinstance(entry, Exited) else entry for entry in news)
    return View(snapshot, entries, _followed(snapshot, entries), tuple(legal))


def _followed(snapshot: Known, news: Iterable[Entry]) -> Known:
    """Return what is known after the news."""
    replica = Replica(snapshot, snapshot.you)
    try:
        for entry in news:
            if isinstance(entry, Event) and entry.id > replica.event + 1:
                raise Unreadable(f"events {replica.event + 1} to {entry.id - 1} are missing")
            replica.take(entry)
    except KeyError as error:
        raise Unreadable(f"an event about player {error}, who does not play") from error
    return replica.known()


def follow(options: Options) -> Follower[View]:
    """Return a reader of states. Each state is complete, so the reader remembers nothing."""
    return read_view


def _unwrapped(root: Element) -> list[Element]:
    """The events; each may stand in an ``event``."""
    found: list[Element] = []
    for child in root:
        found += list(child) if child.tag == "event" else [child]
    return found


# --- values -----------------------------------------------------------------------------------------------------------


def _number(element: Element, *names: str, default: int = 0) -> int:
    """Return the first of these attributes as a whole number; ``default`` if none is there."""
    for name in names:
        text = element.get(name)
        if text is not None:
            if text in _SMALL:  # nearly all
                return _SMALL[text]
            text = text.strip()
            if not (text.isascii() and text.isdigit() and len(text) <= 10):
                raise Unreadable(f"element {element.tag}, attribute {name}: {text[:40]!r} is not a number")
            return int(text)
    return default


def _flag(element: Element, name: str) -> bool:
    return element.get(name, "false").strip() in ("true", "1")


def _maybe(element: Element, name: str) -> bool | None:
    return _flag(element, name) if element.get(name) is not None else None


def _word(element: Element, name: str, words: type[E], also: Mapping[str, str] | None = None) -> E:
    text = element.get(name, "")
    try:
        return cast(E, _meant(words, also.get(text, text) if also else text))
    except ValueError:
        raise Unreadable(f"element {element.tag}, attribute {name}: {text[:40]!r} means nothing") from None


@lru_cache(maxsize=256)  # of words that mean something: what raises is not kept
def _meant(words: type[StrEnum], text: str) -> StrEnum:
    return words(text)


def _card(element: Element) -> Card:
    id = _number(element, "id")
    name = element.get("name", "")
    if not id and not name:
        return HIDDEN
    name = SPELLINGS.get(name, name)
    kind = element.get("type", "playing")
    if name not in NAMES and name not in CHARACTERS:
        raise Unreadable(f"element card, attribute name: there is no card {name[:40]!r}")
    suit, rank = element.get("suit", ""), element.get("rank", "").lower()
    if name in NAMES and (suit not in SUITS or rank not in _RANKS):
        raise Unreadable(f"element card: {suit[:20]!r} {rank[:20]!r} are no suit and rank")
    return Card(id, name, kind, suit, _RANKS.get(rank, ""))


def _only_card(element: Element) -> Card:
    card = element.find("card")
    return HIDDEN if card is None else _card(card)


def _character(element: Element) -> str:
    name = element.get("character", "").strip().replace(" ", "-")
    if name and name not in CHARACTERS:
        raise Unreadable(f"element {element.tag}, attribute character: there is no {name[:40]!r}")
    return name


def _player(element: Element) -> PlayerView:
    return PlayerView(
        _number(element, "id", "player-id"),
        element.get("name", ""),
        element.get("has-controller", "true") == "true",
        _flag(element, "is-ai"),
        element.get("is-alive", "true") == "true",
        _flag(element, "is-winner"),
        _flag(element, "is-sheriff"),
        _character(element),
        _number(element, "life-points"),
        _number(element, "hand-size"),
        _word(element, "role", Role, _ROLES),
        tuple(_card(card) for card in element.iterfind("table/card")),
    )


def _context(element: Element) -> Context:
    reaction = element.get("reaction-type")
    return Context(
        _number(element, "current-player-id"),
        _number(element, "requested-player-id"),
        _number(element, "turn-number"),
        _word(element, "game-play-state", Phase, _PHASES),
        _word(element, "reaction-type", Reaction) if reaction else None,
        _number(element, "caused-by"),
        _number(element, "needed"),
    )


# --- events -----------------------------------------------------------------------------------------------------------


def read_event(element: Element) -> Event:
    """Return the game event in an element. Raises Unreadable."""
    kind = element.get("type", "")
    # KBang's description leaves the type of Lucky Duke's first event empty.
    type = Type.DRAW_INTO_SELECTION if kind == "" else _word(element, "type", Type)
    meaning: list[tuple[str, Card]] = []
    commands: list[Command] = []
    for child in element:
        if child.tag in _MEANINGS:
            meaning.append((_MEANINGS[child.tag], _only_card(child)))
        elif child.tag in _COMMANDS:
            commands.append(_COMMANDS[child.tag](child))
    return Event(
        _number(element, "event-id"),
        type,
        _number(element, "player-id"),
        _number(element, "target-player-id"),
        _number(element, "caused-by"),
        _maybe(element, "success"),
        _flag(element, "use-ability"),
        _number(element, "cards") if element.get("cards") is not None else None,
        tuple(meaning),
        tuple(commands),
    )


def _movement(element: Element) -> Movement:
    second = element.find("second-card")
    return Movement(
        _word(element, "pocket-type-from", Pocket),
        _word(element, "pocket-type-to", Pocket),
        _number(element, "player-from"),
        _number(element, "player-to"),
        _only_card(element),
        None,
        None if second is None else _only_card(second),
    )


def _update(element: Element) -> Update:
    role = _word(element, "role", Role, _ROLES) if element.get("role") is not None else None
    # The description calls a player's number ``id`` here and ``player-id`` in other commands; both are read.
    id = _number(element, "id", "player-id")
    return Update(id, role, _maybe(element, "is-alive"), _maybe(element, "is-winner"))


def _set_players(element: Element) -> SetPlayers:
    return SetPlayers(
        tuple(
            Dealt(
                _number(one, "id", "player-id"),
                one.get("name", ""),
                _character(one),
                _word(one, "role", Role, _ROLES),
                _number(one, "life-points"),
            )
            for one in element.iterfind("player")
        )
    )


def _life_points(element: Element) -> LifePoints:
    return LifePoints(_number(element, "player-id", "id"), _number(element, "life-points"))


_COMMANDS: Mapping[str, Callable[[Element], Command]] = {
    "card-movement": _movement,
    "life-points": _life_points,
    "update-player": _update,
    "set-players": _set_players,
    "game-context": _context,
}


# --- server events ----------------------------------------------------------------------------------------------------


def _snapshot(element: Element) -> Known:
    own = element.find("players/private-player")
    context = element.find("game-context")
    top = element.find("graveyard/card")
    you = _number(element, "player-id")
    return Known(
        element.get("game-id", ""),
        element.get("game-name", ""),
        _word(element, "game-state", Stage, _STAGES),
        _number(element, "last-event-id"),
        tuple(_player(player) for player in element.iterfind("players/public-player")),
        None if context is None else _context(context),
        None if top is None else _card(top),
        tuple(_card(card) for card in element.iterfind("selection/card")),
        you,
        Role.UNKNOWN if own is None else _word(own, "role", Role, _ROLES),
        () if own is None else tuple(_card(card) for card in own.iterfind("hand/card")),
        tuple(
            Deed(_number(deed, "player-id"), _number(deed, "target-player-id"), _number(deed, "weight"))
            for deed in element.iterfind("deeds/deed")
        ),
    )


def _server_event(element: Element) -> list[Entry]:
    return [_SERVER[child.tag](child) for child in element if child.tag in _SERVER]


def _public(element: Element) -> PlayerView:
    player = element.find("public-player")
    if player is None:
        raise Unreadable(f"element {element.tag}: no public-player")
    return _player(player)


def _chat_message(element: Element) -> ChatMessage:
    text = (element.text or "").strip()
    return ChatMessage(_number(element, "player-id"), element.get("sender-name", ""), text)


_SERVER: Mapping[str, Callable[[Element], Entry]] = {
    "create-player": lambda element: PlayerCreated(_public(element)),
    "remove-player": lambda element: PlayerRemoved(_number(element, "player-id")),
    "player-update": lambda element: PlayerChanged(_public(element)),
    "chat-message": _chat_message,
    "game-update": lambda element: GameUpdated(_flag(element, "is-startable"), element.get("game-name", "")),
    "exit-game": lambda element: Exited(0),
    "action-rejected": lambda element: Rejected(
        _number(element, "player-id"), element.get("action", ""), element.get("reason", ""), element.text or ""
    ),
}
