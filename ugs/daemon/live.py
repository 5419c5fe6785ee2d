"""What the page asks of the running server (:class:`ugs.page.contract.Live`): the broker's registries, only read."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import trio

from ugs.broker import spectator_view as spectators
from ugs.broker.broker import Broker
from ugs.broker.identity import Identity
from ugs.broker.questions import OwnerAsked, PublicAsked, PublicWhyAsked
from ugs.broker.record import EntryKind
from ugs.broker.state.model import Game
from ugs.daemon.proofs import Proofs
from ugs.daemon.questions import Questions
from ugs.daemon.wall_clock import WallClock
from ugs.page.contract import Owner, Visitor
from ugs.wire.extensions import GameEvent, Watching


class LiveServer:
    """One server. ``questions`` asks its broker; ``proofs`` know the tokens of names, None: there are none; ``wall`` is
    the clock on the wall."""

    def __init__(
        self, broker: Broker, questions: Questions, proofs: Proofs | None = None, wall: WallClock | None = None
    ) -> None:
        self._wall = wall or WallClock()
        self._proofs = proofs
        self._broker = broker
        self._questions = questions

    def public(self) -> Mapping[str, object]:
        """See :meth:`ugs.page.contract.Live.public`."""
        return self._questions.ask(PublicAsked())

    def alive(self) -> Mapping[str, object]:
        """See :meth:`ugs.page.contract.Live.alive`."""
        desk = self._broker.desk
        return {"draining": desk.draining, "journal_lost": bool(desk.journal_lost)}

    def why(self, name: str) -> Mapping[str, object]:
        """See :meth:`ugs.page.contract.Live.why`."""
        return self._questions.ask(PublicWhyAsked(name))

    def owner_of(self, token: str) -> Owner | None:
        """Whose token of a session this is; None if it is nobody's."""
        told: Mapping[str, Any] = self._questions.ask(OwnerAsked(token))
        if not told["ok"]:
            return None
        # The journal has what the clock on the wall showed at each moment, also if it was set since.
        now, until_ago_s = trio.current_time(), told["until_ago_s"]
        self._wall.look(now)
        until = None if until_ago_s is None else round(self._wall.showed_s(now - until_ago_s), 3)
        return Owner(told["nick"], round(self._wall.showed_s(now - told["since_ago_s"]), 3), until, told["game"])

    async def visitor(self, token: str, address: str) -> Visitor | None:
        """See :meth:`ugs.page.contract.Live.visitor`."""
        if self.owner_of(token) is not None:
            return partial(self.owner_of, token)
        known = await self._proofs.whose(token, address) if self._proofs is not None else None
        return partial(self._owner_by_name, known) if known is not None else None

    def _owner_by_name(self, known: Identity) -> Owner | None:
        """Who has a name with a token, as long as the token is the one that was shown."""
        desk = self._broker.desk
        if desk.identities.find(known.role, known.name) != known:
            return None
        player = desk.names.player(known.name)
        is_its = player is not None and player.identity is not None and player.identity.digest == known.digest
        game = player.game if player is not None and is_its else None
        return Owner(known.name, known.made_us / 1e6, None, game.id if game is not None and not game.ended else "")

    def follow(self, game_id: str) -> "FollowedGame | None":
        """See :meth:`ugs.page.contract.Live.follow`."""
        game = self._broker.desk.running_game(game_id)
        return None if game is None else FollowedGame(game)


class FollowedGame:
    """A game that ran when it was first looked at. Its history stays when the broker has forgotten it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._delay_s = game.type.settings.watch_delay_s

    @property
    def game_id(self) -> str:
        """See :attr:`ugs.page.contract.Followed.game_id`."""
        return self._game.id

    @property
    def championship(self) -> str:
        """See :attr:`ugs.page.contract.Followed.championship`."""
        championship = self._game.setting.championship
        return championship.name if championship is not None else ""

    @property
    def first(self) -> Watching:
        """See :attr:`ugs.page.contract.Followed.first`."""
        return spectators.snapshot(self._game, 0)

    @property
    def now(self) -> int:
        """See :attr:`ugs.page.contract.Followed.now`."""
        return spectators.old_enough(self._game, trio.current_time() - self._delay_s)

    @property
    def over(self) -> bool:
        """See :attr:`ugs.page.contract.Followed.over`."""
        number = self.now
        return number > 0 and self._game.history.entries[number - 1].kind is EntryKind.VERDICT

    def events(self, after: int, most: int) -> Sequence[GameEvent]:
        """See :meth:`ugs.page.contract.Followed.events`."""
        return [spectators.event_of(self._game, number) for number in range(after + 1, min(self.now, after + most) + 1)]
