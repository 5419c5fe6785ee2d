"""A place in a log, and what may come next there."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from game_masters.catan.message.events import Event
from game_masters.catan.message.message import Message, Null, Other
from game_masters.catan.message.messages import GameElements, GameServerText, GameState, StartGame, Turn
from game_masters.catan.message.vocabulary import GameElement, Phase

_SKIPPED: Final = frozenset({"SOCGameTextMsg", "SOCChangeFace", "SOCUndoNotAllowedReasonText"})

M = TypeVar("M", bound=Message)


class NoMatch(Exception):
    """Something else comes."""


class Cursor:
    """A place in the events of a game, with the state and the current player there."""

    def __init__(self, events: Sequence[Event], *, full: bool) -> None:
        self.events = events
        self.full = full
        self.at = 0
        self.taken = 0
        """Behind the last event that was taken: texts for people may stand between that and ``at``."""
        self.state = 0
        self.current = -1

    def begin_at(self, start: int) -> None:
        """Go behind the event of this number, and take in the events up to it."""
        while self.at <= start:
            self.step()

    def memory(self) -> tuple[int, int, int]:
        """Return what :meth:`back` needs to come back here."""
        return self.taken, self.state, self.current

    def back(self, at: int, memory: tuple[int, int, int]) -> None:
        """Come back."""
        self.at = at
        self.taken, self.state, self.current = memory

    def step(self) -> Message:
        """Take one event of any kind."""
        message = self.events[self.at].message
        self.at += 1
        self.taken = self.at
        match message:
            case GameState():
                self.state = message.state
            case Turn():
                self.state, self.current = message.state, message.seat
            case StartGame(state) if state is not None:
                self.state = state
            case GameElements():
                for element, value in message.elements:
                    if element == GameElement.CURRENT_PLAYER:
                        self.current = value
        return message

    def skip(self) -> None:
        """Go past texts for people."""
        while self.at < len(self.events) and _is_skipped(self.events[self.at].message):
            self.at += 1

    def peek(self) -> Event | None:
        """Return the next event that counts."""
        self.skip()
        return self.events[self.at] if self.at < len(self.events) else None

    def sees(self, kind: type[M], such: Callable[[M], bool] | None = None, *, client: bool = False) -> bool:
        """Whether the next event is such a message, of a client or of the server."""
        event = self.peek()
        return (
            event is not None
            and event.audience.from_client == client
            and isinstance(event.message, kind)
            and (such is None or such(event.message))
        )

    def take(self, kind: type[M], such: Callable[[M], bool] | None = None) -> M:
        """Take such a message of the server. Raises NoMatch."""
        if not self.sees(kind, such):
            raise NoMatch
        message = self.step()
        assert isinstance(message, kind)
        return message

    def maybe(self, kind: type[M], such: Callable[[M], bool] | None = None) -> M | None:
        """Take such a message of the server if it comes next."""
        return self.take(kind, such) if self.sees(kind, such) else None

    def asks(self, kind: type[M], such: Callable[[M], bool] | None = None) -> M | None:
        """Take such a request of a client: in a full log it must come; in a view there is none. Raises NoMatch."""
        if not self.full:
            return None
        if not self.sees(kind, such, client=True):
            raise NoMatch
        message = self.step()
        assert isinstance(message, kind)
        return message

    @property
    def sender(self) -> int:
        """The seat of the next event, if it is a request; -1 otherwise."""
        event = self.peek()
        if event is None or not event.audience.from_client or not event.audience.seats:
            return -1
        return event.audience.seats[0]

    def over(self) -> bool:
        """Take the two messages that end a game, if they come next."""
        begin, memory = self.at, self.memory()
        # The server names the winner as the current player.
        if self.maybe(GameElements, _names_winner) and self.maybe(GameState, _is_over):
            return True
        self.back(begin, memory)
        return False


def _names_winner(message: GameElements) -> bool:
    return [element for element, _ in message.elements] == [GameElement.CURRENT_PLAYER]


def _is_over(message: GameState) -> bool:
    return message.state == Phase.OVER


def _is_skipped(message: Message) -> bool:
    return isinstance(message, GameServerText | Null) or (isinstance(message, Other) and message.name in _SKIPPED)
