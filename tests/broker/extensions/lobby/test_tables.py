"""Tables, as far as transcripts do not show them: references, records, which master leads, which results count."""

import sys
from dataclasses import replace
from types import FrameType

import pytest

from tests.broker.house import House, Peer, over, thank, turn
from ugs.broker.effects import RecordBegin, RecordSession
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.lobby import tables
from ugs.broker.extensions.lobby.tables import start
from ugs.broker.extensions.request import Refusal
from ugs.broker.verdict import Cause, Outcome
from ugs.wire.extensions import (
    Advertise,
    Advertised,
    Cancel,
    Failed,
    Family,
    GameEnded,
    Join,
    Joined,
    ListTables,
    NewTable,
    OfferedOption,
    Offers,
    Ok,
    Quit,
    RefusalReason,
    Seats,
    Start,
    Tables,
    Visibility,
    Wait,
)
from ugs.wire.messages import BeginGame, Choice, Extension, LeaveGame

LOBBY = (Family.SESSION, Family.LOBBY)
FRIDAY = NewTable("Friday", 2, Visibility.PUBLIC)
THREE = replace(FRIDAY, seats=3)
ADULT = OfferedOption("mode", "STANDARD", "STANDARD ADULT")
STRICT = OfferedOption("rules", "strict", "strict loose")


def seated(house: House, *nicks: str, table: NewTable = FRIDAY) -> list[Peer]:
    """Players of whom the first has set a table up, g1, and the others have sat down; all have read what came."""
    first, *others = [house.guest(nick, *LOBBY) for nick in nicks]
    first.says(Advertise(table))
    for peer in others:
        peer.says(Join("g1"))
    for peer in (first, *others):
        peer.hears()
    return [first, *others]


def begins(house: House) -> list[RecordBegin]:
    """What was recorded of the beginnings of games."""
    return [one for one in house.records if isinstance(one, RecordBegin)]


def pooled(house: House) -> list[bool]:
    """What was recorded about who waits for open play, one after the other."""
    return [one.pooled for one in house.records if isinstance(one, RecordSession)]


class TestReferences:
    @pytest.mark.parametrize(
        ("request_", "answer"),
        [(Join("g1", ref="7"), Joined), (ListTables(ref="7"), Tables), (Wait(ref="7"), Ok), (Start(ref="7"), Failed)],
    )
    def test_an_answer_repeats_the_reference_of_its_request(
        self, house: House, request_: Extension, answer: type[Ok | Failed | Tables | Joined]
    ) -> None:
        seated(house, "ada", table=THREE)
        ben = house.guest("ben", *LOBBY)
        ben.says(request_)
        first = ben.hears()[0]
        assert isinstance(first, answer)
        assert first.ref == "7"

    @pytest.mark.parametrize("request_", [Start(ref="7"), Cancel(ref="7")])
    def test_the_answers_to_the_owner_repeat_its_references(self, house: House, request_: Extension) -> None:
        house.leader("m", Family.TABLE)
        ada = house.guest("ada", *LOBBY)
        ada.says(Advertise(FRIDAY, ref="6"))
        advertised = ada.hears()[0]
        assert isinstance(advertised, Advertised)
        assert advertised.ref == "6"
        ada.says(request_)
        assert ada.hears()[0] == Ok("7")

    def test_the_answer_to_a_player_who_quits_repeats_its_reference(self, house: House) -> None:
        _, ben = seated(house, "ada", "ben", table=THREE)
        ben.says(Quit(ref="7"))
        assert ben.hears() == [Ok("7")]


class TestATableThatWaits:
    """It is full, and no master that is there leads a game with what was chosen."""

    CHOSEN = replace(FRIDAY, options=(Choice("mode", "ADULT"),))
    WRONG = "the game does not begin: option name 'mode': allowed are rules"

    def test_its_players_are_told_which_option_nobody_offers_and_once(self, house: House) -> None:
        ada, ben = seated(house, "ada", "ben", table=self.CHOSEN)
        master = house.leader("m", Family.TABLE, options=(STRICT,))
        for peer in (ada, ben):
            (told,) = peer.hears()
            assert isinstance(told, Seats)
            assert told.comment == self.WRONG
        master.says(Offers((STRICT,)))
        assert ada.hears() == ben.hears() == []

    def test_it_is_told_when_it_becomes_full(self, house: House) -> None:
        (ada,) = seated(house, "ada", table=self.CHOSEN)
        house.leader("m", Family.TABLE, options=(STRICT,))
        assert ada.hears() == []
        house.guest("ben", *LOBBY).says(Join("g1"))
        assert [one.comment for one in ada.hears() if isinstance(one, Seats)] == ["ben has sat down", self.WRONG]

    def test_it_is_played_with_the_next_master_that_offers_it(self, house: House) -> None:
        house = House(masters_per_game=2)
        seated(house, "ada", "ben", table=self.CHOSEN)
        house.leader("m", Family.TABLE, options=(STRICT,))
        fitting = house.leader("n", Family.TABLE, options=(ADULT,))
        assert [type(one) for one in fitting.hears()] == [BeginGame]

    def test_options_of_several_masters_together_are_no_game(self, house: House) -> None:
        house = House(masters_per_game=2)
        both = replace(FRIDAY, options=(Choice("mode", "ADULT"), Choice("rules", "loose")))
        house.leader("m", Family.TABLE, options=(STRICT,))
        house.leader("n", Family.TABLE, options=(ADULT,))
        (ada,) = seated(house, "ada", table=both)
        house.guest("ben", *LOBBY).says(Join("g1"))
        last = ada.hears()[-1]
        assert isinstance(last, Seats)
        assert last.comment.endswith("option: no game master offers all of these together: mode, rules")

    def test_of_a_long_list_the_beginning_is_told(self, house: House) -> None:
        ada, _ = seated(house, "ada", "ben", table=self.CHOSEN)
        house.leader("m", Family.TABLE, options=tuple(OfferedOption(f"option-{number}", "1") for number in range(100)))
        (told,) = ada.hears()
        assert isinstance(told, Seats)
        assert told.comment.startswith("the game does not begin: option name 'mode': allowed are option-0, option-1")
        assert len(told.comment) < 350

    def test_masters_that_change_their_mind_are_told_of_once(self, house: House) -> None:
        ada, _ = seated(house, "ada", "ben", table=self.CHOSEN)
        master = house.leader("m", Family.TABLE, options=(STRICT,))
        for number in range(20):
            master.says(Offers((replace(STRICT, name=f"o{number}"),)))
        assert len(ada.hears()) == 1

    def test_of_many_tables_a_few_are_looked_at_at_a_time_and_all_in_turn(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tables, "MAX_LOOKED", 5)
        monkeypatch.setattr(tables, "MAX_WAITS_REPORTED", 1)
        owners = []
        for number in range(3):
            owner, guest = house.guest(f"o{number}", *LOBBY), house.guest(f"g{number}", *LOBBY)
            owner.says(Advertise(self.CHOSEN))
            guest.says(Join(f"g{number + 1}"))
            owner.hears()
            owners.append(owner)
        master = house.leader("m", Family.TABLE, options=(STRICT,))
        assert [len(one.hears()) for one in owners] == [1, 0, 0]
        master.says(Offers((STRICT,)))
        assert [len(one.hears()) for one in owners] == [0, 0, 1]
        master.says(Offers((STRICT,)))
        master.says(Offers((STRICT,)))
        assert [len(one.hears()) for one in owners] == [0, 1, 0]


class TestWhatIsRecorded:
    def test_a_game_is_recorded_with_its_table_and_what_was_chosen(self, house: House) -> None:
        house.leader("m", Family.TABLE, players=(2, 4), options=(STRICT, ADULT))
        table = NewTable("Friday", 4, Visibility.PRIVATE, 1, (Choice("mode", "ADULT"),), ("ben",))
        ada, _ = seated(house, "ada", "ben", table=table)
        ada.says(Start())
        (begin,) = begins(house)
        assert begin.game_id == "g1"
        assert begin.seats == ("ada", "ben")
        assert begin.options == {"rules": "strict", "mode": "ADULT"}
        assert begin.seats_total == 4
        assert begin.table == {"name": "Friday", "owner": "ada", "visibility": "PRIVATE"}
        assert begin.seed == ""

    def test_a_game_that_can_be_taken_over_has_a_seed_of_its_own(self, house: House) -> None:
        master = house.leader("m", Family.TABLE, Family.RESTORE)
        seated(house, "ada", "ben")
        (told,) = master.hears()
        (begin,) = begins(house)
        assert isinstance(told, BeginGame)
        assert told.seed == begin.seed != ""

    def test_they_sit_in_the_order_in_which_they_sat_down(self, house: House) -> None:
        master = house.master()
        ada, ben = seated(house, "ada", "ben")
        master.says(over("g1", "ada", losers=("ben",)))
        thank("g1", ada, ben)
        ada.says(Advertise(FRIDAY))
        ben.says(Join("g2"))
        assert [begin.seats for begin in begins(house)] == [("ada", "ben"), ("ada", "ben")]

    def test_a_player_who_begins_or_stops_waiting_for_open_play_is_recorded_so(self, house: House) -> None:
        ada = house.guest("ada", *LOBBY)
        ada.says(Wait())
        ada.says(Wait())
        ada.says(Advertise(FRIDAY))
        ada.says(Cancel())
        assert pooled(house) == [False, True, False]

    def test_nothing_is_recorded_of_the_waiting_of_a_player_without_a_session(self, house: House) -> None:
        ada = house.guest("ada", Family.LOBBY)
        ada.says(Wait())
        ada.says(Advertise(FRIDAY))
        assert pooled(house) == []

    def test_a_player_who_only_sits_down_and_gets_up_is_not_recorded_again(self, house: House) -> None:
        _, ben = seated(house, "ada", "ben", table=THREE)
        ben.says(Quit())
        assert pooled(house) == [False, False]


class TestWhatCounts:
    def test_a_game_at_a_table_counts_as_any_other(self, house: House) -> None:
        master = house.master()
        seated(house, "ada", "ben")
        master.says(over("g1", "ada", losers=("ben",)))
        assert house.rows() == {"ada": (1, 0, 0), "ben": (0, 1, 0)}

    def test_a_game_that_is_cancelled_counts_for_nobody(self, house: House) -> None:
        house.master()
        ada, _ = seated(house, "ada", "ben")
        ada.says(Cancel())
        (result,) = house.results
        assert result.verdict.cause is Cause.CANCELLED
        assert result.verdict.culprit == "ada"
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID, Outcome.VOID]
        assert set(house.rows().values()) == {(0, 0, 0)}

    def test_a_player_who_leaves_a_game_that_is_not_viable_without_it_has_not_lost(self, house: House) -> None:
        house.master()
        _, ben = seated(house, "ada", "ben")
        ben.says(Quit())
        (result,) = house.results
        assert result.verdict.cause is Cause.NOT_VIABLE
        assert set(house.rows().values()) == {(0, 0, 0)}

    def test_a_player_who_leaves_a_game_that_goes_on_has_lost(self, house: House) -> None:
        master = house.master(players=(3, 3))
        seated(house, "ada", "ben", "cyd", table=THREE)[2].says(LeaveGame("g1"))
        master.says(over("g1", "ada", losers=("ben",)))
        assert house.rows()["cyd"] == (0, 1, 0)


class TestWhoLeadsIt:
    def test_the_least_busy_of_those_who_can(self) -> None:
        house = House(masters_per_game=4)
        masters = [
            house.leader("small", Family.TABLE, players=(2, 2)),
            house.leader("plain", players=(2, 4)),
            house.leader("busy", Family.TABLE, players=(2, 4)),
            house.leader("free", Family.TABLE, players=(2, 4)),
        ]
        for nick in ("zoe", "ada"):
            peer = house.guest(nick, *LOBBY)
            peer.says(Advertise(THREE))
            peer.says(Start())
        assert [begin.master for begin in begins(house)] == ["busy", "free"]
        assert [len(master.hears()) for master in masters] == [0, 0, 1, 1]

    def test_one_of_v4_where_no_seat_is_a_program_and_nothing_was_chosen(self, house: House) -> None:
        house.master(players=(2, 4))
        seated(house, "ada", "ben", "cyd", table=THREE)
        (begin,) = begins(house)
        assert begin.seats_total == 0
        assert begin.options == {}

    def test_one_that_plays_seats_leads_it_where_the_computer_has_one(self) -> None:
        house = House(masters_per_game=2)
        house.leader("m", Family.TABLE).says(Offers((), plays_seats=False))
        house.leader("n", Family.TABLE)
        seated(house, "ada", table=replace(FRIDAY, computers=1))
        house.game()
        assert house.game().master.name == "n"

    def test_the_same_options_of_another_master_hold_for_its_games(self) -> None:
        house = House(masters_per_game=2)
        house.leader("m", Family.TABLE, options=(replace(ADULT, values="STANDARD"),))
        house.leader("n", Family.TABLE, options=(ADULT, STRICT))
        seated(house, "ada", "ben", table=replace(FRIDAY, options=(Choice("mode", "ADULT"),)))
        (begin,) = begins(house)
        assert begin.master == "n"
        assert begin.options == {"mode": "ADULT", "rules": "strict"}


@pytest.mark.parametrize(
    ("option", "allowed"),
    [
        (OfferedOption("a", "1", "", 1, 9), "1 to 9"),
        (OfferedOption("a", "1", "", 1), "whole numbers from 1"),
        (OfferedOption("a", "1", "", None, 9), "whole numbers up to 9"),
        (OfferedOption("a", "1", "many", 1, 9), "many, 1 to 9"),
    ],
)
def test_a_refusal_tells_the_values_of_an_option(house: House, option: OfferedOption, allowed: str) -> None:
    house.leader("m", Family.TABLE, options=(option,))
    ada = house.guest("ada", *LOBBY)
    ada.says(Advertise(replace(FRIDAY, options=(Choice("a", "none of these"),))))
    (refused,) = ada.hears()
    assert isinstance(refused, Failed)
    assert refused.text == f"x-advertise: option value 'none of these' for 'a': allowed are {allowed}"


class TestGuests:
    """Players of v4 cannot sit down: those who are invited and idle get a seat when the game begins."""

    def start(self, house: House, table: NewTable) -> Peer:
        """A master of 2 to 4 players comes, and ada begins the game at a table of ada."""
        master = house.leader("m", Family.TABLE, players=(4, 4))
        ada = house.guest("ada", *LOBBY)
        ada.says(Advertise(table))
        ada.says(Start())
        return master

    def players(self, master: Peer) -> list[tuple[str, ...]]:
        """Who was seated in the games that the master was asked to begin."""
        return [message.players for message in master.hears() if isinstance(message, BeginGame)]

    def test_a_player_who_is_invited_and_waits_is_seated_in_the_order_of_the_invitations(self, house: House) -> None:
        house.player("cyd")
        house.player("ben")
        house.player("dot")
        master = self.start(house, replace(FRIDAY, seats=4, invited=("BEN", "cyd", "eve")))
        assert self.players(master) == [("ada", "ben", "cyd")]

    def test_an_invited_player_for_whom_there_is_no_room_is_not_seated(self, house: House) -> None:
        house.player("ben")
        house.player("cyd")
        master = self.start(house, replace(FRIDAY, seats=4, computers=2, invited=("ben", "cyd")))
        assert self.players(master) == [("ada", "ben")]

    def test_a_player_who_has_a_lobby_decides_for_itself(self, house: House) -> None:
        house.guest("ben", *LOBBY).says(Wait())
        master = self.start(house, replace(FRIDAY, seats=4, invited=("ben",)))
        assert self.players(master) == [("ada",)]

    def test_a_player_who_is_entered_for_a_championship_stays_there(self) -> None:
        house = House(mode="championship", championship_players=3)
        house.player("ben")
        ada = house.guest("ada", *LOBBY)
        ada.says(Advertise(replace(FRIDAY, invited=("ben",))))
        master = house.leader("m", Family.TABLE)
        ada.says(Start())
        assert self.players(master) == [("ada",)]

    def test_waiting_for_one_game_is_about_open_play_only(self) -> None:
        house = House(mode="championship", championship_players=2)
        house.leader("m", Family.TABLE)
        house.player("ben")
        ada = house.guest("ada", *LOBBY)
        ada.says(Wait(once=True))
        assert ada.player.game is not None
        assert ada.player.pooled, "its next round will want it"

    def test_they_wait_on_when_the_game_cannot_begin(self, house: House) -> None:
        ben = house.player("ben")
        ada = house.guest("ada", *LOBBY)
        ada.says(Advertise(replace(THREE, invited=("ben",))))
        ada.says(Start())
        assert [type(message) for message in ada.hears()][-1] is Failed
        (table,) = house.broker.server.tables.values()
        assert table.members == [ada.player]
        assert ben.player in ben.player.type.waiting.values()


class TestWhileItCloses:
    """The master has said who won, and nobody may know before it is on file."""

    def test_the_seats_do_not_tell_it(self, house: House) -> None:
        master = house.master(players=(3, 3))
        ada, ben, _ = seated(house, "ada", "ben", "cyd", table=THREE)
        house.disk_is_slow = True
        master.says(over("g1", "ada", losers=("ben", "cyd")))
        ben.is_lost()
        (seats,) = ada.hears()
        assert isinstance(seats, Seats)
        assert [str(seat.state) for seat in seats.seats] == ["PLAYING", "DISCONNECTED", "PLAYING"]

    def test_a_player_who_quits_is_free_and_has_the_result_that_stands(self, house: House) -> None:
        master = house.master()
        ada, ben = seated(house, "ada", "ben")
        house.disk_is_slow = True
        master.says(over("g1", "ben", losers=("ada",)))
        ben.says(Quit())
        assert ben.hears() == [Ok()]
        ben.says(Advertise(FRIDAY))
        house.disk_catches_up()
        assert [type(message) for message in ben.hears()] == [Advertised, Seats]
        assert isinstance(ada.hears()[0], GameEnded)
        assert house.rows()["ben"] == (1, 0, 0)
        assert list(house.broker.server.tables) == ["g2"]


class TestTheRegistry:
    def test_a_table_is_known_until_the_end_of_its_game_was_told(self, house: House) -> None:
        master = house.master()
        seated(house, "ada", "ben")
        assert [table.playing for table in house.broker.server.tables.values()] == [True]
        master.says(over("g1", "ada", losers=("ben",)))
        assert not house.broker.server.tables

    def test_a_game_of_the_pool_has_no_table(self, house: House) -> None:
        house.table("ann", "ben")
        assert not house.broker.server.tables

    def test_no_game_gathers_for_a_player_who_stops_waiting(self) -> None:
        house = House(gather_s=10)
        house.master(players=(2, 3))
        ada = house.guest("ada", *LOBBY)
        house.player("vic")
        ada.says(Wait())
        assert Timer(TimerKind.GATHER, "chess") in house.timers
        ada.says(Quit())
        assert Timer(TimerKind.GATHER, "chess") not in house.timers


class TestTheNextLife:
    def test_a_table_in_play_is_there_again_and_its_owner_still_has_a_say(self) -> None:
        house = House(master_grace_s=30)
        master = house.leader("m", Family.TABLE, Family.RESTORE)
        ada, ben = seated(house, "ada", "ben")
        master.says(turn("g1", "ada"))
        later = house.again()
        later.leader("m", Family.TABLE, Family.RESTORE)
        players = [later.returns(peer.token, *LOBBY) for peer in (ada, ben)]
        for peer in players:
            peer.hears()
        players[1].says(Cancel())
        assert isinstance(players[1].hears()[0], Failed)
        players[0].says(Cancel())
        assert [message.TYPE for message in players[0].hears()] == ["x-ok", "x-gameEnded", "gameState"]
        assert not later.broker.server.tables

    def test_a_table_that_was_only_set_up_is_gone(self, house: House) -> None:
        ada, _ = seated(house, "ada", "ben", table=THREE)
        later = house.again()
        back = later.returns(ada.token, *LOBBY)
        back.says(ListTables())
        assert back.hears() == [Tables(())]


class TestAddresses:
    """One household has a part of the tables, whatever addresses it uses."""

    def test_a_household_with_many_addresses_has_the_tables_of_one(self) -> None:
        house = House(max_tables_per_ip=2)
        heard = []
        for last in (1, 2, 3):
            peer = house.guest(f"p{last}", *LOBBY, address=f"[2001:db8::{last}]:1")
            peer.says(Advertise(NewTable("t", 2, Visibility.PUBLIC)))
            heard.append(type(peer.hears()[0]))
        assert heard == [Advertised, Advertised, Failed]

    def test_the_last_tables_are_for_those_who_have_fewer(self) -> None:
        house = House(max_tables=8, max_tables_per_ip=7)

        def sets_up(number: int, address: str) -> bool:
            peer = house.guest(f"{address}/{number}", *LOBBY, address=f"192.0.2.{address}:1")
            peer.says(Advertise(NewTable("t", 2, Visibility.PUBLIC)))
            return isinstance(peer.hears()[0], Advertised)

        had = {address: sum(sets_up(number, address) for number in range(8)) for address in "123456"}
        assert had == {"1": 4, "2": 2, "3": 1, "4": 1, "5": 0, "6": 0}

    def test_so_are_the_last_games(self) -> None:
        """Two addresses took all of 25 games, with 20 each."""
        house = House(max_table_games=8, max_table_games_per_ip=7)
        house.leader("m", Family.TABLE, players=(2, 2)).says(Offers(()))
        refused: dict[str, str] = {}

        def plays(number: int, address: str) -> bool:
            host, guest = (
                house.guest(f"{address}/{number}{one}", *LOBBY, address=f"192.0.2.{address}:1") for one in "ab"
            )
            host.says(Advertise(NewTable("t", 2, Visibility.PUBLIC)))
            advertised = host.hears()[0]
            assert isinstance(advertised, Advertised)
            guest.says(Join(advertised.table.id))
            host.hears()
            host.says(Start())
            answer = host.hears()[0]
            if isinstance(answer, Failed) and answer.code is RefusalReason.GAME_LIMIT:
                refused[address] = answer.text
                return False
            return True

        had = {address: sum(plays(number, address) for number in range(8)) for address in "1234"}
        assert had == {"1": 4, "2": 2, "3": 1, "4": 1}
        assert "4 games are in play at tables of players from this address" in refused["1"]

    def test_behind_a_proxy_one_address_may_have_all(self) -> None:
        house = House(max_tables=4, max_tables_per_ip=4)
        heard = []
        for number in range(5):
            peer = house.guest(f"p{number}", *LOBBY)
            peer.says(Advertise(NewTable("t", 2, Visibility.PUBLIC)))
            heard.append(type(peer.hears()[0]))
        assert heard == [Advertised] * 4 + [Failed]


class TestNames:
    """The name of a table is shown to everybody."""

    @pytest.mark.parametrize(
        ("name", "wrong"),
        [
            ("\u202egnp.exe", "holds invisible characters"),
            ("a\u2028b", "holds invisible characters"),
            ("\x85", "is empty"),
            ("a\x85b", "holds control characters"),
            ("   ", "is empty"),
        ],
    )
    def test_what_nobody_sees_is_refused(self, house: House, name: str, wrong: str) -> None:
        ada = house.guest("ada", *LOBBY)
        ada.says(Advertise(replace(FRIDAY, name=name)))
        (answer,) = ada.hears()
        assert isinstance(answer, Failed)
        assert answer.text == f"x-advertise: table name {name!r}: {wrong}"

    def test_what_a_browser_would_read_is_only_text(self, house: House) -> None:
        ada = house.guest("ada", *LOBBY)
        ada.says(Advertise(replace(FRIDAY, name="<script>alert(1)</script>")))
        assert isinstance(ada.hears()[0], Advertised)


class TestCosts:
    """What a request costs does not depend on how many others are there."""

    def test_a_start_looks_at_those_invited_and_not_at_all_who_wait(self) -> None:
        """With 9000 who waited, a start that was refused took 12 ms, as often as its sender liked."""
        assert calls_of_a_start(waiting=3) == calls_of_a_start(waiting=100)


def calls_of_a_start(waiting: int) -> int:
    """How many functions are called when the owner of a table begins in vain, while so many wait for open play."""
    house = House()
    (ada,) = seated(house, "ada", table=replace(FRIDAY, invited=("w1",)))
    house.players(*(f"w{number}" for number in range(waiting)))
    calls = 0

    def profile(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    server = house.broker.server
    sys.setprofile(profile)
    try:
        refusal = start(server, ada.player, Start())
    finally:
        sys.setprofile(None)
    assert isinstance(refusal, Refusal)
    return calls
