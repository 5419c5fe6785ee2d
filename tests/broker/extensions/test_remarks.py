"""Remarks: what players think, for the record and for spectators, never for opponents of a running game."""

import json
from typing import Any

import pytest

from tests.broker.house import House, Peer, over, thank, turn
from tests.broker.house import move as moves
from ugs.broker.extensions.remarks import MAX_OF_GAME_BYTES
from ugs.broker.state.remarks_made import MADE
from ugs.broker.values.record import REMARKS, EntryKind
from ugs.broker.values.remark_json import NoRemark, read_remark, remark_body
from ugs.wire.extensions import (
    BoardMark,
    EventKind,
    Failed,
    Family,
    GameEvent,
    Ok,
    RefusalReason,
    Remark,
    Resend,
    Watch,
    WatchFrom,
    Watching,
    Why,
)
from ugs.wire.messages import Error, Message

REMARK = Family.REMARK
SAID = Remark("g1", 0.5, "the left side", "9,10", (BoardMark("9,10", "9,7", "1"),))
LIVE: dict[str, Any] = {"live_remarks": True}


def game(house: House, *families: Family) -> tuple[Peer, Peer, Peer]:
    """A game of ann and ben, who both know remarks; ann is to move."""
    ann = house.guest("ann", REMARK, Family.STATE, Family.SESSION)
    ben = house.guest("ben", REMARK, Family.STATE, Family.SESSION, Family.REASON, Family.CHAT)
    master = house.leader("m", *families)
    master.says(turn("g1", "ann"))
    for peer in (master, ann, ben):
        peer.hears()
    return master, ann, ben


def recorded(house: House) -> list[tuple[EntryKind, int | None, Remark]]:
    """The remarks on record."""
    entries = [one for one in house.entries("g1") if one.kind in REMARKS]
    return [(one.kind, one.seat, read_remark("g1", one.body)) for one in entries]


def refusal(peer: Peer) -> tuple[RefusalReason, str]:
    """Why its last request was refused."""
    (failed,) = peer.hears()
    assert isinstance(failed, Failed)
    return failed.code, failed.text


def watching(house: House, *families: Family, nick: str = "", delay_s: float = 0) -> Peer:
    """A spectator of g1 from its begin."""
    spectator = house.greets(Family.WATCH, *families)
    spectator.says(Watch("g1", begin=WatchFrom.BEGIN, delay_s=delay_s, nick=nick))
    return spectator


def remarks(messages: list[Message]) -> list[GameEvent]:
    """The events with remarks among messages."""
    return [one for one in messages if isinstance(one, GameEvent) and one.what is EventKind.REMARK]


def secret(messages: list[Message]) -> bool:
    """Whether any of these messages has a word of the remark in it."""
    return "left side" in repr(messages)


class TestSender:
    """Who may remark something, and when."""

    def test_it_is_recorded_and_nobody_is_sent_anything(self, house: House) -> None:
        master, ann, ben = game(house)
        ann.says(SAID)
        assert recorded(house) == [(EntryKind.REMARK, 0, SAID)]
        assert [peer.hears() for peer in (master, ann, ben)] == [[], [], []]

    def test_who_asks_gets_an_answer(self, house: House) -> None:
        _master, ann, _ben = game(house)
        ann.says(Remark("g1", 1, ref="7"))
        assert ann.hears() == [Ok("7")]

    def test_one_for_each_move(self, house: House) -> None:
        master, ann, _ben = game(house)
        ann.says(SAID)
        ann.says(SAID)
        assert refusal(ann) == (RefusalReason.RATE_LIMIT, "x-remark: only one remark per move is allowed")
        ann.says(moves("g1"))
        master.says(turn("g1", "ann"))
        ann.hears()
        ann.says(SAID)
        assert ann.hears() == []
        assert len(recorded(house)) == 2

    @pytest.mark.parametrize("game_id", ["g2", ""])
    def test_not_for_the_games_of_others(self, game_id: str) -> None:
        house = House(masters_per_game=2)
        _master, ann, _ben = game(house)
        house.players("cem", "dan")
        ann.says(Remark(game_id, 1))
        assert refusal(ann)[0] is RefusalReason.INVALID_GAME
        assert recorded(house) == []

    def test_not_when_it_is_the_turn_of_another(self, house: House) -> None:
        _master, ann, ben = game(house)
        ben.says(SAID)
        assert refusal(ben) == (
            RefusalReason.INVALID_REQUEST,
            "x-remark: it is not your turn; a remark comes before its move",
        )
        ann.says(moves("g1"))
        ann.says(SAID)
        assert refusal(ann)[0] is RefusalReason.INVALID_REQUEST
        assert recorded(house) == []

    def test_not_when_the_game_is_over(self, house: House) -> None:
        master, ann, ben = game(house)
        master.says(over("g1", "ann", losers=("ben",)))
        ann.hears()
        ann.says(SAID)
        assert refusal(ann) == (RefusalReason.INVALID_GAME, "x-remark: gameId id 'g1': this game is over")
        thank("g1", ann, ben)
        ann.hears()
        ann.says(SAID)
        assert refusal(ann)[0] is RefusalReason.INVALID_GAME
        assert recorded(house) == []

    def test_all_of_one_game_have_a_limit_and_the_game_goes_on(self, house: House) -> None:
        master, ann, ben = game(house)
        large = Remark("g1", plan="p" * 2000)
        for _ in range(MAX_OF_GAME_BYTES // len(remark_body(large))):
            ann.says(large)
            ann.says(moves("g1"))
            master.says(turn("g1", "ann"))
        ann.hears()
        ann.says(large)
        reason, text = refusal(ann)
        assert reason is RefusalReason.RATE_LIMIT
        assert "allowed: at most 131072" in text
        ann.says(moves("g1"))
        master.says(turn("g1", "ben"))
        ben.hears()
        ben.says(large)
        assert ben.hears() == []

    def test_who_has_not_asked_for_the_family_may_not(self, house: House) -> None:
        ann, _ben = house.guest("ann", Family.STATE), house.player("ben")
        house.leader("m").says(turn("g1", "ann"))
        ann.hears()
        ann.says(SAID)
        assert refusal(ann)[1] == "x-remark: the extension remark was not granted; ask with x-hello first"

    def test_remarks_that_stay_secret_take_no_room_in_memory(self, house: House) -> None:
        _master, ann, _ben = game(house)
        before = house.game().held_bytes
        ann.says(SAID)
        assert house.game().held_bytes == before


class TestOpponents:
    """No way leads from a remark to an opponent while the game runs."""

    @pytest.mark.parametrize("settings", [{}, LIVE])
    def test_neither_its_session_nor_its_account_nor_a_state_again(self, settings: dict[str, Any]) -> None:
        house = House(**settings)
        _master, ann, ben = game(house)
        ann.says(SAID)
        ben.says(Resend("g1"))
        ben.says(Why("g1"))
        assert not secret(ben.hears())
        ben.is_lost()
        assert not secret(house.returns(ben.token, Family.SESSION, Family.STATE, REMARK).hears())

    def test_without_live_remarks_no_spectator_gets_one(self, house: House) -> None:
        master, ann, ben = game(house)
        looks = watching(house, REMARK)
        ann.says(SAID)
        late = watching(house, REMARK)
        assert not secret(looks.hears() + late.hears())
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        assert not secret(looks.hears() + late.hears())

    @pytest.mark.parametrize("nick", ["ben", "BEN"])
    def test_nor_a_spectator_with_the_nick_of_a_player(self, nick: str) -> None:
        house = House(**LIVE)
        looks = house.greets(Family.WATCH, REMARK)
        looks.says(Watch(game_type="chess", nick=nick))
        looks.hears()
        master, ann, _ben = game(house)
        assert house.game().seats == ("ann", "ben")
        ann.says(SAID)
        other = watching(house, REMARK)
        assert len(remarks(other.hears())) == 1
        heard = looks.hears()
        assert EventKind.STATE in [one.what for one in heard if isinstance(one, GameEvent)]
        assert not secret(heard)
        ann.says(moves("g1"))
        master.says(turn("g1", "ann"))
        assert not secret(looks.hears())

    @pytest.mark.parametrize("settings", [{}, LIVE])
    def test_nor_the_master_that_takes_the_game_over(self, settings: dict[str, Any]) -> None:
        house = House(master_grace_s=60, **settings)
        master, ann, _ben = game(house, Family.RESTORE)
        ann.says(SAID)
        ann.says(moves("g1"))
        master.is_lost()
        successor = house.leader("n", Family.RESTORE)
        heard = successor.hears()
        assert "PastMove" in repr(heard)
        assert not secret(heard)

    def test_nor_anybody_after_a_restart(self) -> None:
        house = House(master_grace_s=60)
        _master, ann, ben = game(house, Family.RESTORE)
        ann.says(SAID)
        again = house.again()
        assert not secret(again.returns(ben.token, Family.SESSION, REMARK).hears())
        assert not secret(again.leader("m", Family.RESTORE).hears())
        looks = watching(again, REMARK)
        assert not secret(looks.hears())


class TestSpectators:
    """With ``live_remarks`` spectators get remarks as everything else."""

    def test_the_past_and_the_present(self) -> None:
        house = House(**LIVE)
        master, ann, _ben = game(house)
        ann.says(SAID)
        reader, other = watching(house, REMARK), watching(house)
        (event,) = remarks(reader.hears())
        assert (event.nick, json.loads(event.text)) == (
            "ann",
            {
                "value": 0.5,
                "plan": "the left side",
                "line": "9,10",
                "marks": [{"at": "9,10", "to": "9,7", "text": "1"}],
            },
        )
        assert not secret(other.hears())
        ann.says(moves("g1"))
        master.says(turn("g1", "ann"))
        ann.says(SAID)
        assert len(remarks(reader.hears())) == 1
        assert not secret(other.hears())

    def test_who_comes_later_is_told_whose_turn_it_is(self) -> None:
        house = House(**LIVE)
        _master, ann, _ben = game(house)
        ann.says(SAID)
        looks = house.greets(Family.WATCH, REMARK)
        looks.says(Watch("g1"))
        assert [one.next_players for one in looks.hears() if isinstance(one, Watching)] == [("ann",)]

    def test_with_the_delay_of_all_they_see(self) -> None:
        house = House(watch_delay_s=30, **LIVE)
        _master, ann, _ben = game(house)
        looks = watching(house, REMARK)
        ann.says(SAID)
        house.passes(29)
        assert remarks(looks.hears()) == []
        house.passes(1)
        assert len(remarks(looks.hears())) == 1

    def test_a_restart_goes_on_with_the_same_numbers(self) -> None:
        house = House(master_grace_s=60, **LIVE)
        _master, ann, _ben = game(house, Family.RESTORE)
        ann.says(SAID)
        numbers = [one.number for one in watching(house, REMARK).hears() if isinstance(one, GameEvent)]
        again = house.again()
        again.leader("m", Family.RESTORE)
        assert [one.number for one in watching(again, REMARK).hears() if isinstance(one, GameEvent)] == numbers


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"value":"1"}',
        b'{"value":true}',
        b'{"value":NaN}',
        b'{"value":1e300}',
        b'{"plan":1}',
        b'{"marks":[1]}',
        b'{"marks":{}}',
        b'{"marks":[{"at":1}]}',
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_what_is_no_remark_is_refused_when_read(body: bytes) -> None:
    """Files of others hold anything."""
    with pytest.raises(NoRemark):
        read_remark("g1", body)


def test_an_error_is_not_what_a_refused_remark_costs(house: House) -> None:
    """A bot that remarks out of turn again and again loses no game for it."""
    _master, _ann, ben = game(house)
    for _ in range(200):
        ben.says(SAID)
    assert not any(isinstance(one, Error) for one in ben.hears())
    assert not ben.is_closed()


class TestRestart:
    """What bounds remarks holds in every life of the server."""

    def at(self) -> tuple[House, Peer]:
        """The server after a restart, in the middle of the game, and ann."""
        house = House(master_grace_s=60)
        _master, ann, _ben = game(house, Family.RESTORE)
        ann.says(SAID)
        again = house.again()
        back = again.returns(ann.token, Family.SESSION, REMARK)
        master = again.leader("n", Family.RESTORE)
        master.says(turn("g1", "ann"))
        back.hears()
        return again, back

    def test_one_for_a_move(self) -> None:
        house, ann = self.at()
        ann.says(SAID)
        assert refusal(ann)[0] is RefusalReason.RATE_LIMIT
        assert len(recorded(house)) == 0

    def test_bytes_count(self) -> None:
        house, _ann = self.at()
        assert MADE.of(house.game()).size == {0: len(remark_body(SAID))}
