"""Why a player waits, and how a game stands, in sentences for people.

:func:`explain` reads the broker's registries and changes nothing. Beside each sentence its answer has the facts
behind it, and under ``peers`` the connections concerned.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from ugs.broker.state import gathering
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Peer, PeerState
from ugs.broker.state.model import Game, GameType, Master, Player
from ugs.broker.state.phases import Phase
from ugs.broker.state.recent_refusals import Closed, Refused
from ugs.broker.state.rests import REST, left_s
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.session_tokens import PLACE
from ugs.broker.values.replies import (
    ABSENT,
    ConnectionOf,
    Declined,
    Entry,
    Found,
    GameEntry,
    GoneEntry,
    LedGame,
    MasterEntry,
    PlayerEntry,
)
from ugs.broker.verdict_sentences import with_why
from ugs.broker.views.away_entrants import away_entrants
from ugs.broker.views.candidates import candidates, per_origin
from ugs.broker.views.next_games import PAIRED_LATER, next_game
from ugs.broker.views.privacy import is_in_private
from ugs.championship.due_draws import described
from ugs.championship.plan import MAX_SEATS
from ugs.durations import duration_text
from ugs.game_ids import not_one
from ugs.printable import meant
from ugs.value import value
from ugs.wire.extensions import Family

MAX_NAMED = 8
"""A sentence names at most this many peers and counts the others."""

MAX_LED = 100
"""Game types that are looked at for one that is led."""
MAX_NEAR = 1000
"""Names that are sent to a client with an unknown name, to compare them there."""

NOTHING_WRITTEN = "no game begins while nothing can be written down"

MUST: dict[Phase, tuple[str, str, str]] = {
    Phase.BEGUN: ("master", "begin_timeout_s", "{master} has been asked to begin it and must answer"),
    Phase.TURN: ("mover", "move_timeout_s", "it is the turn of {mover}"),
    Phase.ANSWER: ("master", "master_timeout_s", "{master} must send how it goes on"),
    Phase.ALONE: ("master", "master_timeout_s", "only {present} is left; {master} must name the winner"),
    Phase.AWAY: ("master", "master_grace_s", "the connection of {master} is lost; another one may take it over"),
    Phase.TAKING: ("master", "begin_timeout_s", "{master} has been asked to take it over and must answer"),
    Phase.CLOSING: ("server", "", "it has ended; its result is on the way to the disk"),
    Phase.OVER: ("owing", "thank_you_timeout_s", "it is over; a thank you is owed by {owing}"),
}
"""For each phase of a game: who must act, the setting with its time limit in seconds, and a sentence about it."""

WAITS_TOO = "waits, too"


@value
class Wording:
    """How sentences name games and lengths of time."""

    plays: str
    """What an entrant does who plays ``game``, as the end of a sentence."""
    owes: str
    """What one does who owes a thank you."""
    stands: str
    """Where ``game`` stands: what comes before the ``duty`` of the peer that must act."""
    seconds: Callable[[float], str]


WITH_IDS = Wording(
    "plays game {game}",
    "owes a thank you for game {game}",
    "game {game}: {duty}",
    lambda seconds: f"{round(seconds, 1):g} s",
)
"""For those who may ask for a game by its id, and for programs."""
FOR_READERS = Wording("is in a game", "owes a thank you for its last game", "{duty}", duration_text)
"""For readers of a page, where a link leads to the game: an id means nothing to them."""


def explain(server: ServerState, name: str) -> Found | Declined:
    """Look ``name`` up: a nick, a master's id, the id of a running game, or the beginning of just one such id.

    Returns an entry for each; or a refusal with names that the asker may compare, those of games if they begin alike.
    """
    by_id = server.games
    player, master = server.names.player(name), server.names.master(name)
    found: list[Entry] = [
        *_with_last(server, "player", name, of_player(server, player) if player is not None else None),
        *_with_last(server, "master", name, of_master(master) if master is not None else None),
    ]
    if name in by_id:
        found.append(_game(by_id[name]))
    if found:
        return Found(tuple(found))
    begun_alike = [game for game_id, game in by_id.items() if game_id.startswith(name)]
    if len(begun_alike) == 1:
        return Found((_game(begun_alike[0]),))
    peers = chain(server.names.players.values(), server.names.masters.values())
    near = [one.id for one in begun_alike][:MAX_NAMED]
    names = near or [*islice((peer.name for peer in peers), MAX_NEAR)]
    if near:
        return Declined(not_one(name, [one.id for one in begun_alike], where=" running"), tuple(names))
    return Declined(f"no player, game master or running game {name!r} here", tuple(names))


def _with_last(server: ServerState, role: str, name: str, there: PlayerEntry | MasterEntry | None) -> Iterator[Entry]:
    """The entry of a name in this role, if it has one, with why the server has closed its last line or refused its last
    login; and that the file of the organiser shuts it out, also if it was never here. Bans by order are in the
    journal, with who ordered them."""
    refused, closed = server.turned_away.refused.find(role, name), server.turned_away.closed.find(role, name)
    last, denied = closed or refused, server.entry.access.denied.of_name(name, server.now)
    ban = () if denied is None else (denied.refusal_text(server.now),)
    why = (*ban, *closings(server, closed), *_refusals(server, refused))
    if there is not None:
        yield replace(there, why=(*there.why, *why))
    elif last is not None:
        yield GoneEntry(role, last.name, why)
    elif denied is not None and role == "player":
        yield GoneEntry(role, denied.subject, why)


def standing(game: Game) -> str:
    """Where a game stands, in a sentence."""
    return _standing(game)


def player_waits(server: ServerState, player: Player) -> list[str]:
    """Why a player waits, in sentences. Nothing in them is secret to a player."""
    if server.condition.journal_lost and player.game is None:
        return [NOTHING_WRITTEN]  # why that is so concerns the organiser
    return _waits(server, player, WITH_IDS)


def pool_waits(server: ServerState, game_type: str) -> list[str]:
    """What the games of a type wait for, in sentences."""
    known = server.types.get(game_type)
    if server.condition.draining:
        return ["the server is stopping, and begins no game any more"]
    if server.condition.journal_lost:
        return [NOTHING_WRITTEN]
    obstacle = server.condition.type_obstacle(game_type)
    if obstacle and (known is None or not known.running):
        return [obstacle]
    if known is None or not known.masters:
        return [no_master(server, game_type)]
    championship = known.championship
    if championship is not None and not championship.begun:
        return [f"championship {championship.name} has not begun"]
    if known.running:
        return [f"{_count(known.running, 'game')} of {game_type} {_runs(known.running)}"]
    return _in_pool(server, known) or [f"a game of {game_type} is about to begin"]


def no_master(server: ServerState, game_type: str) -> str:
    """Return that no master leads the games of a type, and which types are led here. Every page shows it, so names are
    not compared."""
    led = [known.name for known in islice(server.types.values(), MAX_LED) if known.masters]
    hint = f"; games of {_listed(led)} are led here" if led else ""
    return f"there is no game master for {game_type}{hint}"


def no_master_for(server: ServerState, game_type: str) -> str:
    """The same for the organiser who has named this type: which one was perhaps meant, if one is close."""
    led = [known.name for known in islice(server.types.values(), MAX_LED) if known.masters]
    hint = meant(game_type, led)
    return f"there is no game master for {game_type}{hint}" if hint else no_master(server, game_type)


def _refusals(server: ServerState, refused: Refused | None) -> list[str]:
    """Why the last login under a name was refused."""
    if refused is None:
        return []
    times = f" ({refused.times} times)" if refused.times > 1 else ""
    ago = f"{_past(server, refused.at)} ago{times}"
    return [f"a login as {refused.name} from {refused.address} was refused {ago}: {refused.why}"]


def closings(server: ServerState, closed: Closed | None) -> list[str]:
    """Why the server has closed the last line under a name."""
    if closed is None:
        return []
    times = f" ({closed.times} times)" if closed.times > 1 else ""
    return [f"the server closed a line of {closed.name} {_past(server, closed.at)} ago{times}: {closed.why}"]


# What is found.


def of_player(server: ServerState, player: Player, wording: Wording = WITH_IDS) -> PlayerEntry:
    """The entry of a player, without logins that were refused."""
    return PlayerEntry(
        player.name,
        player.type.name,
        str(player.state),
        (_peer("player", player),),
        waiting_s=server.now - player.idle_since if player.game is None else ABSENT,
        game=player.game.id if player.game is not None else ABSENT,
        why=tuple(_waits(server, player, wording)),
    )


def _waits(server: ServerState, player: Player, wording: Wording) -> list[str]:
    if player.game is None:
        return _obstacles(server, player, wording) or ["nothing stands in the way of its next game"]
    owes = player.state is PeerState.OWING
    return [_thanks(player, player.game, wording) if owes else _standing(player.game, wording)]


def _thanks(player: Player, game: Game, wording: Wording) -> str:
    owes, until = wording.owes.format(game=game.id), wording.seconds(game.type.settings.thank_you_timeout_s)
    return f"{player.name} {owes}, which is over; it is closed {until} after the end"


def of_master(master: Master) -> MasterEntry:
    """The entry of a game master, without logins that were refused."""
    game_type = master.type
    waiting = len(game_type.waiting)
    return MasterEntry(
        master.name,
        game_type.name,
        players=_size(master),
        silences=master.silences,
        waiting=waiting,
        games=tuple([LedGame(game.id, _standing(game)) for game in master.games.values()]),
        why=(
            f"{master.name} leads {_count(len(master.games), 'game')}",
            f"{_count(waiting, 'player')} of {game_type.name} {_verb(waiting)}; a game takes {_size(master)}",
        ),
        peers=(_peer("master", master),),
    )


def _game(game: Game) -> GameEntry:
    _, setting, _ = MUST[game.phase]
    players = (game.owing or game.present).values()
    return GameEntry(
        game.id,
        game.type.name,
        championship=game.setting.championship.name if game.setting.championship is not None else "",
        phase=str(game.phase),
        waits_for=tuple(_waits_for(game)),
        limit_s=getattr(game.type.settings, setting) if setting else None,
        seats=game.seats,
        departures={nick: str(cause) for nick, cause in game.departures.items()},
        moves=game.history.moves,
        why=(_standing(game),),
        peers=(_peer("master", game.master), *[_peer("player", player) for player in players]),
    )


def _standing(game: Game, wording: Wording = WITH_IDS) -> str:
    """Where a game stands, in a sentence."""
    _, setting, text = MUST[game.phase]
    duty = text.format(
        master=f"the game master {game.master.name}",
        mover=", ".join(f"{one.name} (whose line is cut)" if one.away else one.name for one in game.turn.movers),
        present=_listed(game.present),
        owing=_listed(player.name for player in game.owing.values()),
    )
    limit = f" within {wording.seconds(getattr(game.type.settings, setting))}" if setting else ""
    return wording.stands.format(game=game.id, duty=f"{duty}{limit}")


def _waits_for(game: Game) -> list[str]:
    """The names of the peers that must act; none when the server must."""
    names: dict[str, list[str]] = {
        "master": [game.master.name],
        "mover": [player.name for player in game.turn.movers],
        "owing": [player.name for player in game.owing.values()],
        "server": [],
    }
    return names[MUST[game.phase][0]]


def _peer(role: str, peer: Peer) -> ConnectionOf:
    return ConnectionOf(role, peer.name, peer.conn, peer.connection.address)


# Why an idle player waits: obstacles, the most important first.


def _obstacles(server: ServerState, player: Player, wording: Wording) -> list[str]:
    game_type = player.type
    obstacles = []
    if server.condition.journal_lost:
        obstacles.append(f"{NOTHING_WRITTEN}: {server.condition.journal_lost}")
    if server.condition.draining:
        obstacles.append("the server is stopping, and begins no game any more")
    if obstacle := server.condition.type_obstacle(game_type.name):
        obstacles.append(obstacle)
    if player.away:
        place = PLACE.of(player)
        why = f" ({with_why(place.cut, place.why)})" if place.why else ""
        obstacles.append(f"the line of {player.name} is cut{why}; its session waits for it")
    if player.table is not None:
        return [*obstacles, f"{player.name} sits at table {player.table.id}, whose game has not begun"]
    if not player.pooled:
        return [*obstacles, f"{player.name} looks for a table, and does not wait for open play"]
    rest_s = left_s(server, player)
    if rest_s:
        obstacles.append(
            f"{player.name} has lost {REST.of(player).faults} games in a row by its own fault; it is seated again in"
            f" {rest_s:.0f} s, or as soon as it sends a message"
        )
    if not game_type.masters:
        obstacles.append(no_master(server, game_type.name))
    championship = game_type.championship
    if championship is None:
        return obstacles + _in_pool(server, game_type)
    if not championship.begun:
        before = _before(game_type, championship, player.name)
        if not championship.plan.open_play:
            return obstacles + before
        return [
            *obstacles,
            *_in_pool(server, game_type),
            *before,
            f"open play goes on until {championship.name} begins",
        ]
    return obstacles + _within(server, game_type, championship, player.name, wording)


def _in_pool(server: ServerState, game_type: GameType) -> list[str]:
    """Obstacles in open play."""
    masters = [master for master in game_type.masters.values() if master.leads]
    ready = gathering.ready(server, game_type)
    waiting = len(ready)
    if not masters:
        silent = f"no game master for {game_type.name} has announced yet how its games can be played"
        return [silent] if game_type.masters else []
    if waiting < min(master.players_min for master in masters):
        sizes = " or ".join(dict.fromkeys(map(_size, masters)))
        return [f"{_count(waiting, 'player')} {_verb(waiting)}; a game takes {sizes}"]
    free = game_type.free_masters(waiting)
    if not free:
        return [_busy(game_type)]
    if game_type.gathers_until is None:
        return []
    many = f"{_count(waiting, 'player')} {_verb(waiting)}"
    master, gathers_s = gathering.first_to_begin(server, game_type, free, ready)
    if gathers_s > 0:
        return [f"{many}; for {_ahead(gathers_s)} more a game may gather up to {gathering.wanted(game_type, master)}"]
    looks_s = game_type.gathers_until - server.now
    if looks_s > 0:
        return [f"{many}, but have met others less often; one of those may come free within {_ahead(looks_s)}"]
    return []


def _past(server: ServerState, moment: float) -> str:
    """How long ago a moment was, for people."""
    return duration_text(max(0, round(server.now - moment)))


def _ahead(seconds: float) -> str:
    """A time to come, for people: no shorter than it is."""
    return duration_text(seconds, up=True)


def _before(game_type: GameType, championship: Championship, nick: str) -> list[str]:
    """Obstacles before the begin of a championship."""
    plan, name = championship.plan, f"championship {championship.name}"
    obstacles = [f"{name} is paused"] if championship.paused else []
    if plan.entrants:
        present = {player.name for player in game_type.players.values()}
        missing = [entrant for entrant in plan.entrants if entrant not in present]
        here = len(plan.entrants) - len(missing)
        names = f"; {_listed(missing)} missing" if missing else ""
        obstacles.append(f"{name} has not begun: {here} of {len(plan.entrants)} entrants are here{names}")
        if nick not in plan.entrants and not plan.open_play:
            obstacles.append(f"{nick} is not an entrant of {name}, and nothing else is played before it is over")
    elif plan.first:
        there = candidates(game_type, championship)
        obstacles.append(f"{name} has not begun: {len(there)} of {plan.first} players are here")
        if nick not in there:
            most = per_origin(game_type, championship)
            obstacles.append(f"{nick} is not one of them: at most {most:g} of one address are, without a token")
    if plan.begins_at:
        obstacles.append(f"{name} begins at {plan.hour_text} with the players who are here")
    return obstacles or [f"{name} has not begun, and its plan does not give the time"]


def _within(
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
    obstacles = [f"{name} is paused"] if championship.paused else []
    if game_type.masters and min(one.players_min for one in game_type.masters.values()) > MAX_SEATS:
        obstacles.append(f"{name}: its games have at most {MAX_SEATS} players, and every game master here needs more")
    elif game_type.masters and not game_type.free_masters(championship.remaining):
        obstacles.append(_busy(game_type))
    elif championship.plan.openings and not any(one.may(Family.TABLE) for one in game_type.masters.values()):
        obstacles.append(f"{name}: no game master here takes set-ups of games, which its openings need")
    if championship.wanted is not None:
        return [*obstacles, f"{name}: drawing {described(championship.wanted)}"]
    others = [other for other in championship.field if other != nick and championship.plays(other)]
    group = f"of those whom {nick} may still meet"
    still_to_meet = _still_to_meet(championship, nick, others)
    if still_to_meet == []:
        return [*obstacles, f"{nick} has played all its games of {name}"]
    if still_to_meet is None:
        coming = next_game(championship, nick)
        obstacles.append(coming.why)
        still_to_meet, group = [*coming.others], f"of those whom {nick} waits for"
    whereabouts = {other: _where(server, game_type, championship, other, wording) for other in still_to_meet}
    not_free = [f"{other} {where}" for other, where in whereabouts.items() if where != WAITS_TOO]
    if not_free:
        obstacles.append(f"{name}: {group}, {_listed(not_free)}")
    return obstacles


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
        return f"is away (for {_ahead(away_entrants(server, championship).get(nick, 0.0))} at most)"
    if player.type is not game_type:
        return "is here for another game type"
    if player.away:
        left_s = away_entrants(server, championship).get(nick, 0.0)
        return f"has lost its line, and may come back within {_ahead(left_s)}"
    if is_in_private(player):
        return "is at a private table"
    if player.game is None:
        return WAITS_TOO
    return (wording.owes if player.state is PeerState.OWING else wording.plays).format(game=player.game.id)


# Words.


def _busy(game_type: GameType) -> str:
    most = game_type.settings.max_games_per_master
    return (
        f"every game master for {game_type.name} that could begin one leads {_count(most, 'game')}, which is the most"
    )


def _size(master: Master) -> str:
    """How many players a master takes, in words."""
    least, most = master.players_min, master.players_max
    return _count(least, "player") if least == most else f"{least} to {most} players"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _runs(number: int) -> str:
    return "runs" if number == 1 else "run"


def _verb(number: int) -> str:
    return "waits" if number == 1 else "wait"


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - MAX_NAMED
    return ", ".join(every[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
