"""The tree of a knock-out: which matches there are, and where their players come from."""

from typing import TypeAlias

from ugs.value import value

ROUND_NAMES = {0: "final", 1: "semi-final", 2: "quarter-final"}
"""By rounds before the final. Only games of two have quarter-finals, since those are four matches."""
THIRD_PLACE = "third place"


@value
class Seed:
    """An entrant of the field. ``place`` counts from 0."""

    place: int


@value
class From:
    """A player who comes out of another match. The winner of that match has place 0."""

    match: int
    place: int


Source: TypeAlias = Seed | From


@value
class Pairing:
    """A match of the tree."""

    round: int
    label: str
    sources: tuple[Source, ...]
    """Where the players come from; the highest seed first, as long as the higher seeds win."""
    go_on: int
    """How many of the players go on; nearly always one."""


def bracket(entrants: int, seats: int, third_place: bool) -> list[Pairing]:
    """Return the matches of a knock-out. The final is last, or comes just before the match for the third place.

    In games of two the field is filled up to a power of two: the top seeds skip the first round, the highest seed plays
    the lowest, and seeds 1 and 2 can meet only in the final. In larger games a group takes the place of the pair. Where
    the winners would not fill the groups of the next round, the second best of the first groups go on as well.
    """
    rounds: list[list[Pairing]] = []
    going: list[Source] = [Seed(place) for place in range(entrants)]
    matches = 0
    while len(going) > 1:
        goal = 1
        while goal * seats < len(going):
            goal *= seats
        # Only as many groups as bring the field down to the next power of ``seats``; each takes out all but one.
        games = min(-(-(len(going) - goal) // (seats - 1)), len(going) // seats)
        waiting, playing = going[: len(going) - games * seats], going[len(going) - games * seats :]
        left = len(waiting) + games
        lucky = max(0, goal - left)
        pairings = []
        for game in range(games):
            sources = tuple(playing[_snake(row, game, games)] for row in range(seats))
            pairings.append(Pairing(len(rounds) + 1, "", sources, 1 + lucky // games + (game < lucky % games)))
        winners = [From(matches + game, 0) for game in range(games)]
        others = [
            From(matches + game, at) for at in range(1, seats) for game in range(games) if at < pairings[game].go_on
        ]
        # In the order of their seeds as long as the higher ones win: the next round is paired by it.
        going = [*waiting, *winners, *others]
        rounds.append(pairings)
        matches += games
    tree = [
        Pairing(one.round, _label(len(rounds) - one.round, seats), one.sources, one.go_on)
        for pairings in rounds
        for one in pairings
    ]
    # With a final alone no one has lost a semi-final.
    if third_place and len(rounds) > 1:
        tree += _third_place(tree, len(rounds), seats)
    return tree


def _snake(row: int, group: int, groups: int) -> int:
    """Return which of those who play is in this row of a group. Rows run to and fro, so that groups are equally
    strong."""
    return row * groups + (groups - 1 - group if row % 2 else group)


def _label(before_the_final: int, seats: int) -> str:
    if before_the_final in ROUND_NAMES and (before_the_final < 2 or seats == 2):
        return ROUND_NAMES[before_the_final]
    return f"round of {seats ** (before_the_final + 1)}"


def _third_place(tree: list[Pairing], last_round: int, seats: int) -> list[Pairing]:
    """Return the match of the best losers of the semi-finals; nothing if they are too few for a game."""
    semi_finals = [match for match, pairing in enumerate(tree) if pairing.round == last_round - 1]
    losers = [From(match, at) for at in range(seats) for match in semi_finals if at >= tree[match].go_on]
    if len(losers) < seats:
        return []
    return [Pairing(last_round, THIRD_PLACE, tuple(losers[:seats]), 0)]
