"""Which extension message may come when, and who answers it.

A request that cannot be granted or read is answered with ``x-failed``; a peer that has not said ``x-hello`` gets an
``error`` as in v4, and so does a game master that says something wrong about a game.
"""

from collections.abc import Callable
from typing import Any

from ugs.broker.desk import Desk
from ugs.broker.extensions.chat import Chat
from ugs.broker.extensions.clocks import Clocks
from ugs.broker.extensions.lists import Lists
from ugs.broker.extensions.masters import Masters
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.extensions.silence import Silence
from ugs.broker.extensions.tables import Tables
from ugs.broker.extensions.watching import Watching
from ugs.broker.link import Link, LinkState
from ugs.broker.onlookers import Onlookers
from ugs.broker.rules import Rules
from ugs.value import value
from ugs.wire import extensions as x
from ugs.wire.extensions import Family, Reason
from ugs.wire.messages import Extension

NEW = frozenset({LinkState.NEW})
PLAYERS = frozenset({LinkState.IDLE, LinkState.PLAYING, LinkState.OWING})
SPECTATORS = frozenset({LinkState.NEW, LinkState.WATCHING})
MASTERS = frozenset({LinkState.MASTER})
SPEAKERS = PLAYERS | {LinkState.WATCHING}
ANYBODY = frozenset(LinkState)
ALL = frozenset(Family)


@value
class Request:
    """Of which families a peer needs one, what it has to be, and the answer: None when all is well, a refusal, or
    (for masters) what is wrong, for an ``error``."""

    families: frozenset[Family]
    who: frozenset[LinkState]
    answer: Callable[[Link, Any], Refusal | str | None]


class Switchboard:
    """Takes in every extension message, and makes the rooms that answer them."""

    def __init__(self, desk: Desk, rules: Rules, onlookers: Onlookers) -> None:
        self._desk = desk
        self._rules = rules
        sessions, masters = rules.sessions, Masters(rules.games, rules.master_ready)
        self.tables = tables = Tables(desk, rules, onlookers)
        self.watching = watching = Watching(desk, rules.games, onlookers)
        self.clocks = clocks = Clocks(desk, rules.games, onlookers)
        self.silence = silence = Silence(desk, rules, tables)
        lists, chat = Lists(desk), Chat(desk, rules.games)
        chat.audiences.append(watching.audience)
        of = frozenset
        self._requests: dict[type[Extension], Request] = {
            x.Ping: Request(ALL, ANYBODY, silence.ping),
            x.Pong: Request(ALL, ANYBODY, clocks.pong),
            x.Resume: Request(of({Family.SESSION}), NEW, sessions.resume),
            x.Resend: Request(of({Family.STATE}), PLAYERS, sessions.resend),
            x.ListPlayers: Request(of({Family.LOBBY}), PLAYERS, lists.players),
            x.ListGameTypes: Request(of({Family.LOBBY}), PLAYERS, lists.game_types),
            x.ListTables: Request(of({Family.LOBBY}), PLAYERS, tables.list),
            x.Advertise: Request(of({Family.LOBBY}), PLAYERS, tables.advertise),
            x.Join: Request(of({Family.LOBBY}), PLAYERS, tables.join),
            x.Start: Request(of({Family.LOBBY}), PLAYERS, tables.start),
            x.Cancel: Request(of({Family.LOBBY}), PLAYERS, tables.cancel),
            x.Quit: Request(of({Family.LOBBY}), PLAYERS, tables.quit),
            x.Wait: Request(of({Family.LOBBY}), PLAYERS, tables.wait),
            x.Say: Request(of({Family.CHAT}), SPEAKERS, chat.say),
            x.ShowClock: Request(of({Family.CLOCK}), PLAYERS, clocks.show),
            x.Watch: Request(of({Family.WATCH}), SPECTATORS, watching.watch),
            x.Unwatch: Request(of({Family.WATCH}), SPECTATORS, watching.unwatch),
            x.ListGames: Request(of({Family.WATCH}), SPECTATORS, watching.list),
            x.Views: Request(of({Family.VIEWS, Family.MOVERS}), MASTERS, masters.views),
            x.Labels: Request(of({Family.TABLE}), MASTERS, masters.labels),
            x.Offers: Request(of({Family.TABLE}), MASTERS, masters.offers),
            x.Failed: Request(of({Family.TABLE, Family.RESTORE}), MASTERS, masters.failed),
        }

    def received(self, link: Link, message: Extension) -> None:
        """An extension message has come."""
        if isinstance(message, x.Hello):
            self._hello(link, message)
            return
        request = self._requests.get(type(message))
        if request is None:
            self._rules.complain(link, f"{message.TYPE}: not a message for the server")
        elif request.families.isdisjoint(link.families):
            names = " or ".join(sorted(request.families)) if len(request.families) < len(Family) else "any"
            self._wrong(link, message, f"{message.TYPE}: the extension {names} was not granted; ask with x-hello first")
        elif link.state not in request.who:
            self._refuse(link, message, Refusal(Reason.INVALID_PLAYER, f"{message.TYPE}: you are {link.state}"))
        else:
            wrong = request.answer(link, message)
            if isinstance(wrong, Refusal):
                self._refuse(link, message, wrong)
            elif wrong is not None:
                self._rules.complain(link, wrong, getattr(message, "game_id", ""))

    def misread(self, link: Link, reason: str, ref: str) -> None:
        """An extension message that cannot be read has come from a peer that may use some."""
        self._desk.note("wrong message", link, warning=True, reason=reason)
        self._desk.tell([link], x.Failed(Reason.INVALID_REQUEST, reason, ref=ref))
        if not self._desk.within_errors(link):
            self._rules.too_many_errors(link)

    def _hello(self, link: Link, message: x.Hello) -> None:
        if link.heard:
            self._rules.complain(link, "x-hello: only as the first message of a connection")
            return
        asked = set(message.families)
        link.greeted = True
        link.families = frozenset(family for family in Family if family.value in asked)
        link.names_movers = Family.MOVERS in link.families
        link.program = f"{message.program} {message.version}".strip()[:LONGEST_PROGRAM]
        granted = tuple([family.value for family in Family if family in link.families])
        self._desk.tell([link], x.Hello(granted))
        if Family.SESSION in link.families:
            self.silence.watch()

    def _wrong(self, link: Link, message: Extension, text: str) -> None:
        if link.greeted:
            self.misread(link, text, getattr(message, "ref", ""))
        else:
            self._rules.complain(link, text)

    def _refuse(self, link: Link, message: Extension, refusal: Refusal) -> None:
        self._desk.note("refused", link, reason=str(refusal.reason), text=refusal.text)
        ref = getattr(message, "ref", "")
        self._desk.tell([link], x.Failed(refusal.reason, refusal.text, ref=ref))
        if link.state is LinkState.NEW and link.refusals:
            self._rules.count_refusal(link)


LONGEST_PROGRAM = 128
"""Characters of what a peer calls itself that are kept."""
