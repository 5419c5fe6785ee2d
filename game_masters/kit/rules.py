"""What a game is to the kit: declared facts, a state that obeys the rules, a notation, bots.

A game is one :class:`Game` value. Its rules are a :class:`State`, which knows seats (0, 1, 2, ... in the order of
the players), moves and outcomes, but neither the wire nor any I/O. Its :class:`Notation` turns moves and views into
XML payloads and back. A bot is a function from a view to a move.

The kit relies on three promises:

* The same table, the same seed and the same sequence of calls give the same game. All chance comes from the
  ``random.Random`` passed to ``start``, and every chance result is in :attr:`State.record`.
* A refused move changes nothing. What the rules do about it is a call of its own, :meth:`State.fault`.
* ``view(seat)`` holds all that this seat may know and nothing else; ``view(None)`` is what all may know.

:mod:`game_masters.kit.check` tests these promises for every installed game.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeAlias

from game_masters.kit.bot import Bot, M, NoMove, V
from game_masters.kit.entries import BadFixture, Entries
from game_masters.kit.puzzle_book import PuzzleBook
from ugs.pictures.contract import Renderer

__all__ = [
    "AnyGame", "AnyState", "BadFixture", "BadOption", "Bot", "Entries", "Follower", "Game", "Kept", "M", "NoMove",
    "Notation", "Option", "OptionValue", "Options", "Outcome", "RuleBroken", "Sketcher", "State", "Table", "Unreadable",
    "V",
]  # fmt: skip

MAX_COMPARED = 100
"""Characters of an unknown name that are compared with the known ones: comparing takes their square."""


class RuleBroken(Exception):
    """The move can be read, but the rules do not allow it here. The text is for people."""


class Unreadable(Exception):
    """The payload is not in the notation of the game. The text describes what is wrong."""


class BadOption(Exception):
    """An option that the game does not know, or a value that it does not allow. The text names option, value and
    allowed values."""


OptionValue: TypeAlias = bool | int | str

_FLAGS: Mapping[str, bool] = {
    "yes": True, "true": True, "on": True, "1": True,
    "no": False, "false": False, "off": False, "0": False,
}  # fmt: skip


@dataclass(frozen=True)
class Option:
    """One choice for those who start a game master or set up a table.

    The type of the default is the type of the option. ``allowed`` is a range for integers, a tuple of words for text,
    and not given for flags.
    """

    name: str
    default: OptionValue
    explanation: str
    allowed: range | tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """``flag``, ``integer`` or ``word``."""
        return {bool: "flag", int: "integer", str: "word"}[type(self.default)]

    @property
    def allowed_text(self) -> str:
        """Return the allowed values in words, for help and errors."""
        if isinstance(self.default, bool):
            return "yes or no"
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]} to {self.allowed[-1]}"
        return ", ".join(self.allowed)

    def written(self, value: OptionValue) -> str:
        """Return the text that :meth:`parse` reads as ``value``."""
        return ("no", "yes")[value] if isinstance(value, bool) else str(value)

    def parse(self, text: str) -> OptionValue:
        """Return the value that ``text`` stands for. Raises :class:`BadOption` if it is not allowed."""
        value = _PARSERS[self.type](text.strip())
        if value is None or (self.type != "flag" and value not in self.allowed):
            raise BadOption(f"option {self.name}: {text!r} is not allowed; allowed: {self.allowed_text}")
        return value


def _integer(text: str) -> int | None:
    # No option needs more digits, and Python refuses to read very many.
    return int(text) if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 else None


_PARSERS: Mapping[str, Callable[[str], OptionValue | None]] = {
    "flag": lambda text: _FLAGS.get(text.lower()),
    "integer": _integer,
    "word": str,
}


@dataclass(frozen=True)
class Options:
    """The chosen value of every option that a game declares. Asking for the wrong type is a bug and raises
    TypeError."""

    values: Mapping[str, OptionValue] = field(default_factory=dict)

    def integer(self, name: str) -> int:
        """Return the value of an integer option."""
        value = self.values[name]
        # For Python a flag is an integer, too.
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"option {name} is not an integer: {value!r}")
        return value

    def flag(self, name: str) -> bool:
        """Return the value of a yes-or-no option."""
        value = self.values[name]
        if not isinstance(value, bool):
            raise TypeError(f"option {name} is not a flag: {value!r}")
        return value

    def word(self, name: str) -> str:
        """Return the value of a text option."""
        value = self.values[name]
        if not isinstance(value, str):
            raise TypeError(f"option {name} is not a word: {value!r}")
        return value


@dataclass(frozen=True)
class Table:
    """Where one game is played: its id, the players' names in seat order, and the options it was set up with."""

    game_id: str
    names: tuple[str, ...]
    options: Options
    players: int | None = None
    """The number of seats, from the first, that players have; the program plays the others. None: all are players'."""

    fixture: Any = None
    """What :attr:`Game.fixture` made of the fixture that the game begins from; None: chance decides."""

    @property
    def seats(self) -> range:
        """All seat numbers."""
        return range(len(self.names))

    @property
    def programs(self) -> range:
        """The seats that the program plays from the beginning."""
        return self.seats[len(self.names) if self.players is None else self.players :]


@dataclass(frozen=True)
class Outcome:
    """How a game ended: why, and which seats won. All others have lost, also where no seat has won, or only a
    player who has left the table. A draw is only what the game calls one.

    ``termination`` is a short reason in words, best a member of the game's own StrEnum.
    """

    termination: str
    winners: frozenset[int]
    drawn: bool = False
    """Whether the game is a draw. Then no seat has won."""
    words: str = field(default="", compare=False)
    """The reason for players to read, in more words; empty: the reason itself."""

    def __post_init__(self) -> None:
        if self.drawn and self.winners:
            raise ValueError(f"{self.termination}: a draw with winners: {sorted(self.winners)}")


@dataclass(frozen=True)
class Kept:
    """A game that its players go on with another time."""

    code: str
    """The game is found again by this: letters and digits that cannot be guessed."""
    seats: tuple[str, ...]
    """The names of all seats, in their order when the game goes on."""
    needed: int
    """How many seats, from the first on, need the players who had them; the others are for anyone or the program."""
    fixture: str
    """The fixture that a game goes on from there."""


class State(ABC, Generic[M, V]):
    """One game from the first position to its outcome. Only apply, fault, leave and rejoin change it.

    ``str(state)`` shows people the whole position, including what is hidden; golden games and debugging use it.
    """

    @property
    @abstractmethod
    def movers(self) -> tuple[int, ...]:
        """The seats that may act now; empty exactly when the game is over.

        Where several may act at once, any of them may be asked first. On a wire that can name only one player, the
        first seat of the tuple is asked, then the first of the tuple that follows. If the game declares
        ``simultaneous`` and the server can do it, all of them are asked at the same time. A seat that has left is never
        among them.
        """

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @property
    @abstractmethod
    def record(self) -> Sequence[object]:
        """All that has happened, in order: moves, chance results, departures, as values that compare by content.

        It only grows. Each entry's ``str`` is one line for people.
        """

    @property
    def labels(self) -> Sequence[str]:
        """What the game calls each seat, such as a colour, in seat order; empty when it has no such names.

        The kit asks once, when the game has been set up.
        """
        return ()

    @abstractmethod
    def legal_moves(self, seat: int) -> Sequence[M]:
        """Return every move that ``seat`` may make now, always in the same order; empty if it may not act.

        Of kinds that :meth:`is_open` names, examples are enough.
        """

    def is_open(self, move: M) -> bool:
        """Return whether :meth:`legal_moves` lists only examples of moves like ``move``, since there are too many:
        an offer to trade, for instance. The rules may then accept moves of this kind that are not listed."""
        return False

    @abstractmethod
    def apply(self, seat: int, move: M) -> None:
        """Make a move. Raises :class:`RuleBroken`, and then has changed nothing.

        What follows without a player's decision happens in the same call: chance, and the moves of seats that the rules
        play themselves.
        """

    @abstractmethod
    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Do what the rules require when ``seat``, which may act, sent an illegal or unreadable move.

        They may declare the seat beaten, or note the refusal for its view and let it be asked again.
        """

    @abstractmethod
    def leave(self, seat: int) -> None:
        """Take ``seat``, whose player has left, out of the game, or let the rules play it from now on.

        Called only while the game goes on, and again only after :meth:`rejoin`. When fewer than two seats have not
        left, the game must be over: the server would end it otherwise.
        """

    def rejoin(self, seat: int) -> None:
        """Give ``seat``, which the rules have played since it was left, back to its player.

        Called only for a game that declares ``rejoins``, while it goes on.
        """
        raise NotImplementedError("this game gives no seat back")

    @abstractmethod
    def view(self, seat: int | None, since: int = 0) -> V:
        """Return what ``seat`` (None: a spectator) may see: the present, and what it may know of ``record[since:]``.

        A game that always shows everything, or only the last move, ignores ``since``. A player may be shown the same
        part of the record twice, but never less than all of it.
        """

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """Return what ``seat`` (None: a spectator) may know of ``record[since:]`` as values that compare by content:
        what has happened, and not who is asked what because of it.

        To a seat that has received the same, two games must look the same, down to who is asked next: a question that
        is asked or skipped because of something hidden would reveal it. Only games with hidden information have to
        write this; the contract tests hold them to it.
        """
        raise NotImplementedError("a game with hidden information returns what a seat has received")

    def resampled(self, seat: int, rng: random.Random) -> "State[M, V]":
        """Return a state that looks the same to ``seat``: all that is hidden from it is dealt again with
        ``rng``.

        Only games with hidden information have to write this; without any, the state itself is the only one.
        """
        return self


Follower: TypeAlias = Callable[[bytes], V]
"""Reads the ``<gameState>`` payloads of one game, in the order of their arrival, each into a view.

The same news may come twice. Before a state, the reader is also handed the player's own move since the last state, as
the ``<move>`` element: a notation that shows only the last move cannot show it otherwise, when the program has moved
since or the player's connection was cut. A reader that does not need the move refuses it like any other payload. Raises
:class:`Unreadable`.
"""


class Notation(Protocol[M, V]):
    """Moves and views as XML payloads. A module ``notation.py`` with these four functions is a notation."""

    def write_move(self, move: M) -> bytes:
        """Return the ``<move>`` element for a move."""

    def read_move(self, payload: bytes) -> M:
        """Return the move in a ``<move>`` element. Raises :class:`Unreadable`, never anything else."""

    def write_view(self, view: V) -> bytes:
        """Return the ``<gameState>`` element for a view."""

    def follow(self, options: Options) -> Follower[V]:
        """Return a reader for the views of one new game with these options."""


Sketcher: TypeAlias = Callable[[V, Sequence[str], "int | None"], bytes]
"""``sketch(view, nicks, seat)`` returns the ``<sketch>`` element for what ``seat`` sees (None: a spectator); ``nicks``
are the names of the seats. docs/master-writer.md lists its words. An offer without a nick is for the player who is
asked."""


def _any_options(options: Options) -> None:
    """Accept every combination of allowed values."""


def always(options: Options) -> bool:
    """Return True: a game hides something with all options."""
    return True


@dataclass(frozen=True)
class Players:
    """How many players a game takes, and how many it would like to have."""

    min: int
    max: int
    wanted: int = 0
    """With how many players of the pool a game is at its best; 0: the more, the better."""
    gather_s: float = 0.0
    """Seconds to wait for them once there are enough to begin, unless an organiser sets another time."""

    def __post_init__(self) -> None:
        if not 2 <= self.min <= self.max:
            raise ValueError(f"players {self.min} to {self.max}")
        if self.wanted and not self.min <= self.wanted <= self.max:
            raise ValueError(f"{self.wanted} players wanted, of {self.min} to {self.max}")


@dataclass(frozen=True)
class Conduct:
    """How a game is led: who is asked together, who is shown what again, and whether positions are described, too."""

    simultaneous: bool = False
    """Whether several seats may act at the same time, and are asked at the same time."""
    waits_together: bool = False
    """Whether seats that are not asked see, most of the time, what a spectator sees. Then one state with the news
    serves all of them; they receive what they may have missed when they are asked, and at the end. Worth it for a game
    of many seats and many moves."""
    rejoins: bool = False
    """Whether a player who has left can have its seat again. Its next view must show all it needs."""
    longest_absence: int = 50
    """The number of states that are repeated to a seat that has not moved. Fewer will do where a seat that is asked
    after a longer time is shown the whole position: then states stay short in a game where seats wait for long."""
    lost: Callable[[Any], bool] | None = None
    """Returns whether a view shows changes to a state that its reader has missed: a player can choose to receive
    changes only; it asks for a whole state then, before it has to move. None: each view is understood by itself or
    with those before it."""
    sketch: Sketcher[Any] | None = None
    """Describes the position on the wire, so that it is drawn where the package is not installed. A game with pictures
    needs none: they are smaller, and where both are there, the sketch is shown."""
    kept: Callable[[Any], Kept | None] | None = None
    """Returns a game, a :class:`State`, as it is, if the last move has completed an agreement of its players to go on
    another time. If it cannot be kept, the player who has moved learns it by :meth:`State.fault`. None: games end in
    one go."""


IN_TURN: Final = Conduct()
"""One seat is asked at a time, and all that is new is shown to each."""


@dataclass(frozen=True, kw_only=True)
class Game(Generic[M, V]):
    """Everything the kit needs to know about a game."""

    name: str
    """The name on the command line; also that of its entry point."""
    game_type: str
    """The name on the wire; by it the server brings masters and players together."""
    summary: str
    """The rules in one line."""
    title: str = ""
    """What people call it, for pages; empty: the game type in words."""
    also_called: tuple[str, ...] = ()
    """Other names that people know it by: commands suggest the game to those who type one of them."""
    players: Players
    start: Callable[[Table, random.Random], State[M, V]]
    """Sets up a game with as many seats as the table has."""
    notation: Notation[M, V]
    schema: Path
    """An XML schema that describes the payloads, with the global elements ``move`` and ``gameState``."""
    bots: tuple[Bot[M, V], ...]
    """At least one; the first plays if no other is asked for."""
    pictures: Renderer | None = None
    """Draws the game from its payloads; None: people see the elements of the payloads as a tree."""
    hides_with: Callable[[Options], bool] | None = None
    """Whether some view of a game with these options, which go together, shows a seat what another one may not know.
    None: no view of any game does; :func:`always`: with all options."""
    conduct: Conduct = IN_TURN
    """How it is led."""
    chance: bool = False
    """Whether anything depends on the random numbers."""
    options: tuple[Option, ...] = ()
    check_options: Callable[[Options], None] = _any_options
    """Raises :class:`BadOption` if allowed values do not go together."""
    fixture: Callable[[Entries, int, Options], Any] | None = None
    """Reads from a fixture how a game with this number of seats and these options begins; ``start`` finds it as
    :attr:`Table.fixture`. Raises :class:`BadFixture`. None: the game takes no fixtures."""
    puzzles: PuzzleBook | None = None
    """Positions to solve; None: there are none."""

    def __post_init__(self) -> None:
        if not self.bots:
            raise ValueError(f"{self.name}: a game needs at least one bot")

    def choose_options(self, texts: Mapping[str, str]) -> Options:
        """Return the options with the given values, and defaults for the rest. Raises :class:`BadOption`."""
        known = {option.name: option for option in self.options}
        for name in texts:
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOption(f"option {name}: {self.name} has no such option{_meant(name, known)}; it has: {names}")
        chosen = Options(
            {name: option.parse(texts[name]) if name in texts else option.default for name, option in known.items()}
        )
        self.check_options(chosen)
        return chosen

    def begin(self, game_id: str, nicks: tuple[str, ...], options: Options) -> State[M, V]:
        """Return a new game of these players that begins as usual; where anything depends on chance, it is the same
        each time."""
        return self.start(Table(game_id, nicks, options), random.Random(0))

    @property
    def hidden_information(self) -> bool:
        """Whether some view shows a seat what another seat may not know, be it only with some options."""
        return self.hides_with is not None

    def hides(self, options: Options) -> bool:
        """Return whether a game with these options shows some seat what another may not know."""
        return self.hides_with is not None and self.hides_with(options)

    @property
    def program_bot(self) -> Bot[M, V]:
        """The bot that plays the seats without a player."""
        return next((bot for bot in self.bots if bot.fills_seats), self.bots[0])

    def bot(self, name: str | None) -> Bot[M, V]:
        """Return the bot called ``name`` (None: the first). Raises KeyError, which names the existing ones."""
        for bot in self.bots:
            if name in (None, bot.name):
                return bot
        names = [bot.name for bot in self.bots]
        raise KeyError(f"{self.name} has no bot {name!r}{_meant(name or '', names)}; it has: {', '.join(names)}")


def _meant(word: str, known: Iterable[str]) -> str:
    """Which of the known names was perhaps meant, for the middle of a sentence."""
    close = get_close_matches(word[:MAX_COMPARED], list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose moves and views are only handed on, never looked into."""
AnyState: TypeAlias = State[Any, Any]
"""A state of such a game."""
