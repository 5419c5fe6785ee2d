"""The matches of a knock-out: their scores, who went on, and where the players come from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from ugs.championship.formats.bracket import THIRD_PLACE, From
from ugs.championship.formats.knock_out import KnockOut, KnockOutMatch
from ugs.championship.tables.scheduled_games import RUNNING, TO_COME, ScheduledGame

WALKOVER = "walkover"
NO_PLAYER = "nobody"
"""The origin of a side that stays empty."""
WINNER_OUT = "its winner is disqualified"
LEVEL = "level: the higher seed goes on"


@dataclass(frozen=True, slots=True)
class MatchSide:
    """One player of a match."""

    nick: str
    """Empty while the player is unknown, and where none comes."""
    score: float
    state: str
    """``on``: goes on or has won; ``out``; empty before the match is decided."""
    origin: str
    """Instead of a nick: ``winner of match 3``, or :data:`NO_PLAYER`; empty where there is a nick."""


@dataclass(frozen=True, slots=True)
class MatchShown:
    """One match."""

    number: int
    """From 1, unique in its knock-out."""
    round: int
    label: str
    sides: list[MatchSide]
    feeders: list[int]
    """The match that each side comes from; 0: from the field."""
    state: str
    """``to come``, ``running`` or ``over``."""
    note: str
    """``walkover``, that its winner is disqualified, how a level match was decided, or empty."""
    games: list[ScheduledGame]
    """Those begun or decided, in order."""


@dataclass(frozen=True, slots=True)
class MatchRound:
    """The matches of one round, as they stand in the tree from top to bottom."""

    number: int
    label: str
    matches: list[MatchShown]


@dataclass(frozen=True, slots=True)
class MatchTree:
    """A knock-out."""

    rounds: list[MatchRound]
    """The first one first; the last one is the final."""
    third_place: MatchShown | None
    is_bracket: bool
    """Whether each match has two sides and one who goes on, so that it can be drawn as a tree."""
    champion: str = ""
    """Who has won the final."""

    def match(self, number: int) -> MatchShown | None:
        """The match with this number; None where there is none, and for the third place."""
        return next((one for round_ in self.rounds for one in round_.matches if one.number == number), None)


def match_tree(
    schedule: KnockOut, games: Sequence[ScheduledGame], first: int = 0, disqualified: Collection[str] = ()
) -> MatchTree:
    """Return a knock-out as it stands. ``games``: its games; ``first`` is added to the numbers of their fixtures; who
    is ``disqualified`` wins neither the final nor the match for the third place."""
    matches = schedule.matches
    by_match: dict[int, list[ScheduledGame]] = {}
    for game in games:
        # The number of a fixture holds match and game (``KnockOut``).
        by_match.setdefault((game.fixture - first - 1) % len(matches), []).append(game)
    last_round = max(match.pairing.round for match in matches)
    shown = {}
    for match in matches:
        # Of an earlier round it went on, and that was played.
        out = disqualified if match.pairing.round == last_round else ()
        shown[match.number] = _shown(match, by_match.get(match.number, []), out)
    third = next((match.number for match in matches if match.pairing.label == THIRD_PLACE), None)
    tree = [match for match in matches if match.number != third]
    rounds = []
    in_order = sorted((shown[number] for number in _walk(tree)), key=lambda match: match.round)
    for number, of_round in groupby(in_order, key=lambda match: match.round):
        matches_of_round = [*of_round]
        rounds.append(MatchRound(number, matches_of_round[0].label, matches_of_round))
    champion = next(iter(_ranking(tree[-1], disqualified) or ()), "")
    is_bracket = schedule.seats == 2 and all(match.pairing.go_on <= 1 for match in tree)
    return MatchTree(rounds, None if third is None else shown[third], is_bracket, champion)


def _walk(tree: Sequence[KnockOutMatch]) -> list[int]:
    """The numbers of the matches from the top of the tree to its bottom, each behind those that lead to it."""
    by_number = {match.number: match for match in tree}
    found: dict[int, None] = {}

    def walk(number: int) -> None:
        for source in by_number[number].pairing.sources:
            if isinstance(source, From):
                walk(source.match)
        found[number] = None

    walk(tree[-1].number)
    return [*found]


def _ranking(match: KnockOutMatch, disqualified: Collection[str]) -> list[str] | None:
    """The players, best first; None before the match is decided."""
    return match.ranking and [nick for nick in match.ranking if nick not in disqualified]


def _shown(match: KnockOutMatch, games: list[ScheduledGame], disqualified: Collection[str]) -> MatchShown:
    sides = [_side(match, at, disqualified) for at in range(len(match.pairing.sources))]
    feeders = [source.match + 1 if isinstance(source, From) else 0 for source in match.pairing.sources]
    running = match.running or any(game.state == RUNNING for game in games)
    state = "over" if match.ranking is not None else RUNNING if running or match.games else TO_COME
    note = WINNER_OUT if match.ranking and match.ranking[0] in disqualified else _note(match)
    return MatchShown(
        match.number + 1, match.pairing.round, match.pairing.label or "", sides, feeders, state, note, games
    )


def _side(match: KnockOutMatch, at: int, disqualified: Collection[str]) -> MatchSide:
    nick = match.players.get(at)
    if nick is None:
        source = match.pairing.sources[at]
        coming = isinstance(source, From) and at not in match.players
        return MatchSide("", 0.0, "", _origin(source, match) if coming and isinstance(source, From) else NO_PLAYER)
    ranking = _ranking(match, disqualified)
    if ranking is None:
        return MatchSide(nick, match.points.get(nick, 0.0), "", "")
    goes_on = nick in ranking[: max(1, match.pairing.go_on)]
    return MatchSide(nick, match.points.get(nick, 0.0), "on" if goes_on else "out", "")


def _origin(source: From, match: KnockOutMatch) -> str:
    loser = "loser" if len(match.pairing.sources) == 2 else f"number {source.place + 1}"
    place = loser if source.place else "winner"
    return f"{place} of match {source.match + 1}"


def _note(match: KnockOutMatch) -> str:
    """How a match was decided if no score shows it."""
    if match.ranking is None:
        return ""
    if not match.ranking:
        return "no player goes on"
    # Those who withdrew are not ranked.
    if len(match.ranking) < len(match.pairing.sources):
        return WALKOVER
    scores = [match.points.get(nick, 0.0) for nick in match.ranking]
    on = max(1, match.pairing.go_on)
    return LEVEL if len(scores) > on and scores[on - 1] == scores[on] else ""
