"""The contract of pictures: a renderer that breaks a promise is caught."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from game_masters.apologies import ADULT
from game_masters.kit import check_pictures, gallery
from game_masters.kit.check_pictures import DRAWN, check_svg
from game_masters.kit.contract import Check, ContractBroken
from game_masters.kit.rules import AnyGame
from game_masters.tic_tac_toe import GAME, pictures
from ugs.pictures.contract import Follower, Line, Offer, Picture, Scene, Shown, Span

PROMISES = {promise.__name__: promise for promise in DRAWN}


class Altered:
    """A good picture, of which a subclass changes something."""

    def __init__(self, picture: Picture, scene: Scene, shown: Shown, number: int) -> None:
        self.good = picture
        self.scene = scene
        self.shown = shown
        self.number = number

    def svg(self, prefix: str, seat: int | None = None) -> str:
        return self.good.svg(prefix, seat)

    def text(self, width: int) -> Sequence[Line]:
        return self.good.text(width)

    def words(self) -> str:
        return self.good.words()

    def news(self) -> Sequence[str]:
        return self.good.news()

    def offers(self, seat: int) -> Sequence[Offer]:
        return self.good.offers(seat)


class Wide(Altered):
    def text(self, width: int) -> Sequence[Line]:
        return [(Span("x" * (width + 1)),)]


class Silent(Altered):
    def words(self) -> str:
        return " "


class Scripted(Altered):
    def svg(self, prefix: str, seat: int | None = None) -> str:
        return super().svg(prefix, seat).replace("</svg>", "<script/></svg>")


class Trusting(Altered):
    def svg(self, prefix: str, seat: int | None = None) -> str:
        return super().svg(prefix, seat).replace("</svg>", f"<text>{self.scene.seats[0].nick}</text></svg>")


class Forgetful(Altered):
    def offers(self, seat: int) -> Sequence[Offer]:
        return super().offers(seat)[:-1]


class Inventive(Altered):
    def offers(self, seat: int) -> Sequence[Offer]:
        offers = super().offers(seat)
        return [*offers, Offer("cheat", b'<move><tic x="99" y="99"/></move>')] if offers else ()


class Generous(Altered):
    def offers(self, seat: int) -> Sequence[Offer]:
        return self.good.offers(self.shown.movers[0]) if self.shown.movers else ()


class Unmarked(Altered):
    def svg(self, prefix: str, seat: int | None = None) -> str:
        return super().svg(prefix)


class Newsy(Altered):
    def news(self) -> Sequence[str]:
        return ["always"]


class Counting(Altered):
    made = 0

    def words(self) -> str:
        type(self).made += 1
        return f"{self.made}"


class Telling(Altered):
    """Tells what the renderer could only know if the payload of the viewer held it: here, it is made to."""

    def words(self) -> str:
        return f"{self.shown.payload!r}"


BROKEN: list[tuple[type[Altered], str]] = [
    (Wide, "draws_every_position"),
    (Silent, "draws_every_position"),
    (Scripted, "draws_every_position"),
    (Trusting, "draws_hostile_texts_as_texts"),
    (Forgetful, "offers_the_legal_moves"),
    (Inventive, "offers_the_legal_moves"),
    (Generous, "offers_the_legal_moves"),
    (Unmarked, "marks_its_offers"),
    (Newsy, "draws_the_same_again"),
    (Counting, "draws_the_same_again"),
]


def altered(kind: type[Altered], game: AnyGame = GAME) -> AnyGame:
    """The game with pictures that a class has changed."""
    good = game.pictures
    assert good is not None

    def follow(scene: Scene) -> Follower:
        assert good is not None
        follower = good(scene)
        number = 0

        def draw(shown: Shown) -> Picture:
            nonlocal number
            number += 1
            return kind(follower(shown), scene, shown, number)

        return draw

    return replace(game, pictures=follow)


@pytest.fixture(autouse=True)
def _fewer_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_pictures, "PICTURES_SAMPLED_EVERY", 41)
    monkeypatch.setattr(check_pictures, "DRAWN_EVERY", 41)


@pytest.mark.parametrize(("kind", "promise"), BROKEN, ids=lambda one: getattr(one, "__name__", one))
def test_a_broken_promise_is_found(kind: type[Altered], promise: str) -> None:
    check: Check = PROMISES[promise]
    check(altered(Altered))
    with pytest.raises(ContractBroken):
        check(altered(kind))


def test_a_picture_that_tells_a_secret_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    PROMISES["draws_no_secrets"](altered(Telling, ADULT))

    def leaky(game: AnyGame, state: Any, viewer: int | None, since: int) -> Shown:
        return replace(gallery.shown(game, state, viewer, since), payload=game.notation.write_view(state.view(0)))

    monkeypatch.setattr(check_pictures, "shown", leaky)
    with pytest.raises(ContractBroken, match="is shown something hidden"):
        PROMISES["draws_no_secrets"](altered(Telling, ADULT))


def test_a_renderer_that_draws_anything_is_found() -> None:
    def follow(scene: Scene) -> Follower:
        follower = pictures.follow(scene)
        return lambda shown: follower(Shown(b"<gameState/>"))

    with pytest.raises(ContractBroken, match="was drawn"):
        PROMISES["refuses_to_draw_strange_payloads"](replace(GAME, pictures=follow))


def test_a_game_without_pictures_keeps_all_promises() -> None:
    for promise in DRAWN:
        promise(replace(GAME, pictures=None))


GOOD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" role="img"><title>t</title><desc>d</desc>{}</svg>'


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("<foreignObject/>", "foreignObject"),
        ("<style/>", "style"),
        ("<image/>", "image"),
        ('<g onclick="x"/>', "onclick"),
        ('<g style="x"/>', "style"),
        ('<rect fill="url(http://example.org/#a)"/>', "refers to"),
        ('<use href="//example.org/a.svg"/>', "leads to"),
        ('<g id="other"/>', "prefix"),
        ('<g data-offer="2"/>', "data-offer"),
        ("<g>", "well-formed"),
        (f"<text>{'x' * 70000}</text>", "an SVG of"),
    ],
)
def test_an_svg_that_is_not_harmless_is_found(part: str, words: str) -> None:
    check_svg(GAME, GOOD.format('<g id="p-a" data-offer="0 1"/><rect fill="url(#p-b)"/>'), "", "p", 2)
    with pytest.raises(ContractBroken, match=words):
        check_svg(GAME, GOOD.format(part), "", "p", 2)


@pytest.mark.parametrize("lost", ['role="img"', "viewBox=", "<title>t</title>", "<desc>d</desc>"])
def test_an_svg_that_lacks_something_is_found(lost: str) -> None:
    with pytest.raises(ContractBroken):
        check_svg(GAME, GOOD.format("").replace(lost, "data-x=" if lost.endswith("=") else ""), "", "p")
