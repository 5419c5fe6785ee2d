"""A championship in which processes are killed again and again loses no game, counts none twice, and ends.

Who has seen which end of a game is written down by peers that share no code with the server (``witness.py``), and the
final table is compared with the sum of what they saw.
"""

import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path

import pytest

from tests.end_to_end.processes import Program, Server, output, own_port, until
from tests.profile import sized
from ugs.championship.ledger import What
from ugs.journal.reader import Reader, RecordedChampionship

WITNESS = Path(__file__).with_name("witness.py")
GAME_TYPE = "coin"
NICKS = ("ann", "ben", "cat", "dan", "eve", "fay")
REPEATS = sized(quick=3, deep=8)
GAMES = REPEATS * len(list(combinations(NICKS, 2)))
AHEAD = 3
"""So many more games than a test has waited for may end."""
PLAN = f"""
name = "cup"
game_type = "{GAME_TYPE}"
open_play = false
entrants = {list(NICKS)}
repeats = {REPEATS}
return_s = 60
"""

Ends = Mapping[str, tuple[str, ...]]
"""Ends of games as a peer saw them: by id, ``nick=result`` of each player."""


class Contest:
    """The championship, its witnesses, and the server that is killed under it."""

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self.directory = directory
        self.data = directory / "data"
        self._stack = stack
        plan = directory / "cup.toml"
        plan.write_text(PLAN, encoding="utf-8")
        self._lets_end(0)
        self._options = ("--data-dir", self.data, "--port", own_port(), "--championship", plan)
        self.server = stack.enter_context(Server(directory, *self._options))
        self.address = self.server.address
        self.players = {nick: self._witness("player", nick) for nick in NICKS}
        self.master = self._witness("master", "m")

    def restart_server(self) -> None:
        """Start it again at the same address."""
        self.server = self._stack.enter_context(Server(self.directory, *self._options))

    def restart_witness(self, name: str) -> None:
        """Start a player or the master again."""
        if name in self.players:
            self.players[name] = self._witness("player", name)
        else:
            self.master = self._witness("master", name)

    def ended(self, name: str) -> Ends:
        """The ends of games that this witness has written down, each once."""
        file = self.directory / name
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        ends = {game: tuple(results) for game, *results in map(str.split, lines)}
        assert len(ends) == len(lines), f"{name} was told the end of a game twice"
        return ends

    def seen(self) -> dict[str, tuple[str, ...]]:
        """The ends of games that at least one player has seen; all who saw one saw the same."""
        all_seen: dict[str, tuple[str, ...]] = {}
        for nick in NICKS:
            for game, results in self.ended(nick).items():
                assert all_seen.setdefault(game, results) == results
        return all_seen

    def plays_on(self, games: int) -> None:
        """Wait until ``games`` more games have ended, or the championship is over. AHEAD more may end then, and no
        others: what comes next hits games that are about to end, and still finds some however late it comes."""
        goal = min(len(self.seen()) + games, GAMES)

        def there() -> bool:
            seen = len(self.seen())
            self._lets_end(max(0, goal - seen) + AHEAD)
            return seen >= goal or self.is_over()

        until(there)

    def _lets_end(self, games: int) -> None:
        most = self.directory / "m.most"
        wanted = str(len(self.ended("m")) + games)
        if not most.exists() or most.read_text() != wanted:
            (self.directory / "most").write_text(wanted)
            (self.directory / "most").replace(most)

    def is_over(self) -> bool:
        """Whether the server has said so."""
        return bool(self.server.events("championship over"))

    def ledger(self) -> RecordedChampionship:
        """The ledger, as it is on file."""
        with Reader(self.data) as reader:
            (championship,) = reader.championships()
            return championship

    def leavers(self) -> dict[str, set[str]]:
        """By game of the championship, who had left it before its end."""
        with Reader(self.data) as reader:
            results = list(reader.results(championship="cup"))
        return {one.game_id: {seat.nick for seat in one.seats if seat.departure is not None} for one in results}

    def open_game_began_us(self, game: str) -> int:
        """When a game of open play began; JournalError when there was none of this id."""
        with Reader(self.data) as reader:
            record = reader.record(game)
        assert record.championship == ""
        return record.began_us

    def _witness(self, role: str, name: str) -> Program:
        file = self.directory / name
        return self._stack.enter_context(
            Program(sys.executable, WITNESS, role, self.address, GAME_TYPE, name, str(file))
        )


def standings(data: Path) -> dict[str, tuple[int, int, int]]:
    """What ``ugs standings`` says: nick -> won, lost, drawn."""
    told = json.loads(output("standings", "--data-dir", data, "--championship", "cup", "--format", "json"))
    return {player["nick"]: (player["won"], player["lost"], player["drawn"]) for player in told["players"]}


def count(ends: Ends, left: Mapping[str, Collection[str]]) -> dict[str, tuple[int, int, int]]:
    """The same from the ends of the games, counted here and by hand; ``left``: by game, who had left before its end
    came in, and has lost whatever it says."""
    tally: Counter[tuple[str, str]] = Counter()
    for game, results in ends.items():
        told = dict(result.split("=") for result in results)
        stayed = {nick: result for nick, result in told.items() if nick not in left[game]}
        drawn = len(stayed) > 1 and len(set(stayed.values())) == 1
        tally.update((nick, "drawn" if drawn else result) for nick, result in stayed.items())
        tally.update((nick, "loser") for nick in left[game])
    return {nick: (tally[nick, "winner"], tally[nick, "loser"], tally[nick, "drawn"]) for nick in NICKS}


@pytest.fixture
def contest(tmp_path: Path) -> Iterator[Contest]:
    """A championship that is being played."""
    with ExitStack() as stack:
        yield Contest(tmp_path, stack)


def check(contest: Contest, most_unseen: int) -> None:
    """Everything was played, counted once, and stands in the table as the players saw it."""
    until(lambda: contest.ledger().state == "over")  # what is logged may still be on its way to the disk
    championship = contest.ledger()
    counted = {one.game_id: one for one in championship.sum().counted.values()}
    assert len(counted) == GAMES
    meetings = Counter(frozenset(one.outcomes) for one in counted.values())
    assert meetings == {frozenset(pair): REPEATS for pair in combinations(NICKS, 2)}
    said = contest.ended("m")
    seen = contest.seen()
    for game in set(seen) - set(counted):  # games are open again when a championship is over
        began_us = contest.open_game_began_us(game)
        assert championship.ended_us is not None
        assert began_us >= championship.ended_us, "no game that a player saw end is missing"
        del seen[game]
    # What the server was killed over: on file, not yet told. It counts as the master said.
    unseen = set(counted) - set(seen)
    assert len(unseen) <= most_unseen
    assert unseen <= set(said), "nothing is counted that nobody said"
    assert all(said[game] == results for game, results in seen.items())
    ends = seen | {game: said[game] for game in unseen}
    assert standings(contest.data) == count(ends, contest.leavers())
    void = {entry.entry.data["game"] for entry in championship.ledger if entry.entry.what is What.VOID}
    assert void.isdisjoint(seen), "a game that a peer saw end was never void"


def test_the_server_is_killed_again_and_again(contest: Contest) -> None:
    chance = random.Random(4)
    kills = 0
    while not contest.is_over():
        contest.plays_on(chance.randint(1, 9))
        time.sleep(chance.random() * 0.02)
        if contest.is_over():
            break
        contest.server.signal(signal.SIGKILL)
        assert contest.server.ends() == -signal.SIGKILL
        kills += 1
        contest.restart_server()
    assert kills >= sized(quick=3, deep=8)
    check(contest, most_unseen=kills * len(NICKS) // 2)
    print(f"{kills} kills, {len(contest.ended('m'))} games ended by the master, {len(contest.seen())} seen")


def test_masters_and_bots_are_killed_again_and_again(contest: Contest) -> None:
    chance = random.Random(5)
    kills: Counter[str] = Counter()
    while not contest.is_over():
        contest.plays_on(chance.randint(3, 10))
        victim = chance.choice(["m", *NICKS]) if kills else "m"
        program = contest.players.get(victim, contest.master)
        program.signal(signal.SIGKILL)
        program.ends()
        kills[victim] += 1
        contest.restart_witness(victim)
    assert kills.total() >= sized(quick=4, deep=10)
    assert kills["m"] >= 1
    check(contest, most_unseen=0)
