"""Titan: the monster slugathon, for two to six players.

A move is a request of the network format, or several, which are carried out in order up to the first that is refused.
What happens is recorded in messages of the same format; they alone determine the position (``history.py``). This module
holds a game: its messages, the position, and what each seat knows of it.

A refused request changes nothing, and its sender is asked again. A seat that sends nothing but refused requests, or
asks for replays instead of playing, is not waited for without end: ``patience.py`` sets when the default is played.
Each of them costs a state for all, and the server counts the bytes of a game, so that a player could end a game by
them: over a whole game there are limits as well. A player who leaves withdraws.
"""

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from game_masters.kit.rules import Option, Options, Outcome, RuleBroken, State, Table, Unreadable
from game_masters.titan import messages as msg
from game_masters.titan import requests as ask
from game_masters.titan.agreeing import MAX_TIMES, Agreed, Agreement, Suspension
from game_masters.titan.beginning import Beginning, renamed
from game_masters.titan.creatures import ordered, without
from game_masters.titan.defaults import default
from game_masters.titan.endings import over_by_points
from game_masters.titan.history import SETTINGS, after
from game_masters.titan.lands import LANDS, TOWERS, spread_towers
from game_masters.titan.legal import legal_requests, parts
from game_masters.titan.messages import SECRET, Message, seen_by
from game_masters.titan.patience import Patience
from game_masters.titan.play import Dice, Play, Refused
from game_masters.titan.position import Phase, Position
from game_masters.titan.referee import begin, carry_out, leave, resume
from game_masters.titan.requests import Request, Requests
from game_masters.titan.secrecy import owners, shown
from game_masters.titan.turns import why_no_split
from game_masters.titan.views import Nak, Replayed, View, seen_with, status_of

PLAYERS: Final = range(2, 7)
MAX_REASON: Final = 1000
"""Characters of the reason for a refusal, which may list what is possible instead."""
MAX_REPLAYED: Final = 2500
"""Messages of one replay. An answer must not be longer than the server takes; the rest can be asked for."""
MAX_ABSENCE: Final = 8
"""The number of states that are repeated to a seat that has not moved. A seat that is asked after a longer time, and
all seats at the end, are shown the whole position, so no reader needs all states. Each state has at least one entry of
the record."""
SECRET_BYTES: Final = 32

VARIANT: Final = Option("variant", "Default", "lands, creatures and battlelands of the classic game", ("Default",))
ROUNDS: Final = Option(
    "rounds", 200, "the game ends after this many turns of each player; most points win", range(10, 1001)
)
"""The rules know no limit: players who avoid each other could go on for ever. Six computer players need 64 at most, at
random 79, and the states of 200 turns of six are just what a server takes."""
OPTIONS: Final = (
    VARIANT,
    Option("balancedTowers", True, "towers as far from each other as the number of players allows"),
    Option("allStacksVisible", False, "the contents of all legions are public"),
    Option("cumulativeSlow", True, "two causes slow a step in battle down twice (never happens on these battlelands)"),
    Option("oneHexAllowed", True, "a first step in battle may cost more than the skill (never needed here)"),
    Option("nonRandomBattleDice", False, "battle dice show 4 3 1 6 5 2, over and over"),
    Option("noFirstTurnT2TTeleport", False, "no teleport from tower to tower on turn 1"),
    Option("noFirstTurnTeleport", False, "no teleport on turn 1"),
    Option("towerToTowerTeleportOnly", False, "a tower teleport ends in a tower"),
    Option("noTowerTeleport", False, "no tower teleport"),
    Option("noTitanTeleport", False, "no Titan teleport"),
    ROUNDS,
)


class Termination(StrEnum):
    """Why a game ended."""

    LAST_TITAN = "last Titan standing"
    OTHERS_WITHDREW = "the last opponent withdrew"
    TITANS_DIED_TOGETHER = "the last Titans died together"
    ROUNDS = "the last round is over"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An entry of the record: a request that was refused."""

    seat: int
    nak: Nak

    def __str__(self) -> str:
        return f"seat {self.seat} is asked again: {self.nak.reason}"


@dataclass(frozen=True, slots=True)
class Asked:
    """An entry of the record: a player asks again for what has happened."""

    seat: int
    after: int

    def __str__(self) -> str:
        return f"seat {self.seat} asks for all messages after {self.after}"


@dataclass(frozen=True, slots=True)
class Left:
    """An entry of the record: a player has left."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} leaves"


class Slugathon(State[Requests, View]):
    """A game."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        """Deal the towers and ask for the first colour."""
        options = table.options
        seats = len(table.names)
        towers = spread_towers(seats, rng.randrange(len(TOWERS))) if options.flag("balancedTowers") else list(TOWERS)
        fixed: Beginning = table.fixture or Beginning()
        towers = list(fixed.towers) or rng.sample(towers, seats)
        dice = Dice(rng.randbytes(SECRET_BYTES), fixed=fixed.dice)
        written = form_options(options)
        if fixed.saved is not None:
            messages = [renamed(message, fixed.saved, table.names) for message in fixed.saved.messages]
            play = resume(messages, fixed.saved.dice)
        else:
            named = dict(zip(table.names, towers, strict=True))
            play = begin(written, PLAYERS[0], PLAYERS[-1], named, dice, fixed)
        self.options = options
        self._open = options.flag("allStacksVisible")
        self._rounds = options.integer(ROUNDS.name)
        self._labels = tuple(f"tower {player.tower}" for player in play.position.players)
        self._position = play.position
        self._public = play.public
        """What all know of the position."""
        self._dice = play.dice
        self._record: list[object] = []
        self._numbers: list[int] = []
        """For each entry of the record: the number of messages before it."""
        self._messages: list[Message] = []
        self._owners: dict[int, tuple[int | None, int | None]] = {}
        """By number of a secret message: whose it is, as :func:`seen_by` wants to know."""
        self._known: dict[int | None, tuple[int, Position]] = {}
        """By reader: the number of messages taken in, and the position then."""
        self._nak: tuple[int, Nak] | None = None
        self._replay: tuple[int, int] | None = None
        self._patience = Patience()
        self._withdrew: set[int] = set()
        self._suspension = Suspension(frozenset(table.programs))
        self._follows(Position(), play.msg)

    # --- the interface of the kit -------------------------------------------------------------------------------------

    @property
    def movers(self) -> tuple[int, ...]:
        """The one seat whose decision is awaited."""
        return (self._position.asked.seat,) if self._position.asked is not None else ()

    @property
    def outcome(self) -> Outcome | None:
        """The last player in the game has won; none, if the last two went together. After the last round, the one
        with most points has won; none, if several have."""
        position = self._position
        if position.phase is not Phase.OVER:
            return None
        winners = frozenset(() if position.winner is None else {position.winner})
        # More than one is left: only the last round ends a game so.
        if len(position.living) > 1:
            return Outcome(Termination.ROUNDS, winners, drawn=not winners)
        if not winners:
            return Outcome(Termination.TITANS_DIED_TOGETHER, winners, drawn=True)
        last = [message for message in self._messages if isinstance(message, msg.EliminatePlayer)][-1]
        withdrew = position.seat_of(last.loser) in self._withdrew and not last.slayer
        why = Termination.OTHERS_WITHDREW if withdrew else Termination.LAST_TITAN
        return Outcome(why, winners)

    @property
    def record(self) -> Sequence[object]:
        """All messages, and what was refused, asked for again, and who has left."""
        return self._record

    @property
    def labels(self) -> Sequence[str]:
        """The towers. Colours are chosen later."""
        return self._labels

    def legal_moves(self, seat: int) -> Sequence[Requests]:
        """Return every request that ``seat`` may make now, one by one, with all its attributes, splits with the first
        free marker. ``withdraw`` and ``replay`` are always accepted and never listed."""
        return [(request,) for request in legal_requests(self._position)] if seat in self.movers else []

    def is_open(self, move: Requests) -> bool:
        """Return whether a move is a split, which has a choice of markers."""
        return all(isinstance(request, ask.Split) for request in move)

    def apply(self, seat: int, move: Requests) -> None:
        """Carry requests out. Raises :class:`Refused` if the first one is not allowed; one that follows is noted as
        refused, and ends the move."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of seat {seat}")
        replay = None
        for number, request in enumerate(move):
            try:
                self._carry_out(seat, request)
            except Refused as refused:
                if number == 0:
                    raise
                self._refuse(seat, refused)
                break
            replay = self._replay or replay
        self._replay = replay  # those that follow a replay do not make it undone

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Note the refusal for its sender; if there were too many, play the default for it."""
        self._refuse(seat, cause)

    def leave(self, seat: int) -> None:
        """Let a player withdraw."""
        self._notes(Left(seat))
        self._withdrew.add(seat)
        self._take(leave(self._position, self._public, self._dice, seat))

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return the messages of ``record[since:]`` as ``seat`` sees them, the status, and what ``seat`` knows."""
        # With open stacks all see what spectators see, which is everything.
        reader = None if self._open else seat
        news = self._news(reader, since)
        status = self._suspension.shown_in(status_of(self._position, len(self._messages)), self._position)
        nak = self._nak[1] if self._nak is not None and (self._open or self._nak[0] == seat) else None
        known = seen_with(status, self._known_by(reader))
        return View(news, status, known, nak, self._replayed(seat), self._shows_board(reader, since, news))

    def received(self, seat: int | None, since: int = 0) -> Sequence[Message]:
        """Return the messages of ``record[since:]`` as ``seat`` sees them: no message is a question."""
        return self._news(None if self._open else seat, since)

    def resampled(self, seat: int, rng: random.Random) -> "Slugathon":
        """Return a game where others have split their legions in another way, where nothing shows how they did."""
        other = self.__deepcopy__({})
        for number, split in self._hidden_splits(seat):
            parent, child = (other._position.legions[marker] for marker in (split.parent, split.child))
            before = replace(other._position, turn=self._turn_of(number))
            together = ordered((*parent.creatures, *child.creatures))
            whole = replace(parent, creatures=together)
            choice = [
                gone
                for gone in parts(together)
                if len(gone) == split.numsplit and not why_no_split(before, whole, gone)
            ]
            gone = rng.choice(choice)
            kept = without(together, gone)
            parts_now = (replace(parent, creatures=kept), replace(child, creatures=gone))
            other._position = other._position.with_legions(*parts_now)
            other._replace(number, replace(split, creatures=gone))
            other._known.pop(parent.seat, None)  # no other player has seen the split
        return other

    @property
    def agreed(self) -> Agreement | None:
        """That all have just agreed to go on another time."""
        return self._suspension.agreed

    def __str__(self) -> str:
        """Return everything, including what only some may know."""
        return "\n".join(_lines(self._position))

    def __deepcopy__(self, memo: dict[int, Any]) -> "Slugathon":
        """Positions and messages are immutable, so a copy shares them."""
        other = copy(self)
        other._record = list(self._record)
        other._numbers = list(self._numbers)
        other._messages = list(self._messages)
        other._owners = dict(self._owners)
        other._known = dict(self._known)
        other._patience = self._patience.copy()
        other._withdrew = set(self._withdrew)
        return other

    # --- the course of the game ---------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position, with all that is hidden."""
        return self._position

    @property
    def messages(self) -> Sequence[Message]:
        """All messages, with all that is hidden."""
        return self._messages

    @property
    def dice(self) -> Dice:
        """The dice that are still to be thrown."""
        return self._dice

    def _refuse(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        nak = Nak(cause.request if isinstance(cause, Refused) else None, str(cause)[:MAX_REASON])
        self._notes(Refusal(seat, nak))
        self._nak, self._replay = (seat, nak), None
        self._suspension = self._suspension.passed()
        self._loses_patience(seat)

    def _carry_out(self, seat: int, request: Request) -> None:
        if isinstance(request, ask.Replay) and self._position.asked is not None:
            self._ask_again(seat, request)
            return
        if isinstance(request, ask.Suspend) and self._position.asked is not None:
            self._agree(seat, request)
            return
        withdraws = isinstance(request, ask.Withdraw)
        play = carry_out(self._position, self._public, self._dice, seat, request)
        if withdraws:
            self._withdrew.add(seat)
        self._take(play)

    def _ask_again(self, seat: int, request: ask.Replay) -> None:
        first = request.after or 0
        if not 0 <= first <= len(self._messages):
            raise Refused(request, f"after {first}: there are messages 1 to {len(self._messages)}")
        again = len(self._replayed_numbers(first))
        if why := self._patience.replays(seat, again, len(self._messages)):
            raise Refused(request, f"after {first}: {why}")
        self._notes(Asked(seat, first))
        self._nak, self._replay = None, (seat, first)
        self._loses_patience(seat)

    def _agree(self, seat: int, request: ask.Suspend) -> None:
        """Note who agrees to go on another time."""
        if self._suspension.times >= MAX_TIMES:
            raise Refused(request, f"this game has been kept {MAX_TIMES} times")
        agrees = request.agree is not False
        when = (len(self._messages), len(self._record))
        self._suspension = self._suspension.msg(seat, agrees, self._position.living, self._dice.secret, when)
        self._notes(Agreed(seat, agrees))
        self._nak, self._replay = None, None
        self._loses_patience(seat)

    def _loses_patience(self, seat: int) -> None:
        if self._patience.tried(seat) and seat in self.movers:
            nak, replay, agreed = self._nak, self._replay, self._suspension.agreed
            self._take(carry_out(self._position, self._public, self._dice, seat, default(self._position)))
            # What the player was to receive is sent all the same, with the default that was played.
            self._nak, self._replay = nak, replay
            self._suspension = replace(self._suspension, agreed=agreed)

    def _take(self, play: Play) -> None:
        """Take over what has happened; after the last round that is the end."""
        if play.position.turn > self._rounds:
            over_by_points(play)
        self._follows(self._position, play.msg)
        self._position, self._public, self._dice = play.position, play.public, play.dice
        self._nak, self._replay = None, None
        self._suspension = self._suspension.passed()
        self._patience.accepted()

    def _notes(self, entry: object) -> None:
        self._record.append(entry)
        self._numbers.append(len(self._messages))

    def _follows(self, before: Position, messages: Sequence[Message]) -> None:
        """Write messages down, and who may see those that are not for all."""
        for message in messages:
            if isinstance(message, SECRET):
                self._owners[len(self._messages)] = owners(before, message)
            before = after(before, message)
            self._notes(message)
            self._messages.append(message)

    def _seen(self, number: int, seat: int | None) -> Message:
        message = self._messages[number]
        if self._open or number not in self._owners:
            return message
        return seen_by(message, *self._owners[number], seat)

    def _news(self, reader: int | None, since: int) -> tuple[Message, ...]:
        first = self._numbers[since] if since < len(self._record) else len(self._messages)
        return tuple(self._seen(number, reader) for number in range(first, len(self._messages)))

    def _known_by(self, seat: int | None) -> Position:
        # Spectators' knowledge is kept with the position, since it decides the questions.
        if seat is None:
            return self._public
        number, position = self._known.get(seat, (0, Position()))
        for place in range(number, len(self._messages)):
            position = after(position, self._seen(place, seat))
        self._known[seat] = (len(self._messages), position)
        return position

    def _replayed(self, seat: int | None) -> Replayed | None:
        if self._replay is None or not (self._open or self._replay[0] == seat):
            return None
        asker, first = self._replay
        numbers = self._replayed_numbers(first)
        return Replayed(first, numbers.stop, tuple(self._seen(number, asker) for number in numbers))

    def _replayed_numbers(self, first: int) -> range:
        return range(first, min(len(self._messages), first + MAX_REPLAYED))

    def _shows_board(self, reader: int | None, since: int, news: Sequence[Message]) -> bool:
        """Return whether a view shows the whole position: to a reader who is asked and has long not
        moved, to all at the end, and to spectators, who may have just come, when a turn begins."""
        if since == 0:
            return False
        if self.outcome is not None:
            return True
        if (self._open or reader in self.movers) and len(self._record) - since >= MAX_ABSENCE:
            return True
        return reader is None and any(isinstance(message, msg.Turn) for message in news)

    def _hidden_splits(self, seat: int) -> list[tuple[int, msg.Split]]:
        """Return the splits of others that nothing has shown since, with their numbers."""
        found: list[tuple[int, msg.Split]] = []
        touched: set[str] = set()
        for number in range(len(self._messages) - 1, -1, -1):
            message = self._messages[number]
            if isinstance(message, msg.Split) and self._owners.get(number, (seat, None))[0] != seat:
                pair = {message.parent, message.child}
                if not self._open and not pair & touched and pair <= set(self._position.legions):
                    found.append((number, message))
            if isinstance(message, msg.Turn) and found:
                break
            touched |= shown(message)
        return [(number, split) for number, split in found if self._position.legions[split.child].family]

    def _turn_of(self, number: int) -> int:
        turns = (message for message in reversed(self._messages[:number]) if isinstance(message, msg.Turn))
        return next((message.number for message in turns), 1)

    def _replace(self, number: int, message: Message) -> None:
        place = next(place for place, entry in enumerate(self._record) if entry is self._messages[number])
        self._messages[number] = self._record[place] = message


def form_options(options: Options) -> tuple[tuple[str, str], ...]:
    """Return the options as ``formGame`` has them."""
    flags = ((name, "true" if options.flag(name) else "false") for name in SETTINGS)
    return ((VARIANT.name, options.word(VARIANT.name)), *flags)


def hides(options: Options) -> bool:
    """Return whether a game with these options has legions that only their owners can look into."""
    return not options.flag("allStacksVisible")


def _lines(position: Position) -> list[str]:
    asked = position.asked
    whose = "over" if asked is None else f"{position.players[asked.seat].name}: {asked.awaiting}"
    roll = f", roll {position.roll}" if position.roll is not None else ""
    lines = [f"{position.phase}, turn {position.turn}{roll}, {whose}"]
    for seat, player in enumerate(position.players):
        out = "" if player.alive else ", out"
        lines.append(f"{player.name}, tower {player.tower} {player.color}, {player.score} points{out}")
        for legion in position.legions_of(seat):
            terrain = LANDS[legion.hex].terrain
            marks = f" from {legion.origin}" if legion.moved else ""
            lines.append(f"  {legion.marker} in {legion.hex} {terrain}{marks}: {' '.join(legion.creatures)}")
    battle = position.battle
    if battle is not None:
        lines.append(f"battle turn {battle.turn}, {battle.acting} {battle.phase}")
        for fighter in battle.fighters:
            lines.append(f"  {fighter.side} {fighter.creature} {fighter.hex or 'off board'} hits {fighter.hits}")
    return lines
