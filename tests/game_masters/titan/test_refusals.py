"""Requests that lead nowhere: refusals, their limits, replays, what is taken back."""

import random
from copy import deepcopy

import pytest

from game_masters.kit.rules import Table, Unreadable
from game_masters.titan import GAME
from game_masters.titan import requests as ask
from game_masters.titan.bots import BOTS
from game_masters.titan.defaults import default
from game_masters.titan.notation import follow, read_move, write_view
from game_masters.titan.patience import MAX_REFUSED, MAX_SENT_AGAIN, PATIENCE
from game_masters.titan.play import Refused
from game_masters.titan.position import MAX_UNDONE, Position
from game_masters.titan.rules import Slugathon
from tests.game_masters.titan.table import NAMES, House, split
from tests.profile import sized

OPTIONS = GAME.choose_options({})


def test_a_refused_request_is_told_to_its_sender_alone() -> None:
    game = House().game
    (seat,) = game.movers
    with pytest.raises(Refused) as refused:
        game.apply(seat, read_move(b"<move><nextTurn/></move>"))
    game.fault(seat, refused.value)
    nak = game.view(seat).nak
    assert nak is not None
    assert (nak.request, nak.reason) == ("nextTurn", str(refused.value))
    assert game.view(1 - seat).nak is None
    assert b'<nak reason="nextTurn: not now; you are asked: split' in write_view(game.view(seat))


def test_of_several_requests_those_before_the_refused_one_are_carried_out() -> None:
    house = House()
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur") + "<nextTurn/><roll/>")
    assert house.asked == ("ann", "split")
    nak = house.game.view(0).nak
    assert nak is not None
    assert nak.request == "nextTurn"
    assert house.position.legions["Rd02"].height == 4


def test_whoever_sends_only_refused_requests_is_not_waited_for() -> None:
    game = House(colors=[]).game
    for _ in range(100):
        if game.outcome is not None:
            break
        (seat,) = game.movers
        before = game.position
        for _ in range(PATIENCE):
            assert game.position == before
            game.fault(seat, Unreadable("nonsense"))
        assert game.position != before
    assert game.position.turn > 1


def test_who_has_been_refused_too_often_in_a_game_is_not_waited_for_any_more() -> None:
    """Each refusal costs a state for everybody, and a game has only so many bytes."""
    house = House()
    there, back = split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), '<merge parent="Rd01" child="Rd02"/>'
    move, undo = '<move legion="Rd01" hex="{}"/>', '<undoMove legion="Rd01"/>'
    refused = 0
    for request in (*[there, back] * MAX_UNDONE, there, "<roll/>", *[move, undo] * MAX_UNDONE):
        for _ in range(min(PATIENCE - 1, MAX_REFUSED - 1 - refused)):
            before = house.position
            house.game.fault(0, Unreadable("nonsense"))
            assert house.position == before
            refused += 1
        ways = {one[0].hex for one in house.game.legal_moves(0) if isinstance(one[0], ask.Move)}
        house.does(request.format(*sorted(ways)[:1]))
    assert refused == MAX_REFUSED - 1
    before = house.position
    house.game.fault(0, Unreadable("nonsense"))
    assert house.position != before


@pytest.mark.parametrize(
    "request_",
    [
        '<carry targetHex="A1" hits="{}"/>',
        '<move legion="Rd01" hex="3" teleport="{}"/>',
        '<move legion="{}" hex="3"/>',
        "<{}/>",
        "<roll><{}/></roll>",
        '<roll {}=""/>',
        '<split parent="Rd01" child="Rd02"><creatures><{}/></creatures></split>',
    ],
)
def test_a_refusal_is_short_however_long_the_request_is(request_: str) -> None:
    """Else a player could fill the record of the game, or the lines of the log."""
    house = House()
    with pytest.raises(Unreadable) as refused:
        house.does(request_.format("x" * 10_000))
    assert len(str(refused.value)) < 300


def test_replays_may_tell_a_player_everything_five_times_and_no_more() -> None:
    game = House().game
    for number in range(MAX_SENT_AGAIN):
        game.apply(0, (ask.Replay(),))
        assert game.view(0).replay is not None, number
    with pytest.raises(Refused, match=f"after 0: .* messages sent again would be more than {5 * len(game.messages)}"):
        game.apply(0, (ask.Replay(),))
    game.apply(0, (default(game.position),))
    game.apply(0, (ask.Replay(len(game.messages) - 1),))
    replay = game.view(0).replay
    assert replay is not None
    assert len(replay.messages) == 1, "the more there is to tell, the more can be told again"


def test_a_replay_is_told_also_if_requests_follow_it_in_the_same_move() -> None:
    house = House()
    for following in (split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), "<nextTurn/>"):
        house.does("<replay/>" + following)
        replay = house.game.view(0).replay
        assert replay is not None
        assert replay.messages[0].TAG == "formGame"
    house.does("<roll/>")
    assert house.game.view(0).replay is None


def test_requests_can_be_taken_back_only_so_often_in_a_phase() -> None:
    house = House()
    for _ in range(MAX_UNDONE):
        house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), '<merge parent="Rd01" child="Rd02"/>')
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"))
    house.refuses('<merge parent="Rd01" child="Rd02"/>', f"in one phase {MAX_UNDONE} requests can be taken back")
    assert not house.lists("merge")
    house.does("<roll/>")
    assert house.position.undone == 0


@pytest.mark.parametrize("request_", ['<join name="x"/>', '<observe name="x"/>', "<start/>"])
def test_requests_of_the_lobby_are_refused(request_: str) -> None:
    House().refuses(request_, "the game has begun|players see the game anyway")


def test_a_replay_tells_a_player_what_it_was_shown_and_nothing_else() -> None:
    house = House()
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), "<roll/>")
    house.game.apply(0, (ask.Replay(),))
    replay = house.game.view(0).replay
    assert replay is not None
    assert replay.up_to == len(house.game.messages) == len(replay.messages)
    assert house.game.view(1).replay is None
    reader = follow(OPTIONS)
    assert reader(write_view(house.game.view(0, len(house.game.record)))).position == house.game.view(0).position
    house.refuses('<replay after="9999"/>', "there are messages 1 to")
    assert house.asked == ("ann", "move"), "nothing has changed"


@pytest.mark.parametrize("seed", range(sized(quick=1, deep=20)))
def test_replays_and_boards_bring_a_late_reader_to_the_same_position(seed: int) -> None:
    """A player's own replay, whole and then in part, and the board that a spectator gets when a turn begins."""
    game = Slugathon(Table("g", NAMES[:2], OPTIONS), random.Random(f"late {seed}"))
    rng = random.Random(seed)
    replays = boards = 0
    while game.outcome is None:
        (seat,) = game.movers
        if rng.random() < 0.01:
            asks, reader = deepcopy(game), follow(OPTIONS)
            for after_ in (0, len(game.messages) // 2):
                asks.apply(seat, (ask.Replay(after_),))
                view = asks.view(seat, len(asks.record))
                while (told := reader(write_view(view))).position == Position():  # a long one comes in parts
                    assert told.replay is not None
                    assert after_ < told.replay.up_to < len(game.messages)
                    (again,) = BOTS[0].choose(told, rng)
                    assert again == ask.Replay(told.replay.up_to)
                    asks.apply(seat, (again,))
                    view = asks.view(seat, len(asks.record))
                assert told.position == view.position
            replays += 1
        before = len(game.record)
        game.apply(seat, BOTS[0].choose(game.view(seat, len(game.record)), rng))
        view = game.view(None, before)
        if view.board:
            assert follow(OPTIONS)(write_view(view)).position == view.position
            boards += 1
    assert replays > 0
    assert boards > 3


def test_a_reader_who_has_missed_messages_knows_no_position_until_it_asks() -> None:
    house = House()
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), "<roll/>")
    reader = follow(OPTIONS)
    view = reader(write_view(house.game.view(0, len(house.game.record) - 1)))
    assert view.position == Position()
    for bot in BOTS:
        assert bot.choose(view, random.Random(1)) == (ask.Replay(),)
