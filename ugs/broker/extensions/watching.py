"""Watching: spectators follow games, from their begin or from now, at once or later.

A channel is one game, seen with one delay. What happens in the game is published on it once, as soon as it is old
enough, and the shell hands it to however many are subscribed. A spectator that begins at the begin is told the past
first, a piece at a time as its network takes it, and is subscribed when it has caught up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ugs.broker.desk import Desk
from ugs.broker.effects import Admit, Publish, RecordEntry, Subscribe, Unsubscribe
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.extensions.story import event_of, moves_until, old_enough, snapshot
from ugs.broker.game import Game
from ugs.broker.games import Games
from ugs.broker.link import Link, LinkState
from ugs.broker.logins import unique_form, wrong_name
from ugs.broker.onlookers import Onlookers
from ugs.broker.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.wire.extensions import (
    ListGames,
    Ok,
    Reason,
    RunningGame,
    RunningGames,
    Unwatch,
    Visibility,
    Watch,
    WatchFrom,
)

LONGEST_DELAY_S = 900.0
"""The longest delay that a spectator may choose: till then all that has happened is kept for it. A game type may have
a longer one."""
MOST_DELAYS = 20
"""So many different delays there may be for one game, or one game type: each costs the broker work of its own."""
MOST_WATCHED = 100
"""So many games and game types one spectator may follow."""
PIECE_EVENTS = 200
PIECE_BYTES = 262_144
"""Of the past at most so many events, and states of about so many bytes, are told at a time."""


@dataclass(slots=True, eq=False)
class Channel:
    """One game, seen with one delay."""

    name: str
    game: Game
    delay_s: float
    told: int
    """The number of the last event that was old enough when it was last looked."""
    watchers: "dict[int, Spectator]" = field(default_factory=dict)
    """By conn."""
    late: set[int] = field(default_factory=set)
    """Those of them who are still being told the past."""
    waiting: bool = False
    """Whether a timer runs for the next event."""
    ended: bool = False
    """Whether the last event of the game has been told."""


@dataclass(slots=True, eq=False)
class Spectator:
    """What is kept of one who watches."""

    link: Link
    games: dict[str, Channel] = field(default_factory=dict)
    """What it follows, by game id."""
    types: dict[str, float] = field(default_factory=dict)
    """The game types that it follows, and with which delay."""
    behind: dict[str, int] = field(default_factory=dict)
    """The games of which it is still being told the past, and the number of the last event it was told."""

    @property
    def chosen(self) -> set[str]:
        """What it has asked for: game types, and ids of games of other types."""
        types = self.types
        return {*types, *(game_id for game_id, channel in self.games.items() if channel.game.type.name not in types)}

    @property
    def catching_up(self) -> Timer:
        """Fires when the next piece of the past may be told."""
        return Timer(TimerKind.SPECTATORS, f"past {self.link.conn}")


class Watching:
    """Lets spectators in and tells them what happens."""

    def __init__(self, desk: Desk, games: Games, onlookers: Onlookers) -> None:
        self._desk = desk
        self._games = games
        self._spectators: dict[int, Spectator] = {}
        self._channels: dict[str, Channel] = {}
        self._of_game: dict[str, dict[float, Channel]] = {}
        """The channels of each game, by delay."""
        self._of_type: dict[str, dict[int, Spectator]] = {}
        """Who follows a game type, by conn."""
        onlookers.begun.append(self._begun)
        onlookers.entry.append(self._happened)
        onlookers.departing.append(self._departing)

    # What spectators ask.

    def watch(self, link: Link, message: Watch) -> Refusal | None:
        """Somebody new, or a spectator, wants to follow a game or a game type."""
        refusal = next(self._refusals(link, message), None)
        if refusal is not None:
            link.refusals += link.state is LinkState.NEW
            return refusal
        spectator = self._spectators.get(link.conn) or self._let_in(link)
        if message.nick and not link.name:
            link.name = message.nick
            self._desk.spectator_nicks[unique_form(message.nick)] = link
        delay_s = self._delay(message)
        self._desk.note("watches", link, game=message.game_id, game_type=message.game_type, delay_s=delay_s)
        if message.game_id:
            game = self._games.find(message.game_id)
            assert game is not None
            self._follow(spectator, game, message, delay_s)
        else:
            self._follow_type(spectator, message, delay_s)
        self._tell_past(spectator)
        return None

    def unwatch(self, link: Link, message: Unwatch) -> Refusal | None:
        """A spectator has seen enough of a game, of a game type with all its games, or of everything."""
        spectator = self._spectators.get(link.conn)
        if spectator is None:
            return Refusal(Reason.INVALID_PLAYER, "x-unwatch: you watch nothing; begin with x-watch")
        everything = not message.game_id and not message.game_type
        for game_id, channel in list(spectator.games.items()):
            if everything or game_id == message.game_id or channel.game.type.name == message.game_type:
                self._leave(spectator, channel)
        for name in list(spectator.types):
            if everything or name == message.game_type:
                self._leave_type(spectator, name)
        self._desk.tell([link], Ok(message.ref))
        return None

    def list(self, link: Link, message: ListGames) -> Refusal | None:
        """Somebody wants to know what there is to watch."""
        games = [game for game in self._games.running if message.game_type in ("", game.type.name) and is_open(game)]
        self._desk.tell([link], RunningGames(tuple(map(self._running, games)), message.ref))
        return None

    def due(self, channel: str) -> None:
        """The next event on a channel has become old enough, or a spectator may be told more of the past."""
        known = self._channels.get(channel)
        if known is not None:
            known.waiting = False
            self._publish(known)
            return
        spectator = self._spectators.get(int(channel.removeprefix("past "))) if channel.startswith("past ") else None
        if spectator is not None:
            self._tell_past(spectator)

    def audience(self, game_id: str) -> Sequence[Link]:
        """Who watches this game."""
        channels = self._of_game.get(game_id, {}).values()
        return [spectator.link for channel in channels for spectator in channel.watchers.values()]

    # What is wrong with a request.

    def _refusals(self, link: Link, message: Watch) -> Iterator[Refusal]:
        """Everything that stands in the way of a request, in the order in which it is judged."""
        yield from self._wrong_request(link, message)
        new = link.state is LinkState.NEW
        if new and self._desk.draining:
            yield Refusal(Reason.INVALID_PLAYER, "x-watch: the server is shutting down")
        if new and len(self._desk.spectators) >= self._desk.config.max_spectators:
            yield Refusal(Reason.USER_LIMIT, "x-watch: as many spectators as there may be are here")
        if message.nick and not link.name and self._is_taken(message.nick):
            yield Refusal(Reason.DUPLICATE_USER, "x-watch: nick is in use")
        if message.game_id and self._games.find(message.game_id) is None:
            yield Refusal(Reason.INVALID_GAME, f"x-watch: gameId {message.game_id!r}: no such game is running")
        allowed = self._desk.config.allowed_game_types
        if message.game_type and allowed and message.game_type not in allowed:
            yield Refusal(Reason.INVALID_GAME, f"x-watch: gameType {message.game_type!r} is not allowed here")
        yield from self._too_much(link, message)

    def _wrong_request(self, link: Link, message: Watch) -> Iterator[Refusal]:
        """What the message itself says wrong."""
        if bool(message.game_id) == bool(message.game_type):
            both = "both there" if message.game_id else "both missing"
            yield invalid(f"gameId and gameType are {both}, exactly one must be there")
        if message.game_type and (wrong := wrong_name(message.game_type)):
            yield invalid(f"gameType {wrong}")
        if message.nick and (wrong := wrong_name(message.nick)):
            yield invalid(f"nick {wrong}")
        if message.nick and link.name and message.nick != link.name:
            yield invalid(f"nick {message.nick!r}: you are called {link.name!r} already")
        if message.delay_s > LONGEST_DELAY_S:
            yield invalid(f"delaySec {message.delay_s:g}: at most {LONGEST_DELAY_S:g} is allowed")

    def _too_much(self, link: Link, message: Watch) -> Iterator[Refusal]:
        """Limits that keep few spectators from costing much."""
        spectator = self._spectators.get(link.conn)
        chosen = spectator.chosen if spectator is not None else set()
        if len(chosen) >= MOST_WATCHED and chosen.isdisjoint({message.game_id, message.game_type}):
            yield Refusal(Reason.GAME_LIMIT, f"x-watch: you watch {MOST_WATCHED} games and game types already")
        delays = set(self._of_game.get(message.game_id, ()))
        if message.game_type:
            watchers = self._of_type.get(message.game_type, {}).values()
            delays = {watcher.types[message.game_type] for watcher in watchers}
        if len(delays) >= MOST_DELAYS and self._delay(message) not in delays:
            some = ", ".join(f"{delay:g}" for delay in sorted(delays))
            yield Refusal(
                Reason.USER_LIMIT, f"x-watch: delaySec {message.delay_s:g}: choose one that others have: {some}"
            )

    def _is_taken(self, nick: str) -> bool:
        form = unique_form(nick)
        return form in self._desk.nicks or form in self._desk.spectator_nicks

    def _delay(self, message: Watch) -> float:
        """With which delay somebody is going to watch."""
        game = self._games.find(message.game_id)
        settings = game.type.settings if game is not None else self._desk.config.game_type(message.game_type)
        return max(message.delay_s, settings.watch_delay_s)

    # Coming and going.

    def _let_in(self, link: Link) -> Spectator:
        desk = self._desk
        desk.stop(Timer(TimerKind.LOGIN, link.conn))
        desk.do(Admit(link.conn))
        link.state, link.since = LinkState.WATCHING, desk.now
        desk.spectators[link.conn] = link
        spectator = self._spectators[link.conn] = Spectator(link)
        desk.note("spectator came", link, address=link.address)
        return spectator

    def _departing(self, link: Link, _cause: Cause) -> None:
        spectator = self._spectators.pop(link.conn, None)
        if spectator is None:
            return
        for channel in list(spectator.games.values()):
            self._leave(spectator, channel)
        for name in list(spectator.types):
            self._leave_type(spectator, name)
        del self._desk.spectators[link.conn]
        if link.name:
            del self._desk.spectator_nicks[unique_form(link.name)]

    def _follow(self, spectator: Spectator, game: Game, message: Watch, delay_s: float) -> None:
        """Show a spectator a game as it was ``delay_s`` ago, or before it began; what follows is still to be told."""
        if game.id in spectator.games:
            self._leave(spectator, spectator.games[game.id])
        channel = self._of_game.get(game.id, {}).get(delay_s)
        if channel is None:
            channel = self._open(game, delay_s, old_enough(game, self._desk.now - delay_s))
            self._publish(channel)  # nothing yet, but what has happened since is seen to
        number = 0 if message.begin is WatchFrom.BEGIN else channel.told
        self._desk.tell([spectator.link], snapshot(game, number, message.ref))
        self._join(spectator, channel)
        channel.late.add(spectator.link.conn)
        spectator.behind[game.id] = number

    def _follow_type(self, spectator: Spectator, message: Watch, delay_s: float) -> None:
        """Show a spectator all games of a type, now and as they begin."""
        name = message.game_type
        spectator.types[name] = delay_s
        self._of_type.setdefault(name, {})[spectator.link.conn] = spectator
        games = [game for game in self._games.running if game.type.name == name and is_open(game)]
        for game in games:
            self._follow(spectator, game, message, delay_s)
        if not games:
            self._desk.tell([spectator.link], Ok(message.ref))

    def _join(self, spectator: Spectator, channel: Channel) -> None:
        channel.watchers[spectator.link.conn] = spectator
        spectator.games[channel.game.id] = channel

    def _leave(self, spectator: Spectator, channel: Channel) -> None:
        """A spectator follows a game no more."""
        conn, game_id = spectator.link.conn, channel.game.id
        del spectator.games[game_id]
        del channel.watchers[conn]
        channel.late.discard(conn)
        if spectator.behind.pop(game_id, None) is None:
            self._desk.do(Unsubscribe(channel.name, conn))
        elif not spectator.behind:
            self._desk.stop(spectator.catching_up)
        if not channel.watchers and not channel.ended:
            self._forget(channel)

    def _leave_type(self, spectator: Spectator, name: str) -> None:
        del spectator.types[name]
        del self._of_type[name][spectator.link.conn]
        if not self._of_type[name]:
            del self._of_type[name]

    # What happens in games.

    def _begun(self, game: Game) -> None:
        """A game has begun: who follows its type is told that, and all that happens in it."""
        if not is_open(game):
            return
        channels: dict[float, Channel] = {}
        for spectator in self._of_type.get(game.type.name, {}).values():
            delay_s = spectator.types[game.type.name]
            channel = channels.get(delay_s) or channels.setdefault(delay_s, self._open(game, delay_s, 0))
            self._join(spectator, channel)
            self._desk.do(Subscribe(spectator.link.conn, channel.name))
        for channel in channels.values():
            self._desk.do(Publish(channel.name, snapshot(game, 0)))
            self._publish(channel)

    def _happened(self, game: Game, _entry: RecordEntry) -> None:
        """The last entry in the history of a game is new."""
        for channel in list(self._of_game.get(game.id, {}).values()):
            self._publish(channel)

    def _publish(self, channel: Channel) -> None:
        """Tell all that is old enough by now, and see to it that the rest is told later."""
        game, desk = channel.game, self._desk
        for number in range(channel.told + 1, old_enough(game, desk.now - channel.delay_s) + 1):
            channel.told = number
            if len(channel.watchers) > len(channel.late):
                desk.do(Publish(channel.name, event_of(game, number)))
        if channel.told and game.history[channel.told - 1][1].kind is EntryKind.VERDICT:
            self._end(channel)
        elif channel.told < len(game.history) and not channel.waiting:
            channel.waiting = True
            moment, _ = game.history[channel.told]
            desk.start(channel_timer(channel), max(0.0, moment + channel.delay_s - desk.now))

    def _tell_past(self, spectator: Spectator) -> None:
        """Tell a spectator the next piece of what it has still to be told; who has caught up is subscribed."""
        desk, link = self._desk, spectator.link
        events = size = 0
        for game_id, number in list(spectator.behind.items()):
            channel = spectator.games[game_id]
            while number < channel.told and events < PIECE_EVENTS and size < PIECE_BYTES:
                number += 1
                event = event_of(channel.game, number)
                events, size = events + 1, size + len(event.state)
                desk.tell([link], event)
            spectator.behind[game_id] = number
            if number < channel.told:
                desk.start(spectator.catching_up, 0, after=link)
                return
            del spectator.behind[game_id]
            channel.late.discard(link.conn)
            if channel.ended:
                del spectator.games[game_id]
            else:
                desk.do(Subscribe(link.conn, channel.name))

    # Channels.

    def _open(self, game: Game, delay_s: float, told: int) -> Channel:
        channel = Channel(f"{game.id}/{delay_s:g}", game, delay_s, told)
        self._channels[channel.name] = channel
        self._of_game.setdefault(game.id, {})[delay_s] = channel
        game.watched = True
        return channel

    def _end(self, channel: Channel) -> None:
        """The last event has been told: whoever is being told the past goes on with that, the others have done."""
        channel.ended = True
        self._desk.do(Unsubscribe(channel.name))
        for conn, spectator in channel.watchers.items():
            if conn not in channel.late:
                del spectator.games[channel.game.id]
        self._forget(channel)

    def _forget(self, channel: Channel) -> None:
        if channel.waiting:
            self._desk.stop(channel_timer(channel))
        del self._channels[channel.name]
        of_game = self._of_game[channel.game.id]
        del of_game[channel.delay_s]
        if not of_game:
            del self._of_game[channel.game.id]
            channel.game.watched = False

    def _running(self, game: Game) -> RunningGame:
        delay_s = game.type.settings.watch_delay_s
        moves = moves_until(game, self._desk.now - delay_s) if delay_s else game.moves
        players = ", ".join(game.seats)
        return RunningGame(game.id, game.type.name, players, moves, len(self.audience(game.id)))


def invalid(text: str) -> Refusal:
    """A request that holds something that is not allowed."""
    return Refusal(Reason.INVALID_REQUEST, f"x-watch: {text}")


def is_open(game: Game) -> bool:
    """Whether strangers may find a game. Who knows the id of one at a private table may watch that, too."""
    table = game.setting.table
    return table is None or table.visibility is Visibility.PUBLIC


def channel_timer(channel: Channel) -> Timer:
    """Fires when the next event on a channel is old enough."""
    return Timer(TimerKind.SPECTATORS, channel.name)
