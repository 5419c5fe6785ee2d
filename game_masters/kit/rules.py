"""What a game is to the kit: declared facts, a state that obeys the rules, a notation, bots.

A game is one :class:`Game` value. Its rules are a :class:`State`, which knows seats (0, 1, 2, ... in the order in
which the players sit), moves and outcomes, but neither the wire nor any I/O. Its :class:`Notation` turns moves and
views into XML payloads and back. A bot is a function from a view to a move.

Three promises hold the kit together:

* The same table, the same seed and the same sequence of calls give the same game. All chance comes from the
  ``random.Random`` passed to ``start``, and whatever chance decided is in :attr:`State.record`.
* A refused move changes nothing. What the rules do about it is :meth:`State.fault`, a call of its own.
* ``view(seat)`` holds all that this seat may know and nothing else; ``view(None)`` is what everybody may know.

:mod:`game_masters.kit.check` tests these promises for every installed game.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

M = TypeVar("M")  # a game's moves: any immutable value that compares by content
V = TypeVar("V")  # a game's views: likewise


class RuleBroken(Exception):
    """The move can be read but the rules do not allow it here. The text is for people."""


class Unreadable(Exception):
    """The payload is not in the notation of the game. The text says what is wrong with it."""


class BadOption(Exception):
    """An option that the game does not know, or a value it does not allow. Names option, value, allowed values."""


OptionValue: TypeAlias = bool | int | str

_FLAGS: Mapping[str, bool] = {
    "yes": True, "true": True, "on": True, "1": True,
    "no": False, "false": False, "off": False, "0": False,
}  # fmt: skip


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen when a game master is started.

    The default's type is the option's type. ``allowed`` is a range for integers, a tuple of words for text and
    not given for flags.
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
        """The allowed values in words, for help and errors."""
        if isinstance(self.default, bool):
            return "yes or no"
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]} to {self.allowed[-1]}"
        return ", ".join(self.allowed)

    def written(self, value: OptionValue) -> str:
        """The text that :meth:`parse` reads as this value."""
        return ("no", "yes")[value] if isinstance(value, bool) else str(value)

    def parse(self, text: str) -> OptionValue:
        """The value that ``text`` stands for; :class:`BadOption` if it is not an allowed one."""
        value = _PARSERS[self.type](text.strip())
        if value is None or (self.type != "flag" and value not in self.allowed):
            raise BadOption(f"option {self.name}: {text!r} is not allowed; allowed: {self.allowed_text}")
        return value


def _integer(text: str) -> int | None:
    return int(text) if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10 else None


_PARSERS: Mapping[str, Callable[[str], OptionValue | None]] = {
    "flag": lambda text: _FLAGS.get(text.lower()),
    "integer": _integer,
    "word": str,
}


@dataclass(frozen=True)
class Options:
    """The chosen value of every option a game declares. Asking for the wrong type is a bug and raises TypeError."""

    values: Mapping[str, OptionValue] = field(default_factory=dict)

    def integer(self, name: str) -> int:
        """The value of an integer option."""
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"option {name} is not an integer: {value!r}")
        return value

    def flag(self, name: str) -> bool:
        """The value of a yes-or-no option."""
        value = self.values[name]
        if not isinstance(value, bool):
            raise TypeError(f"option {name} is not a flag: {value!r}")
        return value

    def word(self, name: str) -> str:
        """The value of a text option."""
        value = self.values[name]
        if not isinstance(value, str):
            raise TypeError(f"option {name} is not a word: {value!r}")
        return value


@dataclass(frozen=True)
class Table:
    """Where one game is played: its id, the players' names in seat order, the options it was set up with."""

    game_id: str
    names: tuple[str, ...]
    options: Options
    players: int | None = None
    """How many seats, the first ones, are players'; the program plays the others. None: all."""

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
    """How a game ended: why, and which seats won. All others lost; when nobody won, the game is drawn.

    ``termination`` is a short reason in words, best a member of the game's own StrEnum.
    """

    termination: str
    winners: frozenset[int]

    @property
    def drawn(self) -> bool:
        """True when nobody won."""
        return not self.winners


class State(ABC, Generic[M, V]):
    """One game from the first position to its outcome; changed only by apply, fault and leave.

    ``str(state)`` shows the whole position to people, hidden things included: golden games and debugging use it.
    """

    @property
    @abstractmethod
    def movers(self) -> tuple[int, ...]:
        """The seats that may act now; empty exactly when the game is over.

        Where several may act at once, any of them may be asked first. On a wire that can name only one player the
        first of the tuple is asked, then the first of the tuple that follows. A game that declares ``simultaneous``
        has all of them asked at the same time where the server can do that. Never a seat that has left.
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
        """What the game calls each seat, such as a colour, in the order of the seats; empty when it has no such names.

        Asked once, when the game has been set up.
        """
        return ()

    @abstractmethod
    def legal_moves(self, seat: int) -> Sequence[M]:
        """Every move that ``seat`` may make now; empty if it may not act. The order is always the same."""

    @abstractmethod
    def apply(self, seat: int, move: M) -> None:
        """Make a move. Raises :class:`RuleBroken`, and then has changed nothing.

        Whatever follows without a decision of a player happens here too: chance, and the moves of seats that the
        program plays.
        """

    @abstractmethod
    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """``seat``, one of the movers, sent something illegal or unreadable: do what the rules say about that.

        They may declare the seat beaten, or note the refusal for its view and let it be asked again.
        """

    @abstractmethod
    def leave(self, seat: int) -> None:
        """``seat`` is gone for good: take it out, or let the program play it from here on.

        Called once per seat and only while the game goes on. When fewer than two seats are left that have not
        gone, the game must be over: the server would end it otherwise.
        """

    @abstractmethod
    def view(self, seat: int | None, since: int = 0) -> V:
        """What ``seat`` (None: everybody) may see: the present, and of ``record[since:]`` as much as it may know.

        A game that always shows everything, or only the last move, ignores ``since``. A player may be shown the
        same part of the record twice, never less than all of it.
        """

    def resampled(self, seat: int, rng: random.Random) -> "State[M, V]":
        """A state that ``seat`` cannot tell from this one: everything hidden from it is dealt anew with ``rng``.

        Only games with hidden information have to write this; without any, the state itself is the only one.
        """
        return self


Follower: TypeAlias = Callable[[bytes], V]
"""Reads the ``<gameState>`` payloads of one game, in the order in which a player gets them, each into a view.

The same news may come twice. Before a state it is handed the player's own move since the last one, the ``<move>``
element: a notation that shows no more than the last move has no other way to tell of it, when the program has moved
since or the player's line was cut. A reader that can do without refuses a move as it refuses everything else. Raises
:class:`Unreadable`.
"""


class Notation(Protocol[M, V]):
    """Moves and views as XML payloads. A module ``notation.py`` with these four functions is one."""

    def write_move(self, move: M) -> bytes:
        """The ``<move>`` element for a move."""

    def read_move(self, payload: bytes) -> M:
        """The move in a ``<move>`` element; raises :class:`Unreadable`, never anything else."""

    def write_view(self, view: V) -> bytes:
        """The ``<gameState>`` element for a view."""

    def follow(self, options: Options) -> Follower[V]:
        """A reader for the views of one new game that is played with these options."""


@dataclass(frozen=True)
class Bot(Generic[M, V]):
    """A computer player: its name, one line about it, and how it chooses.

    ``choose(view, rng)`` is asked only when the view's owner may act, and gives a legal move.
    """

    name: str
    explanation: str
    choose: Callable[[V, random.Random], M]


def _any_options(options: Options) -> None:
    """The game allows every combination of allowed values."""


def _with_any_options(options: Options) -> bool:
    """What is declared holds whatever is chosen."""
    return True


@dataclass(frozen=True, kw_only=True)
class Game(Generic[M, V]):
    """Everything the kit needs to know about a game."""

    name: str
    """The name on the command line; also that of its entry point."""
    game_type: str
    """The name on the wire, under which masters and players find each other."""
    summary: str
    """The rules in one line."""
    players_min: int
    players_max: int
    start: Callable[[Table, random.Random], State[M, V]]
    """Sets up a game for as many seats as the table has."""
    notation: Notation[M, V]
    schema: Path
    """An XML schema that describes the payloads, with the global elements ``move`` and ``gameState``."""
    bots: tuple[Bot[M, V], ...]
    """At least one; the first plays unless another is asked for."""
    program_bot: str | None = None
    """The bot that plays the seats nobody sits in; None: the first."""
    hidden_information: bool = False
    """True when some view shows a seat what another seat may not know, if only with some options."""
    hides_with: Callable[[Options], bool] = _with_any_options
    """Where there is hidden information: whether a game with these options, which go together, has any."""
    simultaneous: bool = False
    """True when several seats may act at the same time, and are to be asked at the same time."""
    chance: bool = False
    """True when anything depends on the random numbers."""
    options: tuple[Option, ...] = ()
    check_options: Callable[[Options], None] = _any_options
    """Raises :class:`BadOption` where allowed values do not go together."""

    def __post_init__(self) -> None:
        if not 2 <= self.players_min <= self.players_max:
            raise ValueError(f"{self.name}: players {self.players_min} to {self.players_max}")
        if not self.bots:
            raise ValueError(f"{self.name}: a game needs at least one bot")
        if self.program_bot not in (None, *(bot.name for bot in self.bots)):
            raise ValueError(f"{self.name}: program_bot {self.program_bot!r} is none of its bots")

    def choose_options(self, texts: Mapping[str, str]) -> Options:
        """The options with the given values, defaults for the rest; raises :class:`BadOption`."""
        known = {option.name: option for option in self.options}
        for name in texts:
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOption(f"option {name}: {self.name} has no such option; it has: {names}")
        chosen = Options(
            {name: option.parse(texts[name]) if name in texts else option.default for name, option in known.items()}
        )
        self.check_options(chosen)
        return chosen

    def hides(self, options: Options) -> bool:
        """Whether a game with these options shows some seat what another may not know."""
        return self.hidden_information and self.hides_with(options)

    def bot(self, name: str | None) -> Bot[M, V]:
        """The bot of that name (None: the first); raises KeyError with the names there are."""
        for bot in self.bots:
            if name in (None, bot.name):
                return bot
        names = ", ".join(bot.name for bot in self.bots)
        raise KeyError(f"{self.name} has no bot {name!r}; it has: {names}")


AnyGame: TypeAlias = Game[Any, Any]
"""A game of which only the interface matters: its moves and views are handed on, never looked into."""
AnyState: TypeAlias = State[Any, Any]
"""A state of such a game."""
