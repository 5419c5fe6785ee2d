"""Draws that take time: the shell is asked for them, and everything else goes on meanwhile."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from tests.broker.cup import asked, comes, over_by_name, plays
from tests.broker.house import CHESS, House, Peer, over, thank
from ugs.broker.championships import fixtures, progress
from ugs.broker.championships.playing import BREATH_S, GAMES_AT_ONCE
from ugs.broker.events import Drawn, JournalBack, JournalLost, TimerKind
from ugs.broker.values.questions import OrderKind, WhyAsked
from ugs.championship.due_draws import Drawing, Request
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.pairing.rounds import RoundRobinGames
from ugs.championship.pairing.swiss_round import SwissRound
from ugs.wire.messages import LeaveGame, Logout

NOTHING: Drawing = ()


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """No draw is small; a test can set the most players of one that is."""

    def small(players: int) -> None:
        monkeypatch.setattr(progress, "is_large", lambda request: players_of(request) > players)

    small(0)
    return small


@pytest.fixture
def house() -> Iterator[House]:
    """A house that draws when a test says so; in the end its championships are known in the next life."""
    house = House()
    house.draws_slowly = True
    yield house
    running, again = house.broker.games, house.again()
    for name, one in house.broker.server.championships.items():
        then = again.broker.server.championships[name]
        assert running or then.standings.rows() == one.standings.rows()
        assert running or one.ledger.over or then.wanted == one.wanted


def players_of(request: Request) -> int:
    """For how many it is drawn."""
    return len(request.order) if isinstance(request, SwissRound) else request.entrants


def drawing(house: House) -> list[int]:
    """For how many players something is being drawn."""
    return [players_of(one.request) for one in house.drawing]


def cup(house: House, nicks: str, **plan: Any) -> tuple[Peer, dict[str, Peer]]:
    """A championship of these; the first games are being drawn."""
    rounds = {"rounds": 2} if plan.get("format", "swiss") == "swiss" else {}
    house.plans(**{"first": len(nicks), "format": "swiss", "seats": 2, **rounds, **plan})
    return house.master(), comes(house, *nicks)


def whats(house: House) -> list[What]:
    """The kinds of entries of the ledger, without the plan."""
    return [entry.what for entry in house.ledger("cup")][1:]


def entry(house: House, what: What) -> LedgerEntry:
    """The latest entry of this kind."""
    return [entry for entry in house.ledger("cup") if entry.what is what][-1]


def why(house: House, nick: str) -> object:
    """Why a player waits."""
    found = house.is_asked(WhyAsked(nick))["found"]
    assert isinstance(found, list)
    assert isinstance(found[0], Mapping)
    return found[0]["why"]


def test_games_begin_when_they_are_drawn(house: House) -> None:
    master, _ = cup(house, "abcd")
    assert (drawing(house), asked(master)) == ([4], [])
    assert house.noted("drawing") == [{"championship": "cup", "what": "round 1 for 4 players"}]
    house.draws()
    assert asked(master) == [{"a", "c"}, {"b", "d"}]
    assert house.noted("drawn") == [{"championship": "cup", "what": "round 1 for 4 players"}]
    assert whats(house) == [What.BEGUN, What.DRAWING, What.DRAWN, What.FIXTURE, What.FIXTURE]


def test_each_round_is_drawn_when_the_one_before_is_over(house: House) -> None:
    master, peers = cup(house, "abcd")
    house.draws()
    plays(house, master, peers, games=2)
    assert [one.request.number for one in house.drawing if isinstance(one.request, SwissRound)] == [2]
    house.draws()
    plays(house, master, peers)
    assert over_by_name(house) == ["cup"]


def test_the_same_games_as_when_they_are_drawn_at_once(
    house: House, everything_is_large: Callable[[int], None]
) -> None:
    later, _ = cup(house, "abcdef")
    house.draws()
    everything_is_large(100)
    at_once, _ = cup(House(), "abcdef")
    assert asked(later) == asked(at_once)


def test_the_seats_of_the_master_are_those_of_the_draw(house: House) -> None:
    house.plans(first=4, format="round-robin")
    comes(house, *"abcd")
    assert drawing(house) == []
    master = house.master(players=(3, 3))
    assert drawing(house) == [4]
    house.draws()
    assert [len(game) for game in asked(master)] == [3]


def test_players_are_told_why_they_wait(house: House) -> None:
    cup(house, "abcd")
    assert why(house, "a") == ["championship cup: drawing round 1 for 4 players"]
    house.orders(OrderKind.PAUSE)
    assert why(house, "a") == ["championship cup is paused: because", "championship cup: drawing round 1 for 4 players"]


@pytest.mark.parametrize("form", ["swiss", "round-robin", "gauntlet"])
def test_who_leaves_meanwhile_is_not_in_the_draw(house: House, form: str) -> None:
    master, peers = cup(house, "abcdef", format=form)
    peers["a"].says(Logout())
    assert drawing(house) == [6], "one at a time"
    house.draws()
    assert len(house.noted("drawn in vain")) == len(house.noted("drawn")) == 1
    games = asked(master)
    assert games
    assert not any("a" in game for game in games)
    assert whats(house)[:5] == [What.BEGUN, What.DRAWING, What.WITHDRAWN, What.DRAWING, What.DRAWN]
    house.draws_slowly = False
    plays(house, master, peers)
    assert over_by_name(house) == ["cup"]


@pytest.mark.parametrize(("leavers", "struck"), [("half", True), ("strike", True), ("lose", False)])
def test_who_leaves_before_the_draw_loses_nothing_that_was_not_drawn(house: House, leavers: str, struck: bool) -> None:
    master, peers = cup(house, "abc", format="round-robin", leavers=leavers)
    house.orders(OrderKind.WITHDRAW, "c")
    assert entry(house, What.WITHDRAWN).data["struck"] is struck
    house.draws()
    plays(house, master, peers)
    assert What.FORFEIT not in whats(house)
    assert over_by_name(house) == ["cup"]


def test_so_few_may_be_left_that_they_are_drawn_at_once(
    house: House, everything_is_large: Callable[[int], None]
) -> None:
    everything_is_large(4)
    master, peers = cup(house, "abcdef")
    house.orders(OrderKind.PAUSE)
    peers["a"].says(Logout())
    peers["b"].says(Logout())
    assert whats(house)[-3:] == [What.DRAWN, What.WITHDRAWN, What.FORFEIT]
    house.draws()
    assert len(house.noted("drawn in vain")) == 1
    house.orders(OrderKind.RESUME)
    assert asked(master) == [{"c", "e"}]


def test_all_may_leave_and_the_draw_is_in_vain(house: House) -> None:
    _, peers = cup(house, "abc")
    for peer in peers.values():
        peer.says(Logout())
    assert over_by_name(house) == ["cup"]
    house.draws()
    assert house.noted("drawn in vain") == []
    assert drawing(house) == []


def test_too_few_may_be_left_for_a_game(house: House) -> None:
    _, peers = cup(house, "abcd", seats=4, format="round-robin")
    house.peers[1].says(Logout())
    house.master(players=(4, 4))
    peers["a"].says(Logout())
    assert over_by_name(house) == ["cup"]
    house.draws()
    assert drawing(house) == []


def test_a_pause_holds_the_games_back_and_not_the_draw(house: House) -> None:
    master, _ = cup(house, "abcd")
    house.orders(OrderKind.PAUSE)
    house.draws()
    assert asked(master) == []
    house.orders(OrderKind.RESUME)
    assert len(asked(master)) == 2


def test_a_drawing_that_nobody_has_asked_for_changes_nothing(house: House) -> None:
    master, _ = cup(house, "abcd")
    house.happens(Drawn("no such cup", NOTHING))
    house.draws()
    assert len(asked(master)) == 2
    house.happens(Drawn("cup", NOTHING))
    assert asked(master) == []
    with pytest.raises(ValueError, match="championship cup: there is nothing to draw"):
        fixtures.ask(house.broker.server.championships["cup"])


def test_games_of_other_types_go_on_meanwhile(house: House) -> None:
    cup(house, "abcd")
    master = house.master("g", game_type="go")
    ann, ben = house.player("ann", "go"), house.player("ben", "go")
    assert asked(master) == [{"ann", "ben"}]
    master.says(over("g1", "ann", losers=("ben",)))
    thank("g1", ann, ben)
    assert [result.game_type for result in house.results] == ["go"]
    house.draws()


def test_a_game_to_be_played_again_is_played_meanwhile(house: House) -> None:
    master, peers = cup(house, "abcd")
    house.draws()
    plays(house, master, peers, games=2)
    first = house.results[0]
    assert house.orders(OrderKind.REPLAY, first.game_id) == ""
    asked(master)
    assert drawing(house) == [4]
    plays(house, master, peers, games=1)
    house.draws()
    assert len(asked(master)) == 2


def test_a_server_that_stops_does_not_wait_for_a_draw(house: House) -> None:
    master, _ = cup(house, "abcd")
    house.is_asked_to_stop()
    assert house.stopped
    house.draws()
    assert asked(master) == []


def test_while_the_server_is_draining_nothing_more_is_drawn() -> None:
    house = House(drain_s=10)
    house.draws_slowly = True
    master, peers = cup(house, "abcd")
    house.draws()
    house.is_asked_to_stop()
    plays(house, master, peers, games=2)
    assert drawing(house) == []
    assert house.stopped


def test_a_server_that_was_killed_draws_again(house: House) -> None:
    cup(house, "abcd")
    (before,) = house.drawing
    again = house.again()
    again.draws_slowly = True
    master, _ = again.master(), comes(again, *"abcd")
    assert again.drawing == [before]
    again.draws()
    assert asked(master) == [{"a", "c"}, {"b", "d"}]
    assert [entry.what for entry in again.ledger("cup")] == [What.DRAWN, What.FIXTURE, What.FIXTURE]


def test_what_was_drawn_before_the_server_was_killed_stays_so(house: House) -> None:
    """Who leaves after the draw loses its game, who left before it was not in it: the ledger knows which."""
    _, peers = cup(house, "abcdefg")
    house.orders(OrderKind.PAUSE)
    peers["a"].says(Logout())
    house.draws()
    peers["b"].says(Logout())
    assert entry(house, What.FORFEIT).data["outcomes"] == {"b": "lost", "e": "won"}
    again = house.again()
    again.orders(OrderKind.RESUME)
    master = again.master()
    comes(again, *"cdefg")
    assert asked(master) == [{"c", "f"}, {"d", "g"}]


def test_while_the_journal_is_lost_nothing_is_drawn(house: House) -> None:
    master, peers = cup(house, "abcd")
    house.draws()
    plays(house, master, peers, games=1)
    house.disk_is_slow = True
    (game,) = house.broker.games
    first, second = sorted(game.present)
    master.says(over(game.id, first, losers=(second,)))
    house.happens(JournalLost("disk full"))
    house.disk_is_slow = False
    house.happens(JournalBack())
    plays(house, master, peers, games=1)
    assert drawing(house) == [4]
    house.happens(JournalLost("disk full"))
    peers["a"].says(Logout())
    house.draws()
    assert drawing(house) == [], "not before the journal is back"
    house.happens(JournalBack())
    assert drawing(house) == [2]


def test_many_games_begin_a_few_at_a_time(house: House) -> None:
    entrants = 2 * (2 * GAMES_AT_ONCE + 1)
    house.plans(first=entrants, format="swiss", rounds=1)
    master = house.master()
    peers = comes(house, *(f"n{number:02}" for number in range(entrants)))
    house.draws()
    assert len(asked(master)) == GAMES_AT_ONCE
    house.passes(BREATH_S)
    assert len(asked(master)) == GAMES_AT_ONCE
    peers["n00"].says(LeaveGame("g1"))
    house.passes(BREATH_S)
    assert len(asked(master)) == 1
    house.passes(BREATH_S)
    assert not any(timer.kind is TimerKind.MORE_GAMES for timer in house.timers)


def test_no_more_games_begin_when_it_is_over_meanwhile(house: House) -> None:
    house.plans(first=2 * GAMES_AT_ONCE + 2, format="swiss", rounds=1)
    house.master()
    peers = comes(house, *(f"n{number:02}" for number in range(2 * GAMES_AT_ONCE + 2)))
    house.draws()
    for peer in peers.values():
        peer.says(Logout())
    house.passes(BREATH_S)
    house.passes(100)
    assert over_by_name(house) == ["cup"]
    assert house.broker.server.types[CHESS].championship is None


def test_what_was_drawn_is_in_the_ledger_and_not_drawn_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    cup(house, "abcdefgh", format="round-robin", seats=2, repeats=80)
    house.draws()
    assert entry(house, What.DRAWN).data["games"]

    def never_again(_request: object) -> None:
        raise AssertionError("it is drawn again")

    monkeypatch.setattr(RoundRobinGames, "draw", never_again)
    again = house.again()
    before, after = house.broker.server.championships["cup"], again.broker.server.championships["cup"]
    assert after.wanted is None
    assert {one.number for one in before.open_fixtures(9)} <= {one.number for one in after.open_fixtures(20)}
