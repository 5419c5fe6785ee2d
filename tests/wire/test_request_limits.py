"""What peers say to the server has limits: lists, texts, and what is unknown. Codec and schemas hold the same ones."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.wire.extension_samples import EXTENSION_MESSAGES
from tests.wire.samples import MESSAGES
from ugs.wire import extensions as x
from ugs.wire.codec import ONLY_FROM_SERVERS, WrongMessage, decode, decode_sent, encode
from ugs.wire.extension_codec import SHAPES_OF_EXTENSIONS
from ugs.wire.messages import (
    Choice,
    Error,
    Extension,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)
from ugs.wire.schema import MessageSchemas
from ugs.wire.shapes import SHAPES, Shape
from ugs.wire.text_limits import MAX_REF

N64, N128, N1024, N4096, N65536 = ("n" * size for size in (64, 128, 1024, 4096, 65_536))
NICKS = tuple(f"p{number}" for number in range(4096))
STATE = b"<gameState/>"


def table(name: str = "t", options: tuple[Choice, ...] = (), invited: tuple[str, ...] = ()) -> x.Advertise:
    return x.Advertise(x.NewTable(name, 2, x.Visibility.PUBLIC, 0, options, invited))


def views(nick: str = "", over: str = "a") -> x.Views:
    return x.Views("g", (), (PlayerResult(over, Result.WINNER),), (x.View(nick, STATE),))


LARGEST: dict[str, Extension] = {
    "ref": x.Ping(N128),
    "ref of a greeting": x.Hello((), ref=N128),
    "families": x.Hello(NICKS[:64]),
    "family": x.Hello((N128,)),
    "program": x.Hello((), N1024, N1024),
    "token": x.Resume(N128),
    "game": x.Resend(N128),
    "seat that was left": x.Rejoin(N128, N128, N128),
    "table": x.Join(N128),
    "name of a table": table(N1024),
    "options": table(options=tuple([Choice(nick, "") for nick in NICKS[:128]])),
    "option": table(options=(Choice(N128, N1024),)),
    "invitations": table(invited=NICKS[:1024]),
    "invitation": table(invited=(N64,)),
    "recipients": x.Say(NICKS[:128], "", "text"),
    "recipient": x.Say((N64,), "", "text"),
    "table of a text": x.Say((), N128, "text"),
    "text": x.Say((), "t", N65536),
    "what a spectator asks": x.Watch(N128, N64, nick=N64),
    "what a spectator leaves": x.Unwatch(N128, N64),
    "games of a type": x.ListGames(N64),
    "offers": x.Offers(tuple([x.OfferedOption(nick, "") for nick in NICKS[:128]])),
    "set-up": x.Offers((), "y" * 65_536),
    "offer": x.Offers((x.OfferedOption(N128, N1024, N4096),)),
    "labels": x.Labels("g", tuple([x.Label(nick, "", x.SeatKind.HUMAN) for nick in NICKS])),
    "label": x.Labels("g", (x.Label(N64, N128, x.SeatKind.HUMAN),)),
    "views": x.Views("g", NICKS, (), tuple([x.View(nick, STATE) for nick in NICKS])),
    "view": views(N64),
    "result": views(over=N64),
    "results": x.Views("g", (), tuple([PlayerResult(nick, Result.LOSER) for nick in NICKS]), ()),
    "mover": x.Views("g", (N64,), (), ()),
    "fault": x.RefusedMove(N128, N64, "c" * 64, N1024),
    "reason": x.Because(N128, "c" * 64, N1024, N64),
    "remark": x.Remark("g", None, "p" * 2048),
    "line of a remark": x.Remark("g", line="p" * 2048),
    "marks": x.Remark("g", marks=tuple([x.BoardMark("m")] * 32)),
    "sketch": x.Sketch(N128, b"<sketch/>", N64),
    "question": x.Why(N128, N64, N128, ref=N128),
    "why a master cannot": x.Failed(x.RefusalReason.NO_MASTER, N65536, N128),
}
"""The largest messages of their kind: with one character or one element more in any place they are none."""


def one_more(raw: bytes) -> Iterator[bytes]:
    """Yield the document with one more character where a text is longest, and with one more of the last element where
    there are many."""
    longest = max(raw.replace(b">", b'"').replace(b"<", b'"').split(b'"'), key=len)
    if len(longest) >= 64:
        yield raw.replace(longest, longest + b"n", 1)
        yield raw.replace(longest, longest[:-1] + "żż".encode(), 1)
    for element in (b"ext", b"option", b"invite", b"to", b"seat", b"view", b"player", b"nextPlayer", b"mark"):
        start, end = raw.rfind(b"<%b " % element), raw.rfind(b"<%b " % element)
        if start >= 0 and raw.count(b"<%b " % element) > 1:
            closing = b"</%b>" % element
            end = raw.find(closing, start) + len(closing) if closing in raw else raw.index(b"/>", start) + 2
            yield raw[:end] + raw[start:end] + raw[end:]


@pytest.mark.no_cover
@pytest.mark.parametrize("message", LARGEST.values(), ids=LARGEST)
def test_the_largest_request_passes_and_one_more_does_not(schemas: MessageSchemas, message: Extension) -> None:
    raw = encode(message)
    assert decode(raw) == message
    schemas.check(raw)
    larger = list(one_more(raw))
    assert larger
    for document in larger:
        with pytest.raises(WrongMessage, match=message.TYPE):
            decode(document)
        with pytest.raises(WrongMessage, match=message.TYPE):
            schemas.check(document)


@pytest.mark.parametrize(
    "message",
    [
        x.Ping(N128 + "n"),
        x.Say(NICKS[:129], "", ""),
        x.Say((), "", N65536 + "n"),
        x.Labels("g", (x.Label("", "", x.SeatKind.HUMAN),) * 4097),
    ],
)
def test_what_is_too_large_is_not_written(message: Extension) -> None:
    with pytest.raises(ValueError, match=r"at most|more than"):
        encode(message)


def test_a_long_reason_is_written_without_its_end() -> None:
    assert decode(encode(x.Failed(x.RefusalReason.NO_MASTER, N65536 + "rest"))) == x.Failed(
        x.RefusalReason.NO_MASTER, N65536
    )


REQUESTS = {form.cls.TYPE: form.most_elements for form in x.EXTENSIONS.values() if form.most_elements is not None}
SAMPLES = {message.TYPE: raw for raw, message in EXTENSION_MESSAGES.values()}


@pytest.mark.parametrize(("kind", "most"), REQUESTS.items(), ids=list(REQUESTS))
@pytest.mark.no_cover
@pytest.mark.parametrize("unknown", [b"<a/>", b"<a><b/></a>"], ids=["flat", "nested"])
def test_what_is_unknown_in_a_request_has_a_limit(
    schemas: MessageSchemas, kind: str, most: int, unknown: bytes
) -> None:
    raw = encode(decode(SAMPLES[kind]))
    raw = raw.replace(b"/>", b"></message>") if b"</message>" not in raw else raw
    # A payload is one element here, whatever stands in it.
    known = raw.split(b"<gameState")[0].count(b"<") - raw.split(b"<gameState")[0].count(b"</") - 1
    known += raw.count(b"<view", raw.find(b"<gameState")) + raw.count(b"<gameState") if b"<gameState" in raw else 0
    left = most - known
    filling = unknown * (left // unknown.count(b"<a") // (1 + unknown.count(b"<b")))
    filling += b"<c/>" * (left - filling.count(b"<a") - filling.count(b"<b"))
    full = raw.replace(b"</message>", filling + b"</message>")
    assert decode(full) == decode(raw)
    schemas.check(full)
    beyond = raw.replace(b"</message>", filling + b"<c/></message>")
    with pytest.raises(WrongMessage, match=f"{kind}: more than {most} elements"):
        decode(beyond)
    with pytest.raises(WrongMessage, match=kind):
        schemas.check(beyond)


def test_every_message_that_the_server_reads_has_a_limit() -> None:
    """The others are only written by the server, which must not be kept from telling all there is."""
    only_said = {kind for kind, form in x.EXTENSIONS.items() if form.most_elements is None}
    assert only_said == {
        *("x-session", "x-warning", "x-players", "x-gameTypes", "x-advertised", "x-invitation", "x-tables"),
        *("x-joined", "x-seats", "x-gameEnded", "x-said", "x-clock", "x-games", "x-watching", "x-event"),
        *("x-stop", "x-moved", "x-restore", "x-verdict", "x-account", "x-rejoined", "x-ruling"),
        "x-states",
    }


SHAPES_SAID = {
    kind: shape for kind, shape in {**SHAPES, **SHAPES_OF_EXTENSIONS}.items() if kind not in ONLY_FROM_SERVERS
}


@pytest.mark.parametrize("kind", sorted(SHAPES_SAID))
def test_every_list_and_text_that_a_peer_may_send_has_a_limit(kind: str) -> None:
    def unlimited(shape: Shape) -> Iterator[str]:
        yield from (name for name, attribute in shape.attributes.items() if attribute.allowed is None)
        if shape.text and shape.longest is None:
            yield shape.name
        for child in shape.children.values():
            if child.most is None:
                yield child.name
            if not child.payload:
                yield from unlimited(child)

    assert set(unlimited(SHAPES_SAID[kind])) == {"type"}


def test_only_what_servers_alone_say_has_none() -> None:
    assert set(SHAPES) - set(SHAPES_SAID) == {"loginResponse", "beginGame", "championsList", "serverShutdown"}


@pytest.mark.parametrize("kind", sorted(ONLY_FROM_SERVERS))
def test_what_only_a_server_says_is_refused_by_its_type(kind: str) -> None:
    """Not even the rest of it is looked at: here it could not be read."""
    for rest in (b"</message>", b'<table id="a"/>' * 60_000 + b"<<"):
        with pytest.raises(WrongMessage, match=f"^{kind}: not a message for the server$") as caught:
            decode_sent(b'<message type="%b" ref="7">' % kind.encode() + rest)
        assert (caught.value.kind, caught.value.ref) == (kind, "7")


def test_what_peers_say_is_read_as_ever() -> None:
    for raw, message in (*MESSAGES.values(), *EXTENSION_MESSAGES.values()):
        if message.TYPE not in ONLY_FROM_SERVERS:
            assert decode_sent(raw) == decode(raw) == message


def state(game_id: str = "g", nick: str = "a") -> GameState:
    return GameState(game_id, nick, None, STATE)


def over(*nicks: str) -> GameState:
    return GameState("g", None, tuple([PlayerResult(nick, Result.LOSER) for nick in nicks]), STATE)


@pytest.mark.parametrize(
    ("largest", "larger", "words"),
    [
        (Move(N128, b"<move/>"), Move(N128 + "n", b"<move/>"), "id of <gameId>"),
        (ThankYou(N128), ThankYou(N128 + "n"), "id of <gameId>"),
        (LeaveGame(N128), LeaveGame(N128 + "n"), "id of <gameId>"),
        (state(N128), state(N128 + "n"), "id of <gameId>"),
        (state(nick=N64), state(nick=N64 + "n"), "nick of <nextPlayer>"),
        (state(nick="ż" * 64), state(nick="ż" * 65), "nick of <nextPlayer>"),
        (over(N64), over("a", N64 + "n"), "nick of <player>"),
        (over("ż" * 64), over("ż" * 65), "nick of <player>"),
        (over(*NICKS), over(*NICKS, "p"), "more than 4096 <player> in <gameOver>"),
        (PlayerLeftGame(N64, N128), PlayerLeftGame(N64 + "n", N128), "nick of <player>"),
        (PlayerLogin(N1024, N1024), PlayerLogin(N1024, N1024 + "n"), "gameType of <playerLogin>"),
        (
            GameMasterLogin(N1024, N1024, N1024, N1024),
            GameMasterLogin(N1024, N1024, N1024, N1024 + "n"),
            "playersMax of <gameMasterLogin>",
        ),
    ],
    ids=lambda value: getattr(value, "TYPE", ""),
)
def test_messages_of_v4_have_limits_too(schemas: MessageSchemas, largest: Message, larger: Message, words: str) -> None:
    assert decode(encode(largest)) == largest
    schemas.check(encode(largest))
    with pytest.raises(WrongMessage, match=f"{larger.TYPE}: .*{words}"):
        decode(encode(larger))
    with pytest.raises(WrongMessage, match=larger.TYPE):
        schemas.check(encode(larger))


def test_a_long_error_is_written_without_its_end(schemas: MessageSchemas) -> None:
    raw = encode(Error(N65536 + "rest"))
    assert decode(raw) == Error(N65536)
    schemas.check(raw)
    for check in (decode, schemas.check):
        with pytest.raises(WrongMessage, match="error"):
            check(raw.replace(b"nnn", b"nnnn", 1))


def test_a_reference_that_is_too_long_is_not_repeated() -> None:
    with pytest.raises(WrongMessage) as caught:
        decode(b'<message type="x-ping" ref="%b"/>' % (b"r" * (MAX_REF + 1)))
    assert (caught.value.kind, caught.value.ref) == ("x-ping", "")


def test_a_reference_stands_in_every_request_before_login_and_in_its_answer() -> None:
    for message in (
        x.Hello(()),
        x.Resume("t"),
        x.Session("s", "ann", True, 1),
        x.Ping(),
        x.Pong(),
        x.Watch("g"),
        x.Watching("g", "t", 1, ()),
        x.ListGames(),
        x.RunningGames(()),
        x.Ok(),
        x.Failed(x.RefusalReason.NO_MASTER, ""),
    ):
        asked = replace(message, ref="r1")
        assert b' ref="r1"' in encode(asked)
        assert decode(encode(asked)) == asked
        assert b"ref" not in encode(message)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'<message type="x-listTables">' + b"<a/>" * 200_000 + b"</message>", "more than 256 elements"),
        (b'<message type="x-say">' + b'<to nick="nobody"/>' * 40_000 + b"<text/></message>", "more than 128 <to>"),
        (b'<message type="x-say"><to nick="a"/><text>' + b"\n" * 900_000 + b"</text></message>", "longer than 65536"),
        (b'<message type="x-offers">' + b'<option name="a" value="b"/>' * 30_000 + b"</message>", "more than 128"),
    ],
)
def test_a_wrong_message_is_told_by_its_beginning(raw: bytes, words: str) -> None:
    with pytest.raises(WrongMessage, match=words):
        decode(raw)


def test_a_large_message_is_read_to_its_end() -> None:
    for size in (32_000, 33_000, 200_000):
        players = tuple([x.PlayerInfo(f"p{n}", "t", 1, 1, "C", "A", "W") for n in range(size // 90)])
        message = x.Players(players)
        assert decode(encode(message)) == message
    with pytest.raises(WrongMessage, match="<text> is missing"):
        decode(b'<message type="x-say"><!--' + b"-" * 1 + b"a" * 40_000 + b"--></message>")
