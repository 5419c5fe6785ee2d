"""The rules that follow from each fact, in order.

``EXTENSIONS`` marks the place of the hooks of the extensions, in the order of their names; they do not depend on each
other's order. Facts without a row are for extensions only.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, TypeAlias

from ugs.broker import facts
from ugs.broker.championships import champions_list, entrants, fixtures
from ugs.broker.entrance import after_game, departures, logins, pool, shared_nicks
from ugs.broker.play import faults, refused_moves, takeover
from ugs.broker.state.server_state import Hook, ServerState


class HookPlace(Enum):
    """A place in a row besides the rules of the core."""

    EXTENSIONS = "the hooks of all extensions"


EXTENSIONS: Final = HookPlace.EXTENSIONS


def _came(server: ServerState, fact: facts.PlayerEntered | facts.PlayerBack) -> None:
    entrants.came(server, fact.player)
    if fact.player.game is None:
        pool.free(server, [fact.player])


def _standings_changed(server: ServerState, fact: facts.PlayerEntered) -> None:
    champions_list.changed(server, fact.player.type)


def _adopt(server: ServerState, fact: facts.MasterReady) -> None:
    takeover.adopt(server, fact.game_type)


def _match(server: ServerState, fact: facts.MasterReady | facts.LeftPool) -> None:
    pool.match(server, fact.game_type)


def _free(server: ServerState, fact: facts.PlayersFree) -> None:
    pool.free(server, fact.players)


def _depart(server: ServerState, fact: facts.Dismissed) -> None:
    departures.depart(server, fact.peer, fact.cause, fact.why)


def _proven(server: ServerState, fact: facts.Proven) -> None:
    logins.proven(server, fact)


def _give_back(server: ServerState, fact: facts.NickFree) -> None:
    shared_nicks.give_back(server, fact.player.name)


def _fixture_begun(_server: ServerState, fact: facts.FixtureBegun) -> None:
    fixtures.begun(fact.championship, fact.game.id, fact.fixture)


def _fixture_ended(_server: ServerState, fact: facts.FixtureEnded) -> None:
    fixtures.record(fact.championship, fact.result)


Hooks: TypeAlias = dict[type[object], tuple[Callable[[ServerState, Any], bool | None] | HookPlace, ...]]

HOOKS: Hooks = {
    # A name is proven: the login that waited for it goes on, or a spectator has its nick.
    facts.Proven: (_proven, EXTENSIONS),
    # A player has logged in: it gets a token, an entrant is back, it waits for a game, and the others see it in the
    # list.
    facts.PlayerEntered: (EXTENSIONS, _came, _standings_changed),
    facts.PlayerBack: (_came, EXTENSIONS),
    facts.Dismissed: (_depart,),
    # Its session ends, and other servers may have the nick.
    facts.NickFree: (EXTENSIONS, _give_back),
    # Players are free: the pool may seat them at once, so an extension looks at what they do now, not at what they did.
    facts.PlayersFree: (_free, EXTENSIONS),
    # One less to wait for: the pool may have held a game back for exactly this player.
    facts.LeftPool: (_match,),
    # A game of a championship has begun, or has its result: that goes into the ledger.
    facts.FixtureBegun: (_fixture_begun,),
    facts.FixtureEnded: (_fixture_ended,),
    # The past of a game has been read again: for its new master, or for spectators.
    facts.PastRecalled: (takeover.recalled, EXTENSIONS),
    # A player has broken a rule: that counts, and the player gets the rule.
    facts.RuleBroken: (refused_moves.count, EXTENSIONS),
    # A game is over: tables and clocks let go of it, then it counts.
    facts.GameOver: (EXTENSIONS, after_game.count, faults.judge),
    # A master has room: games that lost theirs come first, then tables, then open play and championships.
    facts.MasterReady: (_adopt, EXTENSIONS, _match),
}


def all_hooks(of_extensions: Sequence[Mapping[type[object], Hook]]) -> dict[type[object], tuple[Hook, ...]]:
    """The hooks of the core with those of the extensions in their places."""
    kinds = {*HOOKS, *(kind for hooks in of_extensions for kind in hooks)}
    return {kind: _hooks(kind, [hooks[kind] for hooks in of_extensions if kind in hooks]) for kind in kinds}


def _hooks(kind: type[object], theirs: Sequence[Hook]) -> tuple[Hook, ...]:
    row = HOOKS.get(kind, (EXTENSIONS,))
    return tuple([hook for entry in row for hook in (theirs if isinstance(entry, HookPlace) else (entry,))])
