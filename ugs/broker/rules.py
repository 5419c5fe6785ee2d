"""What each message of v4 means in the state of its connection, and what becomes of who comes and who goes.

The rules that ``LIFE`` of ``link.py`` names are methods of :class:`Rules`: each returns what is wrong with the message,
or None.
"""

from collections.abc import Sequence

from ugs.broker.champions import Champions
from ugs.broker.desk import Desk, GameType
from ugs.broker.director import Director
from ugs.broker.effects import RecordLogout, Stopped
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.sessions import Sessions
from ugs.broker.game import Game
from ugs.broker.games import Games, no_such_game
from ugs.broker.link import Link, LinkState
from ugs.broker.lobby import Lobby
from ugs.broker.logins import Logins, unique_form
from ugs.broker.onlookers import Onlookers
from ugs.broker.scribe import Scribe
from ugs.broker.verdict import Cause, GameResult
from ugs.wire.messages import (
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)


class Rules:
    """Everything a peer can do with the messages of v4, and coming and going."""

    def __init__(self, desk: Desk, onlookers: Onlookers) -> None:
        self._desk = desk
        self._onlookers = onlookers
        self._scribe = Scribe(desk, onlookers)
        self._champions = Champions(desk)
        self.games = Games(desk, onlookers, self.idle, self._ended, self.dismiss)
        self.director = Director(desk, self._champions, self.games.begin)
        self.logins = Logins(desk, self.director.may_enter)
        self.lobby = Lobby(desk, self._champions, self.director, self.games.begin)
        self.sessions = Sessions(desk, onlookers, self.games, self.came, self.depart)

    # The rules that LIFE names.

    def player_login(self, link: Link, message: PlayerLogin) -> str | None:
        """A new connection says it is a player."""
        if self._desk.draining:
            return "playerLogin: the server is shutting down"
        if self.logins.player(link, message):
            assert link.type is not None
            self.sessions.open(link)
            self.came(link)
            self._champions.changed(link.type)
        else:
            self.count_refusal(link)
        return None

    def master_login(self, link: Link, message: GameMasterLogin) -> str | None:
        """A new connection says it is a game master."""
        if self._desk.draining:
            return "gameMasterLogin: the server is shutting down"
        if self.logins.master(link, message):
            self.master_ready(link)
        else:
            self.count_refusal(link)
        return None

    def second_login(self, link: Link, message: PlayerLogin | GameMasterLogin) -> str | None:
        """One login per connection."""
        return f"{message.TYPE}: you are logged in already, as {link.name!r}"

    def logout(self, link: Link, _message: Message) -> str | None:
        """The peer says good-bye."""
        self._desk.note("logged out", link)
        self._desk.close(link)
        self.depart(link, Cause.LOGOUT)
        return None

    def peer_error(self, link: Link, message: Error) -> str | None:
        """The peer tells us of an error: people may want to know, but not without end."""
        if self._desk.heed(link):
            game = link.game.id if link.game is not None else None
            self._scribe.error(link, message.text)
            self._desk.note("peer reports an error", link, warning=True, text=message.text, game=game)
        return None

    def error_as_thanks(self, link: Link, message: Error) -> str | None:
        """After a game an error is as good as a thank you."""
        self.peer_error(link, message)
        self._thanked(link)
        return None

    def thank_you(self, link: Link, message: ThankYou) -> str | None:
        """The player has seen the end of its game."""
        assert link.game is not None
        if message.game_id != link.game.id:
            return f"thank you: gameId id {message.game_id!r}: you owe it for game {link.game.id}"
        self._thanked(link)
        return None

    def no_game(self, link: Link, message: Move | LeaveGame | ThankYou) -> str | None:
        """A message about a game from a player for whom no game runs, or for whom one does and it is too early."""
        if link.state is LinkState.PLAYING and link.game is not None and message.game_id == link.game.id:
            why = "this game is not over"
        elif link.state is LinkState.OWING and link.game is not None and message.game_id == link.game.id:
            why = "this game is over"
        else:
            why = no_such_game(link, message.game_id)
        return f"{message.TYPE}: gameId id {message.game_id!r}: {why}"

    def move(self, link: Link, message: Move) -> str | None:
        """A player in a game moves."""
        return self.games.move(link, message)

    def leave_game(self, link: Link, message: LeaveGame) -> str | None:
        """A player gives its game up. Who has set up its table has to cancel it instead."""
        game = link.game
        assert game is not None
        if message.game_id != game.id:
            return f"leaveGame: gameId id {message.game_id!r}: {no_such_game(link, message.game_id)}"
        if game.setting.table is not None and game.setting.table.owner is link:
            return f"leaveGame: gameId id {message.game_id!r}: you have set up this table; cancel it instead"
        self.games.leave(link, Cause.LEFT)
        self.idle([link])
        return None

    def game_state(self, link: Link, message: GameState) -> str | None:
        """A master tells a state."""
        return self.games.state(link, message)

    def player_out(self, link: Link, message: PlayerLeftGame) -> str | None:
        """A master takes a player out."""
        return self.games.player_out(link, message)

    # Steps.

    def came(self, link: Link) -> None:
        """A player is there, for the first time or again: it may be one that a championship has waited for."""
        self.director.came(link)
        if link.game is None:
            self.idle([link])

    def master_ready(self, link: Link) -> None:
        """A master may be given games."""
        assert link.type is not None
        self._room(link.type)

    def idle(self, links: Sequence[Link]) -> None:
        """These players are free."""
        self.lobby.idle(links)

    def count_refusal(self, link: Link) -> None:
        """A login or a token was refused: not too often."""
        if link.refusals >= self._desk.config.login_attempts:
            self._desk.note("too many refused logins", link, warning=True)
            self._desk.stop(Timer(TimerKind.LOGIN, link.conn))
            self._desk.close(link)

    def complain(self, link: Link, text: str, game_id: str = "") -> None:
        """Answer a wrong message with an ``error``; one too many within a minute, and the peer has to go."""
        self._scribe.refused(link, text, game_id)
        if not self._desk.complain(link, text):
            self.too_many_errors(link)

    def too_many_errors(self, link: Link) -> None:
        """A peer has said too much nonsense within a minute."""
        self.dismiss(link, f"more than {self._desk.config.max_errors_per_minute} wrong messages in a minute")

    def dismiss(self, link: Link, text: str) -> None:
        """Tell a peer why it has to go, and let it go."""
        self._desk.note("dismissed", link, warning=True, reason=text)
        self._desk.error(link, text)
        self._desk.close(link)
        self.depart(link, Cause.DISCONNECTED)

    def depart(self, link: Link, cause: Cause) -> None:
        """A connection is gone for good, whatever it was: give back all it held."""
        if link.state is LinkState.NEW:
            self._desk.stop(Timer(TimerKind.LOGIN, link.conn))
        elif link.state is LinkState.WATCHING:
            self._tell_departing(link, cause)
        else:
            if not link.away or link.by_gateway:
                self._desk.do(RecordLogout(link.conn, str(cause)))
            if link.state is LinkState.MASTER:
                self._master_departs(link)
            else:
                self._player_departs(link, cause)

    def reachable(self, link: Link, *, there: bool) -> None:
        """Whether anything can be delivered to a player for whom a gateway speaks. Who cannot be reached keeps its
        nick, and leaves its game or table."""
        if link.type is None or there is not link.away:
            return
        link.away = not there
        if there:
            return
        if link.state is LinkState.PLAYING:
            self.games.leave(link, Cause.DISCONNECTED)
        elif link.state is LinkState.OWING:
            self.games.thanks(link)
        self._tell_departing(link, Cause.DISCONNECTED)
        self.idle([link])

    def announce(self, game_type: str) -> None:
        """The moment has come at which a changed table may be told."""
        self._champions.announce(self._desk.types[game_type])

    def look_at_all_types(self) -> None:
        """Begin what can begin, of any type."""
        for game_type in list(self._desk.types.values()):
            self._room(game_type)

    def good_bye(self) -> None:
        """All games have ended: tell everybody, close, and stop."""
        desk = self._desk
        self.sessions.end_all()
        everybody = list(desk.links.values())
        told = [
            link
            for link in everybody
            if link.type is not None and not (link.state is LinkState.MASTER and link.type.settings.quiet_master)
        ]
        desk.note("shutting down", peers=len(told))
        for link in everybody:
            if link.state not in (LinkState.NEW, LinkState.WATCHING):
                desk.do(RecordLogout(link.conn, str(Cause.SHUTDOWN)))
        desk.send_all([*told, *desk.spectators.values()], ServerShutdown())
        for link in everybody:
            desk.close(link)
        desk.do(Stopped())

    def _ended(self, game: Game, result: GameResult) -> None:
        """A game has its verdict: into the table with it; its master may have room for another one."""
        game_type = game.type
        if game.championship is not None:
            game.championship.count(result)
        elif len(result.seats) > 1:
            game_type.open_table.count(result)
        self._champions.changed(game_type)
        self._room(game_type)
        self._desk.release(game_type)

    def _room(self, game_type: GameType) -> None:
        """A master may have room for one more game: games that wait for one come first, then tables."""
        self.games.adopt(game_type)
        for tell in self._onlookers.room:
            tell(game_type)
        self.lobby.match(game_type)

    def _thanked(self, link: Link) -> None:
        self.games.thanks(link)
        self.idle([link])

    def _master_departs(self, link: Link) -> None:
        game_type = link.type
        assert game_type is not None
        link.away = True
        game_type.masters.pop(link.conn, None)
        del self._desk.master_ids[unique_form(link.name)]
        self.games.lose_master(link)
        self.lobby.match(game_type)  # whoever waited for this master may do for another one
        self._desk.release(game_type)

    def _player_departs(self, link: Link, cause: Cause) -> None:
        game_type = link.type
        assert game_type is not None
        game_type.waiting.pop(link.conn, None)
        game_type.players.pop(link.conn, None)
        game_type.idle.pop(link, None)
        del self._desk.nicks[unique_form(link.name)]
        self.sessions.close(link)
        # Before the game it leaves is counted: a game that is given up is none that was played.
        self.director.left(link, cause)
        if link.state is LinkState.PLAYING:
            self.games.leave(link, cause)
        elif link.state is LinkState.OWING:
            self.games.thanks(link)
        self._tell_departing(link, cause)
        self._forget_unplayed(link, game_type)
        self._champions.changed(game_type)
        self.lobby.match(game_type)
        self._desk.release(game_type)

    def _tell_departing(self, link: Link, cause: Cause) -> None:
        for tell in self._onlookers.departing:
            tell(link, cause)

    def _forget_unplayed(self, link: Link, game_type: GameType) -> None:
        """Of a player that is gone and has no game to its account nothing is kept."""
        game_type.open_table.leave(link.name)
        if link.name not in game_type.open_table:
            game_type.seating.forget(link.name)
