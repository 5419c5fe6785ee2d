"""Why somebody waits, and how a game stands: the broker's registries in sentences for people.

:func:`explain` looks and changes nothing. What it returns can be written as JSON. Beside the sentences stand the facts
they are made of, and under ``peers`` the numbers of the connections concerned, so that the shell can add what the
network knows of them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import TypeAlias

from ugs.broker.championship import Championship
from ugs.broker.desk import Desk, GameType
from ugs.broker.game import Game, Phase
from ugs.broker.link import Link, LinkState, MasterDesk
from ugs.broker.logins import unique_form

Facts: TypeAlias = dict[str, object]

MOST_NAMED = 8
"""So many of those who are missed are named, the others counted."""

MUST: dict[Phase, tuple[str, str, str]] = {
    Phase.BEGUN: ("master", "begin_timeout_s", "{master} has been asked to begin it and must answer"),
    Phase.TURN: ("mover", "move_timeout_s", "it is the turn of {mover}"),
    Phase.ANSWER: ("master", "master_timeout_s", "{master} must say how it goes on"),
    Phase.ALONE: ("master", "master_timeout_s", "only {present} is left; {master} must say who has won"),
    Phase.AWAY: ("master", "master_grace_s", "the connection of {master} is lost; another one may take it over"),
    Phase.TAKING: ("master", "begin_timeout_s", "{master} has been asked to take it over and must answer"),
    Phase.CLOSING: ("server", "", "it has ended; its result is on the way to the disk"),
    Phase.OVER: ("owing", "thank_you_timeout_s", "it is over; a thank you is owed by {owing}"),
}
"""For each phase of a game: who must act, the setting that says within how many seconds, and a sentence about it."""

WHERE: dict[LinkState, str] = {
    LinkState.IDLE: "waits, too",
    LinkState.PLAYING: "plays game {game}",
    LinkState.OWING: "owes a thank you for game {game}",
}

PAIRED_LATER: dict[str, str] = {
    "swiss": "the next round is paired when all games of this one have ended",
    "knock-out": "it is out, or its next opponent has still to be found",
    "ladder": "whoever it may meet next is not free",
}
"""Formats in which nobody can tell who still has to play whom."""


def explain(desk: Desk, games: Sequence[Game], name: str) -> dict[str, object]:
    """Everything that ``name`` is: a player, a master, a running game (or the beginning of the id of just one).

    Returns ``{"ok": True, "found": […]}`` with one entry for each, or ``{"ok": False, "error": text, "near": names}``.
    ``games`` are those that have no verdict yet; the others are found through the players who owe thanks for them.
    """
    by_id = {game.id: game for game in games}
    by_id.update({link.game.id: link.game for link in desk.nicks.values() if link.game is not None})
    found: list[Facts] = []
    player, master = desk.nicks.get(unique_form(name)), desk.master_ids.get(unique_form(name))
    if player is not None:
        found.append(_player(desk, player))
    if master is not None:
        found.append(_master(master))
    if name in by_id:
        found.append(_game(by_id[name]))
    if found:
        return {"ok": True, "found": found}
    begun_alike = [game for game_id, game in by_id.items() if game_id.startswith(name)]
    if len(begun_alike) == 1:
        return {"ok": True, "found": [_game(begun_alike[0])]}
    names = [link.name for links in (desk.nicks, desk.master_ids) for link in links.values()]
    near = [game.id for game in begun_alike] or get_close_matches(name, [*names, *by_id])
    hint = f"; there is {', '.join(near)}" if near else ""
    return {"ok": False, "error": f"no player, game master or running game {name!r} here{hint}", "near": near}


# What is found.


def _player(desk: Desk, link: Link) -> Facts:
    facts: Facts = {
        "kind": "player",
        "name": link.name,
        "game_type": _type(link).name,
        "state": str(link.state),
        "peers": [_peer("player", link)],
    }
    if link.game is None:
        facts["waiting_s"] = desk.now - link.idle_since
        facts["why"] = _obstacles(desk, link) or ["nothing stands in the way of its next game"]
    else:
        facts["game"] = link.game.id
        facts["why"] = [_thanks(link, link.game) if link.state is LinkState.OWING else _standing(link.game)]
    return facts


def _thanks(link: Link, game: Game) -> str:
    seconds = game.type.settings.thank_you_timeout_s
    return f"{link.name} owes a thank you for game {game.id}, which is over; it is closed {seconds:g} s after the end"


def _master(link: Link) -> Facts:
    desk, game_type = _desk_of(link), _type(link)
    return {
        "kind": "master",
        "name": link.name,
        "game_type": game_type.name,
        "players": _size(desk),
        "silences": desk.silences,
        "waiting": len(game_type.waiting),
        "games": [{"game": game.id, "why": _standing(game)} for game in desk.games.values()],
        "why": [
            f"{link.name} leads {_count(len(desk.games), 'game')}",
            f"{_count(len(game_type.waiting), 'player')} of {game_type.name} {_verb(len(game_type.waiting))}; "
            f"a game takes {_size(desk)}",
        ],
        "peers": [_peer("master", link)],
    }


def _game(game: Game) -> Facts:
    _, setting, _ = MUST[game.phase]
    return {
        "kind": "game",
        "game": game.id,
        "game_type": game.type.name,
        "championship": game.championship.name if game.championship is not None else "",
        "phase": str(game.phase),
        "waits_for": _waits_for(game),
        "limit_s": getattr(game.type.settings, setting) if setting else None,
        "seats": list(game.seats),
        "departures": {nick: str(cause) for nick, cause in game.departures.items()},
        "moves": game.moves,
        "why": [_standing(game)],
        "peers": [
            _peer("master", game.master),
            *(_peer("player", link) for link in (game.owing or game.present).values()),
        ],
    }


def _standing(game: Game) -> str:
    """Where a game stands, in a sentence."""
    _, setting, text = MUST[game.phase]
    said = text.format(
        master=f"the game master {game.master.name}",
        mover=", ".join(f"{one.name} (whose line is cut)" if one.away else one.name for one in game.movers),
        present=_listed(game.present),
        owing=_listed(link.name for link in game.owing.values()),
    )
    return f"game {game.id}: {said}{f' within {getattr(game.type.settings, setting):g} s' if setting else ''}"


def _waits_for(game: Game) -> list[str]:
    """The names of those who must act; nobody when it is the server."""
    names: dict[str, list[str]] = {
        "master": [game.master.name],
        "mover": [link.name for link in game.movers],
        "owing": [link.name for link in game.owing.values()],
        "server": [],
    }
    return names[MUST[game.phase][0]]


def _peer(role: str, link: Link) -> Facts:
    return {"role": role, "name": link.name, "conn": link.conn, "address": link.address}


# Why an idle player waits, what stands in the way first before the rest.


def _obstacles(desk: Desk, link: Link) -> list[str]:
    game_type = _type(link)
    obstacles = []
    if desk.journal_lost:
        obstacles.append(f"no game begins while nothing can be written down: {desk.journal_lost}")
    if desk.draining:
        obstacles.append("the server is stopping, and begins no game any more")
    if link.away:
        obstacles.append(f"the line of {link.name} is cut; its session waits for it")
    if link.table is not None:
        return [*obstacles, f"{link.name} sits at table {link.table.id}, whose game has not begun"]
    if not link.pooled:
        return [*obstacles, f"{link.name} looks for a table, and does not wait for open play"]
    if not game_type.masters:
        obstacles.append(f"there is no game master for {game_type.name}")
    championship = game_type.championship
    if championship is None:
        return obstacles + _in_pool(desk, game_type)
    if not championship.begun:
        return obstacles + _before(championship, link.name, [player.name for player in game_type.players.values()])
    return obstacles + _within(desk, game_type, championship, link.name)


def _in_pool(desk: Desk, game_type: GameType) -> list[str]:
    """Open play."""
    masters = [_desk_of(master) for master in game_type.masters.values() if master.leads]
    waiting = len(game_type.waiting)
    if not masters:
        silent = f"no game master for {game_type.name} has said yet how its games can be played"
        return [silent] if game_type.masters else []
    if waiting < min(master.players_min for master in masters):
        sizes = " or ".join(dict.fromkeys(map(_size, masters)))
        return [f"{_count(waiting, 'player')} {_verb(waiting)}; a game takes {sizes}"]
    free = game_type.free_masters(waiting)
    if not free:
        return [_busy(game_type)]
    if not game_type.gathering:
        return []
    last_needed = next(islice(game_type.waiting.values(), _desk_of(free[0]).players_min - 1, None))
    seconds = max(0.0, last_needed.idle_since + game_type.settings.gather_s - desk.now)
    return [
        f"{_count(waiting, 'player')} {_verb(waiting)}; for {seconds:.1f} s more a game may gather up to "
        f"{_desk_of(free[0]).players_max}"
    ]


def _before(championship: Championship, nick: str, there: Sequence[str]) -> list[str]:
    """A championship that has been announced."""
    plan, name = championship.plan, f"championship {championship.name}"
    obstacles = [f"{name} is paused"] if championship.paused else []
    if plan.entrants:
        missing = [entrant for entrant in plan.entrants if entrant not in there]
        here = len(plan.entrants) - len(missing)
        names = f"; {_listed(missing)} missing" if missing else ""
        obstacles.append(f"{name} has not begun: {here} of {len(plan.entrants)} entrants are here{names}")
        if nick not in plan.entrants:
            obstacles.append(f"{nick} is not an entrant of {name}, and nothing else is played before it is over")
    elif plan.first:
        obstacles.append(f"{name} has not begun: {len(there)} of {plan.first} players are here")
    if plan.begins_at:
        obstacles.append(f"{name} begins at {plan.begins_at} with whoever is here")
    return obstacles or [f"{name} has not begun, and its plan does not say when it does"]


def _within(desk: Desk, game_type: GameType, championship: Championship, nick: str) -> list[str]:
    """A championship that has begun."""
    name = f"championship {championship.name}"
    if nick not in championship.field:
        return [f"{nick} is not in the field of {name}, and nothing else is played before it is over"]
    if not championship.plays(nick):
        return [f"{nick} is out of {name}: {championship.ledger.gone[nick]}"]
    obstacles = [f"{name} is paused"] if championship.paused else []
    if game_type.masters and not game_type.free_masters(championship.remaining):
        obstacles.append(_busy(game_type))
    others = [other for other in championship.field if other != nick and championship.plays(other)]
    still_to_meet = _still_to_meet(championship, nick, others)
    if still_to_meet == []:
        return [*obstacles, f"{nick} has played all its games of {name}"]
    if still_to_meet is None:
        later = PAIRED_LATER.get(championship.plan.format, "its next game needs somebody who is not free")
        obstacles.append(f"{name}: {later}")
        still_to_meet = others
    whereabouts = {other: _where(desk, game_type, championship, other) for other in still_to_meet}
    not_free = [f"{other} {where}" for other, where in whereabouts.items() if where != WHERE[LinkState.IDLE]]
    if not_free:
        obstacles.append(f"{name}: of those whom {nick} may still meet, {_listed(not_free)}")
    return obstacles


def _still_to_meet(championship: Championship, nick: str, others: Iterable[str]) -> list[str] | None:
    """Whom an idle entrant has not met often enough; None where the format does not tell."""
    plan, ledger = championship.plan, championship.ledger
    if plan.format in PAIRED_LATER or ledger.seats != 2:
        return None
    if plan.format == "gauntlet":
        champion = plan.champion if plan.champion in ledger.field else ledger.field[0]
        others = [other for other in others if champion in (nick, other)]
    fixtures = [*(set(counted.outcomes) for counted in ledger.counted.values()), *map(set, ledger.given_up.values())]
    met = Counter(other for nicks in fixtures if nick in nicks for other in nicks)
    return [other for other in others if met[other] < plan.repeats]


def _where(desk: Desk, game_type: GameType, championship: Championship, nick: str) -> str:
    """What an entrant does at present."""
    link = desk.nicks.get(unique_form(nick))
    if link is None:
        return f"is away (for {championship.away.get(nick, desk.now) - desk.now:.0f} s at most)"
    if link.type is not game_type:
        return "is here for another game type"
    if link.away:
        return "has lost its line, and may come back"
    return WHERE[link.state].format(game=link.game.id if link.game is not None else "")


# Words.


def _busy(game_type: GameType) -> str:
    most = game_type.settings.max_games_per_master
    return (
        f"every game master for {game_type.name} that could begin one leads {_count(most, 'game')}, which is the most"
    )


def _size(desk: MasterDesk) -> str:
    """How many players a master takes."""
    least, most = desk.players_min, desk.players_max
    return _count(least, "player") if least == most else f"{least} to {most} players"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _verb(number: int) -> str:
    return "waits" if number == 1 else "wait"


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - MOST_NAMED
    return ", ".join(every[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _type(link: Link) -> GameType:
    assert link.type is not None
    return link.type


def _desk_of(link: Link) -> MasterDesk:
    assert link.master is not None
    return link.master
