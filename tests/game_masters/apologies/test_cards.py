"""The deck."""

import random
from collections import Counter

from game_masters.apologies.cards import CARDS, COUNTS, KINDS, Deck, Kind


def test_there_are_45_cards_five_ones_and_four_of_all_others() -> None:
    assert len(CARDS) == 45
    assert Counter(KINDS) == {kind: 5 if kind is Kind.ONE else 4 for kind in Kind} == COUNTS
    assert len(Kind) == 11


def test_a_deck_gives_every_card_once() -> None:
    deck = Deck.shuffled(random.Random(1))
    assert sorted(deck.draw() for _ in CARDS) == [*CARDS]


def test_the_discards_become_the_draw_pile_when_a_card_is_wanted_and_not_before() -> None:
    deck = Deck.shuffled(random.Random(1))
    for card in [deck.draw() for _ in CARDS][:3]:
        deck.discard(card)
    assert (len(deck.pile), len(deck.discards)) == (0, 3)
    drawn = deck.draw()
    assert (len(deck.pile), len(deck.discards)) == (2, 0)
    assert drawn not in deck.pile


def test_a_card_just_discarded_can_come_straight_back() -> None:
    deck = Deck.shuffled(random.Random(1))
    *_, last = [deck.draw() for _ in CARDS]
    deck.discard(last)
    assert deck.draw() == last


def test_every_card_is_as_likely_as_any_other_to_be_drawn_first() -> None:
    first = Counter(Deck.shuffled(random.Random(seed)).draw() for seed in range(4500))
    assert set(first) == set(CARDS)
    assert max(first.values()) < 150


def test_a_copy_goes_its_own_way_and_the_same_one() -> None:
    deck = Deck.shuffled(random.Random(1))
    for _ in range(44):
        deck.discard(deck.draw())
    copy = deck.copy()
    assert [copy.draw() for _ in range(45)] == [deck.draw() for _ in range(45)]
    other = Deck.shuffled(random.Random(1))
    assert [other.copy(random.Random(2)).draw() for _ in range(3)] == [other.draw()] * 3
