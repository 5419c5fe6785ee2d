"""The position as SVG: a panel for each player in the order of the seats, what is asked, and the viewer's hand below.

Everything is said by text as well as by colour. Backs stand for hidden cards, bullets for life points.
"""

from collections.abc import Sequence
from typing import Final

from game_masters.bang.cards import HIDDEN, NAMES, Card
from game_masters.bang.characters import words as character_words
from game_masters.bang.events import PlayerView
from game_masters.bang.moves import Ability, Discard, Move, Play
from game_masters.bang.pictures.seen import Seen, controller, most_life
from game_masters.bang.words import Role
from ugs.pictures.lettering import wrapped
from ugs.pictures.svg import Svg, number

WIDTH: Final = 360.0
EDGE: Final = 6.0
_PANEL: Final = 58.0
_CARD: Final = (54.0, 40.0)
_BUTTON: Final = 22.0
_BUTTONS_IN_ROW: Final = 3
_LINE: Final = 14.0
_COLUMNS: Final = 62
"""Of what has happened."""
_CARDS_IN_ROW: Final = 6
_COLUMNS_OF_CARD: Final = 8
"""Of a name in the usual size."""
_MOST_BACKS: Final = 8
_MOST_ON_TABLE: Final = 6
_MOST_CARDS: Final = 36
_ROLE_PAINTS: Final = {
    Role.SHERIFF: "yellow-line", Role.DEPUTY: "blue-line", Role.OUTLAW: "red-line", Role.RENEGADE: "green-line",
    Role.UNKNOWN: "faint",
}  # fmt: skip
_SUITS: Final = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}


def draw(position: Seen, prefix: str, moves: Sequence[Move]) -> str:
    """Return the picture. Parts that stand for ``moves`` are marked with their numbers."""
    known = position.view.known
    cards = [*known.selection, *known.hand]
    buttons = [place for place, move in enumerate(moves) if not _stands_for_card(move, cards)]
    rows = -(-min(len(cards), _MOST_CARDS) // _CARDS_IN_ROW)
    button_rows = -(-len(buttons) // _BUTTONS_IN_ROW)
    events = [line for event in position.recent for line in wrapped(event, _COLUMNS)]
    height = (
        34
        + _PANEL * len(position.players)
        + _LINE * (len(events) + 2)
        + rows * (_CARD[1] + 6)
        + button_rows * (_BUTTON + 4)
    )
    drawn = Svg(prefix, WIDTH, height + EDGE, f"Bang!: {position.standing}", position.words())
    drawn.rect(0, 0, WIDTH, height + EDGE, round=10, fill="ground")
    drawn.text(EDGE + 4, 22, position.standing, 12, most=58, font_weight="600")
    y = 32.0
    for player in position.players:
        _panel(drawn, position, player, y, moves)
        y += _PANEL
    y += _LINE
    top = known.top.words if known.top is not None else "empty"
    drawn.text(EDGE + 4, y, f"discard pile: {top}", 10, fill="faint")
    own = f"   you are: {known.role}" if known.you and known.role is not Role.UNKNOWN else ""
    drawn.text(WIDTH - EDGE - 4, y, own.strip(), 11, anchor="end", font_weight="600")
    y += 6
    y = _cards(drawn, known.selection, known.hand, y, moves)
    y = _buttons(drawn, position, buttons, y)
    for line in events:
        y += _LINE
        drawn.text(EDGE + 4, y, line, 10, most=_COLUMNS, fill="faint")
    return str(drawn)


def _stands_for_card(move: Move, cards: Sequence[Card]) -> bool:
    """Whether a card of the hand or the selection stands for a move."""
    match move:
        case Play(card=id) | Discard(card=id):
            return any(card.id == id for card in cards[:_MOST_CARDS])
        case Ability(cards=ids):
            return bool(ids) and any(card.id in ids for card in cards[:_MOST_CARDS])
    return False


def _panel(drawn: Svg, position: Seen, player: PlayerView, y: float, moves: Sequence[Move]) -> None:
    """One player. The panel stands for the moves that aim at the player."""
    aimed = [place for place, move in enumerate(moves) if isinstance(move, Play | Ability) and move.player == player.id]
    asked = player.id == position.asked
    drawn.open(offers=aimed)
    drawn.rect(
        EDGE, y, WIDTH - 2 * EDGE, _PANEL - 4, round=6, fill="field",
        stroke="mark" if asked or aimed else "line", stroke_width=2 if asked or aimed else 0.8,
    )  # fmt: skip
    ink = "ink" if player.alive else "faint"
    drawn.text(EDGE + 8, y + 16, player.name, 13, most=18, fill=ink, font_weight="600")
    if player.role is not Role.UNKNOWN:
        drawn.text(EDGE + 158, y + 16, str(player.role), 10, fill=_ROLE_PAINTS[player.role], font_weight="700")
    far = position.distance_to(player)
    said = "won" if player.winner else "asked" if asked else "" if player.alive or not player.character else "dead"
    at = f"at distance {far}" if far is not None else ""
    drawn.text(WIDTH - EDGE - 8, y + 16, ", ".join(filter(None, (said, at))), 10, anchor="end", fill="faint")
    if player.character:
        drawn.text(EDGE + 8, y + 30, f"{character_words(player.character)}{controller(player)}", 10, fill="faint")
    if player.character and player.alive:
        lost = max(0, most_life(player) - player.life)
        drawn.text(EDGE + 158, y + 31, "●" * player.life + "○" * lost, 11, fill="red-line")
        _backs(drawn, player.hand, EDGE + 226, y + 21)
    drawn.close()
    for place, card in enumerate(player.table[:_MOST_ON_TABLE]):
        _small_card(drawn, card, EDGE + 8 + 56 * place, y + 35, moves)
    if len(player.table) > _MOST_ON_TABLE:
        drawn.text(WIDTH - EDGE - 8, y + 48, f"+{len(player.table) - _MOST_ON_TABLE}", 10, anchor="end")


def _backs(drawn: Svg, number: int, x: float, y: float) -> None:
    """Hidden cards: backs, and how many they are."""
    for place in range(min(number, _MOST_BACKS)):
        drawn.rect(x + 9 * place, y, 7, 10, round=1.5, fill="sky", stroke="line", stroke_width=0.5)
    drawn.text(x + 9 * min(number, _MOST_BACKS) + 3, y + 9, str(number), 9, fill="faint")


def _small_card(drawn: Svg, card: Card, x: float, y: float, moves: Sequence[Move]) -> None:
    """A card on a table, which may be aimed at, or checked."""
    aimed = [
        place
        for place, move in enumerate(moves)
        if isinstance(move, Play) and (move.target == card.id or (move.card == card.id and not move.target))
    ]
    drawn.open(offers=aimed, title=card.words)
    drawn.rect(
        x, y, 54, 15, round=3, fill="ground", stroke="mark" if aimed else "line", stroke_width=1.6 if aimed else 0.6
    )
    drawn.text(x + 3, y + 10.5, NAMES[card.name].words, 8.5, most=10)
    drawn.close()


def _cards(drawn: Svg, selection: Sequence[Card], hand: Sequence[Card], y: float, moves: Sequence[Move]) -> float:
    """The selection and the viewer's hand. Returns where they end."""
    shown = [*((card, True) for card in selection), *((card, False) for card in hand)][:_MOST_CARDS]
    for place, (card, selected) in enumerate(shown):
        row, column = divmod(place, _CARDS_IN_ROW)
        x, top = EDGE + 2 + column * (_CARD[0] + 4), y + row * (_CARD[1] + 6)
        stands = [number for number, move in enumerate(moves) if card != HIDDEN and _stands_for_card(move, [card])]
        drawn.open(transform=f"translate({number(x)} {number(top)})", offers=stands, title=card.words)
        drawn.rect(
            0, 0, *_CARD, round=4, fill="sky" if card == HIDDEN else "field",
            stroke="mark" if stands else "line", stroke_width=1.8 if selected or stands else 0.8,
        )  # fmt: skip
        if card != HIDDEN:
            rank = card.rank[0].upper() if card.rank.isalpha() else card.rank
            _name(drawn, NAMES[card.name].words)
            drawn.text(4, 35, f"{rank}{_SUITS[card.suit]}", 12, fill="red-line" if card.suit in _RED else "ink")
        drawn.close()
    return y + -(-len(shown) // _CARDS_IN_ROW) * (_CARD[1] + 6)


def _name(drawn: Svg, name: str) -> None:
    """The name of a card, small enough for the card, or in two lines."""
    lines = name.split() if len(name) > _COLUMNS_OF_CARD + 2 else [name]
    size = min(9.0, 8.6 * _COLUMNS_OF_CARD / max(map(len, lines)))
    for place, line in enumerate(lines):
        drawn.text(4, 13 + 9 * place, line, size, most=_COLUMNS_OF_CARD + 2, font_weight="600")


_RED: Final = frozenset({"hearts", "diamonds"})


def _buttons(drawn: Svg, position: Seen, places: Sequence[int], y: float) -> float:
    """What stands for the other moves. Returns where they end."""
    labels = position.offers(position.view.known.you - 1) if places else ()
    width = (WIDTH - 2 * EDGE) / _BUTTONS_IN_ROW
    for count, place in enumerate(places):
        row, column = divmod(count, _BUTTONS_IN_ROW)
        x, top = EDGE + column * width, y + row * (_BUTTON + 4)
        drawn.open(offers=[place])
        drawn.rect(x, top, width - 4, _BUTTON, round=5, fill="field", stroke="mark", stroke_width=1.4)
        drawn.text(x + (width - 4) / 2, top + 15, labels[place].label, 10, anchor="middle", most=20)
        drawn.close()
    return y + -(-len(places) // _BUTTONS_IN_ROW) * (_BUTTON + 4)
