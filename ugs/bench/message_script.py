"""What a scripted master and a scripted player send: bytes of one document in, bytes to send out.

Written for speed, since the generator must not be what limits the broker: documents are cut and read by searching for
bytes, nothing is parsed, answers are templates. That is sound only because the other end is a target of the bench,
which keeps to the specification's order of elements and repeats our own bytes.
"""

from collections import deque
from collections.abc import Callable
from time import monotonic_ns
from typing import Protocol
from zlib import crc32

from ugs.bench import payload
from ugs.bench.child import PlanFailed
from ugs.bench.load import Load
from ugs.bench.message_counts import MessageTally

GAME_TYPE = b"bench"
SPREAD = (5**0.5 - 1) / 2
"""Multiples of the golden section, without what is before the point, fill the room from 0 to 1 evenly, and neighbours
are far apart."""
UNEVEN = 0.5
"""The span of the lengths of uneven games, as a share of the usual length."""
DOCUMENT_END = b"</message>"

_DECLARED = b'<?xml version="1.0" encoding="UTF-8"?>'
_GAME_ID = b'<gameId id="'
_NICK = b'nick="'


class UnexpectedMessage(PlanFailed):
    """A target sent what no scripted peer should ever receive; the text shows its beginning."""


class Script(Protocol):
    """One end of one connection."""

    @property
    def admitted(self) -> bool:
        """Whether the login was accepted."""

    @property
    def finished(self) -> bool:
        """Whether this peer has sent its good-bye and expects the connection to close."""

    def login(self) -> bytes:
        """Return the first document to send."""

    def answer_to(self, document: bytes) -> bytes:
        """Take one document without its end tag; return the bytes to send for it, ``b""`` for none.

        Raises UnexpectedMessage when the document has no place in the script.
        """


class Cutter:
    """Cuts the input after every ``</message>``, and keeps an unfinished document for the next time."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the documents that end in ``data``, in order, each without its end tag."""
        documents = (self._rest + data if self._rest else data).split(DOCUMENT_END)
        self._rest = documents.pop()
        return documents


class ScriptedPlayer:
    """Logs in, moves when it is named, sends its thanks, and plays again.

    With ``games`` it logs out instead of sending thanks after that many games.
    """

    def __init__(
        self, nick: bytes, load: Load, tally: MessageTally, games: int | None = None, *, game_type: bytes = GAME_TYPE
    ) -> None:
        self.admitted = False
        self.finished = False
        self._nick = nick
        self._game_type = game_type
        self._tally = tally
        self._games_left = games
        self._moved_at = 0
        self._moves = payload.PayloadBoard(payload.MOVE, load.payload_bytes, crc32(nick))
        self._my_turn = b'<nextPlayer nick="%b"' % nick
        self._rules: dict[bytes, Callable[[bytes], bytes]] = {
            b"gameState": self._state,
            b"championsList": self._table,
            b"loginResponse": self._login_answered,
        }

    def login(self) -> bytes:
        """``playerLogin``."""
        return b'%b<message type="playerLogin"><playerLogin nick="%b" gameType="%b"/></message>' % (
            _DECLARED,
            self._nick,
            self._game_type,
        )

    def answer_to(self, document: bytes) -> bytes:
        """Return the bytes to send after this document; empty: none."""
        return _rule(self._rules, document)(document)

    def _login_answered(self, document: bytes) -> bytes:
        self.admitted = _accepted(document)
        self._tally.logins += 1
        return b""

    def _table(self, document: bytes) -> bytes:
        self._tally.champions_lists += 1
        return b""

    def _state(self, document: bytes) -> bytes:
        tally = self._tally
        tally.states += 1
        # Only the state after its own move counts, not that after the other player's.
        if self._moved_at:
            tally.round_trips.append(monotonic_ns() - self._moved_at)
            self._moved_at = 0
        game, after = _attribute(document, _GAME_ID)
        turn = document.find(b"<", after)
        if document.startswith(self._my_turn, turn):
            return self._named(game)
        if document.startswith(b"<nextPlayer", turn):
            return b""
        return self._game_over(game)

    def _named(self, game: bytes) -> bytes:
        """Return the move, now that it is this player's turn."""
        return self._move(game, monotonic_ns())

    def _move(self, game: bytes, since: int) -> bytes:
        """Return a move whose round trip counts from the moment ``since``, in nanoseconds of the monotonic clock."""
        self._moved_at = since
        return b'%b<message type="move"><gameId id="%b"/>%b%b' % (_DECLARED, game, self._moves.turn(), DOCUMENT_END)

    def _game_over(self, game: bytes) -> bytes:
        if self._games_left is not None:
            self._games_left -= 1
            if self._games_left == 0:
                self.finished = True
                return _DECLARED + b'<message type="logout"></message>'
        return b'%b<message type="thank you"><gameId id="%b"/></message>' % (_DECLARED, game)


class PacedPlayer(ScriptedPlayer):
    """Moves at an order, and not when it is named: then it joins those who are ``ready``."""

    def __init__(
        self, nick: bytes, load: Load, tally: MessageTally, ready: "deque[PacedPlayer]", game_type: bytes = GAME_TYPE
    ) -> None:
        super().__init__(nick, load, tally, game_type=game_type)
        self._ready = ready
        self._game = b""

    def _named(self, game: bytes) -> bytes:
        self._game = game
        self._ready.append(self)
        return b""

    def move(self, due: int) -> bytes:
        """Return the move of the game that has named it. The round trip counts from ``due``, when the move should have
        been made, however late it is."""
        return self._move(self._game, due)


class _Game:
    """A game that a scripted master leads."""

    __slots__ = ("board", "moves", "moves_left", "seats")

    def __init__(self, seats: tuple[bytes, ...], moves: int, board: payload.PayloadBoard) -> None:
        self.board = board
        self.seats = seats
        self.moves = self.moves_left = moves


class ScriptedMaster:
    """Leads every game that it is given: the seats in turn, ``gameOver`` after the last move.

    The first ``load.games`` games differ in length, evenly from short to full, and neighbours the most, so that games
    later end one at a time: neither all together nor many one right after the other. With ``even`` all games are
    equally long. The first seat wins, or all games are ``drawn``.
    """

    def __init__(
        self,
        name: bytes,
        load: Load,
        tally: MessageTally,
        *,
        even: bool = False,
        drawn: bool = False,
        game_type: bytes = GAME_TYPE,
    ) -> None:
        self.admitted = False
        self.finished = False
        self._name = name
        self._game_type = game_type
        self._load = load
        self._tally = tally
        self._even = even
        self._second = b"winner" if drawn else b"loser"
        """The result of the second seat: equal ones are a draw."""
        self._games_begun = 0
        self._games: dict[bytes, _Game] = {}
        self._rules: dict[bytes, Callable[[bytes], bytes]] = {
            b"move": self._move,
            b"beginGame": self._begin,
            b"loginResponse": self._login_answered,
            b"playerLeftGame": self._left,
        }

    def login(self) -> bytes:
        """``gameMasterLogin``, for games of two."""
        return (
            b'%b<message type="gameMasterLogin"><gameMasterLogin id="%b" gameType="%b" '
            b'playersMin="2" playersMax="2"/></message>' % (_DECLARED, self._name, self._game_type)
        )

    def answer_to(self, document: bytes) -> bytes:
        """Return the bytes to send after this document; empty: none."""
        return _rule(self._rules, document)(document)

    def _login_answered(self, document: bytes) -> bytes:
        self.admitted = _accepted(document)
        self._tally.logins += 1
        return b""

    def _left(self, document: bytes) -> bytes:
        """Ignore a player that left: one that logs out after its last game may be reported or not; the game is
        over."""
        return b""

    def _begin(self, document: bytes) -> bytes:
        self._tally.begins += 1
        game_id, after = _attribute(document, _GAME_ID)
        first, after = _attribute(document, _NICK, after)
        second, after = _attribute(document, _NICK, after)
        moves = self._load.moves
        place = self._games_begun * SPREAD % 1
        if not self._even and self._games_begun < self._load.games:
            moves = 1 + int(place * moves)
        elif self._load.uneven:
            moves += round((place - 0.5) * UNEVEN * moves)
        self._games_begun += 1
        board = payload.PayloadBoard(payload.STATE, self._load.payload_bytes, self._games_begun)
        game = self._games[game_id] = _Game((first, second), moves, board)
        return self._state(game_id, game)

    def _move(self, document: bytes) -> bytes:
        self._tally.moves += 1
        game_id, _ = _attribute(document, _GAME_ID)
        game = self._games[game_id]
        game.moves_left -= 1
        if game.moves_left:
            return self._state(game_id, game)
        del self._games[game_id]
        self._tally.games_over += 1
        return (
            b'%b<message type="gameState"><gameId id="%b"/><gameOver><player nick="%b" result="winner"/>'
            b'<player nick="%b" result="%b"/></gameOver>%b%b'
            % (_DECLARED, game_id, *game.seats, self._second, game.board.turn(), DOCUMENT_END)
        )

    def _state(self, game_id: bytes, game: _Game) -> bytes:
        return b'%b<message type="gameState"><gameId id="%b"/><nextPlayer nick="%b"/>%b%b' % (
            _DECLARED,
            game_id,
            game.seats[(game.moves - game.moves_left) % 2],
            game.board.turn(),
            DOCUMENT_END,
        )


def _rule(rules: dict[bytes, Callable[[bytes], bytes]], document: bytes) -> Callable[[bytes], bytes]:
    """Return the rule for this document's type; raise UnexpectedMessage when there is none."""
    kind, _ = _attribute(document, b'type="')
    rule = rules.get(kind)
    if rule is None:
        raise UnexpectedMessage(f"no scripted peer expects {document[:400].decode(errors='replace')!r}")
    return rule


def accepts(document: bytes) -> bool:
    """Return whether a ``loginResponse`` accepts. Raises UnexpectedMessage for another document."""
    return _attribute(document, b'accept="')[0] == b"yes"


def _accepted(document: bytes) -> bool:
    """Return True for an accepting ``loginResponse``; raise UnexpectedMessage for a refusing one."""
    if not accepts(document):
        raise UnexpectedMessage(f"login refused: {document[:400].decode(errors='replace')!r}")
    return True


def _attribute(document: bytes, opening: bytes, start: int = 0) -> tuple[bytes, int]:
    """Return the value after the first ``opening`` at or after ``start``, up to its quote, and the place of that quote.

    Raises UnexpectedMessage when ``opening`` does not occur.
    """
    found = document.find(opening, start)
    if found < 0:
        beginning = document[:400].decode(errors="replace")
        raise UnexpectedMessage(f"{opening.decode()} is missing from {beginning!r}")
    begin = found + len(opening)
    end = document.find(b'"', begin)
    return document[begin:end], end
