"""The replay of a recorded game against a master: does it give the same states, and show each player the same?"""

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from ugs.record.game import GameRecord
from ugs.record.narration import labels_of
from ugs.replay.comparison import Similarity, difference, similarity
from ugs.replay.dialogue import Dialogue, NoMessage
from ugs.replay.script import AwaitMissing, AwaitRemoval, AwaitState, MasterStep, SendStep, for_families
from ugs.wire.extensions import Because, Failed, Family, Labels, Offers, Rejoined, Sketch, Views
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameMasterLogin,
    GameState,
    Message,
    PlayerLeftGame,
    PlayerResult,
)

FAMILIES: Final = (
    Family.VIEWS, Family.TABLE, Family.MOVERS, Family.RESTORE, Family.REJOIN, Family.REASON, Family.SKETCH
)  # fmt: skip
"""The families that are granted to a master that asks for them."""
NOTHING: Final = b"<gameState/>"

Answer: TypeAlias = GameState | Views | PlayerLeftGame | Failed
"""A message of a master about a game that continues or ends the game."""


@dataclass(frozen=True, slots=True)
class MasterReport:
    """The result of a replay."""

    equal: int
    """The number of states that were as recorded."""
    states: int
    """The number of states in the record."""
    difference: tuple[str, ...] = ()
    """The first difference, as lines; empty when there is none."""
    failed: bool = False
    """Whether the difference is that the master did not answer at all."""
    notes: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the master did what is in the record."""
        return not self.difference


class MasterReplay:
    """The replay of one game, step by step."""

    def __init__(self, dialogue: Dialogue, record: GameRecord, script: list[MasterStep]) -> None:
        self._dialogue = dialogue
        self._record = record
        self._script = script
        self._labels = {labels_of(entry) for entry in record.entries if entry.text} - {()}
        self._gone: set[str] = set()
        self._equal = 0
        self._failed = False

    async def run(self) -> MasterReport:
        """Replay the game to its end or to the first difference, then send the master that the server stops. A master
        that does not log in has failed."""
        login = await self._dialogue.login(GameMasterLogin, FAMILIES)
        if isinstance(login, NoMessage):
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
        """Carry out one step. Returns the lines of a difference, empty if there is none."""
        if isinstance(step, SendStep):
            await self._send(step.message)
            return []
        if isinstance(step, AwaitMissing):
            return await self._missing(step)
        awaited = f"state {step.number}" if isinstance(step, AwaitState) else f"playerLeftGame of {step.nick!r}"
        where = f"event {step.event}: {awaited}"
        message = await self._answer()
        if isinstance(message, NoMessage):
            self._failed = True
            limit = f" ({self._dialogue.timeout_s:g} s)" if message is NoMessage.SILENT else ""
            return [f"{where} is missing: the master {message.value}{limit}"]
        if isinstance(step, AwaitRemoval):
            if message != PlayerLeftGame(step.nick, self._record.game_id):
                return [f"{where} is missing", f"now: {_in_words(message)}"]
            self._gone.add(step.nick)
            return []
        wrong = state_difference(step, message, self._record.seats)
        if wrong:
            return [f"{where} differs", *wrong]
        self._equal += 1
        return []

    async def _missing(self, step: AwaitMissing) -> list[str]:
        """See whether the master answers now what it did not. Returns the lines of what it does in place of that."""
        message = await self._answer()
        if isinstance(message, NoMessage | Failed):
            self._failed = True
            now = f"the master {message.value}" if isinstance(message, NoMessage) else _in_words(message)
            return [f"event {step.event} has no answer, as in the game: {now}"]
        self._note(f"event {step.event}: the record has no answer, since the master failed; now it gives one")
        return []

    async def _send(self, message: Message) -> None:
        if isinstance(message, PlayerLeftGame):
            self._gone.add(message.nick)
        elif isinstance(message, Rejoined):
            self._gone.discard(message.nick)
        granted = for_families(message, self._dialogue.families)
        if isinstance(granted, BeginGame) and isinstance(message, BeginGame):
            for name in ("options", "seats", "seed", "setup"):
                if getattr(granted, name) != getattr(message, name):
                    self._note(f"the record has {name}, but the master did not ask for it")
        await self._dialogue.send(granted)

    async def _answer(self) -> Answer | NoMessage:
        """The next message about the game that the server would have accepted."""
        deadline = self._dialogue.deadline()
        while True:
            message = await self._dialogue.receive(deadline)
            if isinstance(message, NoMessage):
                return message
            if isinstance(message, Error):
                self._note(f"the master reports an error: {message.text}")
            elif isinstance(message, Offers | Because | Sketch):  # games, reasons and pictures are not compared
                continue
            elif not isinstance(message, Answer | Labels):
                self._note(f"{message.TYPE} is not a message of a master in a game")
            elif message.game_id != self._record.game_id:
                self._note(f"{message.TYPE} of another game: {message.game_id!r}")
            elif isinstance(message, Labels):
                if self._labels and message.seats not in self._labels:
                    self._note("it names the seats differently than recorded")
            elif gone := next((nick for nick in _movers(message) if nick in self._gone), None):
                # The state crossed the departure: the server refused it then, so the record does not have it.
                await self._dialogue.send(Error(f"{message.TYPE}: nextPlayer nick {gone!r}: has left"))
            elif not (isinstance(message, PlayerLeftGame) and message.nick in self._gone):
                return message

    def _too_much(self, messages: list[Message]) -> list[str]:
        """The lines of a difference if the master sent another state after the end of the game."""
        last = self._script[-1]
        over = isinstance(last, AwaitState) and last.state.game_over is not None
        for message in messages:
            if over and isinstance(message, GameState | Views) and message.game_id == self._record.game_id:
                return [f"after event {last.event}, the end of the game: one more state", f"now: {_in_words(message)}"]
        return []

    def _note(self, text: str) -> None:
        self._dialogue.notes.append(text)

    def _report(self, wrong: list[str], *, failed: bool = False) -> MasterReport:
        states = sum(isinstance(step, AwaitState) for step in self._script)
        return MasterReport(self._equal, states, tuple(wrong), failed, tuple(self._dialogue.notes))


def state_difference(recorded: AwaitState, now: Answer, seats: Container[str]) -> list[str]:
    """The lines where two answers of a master differ.

    The order of the results does not matter, nor do results of nicks that are not in ``seats``.
    """
    state = recorded.state
    if not isinstance(now, GameState | Views):
        return [f"recorded: {_turn(recorded.movers, state.game_over)}", f"now:      {_in_words(now)}"]
    over = tuple(one for one in now.game_over or () if one.nick in seats)
    lines: list[str] = []
    if recorded.movers != _movers(now) or _sorted(state.game_over or ()) != _sorted(over):
        lines += [
            f"recorded: {_turn(recorded.movers, state.game_over)}",
            f"now:      {_turn(_movers(now), over)}",
        ]
    own = {view.nick: view.payload for view in now.views} if isinstance(now, Views) else {"": now.payload}
    public = own.get("", NOTHING)
    lines += _payloads(state.payload, public)
    for nick, payload in {**dict.fromkeys(recorded.others, state.payload), **recorded.views}.items():
        shown = own.get(nick, public)
        if (payload, shown) != (state.payload, public):  # otherwise it was compared above
            lines += _payloads(payload, shown, f"what {nick} is shown:")
    return lines


def _payloads(recorded: bytes, now: bytes, about: str = "") -> Iterator[str]:
    alike = similarity(recorded, now)
    if alike is Similarity.SAME:
        return
    if about:
        yield about
    yield from difference(recorded, now)
    if alike is Similarity.WRITING:
        yield f"the payloads are {alike}"


def _movers(message: Answer) -> tuple[str, ...]:
    """The nicks that may move after this message."""
    if isinstance(message, Views):
        return message.next_players
    return (message.next_player,) if isinstance(message, GameState) and message.next_player is not None else ()


def _sorted(results: tuple[PlayerResult, ...]) -> list[tuple[str, str]]:
    return sorted((one.nick, one.result.value) for one in results)


def _turn(movers: tuple[str, ...], results: tuple[PlayerResult, ...] | None) -> str:
    if movers:
        return f"{', '.join(movers)} {'is' if len(movers) == 1 else 'are'} to move"
    return "game over: " + ", ".join(f"{one.nick} {one.result.value}" for one in results or ())


def _in_words(message: Answer) -> str:
    if isinstance(message, PlayerLeftGame):
        return f"the master takes {message.nick} out"
    if isinstance(message, Failed):
        return f"the master gives the game back: {message.text}"
    return f"a state: {_turn(_movers(message), tuple(message.game_over or ()))}"
