"""What resembles earlier documents is proved without a parser, and only what a parser would pass."""

import re
import tracemalloc
from collections.abc import Callable
from itertools import count
from typing import Final
from xml.parsers.expat import ParserCreate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire import reference
from tests.wire.strategies import STEADY, pieces, streams
from ugs.wire import fragment_cache, framing, wellformed
from ugs.wire.fragment_cache import (
    LATEST_BYTES,
    MAX_BYTES,
    MAX_IN_DOCUMENT,
    MAX_NEW,
    MAX_PIECE,
    MAX_SKIPPED,
    MAX_TREE,
    Familiar,
)
from ugs.wire.framing import Framer, Limits, WireError

LIMITS: Final = Limits()


def state(*content: bytes, nick: bytes = b"ann") -> bytes:
    """A document with this content in a ``gameState``."""
    envelope = b'<message type="gameState"><gameId id="7"/><nextPlayer nick="%b"/>' % nick
    return b"%b<gameState>%b</gameState></message>" % (envelope, b"".join(content))


def cells(number: int, start: int = 0) -> bytes:
    return b"".join(b'<c at="%d"/>' % at for at in range(start, start + number))


BOARD: Final = cells(80)


def taught(*documents: bytes, limits: Limits = LIMITS) -> Familiar:
    """One that knows the pieces of these documents."""
    store = Familiar(limits.max_attributes)
    for raw in documents:
        if not fairly_proves(store, raw, limits):
            store.learn(raw)
    return store


def fairly_proves(store: Familiar, raw: bytes, limits: Limits = LIMITS, peer: int = 0) -> bool:
    """Whether ``raw`` is proved if it is tried."""
    store._skip = 0
    return store.proves(raw, limits, peer)


def test_a_state_with_a_moved_piece_is_proved_and_nothing_else_of_it_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    store = taught(state(BOARD, b"<p>one</p>"))
    parsed: list[bytes] = []

    class Spy:
        def __init__(self, encoding: str) -> None:
            self._parser = ParserCreate(encoding)

        def Parse(self, raw: bytes, final: bool) -> None:
            parsed.append(raw)
            self._parser.Parse(raw, final)

    monkeypatch.setattr(fragment_cache, "ParserCreate", Spy)
    monkeypatch.setattr(wellformed, "ParserCreate", Spy)
    moved = state(b'<c at="moved"/>', BOARD, b"<p>one</p>", nick=b"bob")
    framer = Framer(LIMITS, store)
    assert [document.raw for document in framer.feed(moved * 3)] == [moved] * 3
    assert parsed == [b'<r><c at="moved"/></r>'], "once, and remembered"


@pytest.mark.parametrize(
    "content",
    [
        b"<p>one</p><q>two</q>",
        b"<p><q>two</q></p>",
        b"<p ><q\n>two</q\n></p >",
        b"text<p/>&amp;&#65;\xc3\xa9",
        b'<p xmlns="game"/>',
        b"",
        b"<p>%b</p>" % (b"x" * 2 * MAX_PIECE),
        b"<p>one</p>" * (MAX_TREE // 2 + 1),
    ],
)
def test_what_is_well_formed_is_proved_the_second_time(content: bytes) -> None:
    raw = state(content, BOARD)
    store = taught(state(BOARD))
    assert store.proves(raw, LIMITS)
    assert store.proves(raw, LIMITS)


WRONG: Final = [
    b"<p>",
    b"</p>",
    b"<p></q>",
    b"<p><q></p></q>",
    b"<p/></p>",
    b"</p><p>",
    b'<c at="1" at="2"/>',
    b"<c at=1/>",
    b'<c at="1"at2="2"/>',
    b"<c at='1'/>",
    b'<c at="a>b"/>',
    b"<c at='\">'\"/>",
    b"<p:c/>",
    b'<c p:at="1"/>',
    b'<c xmlns="http://www.w3.org/XML/1998/namespace"/>',
    b"<!-- -->",
    b"<![CDATA[<p>]]>",
    b"<?pi?>",
    b"< c/>",
    b"<>",
    b"</>",
    b"<1/>",
    b"&nothing;",
    b"]]>",
    b"a > b < c",
    b"\x00",
    b"\xff",
    b"<c/ >",
    b"<%b></%b>" % (b"n" * (MAX_PIECE + 1), b"n" * (MAX_PIECE + 1)),
]


@pytest.mark.parametrize("content", WRONG)
def test_what_is_wrong_or_unusual_is_left_to_the_parser(content: bytes) -> None:
    store = taught(state(BOARD, b"<p>one</p><q>two</q>"))
    assert not store.proves(state(BOARD, content), LIMITS)
    assert fairly_proves(store, state(BOARD, b"<q>two</q>")), "nothing wrong was remembered"


def test_the_pieces_of_a_document_are_remembered_where_they_are_sure() -> None:
    unsure = b"<c at='1'/><p:c xmlns:p=\"urn:p\"/><p>%b</p>" % (b"x" * MAX_PIECE)
    store = taught(state(BOARD, unsure), state(BOARD, b"<!-- -->"))
    assert fairly_proves(store, state(BOARD))
    assert set(store._letters) == set(state(BOARD, b"<p>").split(b"<")[4:-1]) - {b"p>"} | {b"/p>"}


@pytest.mark.parametrize(
    "raw",
    [
        state(BOARD).replace(b"gameState", "zugä".encode()),
        state(BOARD).replace(b"<message ", b"<message  "),
        state(BOARD).replace(b"<gameId", b"text<gameId"),
        state(BOARD)[: -len(b"</message>")] + b"</message >",
        state(cells(MAX_IN_DOCUMENT)),
        state(b"x" * MAX_BYTES),
        state(BOARD, cells(MAX_NEW + 1, 100)),
    ],
)
def test_what_cannot_be_proved_does_no_harm(raw: bytes) -> None:
    store = taught(state(BOARD))
    assert not store.proves(raw, LIMITS)
    store.learn(raw)
    assert fairly_proves(store, state(BOARD))


def nested(levels: int) -> bytes:
    return b"<p>" * levels + b"<c/>" + b"</p>" * levels


@pytest.mark.parametrize(
    ("content", "within"),
    [
        (nested(7), True),  # the root, the state and the cell are levels, too
        (nested(8), False),
        (b'<a b="" c="" d=""/>', True),
        (b'<a b="" c="" d="" e=""/>', False),
        (BOARD * 2 + cells(40), True),
        (BOARD * 3, False),
        (cells(1) * 150 + b"<p>%b</p>" % (b"= " * 400), False),
    ],
)
def test_levels_attributes_and_markup_are_limited(content: bytes, within: bool) -> None:
    limits = Limits(max_depth=10, max_attributes=3, max_markup=300)
    store = taught(state(BOARD), state(nested(1)), limits=limits)
    assert store.proves(state(BOARD, content), limits) == within
    assert not within or wellformed.is_plain_document(state(BOARD, content), limits)


def test_a_framer_teaches_what_it_has_parsed() -> None:
    store = Familiar(LIMITS.max_attributes)
    for content in (BOARD, BOARD + b"<p/>"):
        assert len(list(Framer(LIMITS, store).feed(state(content)))) == 1
    assert fairly_proves(store, state(BOARD + b"<p/><q/>"))
    with pytest.raises(WireError):
        list(Framer(LIMITS, store).feed(state(BOARD + b"<p>")))


def test_documents_with_other_limits_are_parsed() -> None:
    store = taught(state(BOARD))
    assert not store.proves(state(BOARD), Limits(max_attributes=2))
    assert store.proves(state(BOARD), Limits(max_depth=20))


def test_when_all_documents_differ_few_are_tried() -> None:
    store = Familiar(LIMITS.max_attributes)
    tried = 0
    for number in range(20 * MAX_SKIPPED):
        raw = state(cells(2 * MAX_NEW, 100 * number))
        assert not store.proves(raw, LIMITS)
        tried += store._tried
        store.learn(raw)
    assert 20 <= tried <= 30
    store.learn(state(BOARD))
    while not store.proves(state(BOARD), LIMITS):
        store.learn(state(BOARD))
    assert not store.proves(state(b"<p>"), LIMITS)
    assert store.proves(state(BOARD), LIMITS), "a single failure skips nothing"


def of_new_cells(number: int) -> bytes:
    return cells(MAX_NEW, MAX_NEW * number)


def of_new_names(number: int) -> bytes:
    name = b"n%d" % number + b"n" * (MAX_PIECE - 20)
    return b'<%b a="%b"></%b>' % (name, b"a" * MAX_PIECE, name)


def of_new_trees(number: int) -> bytes:
    return b"".join(b"<p>one</p>" if number >> bit & 1 else b"<q>two</q>" for bit in range(16))


@pytest.mark.parametrize(("content", "documents"), [(of_new_cells, 500), (of_new_names, 2500), (of_new_trees, 2500)])
def test_it_holds_little_whatever_comes(
    content: Callable[[int], bytes], documents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fragment_cache, "MAX_PIECES", 2048)
    monkeypatch.setattr(fragment_cache, "MAX_STRETCHES", 512)
    store = taught(state(b"<p>one</p><q>two</q>"))
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(documents):
            if not fairly_proves(store, state(content(number))):
                store.learn(state(content(number)))
            assert max(len(store._letters), len(store._names)) <= 2048
            assert max(len(store._stretches), len(store._older)) <= 512
        assert tracemalloc.get_traced_memory()[0] - before < 2 * 1024 * 1024
    finally:
        tracemalloc.stop()
    assert fairly_proves(store, state(b"<p>one</p>"))


def test_pieces_that_stood_in_a_row_before_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    store = taught(state(BOARD))
    assert store.proves(state(BOARD, b"<c/>"), LIMITS)
    monkeypatch.setattr(fragment_cache, "MAX_NEW", 0)
    store._letters = {}
    assert store.proves(state(BOARD, b"<c/>"), LIMITS)
    assert not store.proves(state(b"<c/>", BOARD), LIMITS)


def test_stretches_that_stand_where_they_stood_before_are_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    store = taught(state(BOARD))
    assert store.proves(state(BOARD), LIMITS, 1)
    monkeypatch.setattr(fragment_cache, "MAX_NEW", 0)
    store._letters, store._stretches, store._older = dict.fromkeys([b'c at="x"/>'], ""), {}, {}
    assert store.proves(state(BOARD, nick=b"bob"), LIMITS, 1)
    assert not fairly_proves(store, state(BOARD)), "another peer"
    assert not fairly_proves(store, state(BOARD).replace(b'"7"', b'"8"')), "another game"


@pytest.mark.parametrize(
    ("old", "new", "proved"),
    [
        (b'<c at="60"/>', b'<d at="60"/>', True),
        (b'<c at="60"/>', b"<d></d><e/>6", True),
        (b'<c at="60"/><c at="61"/>', b'<c at="60 /  c at="61"/>', False),
        (b'<c at="60"/><c at="61"/>', b'<c at="60"   bt="61 61"/', False),
        (b'<c at="60"/><c at="61"/>', b'<c at="60"   bt="61"  />', True),
        (b'<c at="60"/>', b"<c></d><e/>6", False),
        (b'<c at="60"/>', b'<c at="60" >', False),
        (b'<c at="60"/>', b'&c at="60"/>', False),
        (b'<c at="60"/>', b" c at='60'/ ", True),
        (b'<c at="60"/>', b"<!-- -->1234", False),
        (b'<c at="60"/>', b"</gameState>", False),
        (b"</gameState>", b"<gameState/>", False),
    ],
)
@pytest.mark.parametrize("before", range(0, 130, 7))
def test_a_document_as_long_as_the_one_before_is_held_against_it(
    old: bytes, new: bytes, proved: bool, before: int
) -> None:
    first = state(b"x" * before, BOARD)  # wherever stretches end
    assert len(old) == len(new)
    next_one = first.replace(old, new)
    store = taught(state(BOARD))
    assert fairly_proves(store, first)
    assert fairly_proves(store, next_one) == proved
    assert not proved or wellformed.is_plain_document(next_one, LIMITS)
    assert fairly_proves(store, first)


def test_what_games_said_last_is_forgotten_when_others_say_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragment_cache, "MAX_LATEST_BYTES", 4 * (len(state(BOARD)) + LATEST_BYTES))
    store = taught(state(BOARD))
    for peer in (1, 2, 3, 1, 4, 5):
        assert fairly_proves(store, state(BOARD), peer=peer)
    assert [peer for peer, _ in store._latest] == [3, 1, 4, 5]
    assert store._latest_bytes == sum(latest.size + LATEST_BYTES for latest in store._latest.values())


@pytest.mark.parametrize(
    ("content", "game"), [(b"<p>one</p>", b"%d"), (BOARD, b"%d"), (b"", b"%d"), (b"<p/>", b"%d" + b"g" * 5000)]
)
def test_the_latest_of_all_games_take_little_whatever_comes(
    content: bytes, game: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fragment_cache, "MAX_LATEST_BYTES", 200_000)
    store = taught(state(BOARD, b"<p>one</p><p/>"))
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1000):
            raw = state(content).replace(b'"7"', b'"%b"' % (game % number))
            assert fairly_proves(store, raw, peer=1_000_000 + number)
        # Three times, since what earlier tests have freed is used again first, and is not counted.
        assert tracemalloc.get_traced_memory()[0] - before < 3 * 200_000 + 50_000
    finally:
        tracemalloc.stop()


def test_a_document_under_other_limits_is_not_held_against_the_one_before() -> None:
    store = taught(state(BOARD, nested(1)))
    assert fairly_proves(store, state(BOARD, nested(8)))
    assert not fairly_proves(store, state(BOARD, nested(8)), Limits(max_depth=10))
    assert not fairly_proves(store, state(BOARD, nested(8)), Limits(max_markup=80))


def test_stretches_that_nobody_says_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragment_cache, "MAX_STRETCHES", 4)
    monkeypatch.setattr(fragment_cache, "_STRETCHES", re.compile(rb".[^<]*", re.DOTALL))
    store = taught(state(BOARD))
    for number in (0, 1, 2, 3):
        assert fairly_proves(store, state(cells(2, number)), peer=number)
    assert b'<c at="0"/>' not in {**store._stretches, **store._older}
    assert b'<c at="4"/>' in {**store._stretches, **store._older}
    assert len(store._stretches) <= 4


def test_a_stretch_with_a_long_text_is_not_remembered() -> None:
    long = b"<p>%b</p>" % (b"x" * fragment_cache.MAX_STRETCH_BYTES)
    store = taught(state(BOARD))
    assert store.proves(state(BOARD, long), LIMITS)
    assert store.proves(state(BOARD, long), LIMITS)
    assert all(len(stretch) <= fragment_cache.MAX_STRETCH_BYTES for stretch in store._stretches)


def test_a_name_that_is_forgotten_gets_a_new_number() -> None:
    store = taught(state(b"<p>one</p><q>two</q>"))
    for number in count():
        known = len(store._letters)
        fairly_proves(store, state(of_new_cells(number)))
        if len(store._letters) < known:
            break
    assert fairly_proves(store, state(b"<q>two</q><p>one</p>"))
    assert not fairly_proves(store, state(b"<q>two</p>"))


def cut(stream: bytes, store: Familiar | None, limits: Limits = LIMITS) -> tuple[list[bytes], str | None]:
    framer, documents = Framer(limits, store), []
    try:
        for document in framer.feed(stream):
            documents.append(document.raw)
    except WireError as error:
        return documents, str(error)
    return documents, None


SHORT_AND_LONG: Final = st.sampled_from([1, 30, fragment_cache.STRETCH_BYTES])


@STEADY
@given(st.lists(streams(), min_size=2, max_size=5), st.sampled_from([LIMITS, Limits(150, 3, 2, 12)]), SHORT_AND_LONG)
def test_framers_with_and_without_cut_the_same(several: list[bytes], limits: Limits, stretch: int) -> None:
    store = Familiar(limits.max_attributes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fragment_cache, "_STRETCHES", re.compile(rb".{%d}[^<]*|.+" % stretch, re.DOTALL))
        patch.setattr(framing, "MIN_BYTES", 0)
        for stream in [*several, *several]:
            store._skip = 0
            assert cut(stream, store, limits) == cut(stream, None, limits)


_GOOD: Final = (*(b'<c at="%d"/>' % at for at in range(4)), b"<p>one</p>", b"<p><q/></p>", b'<q a="1">x</q>', b"text")


@st.composite
def nearly_good(draw: st.DrawFn) -> list[bytes]:
    """Contents, most of them good, made of the same few elements."""
    contents = []
    for _ in range(draw(st.integers(2, 6))):
        content = b"".join(draw(st.lists(st.sampled_from(_GOOD), max_size=6)))
        if draw(st.booleans()):
            parts = draw(pieces(content)) if content else []
            content = b"".join(draw(st.permutations(parts)))
        if draw(st.integers(0, 3)) == 0:
            at = draw(st.integers(0, len(content)))
            wrong = draw(st.sampled_from([*WRONG, b"<", b">", b'"', b"/", b"="]))
            contents.append(content[:at] + wrong + content[at:])
        contents.append(content)
        at = draw(st.integers(0, len(content)))
        other = draw(st.sampled_from([*_GOOD, b"<", b">", b'"', b"/", b"=", b" "]))[: len(content) - at]
        contents.append(content[:at] + other + content[at + len(other) :])  # as long as the one before
    return contents


@STEADY
@given(nearly_good(), SHORT_AND_LONG)
def test_what_is_proved_is_a_document_of_the_reference(contents: list[bytes], stretch: int) -> None:
    store = taught(state(*_GOOD))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fragment_cache, "_STRETCHES", re.compile(rb".{%d}[^<]*|.+" % stretch, re.DOTALL))
        for raw in map(state, contents):
            if fairly_proves(store, raw):
                assert reference.documents(raw) == ([raw], b"")
            elif reference.documents(raw) == ([raw], b""):
                store.learn(raw)
