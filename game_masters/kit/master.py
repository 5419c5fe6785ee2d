"""A game master without I/O: takes in the broker's messages and returns what to do, for many games at once.

It knows the protocol and the interface of a game, and no particular game; :mod:`game_masters.kit.leading` handles a
single game. It does not trust its input: unknown ids, impossible games and bad moves become notes in the log, and a bug
in one game's rules ends that game only.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import singledispatchmethod
from typing import Final, Generic

from game_masters.kit.client import Effect, Level, Note, Send
from game_masters.kit.entry import Caller, Entry
from game_masters.kit.fixture import Fixture, read_fixture
from game_masters.kit.leading import Leading, PayloadCheck, replay
from game_masters.kit.puzzles import PUZZLE, Puzzle, as_game, chosen_puzzle, number_of_puzzles
from game_masters.kit.resuming import RESUME, NoShelf, Shelf, resumed
from game_masters.kit.rules import AnyGame, BadFixture, Game, Kept, M, Options, V
from game_masters.kit.seating import Chance, Impossible, offers, seat, written
from game_masters.kit.showing import Manner
from ugs.peer import TO_SERVER, check_acceptable
from ugs.wire.extensions import (
    Failed,
    Family,
    Hello,
    Moved,
    OfferedOption,
    Ping,
    Pong,
    RefusalReason,
    Rejoined,
    Restore,
    Ruled,
    Stop,
)
from ugs.wire.messages import (
    BeginGame,
    Error,
    Extension,
    GameMasterLogin,
    LoginResponse,
    Message,
    Move,
    PlayerLeftGame,
    ServerShutdown,
)

STOPPED: Final[Mapping[str, str]] = {
    "CANCELLED": "the player who had set up its table ended it or left",
    "NOT_VIABLE": "too few players were left at its table",
    "INACTIVE": "no player at its table had done anything for long",
    "VOIDED": "the organiser ended it",
}
"""The words of ``x-stop`` that do not explain themselves."""


class Master(Caller, Generic[M, V]):
    """The master of one game. Give its methods to :func:`game_masters.kit.run.run`.

    ``chance`` makes the random numbers of a game from its id, if the server gives no seed for it; players must not be
    able to guess them. With ``v4`` the master asks for no extension. It then cannot lead a game that hides information
    with these ``options``; the same holds on a server that does not show each player a state of its own. If only other
    options would hide information, the master does not offer them there and declines a game with them.
    ``max_message_bytes`` is the server's setting of that name: a game with a longer state is given up. Every game
    begins from the ``fixture``, if there is one; it must fit these options. A server that cannot keep it is left.
    ``token`` is that of its id, if it has one. On the ``shelf`` lie games that their players go on with another time.
    """

    def __init__(
        self,
        game: Game[M, V],
        options: Options,
        *,
        id: str,
        chance: Callable[[str], random.Random],
        game_type: str | None = None,
        check: PayloadCheck | None = None,
        v4: bool = False,
        max_message_bytes: int = TO_SERVER.max_message_bytes,
        fixture: Fixture | None = None,
        token: str = "",
        shelf: Shelf | None = None,
    ) -> None:
        self._game = game
        self._options = options
        self._fixture = fixture
        least, most = (game.players.min, game.players.max) if fixture is None else (fixture.players,) * 2
        self._login = GameMasterLogin(id, game_type or game.game_type, str(least), str(most))
        self._chance = chance
        self._shelf = shelf if shelf is not None else NoShelf()
        self._resumes = shelf is not None and game.conduct.kept is not None
        # A puzzle has a fixture of its own, so a master with another one offers none.
        self._puzzles = number_of_puzzles(game) if fixture is None else 0
        self._check = check
        self._limits = replace(TO_SERVER, max_message_bytes=max_message_bytes)
        needed = frozenset({Family.VIEWS} if game.hides(options) else ())
        if fixture is not None:
            needed |= {Family.TABLE, Family.RESTORE}  # with these the server keeps it, and hands it on
        super().__init__(Entry(f"ugs master {game.name}", id, tuple(_wanted(game)), needed=needed, v4=v4, token=token))
        self._running: dict[str, Leading[M, V]] = {}
        self._shutdown = False

    @property
    def satisfied(self) -> bool:
        """Whether the server has announced that it stops."""
        return self._shutdown

    @property
    def running(self) -> int:
        """The number of games being led."""
        return len(self._running)

    def connected(self) -> list[Effect]:
        """Log in. Games of an earlier connection are void, or will be handed over again."""
        self._running.clear()
        # After a lost connection the server hands games over again, to this master or another one.
        self._shutdown = False
        return self._entry.calls(self._login)

    def nudged(self) -> list[Effect]:
        """Return nothing: a master waits for games, and the server knows how many."""
        return []

    def interrupted(self) -> list[Effect]:
        """Return nothing: closing the connection is a master's good-bye."""
        return [Note("stopped", {"games": len(self._running)})]

    def received(self, message: Message) -> list[Effect]:
        """Handle a message. Never raises: a bug in the rules ends only the game where it occurs, and so does a state
        that the server would answer by closing the connection, with all games on it."""
        try:
            effects = self._answer(message)
            # Checked before anything is sent: a document beyond its limits makes the server close the connection.
            for effect in effects:
                if isinstance(effect, Send):
                    check_acceptable(effect.message, self._limits)
            return effects
        except Exception as bug:
            game_id = getattr(message, "game_id", "")
            # Whatever is wrong, it is one game: the others on this connection go on.
            self._running.pop(game_id, None)
            note = Note("game given up", {"game": game_id, "after": message.TYPE}, Level.ERROR, bug)
            # With a word for it the server need not wait for us, nor its players.
            if game_id and any(map(self._entry.may, (Family.TABLE, Family.RESTORE, Family.REASON))):
                return [note, Send(_failed(game_id, "its program has failed"))]
            return [note, Send(Error(f"game {game_id}: the game master failed and gives this game up"))]

    @singledispatchmethod
    def _answer(self, message: Message) -> list[Effect]:
        return [Note("unexpected message", {"type": message.TYPE}, Level.WARNING)]

    @_answer.register
    def _extension(self, message: Extension) -> list[Effect]:
        return [Note("unexpected message", {"type": message.TYPE}, Level.DEBUG)]

    @_answer.register
    def _greeted(self, message: Hello) -> list[Effect]:
        return [self._entry.greeted(message)]

    @_answer.register
    def _failed(self, message: Failed) -> list[Effect]:
        answer = self._entry.explained(message)
        return [answer if answer is not None else Note("unexpected message", {"type": message.TYPE}, Level.DEBUG)]

    @_answer.register
    def _login_answered(self, message: LoginResponse) -> list[Effect]:
        effects = self._entry.answered(message)
        if not self._entry.accepted:
            return effects
        note = Note("logged in", {"id": self._login.id, "game_type": self._login.game_type})
        if not self._entry.may(Family.TABLE):
            return [note]
        setup = self._fixture.text if self._fixture is not None else ""
        offered = offers(self._game, self._options, secrets=self._entry.may(Family.VIEWS), setup=setup)
        if self._puzzles:
            offered = replace(
                offered, options=(*offered.options, OfferedOption(PUZZLE, "0", least=0, most=self._puzzles))
            )
        if self._resumes:
            # Offered as an empty text: only who has the code of a kept game can name one.
            offered = replace(offered, options=(*offered.options, OfferedOption(RESUME, "")))
        return [note, Send(offered)]

    @_answer.register
    def _begin(self, message: BeginGame) -> list[Effect]:
        if message.game_id in self._running:
            note = Note("impossible game", {"game": message.game_id, "reason": "is running already"}, Level.WARNING)
            return [note, Send(Error(f"beginGame {message.game_id}: is running already"))]
        try:
            leading = self._set_up(message)
        except Impossible as why:
            note = Note("impossible game", {"game": message.game_id, "reason": str(why)}, Level.WARNING)
            # A server that knows tables takes a refusal in words; plain v4 knows an error only.
            if self._entry.may(Family.TABLE):
                return [note, Send(_failed(message.game_id, str(why)))]
            return [note, Send(Error(f"beginGame {message.game_id}: {why}"))]
        note = Note("game begun", leading.fields | {"players": message.players})
        return [note, *self._leads(message.game_id, leading, leading.begin())]

    @_answer.register
    def _restore(self, message: Restore) -> list[Effect]:
        try:
            if not message.seed:
                # Chance has to repeat itself exactly, which takes the seed that the game had.
                raise Impossible("there is no seed")
            leading = self._set_up(message)
            replay(leading, message.happened)
            if not any(leading.seat_of(nick) is not None for nick in message.players):
                raise Impossible("all players have left")
        except Impossible as why:
            note = Note("impossible restoration", {"game": message.game_id, "reason": str(why)}, Level.WARNING)
            return [note, Send(_failed(message.game_id, str(why)))]
        fields = leading.fields | {"players": message.players, "events": len(message.happened)}
        # Who plays what may have been lost with the other master, so it is sent again.
        answer = [*leading.labels(), *leading.resumed()]
        return [Note("game restored", fields), *self._leads(message.game_id, leading, answer)]

    @_answer.register
    def _move(self, message: Move) -> list[Effect]:
        """Handle a move of v4, which does not name its player: it belongs to the player that was asked."""
        leading = self._running.get(message.game_id)
        if leading is None:
            return [_crossed(message.TYPE, message.game_id)]
        # With several players asked, a move without a nick belongs to no one.
        (mover,) = leading.asked if len(leading.asked) == 1 else (None,)
        return self._moves(message, leading, mover)

    @_answer.register
    def _moved(self, message: Moved) -> list[Effect]:
        leading = self._running.get(message.game_id)
        if leading is None:
            return [_crossed(message.TYPE, message.game_id)]
        return self._moves(message, leading, leading.seat_of(message.nick))

    @_answer.register
    def _ruled(self, message: Ruled) -> list[Effect]:
        leading = self._running.get(message.game_id)
        if leading is None:
            return [_crossed(message.TYPE, message.game_id)]
        return self._leads(message.game_id, leading, leading.ruled(message.ruling))

    @_answer.register
    def _left(self, message: PlayerLeftGame) -> list[Effect]:
        leading = self._running.get(message.game_id)
        if leading is None:
            return [_crossed(message.TYPE, message.game_id)]
        fields = leading.fields | {"nick": message.nick}
        leaver = leading.seat_of(message.nick)
        if leaver is None:
            return [Note("a stranger left", fields, Level.WARNING)]
        return [Note("player left", fields), *self._leads(message.game_id, leading, leading.left(leaver))]

    @_answer.register
    def _rejoined(self, message: Rejoined) -> list[Effect]:
        leading = self._running.get(message.game_id)
        if leading is None:
            return [_crossed(message.TYPE, message.game_id)]
        fields = leading.fields | {"nick": message.nick}
        seat = leading.left_seat_of(message.nick)
        if seat is None:
            return [Note("a stranger comes back", fields, Level.WARNING)]
        return [
            Note("player has its seat again", fields),
            *self._leads(message.game_id, leading, leading.rejoined(seat)),
        ]

    @_answer.register
    def _stop(self, message: Stop) -> list[Effect]:
        if self._running.pop(message.game_id, None) is None:
            return [_crossed(message.TYPE, message.game_id)]
        return [Note("game over", {"game": message.game_id, "reason": f"stopped: {why_stopped(message.reason)}"})]

    @_answer.register
    def _ping(self, message: Ping) -> list[Effect]:
        return [Send(Pong(message.ref))]

    @_answer.register
    def _error(self, message: Error) -> list[Effect]:
        return [self._entry.complained(message)]

    @_answer.register
    def _server_stops(self, message: ServerShutdown) -> list[Effect]:
        self._shutdown = True
        self._running.clear()
        return [Note("server shuts down")]

    def _set_up(self, message: BeginGame | Restore) -> Leading[M, V]:
        message, puzzle = chosen_puzzle(message, self._game)
        message, kept = resumed(message, self._shelf)
        fixture = self._fixture_of(message, kept, puzzle)
        chance = self._chance_of(message.game_id, fixture.seed if fixture and fixture.seed else message.seed)
        seating = seat(self._game, self._options, message, chance, fixture)
        may = self._entry.may
        hides = self._game.hides(seating.table.options)
        # Better no game than one where each player reads all hands.
        if hides and not may(Family.VIEWS):
            chosen = ", ".join(f"{name}={value}" for name, value in written(self._game, seating.table.options).items())
            raise Impossible(f"{self._game.name} with {chosen} has hidden information, and here all see the same state")
        # Where nothing is hidden, one state for all is the same and shorter.
        manner = Manner(
            views=hides,
            movers=may(Family.MOVERS),
            table=may(Family.TABLE),
            reason=may(Family.REASON),
            sketch=may(Family.SKETCH),
            faults=may(Family.FAULTS),
        )
        game = self._game if puzzle is None else as_game(self._game, puzzle)
        return Leading(game, seating, chance, manner, self._check, self._shelf.put)

    def _fixture_of(self, message: BeginGame | Restore, kept: Kept | None, puzzle: Puzzle | None) -> Fixture | None:
        """Return the fixture that a game begins from: that of the message, or the one that was kept. Raises
        :class:`Impossible` if the server has not kept the one of this master."""
        if kept is not None or puzzle is not None:
            return self._read(kept.fixture if kept is not None else puzzle.fixture if puzzle is not None else "")
        if not message.setup:
            # Another master could not begin the same game, since it does not have this file.
            if self._fixture is not None and isinstance(message, BeginGame):
                raise Impossible("the server does not keep the fixture, so the game could not be played again")
            return None
        return self._read(message.setup)

    def _read(self, text: str) -> Fixture:
        try:
            return read_fixture(self._game, text)
        except BadFixture as error:
            raise Impossible(f"fixture: {error}") from error

    def _chance_of(self, game_id: str, seed: str) -> Chance:
        """Return the source of all random numbers of one game."""

        def chance(purpose: str) -> random.Random:
            # A purpose of its own for each use: drawing names must not change the dice.
            words = f"{seed or game_id} {purpose}" if purpose else seed or game_id
            return random.Random(words) if seed else self._chance(words)

        return chance

    def _moves(self, message: Move | Moved, leading: Leading[M, V], mover: int | None) -> list[Effect]:
        if mover is None or mover not in leading.asked:
            # The server waits for an answer all the same.
            note = Note("move of a player who is not to move", leading.fields, Level.WARNING)
            return [note, *leading.again()]
        return self._leads(message.game_id, leading, leading.moved(mover, message.payload))

    def _leads(self, game_id: str, leading: Leading[M, V], effects: list[Effect]) -> list[Effect]:
        """Remember a game that goes on, forget one that is over."""
        if leading.over:
            self._running.pop(game_id, None)
        else:
            self._running[game_id] = leading
        return effects


def _wanted(game: AnyGame) -> Iterator[Family]:
    """Return the extensions to ask for."""
    yield from (Family.TABLE, Family.RESTORE, Family.REASON, Family.FAULTS)
    if game.conduct.sketch is not None:
        yield Family.SKETCH
    if game.hidden_information:
        yield Family.VIEWS
    if game.conduct.simultaneous:
        yield Family.MOVERS
    if game.conduct.rejoins:
        yield Family.REJOIN


def why_stopped(word: str) -> str:
    """The word of x-stop for people."""
    return STOPPED.get(word, word.lower().replace("_", " "))


def _failed(game_id: str, text: str) -> Failed:
    return Failed(RefusalReason.INVALID_REQUEST, text, game_id)


def _crossed(kind: str, game_id: str) -> Note:
    """Note a message about a game that is not running: most often it ended while the message was under way."""
    return Note("no such game running", {"type": kind, "game": game_id})
