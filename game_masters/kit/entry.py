"""How a master or a bot logs in: the extensions it asks for, its login, and the answers.

``x-hello`` goes first, followed at once by the login, which has no XML declaration (:mod:`ugs.peer`). A server that
knows the extensions answers with those that may be used. Another server answers with an ``error``, and the login as
usual; then everything goes on in plain v4. If a server hangs up on such a beginning, or does not answer the login, the
next connection begins without ``x-hello``.
"""

from dataclasses import replace

from game_masters.kit.client import Effect, Finish, Level, Note, Reconnect, Send
from game_masters.kit.refusals import Refusals
from ugs import __version__
from ugs.wire.extensions import Failed, Family, Hello, RefusalReason, Resume
from ugs.wire.messages import Error, GameMasterLogin, LoginResponse, Logout, PlayerLogin

FAREWELL_S = 2.0
"""How long a client that has logged out waits for the server to close."""
ANSWER_LIMIT_S = 10.0
"""Seconds for the server to answer the login."""


class Entry:
    """Handles the beginning of every connection of one client, and remembers the earlier connections."""

    def __init__(
        self,
        program: str,
        name: str,
        families: tuple[Family, ...],
        *,
        needed: frozenset[Family] = frozenset(),
        v4: bool = False,
        token: str = "",
        version: str = __version__,
    ) -> None:
        """``program`` is what the client calls itself, in this ``version``, ``name`` its nick or id, ``families`` what
        it asks for, ``needed`` what it cannot do without. With ``v4`` it asks for nothing. A ``token`` is shown with
        x-hello, with ``v4`` behind the name of the login."""
        self._hello = Hello(tuple(family.value for family in families), program, version, token=token)
        self._behind_name = f"#{token}" if v4 and token else ""
        self._reason: Failed | None = None
        """Why the login is refused, as the server reported on the present connection."""
        self._families = frozenset(families)
        self._needed = needed
        self._v4 = v4
        self._refusals = Refusals(name)
        self._granted: frozenset[Family] = frozenset()
        self._accepted = False
        self._accepted_before = False
        self._unanswered = False
        self._awaiting = False
        self._greeted_before = False

    @property
    def awaiting(self) -> bool:
        """Whether the login on the present connection has not been answered."""
        return self._awaiting

    @property
    def accepted(self) -> bool:
        """Whether the login on the present connection was accepted."""
        return self._accepted

    @property
    def unanswered(self) -> bool:
        """Whether x-hello was sent on the present connection and neither it nor the login has been answered."""
        return self._unanswered

    def may(self, family: Family) -> bool:
        """Return whether ``family`` was granted on the present connection."""
        return family in self._granted

    def calls(self, login: PlayerLogin | GameMasterLogin | Resume) -> list[Effect]:
        """A new connection is open. Returns the first messages on it."""
        # Asked before the lines below reset what it depends on.
        stumbled = self._may_have_stumbled
        self._reason = None
        if isinstance(login, PlayerLogin):
            # Plain v4 has no field for a token; servers of ours take it from behind the name.
            login = replace(login, nick=f"{login.nick}{self._behind_name}")
        elif isinstance(login, GameMasterLogin):
            login = replace(login, id=f"{login.id}{self._behind_name}")
        self._granted = frozenset()
        self._accepted = False
        self._awaiting = True
        self._unanswered = not self._v4 and not stumbled
        # Both in one write, before any answer: a server of plain v4 must not cost a round trip.
        return [Send(self._hello), Send(login)] if self._unanswered else [Send(login)]

    def greeted(self, message: Hello) -> Note:
        """The server answers x-hello. Families that were not asked for are ignored."""
        # What was not asked for cannot be used, whatever a server grants.
        self._granted = frozenset(family for family in self._families if family.value in message.families)
        self._unanswered = False
        self._greeted_before = True
        return Note("extensions granted", {"families": sorted(self._granted)}, Level.DEBUG)

    def answered(self, message: LoginResponse) -> list[Effect]:
        """The server answers the login. Returns what to do about it; empty when the client is in."""
        self._unanswered = self._awaiting = False
        if message.error is not None:
            # The reason came in a message of its own, just before.
            if self._reason is None:
                return self._refusals.refused(message.error, self._accepted_before)
            if self._reason.code is RefusalReason.INVALID_PLAYER:
                return self._refusals.unproven(self._reason.text)
            # Until a kept nick is free; other waits are none of a login.
            wait_s = self._reason.wait_s if self._reason.code is RefusalReason.DUPLICATE_USER else 0.0
            return self._refusals.refused(message.error, self._accepted_before, wait_s, self._reason.text)
        missing = sorted(self._needed - self._granted)
        if missing:
            note = Note("the server cannot do what is needed here", {"needed": missing}, Level.ERROR)
            # What is needed cannot be done without, such as states of its own for each hand: better not to begin.
            return [note, Send(Logout()), Finish(1, FAREWELL_S)]
        self._accepted = self._accepted_before = True
        return []

    def explained(self, message: Failed) -> Note | None:
        """Why the login is refused; comes before the refusal. None for any other message."""
        # With a ref it answers some other request.
        if not self._awaiting or message.ref:
            return None
        self._reason = message
        fields: dict[str, object] = {"text": message.text}
        if message.code is RefusalReason.INVALID_PLAYER:
            return Note("name is not proven", fields, Level.DEBUG)
        if message.code is RefusalReason.DUPLICATE_USER and message.wait_s > 0:
            return Note("nick is kept", {"wait_s": message.wait_s, **fields}, Level.DEBUG)
        return Note("login is refused", fields, Level.DEBUG)

    def overdue(self) -> list[Effect]:
        """The login has not been answered for :data:`ANSWER_LIMIT_S` seconds. Returns what to do about it."""
        # No answer will follow on this connection.
        self._awaiting = False
        if self._may_have_stumbled:
            reason = "a server of plain v4 may have stumbled over x-hello; --v4 leaves it out and saves this wait"
            again = [Reconnect(0)]
            event = "no answer to the login, trying again as plain v4"
        else:
            reason = "what listens there may be no UGS server, or one that is overloaded; check host and port"
            again = [Reconnect()]
            event = "no answer to the login"
        return [Note(event, {"reason": reason, "after_s": ANSWER_LIMIT_S}, Level.WARNING), *again]

    @property
    def _may_have_stumbled(self) -> bool:
        """Whether ``x-hello`` may be why the present or the last connection has come to nothing."""
        # Once a server has shown that it knows extensions, a hang-up has other reasons. What needs them never goes
        # without.
        return self._unanswered and not self._greeted_before and not self._needed

    def complained(self, message: Error) -> Note:
        """Handle an ``error``. As the answer to x-hello it only means that the server speaks plain v4."""
        # The login is still to be answered: an error is how plain v4 refuses x-hello.
        if self._unanswered:
            return Note("the server knows no extensions", {"text": message.text}, Level.DEBUG)
        return Note("error from the server", {"text": message.text}, Level.WARNING)


class Caller:
    """A client that logs in at a server: a master or a bot."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    @property
    def accepted(self) -> bool:
        """Whether the login on the present connection was accepted."""
        return self._entry.accepted

    @property
    def awaiting(self) -> bool:
        """Whether the login on the present connection has not been answered."""
        return self._entry.awaiting

    def overdue(self) -> list[Effect]:
        """The server has not answered the login in time. Returns what to do about it."""
        return self._entry.overdue()
