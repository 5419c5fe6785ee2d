"""Coming back: a player with a session whose line is cut keeps its nick, its table and its seat for a while.

A token is a text that nobody can guess. Its beginning names the session; of the whole only a hash is kept, here and in
the journal, so that a session outlives the server without anybody who reads the journal being able to take it over.
"""

import hashlib
import hmac
from collections.abc import Callable

from ugs.broker.desk import Desk
from ugs.broker.effects import Admit, RecordLogin, RecordLogout, RecordSession, RecordSessionOver
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.games import Games
from ugs.broker.link import Link, LinkState
from ugs.broker.logins import unique_form
from ugs.broker.onlookers import Onlookers
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Family, Reason, Resend, Resume, Session
from ugs.wire.messages import Error, LoginResponse

NAME_CHARACTERS = 12
"""So many characters of a token name its session; the others are the secret."""


class Sessions:
    """Opens, cuts and resumes sessions. ``came`` is called with a player who is there again, ``depart`` with one who
    is given up."""

    def __init__(
        self,
        desk: Desk,
        onlookers: Onlookers,
        games: Games,
        came: Callable[[Link], None],
        depart: Callable[[Link, Cause], None],
    ) -> None:
        self._desk = desk
        self._onlookers = onlookers
        self._games = games
        self._came = came
        self._depart = depart
        self._from_before = 0
        """How many players of an earlier life of the server have been taken in."""

    def open(self, link: Link) -> None:
        """A player has just logged in: it gets a token, if it wants one and there are any. For whom a gateway speaks
        has another way to come back."""
        if not link.may(Family.SESSION) or link.by_gateway or self._desk.config.session_grace_s == 0:
            return
        token = self._desk.new_secret()
        link.session, link.digest = token[:NAME_CHARACTERS], digest_of(token)
        self._desk.sessions[link.session] = link
        self.changed(link)
        self._tell(link, token, resumed=False)

    def changed(self, link: Link) -> None:
        """Something that outlives the server has changed for a player, who may have no session."""
        if link.session:
            assert link.type is not None
            families = tuple(sorted(link.families))
            self._desk.do(RecordSession(link.session, link.digest, link.name, link.type.name, families, link.pooled))

    def cut(self, link: Link) -> bool:
        """The line of a peer is cut; its connection is forgotten already. Whether it may come back."""
        if not link.session or self._desk.draining:
            return False
        assert link.type is not None
        self._desk.do(RecordLogout(link.conn, str(Cause.DISCONNECTED)))
        self._desk.note("line cut", link, seconds=self._desk.config.session_grace_s)
        link.away = True
        link.type.waiting.pop(link.conn, None)
        self._desk.start(Timer(TimerKind.GRACE, link.session), self._desk.config.session_grace_s)
        if link.game is not None:
            self._games.cut(link)
        else:
            self._line(link, f"the line of {link.name} is cut")
        return True

    def expired(self, session: str) -> None:
        """The time in which a player may come back is over."""
        link = self._desk.sessions.get(session)
        if link is not None and link.away:
            self._desk.note("did not come back", link)
            self._depart(link, Cause.DISCONNECTED)

    def close(self, link: Link) -> None:
        """A player is gone for good."""
        if link.session:
            self._desk.stop(Timer(TimerKind.GRACE, link.session))
            del self._desk.sessions[link.session]
            self._desk.do(RecordSessionOver(link.session))
            link.session = ""

    def end_all(self) -> None:
        """The server stops in good order: nobody need come back."""
        for link in list(self._desk.sessions.values()):
            self.close(link)

    def resume(self, new: Link, message: Resume) -> Refusal | None:
        """Somebody new says it is somebody who was here before."""
        desk = self._desk
        link = desk.sessions.get(message.token[:NAME_CHARACTERS])
        if desk.draining:
            return Refusal(Reason.INVALID_PLAYER, "x-resume: the server is shutting down")
        if link is None or not hmac.compare_digest(link.digest, digest_of(message.token)):
            new.refusals += 1
            return Refusal(Reason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")
        if link.away:
            desk.stop(Timer(TimerKind.GRACE, link.session))
        else:
            self._hang_up(link)
        desk.stop(Timer(TimerKind.LOGIN, new.conn))
        self._rebind(link, new)
        self._welcome(link, message.token)
        return None

    def resend(self, link: Link, message: Resend) -> Refusal | None:
        """A player wants the last state of its game once more."""
        if link.game is None:
            return Refusal(Reason.NOT_PLAYING, "x-resend: you are in no game")
        if link.game.id != message.game_id:
            return Refusal(Reason.INVALID_GAME, f"x-resend: gameId id {message.game_id!r}: you are not in this game")
        if not self._games.resend(link):
            return Refusal(Reason.INVALID_GAME, f"x-resend: gameId id {message.game_id!r}: there is no state yet")
        link.game.active_at = self._desk.now
        return None

    def remember(self, past: RecordSession) -> None:
        """A player of an earlier life of the server may come back to this one."""
        desk = self._desk
        if desk.config.session_grace_s == 0 or unique_form(past.nick) in desk.nicks:
            desk.do(RecordSessionOver(past.session))
            return
        self._from_before += 1
        game_type = desk.type_named(past.game_type)
        link = Link(-self._from_before, "", LinkState.IDLE, past.nick, game_type)
        link.session, link.digest, link.pooled, link.away = past.session, past.digest, past.pooled, True
        link.families = frozenset(family for family in Family if family in past.families)
        link.since = link.active_at = desk.now
        desk.sessions[link.session] = link
        desk.nicks[unique_form(link.name)] = link
        game_type.players[link.conn] = link
        game_type.open_table.enter(link.name)
        desk.start(Timer(TimerKind.GRACE, link.session), desk.config.session_grace_s)

    def _hang_up(self, link: Link) -> None:
        """The player is on another line now: the old one is closed."""
        self._desk.send(link, Error("this session goes on on another connection"))
        self._desk.do(RecordLogout(link.conn, "session went on on another connection"))
        self._desk.close(link)

    def _rebind(self, link: Link, new: Link) -> None:
        """From now on ``link`` is who speaks on the connection of ``new``."""
        desk, old = self._desk, link.conn
        assert link.type is not None
        for by_conn in (link.type.players, link.type.waiting, link.game.owing if link.game is not None else {}):
            if by_conn.pop(old, None) is not None:
                by_conn[new.conn] = link
        link.conn, link.address, link.away, link.greeted, link.heard = new.conn, new.address, False, True, True
        link.families, link.program = new.families, new.program
        link.pooled = link.pooled or not link.may(Family.LOBBY)  # without a lobby it could not ask for that
        link.active_at = desk.now
        desk.links[link.conn] = link
        desk.do(Admit(link.conn))
        desk.do(RecordLogin(link.conn, "player", link.name, link.type.name, link.address, version=link.program))
        self.changed(link)
        desk.note("session resumed", link, address=link.address)

    def _welcome(self, link: Link, token: str) -> None:
        self._desk.send(link, LoginResponse())
        self._tell(link, token, resumed=True)
        if link.game is not None:
            self._games.back(link)
        self._came(link)
        if link.game is None:
            self._line(link, f"{link.name} is back")

    def _line(self, link: Link, comment: str) -> None:
        for tell in self._onlookers.line:
            tell(link, comment)

    def _tell(self, link: Link, token: str, *, resumed: bool) -> None:
        turn = link.game is not None and link in link.game.movers
        grace = self._desk.config.session_grace_s
        self._desk.tell([link], Session(token, link.name, resumed, grace, turn))


def digest_of(token: str) -> str:
    """The SHA-256 of a token, as hexadecimal digits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
