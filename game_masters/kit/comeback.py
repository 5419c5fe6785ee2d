"""How a bot comes back after a cut line: with the token of its session, and if that is over, by asking for its seat."""

from game_masters.kit.client import Level, Note
from ugs.wire.extensions import Rejoin, Resume, Session
from ugs.wire.messages import GameState

BACK = "back"
"""The reference of a request for a seat that was left."""


class Comeback:
    """The session of a bot, from one connection to the next."""

    def __init__(self, token: str | None) -> None:
        """``token`` is that of a session which an earlier start of the bot had; None if there is none to go on with."""
        self.token = token
        self.tried = False
        """True until the server has answered whether the session goes on."""
        self._lost: Rejoin | None = None
        """The request for the seat that was lost with a session, until it is sent."""
        self._resumed: Session | None = None
        """What the server sent about a session that goes on, until the state after it has come."""
        self._held: GameState | None = None
        """The last state of a game that the bot has come back to, while it waits for those before."""

    def request(self) -> Resume | None:
        """A connection is open. Return the request to go on; None if there is no session."""
        # A connection that was cut again before its first state: what was sent about the session is out of date.
        self._resumed = self._held = None
        self.tried = self.token is not None
        return Resume(self.token) if self.token is not None else None

    def has_session(self, session: Session) -> Note:
        """Take note of the session that the server has named."""
        self.token = session.token
        if session.resumed:
            self._resumed = session
        if session.resumed and session.turn is None:
            return Note("no game of the session goes on")
        return Note("session", {"grace_s": session.grace_s, "turn": session.turn}, Level.DEBUG)

    def holds(self, state: GameState, session: Session | None) -> None:
        """Hold back a state until those before it have come. ``session`` is what :meth:`first_state` has returned with
        it: it is returned with the next state again, which is this one once more."""
        self._held, self._resumed = state, session

    def releases(self) -> GameState | None:
        """Return the state that was held back, which is no longer."""
        held, self._held = self._held, None
        return held

    def admitted(self) -> bool:
        """The login is accepted. Return whether that answers the request to go on."""
        resumed, self.tried = self.tried, False
        return resumed

    def is_over(self, game_id: str) -> None:
        """The session cannot be resumed. The seat in a game, if it had one, is worth asking for."""
        self.tried = False
        # The token goes along: it proves to the server whose seat it was.
        self._lost = Rejoin(game_id, self.token or "", BACK) if game_id else None
        # A token that was refused is never tried a second time.
        self.token = None

    def lost_seat(self) -> Rejoin | None:
        """Return the request for the seat that was lost, once."""
        lost, self._lost = self._lost, None
        return lost

    def first_state(self) -> Session | None:
        """Take note of a state. Return what the server sent about a session that goes on, if this is the first state
        since."""
        resumed, self._resumed = self._resumed, None
        return resumed
