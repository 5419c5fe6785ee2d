"""Players, spectators and masters come, play, go, crash and come back, round after round, and so does the server.

A round has a time of trouble and a quiet end: when all players have left, nothing runs any more, and what the journal,
the server and the players hold can be compared. Chance comes from the seed and the number of the round, so the same
seed plans the same troubles; what they meet depends on the machine.
"""

import random
import signal
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

from ugs.admin import NoAnswer, NoServer, ask
from ugs.bench.process import resident_bytes
from ugs.journal.reader import Reader
from ugs.journal.row_reader import GameSummary
from ugs.peer import connect
from ugs.record.ugsg import write
from ugs.soak import churn_invariants, traffic
from ugs.soak.bad_master import BadMaster
from ugs.soak.churn_invariants import Deed
from ugs.soak.churn_player import BOARD, ChurnPlayer, Diary, Terms, TlsDoor
from ugs.soak.churn_settings import CHURN, Manner
from ugs.soak.line_faults import LineFault
from ugs.soak.machine_faults import OF_THE_SERVER, sleeps
from ugs.soak.page_and_journal import not_shown, whole_list
from ugs.soak.server_process import ServerProcess, SoakFailed, SoakProgram, master, until
from ugs.soak.set_clock import SetClock
from ugs.soak.summary import Summary, Violation
from ugs.soak.witness import GAME
from ugs.tls import client_context
from ugs.wire.messages import Logout, PlayerLogin

HELD: Final = "churn-held"
"""The game type whose games survive master and server."""
PLAIN: Final = "churn-plain"
"""The game type whose master speaks plain v4."""
MAD: Final = "churn-mad"
"""The game type, and the id, of the master that answers garbage."""
ROUND_S: Final = 15.0
"""Seconds of trouble in a round."""
QUIET_S: Final = 180.0
"""Seconds after that until all games must have ended, on a busy machine too."""
FAMILIES: Final = ((), ("session",), ("session", "state"), ("session", "lobby"))
SERVER_DIES_EVERY: Final = 6
"""Rounds; the server's memory is watched in between."""
MAX_SLOPE_BYTES: Final = 2 * 1024 * 1024
"""By how much the server's memory may grow from one quiet point to the next, on average."""
MIN_POINTS: Final = 4
"""Quiet points that a slope needs in one life of the server; the first one of a life does not count."""
SPARE_FILES: Final = 3
"""File descriptors that may be open at a quiet point beyond those of the first one."""
MAX_FAULT_S: Final = 3.0
"""Seconds of a fault of a machine, at most."""
LOOK_AGAIN_S: Final = 0.5
LATE_S: Final = 1.0
"""Who is kept waiting for so long by its machine may miss the end of a session."""
LATE_EARLY_US: Final = 10_000_000
"""A machine that was as busy as that may have been so long before and after."""
PLAYERS_FROM: Final = "127.0.0.3"
"""The address of the players where names have owners: 127.0.0.1 needs no tokens there."""
BOT_THINK_MS: Final = "20"


Beside: TypeAlias = Callable[[int, ServerProcess], Awaitable[None]]


class Churn:
    """All rounds on one server in one directory."""

    def __init__(
        self, directory: Path, seed: int, manner: Manner = CHURN, beside: Beside | None = None, spectators: int = 4
    ) -> None:
        """``beside`` is called in each round with its number and the server, for the time of trouble."""
        self.summary = Summary(seed)
        self._manner = manner
        self._faults = manner.odds is not None
        self._beside = beside
        self._directory = directory
        self._spectators = spectators
        self._diary = Diary()
        self._clock = SetClock(directory)
        """The one on the wall of the server."""
        self._server = ServerProcess(directory, manner.settings, tls=manner.public, clock=self._clock)
        self._masters = {name: self._master(name) for name in ("h1", "h2", "p1")}
        self._terms = Terms(*self._server.place.game, manner.grace_s, manner.move_timeout_s, manner.odds, self._door())
        self._closing = False
        self._inside: set[str] = set()
        """Players who have not gone for good in this round."""
        self._changes: dict[str, tuple[object, float]] = {}
        """Where each running game stood when it was last asked, and since when."""
        self._late: list[int] = []
        """When this machine has kept the soak itself waiting, in microseconds since 1970."""
        self._unjudged: set[str] = set()
        """Losses near such a moment, each with its game."""
        self._new_life()

    @property
    def server(self) -> ServerProcess:
        """The one that runs now."""
        return self._server

    @property
    def welcome(self) -> Collection[str]:
        """Who was ever let in."""
        return self._diary.welcome

    def _door(self) -> TlsDoor | None:
        """Where players come in, if they are to speak TLS."""
        tls = self._server.place.tls
        if tls is None:
            return None
        return TlsDoor(*tls, client_context(self._directory / "server.pem"), PLAYERS_FROM)

    async def run(self, seconds: float, on_round: Callable[[Summary], None]) -> Summary:
        """Play rounds, at least one, until ``seconds`` have passed or an invariant does not hold."""
        until_s = time.monotonic() + seconds
        while not self.summary.violations and (not self.summary.rounds or time.monotonic() < until_s):
            await self._round(self.summary.rounds)
            self.summary.rounds += 1
            on_round(self.summary)
        return self.summary

    def close(self) -> None:
        """Stop all processes."""
        for program in (*self._masters.values(), self._server):
            program.stop()

    def _master(self, name: str) -> SoakProgram:
        options = [word for option in (f"width={BOARD}", f"height={BOARD}", "row=4") for word in ("--option", option)]
        if name.startswith("p"):
            return master(self._server, PLAIN, name, "--v4", *options)
        return master(self._server, HELD, name, *options)

    def _new_life(self) -> None:
        self.summary.memory.append([])
        self.summary.open_files.append([])

    # A round.

    async def _round(self, number: int) -> None:
        chance = random.Random(f"{self.summary.seed} {number}")
        self._closing = False
        self._inside.clear()
        with suppress(SoakFailed):  # who is still missing then is looked for by the players, too
            await trio.to_thread.run_sync(until, self._has_masters)
        async with trio.open_nursery() as nursery:
            for _ in range(self._spectators):
                nursery.start_soon(self._watches, random.Random(chance.random()))
            nursery.start_soon(self._looks)
            if self._faults:
                bad = BadMaster(MAD, MAD, self._terms.host, self._terms.port, random.Random(chance.random()))
                nursery.start_soon(bad.run)
            async with trio.open_nursery() as players:
                for index in range(self._manner.players):
                    players.start_soon(self._plays, index, random.Random(chance.random()))
                with self._bot(number) as bot:
                    async with trio.open_nursery() as beside:
                        if self._beside is not None:
                            beside.start_soon(self._beside, number, self._server)
                        await self._trouble(number, chance, bot)
                    self._diary.did(f"bot{number}", Deed.IS_KILLED)
                    bot.stop(signal.SIGKILL)
                self._closing = True
                players.cancel_scope.deadline = trio.current_time() + QUIET_S
            if players.cancel_scope.cancelled_caught:
                self.violated(f"within {QUIET_S:g} s these have not come to the end of their games: {self._inside}")
            if self._faults:
                self.summary.garbage += bad.sent
            nursery.cancel_scope.cancel()
        await self._quiet(number)

    def _has_masters(self) -> bool:
        """Whether all masters are there: where they begin slowly there would be no game to get into trouble."""
        return all(any(found["kind"] == "master" for found in self._why(name)) for name in self._masters)

    async def _trouble(self, number: int, chance: random.Random, bot: SoakProgram) -> None:
        """What happens to processes while all play, at moments by chance; it takes ROUND_S in all."""
        begin = time.monotonic()
        moments = [(chance.uniform(0.1, 0.9), "master", name) for name in self._masters if chance.random() < 0.6]
        moments += [(chance.uniform(0.1, 0.9), "bot", "")]
        if self._faults:
            moments += [
                (chance.uniform(0.1, 0.8), fault, "h1") for fault in self._manner.machine if chance.random() < 0.3
            ]
        if self._manner.server_dies and number % SERVER_DIES_EVERY == SERVER_DIES_EVERY - 1:
            moments.append((chance.uniform(0.2, 0.8), "server", ""))
        for share, what, name in sorted(moments):
            await trio.sleep(max(0.0, begin + share * ROUND_S - time.monotonic()))
            if what == "master":
                await self._kill_master(name, chance.uniform(0, 1))
            elif what == "server":
                await trio.to_thread.run_sync(self._kill_server)
            elif isinstance(what, LineFault):
                await self._befalls(what, name, chance.uniform(0.5, MAX_FAULT_S))
            else:
                self._diary.did(f"bot{number}", Deed.IS_KILLED)
                bot.process.kill()
                self.summary.bot_kills += 1
        await trio.sleep(max(0.0, begin + ROUND_S - time.monotonic()))

    async def _befalls(self, fault: LineFault, name: str, seconds: float) -> None:
        """Something happens to the machine of the server, or of the master with this name."""
        self._diary.faults.append(fault)
        if fault is LineFault.MASTER_SLEEPS:
            await trio.to_thread.run_sync(sleeps, self._masters[name], seconds)
        else:
            await trio.to_thread.run_sync(OF_THE_SERVER[fault], self._server, seconds)

    async def _kill_master(self, name: str, away_s: float) -> None:
        self._masters[name].stop(signal.SIGKILL)
        await trio.sleep(away_s)
        self._masters[name] = self._master(name)
        self.summary.master_kills += 1

    def _kill_server(self) -> None:
        self._server.process.kill()
        self._server.process.wait()
        self._server = ServerProcess(self._directory, self._manner.settings, port=self._terms.port, clock=self._clock)
        self.summary.server_kills += 1
        self._changes.clear()
        self._new_life()

    @contextmanager
    def _bot(self, number: int) -> Iterator[SoakProgram]:
        """A real bot, with a session."""
        options = [word for option in (f"width={BOARD}", f"height={BOARD}", "row=4") for word in ("--option", option)]
        where = f"{self._terms.host}:{self._terms.port}"
        arguments = ["-m", "ugs", "bot", GAME, "--connect", where, "--nick", f"bot{number}", "--game-type", HELD]
        bot = SoakProgram(
            "bot", [*arguments, "--think-ms", BOT_THINK_MS, "--log-level", "warning", *options], self._directory
        )
        try:
            yield bot
        finally:
            bot.stop(signal.SIGKILL)

    async def _plays(self, index: int, chance: random.Random) -> None:
        families = FAMILIES[index % len(FAMILIES)]
        game_type = PLAIN if index % 5 == 0 else MAD if self._faults and index % 5 == 2 else HELD
        player = ChurnPlayer(
            f"player{index}", game_type, families, self._terms, self._diary, lambda: self._closing, chance
        )
        await trio.sleep(chance.uniform(0, 2))
        self._inside.add(player.nick)
        await player.run()
        self._inside.discard(player.nick)

    async def _watches(self, chance: random.Random) -> None:
        """A spectator that comes and goes, and does not always read."""
        while True:
            with suppress(OSError, trio.BrokenResourceError):
                async with await trio.open_tcp_stream(self._terms.host, self._terms.port) as stream:
                    await stream.send_all(traffic.hello("watch") + traffic.watch_type(game_type=HELD))
                    with trio.move_on_after(chance.uniform(0.2, 4)):
                        if chance.random() < 0.3:
                            await trio.sleep_forever()
                        async for _ in stream:
                            pass
            await trio.sleep(chance.uniform(0.1, 1))

    # Invariants.

    async def _looks(self) -> None:
        """While all play: no player is in two games, and every game goes on."""
        while True:
            due = trio.current_time() + 1
            await trio.sleep_until(due)
            if trio.current_time() - due > LATE_S:
                self._late.append(time.time_ns() // 1000)
            games = await trio.to_thread.run_sync(self._running_games)
            for nick, one, other in churn_invariants.in_two(games):
                await trio.to_thread.run_sync(self._surely_in_two, nick, one, other)
            self._watch_progress(games)

    def _running_games(self) -> list[dict[str, Any]]:
        """The server's account of each running game of each master."""
        ids = [
            game["game"]
            for name in (*self._masters, MAD)
            for found in self._why(name)
            for game in found.get("games", ())
        ]
        return [found for game_id in ids for found in self._why(game_id) if found["kind"] == "game"]

    def _why(self, name: str) -> list[dict[str, Any]]:
        with suppress(NoServer, NoAnswer):
            found: list[dict[str, Any]] = ask(self._server.data, {"ask": "why", "name": name}).get("found", [])
            return found
        return []

    def _surely_in_two(self, nick: str, *ids: str) -> None:
        """The server was asked about one game after the other; ask again before a violation is reported."""
        again = [found for _ in range(2) for game_id in ids for found in self._why(game_id) if found["kind"] == "game"]
        games = {game["game"]: game for game in again}
        if len(again) == 4 and any(found[0] == nick for found in churn_invariants.in_two(games.values())):
            self.violated(f"{nick} is in two games: {' and '.join(ids)}", ids[1])

    def _watch_progress(self, games: list[dict[str, Any]]) -> None:
        now = time.monotonic()
        before, self._changes = self._changes, {}
        for game in games:
            stands = (game["phase"], game["moves"], tuple(game["waits_for"]))
            same, since = before.get(game["game"], (None, now))
            self._changes[game["game"]] = (stands, since if same == stands else now)
            if same == stands and now - since > self._manner.stuck_s:
                self.violated(f"nothing happens in game {game['game']}: {game['why'][0]}", game["game"])

    async def _quiet(self, number: int) -> None:
        """All have left: the journal, the server and the players must agree."""
        with suppress(SoakFailed):
            await trio.to_thread.run_sync(until, lambda: not self._running_games(), lambda: True, QUIET_S)
            await trio.to_thread.run_sync(until, self._is_written, lambda: True, QUIET_S)
        hidden = await self._not_shown()
        listed = {}
        games = await trio.to_thread.run_sync(self._games)
        try:
            for game_type in (HELD, PLAIN, *([MAD] if self._faults else [])):
                # Under a name of its own: a busy server may not know yet that the one before has left.
                kept = churn_invariants.tallied(game for game in games if game.game_type == game_type)
                listed[game_type] = await self._list_of(game_type, f"probe{number}-{game_type}", kept)
        except (SoakFailed, OSError, trio.BrokenResourceError, trio.TooSlowError) as error:
            self.violated(f"no player can log in to {game_type}: {error!r}")
        await trio.to_thread.run_sync(self._compare, listed)
        if hidden:
            self.violated(f"games have ended that the page does not show: {', '.join(hidden)}")
        self.summary.memory[-1].append(resident_bytes(self._server.pid))
        self.summary.open_files[-1].append(self._server.open_files())
        self._judge_life()

    def _is_written(self) -> bool:
        """Whether the end of each game is on disk: a journal that was lost reports this when it is back."""
        return not any(game.running for game in self._games())

    async def _not_shown(self) -> Sequence[str]:
        """The games that the page has not shown in all this time."""
        deadline = trio.current_time() + QUIET_S
        while (hidden := await trio.to_thread.run_sync(not_shown, self._server)) and trio.current_time() < deadline:  # noqa: ASYNC110  (no event)
            await trio.sleep(LOOK_AGAIN_S)
        return hidden

    def _games(self) -> list[GameSummary]:
        """All games of these players that the journal knows, the oldest first, with their real moments."""
        with Reader(self._server.data) as reader:
            games = [game for game in reader.games(newest_first=False) if game.game_type in (HELD, PLAIN, MAD)]
        return [self._really(game) for game in games]

    def _really(self, game: GameSummary) -> GameSummary:
        """A game with the moments of its real beginning and end, corrected by the server's clock."""
        ended_us = self._clock.really_us(game.ended_us) if game.ended_us is not None else None
        return replace(game, began_us=self._clock.really_us(game.began_us), ended_us=ended_us)

    async def _list_of(self, game_type: str, nick: str, kept: Collection[str]) -> dict[str, tuple[int, int]]:
        """Wins and losses by nick, as the server sends them at a login, for the nicks in ``kept``.
        Raises SoakFailed when no list arrives."""
        with trio.fail_after(QUIET_S):
            async with await connect(self._terms.host, self._terms.port) as peer:
                await peer.send(PlayerLogin(nick, game_type))
                rows = await whole_list(peer, len(kept))
                await peer.send(Logout())
        counts = {row.nick: (row.won, row.lost) for row in rows}
        return {nick: count for nick, count in counts.items() if count != (0, 0)}

    def _compare(self, listed: dict[str, dict[str, tuple[int, int]]]) -> None:
        games = self._games()
        for game in games:
            if game.running:
                data = "; ".join(line for found in self._why(game.game_id) for line in found["why"]) or "nothing of it"
                lost = len(self._server.log("journal lost")) - len(self._server.log("journal back"))
                self.violated(
                    f"game {game.game_id} runs, and all players have left; the server answers: {data}; its journal was "
                    f"lost without coming back {lost} times, as far as its log knows",
                    game.game_id,
                )
        known = {game.game_id: game for game in games}
        for game_id, what in churn_invariants.unexplained(games, self._diary.deeds):
            if self._was_busy(known[game_id]):
                self._unjudged.add(f"{game_id}: {what}")
            else:
                self.violated(what, game_id)
        for game_id, what in churn_invariants.untold(games, self._diary.results):
            self.violated(what, game_id)
        for game_type, counts in listed.items():
            kept = churn_invariants.tallied(game for game in games if game.game_type == game_type)
            if counts != kept:
                differing = {nick: (counts.get(nick), kept.get(nick)) for nick in {*counts, *kept}}
                wrong = [f"{nick}: {one} sent, {two} kept" for nick, (one, two) in differing.items() if one != two]
                self.violated(f"standings of {game_type}: {'; '.join(sorted(wrong))}")
        for line in self._server.log("bug in the server"):
            self.violated(f"bug in the server: {line.get('exception', line)}")
        self._count(games)

    def _was_busy(self, game: GameSummary) -> bool:
        """Whether this machine was so busy then that messages and players who came back may have been late."""
        begin, end = game.began_us - LATE_EARLY_US, (game.ended_us or game.began_us) + LATE_EARLY_US
        return any(begin <= at_us <= end for at_us in self._late)

    def _count(self, games: list[GameSummary]) -> None:
        summary = self.summary
        summary.games = len(games)
        summary.results = len(self._diary.results)
        summary.unjudged = len(self._unjudged)
        summary.faults = counted(str(fault) for fault in self._diary.faults)
        summary.deeds = counted(str(done.deed) for done in self._diary.deeds)
        summary.verdicts = counted(str(game.verdict.cause) for game in games if game.verdict is not None)

    def _judge_life(self) -> None:
        if self._manner.public:  # what attackers leave behind is judged by who lets them in
            return
        memory, files = self.summary.memory[-1][1:], self.summary.open_files[-1]
        if (
            len(memory) >= MIN_POINTS
            and (grows := churn_invariants.slope([float(one) for one in memory])) > MAX_SLOPE_BYTES
        ):
            self.violated(f"memory grows by {grows / 1024:.0f} KiB a round: {memory}")
        if files[-1] > files[0] + SPARE_FILES:
            self.violated(f"{files[-1]} file descriptors are open, and {files[0]} were at the first quiet point")

    def violated(self, what: str, game: str = "") -> None:
        """Record that an invariant does not hold, together with the journal's story of the game."""
        story = ""
        if game:
            with suppress(Exception), Reader(self._server.data) as reader:
                story = write(reader.record(game)).decode()
        self.summary.violations.append(Violation(what, game, story))


def counted(words: Iterator[str]) -> dict[str, int]:
    """How often each word comes, in the order of words."""
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return dict(sorted(counts.items()))
