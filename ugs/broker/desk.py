"""What all rules of the broker share: who is there, what time it is, and the effects to be handed out."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ugs.broker.effects import Close, Effect, Note, Send, StartTimer, StopTimer
from ugs.broker.events import Timer, TimerKind
from ugs.broker.link import Link, LinkState
from ugs.broker.seating import Seating
from ugs.broker.standings import Table
from ugs.config import Config, GameTypeSettings
from ugs.wire.extensions import FAMILIES_OF, Family
from ugs.wire.messages import Error, Extension, Message

if TYPE_CHECKING:
    from ugs.broker.championship import Championship
    from ugs.broker.extensions.tables import GameTable

MINUTE = 60.0
ROUNDING = 1e-6
"""Seconds by which a timer may seem early when its moments are subtracted again."""


@dataclass(slots=True, eq=False)
class GameType:
    """Everything the broker knows of one game type; it exists while somebody is there or something was played."""

    name: str
    settings: GameTypeSettings
    masters: dict[int, Link] = field(default_factory=dict)
    waiting: dict[int, Link] = field(default_factory=dict)
    """Idle players by conn, in the order in which they became idle."""
    players: dict[int, Link] = field(default_factory=dict)
    """All players of this type who are logged in."""
    idle: dict[Link, None] = field(default_factory=dict)
    """Those of them who are in no game, in the order in which they became idle: an ordered set. Who is awaited since
    the server was lost may be missing."""
    table: Table = field(default_factory=Table)
    seating: Seating = field(default_factory=Seating)
    championship: "Championship | None" = None
    """The one that is announced or played."""
    coming: list["Championship"] = field(default_factory=list)
    """Those that are announced for afterwards."""
    championship_over: bool = False
    final_table: Table | None = None
    """The table of the championship that is over; it does not change any more."""
    announcing: bool = False
    """Whether a timer runs that will tell a changed table."""
    gathering: bool = False
    """Whether a timer runs that will begin a game with fewer than the most players."""
    running: int = 0
    """How many games run whose end has not been announced."""

    @property
    def open_table(self) -> Table:
        """The table of open play, also while a championship is played."""
        championship = self.championship
        return championship.open_table if championship is not None and championship.begun else self.table

    def free_masters(self, players: int, *families: Family) -> list[Link]:
        """All masters that may lead one more game, have enough with so many players and were granted these
        extensions, the least busy first."""
        limit = self.settings.max_games_per_master
        free = [
            link
            for link in self.masters.values()
            if link.master is not None
            and link.leads
            and link.master.players_min <= players
            and (limit == 0 or len(link.master.games) < limit)
            and link.families.issuperset(families)
        ]
        return sorted(free, key=lambda link: len(link.master.games) if link.master else 0)

    @property
    def everybody_idle(self) -> bool:
        """Whether nobody of this type plays or owes thanks."""
        return all(link.state is LinkState.IDLE for link in self.players.values())

    def forget_told(self) -> None:
        """Another table is in force: nobody has been told this one."""
        for link in self.players.values():
            link.told_version = -1


class Desk:
    """Registries, the present moment and the outgoing effects. Rules change it; nobody keeps it."""

    def __init__(self, config: Config, new_game_id: Callable[[], str], new_secret: Callable[[], str]) -> None:
        self.config = config
        self.new_game_id = new_game_id
        self.new_secret = new_secret
        self.now = 0.0
        self.draining = False
        self.journal_lost = ""
        """Why nothing can be written down at present; empty when all is well."""
        self.links: dict[int, Link] = {}
        self.nicks: dict[str, Link] = {}
        """Players by the form of their nick in which it is unique."""
        self.master_ids: dict[str, Link] = {}
        self.types: dict[str, GameType] = {}
        self.championships: dict[str, Championship] = {}
        """All there ever were, by name."""
        self.sessions: dict[str, Link] = {}
        """Players who may come back, by the part of their tokens that is no secret."""
        self.tables: dict[str, GameTable] = {}
        """Tables that have been set up, with those in play, by id, oldest first."""
        self.spectators: dict[int, Link] = {}
        """By conn."""
        self.spectator_nicks: dict[str, Link] = {}
        """Spectators who have a nick, by the form of it in which it is unique."""
        self._effects: list[Effect] = []

    def type_named(self, name: str) -> GameType:
        """The game type of that name, made on its first use."""
        known = self.types.get(name)
        if known is None:
            known = self.types[name] = GameType(name, self.config.game_type(name))
        return known

    def release(self, game_type: GameType) -> None:
        """Forget a game type in which nobody is left and nothing was played: anybody can name a new one."""
        if game_type.players or game_type.masters or game_type.running:
            return
        if game_type.championship_over or game_type.table.rows():
            return
        championship = game_type.championship
        if championship is not None:
            if championship.announced or game_type.coming:
                return
            del self.championships[championship.name]
        for kind in (TimerKind.GATHER, TimerKind.CHAMPIONS):
            self.stop(Timer(kind, game_type.name))
        del self.types[game_type.name]

    @property
    def closed(self) -> bool:
        """Whether no new game may begin."""
        return self.draining or bool(self.journal_lost)

    def taken(self) -> list[Effect]:
        """Hand out the effects collected so far."""
        effects, self._effects = self._effects, []
        return effects

    def do(self, effect: Effect) -> None:
        """Ask the shell for something."""
        self._effects.append(effect)

    def send(self, link: Link, message: Message) -> None:
        """One message of v4 to one peer, unless its line is cut."""
        if not link.away:
            self._effects.append(Send((link.conn,), message))

    def send_all(self, links: Iterable[Link], message: Message) -> None:
        """One message of v4 to several peers, written once."""
        to = tuple([link.conn for link in links if not link.away])
        if to:
            self._effects.append(Send(to, message))

    def tell(self, links: Iterable[Link], message: Extension) -> None:
        """An extension message to those of these peers who were granted it: the only way in which one goes out."""
        families = FAMILIES_OF[type(message)]
        to = tuple([link.conn for link in links if link.greeted and not link.away and may_read(link, families)])
        if to:
            self._effects.append(Send(to, message))

    def start(self, timer: Timer, seconds: float, after: Link | None = None, *, report: bool = False) -> None:
        """Start a timer, counted from now or from when ``after`` has been handed all that was sent to it; with
        ``report`` that moment is wanted to be known."""
        conn = after.conn if after is not None and not after.away else None
        self._effects.append(StartTimer(timer, seconds, conn, report))

    def stop(self, timer: Timer) -> None:
        """Stop a timer."""
        self._effects.append(StopTimer(timer))

    def note(self, event: str, link: Link | None = None, *, warning: bool = False, **fields: object) -> None:
        """A line for the log, with what is known of the peer."""
        who: dict[str, object] = {}
        if link is not None:
            who["conn"] = link.conn
            if link.name:
                who["master" if link.state is LinkState.MASTER else "nick"] = link.name
        self._effects.append(Note(event, who | fields, warning))

    def error(self, link: Link, text: str) -> None:
        """Tell a peer what went wrong through no wrong message of its own. Masters that cannot read it are spared."""
        quiet = link.state is LinkState.MASTER and link.type is not None and link.type.settings.quiet_master
        if not quiet:
            self.send(link, Error(text))

    def complain(self, link: Link, text: str) -> bool:
        """Answer a wrong message; False when it was one too many within a minute and the peer has to go."""
        self.note("wrong message", link, warning=True, reason=text)
        self.error(link, text)
        return self.within_errors(link)

    def within_errors(self, link: Link) -> bool:
        """Count one wrong message; False when it was one too many within a minute."""
        return self._within_budget(link.errors)

    def heed(self, link: Link) -> bool:
        """Whether an error that a peer reports is still news; False when it has reported too many within a minute."""
        return self._within_budget(link.reports)

    def chat_allowed(self, link: Link) -> bool:
        """Whether a peer may say one more thing in the chat now; what it may not say does not count."""
        latest = link.chats
        while latest and latest[0] <= self.now - MINUTE:
            latest.popleft()
        if len(latest) >= self.config.chat_per_minute:
            return False
        latest.append(self.now)
        return True

    def _within_budget(self, latest: deque[float]) -> bool:
        """Count one more at this moment; False when there are more in the last minute than are put up with."""
        most = self.config.max_errors_per_minute
        while latest and (latest[0] <= self.now - MINUTE or len(latest) > most):
            latest.popleft()
        latest.append(self.now)
        return len(latest) <= most

    def close(self, link: Link) -> None:
        """Ask the shell to close a connection and forget it."""
        self.links.pop(link.conn, None)
        self._effects.append(Close(link.conn))


def may_read(link: Link, families: frozenset[Family]) -> bool:
    """Whether a peer was granted one of these; what every family comes with, everybody may read who said x-hello."""
    return len(families) == len(Family) or not families.isdisjoint(link.families)
