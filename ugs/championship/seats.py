"""Who sits where, so that all players sit in every seat equally often.

Where all games are known, :func:`seated` gives each entrant every seat once in each run of as many games as there are
seats, so that an entrant's seats never differ by more than one. Where games are made one by one, :class:`SeatCounts`
deals each of them as evenly as it can.
"""

from collections.abc import Iterable, Sequence

from ugs.championship.assignment import dealt

UNSET = -1


def seated(games: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the same games with their players in the order of the seats. All games have the same number of seats.

    Each player's games are cut into runs of as many games as there are seats. Games and runs are the two sides of a
    graph where no node has more edges than there are seats, so the edges can be coloured with the seats: no seat twice
    in a game, none twice in a run.
    """
    if not games:
        return []
    seats = len(games[0])
    runs: dict[tuple[int, int], int] = {}
    played: dict[int, int] = {}
    in_game = [[UNSET] * seats for _ in games]
    """For each game, the run that has each seat."""
    in_run: list[list[int]] = []
    """For each run, the game where it has each seat."""
    for game, players in enumerate(games):
        for player in players:
            before = played.get(player, 0)
            played[player] = before + 1
            run = runs.setdefault((player, before // seats), len(runs))
            if run == len(in_run):
                in_run.append([UNSET] * seats)
            _give_a_seat(game, run, in_game, in_run)
    player_of = [player for player, _ in runs]
    return [tuple(player_of[run] for run in chosen) for chosen in in_game]


def _give_a_seat(game: int, run: int, in_game: list[list[int]], in_run: list[list[int]]) -> None:
    """Colour one more edge. Where no seat is free on both sides, exchange two seats along a chain."""
    here, there = in_game[game], in_run[run]
    for seat, taken in enumerate(here):
        if taken == UNSET and there[seat] == UNSET:
            here[seat], there[seat] = run, game
            return
    free_here, free_there = here.index(UNSET), there.index(UNSET)
    chain = []
    seat, other, at_run = free_here, free_there, run
    while (at_game := in_run[at_run][seat]) != UNSET:
        chain.append((at_game, at_run, seat, other))
        at_run = in_game[at_game][other]  # never UNSET: all games before this one have all their seats
        chain.append((at_game, at_run, other, seat))
    # All off before any is on again: two links of the chain share a game or a run.
    for at_game, at_run, old, _ in chain:
        in_game[at_game][old] = in_run[at_run][old] = UNSET
    for at_game, at_run, _, new in chain:
        in_game[at_game][new], in_run[at_run][new] = at_run, at_game
    here[free_here], there[free_here] = run, game


class SeatCounts:
    """How often each player has had each seat."""

    def __init__(self, nicks: Iterable[str], seats: int) -> None:
        self.had: dict[str, list[int]] = {nick: [0] * seats for nick in nicks}

    def add(self, nicks: Sequence[str]) -> None:
        """Count a game of these players, given in the order of their seats."""
        for seat, nick in enumerate(nicks):
            self.had[nick][seat] += 1

    def deal(self, nicks: Sequence[str]) -> tuple[str, ...]:
        """Return the players in the most even order of seats. Among equal orders, players named first sit first."""
        return tuple(nicks[player] for player in deal([self.had[nick] for nick in nicks]))

    def excess(self, nicks: Sequence[str]) -> int:
        """Return how many of these players would get a seat that they had more often than another one."""
        wanted = [self.wanted(nick) for nick in nicks]
        return len(nicks) - matched(wanted)

    def wanted(self, nick: str) -> list[int]:
        """Return the seats that this player has had least."""
        had = self.had[nick]
        least = min(had)
        return [seat for seat, count in enumerate(had) if count == least]


def deal(had: Sequence[Sequence[int]]) -> list[int]:
    """Return the player in each seat. ``had[player][seat]`` is how often the player had it; the sum of these is the
    least, or small for a large game."""
    order = [UNSET] * len(had)
    for player, seat in enumerate(dealt([dict(enumerate(counts)) for counts in had])):
        order[seat] = player
    return order


def matched(wanted: Sequence[Sequence[int]]) -> int:
    """Return how many players can get one of the seats they want, with each seat given once."""
    owner: dict[int, int] = {}

    def place(player: int, tried: set[int]) -> bool:
        for seat in wanted[player]:
            if seat not in tried:
                tried.add(seat)
                # Augmenting paths: the player who has this seat looks for another one first.
                if seat not in owner or place(owner[seat], tried):
                    owner[seat] = player
                    return True
        return False

    return sum(place(player, set()) for player in range(len(wanted)))
