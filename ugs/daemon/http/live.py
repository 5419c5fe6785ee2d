"""What the page asks of the running server (:class:`ugs.page.contract.Live`): the broker's registries, only read."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ugs.broker.broker import Broker
from ugs.broker.state.model import Game
from ugs.broker.values.identity import Identity
from ugs.broker.values.questions import OwnerAsked, PublicAsked, PublicWhyAsked
from ugs.broker.values.recollection import Recollected, Use, Wish
from ugs.broker.values.record import EntryKind
from ugs.broker.views import spectator as spectators
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.journal.pasts import Pasts
from ugs.daemon.proofs import Proofs
from ugs.daemon.questions import Questions
from ugs.daemon.status.cluster_status import ALONE, ClusterStatus
from ugs.page.contract import Followed, Owner, Visitor
from ugs.wire.extensions import GameEvent, Watching


class LiveServer:
    """One server. ``questions`` asks its broker; ``proofs`` know the tokens of names, None: there are none; ``wall`` is
    the clock on the wall; ``pasts`` read what is not in memory of a game, None: it cannot be read;
    ``cluster`` knows the other nodes."""

    def __init__(
        self,
        broker: Broker,
        questions: Questions,
        proofs: Proofs | None = None,
        wall: WallClock | None = None,
        pasts: Pasts | None = None,
        cluster: ClusterStatus = ALONE,
    ) -> None:
        self._pasts = pasts
        self._cluster = cluster
        self._wall = wall or WallClock()
        self._proofs = proofs
        self._broker = broker
        self._questions = questions

    def public(self) -> Mapping[str, object]:
        """The public facts: games, players who wait, masters, championships."""
        return self._questions.ask(PublicAsked())

    def whole(self) -> Mapping[str, object]:
        """The same of all nodes of the cluster, if there is one."""
        return self._questions.ask(PublicAsked(whole=True))

    def alive(self) -> Mapping[str, object]:
        """The part of the public facts that every page shows: ``draining`` and ``journal_lost``, for next to
        nothing."""
        server = self._broker.server
        return {"draining": server.condition.draining, "journal_lost": bool(server.condition.journal_lost)}

    def awaited(self, game_id: str) -> float | None:
        """Until when, in seconds since 1970, a running game waits for its lost master or another one; None if it does
        not."""
        game = self._broker.server.running_game(game_id)
        if game is None or game.turn.successor_by is None:
            return None
        self._wall.look(self._wall.now())
        return round(self._wall.showed_s(game.turn.successor_by), 1)

    def why(self, name: str) -> Mapping[str, object]:
        """Why a player or master waits: ``ok``, and ``found`` or ``error``."""
        return self._questions.ask(PublicWhyAsked(name))

    def owner_of(self, token: str) -> Owner | None:
        """The owner of this session token; None if it has none."""
        owner_facts: Mapping[str, Any] = self._questions.ask(OwnerAsked(token))
        if not owner_facts["ok"]:
            return None
        # The journal has what the clock on the wall showed at each moment, also if it was set since.
        now, until_ago_s = self._wall.now(), owner_facts["until_ago_s"]
        self._wall.look(now)
        until = None if until_ago_s is None else round(self._wall.showed_s(now - until_ago_s), 3)
        return Owner(
            owner_facts["nick"],
            round(self._wall.showed_s(now - owner_facts["since_ago_s"]), 3),
            until,
            owner_facts["game"],
        )

    async def visitor(self, token: str, address: str) -> Visitor | None:
        """The owner of this token, which belongs to a session, or to a name and lasts longer; None if it has no owner,
        or if ``address``, which shows it, has tried too many."""
        if self.owner_of(token) is not None:
            return partial(self.owner_of, token)
        # Only what is no session's token is worth a hash, and a turn among the logins.
        known = await self._proofs.whose(token, address) if self._proofs is not None else None
        return partial(self._owner_by_name, known) if known is not None else None

    def _owner_by_name(self, known: Identity) -> Owner | None:
        """Who has a name with a token, as long as the token is the one that was shown."""
        server = self._broker.server
        # Revoked or replaced since the page was opened.
        if server.entry.identities.find(known.role, known.name) != known:
            return None
        player = server.names.player(known.name)
        is_its = player is not None and player.identity is not None and player.identity.digest == known.digest
        game = player.game if player is not None and is_its else None
        return Owner(known.name, known.made_us / 1e6, None, game.id if game is not None and not game.ended else "")

    def follow(self, game_id: str) -> Followed | None:
        """A running game, here or at another node; None if no game of that id runs."""
        game = self._broker.server.running_game(game_id)
        return self._cluster.follow(game_id) if game is None else FollowedGame(game, self._wall.now, self._pasts)


class FollowedGame:
    """A game that ran when it was first looked at. The end of its history stays when the broker has forgotten it; what
    came before is read again by ``pasts``; ``clock`` gives the time of the server."""

    def __init__(self, game: Game, clock: Callable[[], float], pasts: Pasts | None = None) -> None:
        self._clock = clock
        self._pasts = pasts
        self._last_sent = 0
        """The number of the last event that was given."""
        self._game = game
        self._delay_s = game.type.settings.watch_delay_s

    @property
    def game_id(self) -> str:
        """Its id."""
        return self._game.id

    @property
    def championship(self) -> str:
        """The championship that it belongs to; empty in open play."""
        championship = self._game.setting.championship
        return championship.name if championship is not None else ""

    @property
    def first(self) -> Watching:
        """The game before its first event."""
        return spectators.snapshot(self._game, 0)

    @property
    def now(self) -> int:
        """The number of the last event that may be seen; 0 before the first."""
        earlier = self._game.history.earlier
        number = spectators.about_old_enough(self._game, self._clock() - self._delay_s)
        return self._last_sent if earlier.forgotten and number <= earlier.events else number

    @property
    def over(self) -> bool:
        """Whether that was the last event of all."""
        history = self._game.history
        # With a delay, a verdict on record is not yet the end for spectators.
        return self.now == history.count and history.entries[-1].kind is EntryKind.VERDICT

    @property
    def age_s(self) -> float:
        """Seconds since it began, at the moment that may be seen by now."""
        return max(0.0, self._clock() - self._delay_s - self._game.history.began_at)

    async def events(self, after: int, most: int) -> Sequence[GameEvent]:
        """What may be seen by now, from event ``after + 1`` on, at most ``most``."""
        game, earlier = self._game, self._game.history.earlier
        # Read in a thread, so that looking back at a long game holds nothing up.
        if after < earlier.events and not earlier.forgotten:
            until = min(self.now, earlier.events)
            found = await self._read(Wish(Use.PAGE, "", game.id, until, after, most_events=most))
            if not found.forgotten:
                self._last_sent = found.number
                return [spectators.shown_event(game, event) for event in found.events]
            earlier.forgotten = True
        first = max(after, earlier.events if earlier.forgotten else 0) + 1
        numbers = range(first, min(self.now, first - 1 + most) + 1)
        self._last_sent = numbers[-1] if numbers else after
        return [spectators.event_of(game, number) for number in numbers]

    async def _read(self, wish: Wish) -> Recollected:
        return await self._pasts.read(wish) if self._pasts is not None else Recollected(forgotten=True)
