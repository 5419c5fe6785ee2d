"""The replay of a recorded game against one of its players: are its moves the same, and how long does it take now?"""

from dataclasses import dataclass

import trio

from ugs.broker.verdict import LINE_LOST, Cause
from ugs.record.escapes import escape_body
from ugs.record.game import GameRecord
from ugs.replay.comparison import Similarity, similarity
from ugs.replay.dialogue import Dialogue, NoMessage
from ugs.replay.script import AwaitEnd, AwaitMove, AwaitThanks, PlayerStep, SendStep, renamed
from ugs.wire.messages import (
    ChampionRow,
    ChampionsList,
    Error,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLogin,
    ThankYou,
)


@dataclass(frozen=True, slots=True)
class Compared:
    """One action of the player, recorded and now. Times in microseconds, network included."""

    number: int
    """The number of the move in the game; 0 for an action that is not a move."""
    similarity: Similarity
    recorded: str
    recorded_us: int
    now: str
    now_us: int | None
    """None when the player did nothing."""


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """The result of a replay."""

    compared: tuple[Compared, ...]
    failure: str = ""
    """Why the replay did not reach the end; empty when it did."""
    notes: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the player did what is in the record; payloads may be written differently."""
        return not self.failure and all(one.similarity is not Similarity.DIFFERENT for one in self.compared)


LAST_WORDS: dict[Cause, type[Message] | NoMessage] = {
    Cause.LEFT: LeaveGame,
    Cause.LOGOUT: Logout,
    **dict.fromkeys(LINE_LOST, NoMessage.CLOSED),
    Cause.TIMEOUT: NoMessage.SILENT,
}
"""What the server receives from a player that leaves the game for this cause."""


class PlayerReplay:
    """The replay of one game for one player, step by step."""

    def __init__(self, dialogue: Dialogue, record: GameRecord, nick: str, script: list[PlayerStep]) -> None:
        self._dialogue = dialogue
        self._record = record
        self._nick = nick
        self._script = script
        self._names: dict[str, str] = {}
        self._compared: list[Compared] = []
        self._sent_at = 0.0

    async def run(self) -> PlayerReport:
        """Replay the game to its end, or until the player does not continue, then send the player that the server
        stops. A player that does not log in has failed."""
        login = await self._dialogue.login(PlayerLogin)
        if isinstance(login, NoMessage):
            return self._report(f"the player {login.value} and had not logged in")
        self._note_login(login)
        # A record holds no standings.
        rows = tuple(ChampionRow(self._names.get(nick, nick), 0, 0) for nick in sorted(self._record.seats))
        await self._send(ChampionsList(rows))
        failure = ""
        for step in self._script:
            failure = await self._do(step)
            if failure:
                break
        await self._dialogue.goodbye()
        return self._report(failure)

    def _note_login(self, login: PlayerLogin) -> None:
        """Note how the login differs from the record. A player with another nick swaps nicks with the seat that had
        it."""
        if login.nick is not None and login.nick != self._nick:
            self._names = {self._nick: login.nick, login.nick: self._nick}
            self._note(f"it logs in as {login.nick!r} and plays for {self._nick!r}")
        if login.game_type != self._record.game_type:
            self._note(f"it plays {login.game_type!r}, the record is of {self._record.game_type!r}")

    async def _send(self, message: Message) -> None:
        await self._dialogue.send(renamed(message, self._names))
        # From here on the player may think.
        self._sent_at = trio.current_time()

    async def _do(self, step: PlayerStep) -> str:
        """Carry out one step. Returns why the replay ends here, or an empty text."""
        match step:
            case SendStep():
                await self._send(step.message)
                return ""
            case AwaitMove():
                return await self._await_move(step)
            case AwaitEnd():
                return await self._await_end(step)
            case AwaitThanks():
                return await self._await_thanks()

    async def _await_move(self, step: AwaitMove) -> str:
        message = await self._act()
        now_us = self._since()
        recorded = escape_body(step.payload)
        if isinstance(message, Move):
            alike = similarity(step.payload, message.payload)
            now = escape_body(message.payload)
            self._compared.append(Compared(step.number, alike, recorded, step.took_us, now, now_us))
            return ""
        now = _in_words(message)
        self._compared.append(Compared(step.number, Similarity.DIFFERENT, recorded, step.took_us, now, None))
        return f"event {step.event}: instead of move {step.number} the player {now}{self._limit(message)}"

    async def _await_end(self, step: AwaitEnd) -> str:
        message = await self._act()
        now_us = None if isinstance(message, NoMessage) else self._since()
        expected = LAST_WORDS.get(step.cause)
        same = message is expected if isinstance(expected, NoMessage) else type(message) is expected
        alike = Similarity.SAME if same else Similarity.DIFFERENT
        now = escape_body(message.payload) if isinstance(message, Move) else _in_words(message)
        self._compared.append(Compared(0, alike, f"out: {step.cause}", step.took_us, now, now_us))
        return ""

    async def _await_thanks(self) -> str:
        deadline = self._dialogue.deadline()
        while True:
            message = await self._dialogue.receive(deadline)
            if isinstance(message, NoMessage):
                return f"after the end of the game the player {_in_words(message)}{self._limit(message)}: no thank you"
            if isinstance(message, ThankYou | Logout | Error):
                return ""
            self._note(f"{message.TYPE} after the end of the game")

    async def _act(self) -> Message | NoMessage:
        """The next action of the player in the game."""
        deadline = self._dialogue.deadline()
        while True:
            message = await self._dialogue.receive(deadline)
            if isinstance(message, Error):
                self._note(f"the player reports an error: {message.text}")
            elif isinstance(message, Move | LeaveGame) and message.game_id != self._record.game_id:
                self._note(f"{message.TYPE} of another game: {message.game_id!r}")
            elif isinstance(message, Move | LeaveGame | Logout | NoMessage):
                return message
            else:
                self._note(f"{message.TYPE} is not a message of a player in its turn")

    def _since(self) -> int:
        return round((trio.current_time() - self._sent_at) * 1_000_000)

    def _limit(self, message: Message | NoMessage) -> str:
        return f" ({self._dialogue.timeout_s:g} s)" if message is NoMessage.SILENT else ""

    def _note(self, text: str) -> None:
        self._dialogue.notes.append(text)

    def _report(self, failure: str) -> PlayerReport:
        return PlayerReport(tuple(self._compared), failure, tuple(self._dialogue.notes))


def _in_words(message: Message | NoMessage) -> str:
    return message.value if isinstance(message, NoMessage) else f"sent {message.TYPE}"
