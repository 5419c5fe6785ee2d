"""What is passed over at a glance is what reading token by token would give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.strategies import STEADY
from ugs.wire.document_limits import Limits
from ugs.wire.lexer import ENDS, MESSAGE_END, MESSAGE_START, SLASH, START, STARTS, TOKEN, plain_block

LIMITS = Limits(max_depth=20, max_attributes=4)


def walked(raw: bytes, depth: int) -> tuple[int, int] | None:
    """Read all of the bytes token by token. Return the highest and the last depth; None if that is not possible."""
    highest, position = depth, 0
    for token in TOKEN.finditer(raw):
        kind = token.lastindex
        if b"<" in raw[position : token.start()] or kind not in (START, *ENDS):
            return None
        position = token.end()
        depth += {True: 1, False: -1}[kind in STARTS]
        highest = max(highest, depth)
        depth -= kind in STARTS and raw[position - 2] == SLASH
        if depth < 1 or kind in (MESSAGE_START, MESSAGE_END) or token[0].count(b"=") > LIMITS.max_attributes:
            return None
    return highest, depth


TOKENS = st.sampled_from(
    [
        *(
            b"<a>",
            b"</a>",
            b"<a/>",
            b"<a b='c' d=\"e\"/>",
            b"<a b='/'>",
            b"</a >",
            b"text ",
            b"\n",
            b"=",
            b"/",
            b"<a></a>",
        ),
        *(
            b"<a b='>'>",
            b"<a b='/>'/>",
            b"it's",
            b'say "x"',
            b'""',
            b">",
            b"/>",
            b"</a/>",
            b"</>",
            b"<>",
            b"<a b=''c=''/>",
        ),
        *(
            b"<!---->",
            b"<![CDATA[</a>]]>",
            b"<?a?>",
            b"<message>",
            b"</message>",
            b"<messages/>",
            b"\1",
            b"\2",
            b"\1\2",
        ),
        *(
            b"<a b='",
            b"'>",
            b"<",
            b"<a " + b"b='' " * 5 + b"/>",
            b"<a>" * 9,
            b"</a>" * 9,
            b'<a b="\'"/>',
            b"</a'>",
            b'<"">',
        ),
    ]
)
PLAIN = b"<row a='1'><cell b=\"2\"/>text</row>" * 20


@STEADY
@given(st.lists(TOKENS, max_size=6), st.lists(TOKENS, max_size=6), st.integers(1, 20))
def test_a_block_is_what_its_tokens_are(before: list[bytes], behind: list[bytes], depth: int) -> None:
    raw = b"".join([*before, PLAIN, *behind])
    end, after = plain_block(raw, 0, len(raw), depth, LIMITS)
    if end:
        assert raw.startswith(b"<", end)
        found = walked(raw[:end], depth)
        assert found is not None
        highest, last = found
        assert highest <= LIMITS.max_depth
        assert last == after
    else:
        assert after == depth


@pytest.mark.parametrize(
    ("inside", "depth", "goes"),
    [
        (b"", 5, True),
        (b"<a>" * 5, 5, True),
        (b"</a>" * 4, 5, True),
        (b"</a>" * 5, 5, False),
        (b"<a>" * 5 + b"</a>" * 5, 5, True),
        (b"<a>" * 9 + b"</a>" * 9, 5, False),
        (b"", 19, False),
        (b"<a " + b"b='' " * 4 + b"/>", 5, True),
        (b"<a " + b"b='' " * 5 + b"/>", 5, False),
        (b"<a " + b"b='' " * 4 + b'c=""/>', 5, False),
        (b"<a xmlns:b='" + b"u" * 128 + b"'/>", 5, True),
        (b"<a xmlns:b='" + b"u" * 129 + b"'/>", 5, False),
        (b"it's", 5, False),
        (b"->", 5, False),
        (b"<!---->", 5, False),
        (b"<?a?>", 5, False),
        (b"\1", 5, False),
        (b"a/b: c = d", 5, True),
        (b"<a b='/'/>", 5, False),
        (b"<a/b>", 5, False),
        (b"<a / >", 5, False),
        (b"</a/>", 5, False),
        (b"</><a/b>", 5, False),
        (b"<a/''>", 5, False),
        (b"<a <b/> >", 5, False),
        (b"< /a>", 5, False),
        (b"<a b='' / c=''>", 5, False),
        (b"<a b='' /c>", 5, False),
        (b"<a b='\"\"'/>", 5, True),
        (b"<a b=\"''\"/>", 5, False),
        (b"<a b='><b c='>", 5, False),
    ],
)
def test_plain_tags_are_passed_over_and_nothing_else(inside: bytes, depth: int, goes: bool) -> None:
    raw = PLAIN + inside + PLAIN
    end, _ = plain_block(raw, 0, len(raw), depth, LIMITS)
    assert end == (raw.rindex(b"<") if goes else 0)


def test_a_nested_message_is_left_to_be_read() -> None:
    for tag in (b"<message>", b"</message>"):
        assert plain_block(PLAIN + tag, 0, len(PLAIN + tag), 5, LIMITS) == (len(PLAIN), 5)


def test_little_is_not_worth_a_look() -> None:
    assert plain_block(PLAIN, 0, 100, 5, LIMITS) == (0, 5)
