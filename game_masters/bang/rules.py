"""Bang!: a shoot-out with hidden roles and hands, for four to seven players.

The sheriff and the deputies want outlaws and renegade dead, the outlaws the sheriff, and the renegade all others, the
sheriff last. A player is asked at a time, often out of turn; a bad move costs nothing but being asked again. The rules
are those of the base game as the KBang server applies them; ``cycle/legality.py`` holds which moves are allowed,
``cycle/acting.py`` what they do.

When a player leaves, the computer player takes over its seat at once; with one player left the game is over. So it is
after very many rounds (``rounds``), and then it is drawn. A player who is asked and makes no move of the game many
times in a row (``patience``) has one made for it. While only computer players are asked, a player is asked now and
then to go on (:mod:`game_masters.bang.table.steps`).
"""

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from game_masters.bang.bots.deputy import choose as choose_as_deputy
from game_masters.bang.cards.characters import words as character_words
from game_masters.bang.cycle.acting import act
from game_masters.bang.cycle.harm import finish
from game_masters.bang.cycle.legality import Refusal, legal_moves, refusal
from game_masters.bang.messages.events import (
    SPECTATOR,
    ChatMessage,
    Command,
    Context,
    Entry,
    Event,
    Exited,
    GameUpdated,
    PlayerChanged,
    Rejected,
    Resynced,
)
from game_masters.bang.messages.moves import ACTION_NAMES, Chat, CreateGame, JoinGame, LeaveGame, Move, StartGame
from game_masters.bang.messages.words import Reason, Stage, Termination
from game_masters.bang.setup import lobby
from game_masters.bang.setup.beginning import SECRET_BYTES, Start, begin, circle
from game_masters.bang.table.circle import Player
from game_masters.bang.table.course import Course
from game_masters.bang.table.piles import Piles
from game_masters.bang.table.steps import Steps
from game_masters.bang.views.dealing import dealt_again
from game_masters.bang.views.known import Known
from game_masters.bang.views.readers import Readers, shown_to
from game_masters.bang.views.view import View
from game_masters.kit.rules import Option, Outcome, RuleBroken, State, Table, Unreadable

SHUFFLE = Option("shuffle-players", False, "the seats are shuffled before the game; otherwise as the players came")
AUTO_START = Option("auto-start", True, "no: the first player is asked to start the game, and may add computer players")
PATIENCE = Option(
    "patience", 20, "number of refused moves, chats and the like in a row until the computer moves", range(1, 101)
)
ROUNDS = Option("rounds", 100, "the game ends after this many rounds without a winner", range(10, 501))
"""The rules know no limit: players who only draw and discard could go on for ever. At random they need 67 at most."""
OPTIONS = (SHUFFLE, AUTO_START, PATIENCE, ROUNDS)

MAX_ABSENCE = 4
"""The number of states that are sent again to a seat that has not moved: each begins with a snapshot, so none is needed
twice."""
MAX_NEWS = 128
"""A seat gets at most this number of entries of the record at once; its snapshot has the result of all before them."""
MAX_PUBLIC_NEWS = 1000
"""The same for all. What spectators receive has no gap: a step is shorter, also with all the departures and
returns that a server allows in one game."""
RECENT = 8
"""The number of entries that the computer player gets when it moves for a player."""
MAX_CHAT = 500


class Refused(RuleBroken):
    """A move that is not allowed, with the reason that the protocol has for it."""

    def __init__(self, refused: Refusal, action: str) -> None:
        super().__init__(f"{refused.reason}: {refused.text}")
        self.refusal = refused
        self.action = action


class Position(State[Move, View]):
    """A game, from the lobby or the deal to its end."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        """Set the game up; with the option ``auto-start``, deal and begin."""
        # Ids of cards and choices of the program come from a secret, not from the generator that shuffles: someone who
        # sees enough numbers of a generator can predict the next ones.
        self._secret = rng.randbytes(SECRET_BYTES)
        self._start: Start = table.fixture or Start()
        self._shuffle = table.options.flag(SHUFFLE.name)
        self._patience = table.options.integer(PATIENCE.name)
        self._rounds = table.options.integer(ROUNDS.name)
        self._seats = table.seats
        self._names = table.names
        self._present = set(table.seats)
        self._programs = table.programs
        self._course = Course(circle(table.names, table.programs), Piles(rng, ()))
        self._readers = Readers(self._course.copy(), table.game_id)
        self._steps = Steps(seat for seat in table.seats if seat not in table.programs)
        self._automatic: set[int] = set()
        """The ids of the players for whom the computer player moves within these rules."""
        self._idle = 0
        """Moves in a row that were no part of the game."""
        self._add(GameUpdated(startable=True))
        if table.options.flag(AUTO_START.name):
            self._begin()

    # --- the interface of the kit ---------------------------------------------------------------------------------

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat of the player who is asked; in the lobby, that of the creator; after a long step of the program, of
        a player who is asked to go on, dead or alive."""
        if self.outcome is not None:
            return ()
        listener = self._listener
        return (self._asked.id - 1 if listener is None else listener,)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, decided by the last call that changed the state."""
        ended = self._course.ended
        if ended is None:
            return None
        winners = frozenset(one.id - 1 for one in self._course.players if one.winner)
        # Computer players that were added in the lobby have no seat: if only they win, the others have lost.
        return Outcome(ended, winners & {*self._seats}, drawn=ended is Termination.ROUNDS)

    @property
    def record(self) -> Sequence[object]:
        """All events, game events as the omniscient log has them."""
        return self._course.log.entries

    @property
    def labels(self) -> Sequence[str]:
        """The characters, and who is the sheriff; none before the game has started."""
        if self._course.stage is Stage.WAITING:
            return ()
        return [
            character_words(player.character) + (", sheriff" if player.is_sheriff else "")
            for player in map(self._player, self._seats)
            if player is not None
        ]

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """Return all moves of the game; chat, leaving and asking for a snapshot are allowed besides."""
        if seat not in self.movers:
            return ()
        if self._course.stage is Stage.WAITING:
            return lobby.legal_moves(self._course)
        if seat == self._listener:
            return (LeaveGame() if seat + 1 in self._automatic else JoinGame(),)
        return legal_moves(self._course)

    def apply(self, seat: int, move: Move) -> None:
        """Make a move, and those of players whom the computer plays. Raises Refused."""
        player = self._player(seat)
        refused = self._refusal(player, move)
        if refused is not None:
            raise Refused(refused, ACTION_NAMES[type(move)])
        assert player is not None
        # A move of the program does not prove that players have received anything.
        if seat not in self._programs:
            self._steps.begin(len(self.record))
        match move:
            case Chat() | JoinGame() | LeaveGame():
                self._aside(player, move)
            case StartGame():
                self._begin()
            case CreateGame():
                self._readers.game_name = move.name or self._readers.game_name
                self._shuffle = self._shuffle if move.shuffle is None else move.shuffle
                lobby.create(self._course, move, len(self._seats))
                self._automatic = {one.id for one in self._course.players if one.id - 1 not in self._seats}
                # A new name or number of computers does not bring the game on.
                self._lose_patience(player)
            case _:
                self._idle = 0
                act(self._course, move)
        self._play_on()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Send the player the refusal of its move, and ask it again; when its patience is used up, move for it."""
        player = self._player(seat)
        assert player is not None
        self._steps.begin(len(self.record))
        reason, action = (Reason.MALFORMED, "") if isinstance(cause, Unreadable) else (Reason.BAD_USAGE, "")
        text = str(cause)
        if isinstance(cause, Refused):
            reason, text, action = *cause.refusal, cause.action
        self._add(Rejected(player.id, action, reason, _printable(text)))
        self._lose_patience(player)
        self._play_on()

    def leave(self, seat: int) -> None:
        """Let the computer player take the seat over. The last player to stay wins."""
        self._steps.gone(seat)
        self._give_up(seat)
        self._play_on()

    def rejoin(self, seat: int) -> None:
        """Give a seat that the computer player has taken over back to its player; in the lobby, which it had left, it
        sits down again. Its next state has a snapshot like any other. If the game has started without the seat, its
        player is an onlooker."""
        player = self._player(seat)
        if player is None and self._course.stage is not Stage.WAITING:
            return
        self._present.add(seat)
        self._steps.back(seat)
        if player is not None:
            self._give_back(player)
        else:
            lobby.bring_back(self._course, Player(seat + 1, self._names[seat]), len(self._seats))

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return what the seat knew, what has happened since, and what it knows now."""
        viewer = SPECTATOR if seat is None else seat + 1
        first = max(since, len(self.record) - (MAX_PUBLIC_NEWS if seat is None else MAX_NEWS))
        return View(
            self._readers.after(self._course, viewer, first),
            shown_to(self._course, viewer, first),
            self._readers.now(self._course, viewer),
            tuple(self.legal_moves(seat)) if seat is not None else (),
        )

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """Return the events of ``record[since:]`` as the seat receives them; contexts are questions, and left out."""
        entries = shown_to(self._course, SPECTATOR if seat is None else seat + 1, since)
        return [replace(entry, commands=_happened(entry)) if isinstance(entry, Event) else entry for entry in entries]

    def resampled(self, seat: int, rng: random.Random) -> "Position":
        """Return a state with other roles, other hands and another deck, wherever this seat does not know them."""
        other = self.__deepcopy__({})
        if dealt_again(other._course, seat + 1, rng):
            other._readers = self._readers.copy({seat + 1, SPECTATOR})
        return other

    def __str__(self) -> str:
        """Return everything, including what no player may know."""
        return "\n".join(lobby.portrait(self._course))

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        """Entries, cards and moves are immutable, so a copy shares them."""
        other = copy(self)
        other._course = self._course.copy()
        other._present = set(self._present)
        other._automatic = set(self._automatic)
        other._readers = self._readers.copy()
        other._steps = self._steps.copy()
        return other

    # --- beyond the interface -------------------------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """The game itself."""
        return self._course

    @property
    def origin(self) -> Known:
        """What was known before anything happened, to begin the omniscient log with."""
        return self._readers.at_first(SPECTATOR)

    @property
    def _asked(self) -> Player:
        course = self._course
        return lobby.creator(course, self._automatic) if course.stage is Stage.WAITING else course.requested

    @property
    def _listener(self) -> int | None:
        """The seat that is asked to go on with a long step, in place of the computer player whose turn it is."""
        if self._course.stage is not Stage.PLAYING:
            return None
        asked = self._asked.id
        if asked not in self._automatic and asked - 1 not in self._programs:
            return None
        return self._steps.listener(len(self.record), self._present - {id - 1 for id in self._automatic})

    def _player(self, seat: int) -> Player | None:
        """Return the player on a seat; None if it was removed in the lobby."""
        return self._course.players.find(seat + 1)

    def _add(self, entry: Entry) -> None:
        self._course.log.entries.append(entry)

    def _begin(self) -> None:
        begin(self._course, self._secret, self._start, shuffle=self._shuffle)
        self._play_on()

    def _refusal(self, player: Player | None, move: Move) -> Refusal | None:
        if player is None or self.outcome is not None:
            return Refusal(Reason.BAD_GAME_STATE, "the game is over")
        match move:
            case Chat():
                if not 1 <= len(move.text) <= MAX_CHAT:
                    return Refusal(Reason.BAD_USAGE, f"{len(move.text)} characters; a chat has 1 to {MAX_CHAT}")
                return None
            case JoinGame():
                if move.player not in (0, player.id):
                    return Refusal(Reason.BAD_PLAYER, f"the seat of player {move.player} is not yours")
                return None
            case LeaveGame():
                return None
        if player is not self._asked:
            return Refusal(Reason.BAD_PLAYER, f"{self._asked.name} is asked, not {player.name}")
        if self._course.stage is Stage.WAITING:
            return lobby.refusal(self._course, move)
        return refusal(self._course, player, move)

    def _aside(self, player: Player, move: Chat | JoinGame | LeaveGame) -> None:
        """Do what is no part of the game itself."""
        match move:
            case Chat():
                self._add(ChatMessage(player.id, player.name, move.text))
                self._lose_patience(player)
            case JoinGame():
                if player.id in self._automatic:
                    self._present.add(player.id - 1)
                    self._give_back(player)
                self._add(Resynced(player.id))
                self._lose_patience(player)
            case LeaveGame():
                self._add(Exited(player.id))
                # Of a player who left before, the computer player has the seat already.
                if player.id not in self._automatic:
                    self._give_up(player.id - 1)

    def _lose_patience(self, player: Player) -> None:
        """Count a move that did not bring the game on; after too many the computer makes one. A player who is asked to
        go on does that with any move."""
        if self.outcome is not None or player is not self._asked:
            return
        self._idle += 1
        if self._idle >= self._patience:
            self._idle = 0
            self._move_for(player)

    def _give_up(self, seat: int) -> None:
        """Take a seat from its player."""
        self._present.discard(seat)
        player = self._player(seat)
        if player is not None and self._course.stage is Stage.WAITING:
            self._steps.gone(seat)
            lobby.remove(self._course, player)
        elif player is not None:
            self._detach(player)
        if len(self._present) == 1:
            (winner,) = self._present
            finish(self._course, Termination.OTHERS_LEFT, frozenset({winner + 1}))

    def _detach(self, player: Player) -> None:
        # Two updates, as KBang has two states: the seat is without a player, then the computer has it.
        player.controlled = False
        self._add(PlayerChanged(player.view()))
        player.controlled, player.ai = True, True
        self._add(PlayerChanged(player.view()))
        self._automatic.add(player.id)

    def _give_back(self, player: Player) -> None:
        self._automatic.discard(player.id)
        player.ai = False
        self._add(PlayerChanged(player.view()))

    def _play_on(self) -> None:
        """Move for players whom the computer plays, until another player is asked. After the last round none is
        asked."""
        while self.outcome is None and self._course.stage is Stage.PLAYING:
            if self._course.turn.number > self._rounds:
                finish(self._course, Termination.ROUNDS)
            elif self._asked.id in self._automatic and self._listener is None:
                self._move_for(self._asked)
            else:
                return

    def _move_for(self, player: Player) -> None:
        if self._course.stage is Stage.WAITING:
            lobby.start_anyway(self._course, len(self._seats))
            self._automatic = {one.id for one in self._course.players if one.id - 1 not in self._seats}
            self._begin()
            return
        # The computer chooses from what this player may know, not from the game.
        known = self._readers.now(self._course, player.id)
        recent = shown_to(self._course, player.id, max(0, len(self.record) - RECENT))
        view = View(known, recent, known, tuple(legal_moves(self._course)))
        chance = random.Random(self._secret + len(self.record).to_bytes(8))
        act(self._course, choose_as_deputy(view, chance))


def _happened(event: Event) -> tuple[Command, ...]:
    """Return the commands of an event that show what has happened."""
    return tuple(command for command in event.commands if not isinstance(command, Context))


def _printable(text: str) -> str:
    """Return a text as it can stand in any XML document, and not too long."""
    return "".join(one if one.isprintable() else "?" for one in text[:MAX_CHAT]).strip()
