"""The director of the championships: when one begins, which game is next, what becomes of those who leave, and what
people order.

A fixture is played as soon as its players and a master are free. An entrant whose connection is lost may have some
time to come back; after a restart of the server all of them have.
"""

from collections.abc import Callable, Collection, Sequence

from ugs.broker.champions import Champions
from ugs.broker.championship import Championship, plan_of, plan_of_ledger
from ugs.broker.desk import ROUNDING, Desk, GameType
from ugs.broker.effects import RecordChampionship
from ugs.broker.events import Timer, TimerKind
from ugs.broker.game import Game
from ugs.broker.link import Link
from ugs.broker.past import PastChampionship
from ugs.broker.questions import Order, OrderKind
from ugs.broker.verdict import Cause
from ugs.championship.ledger import LedgerEntry
from ugs.championship.plan import Plan
from ugs.championship.schedule import Fixture


class Director:
    """Runs the championships of all game types; ``begin`` seats idle players at a game of that master."""

    def __init__(
        self,
        desk: Desk,
        champions: Champions,
        begin: Callable[[GameType, Link, Sequence[Link], Championship, Fixture], Game],
    ) -> None:
        self._desk = desk
        self._champions = champions
        self._begin = begin
        self._orders: dict[OrderKind, Callable[[Championship, Order], str | None]] = {
            OrderKind.PAUSE: self._pause,
            OrderKind.RESUME: self._resume,
            OrderKind.WITHDRAW: self._withdraw,
            OrderKind.REPLAY: self._replay,
        }

    # How one comes to be.

    def remember(self, past: PastChampionship) -> None:
        """A championship of an earlier life of this server, over or interrupted."""
        game_type = self._desk.type_named(past.game_type)
        plan = plan_of_ledger(past.ledger[0].data["plan"])
        championship = Championship.again(plan, past.ledger, self._tell)
        self._desk.championships[past.name] = championship
        if championship.ledger.over:
            game_type.championship_over = True
            game_type.final_table = championship.table
        else:
            self._install(game_type, championship)
            if championship.begun:
                self._take_over_table(game_type, championship)

    def start(self, running: Collection[str] = ()) -> None:
        """The doors open: whoever was in the field when the server was lost may come back. ``running`` are the games
        that go on."""
        for championship in self._desk.championships.values():
            if championship.begun and not championship.ledger.over:
                championship.go_on(running)
                until = self._desk.now + championship.plan.restart_return_s
                championship.away = {nick: until for nick in championship.field if championship.plays(nick)}
                self._await_return(championship)
                self._desk.note(
                    "championship goes on",
                    championship=championship.name,
                    game_type=championship.plan.game_type,
                    awaited=list(championship.away),
                )

    def announce_configured(self, game_type: GameType) -> None:
        """The settings of this type want a championship first of all."""
        known = game_type.name in self._desk.championships or game_type.championship is not None
        known = known or game_type.championship_over
        if game_type.settings.mode == "championship" and not known:
            self._install(game_type, Championship(plan_of(game_type.name, game_type.settings), self._tell))

    def plan(self, plan: Plan, begins_in_s: float | None, who: str = "") -> str | None:
        """Announce one more; returns why that cannot be, or None."""
        if plan.name in self._desk.championships:
            return f"name = {plan.name!r}: there is a championship of this name; another one needs another name"
        allowed = self._desk.config.allowed_game_types
        if allowed and plan.game_type not in allowed:
            return f"game_type = {plan.game_type!r}: is not allowed here"
        championship = Championship(plan, self._tell)
        self._desk.championships[plan.name] = championship
        championship.announce(who)
        self._desk.note("championship announced", championship=plan.name, game_type=plan.game_type)
        if begins_in_s is not None:
            self._desk.start(Timer(TimerKind.CHAMPIONSHIP, plan.name), begins_in_s)
        self._install(self._desk.type_named(plan.game_type), championship)
        return None

    def hour(self, name: str) -> GameType | None:
        """The hour of a championship has come: it begins with whoever is there. The type to look at, if any."""
        championship = self._desk.championships.get(name)
        if championship is None:  # one of the settings, of which nothing is known before somebody plays the type
            known = self._desk.types.get(name)
            if known is None:
                self._desk.note("championship without players", warning=True, game_type=name)
                return None
            self.announce_configured(known)
            championship = known.championship
        if championship is None or championship.begun or championship.ledger.over or self._desk.draining:
            return None
        game_type = self._desk.type_named(championship.plan.game_type)
        there = self._candidates(game_type, championship)
        if game_type.championship is not championship:
            self._desk.note("another championship is still played", warning=True, championship=name)
            championship.hour_has_come = True
        elif self._desk.closed:
            championship.hour_has_come = True
        elif len(there) < 2:
            self._desk.note("championship without players", warning=True, game_type=game_type.name, championship=name)
            self._end(game_type, championship)
        else:
            self._fix_field(game_type, championship, there)
        return game_type

    # How it is played.

    def play(self, game_type: GameType, championship: Championship) -> None:
        """Begin what can begin now; end it when all has been played."""
        if not championship.begun and not self._desk.closed:
            self._begin_when_complete(game_type, championship)
        if not championship.begun:
            return
        if not self._desk.closed:
            free = {link.name: link for link in game_type.waiting.values() if championship.plays(link.name)}
            while (pairing := self._next_pairing(game_type, championship, free)) is not None:
                master, fixture = pairing
                self._begin(game_type, master, [free.pop(nick) for nick in fixture.nicks], championship, fixture)
            if game_type.masters and not self._enough_for_a_master(game_type, championship):
                championship.give_up()
        awaited = championship.away and not self._desk.draining
        if championship.finished and not awaited and game_type.everybody_idle:
            self._end(game_type, championship)

    @property
    def prize_giving(self) -> bool:
        """Whether a championship has been played to its end, and is over as soon as all have said thank you."""
        played = (known.championship for known in self._desk.types.values())
        return any(one is not None and one.finished for one in played)

    def came(self, link: Link) -> None:
        """A player has logged in: it may be one that had been away."""
        assert link.type is not None
        championship = link.type.championship
        if championship is None or not championship.begun:
            return
        championship.open_table.enter(link.name)
        if championship.away.pop(link.name, None) is not None:
            self._desk.note("entrant is back", link, championship=championship.name)
            self._await_return(championship)

    def may_enter(self, game_type: GameType, nick: str) -> bool:
        """Whether a player of this nick may log in as far as championships are concerned."""
        championship = game_type.championship
        return championship is None or not championship.begun or championship.plays(nick)

    def left(self, link: Link, cause: Cause) -> None:
        """A player is gone: it may come back, or that is the end of it."""
        assert link.type is not None
        championship = link.type.championship
        if championship is None or not championship.plays(link.name) or championship.finished:
            return
        if link.name in championship.away:
            return  # its session is over, and it has still time to come back after the restart of the server
        patience = championship.plan.return_s if cause is Cause.DISCONNECTED else 0
        if patience > 0:
            championship.away[link.name] = self._desk.now + patience
            self._desk.note("entrant is away", link, championship=championship.name, seconds=patience)
            self._await_return(championship)
        else:
            self._out(link.type, championship, link.name, why=str(cause))

    def overdue(self, name: str) -> GameType | None:
        """The time of those who are away longest is over. The type to look at, if any."""
        championship = self._desk.championships[name]
        game_type = self._desk.type_named(championship.plan.game_type)
        if game_type.championship is not championship:
            return None
        if self._desk.draining:  # nobody can come back, which is no fault of theirs
            championship.away.clear()
            return None
        for nick, until in list(championship.away.items()):
            if championship.finished:  # it has played all there was, and is only missed at the prize-giving
                del championship.away[nick]
            elif until <= self._desk.now + ROUNDING:
                self._out(game_type, championship, nick, why="did not come back")
        self._await_return(championship)
        return game_type

    def order(self, order: Order) -> tuple[str | None, GameType | None]:
        """Somebody wants something done: why it cannot be, or None; and the type to look at."""
        championship = self._desk.championships.get(order.championship)
        if championship is None:
            known = ", ".join(self._desk.championships) or "none"
            return f"no championship {order.championship!r}; there are: {known}", None
        if championship.ledger.over:
            return f"championship {championship.name} is over; its results stand", None
        wrong = self._orders[order.kind](championship, order)
        if wrong is None:
            self._desk.note(
                "ordered",
                order=str(order.kind),
                championship=championship.name,
                subject=order.subject,
                who=order.who,
                why=order.why,
            )
        return wrong, self._desk.type_named(championship.plan.game_type)

    # The orders.

    def _pause(self, championship: Championship, order: Order) -> str | None:
        if championship.paused:
            return f"championship {championship.name} is paused already"
        championship.pause(order.who, order.why)
        return None

    def _resume(self, championship: Championship, order: Order) -> str | None:
        if not championship.paused:
            return f"championship {championship.name} is not paused"
        championship.resume(order.who, order.why)
        return None

    def _withdraw(self, championship: Championship, order: Order) -> str | None:
        if not championship.begun:
            return f"championship {championship.name} has not begun; nobody can be withdrawn from it"
        if not championship.plays(order.subject):
            return f"{order.subject!r} is not an entrant of championship {championship.name}"
        game_type = self._desk.type_named(championship.plan.game_type)
        self._out(game_type, championship, order.subject, order.who, order.why)
        self._await_return(championship)
        return None

    def _replay(self, championship: Championship, order: Order) -> str | None:
        return championship.replay(order.subject, order.who, order.why)

    # Steps.

    def _tell(self, championship: Championship, entry: LedgerEntry) -> None:
        self._desk.do(RecordChampionship(championship.name, championship.plan.game_type, entry))

    def _install(self, game_type: GameType, championship: Championship) -> None:
        self._desk.championships[championship.name] = championship
        if game_type.championship is None:
            game_type.championship = championship
        elif championship.begun:  # remembered: one that was announced before it began after it was announced
            game_type.coming.insert(0, game_type.championship)
            game_type.championship = championship
        else:
            game_type.coming.append(championship)

    def _candidates(self, game_type: GameType, championship: Championship) -> list[str]:
        """Who of those who are there would play."""
        names = championship.plan.entrants
        there = (link.name for link in game_type.players.values() if link.pooled and not link.away)
        return [name for name in there if not names or name in names]

    def _begin_when_complete(self, game_type: GameType, championship: Championship) -> None:
        plan = championship.plan
        there = self._candidates(game_type, championship)
        needed = len(plan.entrants) or plan.first
        if needed and len(there) >= needed:
            self._fix_field(game_type, championship, there[:needed])
        elif championship.hour_has_come and len(there) >= 2:
            self._fix_field(game_type, championship, there)

    def _fix_field(self, game_type: GameType, championship: Championship, nicks: Sequence[str]) -> None:
        championship.begin(nicks, game_type.table)
        self._take_over_table(game_type, championship)
        self._desk.note(
            "championship begun",
            championship=championship.name,
            game_type=game_type.name,
            players=list(championship.field),
        )

    def _take_over_table(self, game_type: GameType, championship: Championship) -> None:
        championship.open_table = game_type.table
        game_type.table = championship.table
        game_type.forget_told()
        self._champions.changed(game_type)

    def _next_pairing(
        self, game_type: GameType, championship: Championship, free: Collection[str]
    ) -> tuple[Link, Fixture] | None:
        """A fixture that can be played now and who leads it; fixtures keep their size when masters come and go."""
        for master in game_type.free_masters(championship.remaining):
            assert master.master is not None
            fixture = championship.next_fixture(free, master.master.players_min, master.master.players_max)
            if fixture is not None:
                return master, fixture
        return None

    def _enough_for_a_master(self, game_type: GameType, championship: Championship) -> bool:
        """Whether any master leads games of so few players."""
        least = min(link.master.players_min for link in game_type.masters.values() if link.master is not None)
        return least <= championship.remaining

    def _out(self, game_type: GameType, championship: Championship, nick: str, who: str = "", why: str = "") -> None:
        struck = championship.withdraw(nick, who, why)
        self._desk.note(
            "withdrawn",
            nick=nick,
            game_type=game_type.name,
            championship=championship.name,
            why=why,
            results_struck=struck,
        )
        self._champions.changed(game_type)

    def _await_return(self, championship: Championship) -> None:
        """Look again when the first of those who are away is overdue."""
        timer = Timer(TimerKind.RETURN, championship.name)
        if championship.away:
            self._desk.start(timer, max(0.0, min(championship.away.values()) - self._desk.now))
        else:
            self._desk.stop(timer)

    def _end(self, game_type: GameType, championship: Championship) -> None:
        championship.end()
        self._desk.note(
            "championship over",
            championship=championship.name,
            game_type=game_type.name,
            table=[(row.nick, row.won, row.lost, row.drawn) for row in championship.table.rows()],
            unplayed=championship.unplayed,
            impossible=championship.impossible,
        )
        if championship.begun:
            self._champions.final(game_type)
            game_type.table = championship.open_table
            game_type.final_table = championship.table
        championship.away.clear()
        self._desk.stop(Timer(TimerKind.RETURN, championship.name))
        game_type.championship = game_type.coming.pop(0) if game_type.coming else None
        game_type.championship_over = True
        game_type.forget_told()
        self._champions.changed(game_type)
        if game_type.championship is not None:
            self.play(game_type, game_type.championship)
