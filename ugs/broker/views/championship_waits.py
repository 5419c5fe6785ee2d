"""What a championship and its entrants wait for, in sentences for people."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import GameType, Master
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.replies import ChampionshipEntry, HeldFixture
from ugs.broker.views.away_entrants import away_entrants
from ugs.broker.views.candidates import candidates, per_origin
from ugs.broker.views.closed_types import closed, no_master
from ugs.broker.views.next_games import PAIRED_LATER, next_game
from ugs.broker.views.offered_options import offers_all, unmet
from ugs.broker.views.privacy import is_in_private
from ugs.broker.views.wording import WITH_IDS, Wording, ahead, busy, count, listed, runs
from ugs.championship.due_draws import described
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.plan import MAX_SEATS
from ugs.printable import shortened
from ugs.wire.extensions import Family

MAX_OPEN = 8
"""Games that could begin are shown up to this number, the most urgent first."""
MAX_WHY = 300
"""Characters of what is allowed for options, about: a list of all offers may be much longer."""
WAITS_TOO = "waits, too"


def championship_entry(server: ServerState, championship: Championship) -> ChampionshipEntry:
    """The entry of a championship: what holds up all of it, and each of the games that could begin."""
    game_type, ledger = server.type_named(championship.plan.game_type), championship.ledger
    why: list[str] = []
    fixtures: list[HeldFixture] = []
    if not ledger.over:
        why = closed(server, game_type.name)
        if not game_type.masters:
            why.append(no_master(server, game_type.name))
        if championship.begun:
            why += _obstacles(game_type, championship)
            # A ladder makes its games when it is asked for them.
            coming = [] if championship.plan.format == "ladder" else championship.open_fixtures(MAX_OPEN)
            held = tuple(why)
            fixtures = [
                HeldFixture(one.number, one.nicks, _held(server, game_type, championship, one) or held)
                for one in coming
            ]
            why += _others(server, game_type, championship, [nick for one in fixtures for nick in one.nicks])
        else:
            why += before_begin(game_type, championship)
    unmet_here = "" if ledger.over else options_unmet(game_type, championship)
    return ChampionshipEntry(
        championship.name, game_type.name, ledger.state, tuple(why), tuple(fixtures), options_unmet=unmet_here
    )


def _held(server: ServerState, game_type: GameType, championship: Championship, fixture: Fixture) -> tuple[str, ...]:
    """Why this game cannot begin yet; none if its players are free."""
    if fixture.round > championship.rounds_open:
        return (f"it does not begin before {championship.plan.date_text(fixture.round)}",)
    return tuple(_not_free(server, game_type, championship, fixture.nicks, WITH_IDS))


def _others(
    server: ServerState, game_type: GameType, championship: Championship, shown: Iterable[str]
) -> Iterator[str]:
    """What else it waits for: games that run, and entrants who may come back; those ``shown`` already are left out."""
    name, running = f"championship {championship.name}", championship.games_running
    if running:
        yield f"{count(running, 'game')} of {name} {runs(running)}"
    away = away_entrants(server, championship).keys() - {*shown}
    yield from _not_free(server, game_type, championship, sorted(away), WITH_IDS)


def before_begin(game_type: GameType, championship: Championship, nick: str = "") -> list[str]:
    """Obstacles before the begin of a championship; with ``nick``, for this player."""
    plan, name = championship.plan, f"championship {championship.name}"
    obstacles = _paused(championship)
    if wrong := options_unmet(game_type, championship):
        obstacles.append(wrong)
    if plan.entrants:
        present = {player.name for player in game_type.players.values()}
        missing = [entrant for entrant in plan.entrants if entrant not in present]
        here = len(plan.entrants) - len(missing)
        names = f"; {listed(missing)} missing" if missing else ""
        obstacles.append(f"{name} has not begun: {here} of {len(plan.entrants)} entrants are here{names}")
        if nick and nick not in plan.entrants and not plan.open_play:
            obstacles.append(f"{nick} is not an entrant of {name}, and nothing else is played before it is over")
    elif plan.first:
        there = candidates(game_type, championship)
        obstacles.append(f"{name} has not begun: {len(there)} of {plan.first} players are here")
        if nick and nick not in there:
            most = per_origin(game_type, championship)
            obstacles.append(f"{nick} is not one of them: at most {most:g} of one address are, without a token")
    if plan.begins_at:
        obstacles.append(f"{name} begins at {plan.hour_text} with the players who are here")
    return obstacles or [f"{name} has not begun, and its plan does not give the time"]


def held_up(game_type: GameType) -> list[str]:
    """What keeps all games of a type from beginning for the sake of its championship."""
    championship = game_type.championship
    if championship is None:
        return []
    if championship.begun:
        return _obstacles(game_type, championship)
    return [] if championship.plan.open_play else before_begin(game_type, championship)


def within(
    server: ServerState, game_type: GameType, championship: Championship, nick: str, wording: Wording
) -> list[str]:
    """Obstacles in a championship that has begun."""
    name = f"championship {championship.name}"
    if nick not in championship.field:
        return [f"{nick} is not in the field of {name}, and nothing else is played before it is over"]
    if not championship.plays(nick):
        leaver = championship.ledger.gone[nick]
        if leaver.disqualified:
            return [f"{nick} is {leaver.text}, in {name}"]
        return [f"{nick} is out of {name}: {leaver.why}"]
    obstacles = _obstacles(game_type, championship)
    if championship.wanted is not None or (obstacles and championship.whole_schedule is None):
        return obstacles
    others = [other for other in championship.field if other != nick and championship.plays(other)]
    group = f"of those whom {nick} may still meet"
    still_to_meet = _still_to_meet(championship, nick, others)
    if still_to_meet == []:
        return [*obstacles, f"{nick} has played all its games of {name}"]
    if still_to_meet is None:
        coming = next_game(championship, nick)
        obstacles.append(coming.why)
        still_to_meet, group = [*coming.others], f"of those whom {nick} waits for"
    not_free = _not_free(server, game_type, championship, still_to_meet, wording)
    if not_free:
        obstacles.append(f"{name}: {group}, {listed(not_free)}")
    return obstacles


def _obstacles(game_type: GameType, championship: Championship) -> list[str]:
    """What holds up all games of a championship that has begun."""
    name = f"championship {championship.name}"
    obstacles = _paused(championship)
    if game_type.masters and min(one.players_min for one in game_type.masters.values()) > MAX_SEATS:
        obstacles.append(f"{name}: its games have at most {MAX_SEATS} players, and every game master here needs more")
    elif wrong := options_unmet(game_type, championship):
        obstacles.append(wrong)
    elif game_type.masters and not _free_masters(game_type, championship):
        obstacles.append(busy(game_type))
    elif championship.plan.openings and not any(one.may(Family.TABLE) for one in game_type.masters.values()):
        obstacles.append(f"{name}: no game master here takes set-ups of games, which its openings need")
    if championship.wanted is not None:
        obstacles.append(f"{name}: drawing {described(championship.wanted)}")
    return obstacles


def _paused(championship: Championship) -> list[str]:
    """That it is paused, and why; nothing if it is not."""
    why = championship.ledger.paused_why
    return [f"championship {championship.name} is paused{f': {why}' if why else ''}"] if championship.paused else []


def options_unmet(game_type: GameType, championship: Championship) -> str:
    """That no game master here offers the options of its games, with what is allowed; empty where one does, and where
    none is."""
    wrong = unmet(game_type, championship.plan.options)
    if not wrong:
        return ""
    return f"championship {championship.name}: no game master here offers its options: {shortened(wrong, MAX_WHY)}"


def _free_masters(game_type: GameType, championship: Championship) -> list[Master]:
    free = game_type.free_masters(championship.remaining)
    return [master for master in free if offers_all(master, championship.plan.options)]


def _not_free(
    server: ServerState, game_type: GameType, championship: Championship, nicks: Iterable[str], wording: Wording
) -> list[str]:
    """Which of these entrants are not free for a game, and what each does."""
    whereabouts = {nick: _where(server, game_type, championship, nick, wording) for nick in nicks}
    return [f"{nick} {where}" for nick, where in whereabouts.items() if where != WAITS_TOO]


def _still_to_meet(championship: Championship, nick: str, others: Iterable[str]) -> list[str] | None:
    """Return the opponents that ``nick`` still has games against; None if the format does not define them."""
    plan, ledger = championship.plan, championship.ledger
    if plan.format in PAIRED_LATER or ledger.seats != 2:
        return None
    if plan.format == "gauntlet":
        champion = plan.champion if plan.champion in ledger.field else ledger.field[0]
        others = [other for other in others if champion in (nick, other)]
    fixtures = chain((counted.outcomes for counted in ledger.counted.values()), ledger.given_up.values())
    met = Counter(other for nicks in fixtures if nick in nicks for other in nicks)
    return [other for other in others if met[other] < plan.repeats]


def _where(server: ServerState, game_type: GameType, championship: Championship, nick: str, wording: Wording) -> str:
    """What an entrant does at present, as the end of a sentence that begins with its nick."""
    player = server.names.player(nick)
    if player is None:
        return f"is away (for {ahead(away_entrants(server, championship).get(nick, 0.0))} at most)"
    if player.type is not game_type:
        return "is here for another game type"
    if player.away:
        left_s = away_entrants(server, championship).get(nick, 0.0)
        return f"has lost its line, and may come back within {ahead(left_s)}"
    if is_in_private(player):
        return "is at a private table"
    if player.game is None:
        return WAITS_TOO if player.pooled and player.table is None else "looks for a table"
    return (wording.owes if player.state is PeerState.OWING else wording.plays).format(game=player.game.id)
