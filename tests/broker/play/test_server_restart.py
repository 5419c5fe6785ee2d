"""The server is killed and comes back: players with sessions return, and their games go on with another master."""

from dataclasses import replace

import pytest

from tests.broker.extensions.in_session import STRANGER, refused
from tests.broker.house import CHESS, House, over, thank, turn
from tests.broker.house import move as moves
from tests.broker.play.long_games import played, plays_on
from tests.broker.play.revived import ANN, BEN, FIRST, LOBBY, MOVERS, RESTORE, SESSION, VIEWS, game, restored
from ugs.broker.effects import RecordBegin, RecordEntry, RecordSession, RecordSessionOver
from ugs.broker.events import Started
from ugs.broker.past import Past, PastGame
from ugs.broker.state.connection import PeerState
from ugs.broker.state.history import MAX_RECENT_ENTRIES
from ugs.broker.state.session_tokens import NAME_CHARACTERS, digest_of
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.extensions import Family, Label, Labels, Moved, PastLeft, PastMove, SeatKind, View, Views
from ugs.wire.messages import BeginGame, LeaveGame, LoginError, LoginResponse, Logout, PlayerLogin


@pytest.fixture
def house() -> House:
    """Games wait a minute for a master."""
    return House(master_grace_s=60)


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
        assert again.broker.server.names.players["ann"].away
        back = again.returns(ann.token)
        assert back.state is PeerState.IDLE
        assert [set(table) for table in back.standings()] == [{"ann"}]

    def test_the_grace_is_counted_from_the_start_of_the_server(self, house: House) -> None:
        ann = house.guest("ann", SESSION)
        ann.is_lost()
        house.passes(50)
        again = house.again()
        again.passes(59)
        assert again.broker.server.names.players["ann"].away
        again.passes(1)
        assert "ann" not in again.broker.server.names.players
        assert refused(again, ann.token) == STRANGER

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
        assert refused(again, ann.token) == refused(again, ben.token) == STRANGER
        assert again.broker.server.types == {}

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
        assert refused(again, tokens[1]) == STRANGER
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
        assert all(entry.kind is not EntryKind.OVER for entry in again.game().history.entries)

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

    def test_a_long_past_takes_no_more_room_than_before(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        again = house.again()
        before, history = house.game().history, again.game().history
        assert len(history.entries) <= MAX_RECENT_ENTRIES + 1
        assert (history.count, history.moves, history.sent_by) == (before.count, before.moves, before.sent_by)
        assert history.entries[-3:] == before.entries[-3:]
        new = again.leader("new", RESTORE)
        (told,) = new.hears()
        assert told == restored(house, *played())

    def test_it_is_noted(self, house: House) -> None:
        game(house, "ann", "ben")
        assert house.again().noted("game waits for its master") == [{"game": "g1", "game_type": CHESS}]


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
    assert house.broker.server.types == {}


def test_what_a_game_has_received_is_remembered(house: House) -> None:
    """``max_game_bytes`` counts what came before the restart, too."""
    _, ann, _ = game(house, "ann", "ben")
    ann.says(moves("g1", b"<move>" + b"x" * 40_000 + b"</move>"))
    received = house.broker.server.games["g1"].history.received
    assert received > 40_000
    assert house.again().broker.server.games["g1"].history.received == received
