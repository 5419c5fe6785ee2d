"""A recorded game led once more by a master: are its states the same?"""

from dataclasses import dataclass

from ugs.record.game import GameRecord
from ugs.replay.comparing import Likeness, difference, likeness
from ugs.replay.dialogue import Dialogue, Quiet
from ugs.replay.script import AwaitRemoval, AwaitState, MasterStep, Tell
from ugs.wire.messages import Error, GameMasterLogin, GameState, Message, PlayerLeftGame


@dataclass(frozen=True, slots=True)
class MasterReport:
    """What came of it."""

    equal: int
    """States that were as recorded."""
    states: int
    """States in the record."""
    difference: tuple[str, ...] = ()
    """What differed first, in lines; empty when nothing did."""
    failed: bool = False
    """Whether what differed is that the master did not answer at all."""
    notes: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the master did what the record says."""
        return not self.difference


class MasterReplay:
    """The replay of one game, step by step."""

    def __init__(self, dialogue: Dialogue, record: GameRecord, script: list[MasterStep]) -> None:
        self._dialogue = dialogue
        self._record = record
        self._script = script
        self._gone: set[str] = set()
        self._equal = 0
        self._failed = False

    async def run(self) -> MasterReport:
        """Play it to its end, or to the first difference; the master is told that the server stops."""
        login = await self._dialogue.login(GameMasterLogin)
        if isinstance(login, Quiet):
            return self._report([f"the master {login.value} and had not logged in"], failed=True)
        if login.game_type != self._record.game_type:
            self._note(f"it leads games of type {login.game_type!r}, the record is of {self._record.game_type!r}")
        for step in self._script:
            wrong = await self._do(step)
            if wrong:
                await self._dialogue.goodbye()
                return self._report(wrong, failed=self._failed)
        return self._report(self._too_much(await self._dialogue.goodbye()))

    async def _do(self, step: MasterStep) -> list[str]:
        """One step; what differs."""
        if isinstance(step, Tell):
            if isinstance(step.message, PlayerLeftGame):
                self._gone.add(step.message.nick)
            await self._dialogue.send(step.message)
            return []
        awaited = f"state {step.number}" if isinstance(step, AwaitState) else f"playerLeftGame of {step.nick!r}"
        where = f"event {step.event}: {awaited}"
        message = await self._answer()
        if isinstance(message, Quiet):
            self._failed = True
            limit = f" ({self._dialogue.timeout_s:g} s)" if message is Quiet.SILENT else ""
            return [f"{where} is missing: the master {message.value}{limit}"]
        if isinstance(step, AwaitRemoval):
            if message != PlayerLeftGame(step.nick, self._record.game_id):
                return [f"{where} is missing", f"now: {_in_words(message)}"]
            self._gone.add(step.nick)
            return []
        wrong = state_difference(step.state, message)
        if wrong:
            return [f"{where} differs", *wrong]
        self._equal += 1
        return []

    async def _answer(self) -> GameState | PlayerLeftGame | Quiet:
        """The next thing that the master says about the game and that the server would have listened to."""
        deadline = self._dialogue.deadline()
        while True:
            message = await self._dialogue.hear(deadline)
            if isinstance(message, Quiet):
                return message
            if isinstance(message, Error):
                self._note(f"the master reports an error: {message.text}")
            elif not isinstance(message, GameState | PlayerLeftGame):
                self._note(f"{message.TYPE} is nothing that a master says in a game")
            elif message.game_id != self._record.game_id:
                self._note(f"{message.TYPE} of another game: {message.game_id!r}")
            elif isinstance(message, GameState) and message.next_player in self._gone:
                # The state crossed with the departure: it was refused then, and is not in the record.
                await self._dialogue.send(Error(f"gameState: nextPlayer nick {message.next_player!r}: has left"))
            elif not (isinstance(message, PlayerLeftGame) and message.nick in self._gone):
                return message

    def _too_much(self, messages: list[Message]) -> list[str]:
        """A state after the end of the game is one too many."""
        last = self._script[-1]
        over = isinstance(last, AwaitState) and last.state.game_over is not None
        for message in messages:
            if over and isinstance(message, GameState) and message.game_id == self._record.game_id:
                return [f"after event {last.event}, the end of the game: one more state", f"now: {_in_words(message)}"]
        return []

    def _note(self, text: str) -> None:
        self._dialogue.notes.append(text)

    def _report(self, wrong: list[str], *, failed: bool = False) -> MasterReport:
        states = sum(isinstance(step, AwaitState) for step in self._script)
        return MasterReport(self._equal, states, tuple(wrong), failed, tuple(self._dialogue.notes))


def state_difference(recorded: GameState, now: GameState | PlayerLeftGame) -> list[str]:
    """What is not the same in two answers of a master; the order of results does not matter."""
    if isinstance(now, PlayerLeftGame):
        return [f"recorded: {_turn(recorded)}", f"now:      {_in_words(now)}"]
    lines: list[str] = []
    same_results = (recorded.game_over is None) == (now.game_over is None) and sorted(
        (one.nick, one.result.value) for one in recorded.game_over or ()
    ) == sorted((one.nick, one.result.value) for one in now.game_over or ())
    if recorded.next_player != now.next_player or not same_results:
        lines += [f"recorded: {_turn(recorded)}", f"now:      {_turn(now)}"]
    alike = likeness(recorded.payload, now.payload)
    if alike is not Likeness.SAME:
        lines += difference(recorded.payload, now.payload)
    if alike is Likeness.WRITING:
        lines.append(f"the payloads are {alike}")
    return lines


def _turn(state: GameState) -> str:
    if state.game_over is None:
        return f"{state.next_player} is to move"
    return "game over: " + ", ".join(f"{one.nick} {one.result.value}" for one in state.game_over)


def _in_words(message: GameState | PlayerLeftGame) -> str:
    if isinstance(message, PlayerLeftGame):
        return f"the master takes {message.nick} out"
    return f"a state: {_turn(message)}"
