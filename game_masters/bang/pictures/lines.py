"""The position on the terminal: a line for each player, what lies on the table, the viewer's hand, the last events.

Life points are ``*``, lost ones ``.``; hidden cards are ``#``.
"""

from collections.abc import Iterator
from typing import Final

from game_masters.bang.cards.characters import words as character_words
from game_masters.bang.messages.events import PlayerView
from game_masters.bang.messages.words import Role
from game_masters.bang.pictures.seen import Seen, cards_words, controller, most_life, short
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import cut_line, padded, wrapped

STYLES: Final = {
    Role.SHERIFF: "yellow", Role.DEPUTY: "blue", Role.OUTLAW: "red", Role.RENEGADE: "magenta", Role.UNKNOWN: "",
}  # fmt: skip
MAX_BACKS: Final = 9


def write(position: Seen, width: int) -> list[Line]:
    """Return the picture in at most ``width`` columns."""
    return [cut_line(line, width) for line in _lines(position, width)]


def _lines(position: Seen, width: int) -> Iterator[Line]:
    known = position.view.known
    yield from ((Span(line, "bold"),) for line in wrapped(position.standing, width))
    if known.context is not None:
        measured = "you" if position.eye == known.you else position.name(position.eye)
        yield (Span(f"* life point, . lost, # card in hand, at: distance from {measured}", "dim"),)
    yield ()
    for player in position.players:
        yield from _player(position, player, width)
    yield ()
    top = known.top.words if known.top is not None else "empty"
    yield (Span(f"discard pile: {top}", "dim"),)
    if known.selection:
        yield from ((Span(line, "bold"),) for line in wrapped(f"selection: {cards_words(known.selection)}", width))
    if known.you and known.role is not Role.UNKNOWN:
        yield (Span("you are: "), Span(str(known.role), f"bold {STYLES[known.role]}".strip()))
        hand = f"your hand: {cards_words(known.hand) or 'empty'}"
        yield from ((Span(line, "bold"),) for line in wrapped(hand, width))
    for event in (*position.deeds, *position.recent):
        yield from ((Span(line, "dim"),) for line in wrapped(f"- {event}", width))


def _player(position: Seen, player: PlayerView, width: int) -> Iterator[Line]:
    asked = "> " if player.id == position.asked else "  "
    role = f" {player.role}" if player.role is not Role.UNKNOWN else ""
    name = padded(player.name, 12 if width < 60 else 18)
    if not player.character:
        yield (Span(asked), Span(name, "bold"), Span(controller(player)))
        return
    lost = max(0, most_life(player) - player.life)
    life = "*" * player.life + "." * lost if player.alive else "dead"
    backs = "#" * min(player.hand, MAX_BACKS) + (f"+{player.hand - MAX_BACKS}" if player.hand > MAX_BACKS else "")
    far = position.distance_to(player)
    yield (
        Span(asked, "bold"),
        Span(name, "bold" if player.alive else "dim"),
        Span(f" {padded(life, 5)}", "red"),
        Span(f" {backs}", "cyan"),
        Span(f" at {far}" if far is not None else ""),
        Span(role, STYLES[player.role]),
        Span(" won" if player.winner else "", "bold"),
        Span(controller(player), "dim"),
    )
    table = ", ".join(short(card) for card in player.table)
    yield (Span(f"    {character_words(player.character)}{': ' if table else ''}{table}", "dim"),)
