"""Contract tests of the pictures of a game. A game without pictures keeps them all.

They draw games of random moves, as a spectator and as each seat sees them, and check the result: whether it is
sound SVG, whether it fits, whether it is the same each time, whether hostile texts stay texts, whether it reveals
secrets, and whether its offers are the legal moves.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from game_masters.kit.contract import Check, ContractBroken, all_numbers_of_players, combinations, expect
from game_masters.kit.contract import allowed as allowed_options
from game_masters.kit.gallery import scene_of, shown, walk
from game_masters.kit.rules import AnyGame, AnyState, Table, Unreadable
from ugs.pictures.contract import MAX_OFFER, MAX_SVG, STYLES, CannotDraw, Follower, Picture, Scene, Seat, Shown
from ugs.pictures.lettering import columns

HOSTILE = ("<script>alert(1)</script>", "\"'&]]>\x1b[31m", "\u202egnorw\u0000\uffff", "名" * 60)
"""Nicks that want to be more than text."""
WIDTHS = (40, 80, 120)
DRAWN_EVERY = 1
"""Of this many positions, one is drawn where every position should be."""
PICTURES_SAMPLED_EVERY = 7
"""Costly checks draw one position in this many."""
MAX_WALK = 1500
"""The number of moves of a game that are drawn, besides its end."""
DRAWN_TO_THE_END = True
"""Whether a game goes on to its end, which is drawn too, after the moves that are drawn."""
MAX_AT_THE_ENDS = 40
"""The number of moves of a game that are drawn with options at their limits."""

_ELEMENTS = frozenset(
    [
        "svg",
        "g",
        "title",
        "desc",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "path",
        "text",
        "tspan",
        "defs",
        "use",
        "symbol",
        "clipPath",
    ]
)
_LOOKS: tuple[Callable[[Picture], object], ...] = (
    lambda one: one.svg("p", 0),
    lambda one: one.text(80),
    lambda one: one.words(),
)
_STRANGE = (
    *(b"", b"text", b"<gameState", b"<move/>"),
    b"<!DOCTYPE gameState><gameState/>",
    b"<gameState><unknown-element/></gameState>",
)
_SVG = "{http://www.w3.org/2000/svg}"
# Pictures stand in pages of others: nothing in them may load or run anything.
_REFERENCE = re.compile(r"url\(\s*['\"]?(?!#)|javascript:|data:|https?:|@import|expression\(", re.IGNORECASE)


def draws_every_position(game: AnyGame) -> None:
    """Every position draws, within the bounds, as sound SVG, on the terminal and in words."""
    for drawn in _pictures(game, every=DRAWN_EVERY):
        where = f"after {drawn.number} moves, viewer {drawn.viewer}"
        look_at(game, drawn.picture, where)


def draws_the_same_again(game: AnyGame) -> None:
    """The same states give the same pictures; a state that comes twice changes nothing but the news."""
    for first, again in zip(_pictures(game), _pictures(game), strict=True):
        for look in _LOOKS:
            expect(look(first.picture) == look(again.picture), game, "the same states, but other pictures")
    for drawn in _pictures(game, twice=True):
        assert drawn.repeated is not None
        expect(drawn.repeated.words() == drawn.picture.words(), game, "a state that came twice changes the position")
        expect(not drawn.repeated.news(), game, f"a state that came twice is news: {drawn.repeated.news()}")


def draws_hostile_texts_as_texts(game: AnyGame) -> None:
    """Nicks and labels may hold anything."""
    for drawn in _pictures(game, nicks=HOSTILE):
        look_at(game, drawn.picture, f"with hostile nicks, after {drawn.number} moves")


def draws_no_secrets(game: AnyGame) -> None:
    """What is hidden from a viewer is dealt again, and the viewer's picture must stay the same.

    Pictures come from payloads, so a renderer can only show what it receives; this test holds it to that.
    """
    if game.pictures is None:
        return
    rng = random.Random(12)
    seats = game.players.max
    table = _table(game, seats, ())
    for number, (state, _) in enumerate(walk(game, table.names, 12, {})):
        if number > MAX_WALK:
            return
        if number % PICTURES_SAMPLED_EVERY:
            continue
        for viewer in range(seats):
            pictures = [
                game.pictures(scene_of(game, table, one.labels, viewer))(shown(game, one, viewer, 0))
                for one in (state, state.resampled(viewer, rng))
            ]
            first, other = ([one.svg("p", viewer), one.text(80), one.words(), one.news()] for one in pictures)
            expect(first == other, game, f"seat {viewer} is shown something hidden after {number} moves")


def offers_the_legal_moves(game: AnyGame) -> None:
    """A seat that is asked is offered every legal move and no other; one that is not asked is offered none."""
    for drawn in _pictures(game, every=3):
        for seat in range(len(drawn.scene.seats)):
            offers = drawn.picture.offers(seat)
            where = f"after {drawn.number} moves, viewer {drawn.viewer}, seat {seat}"
            if seat not in drawn.state.movers:
                expect(not offers, game, f"{where}: is not asked and offered {offers[:1]}")
                continue
            # What others may do can be a secret: their offers are in their own pictures.
            if drawn.viewer != seat:
                continue
            moves = [_read(game, offer.move) for offer in offers]
            legal = list(drawn.state.legal_moves(seat))
            expect(len(set(moves)) == len(moves), game, f"{where}: a move is offered twice")
            expect(set(moves) <= set(legal), game, f"{where}: an offer is not legal")
            expect(set(legal) <= set(moves), game, f"{where}: a legal move is not offered")
            expect(all(offer.label for offer in offers), game, f"{where}: an offer has no label")


def refuses_to_draw_strange_payloads(game: AnyGame) -> None:
    """A payload that is not of this game raises CannotDraw, and the next state is drawn as if it had not come."""
    if game.pictures is None:
        return
    table = _table(game, game.players.min, ())
    (state, words), *_ = walk(game, table.names, 13, {})
    follower = game.pictures(scene_of(game, table, state.labels, None))
    good = shown(game, state, None, words)
    for payload in _STRANGE:
        try:
            follower(Shown(payload))
        except CannotDraw:
            continue
        raise ContractBroken(f"{game.name}: {payload!r} was drawn")
    look_at(game, follower(good), "after strange payloads")


def draws_at_the_ends_of_its_options(game: AnyGame) -> None:
    """Options at their limits are drawn, for the largest and the smallest board."""
    if game.pictures is None:
        return
    for texts in combinations(game):
        options = allowed_options(game, texts)
        if options is None:
            continue
        nicks = _table(game, game.players.max, ()).names
        table = Table("contract", nicks, options)
        follower: Follower | None = None
        for number, (state, words) in enumerate(walk(game, nicks, 14, texts)):
            follower = follower or game.pictures(scene_of(game, table, state.labels, 0))
            picture = follower(shown(game, state, 0, words))
            if number == MAX_AT_THE_ENDS:
                break
        look_at(game, picture, f"with {texts}")


def look_at(game: AnyGame, picture: Picture, where: str) -> None:
    """Raise ContractBroken unless a picture is sound in all its forms."""
    check_svg(game, picture.svg("one"), where, "one")
    for width in WIDTHS:
        for line in picture.text(width):
            text = "".join(span.text for span in line)
            expect(text.isprintable(), game, f"{where}: not printable: {text!r}")
            expect(columns(text) <= width, game, f"{where}: {columns(text)} columns in {width}: {text!r}")
            unknown = {word for span in line for word in span.style.split()} - STYLES
            expect(not unknown, game, f"{where}: unknown styles {unknown}")
    words = picture.words()
    expect(bool(words.strip()), game, f"{where}: no words")
    for text in (words, *picture.news()):
        expect(text.isprintable(), game, f"{where}: not printable: {text!r}")


def check_svg(game: AnyGame, svg: str, where: str, prefix: str, offers: int = 0) -> None:
    """Raise ContractBroken unless an SVG is sound, small, and harmless wherever it stands."""
    expect(len(svg.encode()) <= MAX_SVG + MAX_OFFER * offers, game, f"{where}: an SVG of {len(svg)} characters")
    try:
        root: Element = fromstring(svg, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise ContractBroken(f"{game.name}: {where}: the SVG is not well-formed: {error}") from error
    expect(root.tag == f"{_SVG}svg" and root.get("role") == "img", game, f"{where}: the root is no svg with role img")
    box = (root.get("viewBox") or "").split()
    expect(len(box) == 4, game, f"{where}: no viewBox")
    for part in ("title", "desc"):
        text = root.findtext(f"{_SVG}{part}")
        expect(bool(text and text.strip()), game, f"{where}: no {part}")
    for element in root.iter():
        tag = str(element.tag)
        expect(tag.startswith(_SVG) and tag.removeprefix(_SVG) in _ELEMENTS, game, f"{where}: element {tag}")
        for name, value in element.attrib.items():
            expect(not name.lower().startswith("on") and name != "style", game, f"{where}: attribute {name}")
            expect(not _REFERENCE.search(value), game, f"{where}: attribute {name} refers to {value!r}")
            # Several pictures may stand in one page, so their ids must differ.
            if name.endswith("href"):
                expect(value.startswith(f"#{prefix}"), game, f"{where}: {name} leads to {value!r}")
            if name == "id":
                expect(value.startswith(prefix), game, f"{where}: id {value!r} does not begin with the prefix")
            if name == "data-offer":
                numbers = [int(number) for number in value.split()]
                expect(all(0 <= number < offers for number in numbers), game, f"{where}: data-offer {value!r}")


def marks_its_offers(game: AnyGame) -> None:
    """With a seat that is asked, parts of the SVG stand for its offers, and each number is one of an offer."""
    for drawn in _pictures(game):
        for seat in drawn.state.movers:
            if drawn.viewer == seat:
                offers = len(drawn.picture.offers(seat))
                svg = drawn.picture.svg("one", seat)
                check_svg(game, svg, f"after {drawn.number} moves, seat {seat}", "one", offers)
                expect("data-offer=" in svg, game, f"after {drawn.number} moves, seat {seat}: nothing can be clicked")


class _Drawn:
    """A picture, and where it comes from."""

    def __init__(self, picture: Picture, state: AnyState, scene: Scene, number: int) -> None:
        self.picture = picture
        self.state = state
        self.scene = scene
        self.viewer = scene.viewer
        self.number = number
        self.repeated: Picture | None = None


def _pictures(
    game: AnyGame, *, every: int | None = None, nicks: Sequence[str] = (), twice: bool = False
) -> Iterator[_Drawn]:
    """Yield pictures of games of random moves, for every number of seats and every viewer; of one move in ``every``
    after the first few, and of the end."""
    if game.pictures is None:
        return
    every = every or PICTURES_SAMPLED_EVERY
    for seats in all_numbers_of_players(game):
        table = _table(game, seats, nicks)
        followers: list[tuple[Scene, Follower]] = []
        for number, (state, words) in enumerate(walk(game, table.names, seats, {})):
            if not followers:
                scenes = [scene_of(game, table, state.labels, viewer) for viewer in (None, *range(seats))]
                if nicks:
                    scenes = [Scene(_hostile(scene), scene.viewer, scene.options) for scene in scenes]
                followers = [(scene, game.pictures(scene)) for scene in scenes]
            if number > MAX_WALK and state.outcome is None:
                if DRAWN_TO_THE_END:
                    continue
                break
            for scene, follow in followers:
                drawn = _Drawn(follow(shown(game, state, scene.viewer, words)), state, scene, number)
                if number < 4 or number % every == 0 or state.outcome is not None:
                    if twice:
                        drawn.repeated = follow(shown(game, state, scene.viewer, words))
                    yield drawn


def _hostile(scene: Scene) -> tuple[Seat, ...]:
    return tuple(
        Seat(HOSTILE[number % len(HOSTILE)], HOSTILE[-1 - number % len(HOSTILE)]) for number in range(len(scene.seats))
    )


def _table(game: AnyGame, seats: int, nicks: Sequence[str]) -> Table:
    """A table whose names can travel: what XML cannot hold is left out of them."""
    names = [nicks[seat % len(nicks)] + str(seat) if nicks else f"player-{seat}" for seat in range(seats)]
    clean = tuple("".join(one for one in name if one >= " " and one != "\uffff") for name in names)
    return Table("contract", clean, game.choose_options({}))


def _read(game: AnyGame, payload: bytes) -> Any:
    try:
        return game.notation.read_move(payload)
    except Unreadable as error:
        raise ContractBroken(f"{game.name}: an offer cannot be read: {payload!r}: {error}") from error


DRAWN: tuple[Check, ...] = (
    draws_every_position,
    draws_the_same_again,
    draws_hostile_texts_as_texts,
    draws_no_secrets,
    offers_the_legal_moves,
    marks_its_offers,
    refuses_to_draw_strange_payloads,
    draws_at_the_ends_of_its_options,
)
