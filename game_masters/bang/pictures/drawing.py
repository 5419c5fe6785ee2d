"""The position as SVG: the players around the table, the viewer at the bottom, with an arrow for a shot in the air;
below what is asked, and the viewer's hand.

Everything is shown by text as well as by colour. Backs stand for hidden cards, bullets for life points.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from game_masters.bang.cards.characters import words as character_words
from game_masters.bang.cards.playing_cards import HIDDEN, NAMES, Card
from game_masters.bang.messages.events import PlayerView
from game_masters.bang.messages.moves import Ability, Discard, Move, Play
from game_masters.bang.messages.words import Role
from game_masters.bang.pictures.ring import PANEL, WIDTH, Ring, head, ring
from game_masters.bang.pictures.seen import Seen, most_life
from ugs.pictures.lettering import columns, wrapped
from ugs.pictures.svg import Svg, number

EDGE: Final = 6.0
_TOP: Final = 34.0
_PANEL: Final = 62.0
"""The height of the panel of a player without cards on the table."""
_CHIP: Final = 15.0
_CHIPS_IN_ROW: Final = 2
_CARD: Final = (63.0, 42.0)
_BUTTON: Final = 24.0
_MAX_BUTTONS_IN_ROW: Final = 3
_COLUMNS_OF_BUTTONS: Final = 66
"""Of the labels in a row of buttons."""
_LINE: Final = 14.5
_COLUMNS: Final = 66
"""Of what has happened."""
_CARDS_IN_ROW: Final = 6
_COLUMNS_OF_CARD: Final = 9
"""Of a name in the usual size."""
_MAX_BACKS: Final = 6
_MAX_ON_TABLE: Final = 6
_MAX_CARDS: Final = 36
_LONG_NAME: Final = 11
"""Columns of a name; a longer one is written smaller."""
_ROLE_PAINTS: Final = {
    Role.SHERIFF: "yellow-line", Role.DEPUTY: "blue-line", Role.OUTLAW: "red-line", Role.RENEGADE: "green-line",
    Role.UNKNOWN: "faint",
}  # fmt: skip
_SUITS: Final = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_RED: Final = frozenset({"hearts", "diamonds"})


def draw(position: Seen, prefix: str, moves: Sequence[Move]) -> str:
    """Return the picture. Parts that stand for ``moves`` are marked with their numbers."""
    known = position.view.known
    cards = [*known.selection, *known.hand]
    buttons = [place for place, move in enumerate(moves) if not _stands_for_card(move, cards)]
    rows = -(-min(len(cards), _MAX_CARDS) // _CARDS_IN_ROW)
    labels = _labels(position, buttons)
    button_rows = -(-len(buttons) // _in_row(labels))
    headline = list(wrapped(position.standing, _COLUMNS - 12))
    events = [line for event in (*position.deeds, *position.recent) for line in wrapped(event, _COLUMNS)]
    chips = max((len(player.table[:_MAX_ON_TABLE]) for player in position.players), default=0)
    table = ring(len(position.players), _PANEL + _CHIP * -(-chips // _CHIPS_IN_ROW))
    top = _TOP + 16 * (len(headline) - 1)
    height = (
        top + table.height + _LINE * (len(events) + 2) + rows * (_CARD[1] + 6) + button_rows * (_BUTTON + 4)
    )  # fmt: skip
    drawn = Svg(prefix, WIDTH, height + EDGE, f"Bang!: {position.standing}", position.words())
    drawn.rect(0, 0, WIDTH, height + EDGE, round=10, fill="ground")
    for number_of_line, line in enumerate(headline):
        drawn.text(EDGE + 4, 21 + 16 * number_of_line, line, 12.5, most=_COLUMNS, font_weight="600")
    drawn.open(transform=f"translate(0 {number(top)})")
    away = {player.id: position.distance_to(player) for player in position.players}
    _round(drawn, position, table, away, moves)
    drawn.close()
    y = top + table.height + _LINE + 4
    own = f"you are: {known.role}" if known.you and known.role is not Role.UNKNOWN else ""
    drawn.text(EDGE + 4, y, own, 12, font_weight="600")
    eye = position.eye
    measured = "you" if eye == known.you else position.name(eye)
    if any(far is not None for far in away.values()):
        drawn.text(WIDTH - EDGE - 4, y, f"distances are from {measured}", 10.5, anchor="end", fill="faint")
    y += 8
    y = _cards(drawn, known.selection, known.hand, y, moves)
    y = _buttons(drawn, buttons, labels, y)
    for line in events:
        y += _LINE
        drawn.text(EDGE + 4, y, line, 10.5, most=_COLUMNS, fill="faint")
    return drawn.drawn()


def _round(drawn: Svg, position: Seen, table: Ring, away: Mapping[int, int | None], moves: Sequence[Move]) -> None:
    """The table: its players, the viewer at the bottom, the discard pile in the middle, and the shot in the air."""
    known = position.view.known
    ids = [player.id for player in position.players]
    first = ids.index(known.you) if known.you in ids else 0
    places = {id: (seat - first) % len(ids) for seat, id in enumerate(ids)}
    cx, cy = table.centre
    if known.context is not None:
        drawn.open(transform=f"translate({number(cx - _CARD[0] / 2)} {number(cy - _CARD[1] / 2 + 6)})")
        drawn.text(_CARD[0] / 2, -4, "discard pile", 9.5, anchor="middle", fill="faint")
        drawn.piece(_plain_face, known.top)
        drawn.close()
    shot = position.shot
    if shot is not None and shot[0] in places and shot[1] in places:
        drawn.piece(_arrow, table, places[shot[0]], places[shot[1]])
    for player in position.players:
        x, y = table.middles[places[player.id]]
        where = x - PANEL / 2, y - table.tall / 2, table.tall
        asked, far = player.id == position.asked, away[player.id]
        if moves:
            _panel(drawn, player, *where, asked, far, moves)
        else:  # most players are the same as in the position before
            drawn.piece(_panel, player, *where, asked, far)


def _arrow(drawn: Svg, table: Ring, source: int, target: int) -> None:
    way = table.arrow(source, target)
    if len(way) < _MIN_POINTS:
        return
    line = "L".join(f"{number(x)} {number(y)}" for x, y in way[:-1])
    drawn.path(f"M{line}", fill="none", stroke="mark", stroke_width=3, stroke_linecap="round", stroke_opacity=0.85)
    drawn.path(f"M{'L'.join(f'{number(x)} {number(y)}' for x, y in head(way))}z", fill="mark")


_MIN_POINTS: Final = 2
"""Points of an arrow that has a direction."""


def _stands_for_card(move: Move, cards: Sequence[Card]) -> bool:
    """Whether a card of the hand or the selection stands for a move."""
    match move:
        case Play(card=id) | Discard(card=id):
            return any(card.id == id for card in cards[:_MAX_CARDS])
        case Ability(cards=ids):
            return bool(ids) and any(card.id in ids for card in cards[:_MAX_CARDS])
    return False


def _panel(
    drawn: Svg,
    player: PlayerView,
    x: float,
    y: float,
    tall: float,
    asked: bool,
    far: int | None,
    moves: Sequence[Move] = (),
) -> None:
    """One player, who may be asked, and how far the player is away. The panel stands for the moves that aim at the
    player."""
    aimed = [place for place, move in enumerate(moves) if isinstance(move, Play | Ability) and move.player == player.id]
    drawn.open(offers=aimed)
    drawn.rect(
        x, y, PANEL, tall, round=7, fill="field",
        stroke="mark" if asked or aimed else "line", stroke_width=2 if asked or aimed else 0.8,
    )  # fmt: skip
    here = player.alive or not player.character
    word = "won" if player.winner else "asked" if asked else "" if here else "dead"
    is_long = columns(player.name) > _LONG_NAME
    if is_long and word == "asked":  # the frame and the headline show it, and the name needs the room
        word = ""
    size = 10.4 if is_long else 12.5
    most = 16 - len(word) if word else 18
    drawn.text(x + 7, y + 16, player.name, size, most=most, fill="ink" if here else "faint", font_weight="600")
    drawn.text(x + PANEL - 7, y + 16, word, 10, anchor="end", fill="mark" if here else "faint", font_weight="600")
    if player.character:
        who = character_words(player.character) + ("" if player.controlled or player.ai else ", away")
        drawn.text(x + 7, y + 29, who, 10, most=21, fill="faint")
    if player.role is not Role.UNKNOWN:
        drawn.text(x + 7, y + 43, str(player.role), 10.5, fill=_ROLE_PAINTS[player.role], font_weight="700")
    if far is not None:
        drawn.text(x + PANEL - 7, y + 43, f"{far} away", 10, anchor="end", fill="faint")
    if player.character and player.alive:
        lost = max(0, most_life(player) - player.life)
        drawn.text(x + 7, y + 57, "●" * player.life + "○" * lost, 11, fill="red-line")
        _backs(drawn, player.hand, x + PANEL - 7, y + 48)
    drawn.close()
    wide = (PANEL - 14 - 4) / _CHIPS_IN_ROW
    for place, card in enumerate(player.table[:_MAX_ON_TABLE]):
        row, column = divmod(place, _CHIPS_IN_ROW)
        _small_card(drawn, card, x + 7 + (wide + 4) * column, y + _PANEL - 2 + _CHIP * row, wide, moves)


def _backs(drawn: Svg, number: int, right: float, y: float) -> None:
    """Hidden cards: how many they are, and backs, up to the right edge."""
    shown = min(number, _MAX_BACKS)
    drawn.text(right, y + 9, str(number), 10, anchor="end", fill="faint")
    for place in range(shown):
        drawn.rect(right - 14 - 6 * (shown - place), y, 7, 10, round=1.5, fill="sky", stroke="line", stroke_width=0.5)


def _small_card(drawn: Svg, card: Card, x: float, y: float, wide: float, moves: Sequence[Move]) -> None:
    """A card on a table, which may be aimed at, or checked."""
    aimed = [
        place
        for place, move in enumerate(moves)
        if isinstance(move, Play) and (move.target == card.id or (move.card == card.id and not move.target))
    ]
    drawn.open(offers=aimed, title=card.words)
    drawn.rect(
        x, y, wide, 13, round=3, fill="ground", stroke="mark" if aimed else "line", stroke_width=1.6 if aimed else 0.6
    )
    drawn.text(x + 3, y + 9.8, NAMES[card.name].words, 8.5, most=10)
    drawn.close()


def _cards(drawn: Svg, selection: Sequence[Card], hand: Sequence[Card], y: float, moves: Sequence[Move]) -> float:
    """The selection and the viewer's hand. Returns where they end."""
    shown = [*((card, True) for card in selection), *((card, False) for card in hand)][:_MAX_CARDS]
    for place, (card, selected) in enumerate(shown):
        row, column = divmod(place, _CARDS_IN_ROW)
        x, top = EDGE + 2 + column * (_CARD[0] + 4), y + row * (_CARD[1] + 6)
        # A hidden card has the id 0, as a move has that names none.
        stands = [number for number, move in enumerate(moves) if card != HIDDEN and _stands_for_card(move, [card])]
        drawn.open(transform=f"translate({number(x)} {number(top)})", offers=stands, title=card.words)
        _face(drawn, card, marked=bool(stands), wide=selected)
        drawn.close()
    return y + -(-len(shown) // _CARDS_IN_ROW) * (_CARD[1] + 6)


def _plain_face(drawn: Svg, card: Card | None) -> None:
    _face(drawn, card, marked=False, wide=False)


def _face(drawn: Svg, card: Card | None, *, marked: bool, wide: bool) -> None:
    """A card: its name, rank and suit; a back if it is hidden, an empty place if there is none."""
    drawn.rect(
        0, 0, *_CARD, round=4, fill="ground" if card is None else "sky" if card == HIDDEN else "field",
        stroke="mark" if marked else "line", stroke_width=1.8 if wide or marked else 0.8,
    )  # fmt: skip
    if card is not None and card != HIDDEN:
        rank = card.rank[0].upper() if card.rank.isalpha() else card.rank
        _name(drawn, NAMES[card.name].words)
        drawn.text(4, 36, f"{rank}{_SUITS[card.suit]}", 13, fill="red-line" if card.suit in _RED else "ink")


def _name(drawn: Svg, name: str) -> None:
    """The name of a card, small enough for the card, or in two lines."""
    lines = name.split() if len(name) > _COLUMNS_OF_CARD + 2 else [name]
    size = min(9.6, 9.6 * _COLUMNS_OF_CARD / max(map(len, lines)))
    for place, line in enumerate(lines):
        drawn.text(4, 13 + 9 * place, line, size, most=_COLUMNS_OF_CARD + 2, font_weight="600")


def _labels(position: Seen, places: Sequence[int]) -> list[str]:
    """The words of the moves at these places."""
    offers = position.offers(position.view.known.you - 1) if places else ()
    return [offers[place].label for place in places]


def _in_row(labels: Sequence[str]) -> int:
    """How many buttons fit beside each other without any label being cut."""
    longest = max(map(columns, labels), default=1)
    return max(1, min(_MAX_BUTTONS_IN_ROW, _COLUMNS_OF_BUTTONS // max(longest, 1)))


def _buttons(drawn: Svg, places: Sequence[int], labels: Sequence[str], y: float) -> float:
    """What stands for the other moves. Returns where they end."""
    in_row = _in_row(labels)
    width = (WIDTH - 2 * EDGE - 2) / in_row
    for count, (place, label) in enumerate(zip(places, labels, strict=True)):
        row, column = divmod(count, in_row)
        x, top = EDGE + 2 + column * width, y + row * (_BUTTON + 4)
        drawn.open(offers=[place])
        drawn.rect(x, top, width - 4, _BUTTON, round=5, fill="field", stroke="mark", stroke_width=1.4)
        drawn.text(x + (width - 4) / 2, top + 16, label, 10.5, anchor="middle", most=_COLUMNS_OF_BUTTONS // in_row)
        drawn.close()
    return y + -(-len(places) // in_row) * (_BUTTON + 4)
