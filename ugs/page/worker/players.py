"""The page of a player: what it does, what it has achieved, how fast it answers."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ugs.broker.verdict import Outcome
from ugs.journal.reader import Reader
from ugs.page.contract import Facts
from ugs.page.played import Ended
from ugs.page.results import InType, Opponent, Pace, PlayerFacts, Version
from ugs.page.worker.live_views import waiting
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker.standings import scores
from ugs.printable import meant
from ugs.standings.standings import Standings

LAST_GAMES: Final = 20
TIMED_GAMES: Final = 20
"""How many of the last games have their move times looked at."""
MAX_OPPONENTS: Final = 100
MAX_VERSIONS: Final = 20
VERSIONED_GAMES: Final = 500
"""How many of the last games are counted by the program that played them."""
MAX_LOGINS: Final = 2_000
"""Logins that are looked at for that; what was before them is not counted."""
MAX_TYPES: Final = 10
LIKENED_GAMES: Final = 100
"""Last games among whose players the one is looked for who was perhaps meant."""


def player(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> PlayerFacts:
    """One player."""
    nick = asked["nick"]
    page = waiting(site, {"name": nick}, facts)
    here = [one for one in page.found if one.kind == "player"]
    if not site.keeps:
        if not here:
            raise NotThere(f"no player {nick!r} is here, and nothing is kept")
        return PlayerFacts(page.server, here[0].name, here, [], [], [], [], False, False)
    with site.reading() as reader:
        games, _ = site.ended(reader, LAST_GAMES, nick=nick)
        versions = _versions(reader, nick)
        if not (here or games or versions):
            last, _ = site.ended(reader, LIKENED_GAMES)
            likened = meant(nick, dict.fromkeys(seat.nick for game in last for seat in game.seats))
            raise NotThere(f"no player {nick!r} is here or has been here{likened}")
        types, newer, pending = _types(site, reader, nick)
        paces = _paces(site, reader, nick, games)
    return PlayerFacts(page.server, nick, here, types, games, versions, paces, newer, pending)


def _types(site: PublicJournal, reader: Reader, nick: str) -> tuple[list[InType], bool, bool]:
    found, newer, pending = [], False, False
    for game_type in reader.types_of(nick)[:MAX_TYPES]:
        computed, being_counted = site.scores.get(reader, (game_type, None))
        newer = newer or being_counted
        if computed is None:
            pending = True
            continue
        standings = computed.standings[0]
        score = next((one for one in scores(standings, 0) if one.nick == nick), None)
        if score is not None:
            opponents = _opponents(standings, nick)
            more = max(0, len(opponents) - MAX_OPPONENTS)
            found.append(InType(game_type, score, opponents[:MAX_OPPONENTS], more))
    return found, newer, pending


def _versions(reader: Reader, nick: str) -> list[Version]:
    """The programs of a player, with what each has achieved in the last games: the one of its latest login has played a
    game."""
    logins = reader.programs(nick, MAX_LOGINS)[::-1]
    moments = [began for began, _ in logins]
    counted: Counter[tuple[str, Outcome]] = Counter()
    for _, game in reader.ended(nick=nick, limit=VERSIONED_GAMES):
        login = bisect_right(moments, game.began_us) - 1
        if login >= 0 and game.counts:
            counted.update(
                (logins[login][1], seat.outcome) for seat in game.seats if seat.nick == nick and seat.outcome
            )
    return [
        Version(*version, *[counted[version[0], outcome] for outcome in (Outcome.WON, Outcome.LOST, Outcome.DRAWN)])
        for version in reader.versions(nick, MAX_VERSIONS)
    ]


def _opponents(standings: Standings, nick: str) -> list[Opponent]:
    """Those it has met most often first."""
    met = [
        Opponent(other, cell.won, cell.lost, cell.drawn, cell.neither)
        for other, cell in standings.cross_table.get(nick, {}).items()
    ]
    return sorted(met, key=lambda one: (-(one.won + one.lost + one.drawn + one.neither), one.nick))


def _paces(site: PublicJournal, reader: Reader, nick: str, games: Sequence[Ended]) -> list[Pace]:
    times: dict[str, list[float]] = {}
    played: dict[str, int] = {}
    for game in games[:TIMED_GAMES]:
        own = site.move_times.of(reader, game.game).get(nick, ())
        if own:
            times.setdefault(game.game_type, []).extend(own)
            played[game.game_type] = played.get(game.game_type, 0) + 1
    return [
        Pace(name, played[name], len(own), share(own, 0.5), share(own, 0.9), max(own)) for name, own in times.items()
    ]


def share(values: Iterable[float], part: float) -> float:
    """The value that this part of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
