"""Any stream, in any pieces: the same documents, and the same error at the same byte."""

import gc
import traceback
import tracemalloc
from collections.abc import Iterable
from itertools import pairwise
from xml.parsers.expat import ParserCreate, XMLParserType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire import reference
from tests.wire.samples import AWKWARD, DECLARATION, HOSTILE, LENIENT, MESSAGES, WRONG, move
from tests.wire.strategies import STEADY, pieces, prefixed, streams
from ugs.wire import framing, wellformed
from ugs.wire.framing import FULL_READ, Document, Framer, Limits, WireError

WHOLE: dict[str, bytes] = {
    **AWKWARD,
    **{f"message: {name}": raw for name, (raw, _) in MESSAGES.items()},
    **{f"lenient: {name}": raw for name, (raw, _) in LENIENT.items()},
    **{f"wrong: {name}": raw for name, (raw, _) in WRONG.items()},
}
MESSAGES_BEGIN = b'<message type="move"><gameId id="g"/><move>'
every_document = pytest.mark.parametrize("raw", WHOLE.values(), ids=WHOLE)
every_hostile = pytest.mark.parametrize(("stream", "offset", "word"), HOSTILE.values(), ids=HOSTILE)


def run(parts: Iterable[bytes], limits: Limits = Limits()) -> tuple[list[bytes], str | None, int]:  # noqa: B008
    """Return the documents that a framer cuts, its error if there is one, and the bytes it still holds."""
    framer = Framer(limits)
    cut: list[bytes] = []
    try:
        for part in parts:
            cut.extend(document.raw for document in framer.feed(part))
    except WireError as error:
        return cut, str(error), framer.pending
    return cut, None, framer.pending


def bytewise(stream: bytes) -> list[bytes]:
    return [stream[at : at + 1] for at in range(len(stream))]


@every_document
def test_a_document_is_cut_when_it_comes_whole(raw: bytes) -> None:
    assert run([raw]) == ([raw], None, 0)


@pytest.mark.no_cover
@every_document
def test_a_document_is_cut_at_its_last_byte_and_not_before(raw: bytes) -> None:
    framer = Framer()
    for at, byte in enumerate(bytewise(raw)[:-1]):
        assert list(framer.feed(byte)) == []
        assert framer.pending == at + 1
    assert [document.raw for document in framer.feed(raw[-1:])] == [raw]
    assert framer.pending == 0


@pytest.mark.no_cover
@every_document
def test_glued_documents_come_apart(raw: bytes) -> None:
    other = b'<message type="move"><gameId id="1"/><move>  </move></message>'
    stream = raw + other + raw + b"\r\n \t" + raw + other
    expected = [raw, other, raw, raw, other]
    assert run([stream]) == (expected, None, 0)
    assert run(bytewise(stream)) == (expected, None, 0)


@pytest.mark.no_cover
@every_document
def test_a_document_is_cut_in_two_at_every_place(raw: bytes) -> None:
    stream = raw + raw
    for at in range(0, len(stream), 1 + len(stream) // 400):
        assert run([stream[:at], stream[at:]]) == ([raw, raw], None, 0)


@every_hostile
def test_what_cannot_be_a_message_is_refused_with_place_and_reason(stream: bytes, offset: int, word: str) -> None:
    framer = Framer()
    with pytest.raises(WireError) as caught:
        list(framer.feed(stream))
    assert caught.value.offset == offset
    assert word in caught.value.reason
    assert str(offset) in str(caught.value)
    assert caught.value.reason in str(caught.value)


@pytest.mark.no_cover
@every_hostile
def test_the_same_is_refused_byte_by_byte_and_behind_good_documents(stream: bytes, offset: int, word: str) -> None:
    good = [raw for raw, _ in MESSAGES.values()]
    _, error, _ = run([stream])
    assert run(bytewise(stream)) == ([], error, 0)
    assert run([b"\n".join(good) + stream]) == (good, error, 0)
    assert run(bytewise(b"".join(good) + b" " + stream)) == (good, error, 0)


@pytest.mark.parametrize(
    ("shown_by", "wait"),
    [
        (b"\xef", b""),
        (b"\xff", b""),
        (b"h", b""),
        (b"<f", b"<"),
        (b"<!D", b"<!"),
        (b"<message:", b"<message"),
        (DECLARATION + b" <!D", DECLARATION + b" <!"),
        (b"<!-- a --><b", b"<!-- a --><"),
        (b"<?a?>x", b"<?a?>"),
        (b'<?xml version="1.1"?>', b'<?xml version="1.1"?'),
        (b'<?xml version="1.0" encoding="utf-7"?>', b'<?xml version="1.0" encoding="utf-7"?'),
        (b"<\0", b"<"),
        (b'<message type="\0', b'<message type="'),
        (b"<message><!--</message>-->\0", b"<message><!--</message>-->"),
    ],
)
def test_what_can_be_refused_early_is_not_waited_for(shown_by: bytes, wait: bytes) -> None:
    assert run(bytewise(wait))[1] is None
    assert run(bytewise(shown_by))[1] is not None


def test_an_error_stays_and_nothing_more_is_taken() -> None:
    framer = Framer()
    first = framer.feed(b'<message type="logout"/>hello')
    assert next(first).raw == b'<message type="logout"/>'
    with pytest.raises(WireError) as caught:
        next(first)
    for data in (b"", b'<message type="logout"/>'):
        with pytest.raises(WireError) as again:
            list(framer.feed(data))
        assert str(again.value) == str(caught.value)
        assert framer.pending == 0


def test_bytes_are_taken_by_the_call_and_documents_cut_on_demand() -> None:
    framer = Framer()
    raw = b'<message type="logout"/>'
    abandoned = framer.feed(raw + raw + raw[:5])
    assert next(abandoned).raw == raw
    assert [document.raw for document in framer.feed(raw[5:] + raw)] == [raw, raw, raw]
    assert list(abandoned) == []


def test_no_bytes_are_no_harm() -> None:
    framer = Framer()
    assert list(framer.feed(b"")) == []
    assert list(framer.feed(b" \n")) == []
    assert framer.pending == 0
    assert list(framer.feed(b"<mess")) == []
    assert list(framer.feed(b"")) == []
    assert framer.pending == 5


@pytest.mark.parametrize(
    ("raw", "declared"),
    [
        (DECLARATION + b'<message type="logout"/>', True),
        (b"<?xml\nversion='1.0'?><message/>", True),
        (b'<?xml-stylesheet a?><message type="logout"/>', False),
        (b'<message type="logout"><?xml-a?></message>', False),
        (b'<message type="logout"/>', False),
    ],
)
def test_a_document_knows_whether_it_was_declared(raw: bytes, declared: bool) -> None:
    (document,) = Framer().feed(b" " + raw)
    assert document == Document(raw)
    assert document.declared is declared


def test_the_longest_document_passes_and_one_byte_more_does_not() -> None:
    raw = move(b"x" * 100)
    for parts in ([raw], bytewise(raw)):
        assert run(parts, Limits(max_message_bytes=len(raw))) == ([raw], None, 0)
        assert run(parts, Limits(max_message_bytes=len(raw) - 1)) == (
            [],
            'message type="move": '
            f"the document is longer than {len(raw) - 1} bytes (at byte {len(raw) - 1} of the document)",
            0,
        )


@pytest.mark.parametrize(
    "endless", [b" ", b"<!--", b"<message a='", b"<?xml ", b"<message>", b"<message><a>", b"<message"]
)
def test_a_document_without_end_is_refused_at_the_limit(endless: bytes) -> None:
    limits = Limits(max_message_bytes=200)
    stream = b"<?a?>" + endless * 300 if endless == b" " else endless + b" " * 300
    _, error, _ = run([stream], limits)
    assert error is not None
    assert "longer than 200 bytes" in error
    assert run(bytewise(stream), limits)[1] == error
    assert run(bytewise(stream[:200]), limits)[1] is None


def test_white_space_between_documents_has_no_limit() -> None:
    raw = b'<message type="logout"/>'
    limits = Limits(max_message_bytes=len(raw))
    assert run([b" " * 1000 + raw + b"\n" * 1000, b" " * 1000, raw], limits) == ([raw, raw], None, 0)


def test_limits_may_change_between_documents_of_one_feed() -> None:
    small, large = b'<message type="logout"/>', move(b"x" * 100)
    framer = Framer(Limits(max_message_bytes=len(small)))
    cut = []
    for document in framer.feed(small + large):
        cut.append(document.raw)
        framer.limits = Limits()
    assert cut == [small, large]


@pytest.mark.parametrize("parts", [1, 3])
def test_depth_and_attributes_are_limited(parts: int) -> None:
    deep = b'<message type="move">' + b"<a>" * 63 + b"</a>" * 63 + b"</message>"
    deeper = b'<message type="move">' + b"<a>" * 64 + b"</a>" * 64 + b"</message>"
    wide = move(b"<a " + b" ".join(b"b%d=''" % n for n in range(64)) + b"/>")
    wider = move(b"<a " + b" ".join(b"b%d=''" % n for n in range(65)) + b"/>")

    def cut(stream: bytes) -> tuple[list[bytes], str | None, int]:
        size = -(-len(stream) // parts)
        return run(stream[at : at + size] for at in range(0, len(stream), size))

    assert cut(deep + wide) == ([deep, wide], None, 0)
    assert cut(deep + deeper)[0] == [deep]
    about = 'message type="move": <a>'
    assert cut(deeper)[1] == f"{about} is nested deeper than 64 levels (max_depth) (at byte 210 of the document)"
    assert cut(wider)[1] == (
        f"{about} has more than 64 attributes (max_attributes): b64 is one more (at byte 484 of the document)"
    )


def test_the_parser_is_given_whole_documents_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser fed in pieces may hold the end of a document back, or read a long token again with every piece."""
    given_to_parser: list[tuple[bytes, bool]] = []

    class Spy:
        """Replaces expat, and passes on what the framer uses of it."""

        def __init__(self, encoding: str) -> None:
            self._parser = ParserCreate(encoding)

        def Parse(self, raw: bytes, final: bool) -> None:
            given_to_parser.append((raw, final))
            self._parser.Parse(raw, final)

    monkeypatch.setattr(wellformed, "ParserCreate", Spy)
    plain, awkward = move(b"a" * 1000), move(b"<!--</message>-->" * 100)
    assert run(bytewise(plain + awkward)) == ([plain, awkward], None, 0)
    assert given_to_parser == [(plain, True), (awkward, True)]


DEEP = b'<message type="move">' + b"<a>" * 64
WIDE = b'<message type="move"><a' + b"".join(b" b%d=''" % number for number in range(65))


@pytest.mark.parametrize(
    ("stream", "reason", "offset"),
    [
        (DEEP, "<a> is nested deeper than 64 levels", len(DEEP) - 3),
        (DEEP[:-3] + b"<b c='>'/>", "<b> is nested deeper than 64 levels", len(DEEP) - 3),
        (WIDE, "<a> has more than 64 attributes (max_attributes): b64 is one more", len(WIDE) - 6),
        (
            WIDE[:-6] + b"\n\tb64 \r\n= '>'",
            "<a> has more than 64 attributes (max_attributes): b64 is one more",
            len(WIDE) - 4,
        ),
        (WIDE[:-1] + b"<", "not well-formed", len(WIDE) - 1),
        (DEEP[:-3] + b"<a", "", 0),
        (WIDE[:-1], "", 0),
        (b"<message><a>'<b ", "", 0),
        (b"<message><a <", "not well-formed", 12),
        (b"<message></a <", "not well-formed", 13),
        (b"<message><a b='<", "not well-formed", 15),
        (b"<message></a>", "mismatched", 11),
        (b"<message><a></message>", "mismatched", 14),
        (b"<message><a></b></message>", "mismatched", 14),
        (b"<message><!-", "", 0),
        (b"<message><!--", "", 0),
        (b"<message><!-- --", "", 0),
        (b"<message><!-- -- ", "not well-formed", 16),
        (b"<!-- ---", "not well-formed", 7),
        (b"<message><!D", "not well-formed", 11),
        (b"<message><!-x", "not well-formed", 12),
        (b"<message><![CDAT!", "not well-formed", 9),
    ],
)
def test_what_is_wrong_shows_at_its_very_byte(stream: bytes, reason: str, offset: int) -> None:
    """It is refused with the byte that shows it, although the document goes on; not earlier, however it comes."""
    for parts in ([stream], bytewise(stream), [stream + b" <rest/> "]):
        _, error, _ = run(parts)
        if reason:
            assert error is not None
            assert reason in error
            assert f"at byte {offset} " in error
        elif parts[-1][-1:] != b" ":
            assert error is None
    assert run(bytewise(stream[:-1]))[1] is None


def test_an_earlier_mistake_goes_first() -> None:
    for stream, reason in (
        (b"<message><a b='' b='' " + WIDE[23:], "duplicate attribute (at byte 17 "),
        (DEEP[:-6] + b"</b>" + b"<a>" * 9, f"mismatched tag (at byte {len(DEEP) - 4} "),
    ):
        for parts in ([stream], bytewise(stream)):
            _, error, _ = run(parts)
            assert error is not None
            assert reason in error


MARKED_UP = Limits(max_markup=8)


@pytest.mark.parametrize("one", [b"<a/>", b"<!---->", b"<?a?>", b"<![CDATA[<]]>", b"<!--=- =-->", b"<a b='=' c='='/>"])
@pytest.mark.parametrize("before", [b"", b"<!-- <a/> -->"])
def test_markup_is_counted_before_anything_else(one: bytes, before: bytes) -> None:
    raw = before + b"<message>" + one * 12 + b"</message>"
    place = min(at for at in (nth(raw, b"<", 8), nth(raw, b"=", 16)) if at)
    for parts in ([raw], bytewise(raw)):
        _, error, _ = run(parts, MARKED_UP)
        assert error is not None
        assert "max_markup is 8" in error
        assert f"at byte {place} " in error
    assert run(bytewise(raw[:place]), MARKED_UP)[1] is None
    assert run([raw], Limits(max_markup=100)) == ([raw], None, 0)


def nth(raw: bytes, byte: bytes, number: int) -> int:
    """Where the byte stands for the time with this number, counted from 0; 0 where it does not."""
    places = [at for at in range(len(raw)) if raw[at : at + 1] == byte]
    return places[number] if len(places) > number else 0


@pytest.mark.parametrize(
    ("stream", "about"),
    [
        (b'<message type="move"><a <', 'message type="move": '),
        (b"<message a = \"type='x'\"\n type='b\"c'><!D", 'message type="b"c": '),
        (b'<message type="' + b"x" * 400 + b'"></a>', 'message type="' + "x" * 57 + '...": '),
        (b'<message type="\xc2\x9b\xe2\x80\xae"></a>', 'message type="\\x9b\\u202e": '),
        (b'<message type="move" type="b"/>', 'message type="move": '),
        (b"<message <", ""),
        (b"<message type='x<", ""),
        (b"<message><", ""),
        (b'<!DOCTYPE a><message type="move">', ""),
    ],
)
def test_a_refusal_names_the_message(stream: bytes, about: str) -> None:
    for parts in ([stream + b"<"], bytewise(stream + b"<")):
        _, error, _ = run(parts)
        if about or not stream.endswith(b"<"):
            assert error is not None
        assert error is None or error.startswith(about or ("not", "a doc", "the "))
        assert error is None or (error.isprintable() and len(error) < 300)


@pytest.mark.parametrize("name", [b"\x1b[2J", "\u202e\x9b".encode(), b"x" * 5000, b"\xff"])
def test_names_in_a_refusal_are_printable_and_short(name: bytes) -> None:
    for stream in (DEEP[:-3] + b"<" + name + b">", WIDE[:-6] + b" " + name + b"=''"):
        _, error, _ = run([stream])
        assert error is not None
        assert error.isprintable()
        assert len(error) < 300


@pytest.mark.parametrize(
    ("said", "excerpt"),
    [
        (b"Unknown message type: error\n", "Unknown message type: error\\n"),
        (b"\x1b[31mred\xc2\x9b \xe2\x80\xae \xff", "\\x1b[31mred\\x9b \\u202e \\\\xff"),
        (b"x" * 500, "x" * 77 + "..."),
        (b"\x01" * 500, "\\x01" * 19 + "\\..."),
        (b"\n <?a?>x", ""),
    ],
)
def test_what_is_no_xml_at_all_is_kept_for_the_log(said: bytes, excerpt: str) -> None:
    framer = Framer()
    for _ in range(2):
        with pytest.raises(WireError) as caught:
            list(framer.feed(said))
        assert caught.value.excerpt == excerpt
        assert len(excerpt) <= 80
        assert not excerpt or excerpt not in str(caught.value)


@pytest.mark.parametrize(
    ("stream", "around"),
    [
        (
            b'<message type="move"><gameId id="g1"/><move><play id=3/></move></message>',
            """, at '3/></move></message>' behind '="move"><gameId id="g1"/><move><play id='""",
        ),
        (b"<message type='move'/><message \0", ", at '\\x00' behind '<message '"),
        (b'<message type="\xe2\x80\xae<"/>', """, at '<"/>' behind '<message type="\\u202e'"""),
        (b"no XML", ""),
        (b"<x/>", ""),
    ],
)
def test_an_error_has_what_is_around_the_mistake(stream: bytes, around: str) -> None:
    framer = Framer()
    for _ in range(2):
        with pytest.raises(WireError) as caught:
            list(framer.feed(stream))
        assert caught.value.around == around
        assert around.isprintable()
        assert not around or around not in str(caught.value)


@STEADY
@given(streams().flatmap(lambda stream: st.tuples(st.just(stream), pieces(stream))))
def test_the_pieces_make_no_difference(case: tuple[bytes, list[bytes]]) -> None:
    stream, parts = case
    whole = run([stream])
    assert run(parts) == whole
    assert run(bytewise(stream)) == whole


@STEADY
@given(streams().flatmap(lambda stream: st.tuples(st.just(stream), pieces(stream))), st.integers(1, 40))
def test_the_pieces_make_no_difference_where_reads_are_full(case: tuple[bytes, list[bytes]], size: int) -> None:
    stream, parts = case
    whole = run([stream])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(framing, "FULL_READ", size)
        assert run([*parts, b""]) == whole, "when nothing more comes, nothing is waited for"


def run_in_steps(stream: bytes, max_step: int) -> tuple[list[bytes], str | None, int]:
    """The same as :func:`run` for a stream that comes whole to a framer that pauses."""
    framer = Framer(Limits(), None, max_step)
    cut: list[bytes] = []
    try:
        cut.extend(document.raw for document in framer.feed(stream))
        while framer.paused:
            cut.extend(document.raw for document in framer.feed(b""))
    except WireError as error:
        return cut, str(error), framer.pending
    return cut, None, framer.pending


@STEADY
@given(streams(), st.integers(16, 200))
def test_steps_make_no_difference(stream: bytes, max_step: int) -> None:
    assert run_in_steps(stream, max_step) == run([stream])


def test_a_framer_that_pauses_reads_no_more_than_a_step_and_says_so() -> None:
    stream = MESSAGES_BEGIN + 5000 * b"<a>b</a>"
    framer = Framer(Limits(), None, 8192)
    pauses = 0
    assert list(framer.feed(stream)) == []
    while framer.paused:
        pauses += 1
        assert list(framer.feed(b"")) == []
    assert pauses == len(stream) // 8192
    assert [document.raw for document in framer.feed(b"</move></message>")] == [stream + b"</move></message>"]
    assert not framer.paused


def test_what_is_beyond_the_limits_behind_a_pause_is_refused_there() -> None:
    stream = MESSAGES_BEGIN + 100 * b"<a></a>"
    with pytest.raises(WireError, match="max_markup") as whole:
        list(Framer(Limits(max_markup=150)).feed(stream))
    framer = Framer(Limits(max_markup=150), None, 64)
    assert list(framer.feed(stream)) == []
    with pytest.raises(WireError, match="max_markup") as stepwise:
        all(not list(framer.feed(b"")) for _ in range(100))
    assert stepwise.value.offset == whole.value.offset


@STEADY
@given(streams().flatmap(lambda stream: st.tuples(st.just(stream), pieces(stream))))
def test_the_pieces_make_no_difference_where_limits_are_tight(case: tuple[bytes, list[bytes]]) -> None:
    stream, parts = case
    tight = Limits(max_message_bytes=150, max_depth=3, max_attributes=2, max_markup=12)
    whole = run([stream], tight)
    assert run(parts, tight) == whole
    assert run(bytewise(stream), tight) == whole


@pytest.mark.no_cover
def test_namespaces_are_those_of_the_reference() -> None:
    """Prefixes are of both kinds; otherwise this would prove little."""
    verdicts: list[bool] = []

    @STEADY
    @given(prefixed())
    def agrees(raw: bytes) -> None:
        verdicts.append(reference.names_are_right(raw))
        cut, error, _ = run([raw])
        assert cut == ([raw] if verdicts[-1] else [])
        assert (error is None) == (cut == [raw])
        assert run(bytewise(raw)) == (cut, error, 0)

    agrees()
    assert 0.05 < sum(verdicts) / len(verdicts) < 0.95


@STEADY
@given(streams())
def test_documents_are_those_of_the_reference(stream: bytes) -> None:
    cut, error, pending = run([stream])
    expected, rest = reference.documents(stream)
    assert cut == expected
    if error is None:
        assert pending == len(rest)


@STEADY
@given(st.lists(st.sampled_from(sorted(WHOLE.values())), max_size=5), st.sampled_from([b"", b"\n", b" \r\n\t"]))
def test_good_documents_are_never_refused(documents: list[bytes], between: bytes) -> None:
    assert run([between.join(documents)]) == (documents, None, 0)


def test_glued_documents_are_held_once() -> None:
    """The buffer drops what has been cut, so that a long run of unfinished input does not grow."""
    framer = Framer()
    raw = move(b"<!--</message>-->")
    held = []
    for start, end in pairwise(range(0, len(raw) * 50, 7)):
        list(framer.feed((raw * 51)[start:end]))
        held.append(framer.pending)
    assert max(held) < len(raw)


HEAVY: dict[str, bytes] = {
    "ill-formed": move(b"<a/>" * 10_000 + b"</b>"),
    "attributes": move(b"<a " + b" ".join(b"b%d=''" % number for number in range(10_000)) + b"/>"),
    "levels": move(b"<a>" * 10_000 + b"</a>" * 10_000),
    "unbound prefix": move(b"<a/>" * 10_000 + b"<b:c/>"),
    "NUL": move(b"<a/>" * 10_000)[:-10] + b"\0",
    "size": move(b"<a/>" * 10_000)[:-10] + b" " * 1024 * 1024,
}


@pytest.mark.no_cover
@pytest.mark.parametrize("stream", HEAVY.values(), ids=HEAVY)
def test_a_refused_stream_keeps_nothing_alive(stream: bytes) -> None:
    """Neither the framer nor its error, which a server may hold for long, keeps the bytes or a parser."""
    run([stream])  # what is made once only, such as compiled patterns
    parsers = living_parsers()
    gc.disable()  # nothing may have to wait for it
    try:
        tracemalloc.start()
        held: list[object] = []
        for _ in range(3):
            framer = Framer()
            with pytest.raises(WireError) as caught:
                list(framer.feed(stream))
            held += [framer, caught.value.with_traceback(None)]
            del caught
        size, _ = tracemalloc.get_traced_memory()
        assert living_parsers() == parsers
    finally:
        tracemalloc.stop()
        gc.enable()
    assert size < 3 * 10_000


LARGE_AND_WHOLE = {
    "at first sight": b'<message type="error">%b</message>' % (b"x" * 50_000),
    "scanned": b'<message type="error">%b</message>' % (b"x" * 900_000),
    "scanned, with a comment in front": b'<!-- --><message type="error">%b</message>' % (b"x" * 900_000),
}


@pytest.mark.parametrize("step", [FULL_READ, 10_000_000], ids=["in pieces", "at once"])
@pytest.mark.parametrize("stream", LARGE_AND_WHOLE.values(), ids=LARGE_AND_WHOLE)
def test_a_stream_that_falls_silent_holds_nothing_of_what_it_has_said(stream: bytes, step: int) -> None:
    """Else thousands of peers could hold a large document each, and seem to hold none."""
    framer = Framer()
    gc.disable()
    try:
        tracemalloc.start()
        for begin in range(0, len(stream), step):
            part = memoryview(stream)[begin : begin + step].tobytes()  # its own bytes, as they come from the network
            for document in framer.feed(part):
                assert document.raw.endswith(b"</message>")
                break  # whoever takes only so many documents in its turn asks for no further one
        del document, part
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert framer.pending == 0
    assert size < 10_000


def living_parsers() -> int:
    return sum(isinstance(thing, XMLParserType) for thing in gc.get_objects())


def test_the_error_itself_reaches_no_parser_and_no_bytes() -> None:
    framer = Framer()
    stream = HEAVY["ill-formed"]
    with pytest.raises(WireError) as caught:
        list(framer.feed(stream))
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    ours = [
        frame.f_locals
        for frame, _ in traceback.walk_tb(caught.value.__traceback__)
        if "ugs" in frame.f_code.co_filename
    ]
    assert ours
    assert not [value for found in ours for value in found.values() if isinstance(value, bytes | XMLParserType)]


@pytest.mark.parametrize("name", ["attributes", "levels"])
@pytest.mark.parametrize("before", [b"", b"<b/>" * 500], ids=["at once", "later"])
def test_what_is_beyond_the_limits_is_hardly_parsed(monkeypatch: pytest.MonkeyPatch, name: str, before: bytes) -> None:
    """Nothing stops a parser once it runs, so it is given only the beginning."""
    parsed: list[int] = []

    class Spy:
        """Replaces expat, and counts the bytes."""

        def __init__(self, encoding: str) -> None:
            self.__dict__["parser"] = ParserCreate(encoding)

        def __getattr__(self, name: str) -> object:
            return getattr(self.__dict__["parser"], name)

        def __setattr__(self, name: str, value: object) -> None:
            setattr(self.__dict__["parser"], name, value)

        def Parse(self, raw: bytes, final: bool) -> None:
            parsed.append(len(raw))
            self.__dict__["parser"].Parse(raw, final)

    monkeypatch.setattr(wellformed, "ParserCreate", Spy)
    stream = HEAVY[name].replace(b"<a", before + b"<a", 1)
    cut, error, _ = run([stream])
    assert cut == []
    assert error is not None
    assert "64" in error
    place = stream.index(b"<a") + 3 * 62 if name == "levels" else stream.index(b"b64")
    assert f"at byte {place} " in error
    assert sum(parsed) < 20_000


# A document at the end of a full read is mostly whole with the next one.


def full_read(begin: bytes, document: bytes) -> tuple[bytes, bytes]:
    """A full read that ends in the middle of this document, and the rest of it. Before it stand documents that begin
    with ``begin``."""
    filler = MOVE * (FULL_READ // len(MOVE) + 1)
    keep = FULL_READ - len(document) // 2
    whole = keep // len(MOVE) * len(MOVE)
    stream = filler[:whole] + b" " * (keep - whole) + document
    return stream[:FULL_READ], stream[FULL_READ:]


MOVE = b'<message type="move"><gameId id="g1"/><move>%b</move></message>' % (b"<a/>" * 50)


@pytest.mark.parametrize("document", [MOVE, b'<?xml version="1.0" encoding="UTF-8"?>' + MOVE])
def test_it_is_cut_when_the_rest_has_come(document: bytes) -> None:
    first, rest = full_read(document, document)
    framer = Framer()
    cut = [one.raw for one in framer.feed(first)]
    assert set(cut) == {MOVE}
    assert framer.pending
    assert framer._scanner is None, "nobody has read it yet"
    assert [one.raw for one in framer.feed(rest + MOVE)] == [document, MOVE]
    assert not framer.pending


def test_it_is_read_when_more_than_the_rest_comes_and_it_is_still_not_whole() -> None:
    long = b'<message type="move"><gameId id="g1"/><move>' + b"x" * 3 * FULL_READ
    framer = Framer()
    for begin in range(0, len(long), FULL_READ):
        assert list(framer.feed(long[begin : begin + FULL_READ])) == []
    assert framer._scanner is not None
    assert [one.raw for one in framer.feed(b"</move></message>")] == [long + b"</move></message>"]


def test_what_is_wrong_with_it_is_said_as_ever() -> None:
    wrong = MOVE.replace(b"<a/>", b"<a>", 1)
    first, rest = full_read(wrong, wrong)
    with pytest.raises(WireError) as whole:
        list(Framer().feed(wrong))
    framer = Framer()
    list(framer.feed(first))
    with pytest.raises(WireError) as in_two:
        list(framer.feed(rest))
    assert str(in_two.value) == str(whole.value)


def test_nothing_is_lost_when_nothing_more_comes_for_now() -> None:
    first, rest = full_read(MOVE, MOVE)
    framer = Framer()
    list(framer.feed(first))
    assert list(framer.feed(b"")) == []
    assert [one.raw for one in framer.feed(rest)] == [MOVE]


@pytest.mark.parametrize("rest", [b"", b"<", MESSAGES_BEGIN, b"no document\0" * 20])
@pytest.mark.parametrize("whole", [True, False])
def test_what_belongs_to_no_document_yet_is_given_away_once(rest: bytes, whole: bool) -> None:
    first = move(b"first")
    framer = Framer()
    for part in [first + rest] if whole else [first[:9], first[9:] + rest]:
        for document in framer.feed(part):
            assert document.raw == first
            assert framer.take_rest() == rest
            assert framer.pending == 0
            break
    assert framer.take_rest() == b""
