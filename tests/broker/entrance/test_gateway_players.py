"""Players for whom a gateway speaks: they can be out of reach, and only the gateway has idle time-outs for them."""

from typing import Any

from tests.broker.house import CHESS, House, Peer, turn
from ugs.broker.effects import RecordLogin, RecordLogout, RecordSession
from ugs.broker.events import Disconnected, Presence, Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.verdict import Cause
from ugs.wire.extensions import (
    Advertise,
    Family,
    GameEnded,
    Join,
    ListPlayers,
    NewTable,
    Players,
    Resend,
    Seats,
    SeatState,
    Start,
    Visibility,
    Warn,
    WarningScope,
    WarningState,
)
from ugs.wire.messages import BeginGame, GameState, LoginResponse, Message, PlayerLogin

FAMILIES = (Family.SESSION, Family.STATE, Family.LOBBY)
CLOCK = Timer(TimerKind.GAME, "g1")
QUICK: dict[str, Any] = {"first_idle_check_s": 5, "idle_check_s": 5}


def spoken_for(house: House, nick: str) -> Peer:
    """A player who has come through a gateway and read the answer."""
    peer = house.greets(*FAMILIES, by_gateway=True)
    peer.says(PlayerLogin(nick, CHESS))
    assert peer.hears() == [LoginResponse()]
    return peer


def seated(house: House, owner: Peer, *others: Peer, seats: int) -> None:
    """The owner has set g1 up, the others have sat down there; all have read what came."""
    owner.says(Advertise(NewTable("Friday", seats, Visibility.PUBLIC)))
    for peer in others:
        peer.says(Join("g1"))
    for peer in (owner, *others):
        peer.hears()


def reach(house: House, peer: Peer, *, there: bool) -> None:
    """The gateway tells whether the player can be reached."""
    house.happens(Presence(peer.conn, there))


def states(heard: list[Message]) -> list[list[SeatState]]:
    """How the seats stood, each time that was told."""
    return [[seat.state for seat in message.seats] for message in heard if isinstance(message, Seats)]


def seen(house: House, asker: Peer, nick: str) -> tuple[str, str, str]:
    """What ``asker`` is told of a player: connection, activity, play."""
    asker.hears()
    asker.says(ListPlayers())
    (answer,) = asker.hears()
    assert isinstance(answer, Players)
    return next((one.connection, one.activity, one.play) for one in answer.players if one.nick == nick)


class TestSessions:
    def test_it_gets_no_token_and_is_not_remembered(self, house: House) -> None:
        spoken_for(house, "ada")
        assert not [one for one in house.records if isinstance(one, RecordSession)]
        assert not house.again().broker.server.names.players

    def test_a_lost_line_is_the_end(self, house: House) -> None:
        ada = spoken_for(house, "ada")
        ada.is_lost()
        assert not house.broker.server.names.players


class TestOutOfReach:
    def test_it_leaves_the_pool_and_waits_again_when_it_is_back(self, house: House) -> None:
        ada = house.connects(by_gateway=True)
        ada.says(PlayerLogin("ada", CHESS))
        reach(house, ada, there=False)
        ben = house.player("ben")
        master = house.master()
        assert master.hears() == [], "nobody is seated who cannot be reached"
        reach(house, ada, there=True)
        assert [type(message) for message in master.hears()] == [BeginGame]
        assert ben.state is PeerState.PLAYING

    def test_it_keeps_its_nick_and_everybody_sees_that_it_is_not_there(self, house: House) -> None:
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        reach(house, ada, there=False)
        assert seen(house, ben, "ada") == ("DISCONNECTED", "IDLE", "WAITING")
        reach(house, ada, there=True)
        assert seen(house, ben, "ada") == ("CONNECTED", "ACTIVE", "WAITING")

    def test_it_gets_up_from_its_table(self, house: House) -> None:
        ben, ada = house.guest("ben", *FAMILIES), spoken_for(house, "ada")
        seated(house, ben, ada, seats=3)
        reach(house, ada, there=False)
        assert states(ben.hears()) == [[SeatState.JOINED]]
        assert ada.hears() == []

    def test_its_own_table_goes_with_it(self, house: House) -> None:
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        seated(house, ada, ben, seats=3)
        reach(house, ada, there=False)
        assert [message.reason for message in ben.hears() if isinstance(message, GameEnded)] == ["CANCELLED"]
        assert not house.broker.server.tables

    def test_its_seat_in_a_game_is_disconnected_and_the_game_goes_on(self, house: House) -> None:
        master = house.leader("m", Family.TABLE, players=(2, 4))
        ben, ada = house.guest("ben", *FAMILIES), spoken_for(house, "ada")
        seated(house, ben, ada, seats=3)
        ben.says(Start())
        master.says(turn("g1", "ada"))
        ben.hears()
        reach(house, ada, there=False)
        assert states(ben.hears()) == [[SeatState.PLAYING, SeatState.DISCONNECTED]]
        assert ada.state is PeerState.IDLE
        assert house.broker.games[0].departures == {"ada": Cause.DISCONNECTED}

    def test_it_owes_no_thanks_then(self, house: House) -> None:
        master = house.leader("m", Family.TABLE)
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        seated(house, ada, ben, seats=2)
        master.says(turn("g1", "ada"))
        ben.is_lost()
        house.passes(house.config.session_grace_s)
        assert ada.player.game is not None
        reach(house, ada, there=False)
        assert ada.player.game is None

    def test_when_it_is_gone_for_good_that_is_recorded_once(self, house: House) -> None:
        ada = spoken_for(house, "ada")
        reach(house, ada, there=False)
        ada.is_lost()
        kinds = [type(one) for one in house.records if isinstance(one, RecordLogin | RecordLogout)]
        assert kinds == [RecordLogin, RecordLogout]

    def test_news_that_are_not_true_change_nothing(self, house: House) -> None:
        ada, stranger = spoken_for(house, "ada"), house.connects(by_gateway=True)
        reach(house, ada, there=True)
        reach(house, stranger, there=False)
        house.happens(Presence(99, False))
        assert not ada.player.away
        assert not stranger.connection.peer.away
        house.happens(Disconnected(stranger.conn))


class TestItsTime:
    def test_it_may_think_until_its_table_has_been_silent_for_too_long(self) -> None:
        house = House(**QUICK, move_timeout_s=7, game_idle_s=100, game_inactive_s=200)
        master = house.leader("m", Family.TABLE)
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        seated(house, ada, ben, seats=2)
        master.says(turn("g1", "ada"))
        assert house.timers[CLOCK] == house.now + 200 + 15
        ada.hears()
        house.passes(100)
        game = WarningScope.GAME
        assert [one for one in ada.hears() if isinstance(one, Warn)] == [Warn(game, WarningState.IDLE, 100, "g1")]
        house.passes(100)
        assert [one.reason for one in ada.hears() if isinstance(one, GameEnded)] == ["INACTIVE"]

    def test_the_others_have_as_long_as_always(self) -> None:
        house = House(move_timeout_s=7)
        master = house.leader("m", Family.TABLE)
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        seated(house, ada, ben, seats=2)
        master.says(turn("g1", "ben"))
        assert house.timers[CLOCK] == house.now + 7

    def test_with_a_budget_it_has_no_more_than_the_others(self) -> None:
        house = House(time_s=50, move_timeout_s=7, game_inactive_s=30, game_idle_s=20, **QUICK)
        master = house.leader("m", Family.TABLE)
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        seated(house, ada, ben, seats=2)
        master.says(turn("g1", "ada"))
        assert house.timers[CLOCK] == house.now + 45

    def test_to_ask_for_the_state_is_a_sign_of_life(self) -> None:
        house = House(**QUICK, game_idle_s=100, game_inactive_s=200)
        master = house.leader("m", Family.TABLE)
        ada, ben = spoken_for(house, "ada"), house.guest("ben", *FAMILIES)
        seated(house, ada, ben, seats=2)
        master.says(turn("g1", "ada"))
        house.passes(90)
        ada.hears()
        ada.says(Resend("g1"))
        assert [type(message) for message in ada.hears()] == [GameState]
        house.passes(90)
        assert not [one for one in ada.hears() if isinstance(one, Warn)]


def test_the_broker_does_not_judge_its_silence() -> None:
    house = House(**QUICK, player_idle_s=10, player_inactive_s=20)
    house.guest("ben", *FAMILIES)
    ada = spoken_for(house, "ada")
    house.passes(1000)
    assert ada.hears() == []
    assert not ada.is_closed()
    assert Timer(TimerKind.SILENCE, "") not in house.timers
