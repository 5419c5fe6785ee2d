"""A login that takes the seat of an absent player of the same nick, and what is left of tables that players had."""

from typing import Any

import pytest

from tests.broker.extensions.in_session import BODY, KEPT, LOBBY, SESSION, STRANGER, refused
from tests.broker.house import CHESS, House, Peer, over, thank, turn
from tests.broker.house import move as moves
from ugs.broker.state.connection import PeerState
from ugs.broker.state.session_tokens import NAME_CHARACTERS
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Advertise, Cancel, Failed, Join, NewTable, RefusalReason, Seats, Session
from ugs.wire.extensions import Visibility as Visible
from ugs.wire.messages import LeaveGame, LoginError, LoginResponse, PlayerLeftGame, PlayerLogin


class TestTakeover:
    """A program that has lost its token comes back by its address, where the organiser allows it."""

    def crashed(self, **settings: Any) -> tuple[House, Peer, Peer]:
        """A house in which ann, who is to move in g1, is absent; the house, ann, and the master."""
        house = House(**{"session_takeover": "address", **settings})
        ann = house.guest("ann", SESSION, address="10.0.0.7:1", program="rook")
        house.player("ben")
        master = house.master()
        master.says(turn("g1", "ann", BODY))
        master.hears()
        ann.is_lost()
        house.passes(19.5)
        return house, ann, master

    def test_it_gets_game_and_state_and_a_new_token(self) -> None:
        house, ann, master = self.crashed()
        again = house.greets(SESSION, address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        answer, session, state = again.hears()
        assert (answer, state) == (LoginResponse(), turn("g1", "ann", BODY))
        assert isinstance(session, Session)
        assert session == Session(session.token, "ann", True, 60.0, True)
        assert session.token != ann.token
        assert refused(house, ann.token) == STRANGER
        again.says(moves("g1"))
        assert master.hears() == [moves("g1")]
        again.is_lost()
        house.returns(session.token)

    def test_the_journal_knows_the_new_token_only(self) -> None:
        house, ann, _master = self.crashed()
        again = house.greets(SESSION, address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        token = next(one.token for one in again.hears() if isinstance(one, Session))
        past = house.again().past
        assert [one.session for one in past.sessions] == [token[:NAME_CHARACTERS]]
        assert ann.token[:NAME_CHARACTERS] != token[:NAME_CHARACTERS]

    def test_without_the_family_it_plays_on_and_has_no_session_any_more(self) -> None:
        house, _ann, master = self.crashed()
        again = house.greets(address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        assert again.hears() == [LoginResponse(), turn("g1", "ann", BODY)]
        again.is_lost()
        assert master.hears() == [PlayerLeftGame("ann", "g1")]

    def test_a_thank_you_that_is_owed_stays_owed(self) -> None:
        house, _ann, master = self.crashed()
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.greets(SESSION, address="10.0.0.7:2", program="rook")
        again.says(PlayerLogin("ann", CHESS))
        assert again.state is PeerState.OWING
        assert again.hears()[-1] == over("g1", "ann", losers=("ben",))
        thank("g1", again)
        assert again.player.game is None

    def test_a_table_is_kept_as_well(self) -> None:
        house = House(session_takeover="address")
        ann, ben = house.guest("ann", SESSION, LOBBY), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ann.is_lost()
        ben.hears()
        house.guest("ann", SESSION, LOBBY).says(Cancel("1"))
        assert [letter.TYPE for letter in ben.hears()] == ["x-seats", "x-gameEnded"]

    @pytest.mark.parametrize(
        ("settings", "address", "program", "nick", "game_type"),
        [
            ({"session_takeover": "never"}, "10.0.0.7:2", "rook", "ann", CHESS),
            ({}, "10.0.0.8:2", "rook", "ann", CHESS),
            ({}, "10.0.0.7:2", "queen", "ann", CHESS),
            ({}, "10.0.0.7:2", "", "ann", CHESS),
            ({}, "10.0.0.7:2", "rook", "Ann", CHESS),
            ({}, "10.0.0.7:2", "rook", "ann", "go"),
        ],
    )
    def test_nobody_else_does(
        self, settings: dict[str, Any], address: str, program: str, nick: str, game_type: str
    ) -> None:
        """Its refusal says how long the nick is kept, to peers that can read it."""
        house, ann, _master = self.crashed(**settings)
        other = house.greets(SESSION, address=address, program=program)
        other.says(PlayerLogin(nick, game_type))
        kept = KEPT if game_type == CHESS else KEPT.replace("absent player", f"absent player of {CHESS!r}")
        why = Failed(RefusalReason.DUPLICATE_USER, f"playerLogin: {kept}", wait_s=41)
        assert other.hears() == [why, LoginResponse(LoginError.WRONG_NICK)]
        assert house.noted("login refused")[-1]["why"] == kept
        house.returns(ann.token)

    def test_an_address_that_is_not_known_is_that_of_nobody(self) -> None:
        house = House(session_takeover="address")
        house.guest("ann", SESSION, address="").is_lost()
        other = house.greets(SESSION, address="")
        other.says(PlayerLogin("ann", CHESS))
        assert other.hears()[-1] == LoginResponse(LoginError.WRONG_NICK)

    def test_who_is_there_is_not_replaced(self) -> None:
        house = House(session_takeover="address")
        ann = house.guest("ann", SESSION)
        other = house.greets(SESSION)
        other.says(PlayerLogin("ann", CHESS))
        assert other.hears()[-1] == LoginResponse(LoginError.WRONG_NICK)
        assert not ann.is_closed()

    def test_peers_of_v4_and_gateways_hear_the_number_only(self) -> None:
        house = House()
        house.guest("ann", SESSION).is_lost()
        for other in (house.connects(), house.greets(SESSION, by_gateway=True)):
            other.says(PlayerLogin("ann", CHESS))
            assert other.hears() == [LoginResponse(LoginError.WRONG_NICK)]

    def test_it_counts_as_a_refused_login(self) -> None:
        house = House(login_attempts=1)
        house.guest("ann", SESSION).is_lost()
        other = house.connects()
        other.says(PlayerLogin("ann", CHESS))
        assert other.is_closed()


class TestATableWithoutALobby:
    """A session that goes on without a lobby leaves its table with ``leaveGame``."""

    def test_a_guest_gets_up(self, house: House) -> None:
        ann, ben = house.guest("ann", LOBBY), house.guest("ben", SESSION, LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ben.is_lost()
        again = house.returns(ben.token, SESSION)
        again.says(LeaveGame("g2"))
        assert again.hears_error() == "leaveGame: gameId id 'g2': you are in no such game"
        ann.hears()
        again.says(LeaveGame("g1"))
        (seats,) = ann.hears()
        assert isinstance(seats, Seats)
        assert seats.comment == "ben has left"
        assert again.player.table is None
        assert again.conn in house.broker.server.types[CHESS].waiting

    def test_the_table_goes_with_its_owner(self, house: House) -> None:
        ann, ben = house.guest("ann", SESSION, LOBBY), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ann.is_lost()
        house.returns(ann.token, SESSION).says(LeaveGame("g1"))
        assert house.broker.server.tables == {}
        assert ben.player.table is None

    def test_an_owner_leaves_the_game_at_its_table_too(self, house: House) -> None:
        house.master()
        ann, ben = house.guest("ann", SESSION, LOBBY), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("Friday", 2, Visible.PUBLIC)))
        ben.says(Join("g1"))
        ann.is_lost()
        house.returns(ann.token, SESSION).says(LeaveGame("g1"))
        assert house.results[-1].verdict.cause is Cause.CANCELLED

    def test_with_a_lobby_there_are_other_words_for_it(self, house: House) -> None:
        ann = house.guest("ann", LOBBY)
        ann.says(Advertise(NewTable("Friday", 3, Visible.PUBLIC)))
        ann.hears()
        ann.says(LeaveGame("g1"))
        assert ann.hears_error() == "leaveGame: gameId id 'g1': you are in no such game"
