"""The course of a game."""

import random
from collections import Counter
from copy import deepcopy
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_masters.apologies import ADULT, STANDARD
from game_masters.apologies.board import ALL_HOME, CIRCLE, PAWNS, START
from game_masters.apologies.cards import CARDS, HAND, Kind
from game_masters.apologies.events import Drew, Left
from game_masters.apologies.reward import best
from game_masters.apologies.rules import Position, Termination
from game_masters.apologies.views import Made, Mode, Move, Optimal, Past, Pick, Rejection, Sitter, View
from game_masters.kit.client import Send
from game_masters.kit.master import Master
from game_masters.kit.rules import Game, Outcome, RuleBroken, Table, Unreadable
from tests.profile import sized
from ugs.wire.extensions import Because, Hello
from ugs.wire.messages import BeginGame, GameState, LoginResponse, Result
from ugs.wire.messages import Move as SentMove

NAMES = ("ann", "bob", "cyd", "dan")
BOTH = pytest.mark.parametrize("mode", Mode)
GAMES: dict[Mode, Game[Move, View]] = {Mode.STANDARD: STANDARD, Mode.ADULT: ADULT}


def a_game(mode: Mode, seats: int = 2, seed: int = 1, rules: str = "strict") -> Position:
    options = GAMES[mode].choose_options({"rules": rules})
    return Position(mode, Table("g1", NAMES[:seats], options), random.Random(seed))


def move_of(position: Position) -> int:
    (seat,) = position.movers
    return seat


def play_on(position: Position, rng: random.Random, plays: int = 10_000) -> None:
    for _ in range(plays):
        if position.outcome is not None:
            return
        seat = move_of(position)
        position.apply(seat, rng.choice(position.legal_moves(seat)))


def offered(mode: Mode, kind: Kind, *, forfeit: bool) -> tuple[Position, int, Pick]:
    """Return a game of three in which such a play is on offer, the seat that may make it, and the move."""
    for seed in count():
        position, rng = a_game(mode, 3, seed), random.Random(seed)
        while position.outcome is None:
            seat = move_of(position)
            for offer in position.view(seat).offers:
                if offer.kind is kind and (not offer.actions) == forfeit:
                    return position, seat, Pick(offer.id)
            play_on(position, rng, 1)
    raise AssertionError("there is always a next seed")


# --- the beginning ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_standard_all_begin_in_start_without_cards(seats: int) -> None:
    position = a_game(Mode.STANDARD, seats)
    assert position.pawns == (START,) * (PAWNS * seats)
    assert [len(pile) for pile in position.piles] == [44, 0, 1, *[0] * seats]
    assert position.labels == ("RED", "YELLOW", "GREEN", "BLUE")[:seats]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_adult_all_begin_with_a_pawn_on_the_circle_and_five_cards(seats: int) -> None:
    position = a_game(Mode.ADULT, seats)
    assert position.pawns[::PAWNS] == CIRCLE[:seats]
    assert Counter(position.pawns)[START] == 3 * seats
    assert [len(pile) for pile in position.piles] == [45 - HAND * seats, 0, 0, *[HAND] * seats]


@pytest.mark.parametrize("chosen", ["STANDARD", "ADULT", None])
def test_apologies_is_played_in_the_mode_that_is_chosen(chosen: str | None) -> None:
    options = STANDARD.choose_options({} if chosen is None else {"mode": chosen})
    position = STANDARD.start(Table("g1", NAMES, options), random.Random(1))
    view = position.view(0)
    assert view.mode == (chosen or "STANDARD")
    assert STANDARD.hides(options) == (view.mode is Mode.ADULT) == bool(view.seats[0].hand)
    assert str(position) == str(a_game(view.mode, 4)), "the other game, if it is ADULT"


def test_apologies_adult_has_no_choice_of_modes() -> None:
    assert [option.name for option in ADULT.options] == ["rules"]
    assert ADULT.hides(ADULT.choose_options({}))
    assert ADULT.start(Table("g1", NAMES, ADULT.choose_options({})), random.Random(1)).view(0).mode is Mode.ADULT


def test_in_adult_cards_are_dealt_one_at_a_time_in_the_order_of_the_seats() -> None:
    position = a_game(Mode.ADULT, 3)
    dealt = [entry for entry in position.record if isinstance(entry, Drew)]
    assert [entry.seat for entry in dealt] == [0, 1, 2] * HAND
    assert [entry.card for entry in dealt if entry.seat == 1] == list(position.piles[4])


def test_everybody_begins_equally_often() -> None:
    first = Counter(a_game(Mode.STANDARD, 3, seed).movers for seed in range(600))
    assert set(first) == {(0,), (1,), (2,)}
    assert min(first.values()) > 150


# --- whose turn it is -------------------------------------------------------------------------------------------------


@BOTH
def test_after_a_two_the_same_player_plays_again(mode: Mode) -> None:
    position, seat, move = offered(mode, Kind.TWO, forfeit=False)
    turns = position.turns[seat]
    position.apply(seat, move)
    assert position.movers == (seat,)
    assert position.turns[seat] == turns + 1


@BOTH
def test_a_forfeited_two_ends_the_turn(mode: Mode) -> None:
    position, seat, move = offered(mode, Kind.TWO, forfeit=True)
    position.apply(seat, move)
    assert position.movers == ((seat + 1) % 3,)


def test_in_standard_a_new_card_is_drawn_for_the_second_play() -> None:
    position, seat, move = offered(Mode.STANDARD, Kind.TWO, forfeit=False)
    position.apply(seat, move)
    assert isinstance(position.record[-1], Drew)
    assert len(position.piles[2]) == 1


def test_in_adult_the_new_card_goes_to_the_end_of_the_hand() -> None:
    position = a_game(Mode.ADULT)
    seat = move_of(position)
    before = list(position.piles[3 + seat])
    position.apply(seat, Optimal())
    hand, (played,) = list(position.piles[3 + seat]), position.piles[1]
    before.remove(played)
    assert hand[:-1] == before


# --- properties of whole games ----------------------------------------------------------------------------------------


@BOTH
@settings(max_examples=sized(quick=6, deep=60))
@given(seats=st.integers(2, 4), rules=st.sampled_from(["strict", "upstream"]), seed=st.integers(0, 10**6))
def test_a_game_keeps_its_cards_and_counts_its_plays(mode: Mode, seats: int, rules: str, seed: int) -> None:
    position = a_game(mode, seats, seed, rules)
    rng = random.Random(seed)
    while position.outcome is None:
        seat = move_of(position)
        turns, offers = list(position.turns), position.view(seat).offers
        ids = [offer.id for offer in offers]
        assert len(set(ids)) == len(ids) > 0
        assert all(len(id) == 32 and int(id, 16) >= 0 for id in ids)
        chosen = rng.choice(offers)
        position.apply(seat, Pick(chosen.id))
        turns[seat] += 1
        assert list(position.turns) == turns
        assert sorted(card for pile in position.piles for card in pile) == [*CARDS]
        if position.outcome is None:
            assert {len(hand) for hand in position.piles[3:]} == {HAND if mode is Mode.ADULT else 0}
            again = chosen.kind is Kind.TWO and bool(chosen.actions)
            assert position.movers == ((seat if again else (seat + 1) % seats),)
    assert position.outcome == Outcome(Termination.ALL_HOME, frozenset({seat}))
    assert position.pawns[seat * PAWNS : seat * PAWNS + PAWNS] == ALL_HOME
    assert position.view(None).turn is None


@BOTH
def test_the_same_seed_and_choices_give_the_same_game_and_the_same_ids(mode: Mode) -> None:
    one, other = a_game(mode, 4, 7), a_game(mode, 4, 7)
    for position in (one, other):
        play_on(position, random.Random(7))
    assert list(one.record) == list(other.record)
    assert str(one) == str(other)


# --- moves ------------------------------------------------------------------------------------------------------------


@BOTH
def test_an_id_is_good_for_one_decision(mode: Mode) -> None:
    position = a_game(mode)
    seat = move_of(position)
    old = position.legal_moves(seat)[0]
    position.apply(seat, old)
    before = str(position)
    with pytest.raises(RuleBroken, match="no play that is on offer now"):
        position.apply(move_of(position), old)
    assert str(position) == before


def test_who_is_not_to_move_may_not() -> None:
    position = a_game(Mode.STANDARD)
    seat = move_of(position)
    with pytest.raises(RuleBroken, match=f"not the turn of seat {1 - seat}"):
        position.apply(1 - seat, Optimal())


@BOTH
def test_the_optimal_move_is_the_one_of_the_highest_reward(mode: Mode) -> None:
    position = a_game(mode, 3, 5)
    for _ in range(60):
        seat = move_of(position)
        offers = position.view(seat).offers
        expected = offers[best(position.pawns, seat, offers)]
        position.apply(seat, Optimal())
        made = [entry for entry in position.record if isinstance(entry, Made)][-1]
        assert (made.kind, made.actions, made.effects) == (expected.kind, expected.actions, expected.effects)


def test_ids_of_other_games_are_different() -> None:
    games = [a_game(Mode.STANDARD, seed=seed) for seed in range(50)]
    ids = [offer.id for game in games for offer in game.view(None).offers]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("cause", "code"), [(RuleBroken("x"), Rejection.ILLEGAL), (Unreadable("x"), Rejection.UNREADABLE)]
)
def test_a_bad_move_costs_nothing_and_the_player_is_told(cause: RuleBroken | Unreadable, code: Rejection) -> None:
    position = a_game(Mode.ADULT)
    seat = move_of(position)
    before = position.view(seat)
    position.fault(seat, cause)
    assert position.movers == (seat,)
    assert position.view(seat).rejected is code
    assert position.view(seat).offers == before.offers
    assert position.view(1 - seat).rejected is None
    position.apply(seat, Pick(before.offers[0].id))
    assert position.view(move_of(position)).rejected is None


@BOTH
def test_who_goes_on_with_bad_moves_has_lost(mode: Mode) -> None:
    position = a_game(mode)
    seat = move_of(position)
    for _ in range(19):
        position.fault(seat, RuleBroken("x"))
    assert position.movers == (seat,)
    position.fault(seat, Unreadable("x"))
    outcome = position.outcome
    assert outcome == Outcome(Termination.REFUSED, frozenset({1 - seat}))
    assert outcome.words == f"20 moves of {position.view(seat).seats[seat].nick} were refused in one turn"


def test_the_server_hears_how_many_moves_were_refused() -> None:
    master = Master(STANDARD, STANDARD.choose_options({}), id="m", chance=random.Random)
    master.connected()
    master.received(Hello(("reason",)))
    master.received(LoginResponse())
    (first,) = [
        effect.message.next_player
        for effect in master.received(BeginGame("g", ("ann", "bob")))
        if isinstance(effect, Send) and isinstance(effect.message, GameState)
    ]
    for _ in range(20):
        effects = master.received(SentMove("g", b'<move><tic x="1" y="1"/></move>'))
    *_, because, state = [effect.message for effect in effects if isinstance(effect, Send)]
    assert isinstance(because, Because)
    assert isinstance(state, GameState)
    assert because.nick == first
    assert because.text.startswith(f"20 moves of {first} were refused in one turn; the last one: element move")
    assert {one.nick for one in state.game_over or () if one.result is Result.LOSER} == {first}


def test_bad_moves_are_counted_within_a_turn() -> None:
    position = a_game(Mode.STANDARD)
    for _ in range(6):
        seat = move_of(position)
        for _ in range(19):
            position.fault(seat, RuleBroken("x"))
        position.apply(seat, Optimal())
    assert position.outcome is None


def test_a_seat_that_has_lost_by_bad_moves_is_played_on_and_never_wins() -> None:
    ends = set()
    for seed in range(40):
        position = a_game(Mode.STANDARD, seats=3, seed=seed)
        loser = move_of(position)
        for _ in range(20):
            position.fault(loser, RuleBroken("x"))
        assert loser not in position.movers
        assert position.view(None).seats[loser].kind is Sitter.LEFT
        if seed % 2:
            position.leave(loser)
        play_on(position, random.Random(seed))
        assert position.outcome is not None
        assert position.outcome.termination is Termination.ALL_HOME
        assert loser not in position.outcome.winners
        ends.add(len(position.outcome.winners))
    assert ends == {0, 1}


# --- departures -------------------------------------------------------------------------------------------------------


@BOTH
def test_a_seat_that_was_left_is_played_by_reward_at_once_and_from_then_on(mode: Mode) -> None:
    position = a_game(mode, 3, 3)
    twin = deepcopy(position)
    leaver = move_of(position)
    position.leave(leaver)
    twin.apply(leaver, Optimal())
    while twin.movers == (leaver,):
        twin.apply(leaver, Optimal())
    assert position.pawns == twin.pawns
    assert position.movers == twin.movers == ((leaver + 1) % 3,)
    rng = random.Random(3)
    for _ in range(100):
        if position.outcome is not None:
            break
        assert leaver not in position.movers
        play_on(position, rng, 1)
    assert position.turns[leaver] > 5
    assert position.view(None).seats[leaver].kind is Sitter.LEFT


def test_everybody_sees_which_seats_the_program_plays() -> None:
    table = Table("t", ("ada", "ben", "Oak"), STANDARD.choose_options({}), players=2)
    position = Position(Mode.STANDARD, table, random.Random(1))
    position.leave(0)
    assert [seat.kind for seat in position.view(None).seats] == [Sitter.LEFT, Sitter.HUMAN, Sitter.PROGRAM]


@BOTH
def test_a_seat_that_is_not_to_move_is_left_quietly(mode: Mode) -> None:
    position = a_game(mode, 3)
    seat = move_of(position)
    offers = position.view(seat).offers
    position.leave((seat + 1) % 3)
    assert position.movers == (seat,)
    assert position.view(seat).offers == offers
    assert isinstance(position.record[-1], Left)


@BOTH
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_one_to_stay_wins(mode: Mode, seats: int) -> None:
    position = a_game(mode, seats)
    for leaver in range(1, seats):
        assert position.outcome is None
        position.leave(leaver)
    assert position.outcome == Outcome(Termination.OTHERS_LEFT, frozenset({0}))
    assert position.movers == ()
    assert position.view(0).offers == ()


def test_who_has_left_may_still_get_home_first() -> None:
    winners: set[int] = set()
    for seed in range(30):
        position = a_game(Mode.STANDARD, 3, seed)
        position.leave(0)
        play_on(position, random.Random(seed))
        assert position.outcome is not None
        winners |= position.outcome.winners
    assert 0 in winners


# --- views ------------------------------------------------------------------------------------------------------------


def test_in_standard_everybody_sees_the_same() -> None:
    position = a_game(Mode.STANDARD, 4)
    for _ in range(30):
        assert {position.view(seat) for seat in (None, 0, 1, 2, 3)} == {position.view(None)}
        assert position.view(None).offers
        assert position.view(None).drawn is not None
        play_on(position, random.Random(1), 1)


def test_in_adult_hand_and_plays_are_seen_by_their_owner_only() -> None:
    position = a_game(Mode.ADULT, 3)
    for _ in range(30):
        mover = move_of(position)
        for seat in (None, 0, 1, 2):
            view = position.view(seat)
            assert view.you == seat
            assert view.drawn is None
            assert bool(view.offers) == (seat == mover)
            assert [len(shown.hand) for shown in view.seats] == [HAND if number == seat else 0 for number in range(3)]
        play_on(position, random.Random(1), 1)


def test_news_are_all_plays_since_and_the_history_the_last_ten() -> None:
    position = a_game(Mode.STANDARD, 3)
    play_on(position, random.Random(1), 12)
    told = len(position.record)
    position.leave((move_of(position) + 1) % 3)
    play_on(position, random.Random(1), 1)
    view, whole = position.view(None, told), position.view(None)
    assert view.plays == sum(position.turns) == len(whole.since)
    assert view.since == whole.since[12:]
    assert view.since
    assert view.history == tuple(Past(made.seat, made.kind, not made.actions) for made in whole.since[-10:])


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_dealt_anew_what_is_hidden_differs_and_what_is_seen_does_not(seat: int) -> None:
    position = a_game(Mode.ADULT, 3)
    rng = random.Random(4)
    play_on(position, rng, 40)
    others = [position.resampled(seat, rng) for _ in range(20)]
    for other in others:
        assert other.view(seat) == position.view(seat)
        assert other.view(None) == position.view(None)
        assert sorted(card for pile in other.piles for card in pile) == [*CARDS]
        for owner, hand in enumerate(other.piles[3:]):
            drawn = {entry.card for entry in other.record if isinstance(entry, Drew) and entry.seat == owner}
            assert set(hand) <= drawn, "the record tells of other cards"
        play_on(other, random.Random(1))
        assert other.outcome is not None
    assert len({str(position.resampled(seat, rng)) for _ in range(20)}) == 20


def test_in_standard_the_order_of_the_draw_pile_is_dealt_anew() -> None:
    position = a_game(Mode.STANDARD)
    other = position.resampled(0, random.Random(1))
    assert other.view(None) == position.view(None)
    assert sorted(other.piles[0]) == sorted(position.piles[0])
    assert other.piles[0] != position.piles[0]


@BOTH
def test_a_copy_plays_on_alone_and_alike(mode: Mode) -> None:
    position = a_game(mode, 3)
    play_on(position, random.Random(1), 20)
    copy, before = deepcopy(position), str(position)
    play_on(copy, random.Random(2))
    assert str(position) == before
    play_on(position, random.Random(2))
    assert str(position) == str(copy)


# --- for people -------------------------------------------------------------------------------------------------------


def test_the_record_can_be_read() -> None:
    position = a_game(Mode.STANDARD, 2, 1)
    play_on(position, random.Random(1))
    lines = [str(entry) for entry in position.record]
    assert lines[0] in ("game started (STANDARD, strict), RED begins", "game started (STANDARD, strict), YELLOW begins")
    assert any(line.startswith("RED plays 1: RED0 to 4") for line in lines)
    assert any(line.startswith("YELLOW forfeits, discards ") for line in lines)
    assert any(line.startswith("RED draws ") for line in lines)
    assert " wins after " in lines[-1]


def test_the_position_can_be_read() -> None:
    text = str(a_game(Mode.ADULT, 2)).splitlines()
    assert text[0] in ("ADULT, strict, 0 plays, RED to play", "ADULT, strict, 0 plays, YELLOW to play")
    assert text[1].startswith("RED     4  S  S  S, 0 turns, hand ")
    assert text[3].startswith("draw pile, last first: ")
    assert text[4] == "discards: none"
