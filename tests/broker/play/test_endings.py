"""Every verdict, each reached by the shortest dialogue that leads to it."""

import re
from collections.abc import Callable

import pytest

from tests.broker.house import House, Peer, move, over, turn
from ugs.broker.events import Disconnected, Flooded, Garbled, JournalLost
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import CAUSES, Cause, Fault, Outcome, Verdict, complete
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Family,
    Join,
    Label,
    Labels,
    NewTable,
    RefusalReason,
    SeatKind,
    Stop,
    View,
    Views,
    Visibility,
)
from ugs.wire.messages import Error, LeaveGame, Logout, Move, PlayerLeftGame

Story = Callable[[House, Peer, Peer, Peer], object]
"""What happens to a game of ann and ben, in which ann is to move, until it has a verdict."""


def master_says_who_won(_house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(over("g1", "ann", losers=("ben",)))


def master_gives_all_the_same(_house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(over("g1", losers=("ann", "ben")))


def ann_leaves(_house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    ann.says(LeaveGame("g1"))
    master.says(over("g1", "ben"))


def ann_logs_out(_house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    ann.says(Logout())
    master.says(over("g1", "ben", losers=("ann",)))


def ann_is_lost(_house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    ann.is_lost()
    master.says(over("g1", "ben", losers=("ann",)))


def ann_is_too_slow(house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    house.passes(30)
    master.says(over("g1", "ben", losers=("ann",)))


def ann_sends_no_xml(house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    house.happens(Garbled(ann.conn, "document refused at byte 7: no XML"))
    master.says(over("g1", "ben", losers=("ann",)))


def ann_makes_mistakes(house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    for _ in range(31):
        ann.says(move("g1"))
        ann.says(move("g1"))
    master.says(over("g1", "ben", losers=("ann",)))


def ann_says_too_much(house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    house.happens(Flooded(ann.conn, "rate limit: at most 9 messages per second"))
    master.says(over("g1", "ben", losers=("ann",)))


def ann_does_not_read(house: House, master: Peer, ann: Peer, _ben: Peer) -> None:
    house.happens(Disconnected(ann.conn, "does not read: took no byte in 30 s", unread=True))
    master.says(over("g1", "ben", losers=("ann",)))


def ann_meets_a_bug(house: House, _master: Peer, ann: Peer, _ben: Peer) -> None:
    house.happens(Disconnected(ann.conn, "bug in the server", bug=True))


def ann_is_removed(_house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(PlayerLeftGame("ann", "g1"))
    master.says(over("g1", "ben", losers=("ann",)))


def the_next_game_is_not_begun(house: House, master: Peer, ann: Peer, ben: Peer) -> None:
    house.players("cat", "dan")
    house.passes(10)


def master_is_silent(house: House, _master: Peer, ann: Peer, _ben: Peer) -> None:
    ann.says(move("g1"))
    house.passes(30)


def master_is_lost(_house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.is_lost()


def server_stops(house: House, _master: Peer, _ann: Peer, _ben: Peer) -> None:
    house.is_asked_to_stop()


def journal_is_lost(house: House, _master: Peer, _ann: Peer, _ben: Peer) -> None:
    house.happens(JournalLost("disk full"))


WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID
STORIES: dict[Cause, tuple[Story, Fault, str | None, tuple[Outcome, Outcome]]] = {
    # cause: what happens, whose fault, through whom, and what it counts for ann (cat) and ben (dan)
    Cause.FINISHED: (master_says_who_won, Fault.NONE, None, (WON, LOST)),
    Cause.DRAW: (master_gives_all_the_same, Fault.NONE, None, (DRAWN, DRAWN)),
    Cause.LEFT: (ann_leaves, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.LOGOUT: (ann_logs_out, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.DISCONNECTED: (ann_is_lost, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.DOCUMENT_REFUSED: (ann_sends_no_xml, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.WRONG_MESSAGES: (ann_makes_mistakes, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.FLOOD: (ann_says_too_much, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.NOT_READ: (ann_does_not_read, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.SERVER_BUG: (ann_meets_a_bug, Fault.SERVER, None, (VOID, VOID)),
    Cause.TIMEOUT: (ann_is_too_slow, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.REMOVED: (ann_is_removed, Fault.PLAYER, "ann", (LOST, WON)),
    Cause.NO_BEGINNING: (the_next_game_is_not_begun, Fault.MASTER, "m", (VOID, VOID)),
    Cause.MASTER_SILENT: (master_is_silent, Fault.MASTER, "m", (VOID, VOID)),
    Cause.MASTER_LOST: (master_is_lost, Fault.MASTER, "m", (VOID, VOID)),
    Cause.SHUTDOWN: (server_stops, Fault.SERVER, None, (VOID, VOID)),
    Cause.JOURNAL_LOST: (journal_is_lost, Fault.SERVER, None, (VOID, VOID)),
}


def the_owner_cancels(_house: House, _master: Peer, ann: Peer, _ben: Peer) -> None:
    ann.says(Cancel())


def too_few_are_left(_house: House, _master: Peer, _ann: Peer, ben: Peer) -> None:
    ben.says(LeaveGame("g1"))


def nothing_happens(house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann"))
    house.passes(2000)


def the_master_declines(_house: House, master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(Failed(RefusalReason.INVALID_GAME, "not with these two", "g1"))


CANCELLED: dict[Cause, tuple[Story, str | None]] = {
    # at a table that ann has set up: what happens, and through whom
    Cause.CANCELLED: (the_owner_cancels, "ann"),
    Cause.NOT_VIABLE: (too_few_are_left, None),
    Cause.INACTIVE: (nothing_happens, None),
    Cause.DECLINED: (the_master_declines, "m"),
}
NOT_OF_A_GAME = {
    Cause.SERVER_LOST,  # said by the next life of the server, which finds the game in the journal
    Cause.GIVEN_UP,  # needs a master that can say so: extensions/test_masters.py
    Cause.SILENT,  # of players with a session: extensions/test_idle_timeouts.py
    Cause.TAKEOVERS_LOST,  # needs several masters: test_takeover_of_many_games.py
    Cause.FORFEIT,  # said where there was no game
    Cause.ILLEGAL_MOVE,  # needs a master that can say so: extensions/test_reasons.py
    Cause.TOO_LARGE,  # has a test of its own below
    Cause.MOVED_TOO_MUCH,  # the same
    Cause.STATES_TOO_LARGE,  # the same
    Cause.EXPELLED,  # the work of organisers: tests/broker/acts
    Cause.VOIDED,
    Cause.ADJUDICATED,
}


def test_a_cause_without_a_row_is_found_at_import() -> None:
    with pytest.raises(LookupError, match="the table of causes has no row for DRAW, TIMEOUT"):
        complete({cause: CAUSES[cause] for cause in Cause if cause not in (Cause.DRAW, Cause.TIMEOUT)})


def test_there_is_a_story_for_every_cause() -> None:
    assert STORIES.keys() | CANCELLED.keys() | NOT_OF_A_GAME == CAUSES.keys() == set(Cause)


@pytest.mark.parametrize("cause", STORIES)
def test_a_story_ends_with_its_verdict(house: House, cause: Cause) -> None:
    story, fault, culprit, outcomes = STORIES[cause]
    story(house, *house.table("ann", "ben"))
    (result,) = house.results
    assert result.verdict == Verdict(cause, culprit)
    assert result.verdict.fault is fault
    assert result.verdict.void == (fault in (Fault.MASTER, Fault.SERVER))
    assert tuple(seat.outcome for seat in result.seats) == outcomes
    (note,) = house.noted("game ended")
    assert (note["verdict"], note["fault"], note["culprit"]) == (cause, fault, culprit)


@pytest.mark.parametrize("cause", CANCELLED)
def test_a_cancelled_game_counts_for_nobody_and_is_nobodys_fault(cause: Cause) -> None:
    story, culprit = CANCELLED[cause]
    house = House(move_timeout_s=5000)
    ann, ben = house.guest("ann", Family.LOBBY), house.guest("ben", Family.LOBBY)
    master = house.leader("m", Family.TABLE)
    ann.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
    ben.says(Join("g1"))
    story(house, master, ann, ben)
    (result,) = house.results
    assert result.verdict == Verdict(cause, culprit, by_server=True)
    assert result.verdict.fault is Fault.NONE
    assert result.verdict.void
    assert [seat.outcome for seat in result.seats] == [VOID, VOID]


def test_the_culprit_of_a_game_among_three_is_the_player_who_left_last(house: House) -> None:
    master, ann, ben, _cat = house.table("ann", "ben", "cat")
    ann.says(LeaveGame("g1"))
    ben.is_lost()
    master.says(over("g1", "cat"))
    assert house.results[0].verdict == Verdict(Cause.DISCONNECTED, "ben")
    assert [seat.departure for seat in house.results[0].seats] == [Cause.LEFT, Cause.DISCONNECTED, None]


def test_a_game_among_three_that_two_finish_is_finished(house: House) -> None:
    master, ann, _ben, _cat = house.table("ann", "ben", "cat")
    ann.says(LeaveGame("g1"))
    master.says(turn("g1", "ben"))
    master.says(over("g1", "cat", losers=("ben",)))
    assert house.results[0].verdict == Verdict(Cause.FINISHED)


class TestAGameThatBecomesTooLarge:
    """It ends, counts for nobody, and the others go on."""

    LARGE = b"<move>" + b"x" * 40_000 + b"</move>"
    STATES = r"its states have 80\d{3} bytes, of at most 65536 \(max_game_bytes\)"

    @pytest.fixture
    def house(self) -> House:
        return House(max_game_bytes=65_536)

    def ends(self, house: House, why: str, *peers: Peer) -> None:
        (result,) = house.results
        assert result.verdict == Verdict(Cause.TOO_LARGE)
        assert result.verdict.fault is Fault.NONE
        assert result.verdict.void
        for peer in peers:
            told = peer.hears()[-1]
            assert isinstance(told, Error)
            assert re.fullmatch(f"game void: its moves and states have become too large: {why}", told.text)
        (entry,) = [one for one in house.entries() if one.kind is EntryKind.VERDICT]
        assert re.search(why, entry.text)
        assert house.rows() == {"ann": (0, 0, 0), "ben": (0, 0, 0)}
        assert house.noted("game too large")[0]["game"] == "g1"

    def test_by_moves_of_both(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        for player, nxt in ((ann, "ben"), (ben, "ann")):
            player.says(move("g1", self.LARGE))
            master.says(turn("g1", nxt))
        sent = 2 * len(self.LARGE)
        why = rf"its moves have {sent} bytes, of at most 655\d\d beside its states \(max_game_bytes\)"
        self.ends(house, why, ann, ben)
        assert PlayerLeftGame("ann", "g1") in master.hears(), "a master of v4 hears that nobody is there any more"

    def test_by_states(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        for _ in range(2):
            master.says(turn("g1", "ann", b"<gameState>" + self.LARGE + b"</gameState>"))
        self.ends(house, self.STATES, ann, ben)

    def test_by_views(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben", families=(Family.VIEWS, Family.TABLE))
        state = b"<gameState>" + self.LARGE + b"</gameState>"
        master.says(Views("g1", ("ann",), (), (View("ann", state), View("", state))))
        self.ends(house, self.STATES, ann, ben)
        assert Stop("g1", "TOO_LARGE") in master.hears()

    def test_through_the_moves_of_one(self, house: House) -> None:
        """Nobody who is losing can make a game void so."""
        master, ann, _ben = house.table("ann", "ben")
        ann.says(move("g1", self.LARGE))
        master.says(turn("g1", "ann"))
        ann.says(move("g1", self.LARGE))
        sent, most = 2 * len(self.LARGE), 65_536 - 2 * len(b"<gameState/>")
        assert ann.hears()[-1] == Error(
            f"your moves took {sent} of at most {most} bytes (max_game_bytes): game g1 is lost"
        )
        assert master.hears()[-1] == PlayerLeftGame("ann", "g1")
        assert house.noted("moves too large")[0]["nick"] == "ann"
        master.says(over("g1", "ben"))
        (result,) = house.results
        assert [seat.outcome for seat in result.seats] == [Outcome.LOST, Outcome.WON]
        assert result.seats[0].departure is Cause.MOVED_TOO_MUCH
        assert CAUSES[Cause.MOVED_TOO_MUCH].fault is Fault.PLAYER

    def test_another_one_moves_on(self) -> None:
        house = House(max_game_bytes=65_536)
        master, ann, ben, _cat = house.table("ann", "ben", "cat")
        ann.says(move("g1", self.LARGE))
        master.says(turn("g1", "ben", b"<gameState>" + b"x" * 25_000 + b"</gameState>"))
        master.hears()
        ben.says(move("g1", b"<move>" + b"x" * 1000 + b"</move>"))
        assert house.game().departures == {"ann": Cause.MOVED_TOO_MUCH}
        assert [type(message) for message in master.hears()] == [PlayerLeftGame, Move]

    def test_not_by_few_moves_of_one_where_states_are_large(self, house: House) -> None:
        """States belong to the master: who is losing cannot push a game over the edge that they have come near."""
        master, ann, ben = house.table("ann", "ben")
        state = b"<gameState>" + b"x" * 15_000 + b"</gameState>"
        for _ in range(4):
            master.says(turn("g1", "ben", state))
            ben.says(move("g1", b"<move>honest</move>"))
        master.says(turn("g1", "ann"))
        ann.says(move("g1", b"<move>" + b"x" * 20_000 + b"</move>"))
        assert (house.results, house.game().departures) == ([], {})
        master.says(turn("g1", "ann"))
        ann.says(move("g1", b"<move>" + b"x" * 20_000 + b"</move>"))
        assert house.game().departures == {"ann": Cause.MOVED_TOO_MUCH}
        master.says(over("g1", "ben"))
        assert [seat.outcome for seat in house.results[0].seats] == [Outcome.LOST, Outcome.WON]

    def test_two_of_three_cannot_do_it_together(self) -> None:
        house = House(max_game_bytes=65_536)
        master, ann, ben, _cat = house.table("ann", "ben", "cat")
        part = b"<move>" + b"x" * 12_000 + b"</move>"
        for _ in range(2):
            for player, nxt in ((ann, "ben"), (ben, "ann")):
                player.says(move("g1", part))
                master.says(turn("g1", nxt))
        assert house.results == []
        for _ in range(3):
            ann.says(move("g1", part))
            master.says(turn("g1", "ann"))
        assert house.game().departures == {"ann": Cause.MOVED_TOO_MUCH}
        for _ in range(4):
            master.says(turn("g1", "ben"))
            ben.says(move("g1", part))
        assert house.game().departures == {"ann": Cause.MOVED_TOO_MUCH, "ben": Cause.MOVED_TOO_MUCH}
        master.says(over("g1", "cat"))
        assert [seat.outcome for seat in house.results[0].seats] == [Outcome.LOST, Outcome.LOST, Outcome.WON]


class TestAMasterThatTellsTooMuch:
    """It would fill the lines of players that have done nothing wrong, and they would be judged."""

    STATE = b"<gameState>" + b"x" * 30_000 + b"</gameState>"

    @pytest.fixture
    def house(self) -> House:
        return House(max_outbox_bytes=131_072, max_message_bytes=32_768, max_message_bytes_before_login=32_768)

    def test_the_game_is_void_and_nobody_loses(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        for _ in range(2):
            master.says(turn("g1", "ann", self.STATE))
        assert house.results == []
        master.says(turn("g1", "ann", self.STATE))
        (result,) = house.results
        assert result.verdict == Verdict(Cause.STATES_TOO_LARGE, "m")
        assert (result.verdict.fault, result.verdict.void) == (Fault.MASTER, True)
        for player in (ann, ben):
            told = player.hears()[-1]
            assert isinstance(told, Error)
            why = r"90\d{3} bytes for a player between two moves, of at most 65536 \(twice max_message_bytes\)"
            assert re.fullmatch(f"game void: the game master has sent too much: {why}", told.text)
        assert house.rows() == {"ann": (0, 0, 0), "ben": (0, 0, 0)}

    def test_a_move_a_leaving_and_time_allow_it_more(self, house: House) -> None:
        master, ann, ben, _cat = house.table("ann", "ben", "cat")

        def tells() -> None:
            for _ in range(2):
                master.says(turn("g1", "ann", self.STATE))

        tells()
        ann.says(move("g1"))
        tells()
        ben.says(LeaveGame("g1"))
        tells()
        house.passes(0.3)
        tells()
        assert house.results == []
        master.says(turn("g1", "ann", self.STATE))
        assert house.results[0].verdict.cause is Cause.STATES_TOO_LARGE

    def test_what_is_around_a_small_state_counts(self, house: House) -> None:
        """20,000 empty states in a second were 240 kB by their payloads, and 3 MB on each line."""
        master, _ann, _ben = house.table("ann", "ben")
        for _ in range(65_536 // 128):
            master.says(turn("g1", "ann"))
        assert [result.verdict.cause for result in house.results] == [Cause.STATES_TOO_LARGE]

    def test_the_clocks_that_are_told_with_it_count(self) -> None:
        least = 32_768
        house = House(
            max_outbox_bytes=131_072, max_message_bytes=least, max_message_bytes_before_login=least, time_s=60
        )
        master, *_ = house.table(*"abcdefgh")
        for _ in range(65_536 // (128 + 8 * 64)):
            master.says(turn("g1", "a"))
        assert [result.verdict.cause for result in house.results] == [Cause.STATES_TOO_LARGE]

    def test_labels_count(self, house: House) -> None:
        """They went to the journal and to everybody in the lobby, as often as the master liked."""
        master, _ann, _ben = house.table("ann", "ben", families=(Family.TABLE,))
        for number in range(65_536 // (128 + 2 * 64)):
            seats = tuple([Label(nick, f"label {number}", SeatKind.HUMAN) for nick in ("ann", "ben")])
            master.says(Labels("g1", seats))
        assert [result.verdict.cause for result in house.results] == [Cause.STATES_TOO_LARGE]
        assert len(house.entries()) < 300

    def test_views_count_for_the_one_that_gets_them(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben", families=(Family.VIEWS,))
        views = (View("ann", self.STATE), View("ben", self.STATE), View("", self.STATE))
        for _ in range(2):
            master.says(Views("g1", ("ann",), (), views))
        assert house.results == []
        master.says(Views("g1", ("ann",), (), views))
        assert house.results[0].verdict.cause is Cause.STATES_TOO_LARGE
