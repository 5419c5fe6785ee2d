"""Pictures of one game, whatever its renderer does."""

from collections.abc import Sequence

import pytest
import structlog

from ugs.pictures import contract, svg
from ugs.pictures.album import MAX_LINES, MAX_WRITTEN, Album
from ugs.pictures.contract import (
    MAX_STATE_BYTES,
    MAX_STATE_TAGS,
    MAX_SVG,
    CannotDraw,
    Follower,
    Line,
    Offer,
    PartedPicture,
    Picture,
    Scene,
    Shown,
    Span,
    knows_parts,
    written_by,
)
from ugs.sketch.refusal import refused

STATE = Shown(b"<gameState><a/></gameState>")
TREE = "The state as a tree. gameState; a"


class Drawn:
    """A picture that says what it is told to say."""

    def __init__(self, fails: str = "", size: int = 0) -> None:
        self._fails = fails
        self._size = size

    def _say(self, what: str, text: str) -> str:
        if what == self._fails:
            raise ZeroDivisionError("a\x1bb")
        return text

    def svg(self, prefix: str, seat: int | None = None) -> str:
        return self._say("svg", "<svg/>") + " " * self._size

    def text(self, width: int) -> Sequence[Line]:
        return [(Span(self._say("text", "\x1b[2Jdrawn" + "x" * 500)),)] * 1000

    def words(self) -> str:
        return self._say("words", "a\x9bdrawing")

    def news(self) -> Sequence[str]:
        return [self._say("news", "ada moves\n")]

    def offers(self, seat: int) -> Sequence[Offer]:
        return [Offer(self._say("offers", "go"), b"<move/>")]


def album(picture: Picture) -> Album:
    def follow(scene: Scene) -> Follower:
        return lambda shown: picture

    return Album("chess", Scene(()), {"chess": follow})


def test_the_renderer_of_the_game_type_draws() -> None:
    picture = album(Drawn()).show(STATE)
    assert picture.svg("p") == "<svg/>"
    assert picture.offers(0) == (Offer("go", b"<move/>"),)


def test_a_sketch_that_was_refused_leaves_its_reason_with_the_tree() -> None:
    why = "grid columns '100': expected a whole number from 1 to 50 <b>"
    picture = Album("unknown", Scene(()), {}).show(Shown(STATE.payload, sketch=refused(why)))
    said = f"No picture: sketch refused. {why}"
    svg = picture.svg("p")
    assert "No picture: sketch refused. grid columns" in svg
    assert "<b>" not in svg
    assert "&lt;b&gt;" in svg
    assert picture.words() == f"{said}. {TREE}"
    assert "".join(span.text for line in picture.text(200)[:1] for span in line) == said
    assert album(Drawn()).show(Shown(STATE.payload, sketch=refused(why))).svg("p") == "<svg/>"


def test_what_a_renderer_writes_is_made_safe_and_bounded() -> None:
    picture = album(Drawn()).show(STATE)
    lines = picture.text(50)
    assert len(lines) == MAX_LINES
    assert lines[0][0].text == "\\u{1b}[2Jdrawn" + "x" * 35 + "…"
    assert picture.words() == "a\\u{9b}drawing"
    assert picture.news() == ("ada moves\\n",)


def test_a_move_that_a_picture_writes_is_passed_on_within_bounds() -> None:
    class Writes(Drawn):
        def written(self) -> str:
            return "3... \x1bN" + "c" * 100

    written = written_by(album(Writes()).show(STATE))
    assert written.startswith("3... \\u{1b}N")
    assert len(written) <= MAX_WRITTEN
    assert written_by(album(Drawn()).show(STATE)) == ""


@pytest.mark.parametrize("fails", ["svg", "text", "words", "news", "offers"])
def test_where_a_picture_fails_the_tree_stands_in_and_one_line_is_logged(fails: str) -> None:
    with structlog.testing.capture_logs() as logs:
        shown = album(Drawn(fails))
        for _ in range(2):
            picture = shown.show(STATE)
            results = {
                "svg": picture.svg("p"),
                "text": picture.text(80),
                "words": picture.words(),
                "news": picture.news(),
                "offers": picture.offers(0),
            }
    tree = Album("none", Scene(()), {}).show(STATE)
    expected = {"svg": tree.svg("p"), "text": tree.text(80), "words": TREE, "news": (), "offers": ()}
    assert results[fails] == expected[fails]
    assert [(line["event"], line["why"]) for line in logs] == [("no picture", "ZeroDivisionError: a\\u{1b}b")]


def test_a_game_without_renderer_is_a_tree() -> None:
    shown = Album("none", Scene(()), {})
    assert not shown.drawn
    assert shown.show(STATE).words() == TREE


def test_a_renderer_that_fails_is_asked_again_at_the_next_state() -> None:
    def follow(scene: Scene) -> Follower:
        def draw(shown: Shown) -> Picture:
            if shown.payload != STATE.payload:
                raise CannotDraw("strange")
            return Drawn()

        return draw

    shown = Album("chess", Scene(()), {"chess": follow})
    with structlog.testing.capture_logs() as logs:
        assert shown.show(Shown(b"<gameState><b/></gameState>")).words() == "The state as a tree. gameState; b"
        assert shown.show(STATE).words() == "a\\u{9b}drawing"
    assert [line["why"] for line in logs] == ["CannotDraw: strange"]


def test_a_renderer_that_does_not_begin_is_left_out() -> None:
    def follow(scene: Scene) -> Follower:
        raise KeyError("no")

    with structlog.testing.capture_logs() as logs:
        assert Album("chess", Scene(()), {"chess": follow}).show(STATE).words() == TREE
    assert len(logs) == 1


def test_a_picture_that_is_too_large_is_not_shown() -> None:
    with structlog.testing.capture_logs() as logs:
        assert "gameState" in album(Drawn(size=MAX_SVG)).show(STATE).svg("p")
    assert "65542 bytes; allowed: 65536" in logs[0]["why"]
    assert "gameState" not in album(Drawn(size=MAX_SVG)).show(STATE).svg("p", 0)  # its offer may add some


@pytest.mark.parametrize(
    "large",
    [
        Shown(b"<g>" + b" " * MAX_STATE_BYTES + b"</g>"),
        Shown(b"<g>" + b"<a/>" * MAX_STATE_TAGS + b"</g>"),
        Shown(b"<g/>", own_move=b"<move>" + b"<a/>" * MAX_STATE_TAGS + b"</move>"),
    ],
)
def test_a_renderer_is_not_given_a_state_that_is_too_large(large: Shown) -> None:
    given: list[Shown] = []

    def follow(scene: Scene) -> Follower:
        def draw(shown: Shown) -> Picture:
            given.append(shown)
            return Drawn()

        return draw

    shown = Album("chess", Scene(()), {"chess": follow})
    with structlog.testing.capture_logs() as logs:
        assert "as a tree" in shown.show(large).words()
        assert shown.show(STATE).words() == "a\\u{9b}drawing"
    assert given == [STATE]
    assert "drawn are at most" in logs[0]["why"]


def test_a_process_without_memory_is_told_so() -> None:
    def follow(scene: Scene) -> Follower:
        def draw(shown: Shown) -> Picture:
            raise MemoryError

        return draw

    with pytest.raises(MemoryError):
        Album("chess", Scene(()), {"chess": follow}).show(STATE)


def test_a_picture_for_which_there_is_no_memory_is_not_replaced() -> None:
    class Huge(Drawn):
        def words(self) -> str:
            raise MemoryError

    with pytest.raises(MemoryError):
        album(Huge()).show(STATE).words()


class Parted(Drawn):
    """A picture whose renderer names the parts."""

    def svg(self, prefix: str, seat: int | None = None) -> str:
        return svg.DrawnParts(["<svg>", self._say("svg", "<g/>"), "</svg>"])


def test_what_pages_get_is_plain_text_and_parts_are_there_for_who_asks() -> None:
    picture = album(Parted()).show(STATE)
    assert type(picture.svg("p")) is str
    assert isinstance(picture, PartedPicture)
    drawn = picture.drawn("p")
    assert isinstance(drawn, svg.DrawnParts)
    assert (drawn, drawn.parts) == ("<svg><g/></svg>", ["<svg>", "<g/>", "</svg>"])


def test_a_picture_that_fails_has_no_parts() -> None:
    picture = album(Parted("svg")).show(STATE)
    assert isinstance(picture, PartedPicture)
    assert TREE in picture.drawn("p")


def test_what_a_kind_of_picture_can_do_is_found_out_once() -> None:
    """Asking for each position took a tenth of the time that reading its state took."""
    contract._has.cache_clear()
    for _ in range(50):
        picture = album(Parted()).show(STATE)
        assert knows_parts(picture)
        assert written_by(picture) == ""
    assert contract._has.cache_info().misses == 3, "of the guard two, of the renderer's picture one"
