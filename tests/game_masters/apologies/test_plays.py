"""Which plays a position allows: worked examples, and properties that hold in all positions."""

import random
from collections.abc import Iterable, Mapping
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_masters.apologies.board import (
    COLOURS,
    HOME,
    PAWNS,
    PLACE_NAMES,
    PLACES,
    SAFE,
    SQUARES,
    START,
    Pawn,
    Pawns,
    Place,
    pawns_of,
    seat_of,
)
from game_masters.apologies.cards import CARDS, HAND, KINDS, Card, Kind
from game_masters.apologies.plays import Play, Profile, after, legal_plays
from tests.game_masters.apologies.positions import Decision, from_games, scattered
from tests.profile import sized

RED, YELLOW, GREEN, BLUE = range(4)
STRICT, UPSTREAM = Profile.STRICT, Profile.UPSTREAM
PLACE_OF = {name: place for place, name in enumerate(PLACE_NAMES)}


def board(**places: str) -> Pawns:
    """Return the position of four players with the given places; pawns not named are in start."""
    pawns: list[Place] = []
    for colour in COLOURS:
        own = [PLACE_OF[name] for name in places.get(colour, "").split()]
        pawns += [*own, *[START] * (PAWNS - len(own))]
    return tuple(pawns)


def card(kind: Kind) -> Card:
    return KINDS.index(kind)


def told(plays: Iterable[Play]) -> list[str]:
    """Return plays in short: ``Y0 34, R0 S`` for a pawn that goes to 34 and another that goes to start."""
    names = [f"{colour[0]}{number}" for colour in COLOURS for number in range(PAWNS)]
    return [
        ", ".join(f"{names[pawn]} {PLACE_NAMES[place]}" for pawn, _, place in (*play.actions, *play.effects)) or "none"
        for play in plays
    ]


def plays_of(pawns: Pawns, seat: int, kind: Kind, profile: Profile = STRICT) -> list[str]:
    return told(legal_plays(pawns, seat, [card(kind)], profile))


BOTH = pytest.mark.parametrize("profile", Profile)


# --- worked examples --------------------------------------------------------------------------------------------------


@BOTH
def test_a_pawn_leaves_start_and_bumps_who_stands_on_the_circle(profile: Profile) -> None:
    pawns = board(YELLOW="S H H H", RED="34")
    assert plays_of(pawns, YELLOW, Kind.ONE, profile) == ["Y0 34, R0 S"]


@BOTH
def test_a_pawn_turns_into_its_safe_row(profile: Profile) -> None:
    assert plays_of(board(BLUE="15 H H H"), BLUE, Kind.THREE, profile) == ["B0 s0"]


@BOTH
def test_a_pawn_passes_the_corner(profile: Profile) -> None:
    assert plays_of(board(GREEN="59 H H H"), GREEN, Kind.EIGHT, profile) == ["G0 7"]


@BOTH
def test_a_slide_bumps_everybody_on_it(profile: Profile) -> None:
    pawns = board(YELLOW="8 H H H", RED="10 13")
    assert plays_of(pawns, YELLOW, Kind.ONE, profile) == ["Y0 13, R0 S, R1 S"]


@BOTH
def test_nobody_slides_on_the_own_colour(profile: Profile) -> None:
    assert plays_of(board(RED="8 H H H"), RED, Kind.ONE, profile) == ["R0 9"]


@BOTH
def test_a_pawn_leaves_the_safe_row_backward_and_gets_home_by_exact_count_only(profile: Profile) -> None:
    pawns = board(GREEN="s2 H H H")
    assert plays_of(pawns, GREEN, Kind.FOUR, profile) == ["G0 46"]
    assert plays_of(pawns, GREEN, Kind.THREE, profile) == ["G0 H"]
    assert plays_of(pawns, GREEN, Kind.FIVE, profile) == ["none"]


@BOTH
def test_a_seven_is_shared_in_every_way_that_fits(profile: Profile) -> None:
    pawns = board(YELLOW="30 s1 H H", RED="31")
    assert plays_of(pawns, YELLOW, Kind.SEVEN, profile) == [
        "Y0 s4", "Y0 s0, Y1 H", "Y0 s1, Y1 s4", "Y0 s2, Y1 s3", "Y0 s3, Y1 s2",
        "Y1 s2, Y0 s3", "Y1 s3, Y0 s2", "Y1 H, Y0 s0",
    ]  # fmt: skip


@BOTH
def test_an_eleven_swaps_on_the_ring_or_walks(profile: Profile) -> None:
    pawns = board(GREEN="50 s3 H H", RED="16 s0", YELLOW="47")
    assert plays_of(pawns, GREEN, Kind.ELEVEN, profile) == ["G0 19, R0 50", "G0 47, Y0 50", "G0 4"]


@BOTH
def test_an_apologies_card_takes_the_place_of_a_foreign_pawn_on_the_ring(profile: Profile) -> None:
    pawns = board(BLUE="S S H H", RED="1", GREEN="9", YELLOW="s4")
    assert plays_of(pawns, BLUE, Kind.APOLOGIES, profile) == [
        "B0 4, R0 S", "B0 13, G0 S", "B1 4, R0 S", "B1 13, G0 S",
    ]  # fmt: skip


@BOTH
def test_a_ten_goes_one_back_where_it_cannot_go_forward(profile: Profile) -> None:
    assert plays_of(board(YELLOW="32 H H H"), YELLOW, Kind.TEN, profile) == ["Y0 31"]


@BOTH
def test_a_four_goes_back_and_the_next_card_may_lead_into_the_safe_row(profile: Profile) -> None:
    assert plays_of(board(BLUE="20 H H H"), BLUE, Kind.FOUR, profile) == ["B0 16"]
    assert plays_of(board(BLUE="16 H H H"), BLUE, Kind.TWO, profile) == ["B0 s0"]


@BOTH
def test_slides_of_colours_that_nobody_plays_are_there(profile: Profile) -> None:
    pawns = board(RED="45 H H H")[: 2 * PAWNS]
    assert plays_of(pawns, RED, Kind.ONE, profile) == ["R0 49"]


def test_a_pawn_that_lands_on_a_slide_from_inside_slides_back_and_stays() -> None:
    pawns = board(YELLOW="25 H H H")
    assert plays_of(pawns, YELLOW, Kind.TEN) == ["Y0 s2", "Y0 28"]
    assert plays_of(pawns, YELLOW, Kind.TEN, UPSTREAM) == ["Y0 s2", "Y0 28, Y0 S"]


def test_two_halves_of_a_seven_may_not_end_on_one_square() -> None:
    pawns = board(GREEN="5 6 H H")
    strict = plays_of(pawns, GREEN, Kind.SEVEN)
    assert strict == [
        "G0 12", "G0 6, G1 12", "G0 7, G1 11", "G0 8, G1 10", "G0 10, G1 8", "G0 11, G1 7",
        "G1 13", "G1 7, G0 11", "G1 8, G0 10", "G1 10, G0 8", "G1 11, G0 7",
    ]  # fmt: skip
    upstream = plays_of(pawns, GREEN, Kind.SEVEN, UPSTREAM)
    assert [play for play in upstream if play not in strict] == ["G0 13, G1 13", "G1 13, G0 13"]


@BOTH
def test_the_second_half_of_a_seven_may_not_land_where_the_first_pawn_was(profile: Profile) -> None:
    plays = plays_of(board(RED="20 21 H H"), RED, Kind.SEVEN, profile)
    assert "R0 21, R1 27" in plays
    assert "R1 27, R0 21" not in plays


@BOTH
def test_two_ways_to_share_a_seven_that_come_to_the_same_are_one(profile: Profile) -> None:
    """3 and 4 steps, or 6 and 1: one half slides, the other walks to where that slide ends."""
    plays = plays_of(board(RED="13 30 H H"), RED, Kind.SEVEN, profile)
    assert [play for play in plays if play.startswith("R0")] == [
        "R0 20", "R0 14, R1 36", "R0 15, R1 35", "R0 19, R1 34", "R0 17, R1 33", "R0 18, R1 32",
    ]  # fmt: skip


# --- what the profiles differ in --------------------------------------------------------------------------------------


def test_safe_rows_are_apart() -> None:
    pawns = board(RED="s0", YELLOW="s2")
    assert plays_of(pawns, RED, Kind.TWO) == ["R0 s2", "R1 4", "R2 4", "R3 4"]
    assert plays_of(pawns, RED, Kind.TWO, UPSTREAM) == ["R0 s2, Y0 S", "R1 4", "R2 4", "R3 4"]


def test_a_half_of_a_seven_slides_over_the_square_that_the_other_leaves() -> None:
    pawns = board(YELLOW="8 10 H H")
    assert "Y0 13, Y1 19" in plays_of(pawns, YELLOW, Kind.SEVEN)
    assert "Y0 13, Y1 19, Y1 S" in plays_of(pawns, YELLOW, Kind.SEVEN, UPSTREAM)


def test_who_swaps_slides_over_the_square_it_has_left() -> None:
    pawns = board(YELLOW="11 H H H", GREEN="9")
    assert plays_of(pawns, YELLOW, Kind.ELEVEN) == ["Y0 13, G0 11", "Y0 22"]
    assert plays_of(pawns, YELLOW, Kind.ELEVEN, UPSTREAM) == ["Y0 13, G0 11, Y0 S", "Y0 22"]


def test_a_swap_after_which_both_would_stand_at_the_end_of_a_slide_is_illegal() -> None:
    pawns = board(YELLOW="13 H H H", GREEN="9")
    assert plays_of(pawns, YELLOW, Kind.ELEVEN) == ["Y0 28"]
    assert plays_of(pawns, YELLOW, Kind.ELEVEN, UPSTREAM) == ["Y0 13, G0 13, Y0 S", "Y0 28"]


def test_a_card_whose_only_play_would_put_two_pawns_on_one_square_is_forfeited() -> None:
    pawns = board(YELLOW="28 H H H", RED="24")
    assert plays_of(pawns, YELLOW, Kind.ELEVEN) == ["none"]
    assert plays_of(pawns, YELLOW, Kind.ELEVEN, UPSTREAM) == ["Y0 28, R0 28, Y0 S"]


def without_defects(pawns: Pawns, seat: int, cards: Iterable[Card], plays: Iterable[Play]) -> list[Play]:
    """Return what is left of the plays of ``upstream`` without bumps out of foreign safe rows, without bumps of pawns
    that the play moves, and without plays after which two pawns share a square."""
    kept: list[Play] = []
    for play in plays:
        moved = {pawn for pawn, _, _ in play.actions}
        effects = tuple(step for step in play.effects if step[0] not in moved and step[1] < SAFE)
        mended = play._replace(effects=effects)
        if mended not in kept and not shared(after(pawns, mended), moved):
            kept.append(mended)
    return kept or [Play(card) for card in cards]


def shared(pawns: Pawns, moved: Iterable[Pawn]) -> bool:
    """Return whether one of these pawns shares its square or safe square."""
    return any(
        pawns[pawn] < HOME
        and any(
            place == pawns[pawn] and other != pawn and (place < SQUARES or seat_of(other) == seat_of(pawn))
            for other, place in enumerate(pawns)
        )
        for pawn in moved
    )


@pytest.mark.parametrize("cards", [1, HAND])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strict_is_upstream_without_its_six_defects(seats: int, cards: int) -> None:
    rng = random.Random(f"{seats} {cards}")
    differing = 0
    for source in (from_games(rng, seats, cards, STRICT), scattered(rng, seats, cards, apart=True)):
        for decision in islice(source, sized(quick=400, deep=2000)):
            upstream = legal_plays(*decision, UPSTREAM)
            strict = legal_plays(*decision, STRICT)
            assert strict == without_defects(*decision, upstream), decision
            differing += strict != upstream
    assert differing > sized(quick=20, deep=100)


# --- in all positions -------------------------------------------------------------------------------------------------


@st.composite
def decisions(draw: st.DrawFn) -> Decision:
    """Any position without two pawns in one place, and one to five cards."""
    seats = draw(st.integers(2, 4))
    places: list[Place] = []
    for seat in range(seats):
        own: list[Place] = []
        for _ in range(PAWNS):
            place = draw(st.sampled_from(PLACES))
            taken = place in own or (place < SQUARES and place in places)
            own.append(START if taken and place < HOME else place)
        places += own
        if all(place == HOME for place in own):
            places[seat * PAWNS] = START
    cards = draw(st.lists(st.sampled_from(CARDS), min_size=1, max_size=HAND, unique=True))
    return Decision(tuple(places), draw(st.integers(0, seats - 1)), tuple(cards))


PROPERTY = settings(max_examples=sized(quick=80, deep=1000))


@PROPERTY
@given(decisions())
def test_no_two_pawns_ever_share_a_place_in_strict(decision: Decision) -> None:
    for play in legal_plays(*decision, STRICT):
        pawns = after(decision.pawns, play)
        assert not shared(pawns, range(len(pawns))), play


@PROPERTY
@given(decisions(), st.sampled_from(Profile))
def test_a_play_moves_the_pawns_it_names_and_no_others(decision: Decision, profile: Profile) -> None:
    for play in legal_plays(*decision, profile):
        steps = (*play.actions, *play.effects)
        named = {pawn for pawn, _, _ in steps}
        pawns = after(decision.pawns, play)
        assert all(pawns[pawn] == place for pawn, place in enumerate(decision.pawns) if pawn not in named)
        assert all(decision.pawns[pawn] == place for pawn, place, _ in steps)


@PROPERTY
@given(decisions())
def test_a_foreign_pawn_only_goes_to_start_or_where_a_swap_puts_it(decision: Decision) -> None:
    for play in legal_plays(*decision, STRICT):
        for pawn, origin, place in (*play.actions, *play.effects):
            if seat_of(pawn) != decision.seat:
                assert origin < SQUARES, "safe rows, home and start are out of reach for others"
                assert place == START or KINDS[play.card] is Kind.ELEVEN


@PROPERTY
@given(decisions(), st.sampled_from(Profile))
def test_there_is_always_a_play_and_forfeits_come_alone(decision: Decision, profile: Profile) -> None:
    plays = legal_plays(*decision, profile)
    assert plays
    assert len(set(plays)) == len(plays)
    if any(play.forfeit for play in plays):
        assert plays == [Play(card) for card in decision.cards]


def turned(decision: Decision) -> tuple[Decision, Mapping[Pawn, Pawn]]:
    """Return the same with the board turned by a quarter: RED becomes BLUE, BLUE YELLOW, YELLOW GREEN, GREEN RED."""
    becomes = {RED: BLUE, BLUE: YELLOW, YELLOW: GREEN, GREEN: RED}
    pawn_becomes = {pawn: becomes[seat_of(pawn)] * PAWNS + pawn % PAWNS for pawn in range(4 * PAWNS)}
    pawns = [START] * (4 * PAWNS)
    for pawn, place in enumerate(decision.pawns):
        pawns[pawn_becomes[pawn]] = turned_place(place)
    return Decision(tuple(pawns), becomes[decision.seat], decision.cards), pawn_becomes


def turned_place(place: Place) -> Place:
    return (place + 15) % SQUARES if place < SQUARES else place


@PROPERTY
@given(decisions().filter(lambda decision: len(decision.pawns) == 4 * PAWNS))
def test_colours_are_equal_when_the_board_is_turned(decision: Decision) -> None:
    other, becomes = turned(decision)
    expected = {
        (
            play.card,
            tuple((becomes[pawn], turned_place(place)) for pawn, _, place in play.actions),
            frozenset((becomes[pawn], turned_place(place)) for pawn, _, place in play.effects),
        )
        for play in legal_plays(*decision, STRICT)
    }
    found = {
        (
            play.card,
            tuple((pawn, place) for pawn, _, place in play.actions),
            frozenset((pawn, place) for pawn, _, place in play.effects),
        )
        for play in legal_plays(*other, STRICT)
    }
    assert found == expected


# --- order ------------------------------------------------------------------------------------------------------------


def test_plays_come_card_by_card_then_pawn_by_pawn() -> None:
    pawns = board(RED="20 30", YELLOW="50")
    plays = legal_plays(pawns, RED, [card(Kind.TEN), card(Kind.ONE)], STRICT)
    assert told(plays) == ["R0 19", "R1 40", "R1 29", "R0 21", "R1 34", "R2 4", "R3 4"]
    assert [KINDS[play.card] for play in plays] == [Kind.TEN] * 3 + [Kind.ONE] * 4


def test_equal_cards_give_equal_plays_each() -> None:
    ones = [number for number in CARDS if KINDS[number] is Kind.ONE][:2]
    plays = legal_plays(board(RED="20 H H H"), RED, ones, STRICT)
    assert [play.card for play in plays] == ones


def test_each_pawn_in_start_may_be_the_one_that_leaves() -> None:
    assert plays_of(board(), GREEN, Kind.TWO) == ["G0 49", "G1 49", "G2 49", "G3 49"]


def test_a_forfeit_may_be_made_of_each_card() -> None:
    cards = [card(Kind.THREE), card(Kind.FIVE), card(Kind.THREE) + 1]
    assert legal_plays(board(), RED, cards, STRICT) == [Play(number) for number in cards]


def test_pawns_of_one_seat_are_found_by_seat() -> None:
    assert list(pawns_of(GREEN)) == [8, 9, 10, 11]
