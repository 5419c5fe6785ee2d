"""What the page needs of the server, and nothing else of it: the live broker, games to follow, reads of the journal.

The shell implements :class:`Live` (:mod:`ugs.daemon.http.live`). Reads go to :class:`Reads`, which is a worker process
(:mod:`ugs.page.server.worker_client`): slow work happens there, so that the loop that serves the games is not held.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from ugs.config import Config
from ugs.wire.extensions import GameEvent, Watching

Facts: TypeAlias = Mapping[str, Any]
"""Facts from the running server, ready to be JSON; see :mod:`ugs.broker.views.public`."""
PLAIN: Final = "plain"
"""The fact that explains why a game is shown without pictures: they were too expensive."""


class Followed(Protocol):
    """A running game as spectators may see it by now, with the delay of its type. It can be followed to its end, also
    after the server has forgotten the game."""

    @property
    def game_id(self) -> str:
        """Its id."""
        ...

    @property
    def championship(self) -> str:
        """The championship that it belongs to; empty in open play."""
        ...

    @property
    def first(self) -> Watching:
        """The game before its first event."""
        ...

    @property
    def now(self) -> int:
        """The number of the last event that may be seen; 0 before the first."""
        ...

    @property
    def over(self) -> bool:
        """Whether that was the last event of all."""
        ...

    @property
    def age_s(self) -> float:
        """Seconds since it began, at the moment that may be seen by now."""
        ...

    async def events(self, after: int, most: int) -> Sequence[GameEvent]:
        """What may be seen by now, from event ``after + 1`` on, at most ``most``. Those whose past nothing has kept are
        missing."""
        ...


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose token it is. The games that this nick began between the two moments (seconds since 1970) are its own; after
    ``until`` another player may have the nick."""

    nick: str
    since: float
    until: float | None = None
    """None: it has the nick still."""
    game: str = ""
    """The id of its running game; empty: it is in none."""


Visitor: TypeAlias = Callable[[], Owner | None]
"""Who has shown a token: returns its owner at this moment, and None as soon as the token is not valid any more."""


class Live(Protocol):
    """What the running server can be asked. But for :meth:`visitor` everything is answered at once and takes
    less than a millisecond or so. Nothing is changed."""

    def public(self) -> Facts:
        """The public facts: games, players who wait, masters, championships."""
        ...

    def whole(self) -> Facts:
        """The same of all nodes of the cluster, if there is one; each says whose it is."""
        ...

    def alive(self) -> Facts:
        """The part of the public facts that every page shows: ``draining`` and ``journal_lost``, for next to
        nothing."""
        ...

    def awaited(self, game_id: str) -> float | None:
        """Until when, in seconds since 1970, a running game waits for its lost master or another one; None if it does
        not. Costs next to nothing."""
        ...

    def why(self, name: str) -> Facts:
        """Why a player or master waits: ``ok``, and ``found`` or ``error``."""
        ...

    async def visitor(self, token: str, address: str) -> Visitor | None:
        """The owner of this token, which belongs to a session, or to a name and lasts longer; None if it has no owner,
        or if ``address``, which shows it, has tried too many. May take as long as a login; the server works on
        meanwhile."""
        ...

    def follow(self, game_id: str) -> Followed | None:
        """A running game; None if no game of that id runs."""
        ...


class Masthead(NamedTuple):
    """What stands around all pages of a site."""

    title: str = ""
    """What the organiser calls the site; empty: nothing."""
    manual: bool = False
    """Whether the manual lies beside the pages."""


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What the worker is sent once."""

    data_dir: str = ""
    """The directory with the journal, or the address of its database; empty: nothing is kept."""
    delay_s: float = 0.0
    """By how much spectators are behind ..."""
    delays: Mapping[str, float] = field(default_factory=dict)
    """... and the game types with another value."""
    open_records: bool = False
    """Whether everything about a game may be seen once it has ended: all hands and moves, and the seed ..."""
    opened: Mapping[str, bool] = field(default_factory=dict)
    """... and the game types with another value."""
    title: str = ""
    """What the organiser calls the site; empty: nothing."""
    text: str = ""
    """The organiser's text on the first page."""
    manual: bool = False
    """Whether the server shows the manual."""

    @classmethod
    def of(cls, config: Config) -> "SiteSettings":
        """What the settings of a server come to."""
        return cls(
            config.kept_at,
            config.watch_delay_s,
            {name: config.game_type(name).watch_delay_s for name in config.game_types},
            config.open_records,
            {name: config.game_type(name).open_records for name in config.game_types},
            config.site.title,
            config.site.text,
        )

    @property
    def masthead(self) -> Masthead:
        """What stands around all pages."""
        return Masthead(self.title, self.manual)

    def delay_of(self, game_type: str) -> float:
        """By how many seconds spectators of this game type are behind."""
        return self.delays.get(game_type, self.delay_s)

    def is_open(self, game_type: str) -> bool:
        """Whether the records of this game type are open after the end."""
        return self.opened.get(game_type, self.open_records)


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the worker is asked: the name of an entry of :data:`ugs.page.worker.answers.ANSWERS`, and its
    arguments. Equal questions have equal answers for a moment; ``facts`` are what the running server adds, and do not
    count for that."""

    name: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    facts: Facts = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The same for equal questions."""
        return repr((self.name, sorted(self.asked.items())))


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What a client gets."""

    body: bytes
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    zipped: bytes = b""
    """The same with gzip; empty where that is not worth it."""
    tag: str = ""
    """Changes whenever the body does."""
    headers: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    """What belongs in the server's log, but not in the answer to the client."""
    later: bool = False
    """Whether it is only a word for the time until the real answer has been computed."""
    compressed: bytes = b""
    """For open pages: the event with this body, compressed (:mod:`ugs.page.gzip_chunks`)."""


class Reads(Protocol):
    """Reads of the journal, and everything else that takes long."""

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> PageAnswer:
        """Answer a question for a client at this address. An answer that is only for the time being (``later``) is
        asked for again for ``patience_s``. Raises :class:`Busy`."""
        ...

    async def call(self, question: Question, address: str = "") -> Any:
        """What the entry returns, as it is, for the page itself or for a client at this address. Raises
        :class:`Busy`, and :class:`TooDear` when that was this question's doing."""
        ...


class Busy(Exception):
    """Too much is being asked, or the worker cannot answer at present; the text names the cause."""


class TooDear(Busy):
    """A worker was lost with this question; the text gives the reason, as far as visitors may know it."""


class SocketPlace(Protocol):
    """The place of a WebSocket among all clients of the page."""

    plays: bool
    """Whether a person plays there: what comes from it is read before others are answered."""


class EventLine(Protocol):
    """The connection of a client that listens to events. Nothing is ever kept for it here."""

    def listen(self) -> None:
        """From now on the client is sent events. Raises OSError when it has gone."""
        ...

    def ready(self) -> bool:
        """Whether the client has taken all that was sent to it."""
        ...

    def send(self, chunk: bytes | memoryview) -> bool:
        """Send a chunk of the body now; False if not all of it went out: then the line is broken. One that is ready
        takes 32 KiB."""
        ...

    def end(self) -> None:
        """Nothing more comes: end the answer in good order, and close it."""
        ...

    def cut(self) -> None:
        """Close it."""
        ...
