"""The server is killed and comes back: players with sessions return, and their games go on with another master."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.broker.house import CHESS, House, Peer, over, thank, turn
from tests.broker.house import move as moves
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult, RecordSession, RecordSessionOver
from ugs.broker.events import Started
from ugs.broker.past import Past, PastGame
from ugs.broker.record import EntryKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import Phase
from ugs.broker.state.tokens import NAME_CHARACTERS, digest_of
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.championship.ledger import What
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Family,
    Join,
    Label,
    Labels,
    Moved,
    NewTable,
    PastLeft,
    PastMove,
    Reason,
    Restore,
    Resume,
    SeatKind,
    View,
    Views,
    Visibility,
)
from ugs.wire.messages import (
    BeginGame,
    Error,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    PlayerLeftGame,
    PlayerLogin,
)

SESSION, RESTORE, VIEWS, MOVERS, LOBBY = (
    Family.SESSION,
    Family.RESTORE,
    Family.VIEWS,
    Family.MOVERS,
    Family.LOBBY,
)
FIRST = b"<gameState><!-- 1 --></gameState>"
ANN, BEN = b"<gameState>ann's</gameState>", b"<gameState>ben's</gameState>"
LOST = Failed(Reason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")


@pytest.fixture
def house() -> House:
    """Games wait a minute for a master."""
    return House(master_grace_s=60)


def game(house: House, *nicks: str, families: tuple[Family, ...] = (RESTORE,)) -> tuple[Peer, ...]:
    """A game g1 of these, who all have sessions; the first has been asked to move."""
    players = [house.guest(nick, SESSION) for nick in nicks]
    master = house.leader("m", *families, players=(len(nicks), len(nicks)))
    master.says(turn("g1", nicks[0], FIRST))
    for peer in (master, *players):
        peer.hears()
    return master, *players


def restored(house: House, *happened: PastMove | PastLeft, nicks: tuple[str, ...] = ("ann", "ben")) -> Restore:
    """What a new master of g1 is told; ``house`` is the one in which it began."""
    (seed,) = [one.seed for one in house.records if isinstance(one, RecordBegin) and one.game_id == "g1"]
    return Restore("g1", nicks, (), 0, seed, happened)


def refused(house: House, token: str) -> Failed:
    """The answer to a peer that comes with an invalid token."""
    peer = house.greets(SESSION)
    peer.says(Resume(token))
    (answer,) = peer.hears()
    assert isinstance(answer, Failed)
    return answer


def test_a_game_with_a_set_up_goes_on_with_it(house: House) -> None:
    ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
    house.leader("m", RESTORE, Family.TABLE, setup="players = 2").says(turn("g1", "ann", FIRST))
    again = house.again()
    for peer in (ann, ben):
        again.returns(peer.token)
    other = again.leader("other", RESTORE, Family.TABLE)
    assert other.hears() == [replace(restored(house), setup="players = 2")]


class TestSessions:
    """Sessions outlive the server."""

    def test_a_player_comes_back_with_its_token(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        again = house.again()
        assert again.broker.desk.names.players["ann"].away
        back = again.returns(ann.token)
        assert back.state is PeerState.IDLE
        assert [set(table) for table in back.standings()] == [{"ann"}]

    def test_the_grace_is_counted_from_the_start_of_the_server(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.passes(50)
        again = house.again()
        again.passes(59)
        assert again.broker.desk.names.players["ann"].away
        again.passes(1)
        assert "ann" not in again.broker.desk.names.players
        assert refused(again, ann.token) == LOST

    def test_until_then_the_nick_is_taken(self, house: House) -> None:
        house.guest("ann", SESSION)
        peer = house.again().connects()
        peer.says(PlayerLogin("ANN", CHESS))
        assert peer.hears() == [LoginResponse(LoginError.WRONG_NICK)]

    def test_a_player_who_waited_for_open_play_waits_again(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        again = house.again()
        again.player("ben")
        master = again.master()
        assert master.hears() == []
        again.returns(ann.token)
        assert [type(one) for one in master.hears()] == [BeginGame]

    def test_a_player_who_looked_for_a_table_does_so_again(self, house: House) -> None:
        ann = house.guest("ann", SESSION, LOBBY)
        again = house.again()
        again.player("ben")
        again.master()
        assert not again.returns(ann.token, SESSION, LOBBY).player.pooled
        assert again.broker.games == []

    def test_a_player_who_had_logged_out_or_was_given_up_is_not_known(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        ann.says(Logout())
        ben.is_lost()
        house.passes(60)
        again = house.again()
        assert refused(again, ann.token) == refused(again, ben.token) == LOST
        assert again.broker.desk.types == {}

    def test_a_server_that_lets_nobody_come_back_forgets_them(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        house.settings["session_grace_s"] = 0
        again = house.again()
        assert again.records == [RecordSessionOver(ann.token[:NAME_CHARACTERS])]
        again.player("ann")

    def test_the_first_of_two_sessions_of_one_nick_holds(self, house: House) -> None:
        tokens = ("1" * 40, "2" * 40)
        sessions = [
            RecordSession(token[:NAME_CHARACTERS], digest_of(token), nick, CHESS, ("session",), pooled=True)
            for token, nick in zip(tokens, ("ann", "Ann"), strict=True)
        ]
        again = House(past=Past(sessions=sessions))
        again.happens(Started())
        assert again.records == [RecordSessionOver("2" * NAME_CHARACTERS)]
        assert refused(again, tokens[1]) == LOST
        again.returns(tokens[0])

    def test_a_player_outside_the_championship_that_goes_on_is_not_in_its_standings(self, house: House) -> None:
        for nick in ("ann", "ben", "cat"):
            house.guest(nick, SESSION)
        house.plans(entrants=("ann", "ben"))
        again = house.again()
        assert set(again.rows()) == {"ann", "ben"}


class TestAGame:
    """A game goes on as if its master had just been lost."""

    def test_players_come_back_to_their_last_state_and_a_new_master_leads_it_to_its_end(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        ann.says(moves("g1", b"<move>1</move>"))
        master.says(turn("g1", "ben", FIRST))
        again = house.again()
        back = again.returns(ann.token), again.returns(ben.token)
        assert [(peer.turn, peer.hears()) for peer in back] == [
            (False, [turn("g1", "ben", FIRST)]),
            (True, [turn("g1", "ben", FIRST)]),
        ]
        new = again.leader("new", RESTORE)
        assert new.hears() == [restored(house, PastMove("ann", b"<move>1</move>"))]
        new.says(turn("g1", "ben", FIRST))
        assert [peer.hears() for peer in back] == [[], []]
        assert again.clock() == 30
        back[1].says(moves("g1"))
        assert new.hears() == [moves("g1")]
        new.says(over("g1", "ann", losers=("ben",)))
        thank("g1", *back)
        (result,) = again.results
        assert (result.master, result.moves, result.verdict) == ("new", 2, Verdict(Cause.FINISHED))
        assert again.rows() == again.again().rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_the_master_may_come_before_the_players(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        new = again.leader("m", RESTORE)
        new.says(turn("g1", "ann"))
        back = again.returns(ann.token)
        assert back.turn
        assert back.hears() == [turn("g1", "ann", FIRST)]
        back.says(moves("g1"))
        assert new.hears()[-1] == moves("g1")
        new.says(turn("g1", "ben", BEN))
        assert again.returns(ben.token).hears() == [turn("g1", "ben", BEN)]

    def test_a_move_without_an_answer_is_answered_now(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        ann.says(moves("g1"))
        again = house.again()
        back = again.returns(ann.token)
        assert not back.turn
        new = again.leader("new", RESTORE)
        assert new.hears() == [restored(house, PastMove("ann", b"<move/>"))]
        new.says(turn("g1", "ann", BEN))
        assert back.hears() == [turn("g1", "ann", FIRST), turn("g1", "ann", BEN)]
        assert again.returns(ben.token).hears() == [turn("g1", "ann", BEN)]

    def test_a_move_meanwhile_is_held_back(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        again = house.again()
        again.returns(ann.token).says(moves("g1"))
        new = again.leader("new", RESTORE)
        assert new.hears() == [restored(house)]
        new.says(turn("g1", "ann"))
        assert new.hears() == [moves("g1")]

    def test_everybody_gets_its_own_view_again(self, house: House) -> None:
        master, ann, ben, cat = game(house, "ann", "ben", "cat", families=(RESTORE, VIEWS))
        master.says(Views("g1", ("ben",), (), (View("ann", ANN), View("ben", BEN), View("", FIRST))))
        again = house.again()
        heard = [again.returns(peer.token).hears() for peer in (ann, ben, cat)]
        assert heard == [[turn("g1", "ben", body)] for body in (ANN, BEN, FIRST)]

    def test_an_ordinary_state_after_views_is_what_comes_again(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben", families=(RESTORE, VIEWS))
        master.says(Views("g1", ("ben",), (), (View("ann", ANN),)))
        master.says(turn("g1", "ann", FIRST))
        assert house.again().returns(ann.token).hears() == [turn("g1", "ann", FIRST)]

    def test_views_of_an_end_that_did_not_come_to_be_are_seen_by_nobody(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben", families=(RESTORE, VIEWS))
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        entries = [
            *house.entries(),
            RecordEntry("g1", EntryKind.VIEW, None, 0b01, "", b"<gameState>all cards</gameState>"),
            RecordEntry("g1", EntryKind.OVER, None, 0b10, "0:winner 1:loser", FIRST),
            RecordEntry("g1", EntryKind.RESTORED, text="m"),
            RecordEntry("g1", EntryKind.VIEW, None, 0b10, "", BEN),
            RecordEntry("g1", EntryKind.STATE, 1, 0b01, "", FIRST),
        ]
        sessions = [one for one in house.records if isinstance(one, RecordSession)]
        past = Past(sessions=sessions, games=[PastGame(begin, 5.0, [(1.0, entry) for entry in entries])])
        again = House(past=past, master_grace_s=60)
        again.happens(Started())
        assert again.returns(ann.token).hears() == [turn("g1", "ben", FIRST)]
        assert again.returns(ben.token).hears() == [turn("g1", "ben", BEN)]
        assert again.game().history.began_at == again.now - 5
        assert all(entry.kind is not EntryKind.OVER for _, entry in again.game().history.entries)

    def test_movers_who_have_moved_need_not_move_again(self, house: House) -> None:
        families = (RESTORE, MOVERS)
        master, ann, ben, cat = game(house, "ann", "ben", "cat", families=families)
        master.says(Views("g1", ("ann", "ben", "cat"), (), (View("", ANN),)))
        ben.says(moves("g1"))
        cat.says(moves("g1"))
        again = house.again()
        back = {nick: again.returns(peer.token) for nick, peer in (("ann", ann), ("ben", ben), ("cat", cat))}
        assert {nick: peer.turn for nick, peer in back.items()} == {"ann": True, "ben": False, "cat": True}
        assert [peer.hears() for peer in back.values()] == [
            [turn("g1", "ann", FIRST)],
            [turn("g1", "ben", ANN)],
            [turn("g1", "cat", ANN)],
        ]
        back["cat"].says(moves("g1", b"<move>once more</move>"))
        new = again.leader("new", *families, players=(3, 3))
        assert new.hears() == [restored(house, PastMove("ben", b"<move/>"), nicks=("ann", "ben", "cat"))]
        new.says(Views("g1", ("ann", "cat"), (), ()))
        assert new.hears() == [Moved("g1", "cat", b"<move>once more</move>")]
        assert back["ann"].hears() == back["cat"].hears() == []
        assert back["ben"].hears() == [turn("g1", "ann")]

    def test_a_player_who_had_left_is_out_of_it(self, house: House) -> None:
        _master, ann, ben, cat = game(house, "ann", "ben", "cat")
        ben.says(LeaveGame("g1"))
        again = house.again()
        assert again.returns(ben.token).state is PeerState.IDLE
        assert again.returns(ann.token).hears() == [turn("g1", "ann", FIRST)]
        new = again.leader("new", RESTORE, players=(3, 3))
        assert new.hears() == [restored(house, PastLeft("ben", "left"), nicks=("ann", "ben", "cat"))]
        new.says(over("g1", "cat", losers=("ann",)))
        (result,) = again.results
        assert [seat.departure for seat in result.seats] == [None, Cause.LEFT, None]
        assert again.returns(cat.token).hears() == [over("g1", "cat", losers=("ann",))]

    def test_when_the_one_to_move_had_left_the_next_state_is_news(self, house: House) -> None:
        _master, ann, ben, _cat = game(house, "ann", "ben", "cat")
        ann.says(LeaveGame("g1"))
        again = house.again()
        back = again.returns(ben.token)
        back.hears()
        again.leader("new", RESTORE, players=(3, 3)).says(turn("g1", "cat"))
        assert back.hears() == [turn("g1", "cat")]

    def test_the_labels_of_the_seats_are_known_again(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben", families=(RESTORE, Family.TABLE))
        labels = (Label("ann", "RED", SeatKind.HUMAN), Label("Rover", "BLUE", SeatKind.PROGRAM))
        master.says(Labels("g1", labels))
        again = house.again()
        assert again.game().shown.labels == labels

    def test_players_have_budgets_again(self) -> None:
        house = House(master_grace_s=60, time_s=100)
        _master, ann, _ben = game(house, "ann", "ben")
        again = house.again()
        budgets = again.game().turn.budgets
        assert budgets is not None
        assert budgets.left["ann"] == 100
        again.leader("new", RESTORE).says(turn("g1", "ann"))
        again.returns(ann.token)
        assert again.clock() == 30

    def test_the_past_takes_no_more_room_than_is_allowed(self) -> None:
        house = House(master_grace_s=60, watch_history_bytes=10)
        game(house, "ann", "ben")
        again = house.again()
        assert again.game().history.size <= 10
        states = [entry.body for _, entry in again.game().history.entries if entry.kind is EntryKind.STATE]
        assert states == [b""]

    def test_it_is_noted(self, house: House) -> None:
        game(house, "ann", "ben")
        assert house.again().noted("game waits for its master") == [{"game": "g1", "game_type": CHESS}]


class TestWhoDoesNotComeBack:
    """A player who does not come back has left; if nobody comes back, the game is void."""

    def test_without_a_master_the_game_is_void_and_nobody_has_lost(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        house.settings["session_grace_s"] = 600
        again = house.again()
        back = again.returns(ann.token)
        back.hears()
        again.passes(60)
        assert back.hears() == [Error("game void: the game master is gone")]
        (result,) = again.results
        assert result.verdict == Verdict(Cause.MASTER_LOST, "m")
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2
        assert again.returns(ben.token).state is PeerState.IDLE

    def test_a_player_that_stays_away_has_left(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        again = house.again()
        back = again.returns(ann.token)
        again.passes(1)
        new = again.leader("new", RESTORE)
        new.says(turn("g1", "ann"))
        again.passes(20)
        back.says(moves("g1"))
        new.says(turn("g1", "ann"))
        again.passes(29)
        back.says(moves("g1"))
        again.passes(10)
        assert PlayerLeftGame("ben", "g1") in new.hears()
        new.says(over("g1", "ann", losers=("ben",)))
        assert again.results[0].verdict == Verdict(Cause.DISCONNECTED, "ben")

    def test_when_all_stay_away_it_is_void(self) -> None:
        house = House(master_grace_s=600)
        game(house, "ann", "ben")
        again = house.again()
        again.passes(60)
        assert again.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert again.broker.desk.names.players == {}

    def test_a_game_of_a_player_without_a_session_does_not_go_on(self, house: House) -> None:
        ann, _ben = house.guest("ann", SESSION), house.player("ben")
        house.leader("m", RESTORE).says(turn("g1", "ann", FIRST))
        again = house.again()
        assert again.broker.games == []
        assert again.returns(ann.token).state is PeerState.IDLE

    def test_a_game_whose_master_could_not_be_replaced_does_not_go_on(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben", families=(VIEWS,))
        again = house.again()
        assert again.broker.games == []
        assert again.returns(ann.token).state is PeerState.IDLE

    @pytest.mark.parametrize("setting", ["master_grace_s", "session_grace_s"])
    def test_a_server_that_does_not_wait_any_more_ends_it(self, house: House, setting: str) -> None:
        game(house, "ann", "ben")
        house.settings[setting] = 0
        again = house.again()
        (result,) = again.results
        assert result.verdict == Verdict(Cause.SERVER_LOST)
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2
        assert again.broker.games == []
        assert again.leader("new", RESTORE).hears() == []

    def test_a_server_whose_players_play_something_else_now_ends_it(self, house: House) -> None:
        game(house, "ann", "ben")
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [replace(one, game_type="go") for one in house.records if isinstance(one, RecordSession)]
        past = Past(sessions=sessions, games=[PastGame(begin, 0.0, [(0.0, entry) for entry in house.entries()])])
        again = House(past=past, master_grace_s=60)
        again.happens(Started())
        assert again.results[0].verdict == Verdict(Cause.SERVER_LOST)

    def test_the_later_of_two_games_of_one_player_goes_on(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [one for one in house.records if isinstance(one, RecordSession)]
        entries = [(0.0, entry) for entry in house.entries()]
        earlier = PastGame(replace(begin, game_id="g0"), 0.0, entries)
        again = House(past=Past(sessions=sessions, games=[earlier, PastGame(begin, 0.0, entries)]), master_grace_s=60)
        again.happens(Started())
        assert [(result.game_id, result.verdict.cause) for result in again.results] == [("g0", Cause.SERVER_LOST)]
        assert again.returns(ann.token).hears() == [turn("g1", "ann", FIRST)]


class TestChampionships:
    """A fixture that runs goes on, and is not played again."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of two that meet twice, whose first game runs."""
        house = House(master_grace_s=60)
        house.plans(first=2, repeats=2, restart_return_s=100)
        return house

    def test_its_game_counts_once(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        back = {"ann": again.returns(ann.token), "ben": again.returns(ben.token)}
        new = again.leader("new", RESTORE)
        assert [type(one) for one in new.hears()] == [Restore]
        new.says(over("g1", "ann", losers=("ben",)))
        thank("g1", *back.values())
        assert again.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        assert [entry.what for entry in again.ledger("cup")] == [What.RESULT, What.FIXTURE]
        new.says(over(next(iter(again.broker.games)).id, "ben", losers=("ann",)))
        thank(again.results[-1].game_id, *back.values())
        assert again.noted("championship over")[0]["standings"] == [("ann", 1, 1, 0), ("ben", 1, 1, 0)]

    def test_an_entrant_who_has_come_back_to_a_game_is_not_awaited(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        house.settings["move_timeout_s"] = 1000
        again = house.again()
        again.returns(ann.token)
        again.returns(ben.token)
        new = again.leader("new", RESTORE)
        new.says(turn("g1", "ann"))
        again.passes(200)
        assert again.noted("withdrawn") == []
        assert [note["nick"] for note in again.noted("entrant is back")] == ["ann", "ben"]

    def test_an_entrant_whose_session_is_over_still_has_the_time_of_the_championship(self, house: House) -> None:
        game(house, "ann", "ben")
        again = house.again()
        again.passes(61)
        assert again.broker.desk.names.players == {}
        assert again.noted("withdrawn") == []
        again.players("ann", "ben")
        assert [type(one) for one in again.master().hears()] == [BeginGame]

    def test_but_not_more_than_that(self, house: House) -> None:
        game(house, "ann", "ben")
        again = house.again()
        again.passes(100)
        assert [note["why"] for note in again.noted("withdrawn")] == ["did not come back"]

    def test_one_that_nobody_leads_on_is_played_again(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        again.returns(ann.token)
        again.returns(ben.token)
        again.passes(60)
        assert again.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert [type(one) for one in again.master().hears()] == [BeginGame]

    def test_one_that_cannot_go_on_is_void_once(self, house: House) -> None:
        game(house, "ann", "ben")
        house.settings["master_grace_s"] = 0
        again = house.again()
        assert again.results[0].verdict == Verdict(Cause.SERVER_LOST)
        assert [entry.what for entry in again.ledger("cup")] == [What.VOID]

    def test_one_that_its_ledger_does_not_know_is_void(self, house: House) -> None:
        game(house, "ann", "ben")
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [one for one in house.records if isinstance(one, RecordSession)]
        stranger = PastGame(replace(begin, game_id="g9"), 0.0, ())
        past = Past(sessions=sessions, championships=house.again().past.championships, games=[stranger])
        again = House(past=past, master_grace_s=60)
        again.happens(Started())
        assert [(result.game_id, result.verdict.cause) for result in again.results] == [("g9", Cause.SERVER_LOST)]


def has_begun(_master: Peer, _ann: Peer, _ben: Peer) -> None:
    """The master has been asked to lead it."""


def ann_is_to_move(master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))


def ann_has_moved(master: Peer, ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))
    ann.says(moves("g1"))


def ben_has_left(master: Peer, _ann: Peer, ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))
    ben.says(LeaveGame("g1"))


def the_master_is_lost(master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))
    master.is_lost()


SCENES: dict[Phase, Callable[[Peer, Peer, Peer], None]] = {
    Phase.BEGUN: has_begun,
    Phase.TURN: ann_is_to_move,
    Phase.ANSWER: ann_has_moved,
    Phase.ALONE: ben_has_left,
    Phase.AWAY: the_master_is_lost,
}
"""What happens in a game of ann and ben before the server is killed."""


class TestEveryPhase:
    """A game goes on from any phase in which the server is killed."""

    @pytest.mark.parametrize("restarts", [1, 2])
    @pytest.mark.parametrize("phase", SCENES)
    def test_it_goes_on(self, house: House, phase: Phase, restarts: int) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        master = house.leader("m", RESTORE)
        SCENES[phase](master, ann, ben)
        assert house.game().phase is phase
        for _ in range(restarts):
            house = house.again()
            back = house.returns(ann.token)
            assert house.game().phase is Phase.AWAY
        new = house.leader("new", RESTORE)
        house.returns(ben.token)
        told = back.hears()
        assert told == ([] if phase is Phase.BEGUN else [turn("g1", "ann", FIRST)])
        new.says(turn("g1", "ann", BEN))
        news = phase in (Phase.BEGUN, Phase.ANSWER, Phase.ALONE)
        assert back.hears() == ([turn("g1", "ann", BEN)] if news else [])
        back.says(moves("g1"))
        new.says(over("g1", "ann", losers=("ben",)))
        assert back.hears() == [over("g1", "ann", losers=("ben",))]
        assert house.again().rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_while_it_is_taken_over(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        house.leader("second", RESTORE)
        assert house.game().phase is Phase.TAKING
        again = house.again()
        third = again.leader("third", RESTORE)
        assert third.hears() == [restored(house)]
        third.says(turn("g1", "ann"))
        assert again.returns(ann.token).hears() == again.returns(ben.token).hears() == [turn("g1", "ann", FIRST)]

    def test_with_its_result_on_the_way_to_the_disk_it_may_come_to_another_one(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        house.disk_is_slow = True
        steps = len(house.diary)
        master.says(over("g1", "ann", losers=("ben",)))
        assert house.game().phase is Phase.CLOSING
        again = house.again(steps)
        assert again.returns(ann.token).hears() == [turn("g1", "ann", FIRST)]
        again.disk_is_slow = False
        again.leader("new", RESTORE).says(over("g1", "ben", losers=("ann",)))
        assert again.rows() == {"ben": (1, 0, 0), "ann": (0, 1, 0)}

    def test_with_its_result_on_the_disk_it_is_over_although_nobody_has_been_told(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        house.disk_is_slow = True
        master.says(over("g1", "ann", losers=("ben",)))
        assert ann.hears() == []
        again = house.again()
        assert again.broker.games == []
        back = again.returns(ann.token)
        assert back.state is PeerState.IDLE
        assert back.standings() == [{"ann": (1, 0), "ben": (0, 1)}]

    def test_after_the_end_no_thanks_are_owed_any_more(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.again()
        assert again.returns(ann.token).state is PeerState.IDLE

    def test_a_result_is_recorded_in_one_life_only(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.again()
        assert not any(isinstance(one, RecordResult) for step in again.diary for one in step)


class TestTables:
    """A game at a table that a player had set up."""

    def table(self, house: House) -> tuple[Peer, Peer]:
        """A game g1 of ada, whose table it is, and bob."""
        ada, bob = house.guest("ada", SESSION, LOBBY), house.guest("bob", SESSION, LOBBY)
        master = house.leader("m", RESTORE, Family.TABLE)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PRIVATE, 0, (), ("bob",))))
        bob.says(Join("g1"))
        master.says(turn("g1", "ada", FIRST))
        return ada, bob

    def test_it_is_still_its_owners(self, house: House) -> None:
        ada, bob = self.table(house)
        again = house.again()
        assert again.broker.desk.tables["g1"].name == "Friday"
        back = again.returns(ada.token, SESSION, LOBBY)
        again.returns(bob.token, SESSION, LOBBY)
        back.says(Cancel())
        assert again.results[0].verdict == Verdict(Cause.CANCELLED, "ada", by_server=True)
        assert again.broker.desk.tables == {}

    def test_without_its_owner_there_is_no_table(self, house: House) -> None:
        ada, _bob = self.table(house)
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [one for one in house.records if isinstance(one, RecordSession) and one.nick == "bob"]
        left = RecordEntry("g1", EntryKind.LEFT, 0, text="connection lost")
        entries = [(0.0, entry) for entry in (*house.entries(), left)]
        again = House(past=Past(sessions=sessions, games=[PastGame(begin, 0.0, entries)]), master_grace_s=60)
        again.happens(Started())
        assert again.results[0].verdict == Verdict(Cause.SERVER_LOST)
        assert again.broker.desk.tables == {}
        assert ada.token


class TestNoTimeIsLostThroughTheServer:
    """The clock of a player starts when it is back on its line and the new master has named it."""

    @pytest.fixture
    def house(self) -> House:
        return House(master_grace_s=60, move_timeout_s=5, session_grace_s=50)

    def test_a_player_who_is_still_away_has_no_clock(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        again.leader("new", RESTORE).says(turn("g1", "ann", FIRST))
        again.passes(40)
        assert again.game().phase is Phase.TURN
        back = again.returns(ann.token)
        assert again.clock() == 5
        again.passes(4.9)
        assert back.hears() == [turn("g1", "ann", FIRST)]
        again.returns(ben.token)
        again.passes(0.2)
        assert back.hears() == [Error("no move within 5 s: game g1 is lost")]

    def test_it_may_come_back_before_the_master(self, house: House) -> None:
        _master, ann, _ben = game(house, "ann", "ben")
        again = house.again()
        again.returns(ann.token)
        again.passes(30)
        assert again.game().phase is Phase.AWAY
        again.leader("new", RESTORE).says(turn("g1", "ann", FIRST))
        assert again.clock() == 5

    def test_one_who_does_not_come_back_is_lost_with_its_session(self, house: House) -> None:
        _master, _ann, ben = game(house, "ann", "ben")
        again = house.again()
        master = again.leader("new", RESTORE)
        master.says(turn("g1", "ann", FIRST))
        again.returns(ben.token)
        again.passes(50)
        assert again.game().departures == {"ann": Cause.DISCONNECTED}

    def test_another_players_turn_later_waits_for_it_too(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        master = again.leader("new", RESTORE)
        master.says(turn("g1", "ann", FIRST))
        again.returns(ann.token).says(moves("g1"))
        master.says(turn("g1", "ben"))
        again.passes(30)
        assert again.game().phase is Phase.TURN
        again.returns(ben.token)
        assert again.clock() == 5

    def test_of_several_movers_those_who_are_there_have_a_clock(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben", families=(RESTORE, VIEWS, MOVERS))
        again = house.again()
        master = again.leader("new", RESTORE, VIEWS, MOVERS)
        again.returns(ann.token)
        master.says(Views("g1", ("ann", "ben"), (), (View("", FIRST),)))
        assert again.clock() == 5
        again.passes(5.1)
        assert again.game().departures == {"ann": Cause.TIMEOUT}
        again.returns(ben.token)
        assert "ben" in again.game().present


def test_several_games_that_cannot_go_on_are_void_one_by_one() -> None:
    """The type of the first must not be forgotten before the second has ended."""
    nicks = {"g1": ("ann", "ben"), "g2": ("cat", "dan")}
    games = [PastGame(RecordBegin(game, CHESS, "m", seats, seed="42"), 10.0, ()) for game, seats in nicks.items()]
    house = House(past=Past(games=games), session_grace_s=0, master_grace_s=60)
    house.happens(Started())
    assert [(result.game_id, result.verdict.cause) for result in house.results] == [
        ("g1", Cause.SERVER_LOST),
        ("g2", Cause.SERVER_LOST),
    ]
    assert house.broker.desk.types == {}


def test_what_a_game_has_received_is_remembered(house: House) -> None:
    """``max_game_bytes`` counts what came before the restart, too."""
    _, ann, _ = game(house, "ann", "ben")
    ann.says(moves("g1", b"<move>" + b"x" * 40_000 + b"</move>"))
    received = house.broker.desk.games["g1"].history.received
    assert received > 40_000
    assert house.again().broker.desk.games["g1"].history.received == received
