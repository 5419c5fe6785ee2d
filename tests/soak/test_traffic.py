"""What attackers say is what its name promises: most of it well-formed, and as large as wanted."""

import pytest
from wsproto.frame_protocol import FrameProtocol

from ugs.soak import traffic
from ugs.wire.codec import decode
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.extensions import Advertise, Hello, Join, ListPlayers, Offers, Resend, Say, Unwatch, Watch
from ugs.wire.framing import Framer
from ugs.wire.messages import Error, GameMasterLogin, GameState, Message, Move, PlayerLogin, ThankYou


def heard(said: bytes) -> list[Message]:
    """The messages in it, as the server reads them."""
    return [decode(document.raw) for document in Framer().feed(said)]


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        (traffic.hello("lobby", "chat"), [Hello]),
        (traffic.player_login(traffic.burnt_nick(7)), [PlayerLogin]),
        (traffic.master_login("m"), [GameMasterLogin]),
        (traffic.asking("x-listPlayers", 3), [ListPlayers] * 3),
        (traffic.table("t", invited=traffic.guests(100), options=3), [Advertise]),
        (traffic.offers(), [Offers]),
        (traffic.watch("g", 2), [Watch, Unwatch, Watch]),
        (traffic.watch_type("s"), [Watch]),
        (traffic.chat(["ann", "<&"]), [Say]),
        (traffic.resend("g", 2), [Resend] * 2),
        (traffic.state("g", "ann", 1000), [GameState]),
        (traffic.over("g", "ann", ["bob"]), [GameState]),
        (traffic.move("g", 1000), [Move]),
        (traffic.dear_move("g"), [Move]),
        (traffic.join("t"), [Join]),
        (traffic.thanks("g"), [ThankYou]),
        (traffic.errors(5), [Error] * 5),
        (traffic.comments(1000), [Error]),
        (traffic.instructions(1000), [Error]),
        (traffic.blanks_allowed(5000), [Move]),
    ],
)
def test_what_is_meant_to_be_read_is_read(said: bytes, kinds: list[type]) -> None:
    assert [type(message) for message in heard(said)] == kinds


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (traffic.attributes(1000), "more than 64 attributes"),
        (traffic.levels(1000), "64"),
        (traffic.blanks(traffic.MAX_BLANKS), "1024 bytes of white space"),
        (traffic.nuls(1), "NUL"),
        (traffic.ill_formed(1000), "mismatched tag"),
    ],
)
def test_what_cannot_be_a_document_is_refused(said: bytes, why: str) -> None:
    with pytest.raises(WireError, match=why):
        list(Framer().feed(said))


@pytest.mark.parametrize(
    "said",
    [
        traffic.table("t", options=200),
        traffic.offers(200),
        traffic.labels("g", 5000),
        traffic.chat(["nobody"] * 200),
        traffic.padded("x-listTables", 4000),
    ],
)
def test_what_is_too_wide_is_no_request(said: bytes) -> None:
    with pytest.raises(WrongMessage, match="more than"):
        heard(said)


@pytest.mark.parametrize("said", [traffic.unfinished(5000), traffic.unfinished_levels(5000)])
def test_what_does_not_end_is_kept(said: bytes) -> None:
    framer = Framer()
    assert list(framer.feed(said)) == []
    assert framer.pending == len(said) > 4500


def test_a_burnt_nick_is_as_long_as_a_nick_may_be_and_another_one_each_time() -> None:
    nicks = {traffic.burnt_nick(number) for number in range(50)}
    assert len(nicks) == 50
    assert {len(nick) for nick in nicks} == {traffic.MAX_NICK_LENGTH}


def test_fragments_are_one_text() -> None:
    said = traffic.fragments("abcdefg", 2)
    server = FrameProtocol(client=False, extensions=[])
    server.receive_bytes(said)
    frames = list(server.received_frames())
    assert "".join(str(frame.payload) for frame in frames) == "abcdefg"
    assert [frame.message_finished for frame in frames] == [False, False, False, True]


def test_each_stream_of_http_2_is_opened_and_reset() -> None:
    said = traffic.rapid_reset(3)
    frames = said.partition(b"SM\r\n\r\n")[2]
    kinds = []
    while frames:
        length = int.from_bytes(frames[:3], "big")
        kinds.append((frames[3], int.from_bytes(frames[5:9], "big")))
        frames = frames[9 + length :]
    assert kinds == [(4, 0), (1, 1), (3, 1), (1, 3), (3, 3), (1, 5), (3, 5)]


def test_pieces_are_the_whole() -> None:
    assert list(traffic.pieces(b"abcde", 2)) == [b"ab", b"cd", b"e"]
