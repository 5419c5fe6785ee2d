"""Is a move legal in the position of a recorded game in which a player was asked, by the rules that are installed?

The record of one seat does not hold the moves of the others. Where all is open and nothing depends on chance they are
found again: a move of another seat is the one after which the player would have been shown what it was shown. Where
that cannot be done, :class:`NotJudged` gives the reason.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, Protocol

from ugs.broker.values.record import EntryKind, places_of_refused
from ugs.match.games import Notation
from ugs.record.game import Entry, GameRecord
from ugs.record.views import shown_to, views_of
from ugs.replay.comparison import Similarity, similarity

MAX_TRIED: Final = 10_000
"""Moves that are tried to find those of the other seats."""
WORDS: Final = re.compile(rb"[^\s<>/=\"']+")
"""The words of a payload."""
MAX_BACK: Final = 6
"""States before the last one since which a state may show what has happened."""
MAX_POSITIONS: Final = 8
"""Positions that may look the same to the player: moves of others may have come in another order."""


class NotJudged(Exception):
    """The rules cannot be asked. The text gives the reason."""


class RulesState(Protocol):
    """A game at some moment."""

    @property
    def record(self) -> Sequence[object]:
        """What has happened."""

    def legal_moves(self, seat: int) -> Sequence[Any]:
        """What the seat may do."""

    def apply(self, seat: int, move: Any) -> None:
        """Make a move. Raises what the rules have for one that is not legal."""

    def leave(self, seat: int) -> None:
        """The player of the seat has left."""

    def view(self, seat: int | None, since: int = 0) -> Any:
        """What the seat may see."""


class KnownOption(Protocol):
    """An option of a game."""

    @property
    def name(self) -> str:
        """What it is called."""


class JudgingNotation(Notation, Protocol):
    """How a game writes and reads."""

    def read_move(self, payload: bytes) -> Any:
        """The move in a ``<move>`` element. Raises what the game has for one that it cannot read."""

    def write_view(self, view: Any) -> bytes:
        """The ``<gameState>`` element."""


class JudgingGame(Protocol):
    """The rules of an installed game."""

    @property
    def chance(self) -> bool:
        """Whether anything depends on chance."""

    @property
    def notation(self) -> JudgingNotation:
        """How it writes and reads."""

    @property
    def options(self) -> Sequence[KnownOption]:
        """What can be chosen."""

    def choose_options(self, texts: Mapping[str, str]) -> Any:
        """The options with these values."""

    def hides(self, options: Any) -> bool:
        """Whether a seat sees what others do not."""

    def begin(self, game_id: str, nicks: tuple[str, ...], options: Any) -> RulesState:
        """A game that begins as usual, where nothing depends on chance."""


def verdict_on(game: JudgingGame, record: GameRecord, nick: str, number: int, payload: bytes) -> str:
    """Why this move of ``nick`` in the place of the ``number``-th of the game (0: at its departure) is not legal; empty
    if it is. Raises NotJudged."""
    found = first_illegal(game, record, nick, {number: payload})
    return found[1] if found is not None else ""


def first_illegal(
    game: JudgingGame, record: GameRecord, nick: str, answers: Mapping[int, bytes]
) -> tuple[int, str] | None:
    """The first of these moves of ``nick`` that is not legal, each by the number of the recorded move that it replaces
    (0: the departure), and why; None if all are legal. Raises NotJudged if that cannot be known."""
    positions = _begun(game, record, nick)
    left = dict(answers)
    certain = True
    for asked, entry, shown in _course(record, record.seats.index(nick)):
        if asked in left:
            refusal = positions.refusal(left.pop(asked))
            if refusal:
                return asked, refusal
            certain = certain and refusal is not None
        if not left:
            break
        if entry is not None:
            positions.happens(entry, shown)
    if left:
        raise NotJudged(f"move {min(left)} of this player is not in the record")
    if not certain:
        raise NotJudged("what the others did is not certain")
    return None


def _begun(game: JudgingGame, record: GameRecord, nick: str) -> "_Positions":
    """The game at its beginning. Raises NotJudged."""
    texts = {one.name: record.options[one.name] for one in game.options if one.name in record.options}
    try:
        options = game.choose_options(texts)
    except Exception as error:  # the kind of error is the game's own
        raise NotJudged(f"its options are others here: {error}") from error
    if game.hides(options):
        raise NotJudged("the others have what this player cannot see")
    if record.with_program:
        raise NotJudged("the game master has played seats of it")
    return _Positions(game, game.begin(record.game_id, record.seats, options), record.seats.index(nick))


def _course(record: GameRecord, seat: int) -> Iterator[tuple[int, Entry | None, bytes | None]]:
    """What happened, each with what the player of the seat was shown, if it was. The number is that of the player's
    move, 0 for its departure, and -1 for all else; a move that was refused has not happened."""
    views, refused = views_of(record.entries), places_of_refused(record.entries)
    moves = 0
    for place, entry in enumerate(record.entries):
        moves += entry.kind is EntryKind.MOVE
        asked = {EntryKind.MOVE: moves, EntryKind.LEFT: 0}.get(entry.kind, -1) if entry.seat == seat else -1
        shown = None
        if entry.kind in (EntryKind.STATE, EntryKind.OVER):
            shown = shown_to(seat, entry, views.get(place, ()))
        yield asked, None if place in refused else entry, shown


class _Positions:
    """The positions that a game may have, as far as one seat knows."""

    def __init__(self, game: JudgingGame, state: RulesState, seat: int) -> None:
        self.states = [state]
        self.unseen: list[int] = []
        """Seats whose move is not known, and after which nothing was shown yet."""
        self._game = game
        self._seat = seat
        self._tried = 0
        self._lengths: list[int] = [0]
        """What the record of the game held at each state so far, the last one first: a state shows what has happened
        since one of them."""
        self._back = 0
        """Which of them that was the last time: masters show once more what a player has not surely read."""

    def refusal(self, payload: bytes) -> str | None:
        """Why the rules refuse this move of the player now; empty if they do not, None if that is not certain."""
        found = [_refusal(self._game.notation, state, self._seat, payload) for state in self.states]
        return None if self.unseen or len({not one for one in found}) > 1 else found[0]

    def happens(self, entry: Entry, shown: bytes | None) -> None:
        """This has happened next; ``shown`` is what the player was shown. Raises NotJudged."""
        if entry.kind is EntryKind.REJOINED:
            raise NotJudged("a player had left it and come back")
        if entry.kind is EntryKind.MOVE and entry.seat is not None:
            if not entry.body:
                self.unseen.append(entry.seat)
            elif self.unseen:
                raise NotJudged("several have moved at once")
            else:
                self.states = [after for one in self.states if (after := self._after(one, entry.seat, entry.body))]
        elif entry.kind is EntryKind.LEFT and entry.seat is not None:
            for state in self.states:
                state.leave(entry.seat)
        elif shown is not None and entry.kind is EntryKind.STATE:
            self._are_shown(shown)
        if not 0 < len(self.states) <= MAX_POSITIONS:
            chance = "it depends on chance, which is not in the record" if self._game.chance else ""
            raise NotJudged(chance or "with the rules that are installed here it goes another way")

    def _are_shown(self, shown: bytes) -> None:
        """Keep the positions in which the player is shown this."""
        if len(self.unseen) > 1:
            raise NotJudged("several have moved at once")
        seat = self.unseen.pop() if self.unseen else None
        before = self.states
        for back in dict.fromkeys((self._back, *range(min(len(self._lengths), MAX_BACK)))):
            self._back = back
            if seat is not None:
                self.states = [after for one in before for after in self._all_after(one, seat, shown)]
            else:
                self.states = [one for one in before if self._shows(one, shown)]
            if self.states:
                self._lengths.insert(0, len(self.states[0].record))
                return

    def _after(self, state: RulesState, seat: int, body: bytes) -> RulesState | None:
        try:
            state.apply(seat, self._game.notation.read_move(body))
        except Exception:  # the kind of error is the game's own
            return None
        return state

    def _all_after(self, state: RulesState, seat: int, shown: bytes) -> Iterator[RulesState]:
        """The positions after moves of another seat in which the player is shown this. Moves with more words in common
        with what is shown come first, and the others are not tried once one fits: a board has many fields."""
        words, fits = set(WORDS.findall(shown)), -1
        moves = [
            (len(words & set(WORDS.findall(self._game.notation.write_move(one)))), one)
            for one in state.legal_moves(seat)
        ]
        for common, move in sorted(moves, key=lambda one: -one[0]):
            if common < fits:
                return
            self._tried += 1
            if self._tried > MAX_TRIED:
                raise NotJudged("there are too many moves to try")
            after = deepcopy(state)
            after.apply(seat, move)
            if self._shows(after, shown):
                fits = common
                yield after

    def _shows(self, state: RulesState, shown: bytes) -> bool:
        since = self._lengths[min(self._back, len(self._lengths) - 1)]
        now = self._game.notation.write_view(state.view(self._seat, since))
        return similarity(shown, now) is not Similarity.DIFFERENT


def _refusal(notation: JudgingNotation, state: RulesState, seat: int, payload: bytes) -> str:
    """Why the rules refuse a move; empty if they do not."""
    try:
        move = notation.read_move(payload)
    except Exception as error:  # the kind of error is the game's own
        return f"it cannot be read: {error}"
    try:
        deepcopy(state).apply(seat, move)
    except Exception as error:  # as above
        return str(error)
    return ""
