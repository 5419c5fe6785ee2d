"""News in words: the messages to all that a reader can use."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from game_masters.catan.message.bundles import in_words
from game_masters.catan.message.events import Event
from game_masters.catan.message.gain_messages import DiceResultResources
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    AcceptOffer,
    BankTrade,
    DeclinePlayerRequest,
    DevCardAction,
    DiceResult,
    Discard,
    GameServerText,
    MakeOffer,
    PickResources,
    RejectOffer,
    RevealFogHex,
    RobberyResult,
    Turn,
)
from game_masters.catan.message.vocabulary import CARD_NAMES, RESOURCE_NAMES, Card, CardChange, Hex, NoTrade
from game_masters.catan.views.view import View

Name = Callable[[int | None], str]

TYPE_NAMES: Final = ("water", *RESOURCE_NAMES, "desert", "gold", "fog")


def news_of(view: View, since: int, name: Name) -> list[str]:
    """Return what has happened from event ``since`` on, one line each."""
    return list(_lines(((number, event) for number, event in view.events if number >= since), name))


def _lines(events: Iterable[tuple[int, Event]], name: Name) -> Iterator[str]:
    before = ""
    for _, event in events:
        if event.audience.from_client:
            continue
        describe = _TELLERS.get(type(event.message))
        line = describe(event.message, name) if describe is not None else ""
        if line and line != before:
            before = line
            yield line


def _gains(message: DiceResultResources, name: Name) -> str:
    parts = []
    for gain in message.gains:
        counts = [0] * 6
        for resource, amount in gain.elements:
            counts[resource - 1] += amount
        parts.append(f"{name(gain.seat)} gets {in_words(counts)}")
    return "; ".join(parts)


def _robbed(message: RobberyResult, name: Name) -> str:
    if message.element is not None:
        what = "1 cloth"
    elif message.resource is not None and 1 <= message.resource <= len(RESOURCE_NAMES):
        what = f"1 {RESOURCE_NAMES[message.resource - 1]}"
    else:
        what = "a card"
    return f"{name(message.thief)} steals {what} from {name(message.victim)}."


def _card(message: DevCardAction, name: Name) -> str:
    if message.action is not CardChange.DRAW:
        return ""
    known = message.card if message.card in CARD_NAMES else Card.UNKNOWN
    what = "a development card" if known == Card.UNKNOWN else f"the card {CARD_NAMES[Card(known or 0)]}"
    return f"{name(message.seat)} draws {what}."


def _fog(message: RevealFogHex, name: Name) -> str:
    type = TYPE_NAMES[message.type] if 0 <= message.type <= Hex.FOG else "something"
    return f"Under the fog on {message.hex:x} is {type}{f' {message.dice}' if message.dice else ''}."


_REFUSED: Final = {
    int(NoTrade.CANNOT_TRADE): "Refused: this trade is not possible.",
    int(NoTrade.NOT_YOUR_TURN): "Refused: trade when it is your turn.",
    int(NoTrade.CANNOT_OFFER): "Refused: this offer is not possible.",
}


_TELLERS: Final[Mapping[type[Message], Callable[[Any, Name], str]]] = {
    GameServerText: lambda one, name: one.text.removeprefix(">>> "),
    DiceResult: lambda one, name: f"The dice show {one.result}.",
    DiceResultResources: _gains,
    RobberyResult: _robbed,
    DevCardAction: _card,
    RevealFogHex: _fog,
    Turn: lambda one, name: f"It is the turn of {name(one.seat)}.",
    Discard: lambda one, name: f"{name(one.seat)} discards {in_words(one.resources)}.",
    PickResources: lambda one, name: f"{name(one.seat)} picks {in_words(one.resources)}.",
    BankTrade: lambda one, name: f"{name(one.seat)} gives the bank {in_words(one.give)} for {in_words(one.get)}.",
    MakeOffer: lambda one, name: f"{name(one.seat)} offers {in_words(one.give)} for {in_words(one.get)}.",
    AcceptOffer: lambda one, name: f"{name(one.accepting)} accepts the offer of {name(one.offering)}.",
    RejectOffer: lambda one, name: _REFUSED.get(one.reason or 0, f"{name(one.seat)} wants no trade."),
    DeclinePlayerRequest: lambda one, name: f"Refused: {one.text}." if one.text else "",
}
