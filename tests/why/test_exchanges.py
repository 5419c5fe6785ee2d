"""Entries as documents."""

from dataclasses import replace

import pytest

from tests.why.records import BEGIN, RUNNING, entry, over
from ugs.broker.record import EntryKind
from ugs.record.game import Entry
from ugs.why.exchanges import SAID, exchanges

Seen = tuple[str, tuple[str, ...], bytes]


def seen(*entries: Entry) -> list[Seen]:
    """Who said what to whom in a game of these entries."""
    found = exchanges(replace(RUNNING, entries=entries))
    return [(exchange.sender, exchange.receivers, exchange.document) for exchange in found]


def test_a_whole_game_is_the_documents_that_were_exchanged() -> None:
    assert [(one.sender, one.receivers, one.document) for one in exchanges(over())] == [
        (
            "server",
            ("master m",),
            b'<message type="beginGame"><gameId id="g1"/><player nick="ann"/><player nick="bob"/></message>',
        ),
        (
            "master m",
            ("ann", "bob"),
            b'<message type="gameState"><gameId id="g1"/><nextPlayer nick="ann"/><gameState>1</gameState></message>',
        ),
        ("ann", ("master m",), b'<message type="move"><gameId id="g1"/><move>a</move></message>'),
        (
            "master m",
            ("ann", "bob"),
            b'<message type="gameState"><gameId id="g1"/><nextPlayer nick="bob"/><gameState>2</gameState></message>',
        ),
        ("bob", ("server",), b""),
        (
            "server",
            ("master m",),
            b'<message type="playerLeftGame"><player nick="bob"/><gameId id="g1"/></message>',
        ),
        (
            "master m",
            ("ann",),
            b'<message type="gameState"><gameId id="g1"/><gameOver><player nick="ann" result="winner"/>'
            b'<player nick="bob" result="loser"/></gameOver><gameState/></message>',
        ),
    ]


def test_each_exchange_says_which_entry_it_is_and_when() -> None:
    third = exchanges(RUNNING)[2]
    assert (third.entry, third.wall_us - RUNNING.began_us, third.since_begin_us) == (3, 5_000, 5_000)


@pytest.mark.parametrize(("last", "count"), [(None, 7), (0, 0), (1, 1), (3, 3), (100, 7)])
def test_the_last_ones_are_the_last_ones(last: int | None, count: int) -> None:
    assert exchanges(over(), last) == exchanges(over())[7 - count :]


@pytest.mark.parametrize("body", [b"<move>\xc3\xbc &#x20ac; <![CDATA[ </move> ]]></move>", b"<move\n a='1'/>"])
def test_payloads_are_shown_byte_for_byte(body: bytes) -> None:
    ((_, _, document),) = seen(entry(EntryKind.MOVE, 1, seat=1, body=body))
    assert document == b'<message type="move"><gameId id="g1"/>' + body + b"</message>"


def test_a_result_without_a_payload_was_said_by_the_server() -> None:
    ((sender, receivers, document),) = seen(entry(EntryKind.OVER, 1, audience=0b10, text="1:winner 0:loser"))
    assert (sender, receivers) == ("server", ("bob",))
    assert b'<player nick="bob" result="winner"/><player nick="ann" result="loser"/>' in document


@pytest.mark.parametrize(
    ("cause", "first"),
    [
        ("left", ("bob", ("server",), b'<message type="leaveGame"><gameId id="g1"/></message>')),
        ("logout", ("bob", ("server",), b'<message type="logout"/>')),
        ("connection lost", ("bob", ("server",), b"")),
    ],
)
def test_a_leaver_says_what_the_cause_says_and_the_master_is_told(cause: str, first: Seen) -> None:
    told = b'<message type="playerLeftGame"><player nick="bob"/><gameId id="g1"/></message>'
    assert seen(entry(EntryKind.LEFT, 1, seat=1, text=cause)) == [first, ("server", ("master m",), told)]


def test_a_player_is_removed_by_the_master_who_need_not_be_told() -> None:
    told = b'<message type="playerLeftGame"><player nick="bob"/><gameId id="g1"/></message>'
    assert seen(entry(EntryKind.LEFT, 1, seat=1, text="removed")) == [("master m", ("server",), told)]


@pytest.mark.parametrize(("seat", "who"), [(0, "ann"), (None, "master m")])
def test_errors_go_both_ways(seat: int | None, who: str) -> None:
    said = entry(EntryKind.ERROR, 1, seat=seat, text="why & how?")
    told = entry(EntryKind.REFUSED, 2, seat=seat, text="not your turn")
    assert seen(said, told) == [
        (who, ("server",), b'<message type="error">why &amp; how?</message>'),
        ("server", (who,), b'<message type="error">not your turn</message>'),
    ]


def test_a_lost_master_is_an_event_without_a_document() -> None:
    (lost,) = exchanges(replace(RUNNING, entries=(entry(EntryKind.AWAY, 1),)))
    assert (lost.sender, lost.document, lost.note) == ("master m", b"", "connection lost")


def test_a_payload_that_is_no_element_is_shown_alone() -> None:
    (broken,) = exchanges(replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=b"\xff"),)))
    assert broken.document == b"\xff"
    assert "payload alone" in broken.note


def test_every_kind_of_entry_is_known() -> None:
    assert set(SAID) == set(EntryKind)
    assert exchanges(replace(RUNNING, entries=())) == []
    assert len(exchanges(replace(RUNNING, entries=(BEGIN,)))) == 1
