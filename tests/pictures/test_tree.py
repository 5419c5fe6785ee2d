"""A state as a tree, with what has changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.check_pictures import check_svg
from game_masters.tic_tac_toe import GAME
from ugs.pictures import tree
from ugs.pictures.contract import MAX_SVG, Picture, Scene, Shown
from ugs.pictures.lettering import columns
from ugs.pictures.tree import MAX_ELEMENTS, MAX_LINES, MAX_READ_BYTES, MAX_READ_ELEMENTS, follow


def told(*payloads: bytes) -> Picture:
    """The picture of the last of these states."""
    follower = follow(Scene(()))
    for payload in payloads:
        picture = follower(Shown(payload))
    return picture


def lines(*payloads: bytes, width: int = 80) -> list[str]:
    return ["".join(span.text for span in line) for line in told(*payloads).text(width)]


def test_the_first_state_has_no_marks() -> None:
    assert lines(b'<gameState><a x="1">some <b/>text</a></gameState>') == [
        "  gameState",
        '    a x="1" : some text',
        "      b",
    ]


def test_what_has_changed_is_marked() -> None:
    before = b'<g><seat nick="ada" cash="10"/><seat nick="bob" cash="5" out="yes"/><card/><note>old</note></g>'
    now = b'<g><seat nick="bob" cash="5"/><seat nick="ada" cash="12"/><dice n="6"/><note>new</note></g>'
    assert lines(before, now) == [
        "  g",
        '~   seat nick="bob" cash="5" (without out="yes")',
        '~   seat nick="ada" cash="12" (was "10")',
        '+   dice n="6"',
        '~   note : new (was "old")',
        "-   card",
    ]


def test_the_words_tell_what_has_changed() -> None:
    assert told(b"<g><a/></g>", b"<g><b/></g>").words() == "The state as a tree. added: b; removed: a"
    assert told(b"<g><a/></g>").words() == "The state as a tree. g; a"


def test_a_large_state_is_shown_in_part() -> None:
    wide = b"<g>" + b"<a/>" * 50_000 + b"</g>"
    picture = told(wide, wide.replace(b"<a/>", b"<b/>"))
    assert len(picture.text(80)) == MAX_LINES + 1
    assert len(picture.svg("p")) < MAX_SVG
    deep = b"<a>" * 60 + b"</a>" * 60
    assert lines(deep)[-1].strip() == "…"


def test_what_is_no_xml_is_shown_as_text() -> None:
    for payload in (b"<g", b"\xff\x00", b"<!DOCTYPE g><g/>", b"", b"\xff" * MAX_READ_BYTES * 2):
        (line,) = lines(payload)
        assert line.startswith("  not readable as XML: ")


def test_after_it_nothing_is_marked() -> None:
    assert lines(b"<g/>", b"<g", b"<g><a/></g>") == ["  g", "    a"]


def test_of_a_state_that_is_too_large_the_beginning_is_shown_without_what_has_changed() -> None:
    small, long = b"<g><a/></g>", b"<g><b/>" + b" " * MAX_READ_BYTES + b"<c/></g>"
    many = b"<g>" + b"<b/>" * MAX_READ_ELEMENTS + b"</g>"
    assert lines(small, long) == ["  g", "    b", "  … more"]
    assert lines(small, many)[-1] == f"  … more than {MAX_ELEMENTS + 1 - MAX_LINES} more"
    assert lines(long, small) == lines(many, small) == ["  g", "    a"]


def test_nothing_is_read_before_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    real = tree.read

    def noted(payload: bytes) -> tree.State | None:
        read.append(payload)
        return real(payload)

    monkeypatch.setattr(tree, "read", noted)
    follower = follow(Scene(()))
    pictures = [follower(Shown(b"<g><a n='%d'/></g>" % number)) for number in range(100)]
    assert not read
    pictures[50].svg("p")
    assert pictures[50].words() == 'The state as a tree. changed: a n="50" (was "49")'
    assert read == [b"<g><a n='50'/></g>", b"<g><a n='49'/></g>"]


@given(st.lists(st.recursive(st.text("<>&'\"\x1b\u202e名 ab", max_size=6), lambda inner: st.lists(inner, max_size=3))))
def test_every_tree_is_sound_and_fits(content: list[object]) -> None:
    def written(part: object) -> str:
        if isinstance(part, str):
            text = part.replace("\x1b", "").replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
            return f'<e id="{text}">{text}</e>'
        assert isinstance(part, list)
        return f"<l>{''.join(map(written, part))}</l>"

    picture = told(
        f"<g>{''.join(map(written, content[::2]))}</g>".encode(), f"<g>{''.join(map(written, content))}</g>".encode()
    )
    check_svg(GAME, picture.svg("p"), "tree", "p")
    for line in picture.text(40):
        text = "".join(span.text for span in line)
        assert columns(text) <= 40
        assert text.isprintable()
    assert picture.words().isprintable()
