"""Chat: which peers hear what is said."""

import pytest

from tests.broker.house import House, Peer, over, thank
from ugs.broker.effects import Send
from ugs.wire.extensions import (
    Advertise,
    Failed,
    Family,
    Join,
    NewTable,
    Ok,
    RefusalReason,
    Said,
    Say,
    Visibility,
    Watch,
    WatchFrom,
)
from ugs.wire.messages import LeaveGame, Message

TALK = (Family.SESSION, Family.LOBBY, Family.CHAT)
FRIDAY = NewTable("Friday", 2, Visibility.PUBLIC)


def chat(heard: list[Message]) -> list[Message]:
    """What of it belongs to the chat."""
    return [message for message in heard if isinstance(message, Said | Ok | Failed)]


def three(house: House) -> list[Peer]:
    """Three who can talk."""
    return [house.guest(nick, *TALK) for nick in ("ada", "ben", "cyd")]


def at_a_table(house: House, *others: Peer, seats: int = 3) -> None:
    """The first sets g1 up, the others sit down; all have read what came."""
    first, *more = others
    first.says(Advertise(NewTable("Friday", seats, Visibility.PUBLIC)))
    for peer in more:
        peer.says(Join("g1"))
    for peer in others:
        peer.hears()


class TestToPlayers:
    def test_those_who_are_named_hear_it_and_then_the_speaker_that_it_was_said(self, house: House) -> None:
        ada, ben, cyd = three(house)
        said = Said("ada", ("cyd", "ben"), "", "hello")
        effects = ada.says(Say(("cyd", "ben"), "", "hello", ref="7"))
        assert effects == [Send((cyd.conn, ben.conn), said), Send((ada.conn,), Ok("7"))]

    def test_everybody_hears_it_once_the_speaker_only_when_it_is_named(self, house: House) -> None:
        ada, ben, _ = three(house)
        ada.says(Say(("ben", "ada", "ben"), "", "hello"))
        said = Said("ada", ("ben", "ada", "ben"), "", "hello")
        assert ben.hears() == [said]
        assert ada.hears() == [said, Ok()]

    def test_a_nick_may_be_written_as_one_likes(self, house: House) -> None:
        ada, ben, _ = three(house)
        ada.says(Say(("BEN",), "", "hello"))
        assert ben.hears() == [Said("ada", ("BEN",), "", "hello")]

    def test_a_player_who_is_of_another_game_type_hears_it_too(self, house: House) -> None:
        ada, eve = house.guest("ada", *TALK), house.guest("eve", *TALK, game_type="go")
        ada.says(Say(("eve",), "", "hello"))
        assert eve.hears() == [Said("ada", ("eve",), "", "hello")]

    def test_a_player_who_cannot_be_reached_is_left_out_without_a_word(self, house: House) -> None:
        ada, ben, _ = three(house)
        vic, dan = house.player("vic"), house.guest("dan", Family.LOBBY)
        ben.is_lost()
        ada.says(Say(("ben", "vic", "dan", "nobody"), "", "hello"))
        assert ada.hears() == [Ok()]
        assert vic.hears() == dan.hears() == []


class TestAtATable:
    def test_the_others_there_hear_it(self, house: House) -> None:
        ada, ben, cyd = three(house)
        at_a_table(house, ada, ben)
        ben.says(Say((), "g1", "hello"))
        assert ada.hears() == [Said("ben", (), "g1", "hello")]
        assert ben.hears() == [Ok()]
        assert cyd.hears() == []

    def test_in_its_game_too_and_after_it_until_the_thank_you(self, house: House) -> None:
        master = house.master()
        ada, ben, _ = three(house)
        at_a_table(house, ada, ben, seats=2)
        ada.says(Say((), "g1", "good luck"))
        assert chat(ben.hears()) == [Said("ada", (), "g1", "good luck")]
        master.says(over("g1", "ada", losers=("ben",)))
        ben.says(Say((), "g1", "well played"))
        assert chat(ada.hears())[-1] == Said("ben", (), "g1", "well played")
        thank("g1", ada)
        ben.says(Say((), "g1", "are you there?"))
        assert chat(ben.hears())[-1] == Ok()
        assert chat(ada.hears()) == []
        ada.says(Say((), "g1", "yes"))
        assert [type(message) for message in chat(ada.hears())] == [Failed]

    def test_in_a_game_of_the_pool_as_well(self, house: House) -> None:
        house.master()
        ada, ben = [house.guest(nick, Family.CHAT) for nick in ("ada", "ben")]
        ada.says(Say((), "g1", "hello"))
        assert chat(ben.hears()) == [Said("ada", (), "g1", "hello")]

    def test_a_player_who_has_left_the_game_is_not_there(self, house: House) -> None:
        house.master(players=(3, 3))
        ada, ben, cyd = three(house)
        at_a_table(house, ada, ben, cyd)
        cyd.says(LeaveGame("g1"))
        ada.says(Say((), "g1", "where is cyd?"))
        assert chat(ben.hears()) == [Said("ada", (), "g1", "where is cyd?")]
        assert chat(cyd.hears()) == []


class TestSpectators:
    @pytest.fixture
    def game(self, house: House) -> tuple[Peer, Peer]:
        """Two who can talk, in game g1."""
        house.master()
        ada, ben, _ = three(house)
        at_a_table(house, ada, ben, seats=2)
        return ada, ben

    def watcher(self, house: House, nick: str) -> Peer:
        """A spectator of g1 with ``chat``."""
        peer = house.greets(Family.WATCH, Family.CHAT)
        peer.says(Watch("g1", "", WatchFrom.NOW, 0.0, nick))
        peer.hears()
        return peer

    def test_they_hear_what_is_said_in_the_game_that_they_watch_and_may_speak_there(
        self, house: House, game: tuple[Peer, Peer]
    ) -> None:
        ada, ben = game
        zoe, mute = self.watcher(house, "zoe"), self.watcher(house, "")
        ada.says(Say((), "g1", "hello"))
        zoe.says(Say((), "g1", "hello all"))
        assert chat(ben.hears()) == [Said("ada", (), "g1", "hello"), Said("zoe (watching)", (), "g1", "hello all")]
        assert chat(ada.hears()) == [Ok(), Said("zoe (watching)", (), "g1", "hello all")]
        assert chat(zoe.hears()) == [Said("ada", (), "g1", "hello"), Ok()]
        assert chat(mute.hears()) == [Said("ada", (), "g1", "hello"), Said("zoe (watching)", (), "g1", "hello all")]

    def test_they_may_not_speak_where_they_do_not_watch(self, house: House, game: tuple[Peer, Peer]) -> None:
        house.guest("dan", *TALK).says(Advertise(FRIDAY))
        zoe = self.watcher(house, "zoe")
        zoe.says(Say((), "g2", "hello"))
        (refused,) = zoe.hears()
        assert isinstance(refused, Failed)
        assert refused.code is RefusalReason.INVALID_GAME


def test_a_refused_message_does_not_count_for_the_limit() -> None:
    house = House(chat_per_minute=2)
    ada, ben, _ = three(house)
    for _ in range(2):
        ada.says(Say(("ben",), "", "hello"))
    house.passes(30)
    for _ in range(50):
        ada.says(Say(("ben",), "", "hello"))
    ada.hears()
    house.passes(30)
    ada.says(Say(("ben",), "", "at last"))
    assert ada.hears() == [Ok()]
    assert len(ben.hears()) == 3


def test_the_limit_is_everybodys_own() -> None:
    house = House(chat_per_minute=1)
    ada, ben, _ = three(house)
    ada.says(Say(("cyd",), "", "hello"))
    ben.says(Say(("cyd",), "", "hello"))
    assert ada.hears() == ben.hears() == [Ok()]
