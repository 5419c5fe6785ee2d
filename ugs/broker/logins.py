"""Who may enter, and with which of the five numbers everybody else is refused."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from ugs.broker.desk import Desk, GameType
from ugs.broker.effects import Admit, RecordLogin
from ugs.broker.events import Timer, TimerKind
from ugs.broker.link import Link, LinkState, MasterDesk
from ugs.wire.extensions import Family
from ugs.wire.messages import GameMasterLogin, LoginError, LoginResponse, PlayerLogin

LONGEST_NAME = 64
MOST_DIGITS = 18
"""Enough for any program's largest number, with which some masters say "as many as you like"; below 2**63."""


class Logins:
    """Decides about logins. It registers whom it lets in; what follows from that is the lobby's.

    ``may_enter`` says whether a championship of this type lets a player of this nick in.
    """

    def __init__(self, desk: Desk, may_enter: Callable[[GameType, str], bool]) -> None:
        self._desk = desk
        self._may_enter = may_enter

    def player(self, link: Link, message: PlayerLogin) -> bool:
        """Let a player in or refuse; True when it was let in."""
        waits = not link.may(Family.LOBBY)
        refusal = self._player_refusal(message, waits=waits)
        if refusal is not None:
            return self._refuse(link, *refusal, nick=message.nick, game_type=message.game_type)
        assert message.nick is not None
        assert message.game_type is not None
        game_type = self._desk.type_named(message.game_type)
        link.state, link.name, link.type = LinkState.IDLE, message.nick, game_type
        link.since, link.pooled = self._desk.now, waits
        self._desk.nicks[unique_form(message.nick)] = link
        game_type.players[link.conn] = link
        game_type.table.enter(message.nick)
        self._desk.do(RecordLogin(link.conn, "player", link.name, game_type.name, link.address, version=link.program))
        self._admit(link)
        self._desk.note("player logged in", link, game_type=game_type.name, address=link.address)
        return True

    def master(self, link: Link, message: GameMasterLogin) -> bool:
        """Let a master in or refuse; True when it was let in."""
        refusal = self._master_refusal(message)
        if refusal is not None:
            return self._refuse(link, *refusal, id=message.id, game_type=message.game_type)
        assert message.id is not None
        assert message.game_type is not None
        game_type = self._desk.type_named(message.game_type)
        players_min, players_max = number(message.players_min), number(message.players_max)
        assert players_min is not None
        assert players_max is not None
        link.state, link.name, link.type = LinkState.MASTER, message.id, game_type
        link.master = MasterDesk(players_min, players_max)
        self._desk.master_ids[unique_form(message.id)] = link
        game_type.masters[link.conn] = link
        players = f"{players_min} to {players_max}" if players_min < players_max else str(players_min)
        self._desk.do(RecordLogin(link.conn, "master", link.name, game_type.name, link.address, players, link.program))
        self._admit(link)
        self._desk.note(
            "master logged in",
            link,
            game_type=game_type.name,
            players=players,
            address=link.address,
        )
        return True

    def _player_refusal(self, message: PlayerLogin, *, waits: bool) -> tuple[LoginError, str] | None:
        """Why this player may not enter; None when it may. One with a lobby does not wait in the pool."""
        desk = self._desk
        wrong = self._wrong_names("nick", message.nick, (desk.nicks, desk.spectator_nicks), message.game_type)
        if wrong is not None:
            return wrong
        assert message.game_type is not None
        if self._full():
            return LoginError.PLAYERS_POOL_OVERFLOW, "the server is full"
        known = desk.types.get(message.game_type)
        if known is not None:
            if waits and len(known.waiting) >= known.settings.max_pool:
                return LoginError.PLAYERS_POOL_OVERFLOW, "the pool of this game type is full"
            if not self._may_enter(known, message.nick or ""):
                return LoginError.PLAYERS_POOL_OVERFLOW, "a championship of this game type has begun"
        return None

    def _master_refusal(self, message: GameMasterLogin) -> tuple[LoginError, str] | None:
        """Why this master may not enter; None when it may. What the message itself says is judged first."""
        desk = self._desk
        wrong = self._wrong_names("id", message.id, (desk.master_ids,), message.game_type)
        if wrong is not None:
            return wrong
        assert message.game_type is not None
        players_min, players_max = number(message.players_min), number(message.players_max)
        if players_min is None or players_max is None:
            return LoginError.WRONG_GAME_TYPE_DESCRIPTION, "playersMin or playersMax is no whole number"
        if not 2 <= players_min <= players_max:
            return LoginError.WRONG_GAME_TYPE_DESCRIPTION, "not 2 <= playersMin <= playersMax"
        if self._full():
            return LoginError.PLAYERS_POOL_OVERFLOW, "the server is full"
        known = desk.types.get(message.game_type)
        if known is not None and len(known.masters) >= known.settings.masters_per_game:
            return LoginError.MASTER_ALREADY_REGISTERED, "there are masters enough for this game type"
        return None

    def _wrong_names(
        self, what: str, name: str | None, in_use: Sequence[Mapping[str, Link]], game_type: str | None
    ) -> tuple[LoginError, str] | None:
        """What is wrong with who it says it is, then with what it says it plays."""
        wrong = wrong_name(name)
        if wrong is None and name is not None and any(unique_form(name) in names for names in in_use):
            wrong = "is in use"
        if wrong is not None:
            return LoginError.WRONG_NICK, f"{what} {wrong}"
        wrong = wrong_name(game_type)
        allowed = self._desk.config.allowed_game_types
        if wrong is None and allowed and game_type not in allowed:
            wrong = "is not allowed here"
        return None if wrong is None else (LoginError.IMPROPER_GAME_TYPE, f"gameType {wrong}")

    def _full(self) -> bool:
        return len(self._desk.nicks) + len(self._desk.master_ids) >= self._desk.config.max_logins

    def _admit(self, link: Link) -> None:
        self._desk.stop(Timer(TimerKind.LOGIN, link.conn))
        self._desk.do(Admit(link.conn))
        self._desk.send(link, LoginResponse())

    def _refuse(self, link: Link, error: LoginError, why: str, **said: object) -> bool:
        link.refusals += 1
        self._desk.note("login refused", link, warning=True, error=int(error), why=why, address=link.address, **said)
        self._desk.send(link, LoginResponse(error))
        return False


def unique_form(name: str) -> str:
    """The form in which two names that look alike are equal: composed, without difference of case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def wrong_name(name: str | None) -> str | None:
    """What is wrong with a nick, a master's id or a game type; None when nothing is."""
    if name is None:
        return "is missing"
    if len(name) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} characters"
    if not name.strip():
        return "is empty"
    if any(unicodedata.category(character) == "Cc" for character in name):
        return "holds control characters"
    return None


def number(text: str | None) -> int | None:
    """A whole number of at most :data:`MOST_DIGITS` digits as a master may write it; None for anything else."""
    digits = (text or "").strip(" \t\r\n")
    digits = digits[1:] if digits.startswith("+") else digits
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None
