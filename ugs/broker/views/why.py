"""Why a player waits, and how a game stands, in sentences for people.

:func:`explain` reads the broker's registries and changes nothing. Beside each sentence its answer has the facts
behind it, and under ``peers`` the connections concerned.
"""

import math
from collections.abc import Iterator
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
from ugs.broker.views.championship_waits import before_begin, championship_entry, held_up, options_unmet, within
from ugs.broker.views.closed_types import MAX_LED, STOPPING, closed, no_master
from ugs.broker.views.wording import (
    MAX_NAMED,
    NOTHING_WRITTEN,
    WITH_IDS,
    Wording,
    ahead,
    busy,
    count,
    listed,
    runs,
    verb,
)
from ugs.durations import duration_text
from ugs.game_ids import not_one
from ugs.printable import meant
from ugs.wire.extensions import NO_MASTER

MAX_NEAR = 1000
"""Names that are sent to a client with an unknown name, to compare them there."""

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


def explain(server: ServerState, name: str) -> Found | Declined:
    """Look ``name`` up: a nick, a master's id, a championship, the id of a running game, or the beginning of just one
    such id.

    Returns an entry for each; or a refusal with names that the asker may compare, those of games if they begin alike.
    """
    by_id = server.games
    player, master = server.names.player(name), server.names.master(name)
    found: list[Entry] = [
        *_with_last(server, "player", name, of_player(server, player) if player is not None else None),
        *_with_last(server, "master", name, of_master(server, master) if master is not None else None),
    ]
    if name in server.championships:
        found.append(championship_entry(server, server.championships[name]))
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
        return [STOPPING]
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
        return [f"{count(known.running, 'game')} of {game_type} {runs(known.running)}"]
    return _in_pool(server, known) or [f"a game of {game_type} is about to begin"]


def not_led(server: ServerState, championship: Championship) -> str:
    """That no master here could lead the games of a championship: none of its type is here (perhaps another one was
    meant), or none offers its options; empty if one could."""
    game_type = championship.plan.game_type
    known = server.types.get(game_type)
    if known is not None and known.masters:
        return options_unmet(known, championship)
    return f"game_type = {game_type!r}: {no_master_for(server, game_type)}"


def no_master_for(server: ServerState, game_type: str) -> str:
    """That no master leads games of this type, for the organiser who has named it: which one was perhaps meant, if one
    is close."""
    led = [known.name for known in islice(server.types.values(), MAX_LED) if known.masters]
    hint = meant(game_type, led)
    return f"{NO_MASTER} {game_type}{hint}" if hint else no_master(server, game_type)


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


def of_master(server: ServerState, master: Master, wording: Wording = WITH_IDS) -> MasterEntry:
    """The entry of a game master, without logins that were refused: first what keeps games of its type from
    beginning."""
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
            *closed(server, game_type.name, wording),
            *held_up(game_type),
            f"{master.name} leads {count(len(master.games), 'game')}",
            f"{count(waiting, 'player')} of {game_type.name} {verb(waiting)}; a game takes {_size(master)}",
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
        limit_s=_limit_s(game, setting) if setting else None,
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
        present=listed(game.present),
        owing=listed(player.name for player in game.owing.values()),
    )
    limit = f" within {wording.seconds(_limit_s(game, setting))}" if setting else ""
    return wording.stands.format(game=game.id, duty=f"{duty}{limit}")


def _limit_s(game: Game, setting: str) -> float:
    """The seconds of a setting in this game."""
    settings = game.type.settings
    return settings.move_limit_s(len(game.seats)) if setting == "move_timeout_s" else getattr(settings, setting)


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
    obstacles = closed(server, game_type.name, wording)
    if player.away:
        place = PLACE.of(player)
        why = f" ({with_why(place.cut, place.why)})" if place.why else ""
        obstacles.append(f"the line of {player.name} is cut{why}; its session waits for it")
    if player.table is not None:
        return [*obstacles, f"{player.name} sits at table {player.table.id}, whose game has not begun"]
    if not player.pooled:
        return [*obstacles, f"{player.name} looks for a table, and does not wait for open play"]
    championship = game_type.championship
    # It counts in open play only.
    rest_s = left_s(server, player) if championship is None or not championship.begun else 0.0
    if rest_s:
        faults = REST.of(player).faults
        just = wording.rests.format(game=player.last_game)
        why = f"has lost {faults} games in a row by its own fault" if faults > 1 else just
        obstacles.append(
            f"{player.name} {why}; it is seated again in {math.ceil(rest_s)} s, or as soon as it sends anything but a "
            "question"
        )
    if not game_type.masters:
        obstacles.append(no_master(server, game_type.name))
    if championship is None:
        return obstacles + _in_pool(server, game_type)
    if not championship.begun:
        before = before_begin(game_type, championship, player.name)
        if not championship.plan.open_play:
            return obstacles + before
        return [
            *obstacles,
            *_in_pool(server, game_type),
            *before,
            f"open play goes on until {championship.name} begins",
        ]
    return obstacles + within(server, game_type, championship, player.name, wording)


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
        return [f"{count(waiting, 'player')} {verb(waiting)}; a game takes {sizes}"]
    free = game_type.free_masters(waiting)
    if not free:
        return [busy(game_type)]
    if game_type.gathers_until is None:
        return []
    many = f"{count(waiting, 'player')} {verb(waiting)}"
    master, gathers_s = gathering.first_to_begin(server, game_type, free, ready)
    if gathers_s > 0:
        return [f"{many}; for {ahead(gathers_s)} more a game may gather up to {gathering.wanted(game_type, master)}"]
    looks_s = game_type.gathers_until - server.now
    if looks_s > 0:
        return [f"{many}, but have met others less often; one of those may come free within {ahead(looks_s)}"]
    return []


def _past(server: ServerState, moment: float) -> str:
    """How long ago a moment was, for people."""
    return duration_text(max(0, round(server.now - moment)))


# Words.


def _size(master: Master) -> str:
    """How many players a master takes, in words."""
    least, most = master.players_min, master.players_max
    return count(least, "player") if least == most else f"{least} to {most} players"
