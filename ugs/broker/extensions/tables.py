"""Tables: players set them up, sit down at them, and begin the game there when they like."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ugs.broker.desk import Desk, GameType
from ugs.broker.effects import RecordBegin
from ugs.broker.extensions.choices import LEAST_SEATS, can_lead, wrong_table
from ugs.broker.extensions.news import News, why_gone
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.game import Game, Phase, Setting
from ugs.broker.link import Link, LinkState
from ugs.broker.logins import unique_form
from ugs.broker.onlookers import Onlookers
from ugs.broker.verdict import Cause
from ugs.wire.extensions import (
    Advertise,
    Advertised,
    Cancel,
    Family,
    Invitation,
    Join,
    Joined,
    ListTables,
    NewTable,
    Ok,
    Quit,
    Reason,
    Start,
    TableInfo,
    Visibility,
    Wait,
)
from ugs.wire.extensions import Tables as TablesAnswer
from ugs.wire.messages import Choice, Extension

if TYPE_CHECKING:
    from ugs.broker.rules import Rules


@dataclass(slots=True, eq=False)
class GameTable:
    """One table, from the moment at which it is set up to the end of the game there."""

    id: str
    """That of its game, once there is one."""
    name: str
    type: GameType
    owner: Link
    """Who has set it up."""
    seats: int
    """All of them, with those of ``computers``."""
    computers: int
    visibility: Visibility
    options: Mapping[str, str]
    """What was chosen."""
    invited: Mapping[str, str]
    """Whom its owner has asked to come: the form in which nicks are unique, and as the owner has written it."""
    members: list[Link]
    """Who sits there, in the order in which they sat down; nobody once the game has begun."""
    active_at: float = 0.0
    """When somebody last sat down or got up."""
    playing: bool = False
    """Whether the game has begun."""
    awaits_master: bool = False
    """Whether it begins as soon as there is a master for it."""

    @classmethod
    def wanted(cls, table_id: str, wish: NewTable, owner: Link, now: float) -> "GameTable":
        """The table that a player has asked for, who sits at it."""
        assert owner.type is not None
        options = {choice.name: choice.value for choice in wish.options}
        invited: dict[str, str] = {}
        for nick in wish.invited:
            invited.setdefault(unique_form(nick), nick)
        return cls(
            table_id,
            wish.name,
            owner.type,
            owner,
            wish.seats,
            wish.computers,
            wish.visibility,
            options,
            invited,
            [owner],
            active_at=now,
        )

    @classmethod
    def again(cls, begin: RecordBegin, owner: Link) -> "GameTable":
        """The table of a game in which the server was lost."""
        assert owner.type is not None
        total = begin.seats_total or len(begin.seats)
        facts = begin.table
        return cls(
            begin.game_id,
            facts["name"],
            owner.type,
            owner,
            total,
            total - len(begin.seats),
            Visibility(facts["visibility"]),
            begin.options,
            {},
            [],
            playing=True,
        )

    @property
    def free(self) -> int:
        """Seats on which nobody sits yet."""
        return self.seats - self.computers - len(self.members)

    def is_open_to(self, link: Link) -> bool:
        """Whether this player may sit down there, if it plays the game and there is room."""
        return self.visibility is Visibility.PUBLIC or link is self.owner or unique_form(link.name) in self.invited

    @property
    def facts(self) -> dict[str, str]:
        """What is recorded of it with its game."""
        return {"name": self.name, "owner": self.owner.name, "visibility": self.visibility.value}

    @property
    def info(self) -> TableInfo:
        """What players are told of it."""
        options = tuple([Choice(name, value) for name, value in self.options.items()])
        return TableInfo(
            self.id,
            self.name,
            self.type.name,
            self.owner.name,
            self.seats,
            self.free,
            self.computers,
            self.visibility,
            options,
            tuple(self.invited.values()),
        )


class Tables:
    """Answers the requests about tables, and lets go whoever leaves. ``opened`` are told when one has been set up."""

    def __init__(self, desk: Desk, rules: "Rules", onlookers: Onlookers) -> None:
        self._desk = desk
        self._rules = rules
        self._news = News(desk, onlookers)
        self.opened: list[Callable[[], None]] = []
        onlookers.left.append(self._left)
        onlookers.over.append(self._over)
        onlookers.line.append(self._line)
        onlookers.room.append(self._room)
        onlookers.departing.append(self._departing)

    # Requests.

    def list(self, link: Link, message: ListTables) -> Refusal | None:
        """The tables at which this player may sit down, the oldest first."""
        infos = [
            table.info
            for table in self._desk.tables.values()
            if table.type is link.type and not table.playing and table.free > 0 and table.is_open_to(link)
        ]
        self._desk.tell([link], TablesAnswer(tuple(infos), message.ref))
        return None

    def advertise(self, link: Link, message: Advertise) -> Refusal | None:
        """A player sets a table up, and sits at it."""
        desk, wish = self._desk, message.table
        assert link.type is not None
        if (busy := _busy(link, message)) is not None:
            return busy
        if len(desk.tables) >= desk.config.max_tables:
            text = f"{message.TYPE}: as many tables are set up as there may be: {len(desk.tables)}"
            return Refusal(Reason.GAME_LIMIT, text)
        if (wrong := wrong_table(desk.config, link.type, wish)) is not None:
            return Refusal(Reason.INVALID_REQUEST, f"{message.TYPE}: {wrong}")
        self._leave_pool(link)
        table = GameTable.wanted(desk.new_game_id(), wish, link, desk.now)
        desk.tables[table.id] = link.table = table
        for tell in self.opened:
            tell()
        desk.note("table set up", link, table=table.id, game_type=table.type.name, seats=table.seats)
        desk.tell([link], Advertised(table.info, message.ref))
        self._news.seats(table, f"{link.name} has set up the table")
        invited = [desk.nicks[form] for form in table.invited if form in desk.nicks]
        desk.tell([guest for guest in invited if guest is not link], Invitation(table.info))
        self._begin_when_full(table)
        return None

    def join(self, link: Link, message: Join) -> Refusal | None:
        """A player sits down at a table."""
        if (busy := _busy(link, message)) is not None:
            return busy
        table = self._desk.tables.get(message.table_id)
        if table is None or table.type is not link.type or not table.is_open_to(link):
            return _invalid(message, f"table id {message.table_id!r}: you know no such table")
        if table.playing:
            return _invalid(message, f"table id {message.table_id!r}: the game there has begun")
        if table.free <= 0:
            return _invalid(message, f"table id {message.table_id!r}: no seat is free")
        self._leave_pool(link)
        table.members.append(link)
        table.active_at = self._desk.now
        link.table = table
        self._desk.tell([link], Joined(table.info, message.ref))
        self._news.seats(table, f"{link.name} has sat down")
        self._begin_when_full(table)
        return None

    def start(self, link: Link, message: Start) -> Refusal | None:
        """The game is to begin with those who are there."""
        if link.game is not None:
            return _invalid(message, f"game {link.game.id} has begun already")
        table = link.table
        if table is None:
            return Refusal(Reason.NOT_PLAYING, f"{message.TYPE}: you sit at no table")
        if table.owner is not link:
            return _not_advertiser(message, table)
        guests = self._guests(table)
        table.members += guests
        master = self._master_for(table)
        if isinstance(master, Refusal):
            del table.members[len(table.members) - len(guests) :]
            return Refusal(master.reason, f"{message.TYPE}: {master.text}")
        self._desk.tell([link], Ok(message.ref))
        self._begin(table, master)
        return None

    def cancel(self, link: Link, message: Cancel) -> Refusal | None:
        """A table is to be put away, or its game to end."""
        game, table = link.game, link.table if link.game is None else link.game.setting.table
        if game is None and table is None:
            return Refusal(Reason.NOT_PLAYING, f"{message.TYPE}: you sit at no table")
        if game is not None and game.phase in (Phase.CLOSING, Phase.OVER):
            return _invalid(message, f"game {game.id} has ended")
        if table is None or table.owner is not link:
            return _not_advertiser(message, table)
        self._desk.tell([link], Ok(message.ref))
        if game is None:
            self.put_away(table, Cause.CANCELLED, f"{link.name} has cancelled it")
        else:
            self._rules.games.cancel(game, Cause.CANCELLED, link.name)
        return None

    def quit(self, link: Link, message: Quit) -> Refusal | None:
        """A player gets up, gives its game up, or waits for open play no longer."""
        game, table = link.game, link.table if link.game is None else link.game.setting.table
        if game is None and table is None and not link.pooled:
            return Refusal(Reason.NOT_PLAYING, f"{message.TYPE}: you sit at no table and wait for no game")
        if game is not None and game.phase is Phase.OVER:
            return _invalid(message, f"game {game.id} has ended")
        if table is not None and table.owner is link:
            text = f"{message.TYPE}: you have set up table {table.id}; cancel it instead"
            return Refusal(Reason.ADVERTISER_MAY_NOT_QUIT, text)
        self._desk.tell([link], Ok(message.ref))
        if game is not None:
            self._rules.games.leave(link, Cause.LEFT)
            self._rules.idle([link])
        elif table is not None:
            self.get_up(link, f"{link.name} has left")
            self._free([link])
        else:
            self._leave_pool(link)
        return None

    def wait(self, link: Link, message: Wait) -> Refusal | None:
        """A player wants to be seated as those are who have no lobby."""
        assert link.type is not None
        if (busy := _busy(link, message)) is not None:
            return busy
        if link.pooled:
            self._desk.tell([link], Ok(message.ref))
            return None
        if len(link.type.waiting) >= link.type.settings.max_pool:
            return Refusal(Reason.USER_LIMIT, f"{message.TYPE}: the pool of this game type is full")
        link.pooled = True
        self._rules.sessions.changed(link)
        self._desk.tell([link], Ok(message.ref))
        self._rules.idle([link])
        return None

    # What happens at tables besides.

    def get_up(self, link: Link, comment: str) -> None:
        """A player leaves a table at which no game has begun; with the one who has set it up goes the table."""
        table = link.table
        assert table is not None
        table.members.remove(link)
        link.table = None
        if table.owner is link:
            self.put_away(table, Cause.CANCELLED, comment)
            return
        table.active_at, table.awaits_master = self._desk.now, False
        self._news.seats(table, comment)

    def put_away(self, table: GameTable, cause: Cause, comment: str) -> None:
        """A table at which no game has begun goes; all who sit there are free."""
        del self._desk.tables[table.id]
        self._desk.note("table put away", table=table.id, cause=str(cause))
        members, table.members = table.members, []
        for member in members:
            member.table = None
        self._news.cancelled(table, members, cause, comment)
        self._free(members)

    def _free(self, links: Sequence[Link]) -> None:
        """These sit nowhere any more: those who wait for open play whenever they are free wait now."""
        waiting = [link for link in links if link.pooled and not link.away]
        if waiting:
            self._rules.idle(waiting)

    def _departing(self, link: Link, cause: Cause) -> None:
        if link.table is not None:
            self.get_up(link, why_gone(link.name, cause))

    def _line(self, link: Link, comment: str) -> None:
        if link.table is not None:
            self._news.seats(link.table, comment)

    def _left(self, game: Game, player: Link, _cause: Cause) -> None:
        """With the one who has set up its table a game ends, and when too few seats are played."""
        table = game.setting.table
        if table is None:
            return
        if table.owner is player:
            self._rules.games.cancel(game, Cause.CANCELLED, player.name)
        elif not is_viable(game, len(game.present)):
            self._rules.games.cancel(game, Cause.NOT_VIABLE)

    def _over(self, game: Game) -> None:
        if game.setting.table is not None:
            del self._desk.tables[game.setting.table.id]

    # How a game begins.

    def _begin_when_full(self, table: GameTable) -> None:
        if table.free == 0:
            master = self._master_for(table)
            if isinstance(master, Refusal):
                table.awaits_master = master.reason is Reason.NO_MASTER
            else:
                self._begin(table, master)

    def _room(self, game_type: GameType) -> None:
        for table in [table for table in self._desk.tables.values() if table.awaits_master]:
            if table.type is game_type and isinstance(master := self._master_for(table), Link):
                self._begin(table, master)

    def _master_for(self, table: GameTable) -> Link | Refusal:
        """Who leads the game at a table if it begins now; or why it cannot."""
        desk = self._desk
        in_play = sum(one.playing for one in desk.tables.values())
        if in_play >= desk.config.max_table_games:
            return Refusal(Reason.GAME_LIMIT, f"as many games are in play at tables as there may be: {in_play}")
        if desk.closed:
            why = "it is shutting down" if desk.draining else "it cannot write down what happens"
            return Refusal(Reason.NO_MASTER, f"the server begins no game now: {why}")
        programs = len(table.members) < table.seats
        for master in table.type.free_masters(table.seats):
            if can_lead(master, table.options, table.seats, programs=programs):
                return master
        return Refusal(Reason.NO_MASTER, "no game master that could lead this game is here and has room for it")

    def _guests(self, table: GameTable) -> Sequence[Link]:
        """Players without a lobby cannot sit down by themselves. Those who are invited, and wait for a game, are there
        when it begins, as far as there is room."""
        if table.type.championship is not None:
            return []
        waiting = {unique_form(link.name): link for link in table.type.waiting.values()}
        invited = [waiting[form] for form in table.invited if form in waiting]
        return [link for link in invited if not link.may(Family.LOBBY)][: table.free]

    def _begin(self, table: GameTable, master: Link) -> None:
        assert master.master is not None
        members, table.members = table.members, []
        table.playing, table.awaits_master = True, False
        options = {option.name: option.value for option in master.master.offers or ()}
        options.update(table.options)
        total = table.seats if len(members) < table.seats else 0
        seed = self._desk.new_secret() if master.may(Family.RESTORE) else ""
        self._rules.games.begin(table.type, master, members, setting=Setting(options, total, seed, table))

    def _leave_pool(self, link: Link) -> None:
        assert link.type is not None
        if link.pooled:
            link.pooled = False
            link.type.waiting.pop(link.conn, None)
            self._rules.sessions.changed(link)
            self._rules.lobby.match(link.type)  # which need not wait for more players any longer


def is_viable(game: Game, players: int) -> bool:
    """Whether a game at a table can go on with so many of its players."""
    programs = max(0, game.setting.total - len(game.seats))
    return players + programs >= LEAST_SEATS


# How requests are refused.


def _busy(link: Link, message: Extension) -> Refusal | None:
    """Why this player cannot sit down anywhere now; None when it can."""
    if link.table is not None:
        where = f"you sit at table {link.table.id}"
    elif link.game is not None:
        owes = link.state is LinkState.OWING
        where = f"you owe a thank you for game {link.game.id}" if owes else f"you are in game {link.game.id}"
    else:
        return None
    return Refusal(Reason.ALREADY_PLAYING, f"{message.TYPE}: {where}")


def _invalid(message: Extension, text: str) -> Refusal:
    return Refusal(Reason.INVALID_GAME, f"{message.TYPE}: {text}")


def _not_advertiser(message: Extension, table: GameTable | None) -> Refusal:
    who = "nobody" if table is None else table.owner.name
    return Refusal(Reason.NOT_ADVERTISER, f"{message.TYPE}: only who has set up the table may do that: {who}")
