"""What the next game of an entrant waits for, where who plays whom follows from results."""

from collections.abc import Iterable, Sequence
from typing import Final

from ugs.broker.state.championship import Championship
from ugs.championship.formats.bracket import THIRD_PLACE, From
from ugs.championship.formats.composite import Composite
from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.formats.knock_out import KnockOut, KnockOutMatch
from ugs.championship.formats.stages import Stages
from ugs.value import value

PAIRED_LATER: Final[dict[str, str]] = {
    "swiss": "the next round is paired when all games of this one have ended",
    "knock-out": "its next opponent has still to be found",
    "stages": "its next opponents are known when others have played",
    "league": "the next season begins when all divisions have played theirs",
    "ladder": "the players it may meet next are not free",
}
"""Formats whose opponents are known only when a round or game is paired; for each, why a player waits."""
LOOK_AT: Final = 1_000
"""Open games that are looked at, the most urgent first."""


@value
class NextGame:
    """What the next game of an entrant waits for."""

    why: str
    """In a sentence."""
    others: Sequence[str] = ()
    """Who has to play or to come free before."""


def next_game(championship: Championship, nick: str) -> NextGame:
    """Return what the next game of ``nick`` waits for, in a championship that has begun."""
    name, form = f"championship {championship.name}", championship.plan.format
    others = [other for other in championship.field if other != nick and championship.plays(other)]
    schedule = championship.schedule
    if schedule is not None and form != "ladder":
        mine = [fixture for fixture in championship.open_fixtures(LOOK_AT) if nick in fixture.nicks]
        if mine:
            return NextGame(f"{name}: {_fixed(championship, nick, mine)}", _without(nick, mine))
        if isinstance(schedule, Stages) and nick in schedule.out:
            return NextGame(f"{name}: {nick} is out: it did not come through its stage")
        for knock_out in _knock_outs(schedule, nick):
            return _in_bracket(name, knock_out, nick)
        running = championship.fixtures.running.values()
        if form in PAIRED_LATER and running:
            others = _without(nick, running)
    return NextGame(f"{name}: {PAIRED_LATER.get(form, 'its next game needs a player who is not free')}", others)


def _fixed(championship: Championship, nick: str, mine: Sequence[Fixture]) -> str:
    """The next game, whose players are known."""
    first = mine[0]
    opponents = [_joined(fixture.nicks, nick) for fixture in mine]
    where = f"in {_the(first.label)}" if first.label else f"in round {first.round}"
    if first.round > championship.rounds_open:
        date = championship.plan.date_text(first.round)
        return f"{nick} plays against {opponents[0]} {where}, which does not begin before {date}"
    if len(mine) > 1:
        return f"{nick} has {len(mine)} games left, the first of them {where}"
    return f"{nick} plays against {opponents[0]} next, {where}"


def _knock_outs(schedule: Schedule, nick: str) -> list[KnockOut]:
    """The knock-out that is played now and has this entrant in its field."""
    played = [part.schedule for part in schedule.parts] if isinstance(schedule, Composite) else [schedule]
    return [one for one in played if isinstance(one, KnockOut) and nick in one.field]


def _in_bracket(name: str, knock_out: KnockOut, nick: str) -> NextGame:
    """What an entrant of a knock-out waits for that has no game to play."""
    matches = [match for match in knock_out.matches if nick in match.nicks]
    ahead = [match for match in matches if match.ranking is None]
    if not ahead:
        last = max(matches, key=lambda match: match.pairing.round)
        return NextGame(f"{name}: {_done(last, nick)}")
    match = ahead[0]
    if len(match.players) == len(match.pairing.sources):
        return NextGame(f"{name}: {nick} waits for the end of {_the(match.pairing.label)}", _others(nick, match.nicks))
    awaited = [
        (source, knock_out.matches[source.match])
        for at, source in enumerate(match.pairing.sources)
        if at not in match.players and isinstance(source, From)
    ]
    found = ", ".join(_origin(source, before) for source, before in awaited)
    others = dict.fromkeys(other for _, before in awaited for other in _on_the_way(knock_out, before))
    return NextGame(f"{name}: {nick} waits in {_the(match.pairing.label)} for {found}", [*others])


def _others(nick: str, nicks: Iterable[str]) -> list[str]:
    return [other for other in nicks if other != nick]


def _done(match: KnockOutMatch, nick: str) -> str:
    """How the last match of an entrant has ended."""
    on = (match.ranking or [])[: max(1, match.pairing.go_on)]
    where = _the(match.pairing.label)
    if nick in on:
        return f"{nick} has won {where}, and others still play"
    return f"{nick} is out: {_joined(on)} has won {where}" if on else f"{nick} is out since {where}"


def _origin(source: From, before: KnockOutMatch) -> str:
    loser = "the loser" if len(before.pairing.sources) == 2 else f"number {source.place + 1}"
    players = f" ({_joined(before.nicks)})" if before.nicks else ""
    return f"{loser if source.place else 'the winner'} of {_the(before.pairing.label)}{players}"


def _on_the_way(knock_out: KnockOut, match: KnockOutMatch) -> list[str]:
    """Who has to play before a match is decided."""
    if match.ranking is not None:
        return []
    before = [knock_out.matches[one.match] for one in match.pairing.sources if isinstance(one, From)]
    return [*match.nicks, *(nick for one in before for nick in _on_the_way(knock_out, one))]


def _the(label: str) -> str:
    """The label of a game in a sentence."""
    if label.startswith(("group ", "season ")):
        return label
    return f"the match for the {label}" if label == THIRD_PLACE else f"the {label}"


def _joined(nicks: Iterable[str], without: str = "") -> str:
    return ", ".join(_others(without, nicks))


def _without(nick: str, fixtures: Iterable[Fixture]) -> list[str]:
    return list(dict.fromkeys(other for fixture in fixtures for other in fixture.nicks if other != nick))
