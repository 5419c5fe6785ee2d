"""The rules that move games along the table of ``game.py``: who sits there, who is out, who is too slow.

Whatever comes in is checked first; then the table says what it means in the phase of that game. Whose turn it is
stands in ``turns.py``, how what a master tells is sent in ``showing.py``, who leads when a master is lost in
``takeover.py``, how games end in ``ending.py``.
"""

from collections.abc import Callable, Sequence

from ugs.broker.championship import Championship
from ugs.broker.desk import Desk, GameType
from ugs.broker.ending import Ending, wrong_results
from ugs.broker.events import Timer, TimerKind
from ugs.broker.game import LIFE, Game, Happening, Phase, Setting, Shown
from ugs.broker.link import Link, LinkState
from ugs.broker.onlookers import Onlookers
from ugs.broker.scribe import Scribe
from ugs.broker.showing import Showing, without_leavers, wrong_labels, wrong_views
from ugs.broker.takeover import Takeover
from ugs.broker.turns import Turns
from ugs.broker.verdict import Cause, GameResult, Verdict
from ugs.championship.schedule import Fixture
from ugs.wire.extensions import Family, Labels, Stop, Views
from ugs.wire.messages import BeginGame, Choice, Error, GameState, Move, PlayerLeftGame

STATE, MOVE = Happening.STATE, Happening.MOVE
"""What happens all the time, by names of their own: CPython 3.11 takes longer to find a member of an enumeration in its
class than to look up the rule for it."""


class Games:
    """All running games and the rules that move them along ``LIFE``.

    ``idle`` is called with players who are free again, ``ended`` when the verdict of a game has been announced,
    ``dismiss`` with a peer that has to go and the reason it is told.
    """

    def __init__(
        self,
        desk: Desk,
        onlookers: Onlookers,
        idle: Callable[[Sequence[Link]], None],
        ended: Callable[[Game, GameResult], None],
        dismiss: Callable[[Link, str], None],
    ) -> None:
        self._desk = desk
        self._onlookers = onlookers
        self._scribe = Scribe(desk, onlookers)
        showing = Showing(desk, self._scribe)
        self._ending = Ending(desk, self._scribe, showing, onlookers, idle, ended, self._forget)
        self._turns = Turns(desk, self._scribe, showing, onlookers)
        self._takeover = Takeover(desk, self._scribe, self._ending, self._turns)
        self._idle = idle
        self._dismiss = dismiss
        self._games: dict[str, Game] = {}
        self._life: dict[Phase, dict[Happening, Callable[..., None]]] = {
            phase: {happening: self._rule(name) for happening, name in row.items()} for phase, row in LIFE.items()
        }

    @property
    def running(self) -> list[Game]:
        """The games whose end has not been announced yet."""
        return [game for game in self._games.values() if game.phase is not Phase.OVER]

    def find(self, game_id: str) -> Game | None:
        """The game of that id whose end has not been announced yet."""
        game = self._games.get(game_id)
        return game if game is not None and game.phase is not Phase.OVER else None

    # What comes in. Each of these checks, then looks up in `_life` what it means.

    def begin(
        self,
        game_type: GameType,
        master: Link,
        players: Sequence[Link],
        championship: Championship | None = None,
        fixture: Fixture | None = None,
        setting: Setting | None = None,
    ) -> Game:
        """Seat these idle players and ask the master to lead them.

        A fixture says who sits where; at a table they sit in the order given; else the seats are dealt.
        """
        desk = self._desk
        by_nick = {link.name: link for link in players}
        setting = setting or self._usual(master)
        game_id = setting.table.id if setting.table is not None else desk.new_game_id()
        if fixture is not None:
            seats = fixture.nicks
        else:
            seats = tuple(by_nick) if setting.table is not None else game_type.seating.deal(list(by_nick))
        game = Game(
            game_id,
            game_type,
            master,
            seats,
            {nick: by_nick[nick] for nick in seats},
            {nick: seat for seat, nick in enumerate(seats)},
            desk.now,
            championship,
            fixture,
            Timer(TimerKind.GAME, game_id),
            setting,
            active_at=desk.now,
        )
        game.audience_changed()
        for link in players:
            game_type.waiting.pop(link.conn, None)
            game_type.idle.pop(link, None)
            link.state, link.game, link.table = LinkState.PLAYING, game, None
        self.take_in(game)
        self._scribe.begin(game)
        if championship is not None and fixture is not None:
            championship.playing(game_id, fixture)
        desk.note("game begun", game=game_id, game_type=game_type.name, master=master.name, seats=list(seats))
        desk.send(master, begin_message(game))
        desk.start(game.clock, game_type.settings.begin_timeout_s)
        for tell in self._onlookers.begun:
            tell(game)
        game.plain = game.times is None and not master.names_movers and not any(link.by_gateway for link in players)
        return game

    def take_in(self, game: Game) -> None:
        """This game runs from now on, led by its master."""
        assert game.master.master is not None
        game.master.master.games[game.id] = game
        game.type.running += 1
        self._games[game.id] = game

    def state(self, master: Link, message: GameState) -> str | None:
        """A ``gameState`` from a master; returns what is wrong with it, or None."""
        assert master.master is not None
        game = master.master.games.get(message.game_id)
        if game is None:
            return self._not_running(master, "gameState", message.game_id)
        if message.game_over is not None:
            wrong = wrong_results(game, message.game_over, "gameState")
        elif message.next_player not in game.present:
            wrong = f"gameState: nextPlayer nick {message.next_player!r}: not a player in game {game.id}"
        else:
            wrong = None
        if wrong is not None:
            return wrong
        self._told(master, game, message)
        return None

    def views(self, master: Link, message: Views) -> str | None:
        """An ``x-views`` from a master; returns what is wrong with it, or None."""
        assert master.master is not None
        game = master.master.games.get(message.game_id)
        if game is None:
            return self._not_running(master, "x-views", message.game_id)
        message = without_leavers(game, message)
        wrong = next(wrong_views(game, message), None)
        if wrong is None and len(message.next_players) > 1 and not master.may(Family.MOVERS):
            wrong = "x-views: several nextPlayer, and the family movers was not granted"
        if wrong is None and message.game_over:
            wrong = wrong_results(game, message.game_over, "x-views")
        if wrong is not None:
            return wrong
        self._told(master, game, message)
        return None

    def move(self, player: Link, message: Move) -> str | None:
        """A ``move`` from a player in a game; returns what is wrong with it, or None."""
        game = player.game
        assert game is not None
        if message.game_id != game.id:
            return f"move: gameId id {message.game_id!r}: {no_such_game(player, message.game_id)}"
        if player not in game.movers:
            return f"move: gameId id {message.game_id!r}: it is not your turn"
        if game.times is not None:
            game.times.moved(player, self._desk.now)
        self._life[game.phase][MOVE](game, player, message)
        return None

    def leave(self, player: Link, cause: Cause) -> None:
        """A player goes out of its running game: tell the master. The player itself is the caller's business."""
        game = player.game
        assert game is not None
        if game.phase is Phase.CLOSING:  # the result stands, and the master has done with the game
            self._remove(game, player)
            return
        self._scribe.left(game, player, cause)
        if not game.type.settings.quiet_master:
            self._desk.send(game.master, PlayerLeftGame(player.name, game.id))
        self._out(game, player, cause)

    def player_out(self, master: Link, message: PlayerLeftGame) -> str | None:
        """A ``playerLeftGame`` from a master; returns what is wrong with it, or None."""
        assert master.master is not None
        game = master.master.games.get(message.game_id)
        if game is None:
            return self._not_running(master, "playerLeftGame", message.game_id)
        player = game.present.get(message.nick)
        if player is None:
            if message.nick in game.departures:  # an echo of our own message, or both said it at the same time
                self._desk.note("ignored: player had left already", master, game=game.id, nick=message.nick)
                return None
            return f"playerLeftGame: player nick {message.nick!r}: not a player in game {game.id}"
        self._scribe.left(game, player, Cause.REMOVED)
        self._desk.send(player, Error("removed by the game master"))
        self._out(game, player, Cause.REMOVED)
        self._idle([player])
        return None

    def labels(self, master: Link, message: Labels) -> str | None:
        """An ``x-labels`` from a master; returns what is wrong with it, or None."""
        assert master.master is not None
        game = master.master.games.get(message.game_id)
        if game is None:
            return self._not_running(master, "x-labels", message.game_id)
        wrong = next(wrong_labels(game, message), None)
        if wrong is not None:
            return wrong
        if message.seats != game.labels:
            game.labels = message.seats
            self._scribe.labels(game, message.seats)
            self._seats_changed(game, "")
        return None

    def declined(self, master: Link, game_id: str, text: str) -> str | None:
        """A master cannot begin (or take over) a game; returns what is wrong with that, or None."""
        assert master.master is not None
        game = master.master.games.get(game_id)
        if game is None:
            return self._not_running(master, "x-failed", game_id)
        if game.phase not in (Phase.BEGUN, Phase.TAKING):
            return f"x-failed: gameId id {game_id!r}: this game has begun"
        self._desk.note("game declined", master, warning=True, game=game_id, reason=text)
        if game.phase is Phase.TAKING:
            self._ending.void(game, Cause.MASTER_LOST)
        elif game.setting.table is not None:
            self._ending.cancel(game, Cause.DECLINED, master.name)
        else:  # nobody has asked for anything that the master did not offer itself
            self.no_beginning(game)
        return None

    def cancel(self, game: Game, cause: Cause, culprit: str | None = None) -> None:
        """End a game at a table that has no result yet; it counts for nobody, and its master is told."""
        if game.master.may(Family.TABLE):
            self._desk.tell([game.master], Stop(game.id, str(cause).upper().replace(" ", "_")))
        elif not game.type.settings.quiet_master:
            for nick in game.present:
                self._desk.send(game.master, PlayerLeftGame(nick, game.id))
        self._ending.cancel(game, cause, culprit)

    def cut(self, player: Link) -> None:
        """The line of a player in a game, which may be over, is cut, and its seat waits."""
        game = player.game
        assert game is not None
        if not game.ended:
            self._scribe.cut(game, player)
        game.audience_changed()
        self._seats_changed(game, f"the line of {player.name} is cut")

    def back(self, player: Link) -> None:
        """That player is there again: it gets its last state."""
        game = player.game
        assert game is not None
        game.audience_changed()
        if not game.ended:
            self._scribe.back(game, player)
        self.resend(player)
        self._seats_changed(game, f"{player.name} is back")

    def resend(self, player: Link) -> bool:
        """The last state of its game to a player once more; False when there has been none."""
        game = player.game
        last = game.last_state(player.name) if game is not None else None
        if last is not None:
            self._desk.send(player, last)
        return last is not None

    def thanks(self, player: Link) -> None:
        """A player has answered the end of its game (or is gone, and will not)."""
        game = player.game
        assert game is not None
        del game.owing[player.conn]
        player.game, player.last_game = None, game.id
        if not game.owing:
            self._forget(game)

    def lose_master(self, master: Link) -> None:
        """The connection of a master is gone: what becomes of its games."""
        assert master.master is not None
        for game in list(master.master.games.values()):
            self._life[game.phase][Happening.MASTER_GONE](game)

    def adopt(self, game_type: GameType) -> None:
        """A master may have room for one more game: it takes over those that wait for one."""
        self._takeover.adopt(game_type)

    def revive(self, game: Game) -> None:
        """A game in which the server was lost: it waits for a master, or is void when nobody is left in it."""
        self.take_in(game)
        if not game.present:
            self._ending.void(game, Cause.SERVER_LOST)
            return
        self._desk.note("game waits for its master", game=game.id, game_type=game.type.name)
        self._takeover.wait(game)

    def kept(self, game_id: str) -> None:
        """The result of a game is on file; it may have been voided meanwhile."""
        game = self._games.get(game_id)
        if game is not None and game.phase is Phase.CLOSING:
            self._life[game.phase][Happening.KEPT](game)

    def clock(self, game_id: str) -> None:
        """The clock of a game has run out."""
        game = self._games.get(game_id)
        if game is not None:
            self._life[game.phase][Happening.CLOCK](game)

    def shut_down(self) -> None:
        """End whatever still runs, to the fault of the server. What has a result already waits for the disk."""
        for game in self.running:
            if game.phase is not Phase.CLOSING:
                self._ending.void(game, Cause.SHUTDOWN)

    def journal_lost(self) -> None:
        """Nothing can be written down: end everything, also what had a result that is not on file."""
        for game in self.running:
            self._ending.void(game, Cause.JOURNAL_LOST)

    def _told(self, master: Link, game: Game, message: Shown) -> None:
        """A master has told a state or a result, and nothing is wrong with it."""
        assert master.master is not None
        master.master.silences = 0
        game.active_at = self._desk.now
        happening = Happening.GAME_OVER if message.game_over else STATE
        self._life[game.phase][happening](game, message)

    def _rule(self, name: str) -> Callable[..., None]:
        rooms = (self, self._turns, self._takeover)
        rule: Callable[..., None] = next(getattr(room, name) for room in rooms if hasattr(room, name))
        return rule

    # The rules that LIFE names. Their arguments are the game and what happened in it.

    def finish(self, game: Game, message: Shown) -> None:
        """The master has said who won."""
        self._ending.finish(game, message)

    def one_less(self, game: Game, player: Link) -> None:
        """A player has just been taken out of ``present``."""
        asked = player in game.movers or player.name in game.held
        game.movers = tuple([link for link in game.movers if link is not player])
        game.held.pop(player.name, None)
        leaderless = game.phase in (Phase.AWAY, Phase.TAKING)
        if not game.present:
            if leaderless:
                self._ending.void(game, Cause.MASTER_LOST)
            else:
                verdict = Verdict(game.departures[player.name], player.name, by_server=True)
                self._ending.conclude(game, {}, verdict, None)
        elif leaderless:
            game.owes = game.owes or (asked and not game.movers and not game.held) or len(game.present) == 1
        elif game.type.settings.quiet_master:
            self._ending.for_master(game)
        elif game.phase is not Phase.BEGUN:
            self._master_must_answer(game)

    def no_beginning(self, game: Game) -> None:
        """The master did not answer ``beginGame``."""
        self._silent(game, lambda: self._ending.void(game, Cause.NO_BEGINNING))

    def master_silent(self, game: Game) -> None:
        """The master did not answer a move or a leave; a last player left by all others need not suffer for it."""
        if len(game.present) == 1 and game.departures:
            self.last_one_wins(game)
        else:
            self._silent(game, lambda: self._ending.void(game, Cause.MASTER_SILENT))

    def last_one_wins(self, game: Game) -> None:
        """The master did not say who won when only one player was left: the server does."""
        self._silent(game, lambda: self._ending.for_master(game))

    def player_too_slow(self, game: Game) -> None:
        """Whoever had to move and did not in time is taken out."""
        for player in self._turns.late(game):
            if game.ended:
                break  # by the leaving of the one before
            self._desk.note("no move in time", player, warning=True, game=game.id)
            self.leave(player, Cause.TIMEOUT)
            text = f"no move within {game.type.settings.move_timeout_s:g} s: game {game.id} is lost"
            if game.times is not None and game.times.spent(player):
                text = f"no time left: game {game.id} is lost"
            self._desk.send(player, Error(text))
            self._idle([player])
        if game.phase is Phase.TURN:
            self._turns.start_clock(game, ())

    def not_taken_over(self, game: Game) -> None:
        """The new master did not answer ``x-restore``."""
        self._silent(game, lambda: self._ending.void(game, Cause.MASTER_LOST))

    def no_thanks(self, game: Game) -> None:
        """Whoever still owes a thank you has to go; who is not there for the moment is forgiven."""
        seconds = game.type.settings.thank_you_timeout_s
        for player in list(game.owing.values()):
            if player.away:
                self.thanks(player)
                self._idle([player])
            else:
                self._dismiss(player, f"no thank you within {seconds:g} s after game {game.id}")

    def announce(self, game: Game) -> None:
        """The result is on file: everybody may know it."""
        self._ending.announce(game)

    # The steps that rules are made of.

    def _usual(self, master: Link) -> Setting:
        """How a game is played for which nobody has chosen anything."""
        assert master.master is not None
        offers = master.master.offers or ()
        seed = self._desk.new_secret() if master.may(Family.RESTORE) else ""
        return Setting({option.name: option.value for option in offers}, 0, seed)

    def _seats_changed(self, game: Game, comment: str) -> None:
        for tell in self._onlookers.seats:
            tell(game, comment)

    def _not_running(self, master: Link, message_type: str, game_id: str) -> str | None:
        """A master speaks of a game that it does not lead: it may have crossed with the end of that game."""
        assert master.master is not None
        if game_id in master.master.ended:
            self._desk.note("ignored: game has ended already", master, game=game_id, message=message_type)
            return None
        return f"{message_type}: gameId id {game_id!r}: you lead no such game"

    def _remove(self, game: Game, player: Link) -> None:
        del game.present[player.name]
        game.audience_changed()
        player.game, player.last_game = None, game.id

    def _out(self, game: Game, player: Link, cause: Cause) -> None:
        self._remove(game, player)
        game.departures[player.name] = cause
        game.active_at = self._desk.now
        self._desk.note("player left game", player, game=game.id, cause=str(cause))
        self._seats_changed(game, f"{player.name}: {cause}")
        self._life[game.phase][Happening.LEFT](game, player)
        if not game.ended:
            for tell in self._onlookers.left:
                tell(game, player, cause)

    def _master_must_answer(self, game: Game) -> None:
        """After a departure: the master says how the game goes on, unless somebody else's turn goes on anyway."""
        if len(game.present) == 1 and not game.setting.computers:
            game.phase = Phase.ALONE
        elif not game.movers:
            game.phase = Phase.ANSWER
        else:
            return
        game.owes = True
        self._desk.start(game.clock, game.type.settings.master_timeout_s)

    def _silent(self, game: Game, end: Callable[[], None]) -> None:
        """Count a silence of the master and end the game; after too many the master goes, and gets no game before."""
        master, strikes = game.master, game.type.settings.master_strikes
        assert master.master is not None
        master.master.silences += 1
        self._desk.note("master silent", master, warning=True, game=game.id, times=master.master.silences)
        struck_out = master.master.silences >= strikes
        if struck_out:
            del game.type.masters[master.conn]
        end()
        if struck_out:
            self._dismiss(master, f"silent {strikes} times in a row")

    def _forget(self, game: Game) -> None:
        self._desk.stop(game.clock)
        del self._games[game.id]


def begin_message(game: Game) -> BeginGame:
    """What the master is asked, with as much as it was granted to know."""
    setting, master = game.setting, game.master
    told_options = master.may(Family.TABLE)
    options = tuple([Choice(name, value) for name, value in setting.options.items()]) if told_options else ()
    seed = setting.seed if master.may(Family.RESTORE) else ""
    return BeginGame(game.id, game.seats, options, setting.total if told_options else 0, seed)


def no_such_game(player: Link, game_id: str) -> str:
    """Why a player may not speak of this game."""
    return "this game is over" if game_id and game_id == player.last_game else "you are in no such game"
