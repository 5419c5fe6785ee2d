"""How championships are played: when one begins, which game is next, and how it ends.

A fixture is played as soon as its players and a master are free. When hundreds of games can begin, they begin a few at
a time, and the shell draws games that take long to draw: meanwhile all other games go on.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ugs.broker.championships import (
    afterwards,
    announcing,
    champions_list,
    entering,
    entrants,
    fixtures,
    ledger_entries,
)
from ugs.broker.effects import Draw
from ugs.broker.events import Drawn, Timer, TimerKind
from ugs.broker.play import beginning
from ugs.broker.state.championship import Championship
from ugs.broker.state.model import GameType, Master
from ugs.broker.state.server_state import ServerState
from ugs.broker.views.candidates import candidates
from ugs.broker.views.offered_options import offers_all, unmet
from ugs.championship.formats.format_contract import Fixture, WaitedFor
from ugs.wire.extensions import Family

GAMES_AT_ONCE = 8
"""The maximum number of games that begin in one step."""
BREATH_S = 0.001
"""Seconds between two such steps."""


def hour(server: ServerState, name: str) -> GameType | None:
    """The hour of a championship has come: it begins with the players who are there. Returns the game type whose games
    may begin now, if any."""
    championship = server.championships.get(name)
    if championship is None:  # from the settings, and not announced before a player of the type logs in
        known = server.types.get(name)
        if known is None:
            server.note("championship without players", warning=True, game_type=name)
            announcing.hour_is_over(server, name)
            return None
        announcing.announce_configured(server, known)
        championship = server.championships.get(name)  # none if a plan was there first
    if championship is None or championship.begun or championship.ledger.over or server.condition.draining:
        return None
    game_type = server.type_named(championship.plan.game_type)
    there = candidates(game_type, championship, absent=True)
    game_type.prefers(championship)
    if game_type.championship is not championship:
        server.note("another championship is still played", warning=True, championship=name)
        championship.hour_has_come = True
    # Paused, or nothing can be written down: it begins as soon as games may.
    elif server.is_closed(game_type):
        championship.hour_has_come = True
    elif len(there) < 2:
        server.note("championship without players", warning=True, game_type=game_type.name, championship=name)
        _end(server, game_type, championship)
    else:
        _fix_field(server, game_type, championship, there)
    return game_type


def play(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """Begin all games that can begin now; end the championship when all have been played."""
    if not championship.begun and not server.is_closed(game_type):
        # One that is complete does not wait for an earlier one whose field may never be.
        for one in (championship, *game_type.coming):
            _begin_when_complete(server, game_type, one)
            if one.begun:
                championship = one
                break
    if not championship.begun:
        return
    if not server.is_closed(game_type):
        _begin_games(server, game_type, championship)
        if _too_few_for_all_masters(game_type, championship):
            fixtures.give_up(championship)
        _have_drawn(server, championship)
    # After the last thank you: the final standings go to idle players only (D18).
    awaited = championship.away and not server.condition.draining
    if championship.finished and not awaited and game_type.all_idle:
        _end(server, game_type, championship)


def overdue(server: ServerState, name: str) -> GameType | None:
    """The time of the longest absent entrants is over. Returns the game type whose games may begin now, if any."""
    championship = server.championships[name]
    game_type = server.type_named(championship.plan.game_type)
    if game_type.championship is not championship:
        return None
    entrants.withdraw_overdue(server, game_type, championship)
    return None if server.condition.draining else game_type


def drawn(server: ServerState, event: Drawn) -> GameType | None:
    """Games of a championship have been drawn. Returns the game type whose games may begin now, if any. If other games
    are wanted by now, those are requested next."""
    championship = server.championships.get(event.championship)
    if championship is None or championship.ledger.over:
        return None
    what = championship.ledger.drawing
    taken = fixtures.take(championship, event.drawing)
    server.note("drawn" if taken else "drawn in vain", championship=championship.name, what=what)
    return server.type_named(championship.plan.game_type)


def more_games(server: ServerState, name: str) -> GameType:
    """More games of a championship can begin. Returns their game type."""
    championship = server.championships[name]
    championship.more_to_begin = False
    return server.type_named(championship.plan.game_type)


def waited_for(game_type: GameType) -> WaitedFor:
    """Return the players who play now or will be free again: those with a line who do not sit at a table."""
    return lambda: {
        player.name
        for player in game_type.players.values()
        if player.pooled and not player.away and player.table is None
    }


def prize_giving(server: ServerState) -> bool:
    """Return whether a championship has been played to its end, and is over once all players have sent thank you."""
    played = (known.championship for known in server.types.values())
    return any(one is not None and one.finished for one in played)


def _begin_when_complete(server: ServerState, game_type: GameType, championship: Championship) -> None:
    plan = championship.plan
    needed = len(plan.entrants) or plan.first
    if not championship.hour_has_come and (not needed or len(game_type.players) < needed):
        return  # called at every login: a field of a thousand would be checked a thousand times
    there = candidates(game_type, championship, absent=championship.hour_has_come)
    if needed and len(there) >= needed:
        _fix_field(server, game_type, championship, there[:needed])
    elif championship.hour_has_come and len(there) >= 2:
        _fix_field(server, game_type, championship, there)


def _fix_field(server: ServerState, game_type: GameType, championship: Championship, nicks: Sequence[str]) -> None:
    game_type.prefers(championship)
    if not game_type.masters:
        missing = "no game master for this championship"
        server.note(missing, warning=True, championship=championship.name, game_type=game_type.name)
    elif wrong := unmet(game_type, championship.plan.options):
        server.note(
            "no game master offers the options of this championship",
            warning=True,
            championship=championship.name,
            reason=wrong,
        )
    entering.fix_field(championship, nicks, game_type.standings)
    game_type.begins_championship(championship)
    champions_list.changed(server, game_type)
    server.note(
        "championship begun",
        championship=championship.name,
        game_type=game_type.name,
        players=list(championship.field),
    )


def _begin_games(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """Begin the games that can begin now; those beyond the limit of a step begin in the next."""
    timer = Timer(TimerKind.MORE_GAMES, championship.name)
    free = {player.name: player for player in game_type.waiting.values() if championship.plays(player.name)}
    begun = 0
    while (pairing := _next_pairing(game_type, championship, free)) is not None:
        if begun == GAMES_AT_ONCE:
            # Hundreds of games may begin after a draw: others are served in between.
            championship.more_to_begin = True
            server.start(timer, BREATH_S)
            return
        master, fixture = pairing
        usual = beginning.usual_setting(server, master)
        # The opening of the plan is stronger than how the master begins its games.
        setup = championship.setup_of(fixture) or usual.setup
        options = {**usual.options, **championship.plan.options}
        setting = replace(usual, options=options, championship=championship, fixture=fixture, setup=setup)
        beginning.begin(server, game_type, master, [free.pop(nick) for nick in fixture.nicks], setting)
        begun += 1
    if championship.more_to_begin:
        championship.more_to_begin = False
        server.stop(timer)


def _have_drawn(server: ServerState, championship: Championship) -> None:
    """Request the games to be drawn next, unless some are being drawn already."""
    if championship.wanted is not None and championship.asked is None:
        request = fixtures.ask(championship)
        server.note("drawing", championship=championship.name, what=championship.ledger.drawing)
        server.emit(Draw(championship.name, request))


def _next_pairing(
    game_type: GameType, championship: Championship, free: Collection[str]
) -> tuple[Master, Fixture] | None:
    """Return a fixture that can be played now, and its master; fixtures keep their size when masters come and go.
    Openings need a master that takes a set-up, options one that offers them."""
    families = (Family.TABLE,) if championship.plan.openings else ()
    waited, looked = waited_for(game_type), set()
    for master in game_type.free_masters(championship.remaining, *families):
        seats = master.players_min, master.players_max
        if seats in looked or not offers_all(master, championship.plan.options):
            continue
        looked.add(seats)
        fixture = fixtures.next_fixture(championship, free, *seats, waited)
        if fixture is not None:
            return master, fixture
    return None


def _too_few_for_all_masters(game_type: GameType, championship: Championship) -> bool:
    """Return whether every master that could lead its games needs more players than remain. Without any such master it
    is not known how few players a game could have."""
    options = championship.plan.options
    least = min((one.players_min for one in game_type.masters.values() if offers_all(one, options)), default=0)
    return least > championship.remaining


def _end(server: ServerState, game_type: GameType, championship: Championship) -> None:
    ledger_entries.end(championship)
    server.note(
        "championship over",
        championship=championship.name,
        game_type=game_type.name,
        standings=[(row.nick, row.won, row.lost, row.drawn) for row in championship.standings.rows()],
        unplayed=championship.unplayed,
        impossible=championship.impossible,
    )
    close(server, game_type, championship)


def close(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """A championship is over or cancelled: its standings are final, and the next championship or open play follows."""
    for kind in (TimerKind.RETURN, TimerKind.CHAMPIONSHIP, TimerKind.ROUND, TimerKind.MORE_GAMES):
        server.stop(Timer(kind, championship.name))
    if championship in game_type.coming:
        game_type.drops(championship)
        return
    if championship.begun:
        champions_list.send_final_list(server, game_type)
        game_type.ends_championship(championship)
    championship.away.clear()
    game_type.drops(championship)
    game_type.has_played_championship()
    champions_list.changed(server, game_type)
    afterwards.pause(server, game_type, championship)
    if game_type.championship is not None:
        play(server, game_type, game_type.championship)
