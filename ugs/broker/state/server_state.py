"""The state of the whole server, shared by all rules: the registries, the current time, the outgoing effects, and the
two tables that connect rules.

``server.step(game, happening, …)`` lets something happen to a game: the table of ``broker/life.py`` has the rule for
the phase of the game. ``server.report(fact)`` reports what a rule has brought about: the table of ``broker/hooks.py``
lists the rules that follow, in order. So no rule calls one above it.

A rule asks the shell for something with ``server.emit(effect)``. ``server.send`` and ``server.send_all`` send messages
of v4; ``server.send_extension`` sends one of an extension, to those who were granted it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from ugs.broker.effects import Close, Effect, Note, Send, StartTimer, StopTimer
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.absent import AbsentPlayers
from ugs.broker.state.allowance import Allowances
from ugs.broker.state.bans import Access
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Connection, Peer
from ugs.broker.state.extras import Extras
from ugs.broker.state.identities import Identities
from ugs.broker.state.model import Game, GameType, Master, Table
from ugs.broker.state.names import Names
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.recent_refusals import Closed, LatestRefusals, Refused
from ugs.config import Config
from ugs.value import value
from ugs.wire.extensions import FAMILIES_OF, Family
from ugs.wire.messages import Error, Extension, Message

ROUNDING = 1e-6
"""Seconds that a timer may seem early, by rounding, when times are subtracted."""

GameRule: TypeAlias = Callable[..., Phase]
"""``rule(server, game, …what happened…)``; returns the next phase of the game."""


class Cell(NamedTuple):
    """One cell of the life of a game: the rule, and the phases that may follow."""

    rule: GameRule
    follow: frozenset[Phase]


Consequence: TypeAlias = Callable[["ServerState", Game], None]
"""A rule that runs when a game enters or leaves a phase."""


@value
class Step:
    """A cell made ready."""

    name: str
    """The phase and what happens, for the error."""
    rule: GameRule
    follow: Mapping[Phase, tuple[Consequence, ...]]
    """The phases that may follow, each with its consequences."""


Life: TypeAlias = Mapping[Phase, Mapping[Happening, Step]]
"""The life of a game, made ready by :func:`life_of`; ``broker/life.py`` has it."""


def life_of(
    cells: Mapping[Phase, Mapping[Happening, Cell]],
    entered: Mapping[Phase, Consequence],
    left: Mapping[Phase, Consequence],
) -> Life:
    """Return the cells with the consequences of entering (``entered``) and leaving (``left``) phases: computed once, so
    that each step is one lookup."""

    def consequences(before: Phase, after: Phase) -> tuple[Consequence, ...]:
        return tuple([one for one in (left.get(before), entered.get(after)) if one is not None])

    def ready(before: Phase, what: Happening, cell: Cell) -> Step:
        return Step(f"{before}, {what}", cell.rule, {after: consequences(before, after) for after in cell.follow})

    return {before: {what: ready(before, what, cell) for what, cell in row.items()} for before, row in cells.items()}


Hook: TypeAlias = Callable[["ServerState", Any], bool | None]
"""``hook(server, fact)``; returns True when it has taken charge of the fact."""


@value
class Rules:
    """How rules reach each other: the life of a game, and the hooks that are called with each fact, by its type."""

    life: Life
    hooks: Mapping[type[object], tuple[Hook, ...]]


class Condition:
    """Why no game, or no game of some type, begins at present."""

    def __init__(self) -> None:
        self.draining = False
        """Whether the server is going to stop."""
        self.patient = False
        """While draining: whether there is still time for running games."""
        self.stopped = False
        self.journal_lost = ""
        """Why nothing can be written down at present; empty when all is well."""
        self.paused: dict[str, str] = {}
        """The game types that organisers have paused, by name, and why."""
        self.elsewhere: dict[str, str] = {}
        """The game types that are at home at another server, by name, and what their peers are sent."""

    def type_obstacle(self, name: str) -> str:
        """Return why no game of this type begins, in a sentence; empty if that is not for the type's sake."""
        if name in self.paused:
            return f"the organiser has paused {name}: {self.paused[name]}"
        return self.elsewhere.get(name, "")

    def drains(self) -> None:
        """The server is to stop."""
        self.draining = True

    def has_time(self, *, patient: bool) -> None:
        """Whether running games may still end."""
        self.patient = patient

    def stops(self) -> None:
        """All peers have been notified."""
        self.stopped = True

    def loses_journal(self, reason: str) -> None:
        """Nothing can be written down."""
        self.journal_lost = reason

    def has_journal(self) -> None:
        """All can be written down again."""
        self.journal_lost = ""


class EntryRules:
    """Who may come in: what organisers have set, and which names have tokens."""

    def __init__(self, config: Config) -> None:
        self.access = Access()
        self.identities = Identities(config)


class TurnedAway:
    """Peers that were turned away lately, for people who ask why."""

    def __init__(self) -> None:
        self.refused: LatestRefusals[Refused] = LatestRefusals()
        """Logins that were refused."""
        self.closed: LatestRefusals[Closed] = LatestRefusals()
        """Lines of players and masters that the server has closed for what they did."""


class ServerState:
    """The state of the whole server: registries, the current time and the outgoing effects. Rules change it; no rule
    stores it.

    ``new_game_id`` and ``new_secret`` as in :class:`ugs.broker.broker.Broker`.
    """

    def __init__(
        self, config: Config, new_game_id: Callable[[], str], new_secret: Callable[[], str], rules: Rules
    ) -> None:
        self.config = config
        self.new_game_id = new_game_id
        self.new_secret = new_secret
        self.rules = rules
        self._effects: list[Effect] = []
        self.now = 0.0
        self.condition = Condition()
        self.connections: dict[int, Connection] = {}
        """The open ones, by number."""
        self.names = Names()
        self.types: dict[str, GameType] = {}
        self.games: dict[str, Game] = {}
        """By id, up to the last thank you."""
        self.championships: dict[str, Championship] = {}
        """All there ever were, by name."""
        self.tables: dict[str, Table] = {}
        """Tables that have been set up, with those in play, by id, oldest first."""
        self.entry = EntryRules(config)
        self.allowances = Allowances(config)
        self.absent = AbsentPlayers()
        self.turned_away = TurnedAway()
        self.extras: Extras = {}

    # The registries.

    @property
    def closed(self) -> bool:
        """Whether no new game may begin."""
        return self.condition.draining or bool(self.condition.journal_lost)

    def is_closed(self, game_type: GameType) -> bool:
        """Whether no new game of this type may begin."""
        condition = self.condition
        return self.closed or game_type.name in condition.paused or game_type.name in condition.elsewhere

    @property
    def running(self) -> list[Game]:
        """The games whose end has not been announced yet."""
        return [game for game in self.games.values() if game.phase is not Phase.OVER]

    def running_game(self, game_id: str) -> Game | None:
        """The game of that id whose end has not been announced yet, or None."""
        game = self.games.get(game_id)
        return game if game is not None and game.phase is not Phase.OVER else None

    def type_named(self, name: str) -> GameType:
        """The game type of that name, made on its first use."""
        known = self.types.get(name)
        if known is None:
            known = self.types[name] = GameType(name, self.config.game_type(name))
        return known

    def release(self, game_type: GameType) -> None:
        """Forget a game type without peers or played games: any login can name a new one."""
        if game_type.players or game_type.masters or game_type.running:
            return
        if game_type.championship_over or len(game_type.standings) or len(game_type.open_standings):
            return
        championship = game_type.championship
        if championship is not None:
            if championship.announced or championship.hour_has_come or game_type.coming:
                return
            del self.championships[championship.name]
        for kind in (TimerKind.GATHER, TimerKind.CHAMPIONS, TimerKind.LOST_GAMES):
            self.stop(Timer(kind, game_type.name))
        del self.types[game_type.name]

    # How rules reach each other.

    def step(self, game: Game, happening: Happening, *what: object) -> None:
        """Let something happen to a game; ``what`` are the arguments of its rule after server and game. Raises KeyError
        if it cannot happen in the phase of the game."""
        step = self.rules.life[game.phase][happening]
        self.enter(game, step, step.rule(self, game, *what))

    def enter(self, game: Game, step: Step, following: Phase) -> None:
        """Set the phase that the rule of ``step`` has returned: the only place that changes the phase of a game. Raises
        LookupError if it may not follow.

        Moves and states look up their step in ``rules.life`` and call its rule themselves: their arguments on the way
        through :meth:`step` took 4 % of the processor time of a move.

        A rule may let something else happen to its game before it returns; then that has changed the phase already."""
        if following not in step.follow:
            raise LookupError(f"{step.name}: {following} follows, allowed are {', '.join(sorted(step.follow))}")
        if following is not game.phase:
            game.phase = following
            for consequence in step.follow[following]:
                consequence(self, game)

    def report(self, fact: object) -> bool:
        """Report a fact to its hooks; return whether one of them has taken charge."""
        taken = False
        for hook in self.rules.hooks.get(type(fact), ()):
            taken = bool(hook(self, fact)) or taken
        return taken

    # Effects.

    def taken(self) -> list[Effect]:
        """Hand out the effects collected so far."""
        effects, self._effects = self._effects, []
        return effects

    def emit(self, effect: Effect) -> None:
        """Ask the shell for something."""
        self._effects.append(effect)

    def send(self, peer: Peer, message: Message) -> None:
        """One message of v4 to one peer, unless its line is cut."""
        if not peer.away:
            connection = peer.connection
            connection.last_sent = type(message)
            self._effects.append(Send((connection.conn,), message))

    def send_all(self, peers: Iterable[Peer], message: Message) -> None:
        """One message of v4 to several peers, written once."""
        to = tuple([peer.connection.conn for peer in peers if not peer.away])
        if to:
            self._effects.append(Send(to, message))

    def send_extension(self, peers: Iterable[Peer], message: Extension) -> None:
        """Send an extension message to those peers that were granted it: the only way out for extension messages."""
        kind = type(message)
        to = tuple([peer.conn for peer in peers if self.reads(peer, kind)])
        if to:
            self._effects.append(Send(to, message))

    def reads(self, peer: Peer, kind: type[Extension]) -> bool:
        """Whether extension messages of this type reach a peer: its line is not cut, and it was granted them."""
        return not peer.away and may_read(peer.connection, FAMILIES_OF[kind])

    def start(self, timer: Timer, seconds: float, after: Peer | None = None, *, report: bool = False) -> None:
        """Start a timer, counted from now or from when all messages to ``after`` have been handed to the network; with
        ``report`` the broker then gets a ``TimerBegun``."""
        conn = after.connection.conn if after is not None and not after.away else None
        self._effects.append(StartTimer(timer, seconds, conn, report))

    def stop(self, timer: Timer) -> None:
        """Stop a timer."""
        self._effects.append(StopTimer(timer))

    def note(self, event: str, peer: Peer | None = None, *, warning: bool = False, **fields: object) -> None:
        """A line for the log, with what is known of the peer."""
        who: dict[str, object] = {}
        address = ""
        if peer is not None:
            address = peer.connection.address
            who["conn"] = peer.conn
            if peer.name:
                who["master" if isinstance(peer, Master) else "nick"] = peer.name
        self._effects.append(Note(event, who | fields, warning, address))

    def close(self, peer: Peer) -> None:
        """Ask the shell to close the connection of a peer and forget it."""
        self.connections.pop(peer.conn, None)
        self._effects.append(Close(peer.conn))

    def charge(self, peer: Peer, rows: float) -> None:
        """Take the cost of messages, in rows of a list, from the allowance of the peer that caused them."""
        self.allowances.take(peer, rows, self.now)

    # What went wrong.

    def error(self, peer: Peer, text: str) -> None:
        """Send a peer an error that is not about a wrong message of its own. Masters that cannot read it get none."""
        if not (isinstance(peer, Master) and peer.type.settings.quiet_master):
            self.send(peer, Error(text))


def may_read(connection: Connection, families: frozenset[Family]) -> bool:
    """Return whether a peer has sent x-hello and was granted one of these; a message of every family needs only
    x-hello."""
    return connection.greeted and (len(families) == len(Family) or not families.isdisjoint(connection.families))
