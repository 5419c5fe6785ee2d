"""Formats whose games are all known before the first: a list of fixtures that can be played in any order."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import overload

from ugs.championship.formats.format_contract import Fixture, PutOff, Schedule, WaitedFor, never, no_entrant
from ugs.championship.pairing.rounds import GauntletGames, RoundRobinGames, Rounds
from ugs.championship.plan import Plan, number_of_orders, seat_orders

LOOK_AT = 2_000
"""The most urgent open games are looked at one by one, up to this many; then those of the free players."""
OWN = 20_000
"""If the players who are free for the first time have at most this many games, only these are looked at."""

AHEAD = 1
"""How many times more a pairing may have been played than another one of its players. With 0 contests of games of
different lengths take up to a quarter longer, since players wait; with 1 a tenth."""


class FixtureOffers(Sequence[Fixture]):
    """Fixtures that are found one by one as they are read: thousands may be open, and often the first is enough."""

    def __init__(self, found: Iterator[Fixture]) -> None:
        self._rest = found
        self._read: list[Fixture] = []

    def __iter__(self) -> Iterator[Fixture]:
        # A copy: another reader of these offers may add to the list meanwhile.
        yield from self._read[:]
        for fixture in self._rest:
            self._read.append(fixture)
            yield fixture

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Fixture: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fixture]: ...
    def __getitem__(self, index: int | slice) -> Fixture | Sequence[Fixture]:
        return self._all()[index]

    def _all(self) -> list[Fixture]:
        self._read.extend(self._rest)
        return self._read


class FixedSchedule(Schedule):
    """A schedule whose fixtures are given round by round. Among the open fixtures, those of earlier rounds are more
    urgent. No player waits for a round: free players may go on to a later one. But no pairing is
    more than :data:`AHEAD` games ahead of the others of its players: a table half-way compares like with like.

    A fixture is made when it is asked for, so that half a million of them take no time to set up.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`."""
        super().__init__(plan, field, seats, put_off)
        self._nicks: tuple[str, ...] = ()
        """By place."""
        self._place: dict[str, int] = {}
        self._rounds = Rounds(seats)
        self._drawn = 0
        """How many games were drawn; each is played with every opening in every order."""
        self._open = bytearray()
        """For each game 1 while it is open: neither begun nor dropped."""
        self._left = 0
        """How many games are open."""
        self._searched: set[int] = set()
        """Places among which all open games are known: they are in ``_found``, with some that are not open any more."""
        self._found: list[int] = []
        self._cycle = 0
        """How many games there are before a pairing comes again."""
        self._first: dict[int, int] = {}
        """For a place, its first open game with others of ``_there``; perhaps not open any more."""
        self._there = b""
        """For each place 1 if that entrant was free or waited for when it was last asked."""
        self._running: set[int] = set()
        """By number."""
        self._ask(self.field)

    @abstractmethod
    def _places(self, entrants: Sequence[str]) -> Sequence[str]:
        """Return the entrants in the order of their places."""

    @abstractmethod
    def _request(self, entrants: int, seats: int) -> RoundRobinGames | GauntletGames:
        """Return what has to be drawn."""

    def _ask(self, entrants: Sequence[str]) -> None:
        """Want the games of these entrants, who may be too few for all seats; nothing if there is only one."""
        self.wanted = None
        self.seats = min(self.seats, len(entrants))
        self._nicks = tuple(self._places(entrants)) if entrants else ()
        self._place = {nick: place for place, nick in enumerate(self._nicks)}
        if len(entrants) > 1:
            self._want(self._request(len(entrants), self.seats))

    def take(self, drawing: Rounds) -> None:
        """Take in what was drawn for ``wanted``."""
        self.wanted = None
        self._drawn = len(drawing)
        self._cycle = self._drawn // self.plan.repeats if self.seats == 2 else self._drawn
        if self.plan.openings:
            drawing = drawing.in_orders(seat_orders(self.seats), len(self.plan.openings))
        self._rounds = drawing
        self._left = len(drawing)
        # A byte for each game, so that the next open one is found in C.
        self._open = bytearray(b"\1") * self._left

    def open_fixtures(self, free: Collection[str], waited_for: WaitedFor = no_entrant) -> Sequence[Fixture]:
        """Return the open fixtures that ``free`` players can play now, the most urgent first. The result is only valid
        until the schedule changes."""
        places = {self._place[nick] for nick in free if nick in self._place}
        if len(places) < self.seats or not self._left:
            return ()
        new = places - self._searched
        # Each entrant has about games * seats / entrants games: those of the new ones are few enough to be looked at.
        if len(new) * len(self._open) * self.seats <= OWN * len(self._nicks):
            if new:
                self._search(places, new)
            games = self._playable(self._found, places)
        else:
            games = self._among(places)
        if waited_for is not no_entrant and self._cycle * (AHEAD + 1) < len(self._open):
            games = self._in_turn(games, places, waited_for)
        return FixtureOffers(map(self._fixture, games))

    def begin(self, fixture: Fixture) -> None:
        """Mark ``fixture`` as being played."""
        self._drop(fixture.number - 1)
        self._running.add(fixture.number)

    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """Take in the result of a begun fixture. Points decide nothing here."""
        self._running.discard(fixture.number)

    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """Take ``nick`` out for good; returns the fixtures that are dropped. The other players of a dropped fixture do
        not play it either."""
        if self.wanted is not None:
            # Not drawn yet, so it is drawn without the leaver.
            self._ask([one for one in self.field if one in self._place and one != nick])
            return []
        if nick not in self._place:
            return []
        dropped = [game for game in self._rounds.games_of(self._place[nick]) if self._open[game]]
        for game in dropped:
            self._drop(game)
        return [self._fixture(game) for game in dropped]

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return not self._left and not self._running and self.wanted is None

    @property
    def total(self) -> int:
        """How many games there will be in total; 0 before they are drawn."""
        return len(self._open)

    def _fixture(self, game: int) -> Fixture:
        nicks = tuple([self._nicks[place] for place in self._rounds.game(game)])
        opening = 0
        if self.plan.openings:
            # All games in all orders of seats, then the same for the next opening: as ``in_orders`` has laid them out.
            opening = game // (self._drawn * number_of_orders(self.seats)) + 1
        return Fixture(game + 1, nicks, self._rounds.round_of(game), "", opening)

    def _playable(self, games: Iterable[int], places: set[int]) -> Iterator[int]:
        """Yield those of these games that are open and whose players are all in ``places``."""
        is_open, game_at = self._open, self._rounds.game
        return (game for game in games if is_open[game] and places.issuperset(game_at(game)))

    def _among(self, places: set[int]) -> Iterator[int]:
        """Yield the open games among these players, the most urgent first."""
        is_open, game_at = self._open, self._rounds.game
        game = is_open.find(1)
        for _ in range(LOOK_AT):
            if game < 0:
                return
            if places.issuperset(game_at(game)):
                yield game
            game = is_open.find(1, game + 1)
        self._search(places, places)
        # Those before were offered above.
        yield from (one for one in self._found if one >= game >= 0)

    def _in_turn(self, games: Iterable[int], places: set[int], waited_for: WaitedFor) -> Iterator[int]:
        """Yield those of these games, in ascending order, whose players have no open game that is more than
        :data:`AHEAD` cycles before, with one another or with others who are there."""
        left = set(places)
        asked = False
        for game in games:
            players = self._rounds.game(game)
            if not left.issuperset(players):
                continue
            begin = (game // self._cycle - AHEAD) * self._cycle
            if begin > 0 and not asked:
                self._look_who_is_there(places, waited_for())
                asked = True
            if waiting := {place for place in players if begin > 0 and self._first_open(place) < begin}:
                # All that follow are of this cycle or a later one: these players have none of them.
                left -= waiting
                if len(left) < self.seats:
                    return
            else:
                yield game

    def _look_who_is_there(self, free: Collection[int], others: Collection[str]) -> None:
        there = bytes(place in free or nick in others for place, nick in enumerate(self._nicks))
        if there != self._there:
            self._there, self._first = there, {}

    def _first_open(self, place: int) -> int:
        """Return the first open game of a place whose other players are there; a number beyond all if there is none.
        Looked for once until it begins, or until others are there."""
        is_open, there = self._open, self._there
        known = self._first.get(place, -1)
        if known < 0 or (known < len(is_open) and not is_open[known]):
            own, mates = self._rounds.games_of(place), self._rounds.mates_of(place)
            # One other player of each game is looked up in C first, as in a search.
            found = (game for game in compress(own, map(there.__getitem__, mates)) if is_open[game])
            rounds = self._rounds.game
            known = next(
                (one for one in found if all(there[mate] for mate in rounds(one) if mate != place)), len(is_open)
            )
            self._first[place] = known
        return known

    def _search(self, places: set[int], new: set[int]) -> None:
        """Find all open games among ``places``; all but the ``new`` ones have been searched."""
        is_free = bytearray(len(self._nicks))
        for place in places:
            is_free[place] = 1
        found = set(self._playable(self._found, places))
        for place in new:
            # One other player of each game is looked up in C first: most games fail by that one.
            own, mates = self._rounds.games_of(place), self._rounds.mates_of(place)
            found.update(self._playable(compress(own, map(is_free.__getitem__, mates)), places))
        self._searched, self._found = places, sorted(found)

    def _drop(self, game: int) -> None:
        """A game is open no longer. Does nothing for one that is not, or that was never drawn."""
        if game < len(self._open) and self._open[game]:
            self._open[game] = 0
            self._left -= 1
