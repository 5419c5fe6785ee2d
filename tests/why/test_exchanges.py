"""Entries as documents."""

from dataclasses import replace

import pytest

from tests.why.records import BEGIN, RUNNING, entry, over
from ugs.broker.values.record import EntryKind
from ugs.record.game import Entry
from ugs.sketch.refusal import refused
from ugs.why.exchanges import EXCHANGES, exchanges

Seen = tuple[str, tuple[str, ...], bytes]


def seen(*entries: Entry) -> list[Seen]:
    """Who said what to whom in a game with these entries."""
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


def test_a_player_whose_move_was_refused_is_taken_out_by_the_server() -> None:
    out = b'<message type="playerLeftGame"><player nick="bob"/><gameId id="g1"/></message>'
    found = seen(entry(EntryKind.FAULT, 1, seat=1), entry(EntryKind.LEFT, 1, seat=1, text="illegal move"))
    assert found[1:] == [("server", ("master m",), out)]
    by_master = seen(entry(EntryKind.FAULT, 1, seat=0), entry(EntryKind.LEFT, 1, seat=1, text="illegal move"))
    assert by_master[1:] == [("master m", ("server",), out)]


def test_the_reason_in_the_place_of_a_refused_sketch_is_the_servers() -> None:
    body = refused("grid columns '100': too many")
    (common, own) = seen(entry(EntryKind.SKETCH, 1, body=body), entry(EntryKind.OWNSKETCH, 1, audience=0b10, body=body))
    assert [common[:2], own[:2]] == [("server", ("ann", "bob")), ("server", ("bob",))]


def test_who_comes_back_asks_for_it_and_the_master_is_told() -> None:
    asked = b'<message type="x-rejoin"><gameId id="g1"/></message>'
    told = b'<message type="x-rejoined"><gameId id="g1"/><player nick="bob"/></message>'
    assert seen(entry(EntryKind.REJOINED, 1, seat=1)) == [
        ("bob", ("server",), asked), ("server", ("master m",), told),
    ]  # fmt: skip


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


def state_for(nick: str, payload: str) -> bytes:
    """A gameState that names this player."""
    head = f'<message type="gameState"><gameId id="g1"/><nextPlayer nick="{nick}"/>'
    return f"{head}<gameState>{payload}</gameState></message>".encode()


def test_of_several_who_may_move_each_is_named_to_itself() -> None:
    both = entry(EntryKind.STATE, 1, seat=1, audience=0b11, text="1 0", body=b"<gameState>1</gameState>")
    assert seen(both) == [
        ("master m", ("ann",), state_for("ann", "1")),
        ("master m", ("bob",), state_for("bob", "1")),
    ]
    assert exchanges(replace(RUNNING, entries=(both,)))[0].note == "bob, ann may move"


def test_who_may_not_move_is_told_the_first_who_may() -> None:
    both = entry(EntryKind.STATE, 1, seat=1, audience=0b111, text="1 2", body=b"<gameState>1</gameState>")
    found = exchanges(replace(RUNNING, seats=("ann", "bob", "cat"), entries=(both,)))
    assert [(one.receivers, one.document) for one in found] == [
        (("ann", "bob"), state_for("bob", "1")),
        (("cat",), state_for("cat", "1")),
    ]


def test_unknown_movers_are_skipped() -> None:
    wild = entry(EntryKind.STATE, 1, seat=0, audience=1, text="7 -1", body=b"<gameState>1</gameState>")
    assert seen(wild) == [("master m", ("ann",), state_for("master m", "1"))]


def test_a_state_with_views_is_as_many_documents_and_the_views_are_none_of_their_own() -> None:
    view = entry(EntryKind.VIEW, 1, audience=0b01, body=b"<gameState>ann</gameState>")
    state = entry(EntryKind.STATE, 1, seat=0, audience=0b10, body=b"<gameState>all</gameState>")
    found = exchanges(replace(RUNNING, entries=(view, state)))
    assert [(one.entry, one.receivers, one.document, one.note) for one in found] == [
        (2, ("bob",), state_for("ann", "all"), "for all others"),
        (2, ("ann",), state_for("ann", "ann"), "a view of their own"),
    ]
    alone = exchanges(replace(RUNNING, entries=(view, replace(state, audience=0))))
    assert (alone[0].receivers, alone[0].document) == ((), state_for("ann", "all")), "it is what spectators see"


def test_a_result_may_have_views_too() -> None:
    view = entry(EntryKind.VIEW, 1, audience=0b01, body=b"<gameState>ann</gameState>")
    over = entry(EntryKind.OVER, 1, audience=0b10, text="0:winner", body=b"<gameState>all</gameState>")
    assert [(receivers, b">ann<" in document) for _, receivers, document in seen(view, over)] == [
        (("bob",), False),
        (("ann",), True),
    ]


def test_a_new_master_is_the_one_who_speaks_from_then_on() -> None:
    state = entry(EntryKind.STATE, 9, seat=0, audience=1, body=b"<gameState>1</gameState>")
    away, restored = entry(EntryKind.AWAY, 1), entry(EntryKind.RESTORED, 2, text="successor")
    assert [(sender, receivers) for sender, receivers, _ in seen(away, restored, state, away)] == [
        ("master m", ("server",)),
        ("server", ("master successor",)),
        ("master successor", ("ann",)),
        ("master successor", ("server",)),
    ]


def test_a_line_that_is_cut_and_mended_is_told_without_a_document() -> None:
    found = exchanges(replace(RUNNING, entries=(entry(EntryKind.CUT, 1, seat=1), entry(EntryKind.BACK, 2, seat=1))))
    assert [(one.sender, one.document, one.note) for one in found] == [
        ("bob", b"", "connection lost; the seat waits"),
        ("bob", b"", "is back"),
    ]


def test_the_names_of_the_seats_are_a_document() -> None:
    ((sender, receivers, document),) = seen(entry(EntryKind.LABELS, 1, text='[["ann", "red", "human"]]'))
    assert (sender, receivers) == ("master m", ("server",))
    assert document.startswith(b'<message type="x-labels"><gameId id="g1"/><seat nick="ann" label="red" kind="human"/>')
    (odd,) = exchanges(replace(RUNNING, entries=(entry(EntryKind.LABELS, 1, text="odd"),)))
    assert (odd.document, odd.note) == (b"", "odd")


def test_a_game_at_a_table_begins_with_its_options_and_seats() -> None:
    game = replace(RUNNING, entries=(BEGIN,), options={"width": "9"}, seats_total=3)
    (begin,) = exchanges(game)
    assert b'<option name="width" value="9"/><seats total="3"/>' in begin.document


def test_a_game_with_a_set_up_begins_with_it() -> None:
    game = replace(over(), entries=(BEGIN, entry(EntryKind.SETUP, 1, text="players = 2"), *over().entries[1:]))
    assert b"<setup>players = 2</setup></message>" in exchanges(game)[0].document
    assert len(exchanges(game)) == len(exchanges(over()))


def test_a_payload_that_is_no_element_is_shown_alone() -> None:
    (broken,) = exchanges(replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=b"\xff"),)))
    assert broken.document == b"\xff"
    assert "payload alone" in broken.note


def test_every_kind_of_entry_is_known() -> None:
    assert set(EXCHANGES) == set(EntryKind)
    assert exchanges(replace(RUNNING, entries=())) == []
    assert len(exchanges(replace(RUNNING, entries=(BEGIN,)))) == 1
