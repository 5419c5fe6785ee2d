"""The extensions on the wire: what is written, what is read, what is ignored, and what is refused."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given

from tests.wire.extension_samples import EXTENSION_MESSAGES, LENIENT_EXTENSIONS, WRONG_EXTENSIONS
from tests.wire.extension_strategies import EXTENSION, changed, strange
from tests.wire.strategies import STEADY
from ugs.wire import extensions as x
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.escaping import written_name
from ugs.wire.extension_codec import SHAPES_OF_EXTENSIONS
from ugs.wire.extensions.chat import MAX_RECIPIENTS
from ugs.wire.extensions.common_parts import MAX_SEATS
from ugs.wire.framing import Framer
from ugs.wire.messages import BeginGame, Choice, Extension, PlayerResult, Result

every_message = pytest.mark.parametrize(("raw", "message"), EXTENSION_MESSAGES.values(), ids=list(EXTENSION_MESSAGES))
every_lenient = pytest.mark.parametrize(("raw", "message"), LENIENT_EXTENSIONS.values(), ids=list(LENIENT_EXTENSIONS))
every_wrong = pytest.mark.parametrize(("raw", "beginning"), WRONG_EXTENSIONS.values(), ids=list(WRONG_EXTENSIONS))


@every_message
def test_an_extension_is_read(raw: bytes, message: Extension) -> None:
    assert decode(raw) == message
    assert decode(DECLARATION + raw) == message


@every_message
def test_an_extension_is_written(raw: bytes, message: Extension) -> None:
    assert encode(message) == raw


@every_lenient
def test_what_is_unknown_in_an_extension_is_ignored(raw: bytes, message: Extension) -> None:
    assert decode(raw) == message
    assert decode(encode(message)) == message


@every_wrong
def test_a_wrong_extension_is_named(raw: bytes, beginning: str) -> None:
    with pytest.raises(WrongMessage) as caught:
        decode(raw)
    said = str(caught.value)
    assert said.startswith(beginning)
    assert "\n" not in said
    assert len(said) < 400
    assert caught.value.kind.startswith("x-")


@pytest.mark.parametrize(
    ("raw", "kind", "ref"),
    [
        (b'<message type="x-join" ref="r&amp;5"/>', "x-join", "r&5"),
        (b'<message ref="5" type="x-views"><gameId id="g"/></message>', "x-views", "5"),
        (b'<message type="x-nonsense" ref="5"/>', "x-nonsense", "5"),
        (b'<message type="x-join"/>', "x-join", ""),
        (b'<message type="logout" ref="5"/>', "logout", "5"),
        (b'<message ref="5"/>', "", "5"),
        (b'<message type="gameState"><gameId id="g"/><gameState/></message>', "gameState", ""),
        (b'<message type="loginResponse"><response accept="no"/></message>', "loginResponse", ""),
    ],
)
def test_a_wrong_message_tells_its_type_and_its_reference(raw: bytes, kind: str, ref: str) -> None:
    with pytest.raises(WrongMessage) as caught:
        decode(raw)
    assert (caught.value.kind, caught.value.ref) == (kind, ref)


def test_every_extension_has_a_sample_and_a_type_of_its_own() -> None:
    classes = {cls for cls in vars(x).values() if isinstance(cls, type) and issubclass(cls, Extension)} - {Extension}
    assert {form.cls for form in x.EXTENSIONS.values()} == classes
    assert {type(message) for _, message in EXTENSION_MESSAGES.values()} == classes
    assert len(x.EXTENSIONS) == len(classes)
    assert all(kind.startswith("x-") for kind in x.EXTENSIONS)
    assert set(SHAPES_OF_EXTENSIONS) == set(x.EXTENSIONS)


@STEADY
@given(EXTENSION)
def test_what_is_written_is_read_back(message: Extension) -> None:
    raw = encode(message)
    assert [document.raw for document in Framer().feed(raw)] == [raw]
    assert decode(raw) == message


@STEADY
@given(strange())
def test_strange_things_outside_payloads_mean_nothing(documents: tuple[bytes, bytes]) -> None:
    plain, dressed = documents
    assert [document.raw for document in Framer().feed(dressed)] == [dressed]
    assert decode(dressed) == decode(plain)


@STEADY
@given(changed())
def test_whatever_is_read_can_be_written_and_means_the_same(raw: bytes) -> None:
    with suppress(WrongMessage):
        message = decode(raw)
        assert decode(encode(message)) == message


def test_payloads_are_passed_on_byte_for_byte() -> None:
    move = "<move xmlns:p='u' p:b='1'  a=\"&#x20;\"\n><!-- c --><![CDATA[<]]>&lt;ż\r\n</move >".encode()
    state = move.replace(b"move", b"gameState")
    for message in (
        x.Moved("g", "a", move),
        x.Restore("g", (), (), 0, "", (x.PastMove("a", move), x.PastMove("b", move))),
        x.Views("g", ("a",), (), (x.View("a", state), x.View("", state))),
        x.Watching("g", "t", 1, (), state=state),
        x.GameEvent("g", 1, 0, x.EventKind.STATE, state=state),
    ):
        raw = encode(message)
        assert move in raw or state in raw
        assert decode(raw) == message


@pytest.mark.parametrize("payload", [b"<move/>", b"<move />", b"<move\n></move>", b"<move\ta='b'>c</move\r>"])
def test_a_payload_may_stand_in_an_element_whose_name_begins_alike(payload: bytes) -> None:
    message = x.Restore("g", (), (), 0, "", (x.PastMove("a", payload), x.PastLeft("b", ""), x.PastMove("c", payload)))
    assert decode(encode(message)) == message


def test_what_happened_keeps_its_order() -> None:
    happened = (x.PastLeft("a", "quit"), x.PastMove("b", b"<move/>"), x.PastLeft("b", "timeout"))
    raw = encode(x.Restore("g", ("a", "b"), (), 0, "", happened))
    restored = decode(raw)
    assert isinstance(restored, x.Restore)
    assert restored.happened == happened


@pytest.mark.parametrize(
    "message",
    [
        x.Ok("\0"),
        x.Hello(("\x0b",)),
        x.Join("\ud800"),
        x.Session("s", "\uffff", False, 1),
        x.Advertise(x.NewTable("t", 2, x.Visibility.PUBLIC, options=(Choice("a", "\x1f"),))),
        x.Views("g", (), (PlayerResult("\ufffe", Result.WINNER),), ()),
    ],
)
def test_an_attribute_that_xml_cannot_hold_is_a_mistake_of_ours(message: Extension) -> None:
    with pytest.raises(ValueError, match="XML cannot hold"):
        encode(message)


def test_text_for_people_is_made_fit_for_xml() -> None:
    assert decode(encode(x.Say((), "", "nul \0 half \ud800"))) == x.Say((), "", "nul � half �")
    assert decode(encode(x.Failed(x.RefusalReason.NO_MASTER, "\x1b"))) == x.Failed(x.RefusalReason.NO_MASTER, "�")
    assert decode(encode(x.Seats("t", "\r\n", ()))) == x.Seats("t", "\r\n", ())


_WATCHING = x.Watching("g", "t", 1, ())
_TURN = x.Views("g", ("a",), (), ())


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (x.Session("s", "a", False, -1), "grace_s is '-1', not a number of at least 0"),
        (x.Session("s", "a", False, float("inf")), "grace_s is 'inf'"),
        (x.Session("s", "a", False, float("nan")), "grace_s is 'nan'"),
        (x.Session("s", "a", False, 1e12), "grace_s is '1000000000000'"),
        (x.Clock("g", (x.ClockInfo("a", round_trip_ms=-0.5),)), "round_trip_ms is '-0.5'"),
        (x.Advertise(x.NewTable("t", -1, x.Visibility.PUBLIC)), "seats is '-1', not a whole number from 0"),
        (x.Offers((x.OfferedOption("a", "1", least=-(10**18)),)), "least is '-1000000000000000000'"),
        (replace(_WATCHING, number=10**18), "number is '1000000000000000000'"),
        (replace(_WATCHING, state=b" <gameState/>"), "state: the payload does not begin with <gameState>"),
        (replace(_WATCHING, state=b"<gameStates/>"), "state: the payload does not begin with <gameState>"),
        (replace(_WATCHING, state=b"<move/>"), "state: the payload does not begin with <gameState>"),
        (x.Moved("g", "a", b""), "payload: the payload does not begin with <move>"),
        (x.Moved("g", "a", b"<move"), "payload: the payload does not begin with <move>"),
        (x.Moved("g", "a", b"<moved><move/></moved>"), "payload: the payload does not begin with <move>"),
        (replace(_TURN, views=(x.View("a", b"<state/>"),)), "payload: the payload does not begin with <gameState>"),
        (replace(_TURN, next_players=()), "x-views: <nextPlayer> and <gameOver> are both missing"),
        (
            replace(_TURN, game_over=(PlayerResult("a", Result.WINNER),)),
            "x-views: <nextPlayer> and <gameOver> are both present",
        ),
    ],
)
def test_what_decode_would_refuse_is_not_written(message: Extension, words: str) -> None:
    with pytest.raises(ValueError, match="^" + words.replace("(", r"\(")):
        encode(message)


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, b"0"),
        (0.0, b"0"),
        (100.0, b"100"),
        (0.5, b"0.5"),
        (1 / 3, b"0.333333"),
        (1e-9, b"0"),
        (999_999_999_999, b"999999999999"),
    ],
)
def test_seconds_are_written_without_exponent_or_needless_zeros(seconds: float, written: bytes) -> None:
    assert b'graceSec="' + written + b'"' in encode(x.Session("s", "a", False, seconds))


def test_nothing_is_below_zero_by_less_than_is_written() -> None:
    """Differences of clocks may be slightly below zero."""
    assert b'graceSec="0"' in encode(x.Session("s", "a", False, -1e-9))
    assert b'leftSec="0"' in encode(x.Clock("g", (x.ClockInfo("a", -1e-9),)))


def test_what_a_peer_may_choose_at_any_length_is_not_kept_in_memory() -> None:
    kept = written_name.cache_info().currsize
    for number in range(10):
        encode(x.Pong(f"never said before, {number}"))
        encode(BeginGame("g", ("ann",), (Choice(f"never said before, {number}", ""),)))
    assert written_name.cache_info().currsize <= kept + 2


def test_many_elements_are_read_in_their_order() -> None:
    nicks = tuple(f"p{number}" for number in range(MAX_SEATS))
    to = nicks[:MAX_RECIPIENTS]
    assert decode(encode(x.Say(to, "", "all"))) == x.Say(to, "", "all")
    labels = tuple([x.Label(nick, "", x.SeatKind.HUMAN) for nick in nicks])
    assert decode(encode(x.Labels("g", labels))) == x.Labels("g", labels)
