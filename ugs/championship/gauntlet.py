"""One against all the others: the champion plays every game."""

from collections.abc import Sequence
from math import gcd

from ugs.championship.fixed import FixedSchedule, Round
from ugs.championship.groups import even_groups
from ugs.championship.plan import Plan, PlanError
from ugs.championship.seats import seated


class Gauntlet(FixedSchedule):
    """The champion of the plan, or the first seed, plays each of the others ``repeats`` times.

    With more than 2 seats the others play in groups and meet each other as equally often as possible; each of them
    plays ``repeats`` games, or the next higher number that fills all groups. Each player, the champion included, sits
    in every seat equally often, within one; with 2 seats the order changes from game to game of a pairing.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int) -> None:
        """See :class:`Schedule`. Raises PlanError when the champion is not in the field."""
        champion = plan.champion or field[0]
        if champion not in field:
            raise PlanError(f"champion = {champion!r}: not in the field; allowed: one of {', '.join(field)}")
        others = [nick for nick in field if nick != champion]
        rounds = duels(champion, others, plan.repeats) if seats == 2 else groups(champion, others, seats, plan.repeats)
        super().__init__(plan, field, seats, rounds)


def duels(champion: str, others: Sequence[str], repeats: int) -> list[Round]:
    """Return games of two: once through all opponents, then again with the seats exchanged."""
    return [
        [(champion, other) if (at + cycle) % 2 == 0 else (other, champion)]
        for cycle in range(repeats)
        for at, other in enumerate(others)
    ]


def groups(champion: str, others: Sequence[str], seats: int, repeats: int) -> list[Round]:
    """Return games of the champion and groups of the others."""
    period = (seats - 1) // gcd(len(others), seats - 1)
    each = -(-repeats // period) * period
    names = [*others, champion]
    games = [(*group, len(others)) for group in even_groups(len(others), seats - 1, each)]
    return [[tuple(names[one] for one in game)] for game in seated(games)]
