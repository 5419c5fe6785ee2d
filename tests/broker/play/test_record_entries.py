"""What is written down of games and logins, before anybody is told of it."""

from collections.abc import Sequence

import pytest

from tests.broker.house import CHESS, House, move, over, thank, turn
from ugs.broker.effects import (
    Effect,
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    Recording,
    RecordLogin,
    RecordLogout,
    RecordResult,
    Send,
)
from ugs.broker.events import Disconnected, Misread
from ugs.broker.state.connection import PeerState
from ugs.broker.values.record import EntryKind, read_results, results_text
from ugs.championship.ledger import What
from ugs.wire.extensions import Family
from ugs.wire.messages import (
    Error,
    GameState,
    LeaveGame,
    Logout,
    PlayerLeftGame,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

BEGIN, STATE, OVER, MOVE = EntryKind.BEGIN, EntryKind.STATE, EntryKind.OVER, EntryKind.MOVE
LEFT, ERROR, REFUSED, VERDICT = EntryKind.LEFT, EntryKind.ERROR, EntryKind.REFUSED, EntryKind.VERDICT
AWAY = EntryKind.AWAY
WORDLESS = frozenset({"championsList", "loginResponse"})
"""Messages that tell nothing of a game."""


def written(effects: Sequence[Effect]) -> list[Recording]:
    """What of these goes into the journal."""
    return [effect for effect in effects if isinstance(effect, Recording)]


def first_the_record(effects: Sequence[Effect]) -> None:
    """Nothing is sent before all that is written down with it."""
    last_record = max(at for at, effect in enumerate(effects) if isinstance(effect, Recording))
    told = [at for at, effect in enumerate(effects) if isinstance(effect, Send) and effect.message.TYPE not in WORDLESS]
    assert told
    assert min(told) > last_record


class TestGames:
    """From beginGame to the verdict."""

    def test_the_beginning_names_the_master_and_the_seats(self, house: House) -> None:
        house.master("m")
        house.player("ann")
        effects = house.connects().says(login("ben"))
        begin, entry = [one for one in written(effects) if not isinstance(one, RecordLogin)]
        assert begin == RecordBegin("g1", CHESS, "m", ("ann", "ben"))
        assert entry == RecordEntry("g1", BEGIN)
        asked = next(at for at, one in enumerate(effects) if isinstance(one, Send) and one.message.TYPE == "beginGame")
        assert asked > effects.index(entry)

    def test_a_state_says_whose_turn_it_is_and_who_was_told(self, house: House) -> None:
        master, _ann, ben, _cat = house.table("ann", "ben", "cat")
        effects = master.says(turn("g1", "cat", b"<gameState>1</gameState>"))
        assert written(effects) == [RecordEntry("g1", STATE, 2, 0b111, "", b"<gameState>1</gameState>")]
        first_the_record(effects)
        ben.says(LeaveGame("g1"))
        effects = master.says(turn("g1", "ann", b"<gameState>2</gameState>"))
        assert written(effects) == [RecordEntry("g1", STATE, 0, 0b101, "", b"<gameState>2</gameState>")]

    def test_a_move_says_whose_it_was(self, house: House) -> None:
        _master, ann, _ben = house.table("ann", "ben")
        effects = ann.says(move("g1", b"<move>e4</move>"))
        assert written(effects) == [RecordEntry("g1", MOVE, 0, 0, "", b"<move>e4</move>")]
        first_the_record(effects)

    def test_the_end_has_the_results_in_the_order_of_the_master_then_the_verdict_then_the_result(
        self, house: House
    ) -> None:
        house.disk_is_slow = True
        master, ann, ben = house.table("ann", "ben")
        results = (PlayerResult("ben", Result.WINNER), PlayerResult("ann", Result.LOSER))
        effects = master.says(GameState("g1", None, results, b"<gameState>mate</gameState>"))
        said, verdict, result = written(effects)
        assert said == RecordEntry("g1", OVER, None, 0b11, "1:winner 0:loser", b"<gameState>mate</gameState>")
        assert verdict == RecordEntry("g1", VERDICT, text="finished, fault: nobody")
        assert isinstance(result, RecordResult)
        assert result.conns == (master.conn, ann.conn, ben.conn)
        assert not [effect for effect in effects if isinstance(effect, Send)], "nobody is told before it is on file"

    def test_a_player_who_has_left_is_not_connected_any_more_as_far_as_a_result_goes(self, house: House) -> None:
        house.disk_is_slow = True
        master, ann, ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        *_, result = written(master.says(over("g1", "ben")))
        assert isinstance(result, RecordResult)
        assert result.conns == (master.conn, 0, ben.conn)

    def test_an_end_that_the_server_tells_has_no_payload(self) -> None:
        house = House(quiet_master=True)
        _master, ann, ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        assert [(one.kind, one.text, one.body) for one in house.entries()][-3:] == [
            (LEFT, "left", b""),
            (OVER, "0:loser 1:winner", b""),
            (VERDICT, "left, fault: player of ann, by the server", b""),
        ]
        assert isinstance(ben.hears()[-1], GameState)

    def test_an_end_of_which_nobody_is_told_is_a_verdict_alone(self, house: House) -> None:
        _master, ann, ben = house.table("ann", "ben")
        ann.is_lost()
        ben.says(Logout())
        assert [one.kind for one in house.entries()] == [BEGIN, STATE, LEFT, LEFT, VERDICT]

    def test_a_void_game_has_a_verdict_and_no_end(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(move("g1"))
        effects = house.happens(Disconnected(master.conn))
        assert [one.kind for one in house.entries()] == [BEGIN, STATE, MOVE, VERDICT]
        assert house.entries()[-1].text == "master lost, fault: master of m"
        first_the_record(effects)

    @pytest.mark.parametrize("departs", ["leaves", "logs out", "is lost", "is removed", "is too slow"])
    def test_a_departure_says_whose_and_why_before_anybody_hears_of_it(self, house: House, departs: str) -> None:
        master, _ann, ben, _cat = house.table("ann", "ben", "cat")
        master.says(turn("g1", "ben"))
        effects: list[Effect] = []
        if departs == "leaves":
            effects, cause = ben.says(LeaveGame("g1")), "left"
        elif departs == "logs out":
            effects, cause = ben.says(Logout()), "logout"
        elif departs == "is lost":
            effects, cause = house.happens(Disconnected(ben.conn)), "connection lost"
        elif departs == "is removed":
            effects, cause = master.says(PlayerLeftGame("ben", "g1")), "removed"
        else:
            house.passes(30)
            cause = "timeout"
        assert house.entries()[-1] == RecordEntry("g1", LEFT, 1, text=cause)
        if effects:
            first_the_record(effects)

    def test_a_master_that_is_awaited_is_away(self) -> None:
        house = House(master_grace_s=60)
        master, _ann, _ben = house.table("ann", "ben", families=[Family.RESTORE])
        master.is_lost()
        assert [one.kind for one in house.entries()] == [BEGIN, STATE, AWAY]
        house.passes(60)
        assert [one.kind for one in house.entries()][-1] == VERDICT


NOT_YOURS = "move: gameId id 'g1': it is not your turn (it is ann's)"


class TestWrongMessages:
    """Wrong messages are in the record of the game in which they were sent, while it runs."""

    def test_what_a_player_was_told_was_wrong(self, house: House) -> None:
        _master, _ann, ben = house.table("ann", "ben")
        effects = ben.says(move("g1"))
        assert written(effects) == [RecordEntry("g1", REFUSED, 1, text=NOT_YOURS)]
        first_the_record(effects)
        assert ben.hears_error() == house.entries()[-1].text

    def test_also_when_it_was_no_message_at_all(self, house: House) -> None:
        _master, ann, _ben = house.table("ann", "ben")
        house.happens(Misread(ann.conn, "mvoe: no such message"))
        assert house.entries()[-1] == RecordEntry("g1", REFUSED, 0, text="mvoe: no such message")

    def test_what_a_master_was_told_was_wrong_about_a_game_of_its(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben")
        effects = master.says(turn("g1", "eve"))
        (entry,) = written(effects)
        assert entry == RecordEntry("g1", REFUSED, text="gameState: nextPlayer nick 'eve': not a player in game g1")
        first_the_record(effects)
        assert written(master.says(turn("g7", "ann"))) == []
        house.happens(Misread(master.conn, "nothing that is about a game"))
        assert house.entries()[-1] == entry

    def test_an_error_that_a_player_reports(self, house: House) -> None:
        _master, ann, _ben = house.table("ann", "ben")
        ann.says(Error("I cannot read this"))
        assert house.entries()[-1] == RecordEntry("g1", ERROR, 0, text="I cannot read this")

    def test_errors_of_masters_and_of_idle_players_are_about_no_game(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben")
        cat = house.player("cat")
        entries = house.entries()
        for peer in (master, cat):
            peer.says(Error("?"))
            peer.says(login("ann"))
        assert house.entries() == entries

    def test_too_many_reports_are_not_kept(self) -> None:
        house = House(max_errors_per_minute=2)
        _master, ann, _ben = house.table("ann", "ben")
        for _ in range(5):
            ann.says(Error("?"))
        assert [one.kind for one in house.entries()].count(ERROR) == 2

    def test_nothing_follows_the_verdict(self, house: House) -> None:
        house.disk_is_slow = True
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ann.says(move("g1"))
        ann.says(Error("?"))
        ben.says(LeaveGame("g1"))
        house.disk_catches_up()
        assert ann.state is PeerState.OWING
        ann.says(move("g1"))
        ann.says(Error("as good as a thank you"))
        assert house.entries()[-1].kind is VERDICT


class TestChampionships:
    """Games name their championship, and its ledger changes together with the record of the game."""

    def test_a_game_names_championship_and_fixture_and_the_ledger_names_the_game(self, house: House) -> None:
        house.disk_is_slow = True
        master = house.master()
        house.plans(first=2)
        ann, ben = house.players("ann", "ben")
        (begin,) = [one for one in house.records if isinstance(one, RecordBegin)]
        assert (begin.championship, begin.fixture) == ("cup", 1)
        fixture = house.ledger("cup")[-1]
        assert (fixture.what, fixture.data["game"], fixture.data["nicks"]) == (What.FIXTURE, "g1", list(begin.seats))
        effects = master.says(over("g1", "ann", losers=("ben",)))
        assert [type(one) for one in written(effects)] == [RecordEntry, RecordEntry, RecordResult, RecordChampionship]
        assert house.results[0].championship == "cup"
        assert house.results[0].fixture == 1
        house.disk_catches_up()
        thank("g1", ann, ben)
        assert [entry.what for entry in house.ledger("cup")] == [
            *[What.PLANNED, What.BEGUN, What.BEGUN, What.FIXTURE, What.RESULT, What.OVER]
        ]

    def test_a_championship_of_the_settings_is_planned_when_it_begins(self) -> None:
        house = House(game_types={CHESS: {"mode": "championship", "championship_players": 2}})
        house.player("ann")
        assert house.ledger() == []
        house.player("ben")
        assert [entry.what for entry in house.ledger()] == [What.PLANNED, What.BEGUN]


class TestLogins:
    """Logins are recorded with name, role and address; logouts with the reason."""

    def test_a_player_and_a_master(self, house: House) -> None:
        ann, master = house.player("ann"), house.master("m", (2, 4))
        assert house.records == [
            RecordLogin(ann.conn, "player", "ann", CHESS, "192.0.2.1"),
            RecordLogin(master.conn, "master", "m", CHESS, "192.0.2.1", "2 to 4"),
        ]

    def test_a_refused_login_is_not_recorded(self, house: House) -> None:
        house.player("ann")
        stranger = house.connects()
        stranger.says(login("ann"))
        stranger.is_lost()
        assert len(house.records) == 1

    def test_every_way_to_go_has_its_reason(self) -> None:
        house = House(max_errors_per_minute=1)
        ann, ben, cat = house.players("ann", "ben", "cat")
        ann.says(Logout())
        ben.is_lost()
        for _ in range(2):
            cat.says(ThankYou("g9"))
        wrong = cat.hears()[0].text  # type: ignore[union-attr]
        assert logouts(house) == [
            (ann.conn, "logout"),
            (ben.conn, "connection lost"),
            (cat.conn, f"closed by the server: 2 wrong messages: {wrong} (at most 1 in a minute)"),
        ]

    def test_peers_that_are_there_when_the_server_stops_are_recorded_as_gone(self, house: House) -> None:
        ann, master = house.player("ann"), house.master("m")
        house.connects()
        effects = house.is_asked_to_stop()
        assert logouts(house) == [(ann.conn, "server shutdown"), (master.conn, "server shutdown")]
        first_the_record(effects)


class TestResultsText:
    """Results are written as seats and words on one line."""

    def test_it_is_read_back_as_it_was(self) -> None:
        results = [(1, "winner"), (0, "loser"), (12, "loser")]
        assert results_text(results) == "1:winner 0:loser 12:loser"
        assert read_results(results_text(results)) == results
        assert read_results("") == []

    @pytest.mark.parametrize("text", ["winner", "a:winner", ":"])
    def test_anything_else_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"."):
            read_results(text)


def login(nick: str) -> PlayerLogin:
    """Of a player of chess."""
    return PlayerLogin(nick, CHESS)


def logouts(house: House) -> list[tuple[int, str]]:
    """Who is gone, and why."""
    return [(one.conn, one.reason) for one in house.records if isinstance(one, RecordLogout)]
