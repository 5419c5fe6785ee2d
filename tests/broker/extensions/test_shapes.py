"""The shape of a request is judged first, whoever sends it, and in whatever state it is.

Each request is sent as bytes and read by the server's own codec, so that what cannot be read and what the broker finds
wrong with a message by itself are judged alike.
"""

from collections.abc import Iterator

import pytest

from tests.broker.house import CHESS, House, Peer, turn
from ugs.broker.events import Misread, Received
from ugs.broker.extensions.switchboard import installed
from ugs.wire import extensions as x
from ugs.wire.codec import WrongMessage, decode_sent
from ugs.wire.extensions import Failed, Family, NewTable, RefusalReason, Visibility, Watch
from ugs.wire.messages import Error, GameMasterLogin, PlayerLogin

LONG = "n" * 1025
WRONG: tuple[tuple[str, str, str], ...] = (
    # type, what stands in the message, and what the answer says of it beside the type
    ("x-listPlayers", "<a/>" * 257, "more than 256 elements"),
    ("x-listGameTypes", "<a/>" * 257, "more than 256 elements"),
    ("x-listTables", "<a/>" * 257, "more than 256 elements"),
    ("x-start", "<a/>" * 257, "more than 256 elements"),
    ("x-cancel", "<a/>" * 257, "more than 256 elements"),
    ("x-quit", "<a/>" * 257, "more than 256 elements"),
    ("x-wait", "<a/>" * 257, "more than 256 elements"),
    ("x-ping", "<a/>" * 257, "more than 256 elements"),
    ("x-pong", "<a/>" * 257, "more than 256 elements"),
    ("x-showClock", "<a/>" * 257, "more than 256 elements"),
    ("x-join", "", "<table> is missing in <message>"),
    ("x-join", "<table/>", "the attribute id of <table> is missing"),
    ("x-join", f'<table id="{LONG}"/>', "id of <table> is 'nnn"),
    ("x-advertise", "", "<table> is missing in <message>"),
    ("x-advertise", '<table seats="2"/>', "the attribute name of <table> is missing"),
    ("x-advertise", '<table name="t"/>', "the attribute seats of <table> is missing"),
    ("x-advertise", '<table name="t" seats="two"/>', "seats of <table> is 'two', not a whole number"),
    ("x-advertise", '<table name="t" seats="2" visibility="OPEN"/>', "visibility of <table> is 'OPEN'"),
    ("x-advertise", f'<table name="{LONG}" seats="2"/>', "name of <table> is 'nnn"),
    ("x-advertise", '<table name="" seats="2"/>', "table name: has 0 characters; allowed are 1 to 40"),
    ("x-advertise", f'<table name="{"n" * 41}" seats="2"/>', "table name: has 41 characters; allowed are 1 to 40"),
    ("x-advertise", '<table name="t" seats="1"/>', "table seats '1': allowed are 2 to 32"),
    ("x-advertise", '<table name="t" seats="33"/>', "table seats '33': allowed are 2 to 32"),
    ("x-advertise", '<table name="t" seats="2" computers="2"/>', "table computers '2': allowed are 0 to 1"),
    (
        "x-advertise",
        '<table name="t" seats="2"><option name="a" value="b"/><option name="a" value="c"/></table>',
        "option name 'a': there twice",
    ),
    (
        "x-advertise",
        '<table name="t" seats="2">' + f'<option name="a" value="{"v" * 1024}"/>' * 5 + "</table>",
        "option name 'a': there twice",
    ),
    (
        "x-advertise",
        '<table name="t" seats="2">'
        + "".join(f'<option name="{name}" value="{"v" * 1024}"/>' for name in "abcd")
        + "</table>",
        "option: names and values have 4100 characters; allowed: at most 4096",
    ),
    (
        "x-advertise",
        '<table name="t" seats="2">' + "".join(f'<invite nick="p{n}"/>' for n in range(101)) + "</table>",
        "invite: 101 players; allowed: at most 100",
    ),
    ("x-advertise", '<table name="t" seats="2"><invite nick=""/></table>', "invite nick '': allowed is any other text"),
    ("x-say", '<to nick="a"/>', "<text> is missing in <message>"),
    ("x-say", '<to nick="a"/><text/>', "text: has 0 characters; allowed are 1 to 2000"),
    ("x-say", f'<to nick="a"/><text>{"t" * 2001}</text>', "text: has 2001 characters; allowed are 1 to 2000"),
    ("x-say", "<text>hello</text>", "<to> or <table>: allowed is one of them, and not both"),
    ("x-say", '<to nick="a"/><table id="g1"/><text>hello</text>', "<to> or <table>"),
    ("x-say", '<to nick="a"/>' * 129 + "<text>hello</text>", "more than 128 <to> in <message>"),
    ("x-fault", '<cause code="c" nick="a"/>', "<gameId> is missing in <message>"),
    ("x-fault", '<gameId id="g1"/><cause code="c"/>', "the attribute nick of <cause> is missing"),
    ("x-fault", '<gameId id="g1"/><cause code="a b" nick="a"/>', "cause code 'a b'"),
    ("x-sketch", "<sketch/>", "<gameId> is missing in <message>"),
    ("x-sketch", '<gameId id="g1"/>', "<sketch> is missing in <message>"),
    ("x-sketch", f'<gameId id="g1"/><viewer nick="{"n" * 65}"/><sketch/>', "nick of <viewer> is 'nnn"),
    ("x-remark", "<plan>wait</plan>", "<gameId> is missing in <message>"),
    ("x-remark", '<gameId id="g1"/>', "it is empty"),
    ("x-remark", '<gameId id="g1"/><worth value="nan"/>', "value of <worth> is 'nan'"),
    ("x-remark", '<gameId id="g1"/><mark to="1,1"/>', "the attribute at of <mark> is missing"),
    ("x-remark", '<gameId id="g1"/>' + '<mark at="1,1"/>' * 33, "more than 32 <mark> in <message>"),
    (
        "x-remark",
        f'<gameId id="g1"/><plan>{"ż" * 1100}</plan>',
        "it has 2211 bytes as it is recorded; allowed: at most 2048",
    ),
    ("x-reason", "", "<gameId> is missing in <message>"),
    ("x-reason", '<gameId id="g1"/>', "<cause> is missing in <message>"),
    ("x-reason", '<gameId id="g1"/><cause code=""/>', "cause code '': allowed are letters, digits"),
    ("x-reason", '<gameId id="g1"/><cause code="two words"/>', "cause code 'two words': allowed are letters, digits"),
    ("x-reason", f'<gameId id="g1"/><cause code="{"c" * 65}"/>', "code of <cause> is 'ccc"),
    (
        "x-reason",
        f'<gameId id="g1"/><cause code="c">{"t" * 1025}</cause>',
        "the text of <cause> is longer",
    ),
    ("x-why", "<a/>" * 257, "more than 256 elements"),
    ("x-why", f'<gameId id="{LONG}"/>', "id of <gameId> is 'nnn"),
    ("x-why", '<last exchanges="many"/>', "exchanges of <last> is 'many', not a whole number"),
    ("x-why", '<last exchanges="101"/>', "last exchanges '101': allowed are 0 to 100"),
    ("x-resume", "", "<session> is missing in <message>"),
    ("x-resume", f'<session token="{LONG}"/>', "token of <session> is '…', not a text of at most 128 characters"),
    ("x-resend", "", "<gameId> is missing in <message>"),
    ("x-listStates", "", "<gameId> is missing in <message>"),
    ("x-rejoin", "", "<gameId> is missing in <message>"),
    (
        "x-rejoin",
        f'<gameId id="g1"/><session token="{LONG}"/>',
        "token of <session> is '…', not a text of at most 128 characters",
    ),
    ("x-watch", "", "<watch> is missing in <message>"),
    ("x-watch", "<watch/>", "gameId and gameType are both missing"),
    ("x-watch", '<watch gameId="g1" gameType="chess"/>', "gameId and gameType are both there"),
    ("x-watch", '<watch gameType="  "/>', "gameType is empty"),
    ("x-watch", '<watch gameId="g1" nick=" "/>', "nick is empty"),
    ("x-watch", '<watch gameId="g1" delaySec="901"/>', "delaySec 901: at most 900 is allowed"),
    ("x-watch", '<watch gameId="g1" delaySec="soon"/>', "delaySec of <watch> is 'soon'"),
    ("x-unwatch", f'<watch gameId="{LONG}"/>', "gameId of <watch> is 'nnn"),
    ("x-listGames", f'<game gameType="{LONG}"/>', "gameType of <game> is 'nnn"),
    ("x-offers", "<option/>", "the attribute name of <option> is missing"),
    ("x-labels", "", "<gameId> is missing in <message>"),
    ("x-views", '<gameId id="g1"/>', "<nextPlayer> and <gameOver> are both missing"),
    ("x-failed", "", "<reason> is missing in <message>"),
    ("x-tables", "", "not a message for the server"),
    ("x-session", "", "not a message for the server"),
    ("x-ok", "", "not a message for the server"),
)


def test_the_table_has_every_request() -> None:
    requests = {message.TYPE for one in installed() for message in one.requests}
    assert requests <= {kind for kind, _, _ in WRONG}


def strangers(house: House) -> Iterator[Peer]:
    """Peers in every state that has said x-hello, with every family and with none."""
    for families in ((), tuple(Family)):
        yield house.greets(*families)
        name = f"p{len(families)}"
        idle = house.guest(f"{name} idle", *families, game_type="idle")
        yield idle
        owner = house.guest(f"{name} owner", Family.LOBBY, *families, game_type="tables")
        owner.says(x.Advertise(NewTable("t", 2, Visibility.PUBLIC)))
        yield owner
        playing = house.guest(f"{name} playing", Family.LOBBY, *families, game_type=name)
        other = house.guest(f"{name} other", *families, game_type=name)
        playing.says(x.Wait())
        other.says(x.Wait())
        yield playing
        master = house.greets(*families)
        master.says(GameMasterLogin(f"m {name}", name, "2", "2"))
        yield master
        spectator = house.greets(Family.WATCH, *families)
        spectator.says(Watch(game_type=CHESS))
        yield spectator


def sends(house: House, peer: Peer, kind: str, content: str) -> None:
    """The peer sends a document with the reference 17."""
    raw = f'<message type="{kind}" ref="17">{content}</message>'.encode()
    try:
        house.happens(Received(peer.conn, decode_sent(raw)))
    except WrongMessage as wrong:
        house.happens(Misread(peer.conn, str(wrong), wrong.kind, wrong.ref))


@pytest.mark.no_cover
@pytest.mark.parametrize(("kind", "content", "words"), WRONG, ids=[f"{kind}-{words[:40]}" for kind, _, words in WRONG])
def test_what_is_wrong_with_a_request_is_said_to_whoever_sends_it(kind: str, content: str, words: str) -> None:
    house = House()
    for peer in strangers(house):
        peer.hears()
        state = peer.state
        sends(house, peer, kind, content)
        (answer,) = peer.hears()
        assert isinstance(answer, Failed), f"{state}: {answer}"
        assert (answer.code, answer.ref) == (RefusalReason.INVALID_REQUEST, "17"), f"{state}: {answer}"
        assert answer.text.startswith(f"{kind}: {words}"), f"{state}: {answer}"
        assert peer.state is state
        assert len(peer.connection.errors) == 1


@pytest.mark.parametrize(("kind", "content", "words"), WRONG, ids=[f"{kind}-{words[:40]}" for kind, _, words in WRONG])
def test_peers_of_v4_are_told_the_same_in_an_error(kind: str, content: str, words: str) -> None:
    house = House()
    master, player, _ = house.table("ann", "ben")
    for peer in (house.connects(), player, master):
        sends(house, peer, kind, content)
        (answer,) = peer.hears()
        assert isinstance(answer, Error)
        assert answer.text.startswith(f"{kind}: {words}")


def test_a_right_request_of_the_same_peers_is_judged_by_their_state() -> None:
    house = House()
    newcomer = house.greets(*Family)
    sends(house, newcomer, "x-advertise", '<table name="t" seats="2"/>')
    (answer,) = newcomer.hears()
    assert answer == Failed(RefusalReason.INVALID_PLAYER, "x-advertise: you are not logged in", ref="17")
    newcomer.says(PlayerLogin("ann", CHESS))
    house.player("ben")
    master = house.master()
    newcomer.says(x.Wait())
    master.says(turn("g1", "ann"))
    newcomer.hears()
    sends(house, newcomer, "x-advertise", '<table name="t" seats="2"/>')
    (answer,) = newcomer.hears()
    assert answer == Failed(RefusalReason.ALREADY_PLAYING, "x-advertise: you are in game g1", ref="17")
