"""Lines of players that the server has closed for what the players did: everybody who asks is told what that was."""

from tests.broker.house import House, Peer, move, over, turn
from ugs.broker.effects import RecordLogout
from ugs.broker.events import Disconnected, Flooded, Garbled
from ugs.broker.play import reasons
from ugs.broker.values.record import EntryKind
from ugs.broker.values.replies import as_json
from ugs.broker.verdict import GIVEN_BY_SERVER, Cause, Verdict
from ugs.broker.views.public import public_why
from ugs.broker.views.why import explain
from ugs.wire.extensions import Advertise, Because, Family, GameVerdict, NewTable, Visibility

REFUSED = "document refused at byte 112: <move> is not closed"
UNREAD = "does not read: took no byte in 30 s"
REASON = Family.REASON


def seated(house: House) -> tuple[Peer, Peer, Peer]:
    """A master, ann, whose turn it is, and bob, who is told verdicts."""
    ann, bob = house.guest("ann"), house.guest("bob", REASON)
    master = house.leader("m")
    master.says(turn("g1", "ann"))
    bob.hears()
    return master, ann, bob


def verdict_for(peer: Peer) -> GameVerdict:
    (told,) = (message for message in peer.hears() if isinstance(message, GameVerdict))
    return told


class TestTheVerdict:
    """It names what the player did."""

    def test_of_bytes_that_are_no_document(self, house: House) -> None:
        master, ann, bob = seated(house)
        house.happens(Garbled(ann.conn, REFUSED))
        master.says(over("g1", "bob", losers=("ann",)))
        told = verdict_for(bob)
        assert (told.cause, told.fault, told.culprit) == ("document refused", "player", "ann")
        assert (told.code, told.words) == ("document-refused", REFUSED)
        assert told.account == "the server refused a document of ann, and closed its connection; bob won"

    def test_of_too_many_mistakes(self, house: House) -> None:
        master, ann, bob = seated(house)
        for _ in range(32):
            ann.says(move("g1"))
        master.says(over("g1", "bob", losers=("ann",)))
        told = verdict_for(bob)
        wrong = "move: gameId id 'g1': it is not your turn (the game master is asked)"
        assert (told.cause, told.words) == ("wrong messages", f"31 wrong messages: {wrong} (at most 30 in a minute)")

    def test_of_who_says_too_much(self, house: House) -> None:
        master, ann, bob = seated(house)
        house.happens(Flooded(ann.conn, "rate limit: at most 9 messages per second"))
        master.says(over("g1", "bob", losers=("ann",)))
        told = verdict_for(bob)
        assert (told.cause, told.words) == ("flood", "rate limit: at most 9 messages per second")

    def test_of_who_does_not_read(self, house: House) -> None:
        master, ann, bob = seated(house)
        house.happens(Disconnected(ann.conn, UNREAD, unread=True))
        master.says(over("g1", "bob", losers=("ann",)))
        told = verdict_for(bob)
        assert (told.cause, told.code, told.words) == ("does not read", "does-not-read", UNREAD)

    def test_what_the_master_says_of_the_end_is_not_the_reason(self, house: House) -> None:
        """The server has closed the line, whatever the rules of the game make of it."""
        ann, bob = house.guest("ann"), house.guest("bob", REASON)
        master = house.leader("m", REASON)
        master.says(turn("g1", "ann"))
        house.happens(Garbled(ann.conn, REFUSED))
        master.says(Because("g1", "ALONE", "bob is alone", ""))
        master.says(over("g1", "bob", losers=("ann",)))
        assert verdict_for(bob).words == REFUSED

    def test_a_lost_line_is_as_before(self, house: House) -> None:
        master, ann, bob = seated(house)
        ann.is_lost()
        master.says(over("g1", "bob", losers=("ann",)))
        told = verdict_for(bob)
        assert (told.cause, told.code, told.words) == ("connection lost", "", "")

    def test_a_bug_of_the_server_is_nobodys_fault(self, house: House) -> None:
        """It was a connection lost, and the player had lost the game."""
        master, ann, bob = seated(house)
        house.happens(Disconnected(ann.conn, "bug in the server", bug=True))
        told = verdict_for(bob)
        assert (told.cause, told.fault, told.culprit) == ("server bug", "server", "")
        assert house.rows() == {"bob": (0, 0, 0)}
        assert [message.TYPE for message in master.hears()][-1] == "playerLeftGame"
        (gone,) = (one for one in house.records if isinstance(one, RecordLogout))
        assert gone.reason == "closed by the server: bug in the server"

    def test_after_a_bug_a_session_keeps_the_place(self) -> None:
        house = House(move_timeout_s=5000)
        ann, _bob = house.guest("ann", Family.SESSION), house.guest("bob")
        master = house.leader("m")
        master.says(turn("g1", "ann"))
        house.happens(Disconnected(ann.conn, "bug in the server", bug=True))
        assert house.results == []
        house.passes(60)
        master.says(over("g1", "bob", losers=("ann",)))
        assert house.results[0].verdict.cause is Cause.DISCONNECTED

    def test_after_a_bug_an_end_that_is_known_stays(self, house: House) -> None:
        master, ann, _bob = seated(house)
        master.says(over("g1", "bob", losers=("ann",)))
        house.happens(Disconnected(ann.conn, "bug in the server", bug=True))
        assert [result.verdict.cause for result in house.results] == [Cause.FINISHED]


class TestTheRecord:
    """It has the words of the server before the departure."""

    def test_of_who_does_not_read(self, house: House) -> None:
        _master, ann, _bob = seated(house)
        house.happens(Disconnected(ann.conn, UNREAD, unread=True))
        kinds = [(entry.kind, entry.text) for entry in house.entries()][-2:]
        assert kinds == [(EntryKind.REFUSED, UNREAD), (EntryKind.LEFT, "does not read")]
        (gone,) = (one for one in house.records if isinstance(one, RecordLogout))
        assert gone.reason == f"closed by the server: {UNREAD}"


class TestASession:
    """It keeps the place of a player whose line seems not to be read: that may be the network."""

    def test_and_the_cause_is_known_when_it_is_over(self) -> None:
        house = House(move_timeout_s=5000)
        ann, _bob = house.guest("ann", Family.SESSION), house.guest("bob")
        master = house.leader("m")
        master.says(turn("g1", "ann"))
        house.happens(Disconnected(ann.conn, UNREAD, unread=True))
        assert house.results == []
        assert f"({UNREAD})" not in str(explain(house.broker.server, "ann"))  # it plays: the game is told
        house.passes(60)
        master.says(over("g1", "bob", losers=("ann",)))
        assert house.results[0].verdict.cause is Cause.NOT_READ

    def test_and_who_waits_is_told(self, house: House) -> None:
        ann = house.guest("ann", Family.SESSION)
        house.happens(Disconnected(ann.conn, UNREAD, unread=True))
        assert f"the line of ann is cut ({UNREAD}); its session waits for it" in str(
            explain(house.broker.server, "ann")
        )

    def test_but_not_that_of_who_sends_no_xml(self, house: House) -> None:
        ann = house.guest("ann", Family.SESSION)
        house.happens(Garbled(ann.conn, REFUSED))
        assert house.broker.server.names.player("ann") is None


class TestWhoAsks:
    """People who ask for the name of a player that was sent away."""

    def test_is_told_why(self, house: House) -> None:
        ann = house.player("ann")
        house.happens(Garbled(ann.conn, REFUSED))
        house.passes(7)
        house.player("bob")
        said = f"the server closed a line of ann 7 s ago: {REFUSED}"
        assert as_json(explain(house.broker.server, "ann"))["found"] == [
            {"kind": "player", "name": "ann", "why": [said], "peers": []}
        ]
        assert (
            as_json(public_why(house.broker.server, "ann"))["error"]
            == f"no player or game master 'ann' is here; {said}"
        )

    def test_also_when_it_is_here_again(self, house: House) -> None:
        for _ in range(2):
            house.happens(Garbled(house.player("ann").conn, REFUSED))
        house.player("ann")
        assert "the server closed a line of ann 0 s ago (2 times)" in str(explain(house.broker.server, "ann"))

    def test_but_strangers_hear_nothing_of_a_private_table(self, house: House) -> None:
        ann = house.guest("ann", Family.LOBBY)
        ann.says(Advertise(NewTable("Friday", 2, Visibility.PRIVATE)))
        house.happens(Garbled(ann.conn, REFUSED))
        assert REFUSED in str(explain(house.broker.server, "ann"))
        assert as_json(public_why(house.broker.server, "ann"))["error"] == "no player or game master 'ann' is here"

    def test_and_nothing_of_who_hung_up(self, house: House) -> None:
        house.player("ann").is_lost()
        assert as_json(public_why(house.broker.server, "ann"))["error"] == "no player or game master 'ann' is here"


def test_a_flood_of_a_line_that_is_gone_already_changes_nothing(house: House) -> None:
    ann = house.player("ann")
    ann.is_lost()
    assert house.happens(Flooded(ann.conn, "rate limit: at most 9 messages per second")) == []


class TestWhoseTurnItIs:
    """A player who moves out of turn is told whose it is."""

    def test_the_other_player(self, house: House) -> None:
        _master, _ann, bob = house.table("ann", "bob")
        bob.says(move("g1"))
        assert bob.hears_error() == "move: gameId id 'g1': it is not your turn (it is ann's)"


def test_a_closed_line_is_no_farewell_for_a_championship_or_a_seat(house: House) -> None:
    """As with a lost line, the player may come back."""
    master, ann, *_ = house.table("ann", "bob", "cat")
    house.happens(Garbled(ann.conn, REFUSED))
    game = house.broker.server.games["g1"]
    assert game.departures == {"ann": Cause.DOCUMENT_REFUSED}
    assert game.reasons.of["ann"].text == REFUSED
    assert master.hears()


def test_a_cause_of_which_nothing_was_said_has_no_reason(house: House) -> None:
    house.table("ann", "ben")
    assert {reasons.of_end(house.game(), Verdict(cause, "ann")) for cause in GIVEN_BY_SERVER} == {None}
