"""Splits, musters, set-up, and what a game does about requests that lead nowhere."""

import random
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.rules import Table, Unreadable
from game_masters.titan import GAME
from game_masters.titan import messages as said
from game_masters.titan import requests as ask
from game_masters.titan.bots import BOTS
from game_masters.titan.bots.match import play
from game_masters.titan.creatures import KINDS, TITAN
from game_masters.titan.defaults import default
from game_masters.titan.history import from_messages
from game_masters.titan.maneuvers import touching
from game_masters.titan.mustering import musters
from game_masters.titan.notation import follow, read_move, write_view
from game_masters.titan.play import Dice, Refused
from game_masters.titan.position import MOST_UNDONE, BattlePhase, Phase, Position
from game_masters.titan.referee import shown
from game_masters.titan.rules import MOST_REFUSED, MOST_TOLD_AGAIN, PATIENCE, Slugathon
from game_masters.titan.views import status_of
from tests.game_masters.titan.table import NAMES, House, legion
from tests.profile import sized

OPTIONS = GAME.choose_options({})
STOCK = {name: kind.count for name, kind in KINDS.items()}


def split(parent: str, child: str, creatures: str) -> str:
    inside = "".join(f'<creature name="{name}"/>' for name in creatures.split())
    return f'<split parent="{parent}" child="{child}"><creatures>{inside}</creatures></split>'


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_colours_are_chosen_from_the_lowest_tower_and_turns_begin_at_the_highest() -> None:
    game = Slugathon(Table("g", NAMES[:3], OPTIONS), random.Random(5))
    towers = [int(player.tower) for player in game.position.players]
    order = []
    while game.position.phase is Phase.SETUP:
        (seat,) = game.movers
        order.append(towers[seat])
        game.apply(seat, game.legal_moves(seat)[0])
    assert order == sorted(towers)
    assert towers[game.position.active] == max(towers)


def test_a_colour_is_given_once() -> None:
    house = House(colors=[])
    house.does('<color color="Red" firstMarker="Rd09"/>')
    house.refuses('<color color="Red"/>', "Red is the colour of bob")
    house.refuses('<color color="Mauve"/>', "there is no colour 'Mauve'")
    house.does('<color color="Gold"/>')
    assert {"Rd09", "Gd01"} == set(house.position.legions)
    assert house.asked == ("ann", "split")


# --- splits -----------------------------------------------------------------------------------------------------------


def test_the_first_split_is_four_and_four_with_a_lord_each() -> None:
    house = House()
    house.refuses("<roll/>", "Rd01 has 8 creatures and has to be split first")
    house.refuses(split("Rd01", "Rd02", "Titan Ogre Ogre"), "each half has four creatures and one lord")
    house.refuses(split("Rd01", "Rd02", "Centaur Centaur Ogre Ogre"), "each half has four creatures and one lord")
    house.refuses(split("Rd01", "Rd01", "Titan Ogre Ogre Centaur"), "child 'Rd01' is no free marker")
    house.refuses(split("Rd01", "Bu02", "Titan Ogre Ogre Centaur"), "child 'Bu02' is no free marker")
    house.refuses(split("Rd01", "Rd02", "Titan Lion Ogre Centaur"), "are not all in Rd01")
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"))
    house.refuses(split("Rd01", "Rd03", "Angel Gargoyle"), "on the first turn the legion is split once")
    house.does('<merge parent="Rd01" child="Rd02"/>')
    assert house.position.legions["Rd01"].height == 8


def test_later_both_parts_have_two_and_a_part_may_be_split_again() -> None:
    house = House(legion(0, 1, "2", "Titan Ogre Ogre Lion Lion Lion Troll"), legion(1, 1, "131", "Titan"))
    house.refuses(split("Rd01", "Rd02", "Ogre"), "each part needs at least 2 creatures, not 6 and 1")
    house.refuses(split("Rd01", "Rd02", "Ogre Ogre Lion Lion Lion Troll"), "at least 2")
    house.does(split("Rd01", "Rd02", "Lion Lion Lion Troll"), split("Rd02", "Rd03", "Lion Troll"))
    assert [house.inside(f"Rd0{number}") for number in (1, 2, 3)] == ["Ogre Ogre Titan", "Lion Lion", "Lion Troll"]
    house.does('<merge parent="Rd03" child="Rd02"/>')
    assert house.inside("Rd03") == "Lion Lion Lion Troll"


def test_parts_may_exchange_creatures_before_the_roll_and_none_is_lost_or_doubled() -> None:
    house = House(legion(0, 1, "2", "Titan Serpent Serpent Ogre Lion Centaur Troll"), legion(1, 1, "131", "Titan"))
    house.does(split("Rd01", "Rd02", "Ogre Lion Troll"), split("Rd01", "Rd03", "Titan Centaur"))
    house.does('<merge parent="Rd01" child="Rd02"/>', split("Rd01", "Rd02", "Serpent Serpent Ogre"))
    # These two are as many as they were when Rd03 was split off, and not the same.
    house.does('<merge parent="Rd01" child="Rd03"/>')
    assert house.inside("Rd01") == "Centaur Lion Titan Troll"
    assert house.inside("Rd02") == "Ogre Serpent Serpent"


@given(st.data())
def test_any_splits_and_merges_of_a_turn_keep_all_creatures_and_lead_on(data: st.DataObject) -> None:
    house = House(
        legion(0, 1, "1000", "Titan Serpent Serpent Ogre Lion Centaur Troll"),
        legion(0, 2, "1", "Ogre Ogre"), legion(1, 1, "131", "Titan Lion"), dice=[1],
    )  # fmt: skip
    everything = sorted(creature for one in house.position.legions.values() for creature in one.creatures)
    for _ in range(12):
        choice = [move for move in house.game.legal_moves(0) if not isinstance(move[0], ask.Roll)]
        house.game.apply(0, data.draw(st.sampled_from(choice)))
        assert sorted(creature for one in house.position.legions.values() for creature in one.creatures) == everything
        known = house.game.view(1).position.legions
        for marker, one in house.position.legions.items():
            assert all(seen in ("?", real) for seen, real in zip(known[marker].creatures, one.creatures, strict=True))
    house.does("<roll/>")
    while house.position.phase is Phase.MOVE and house.position.active == 0:
        house.game.apply(0, (default(house.position),))
    assert sorted(creature for one in house.position.legions.values() for creature in one.creatures) == everything
    check(house.position, 2)


def test_others_know_the_first_legion_again_when_its_split_is_taken_back_either_way() -> None:
    for merge, left in (
        ('<merge parent="Rd01" child="Rd02"/>', "Rd01"),
        ('<merge parent="Rd02" child="Rd01"/>', "Rd02"),
    ):
        house = House()
        house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), merge)
        assert "?" not in house.game.view(1).position.legions[left].creatures


def test_splits_are_listed_with_one_marker_and_accepted_with_any_free_one() -> None:
    house = House()
    assert {told.split()[2] for told in house.lists("split")} == {"child=Rd02"}
    assert house.game.is_open(read_move(f"<move>{split('Rd01', 'Rd09', 'Titan Ogre Ogre Centaur')}</move>".encode()))
    house.does(split("Rd01", "Rd09", "Titan Ogre Ogre Centaur"))


def test_without_a_marker_nothing_is_split() -> None:
    many = [legion(0, number, str(number), "Ogre Ogre") for number in range(2, 13)]
    house = House(legion(0, 1, "42", "Titan Ogre Lion Lion"), *many, legion(1, 1, "131", "Titan"))
    house.refuses(split("Rd01", "Rd13", "Lion Lion"), "free are none")


def test_who_sees_a_split() -> None:
    house = House()
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"))
    seen = [house.game.view(seat).news[-1] for seat in (0, 1, None)]
    assert [one.creatures for one in seen] == [  # type: ignore[attr-defined]
        ("Centaur", "Ogre", "Ogre", "Titan"), None, None,
    ]  # fmt: skip
    assert house.game.view(1).position.legions["Rd02"].creatures == ("?",) * 4


# --- musters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "creatures", "found"),
    [
        ("Marsh", "Ogre Ogre", {"Ogre", "Troll"}),
        ("Marsh", "Ogre Ogre Ogre", {"Ogre", "Troll"}),
        ("Marsh", "Ranger", {"Ogre", "Troll", "Ranger"}),
        ("Marsh", "Troll Troll", {"Ogre", "Troll", "Ranger"}),
        ("Desert", "Lion Lion", {"Lion"}),
        ("Desert", "Lion Lion Lion", {"Lion", "Griffon"}),
        ("Jungle", "Cyclops Cyclops Cyclops", {"Gargoyle", "Cyclops", "Behemoth"}),
        ("Mountains", "Dragon Dragon", {"Lion", "Minotaur", "Dragon", "Colossus"}),
        ("Tundra", "Giant Giant", {"Troll", "Warbear", "Giant", "Colossus"}),
        ("Swamp", "Troll Troll Troll", {"Troll", "Wyvern"}),
        ("Woods", "Centaur Centaur Centaur", {"Centaur", "Warbear"}),
        ("Plains", "Lion Lion", {"Centaur", "Lion", "Ranger"}),
        ("Brush", "Ogre Ogre", set()),
        ("Tower", "Lion", {"Centaur", "Gargoyle", "Ogre"}),
        ("Tower", "Lion Lion Lion", {"Centaur", "Gargoyle", "Ogre", "Guardian"}),
        ("Tower", "Titan", {"Centaur", "Gargoyle", "Ogre", "Warlock"}),
        ("Tower", "Warlock Guardian", {"Centaur", "Gargoyle", "Ogre", "Warlock", "Guardian"}),
        ("Tower", "Angel Angel Angel", {"Centaur", "Gargoyle", "Ogre"}),
    ],
)  # fmt: skip
def test_what_brings_what(terrain: str, creatures: str, found: set[str]) -> None:
    assert {one.recruit for one in musters(terrain, creatures.split(), STOCK)} == found


def test_an_empty_stock_brings_nothing() -> None:
    assert not [one for one in musters("Marsh", ["Ogre", "Ogre"], STOCK | {"Troll": 0}) if one.recruit == "Troll"]


def test_without_a_recruiter_that_is_shown_which_shows_least() -> None:
    first = next(one for one in musters("Marsh", ["Ogre", "Ogre", "Ranger"], STOCK) if one.recruit == "Troll")
    assert (first.recruiter, first.number) == ("Ranger", 1)
    first = next(one for one in musters("Plains", ["Lion", "Lion", "Ranger"], STOCK) if one.recruit == "Lion")
    assert (first.recruiter, first.number) == ("Lion", 1)


def test_a_legion_musters_once_after_it_has_moved_and_may_take_that_back() -> None:
    house = House(
        legion(0, 1, "2", "Titan Gargoyle Gargoyle"), legion(0, 2, "20", "Ogre Ogre"), legion(1, 1, "131", "Titan"),
        dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd01" hex="3"/>', "<doneMoving/>")
    house.refuses('<recruit legion="Rd02" recruit="Ogre"/>', "Rd02 has not moved this turn")
    house.refuses('<recruit legion="Rd01" recruit="Gorgon"/>', "cannot be mustered in 3, Brush: Rd01 has no recruiters")
    house.refuses('<recruit legion="Rd01" recruit="Elf"/>', "there is no creature 'Elf'")
    house.refuses('<recruit legion="Rd01"/>', "recruit is missing")
    house.refuses('<recruit legion="Rd01" recruit="Cyclops" recruiter="Titan"/>', "does not bring a Cyclops")
    assert house.does('<recruit legion="Rd01" recruit="Cyclops"/>') == [
        '<recruit legion="Rd01" recruit="Cyclops" recruiter="Gargoyle" number="2"/>'
    ]
    house.refuses('<recruit legion="Rd01" recruit="Cyclops"/>', "has mustered a Cyclops this turn")
    assert house.position.stock["Cyclops"] == 27
    house.does('<undoRecruit legion="Rd01"/>')
    assert (house.position.stock["Cyclops"], house.inside("Rd01")) == (28, "Gargoyle Gargoyle Titan")
    house.refuses('<undoRecruit legion="Rd01"/>', "has mustered nothing")


def test_recruiters_become_known_to_all() -> None:
    house = House(legion(0, 1, "2", "Titan Gargoyle Gargoyle"), legion(1, 1, "131", "Titan"), dice=[1])
    house.does("<roll/>", '<move legion="Rd01" hex="3"/>', '<recruit legion="Rd01" recruit="Cyclops"/>')
    assert house.game.view(1).position.legions["Rd01"].creatures == ("Cyclops", "Gargoyle", "Gargoyle", "?")


# --- requests that lead nowhere ---------------------------------------------------------------------------------------


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
    for request in (*[there, back] * MOST_UNDONE, there, "<roll/>", *[move, undo] * MOST_UNDONE):
        for _ in range(min(PATIENCE - 1, MOST_REFUSED - 1 - refused)):
            before = house.position
            house.game.fault(0, Unreadable("nonsense"))
            assert house.position == before
            refused += 1
        ways = {one[0].hex for one in house.game.legal_moves(0) if isinstance(one[0], ask.Move)}
        house.does(request.format(*sorted(ways)[:1]))
    assert refused == MOST_REFUSED - 1
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
    for number in range(MOST_TOLD_AGAIN):
        game.apply(0, (ask.Replay(),))
        assert game.view(0).replay is not None, number
    with pytest.raises(Refused, match=f"after 0: .* messages told again would be more than {5 * len(game.messages)}"):
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
    for _ in range(MOST_UNDONE):
        house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), '<merge parent="Rd01" child="Rd02"/>')
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"))
    house.refuses('<merge parent="Rd01" child="Rd02"/>', f"in one phase {MOST_UNDONE} requests can be taken back")
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
                assert reader(write_view(view)).position == view.position
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


# --- whole games ------------------------------------------------------------------------------------------------------


def check(position: Position, players: int) -> None:
    """What always holds."""
    inside = [creature for one in position.legions.values() for creature in one.creatures]
    waiting = position.engagement.lords if position.engagement is not None else ()
    for name, kind in KINDS.items():
        there = inside.count(name) + waiting.count(name) + position.stock[name] + position.dead[name]
        assert there == (players if name == TITAN else kind.count), name
    markers = [marker for player in position.players for marker in player.markers] + list(position.legions)
    assert len(markers) == len(set(markers))
    for one in position.legions.values():
        assert one.height <= (8 if position.turn <= 1 else 7)
        assert one.height > 0 or position.engagement is not None
    if position.phase not in (Phase.SETUP, Phase.SPLIT, Phase.MOVE, Phase.OVER):
        for hex in {one.hex for one in position.legions.values()}:
            here = position.in_land(hex)
            assert len(here) <= 2
            assert len({one.seat for one in here}) == len(here)
    for score in status_of(position, 0).scores:
        assert score.titan_power == 6 + score.points // 100
    battle = position.battle
    if battle is not None:
        places = [fighter.hex for fighter in battle.fighters if fighter.hex is not None]
        assert len(places) == len(set(places))
        for fighter in battle.fighters:
            surface = battle.land.surface(fighter.hex) if fighter.hex is not None else ""
            assert surface != "Tree"
            assert surface not in ("Bog", "Volcano") or surface in KINDS[fighter.creature].native
            assert battle.phase != "Maneuver" or position.alive(fighter)


def check_step(before: Position, after_: Position) -> None:
    """What holds between one position and the next one."""
    for old, new in zip(before.players, after_.players, strict=True):
        assert new.score >= old.score
    if after_.turn == before.turn and after_.active == before.active:
        assert sum(one.teleported for one in after_.legions.values() if one.seat == after_.active) <= 1
    then, now = before.battle, after_.battle
    if then is None or now is None or now.phase is not BattlePhase.MANEUVER:
        return
    for fighter in then.fighters if (then.turn, then.side) == (now.turn, now.side) else ():
        if touching(before, fighter) and not fighter.moved:
            assert now.at(fighter.hex or "") == fighter, "nobody moves while in contact"


class Watch:
    """Looks at a game after every move."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._before: Position | None = None
        self._heard = 0
        self._summoned = 0
        self.most_summoned = 0

    def look(self, game: Slugathon) -> None:
        check(game.position, self._players)
        check_step(self._before or game.position, game.position)
        self._before = game.position
        for message in game.messages[self._heard :]:
            if isinstance(message, said.Turn):
                self._summoned = 0
            elif isinstance(message, said.Summon):
                self._summoned += message.creature is not None
            elif isinstance(message, said.Unsummon):
                self._summoned -= 1
            self.most_summoned = max(self.most_summoned, self._summoned)
        self._heard = len(game.messages)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(sized(quick=1, deep=25)))
def test_games_of_bots_end_and_everything_holds_after_every_event(players: int, seed: int) -> None:
    game = Slugathon(Table("g", NAMES[:players], OPTIONS), random.Random(f"{players} {seed}"))
    rng = random.Random(seed)
    readers = [follow(OPTIONS) for _ in range(players)]
    told = [0] * players
    for _ in range(20_000):
        if game.outcome is not None:
            break
        (seat,) = game.movers
        # Readers take part over the wire, so that what they know of the position is what they were told.
        view = readers[seat](write_view(game.view(seat, told[seat])))
        told[seat] = len(game.record)
        bot = BOTS[0] if seed % 4 or seat % 2 == 0 else BOTS[1]
        game.apply(seat, bot.choose(view, rng))
        check(game.position, players)
    assert game.outcome is not None
    again = shown(from_messages(game.messages))
    assert again == game.position, "the messages alone determine the position"
    secret = {message.creatures for message in game.messages if isinstance(message, said.Split)}
    assert secret
    public = game.view(None).news
    assert not [one for one in public if isinstance(one, said.Split) and one.creatures is not None]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_all_games_of_captains_end_and_everything_holds_after_every_event(players: int) -> None:
    for number in range(sized(quick=1, deep=200)):
        watch = Watch(players)
        played = play([BOTS[0]] * players, f"{players} captains {number}", look=watch.look)
        assert played.requests < 20_000
        assert watch.most_summoned <= 1, "per turn"


def test_the_captain_beats_random_legal() -> None:
    games = sized(quick=6, deep=100)
    won = 0
    for number in range(games):
        bots = (BOTS[0], BOTS[1]) if number % 2 == 0 else (BOTS[1], BOTS[0])
        game = Slugathon(Table("g", NAMES[:2], OPTIONS), random.Random(f"captain {number}"))
        rng = random.Random(number)
        while game.outcome is None:
            (seat,) = game.movers
            game.apply(seat, bots[seat].choose(game.view(seat, len(game.record)), rng))
        won += game.outcome.winners == {number % 2}
    assert won > 0.95 * games


def test_dice_are_the_same_for_the_same_secret_and_fair() -> None:
    dice = Dice(b"secret")
    shown_: list[int] = []
    for _ in range(6000):
        die, dice = dice.throw()
        shown_.append(die)
    assert all(900 < shown_.count(number) < 1100 for number in range(1, 7))
    assert Dice(b"secret", 5).throw()[0] == shown_[5]
    assert Dice(b"secret", 0, (6, 5)).throw()[0] == 6
