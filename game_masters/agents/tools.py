"""The tools of the Model Context Protocol that an agent plays with: list_games, rules, join, wait_turn, act, table,
why, leave.

``join`` returns a key of 128 random bits that all later calls name; without it no client sees or moves what belongs to
a seat, not even another one of the same endpoint.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any, Final, TypeAlias

import trio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from game_masters.agents import accounts
from game_masters.agents.agent_seat import AgentSeat, SeatPhase, UnfitMove
from game_masters.agents.arguments import AgentServer, OptionValue, option_texts
from game_masters.kit.rules import AnyGame, BadOption
from game_masters.registry import NoSuchGame, find_game, find_games
from ugs import __version__
from ugs.game_collections import collected_names
from ugs.peer import Peer
from ugs.wire.text_limits import MAX_ID

MAX_WAIT_S: Final = 25.0
"""A call of wait_turn takes no longer: clients and what lies between them give up slower calls."""
MAX_SEATS: Final = 500
"""Seats of one endpoint at a time, those that are being let in included."""
MAX_SEATS_OF_ADDRESS: Final = 100
"""Those of clients from one address: no client keeps all others out."""
MAX_ERROR: Final = 600
"""Characters of the text that a client gets about a mistake."""
MAX_NAME: Final = 200
"""Characters of the name of a game."""
IDLE_S: Final = 1800.0
"""A seat that is not named for this long leaves."""
LOGIN_S: Final = 15.0
"""How long the server may take to answer a login."""
INSTRUCTIONS: Final = (
    "Play games on a universal game server. Call list_games and rules, then join with a nick; keep the seat key. Call "
    "wait_turn until state is 'in a game' and your_turn is true, then act with the number of a move. Repeat until a "
    "result is there; wait_turn then waits for the next game. Your clock runs like every player's. leave at the end."
)

COLLECTED: Final = ":"
"""What is in the name of every game of a collection."""
ONE_AT_A_TIME: Final = trio.CapacityLimiter(1)
"""Games that are made at the same time."""

Open: TypeAlias = Callable[[str], Awaitable[Peer]]
"""``open(address)``: a connection to the broker for a client from this address. Raises OSError."""


@dataclass(slots=True)
class KeptSeat:
    """A seat with the time when it was named last."""

    seat: AgentSeat
    host: str = ""
    """From where its client comes; empty over standard input."""
    named: float = field(default_factory=trio.current_time)


class AgentSeats:
    """The seats of one endpoint, by their keys. :meth:`run` has to run for it."""

    def __init__(self, open_line: Open, *, token: str = "") -> None:
        """``open_line`` connects to the broker; ``token`` is shown by those who show none."""
        self._open = open_line
        self._token = token
        self._kept: dict[str, KeptSeat] = {}
        self._coming: Counter[str] = Counter()
        """Seats that are being let in, by the host of the client."""
        self._nursery: trio.Nursery | None = None

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Let seats play, and those leave that no client names, until cancelled."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            while True:
                await trio.sleep(IDLE_S / 10)
                late = trio.current_time() - IDLE_S
                for key in [key for key, one in self._kept.items() if one.named < late]:
                    await self._kept.pop(key).seat.leave()

    async def join(
        self, game: str, nick: str, token: str, options: Mapping[str, str], address: str
    ) -> tuple[str, AgentSeat]:
        """Log in. Returns the key and the seat. Raises ToolError."""
        host = address.rpartition(":")[0]
        if self._nursery is None:
            raise ToolError("the endpoint is not open")
        if len(self._kept) + self._coming.total() >= MAX_SEATS:
            raise ToolError(f"there are {MAX_SEATS} agents already: try again later")
        of_host = sum(one.host == host for one in self._kept.values()) + self._coming[host]
        if host and of_host >= MAX_SEATS_OF_ADDRESS:
            raise ToolError(f"there are {MAX_SEATS_OF_ADDRESS} agents of your address already: let some leave")
        # Counted while it comes in, too: logins at the same time must not get past the limits.
        self._coming[host] += 1
        try:
            return await self._lets_in(game, nick, token, options, address)
        finally:
            self._coming[host] -= 1

    async def _lets_in(
        self, game: str, nick: str, token: str, options: Mapping[str, str], address: str
    ) -> tuple[str, AgentSeat]:
        assert self._nursery is not None
        found = await game_named(game)
        try:
            found.choose_options(options)
        except BadOption as error:
            raise refusal(error) from None
        seat = AgentSeat(found, nick, token or self._token, options=options)
        try:
            seat.check_login()
        except ValueError:
            raise ToolError(f"nick and token: allowed: at most {MAX_ID} characters that XML can hold") from None
        try:
            peer = await self._open(address)
        except OSError as error:
            raise ToolError(f"the game server cannot be reached: {error}") from None
        self._nursery.start_soon(seat.run, peer)
        with trio.move_on_after(LOGIN_S):
            if await seat.comes_in():
                # The key is all that is needed to play the seat, so it must not be guessed.
                key = token_urlsafe(16)
                self._kept[key] = KeptSeat(seat, address.rpartition(":")[0])
                return key, seat
        why = seat.refusal or "the server does not answer"
        await seat.leave()
        raise ToolError(why)

    def named(self, key: str) -> AgentSeat:
        """Return the seat with this key. Raises ToolError."""
        kept = self._kept.get(key)
        if kept is None:
            raise ToolError("there is no seat with this key: join gives one")
        kept.named = trio.current_time()
        return kept.seat

    async def leave(self, key: str) -> None:
        """Let the seat leave. Raises ToolError."""
        seat = self.named(key)
        del self._kept[key]
        await seat.leave()


def refusal(error: Exception) -> ToolError:
    """Return the error for a client's mistake. Its text may repeat a long argument."""
    text = str(error)
    return ToolError(text if len(text) <= MAX_ERROR else f"{text[:MAX_ERROR]}…")


async def game_named(name: str) -> AnyGame:
    """Return an installed game, or one of a collection. That has to be made first, which takes a while: others are
    served meanwhile. Raises ToolError."""
    if len(name) > MAX_NAME:
        raise ToolError(f"game: {len(name)} characters; allowed: at most {MAX_NAME}")
    try:
        if COLLECTED in name:
            return await trio.to_thread.run_sync(_listed_game, name, limiter=ONE_AT_A_TIME)
        return find_game(name)
    except NoSuchGame as error:
        raise refusal(error) from None


def _listed_game(name: str) -> AnyGame:
    """Return a game that a collection names. It may know how to make more, of modules that it imports for it: which of
    them are, clients do not decide. Raises NoSuchGame."""
    if name.partition("(")[0] not in collected_names():
        raise NoSuchGame(f"there is no game {name!r}; list_games names those there are")
    return find_game(name)


def endpoint(seats: AgentSeats) -> MCPServer[Any]:
    """Return an MCP server with the tools, which play on ``seats``."""
    server: MCPServer[Any] = AgentServer("ugs", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR")

    @server.tool()
    async def list_games() -> dict[str, Any]:
        """List the games: name, type, players, rules in one line. `more` names games that are made when asked for."""
        return accounts.games(find_games(), collected_names())

    @server.tool()
    async def rules(game: str) -> dict[str, Any]:
        """The page of a game in short: players, options, and the schema of moves and states."""
        return accounts.rules(await game_named(game))

    @server.tool()
    async def join(
        game: str, nick: str, ctx: Context[Any, Any], token: str = "", options: dict[str, OptionValue] | None = None
    ) -> dict[str, Any]:
        """Log in under a nick to play a game. Returns the key of your seat, which all other calls need. `token` is that
        of the nick, where nicks have tokens; `options` those of the game, where its master does not play the usual."""
        key, seat = await seats.join(game, nick, token, option_texts(options or {}), _address(ctx))
        await seat.waits_for_game()
        return {"seat": key, **accounts.standing(seat)}

    @server.tool()
    async def wait_turn(seat: str, seconds: float = MAX_WAIT_S) -> dict[str, Any]:
        """Wait until it is your turn or your game is over, at most 25 seconds; call it again if neither is so. Gives
        the position, what has happened since, and your moves by number. After the end of a game: wait for the next."""
        one = seats.named(seat)
        # The end is shown once before another game is asked for.
        if one.phase is SeatPhase.OVER and one.shows_end():
            return accounts.standing(one)
        await one.waits_for_game()
        await one.turn(min(seconds, MAX_WAIT_S) if seconds > 0 else 0.0)
        if one.phase is SeatPhase.OVER:
            one.shows_end()
        return accounts.standing(one)

    @server.tool()
    async def act(seat: str, move: int | str) -> dict[str, Any]:
        """Make a move: its number in `moves`, its label, or a whole <move> element as in the schema of the rules."""
        one = seats.named(seat)
        try:
            sent = await one.moves(move)
        except UnfitMove as error:
            raise refusal(error) from None
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ToolError("the server has closed the connection") from None
        return {"sent": sent, "state": str(one.phase)}

    @server.tool()
    async def table(seat: str) -> dict[str, Any]:
        """The position as you may see it, without waiting: board, seats, your moves."""
        return accounts.standing(seats.named(seat), look=False)

    @server.tool()
    async def why(seat: str) -> dict[str, Any]:
        """Why you wait, or why your last game ended as it did, in the words of the server."""
        return {"why": await seats.named(seat).account()}

    @server.tool()
    async def leave(seat: str) -> dict[str, Any]:
        """Leave your game, which loses it if it runs, and the server."""
        await seats.leave(seat)
        return {"state": "you have left"}

    return server


def _address(ctx: Context[Any, Any]) -> str:
    """Return from where a client calls; over standard input there is no address."""
    request = getattr(ctx.request_context, "request", None)
    client = getattr(request, "client", None)
    return "" if client is None else f"{client.host}:{client.port}"
