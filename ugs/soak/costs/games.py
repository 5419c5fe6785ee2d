"""Costs of play: what the server sends for one move, one state and one end, in the largest games it allows."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat
from typing import Final

from ugs.broker.values.recollection import MAX_LISTED_BYTES
from ugs.sketch.decoding import MAX_OFFERS
from ugs.soak import traffic
from ugs.soak.costs.entrance import GAME_TYPE, TIMES, rig
from ugs.soak.costs.rig import Rig
from ugs.soak.costs.scene import Act, CostScene
from ugs.wire.extensions.common_parts import MAX_CHOICES
from ugs.wire.extensions.remark import MAX_REMARK_BYTES
from ugs.wire.messages import BeginGame
from ugs.wire.text_limits import MAX_REASON

SEATS: Final = 64
"""Seats of a game."""
SIDE: Final = 50
"""Cells along one side of a board."""
LONG: Final = 5000
"""Entries of a long game."""


def _games(
    one: Rig, seats: int, number: int, *families: str, of_players: tuple[str, ...] = ()
) -> tuple[int, list[int]]:
    """A master and its games; returns its connection, and those of the players."""
    master = one.master("m", GAME_TYPE, *families, least=seats, most=seats)
    conns = one.players(seats * number, GAME_TYPE, *of_players)
    one.passes(5)
    return master, conns


def _each(one: Rig, act: Callable[[BeginGame], Act]) -> Iterator[Act]:
    """An act for each game that has begun."""
    while one.begun:
        yield act(one.begun.popleft())


def begin(share: float) -> CostScene:
    """The login of the last player for a game of the largest number of seats."""
    one = rig()
    seats = max(2, int(SEATS * share))
    one.master("m", GAME_TYPE, least=seats, most=seats)

    def acts() -> Iterator[Act]:
        for number in range(TIMES):
            one.players(seats - 1, GAME_TYPE, first=number * seats)
            conn = one.connects()
            yield partial(one.sends, conn, traffic.player_login(f"last{number}", GAME_TYPE))

    return CostScene(seats, acts())


def state(share: float) -> CostScene:
    """A gameState of the largest size to the largest number of players."""
    one = rig()
    master, _ = _games(one, SEATS, 1)
    game = one.begun.popleft()
    size = int((one.config.max_message_bytes - 1000) * share)
    document = traffic.state(game.game_id, game.players[0], size)
    return CostScene(size, repeat(partial(one.sends, master, document), TIMES))


def move(share: float) -> CostScene:
    """A move of the largest size."""
    one = rig()
    size = int((one.config.max_message_bytes - 1000) * share)
    master, conns = _games(one, 2, TIMES)
    at = {f"p{number}": conn for number, conn in enumerate(conns)}

    def moves(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        document = b'<message type="move"><gameId id="%b"/><move>%b</move></message>'
        return partial(one.sends, at[game.players[0]], document % (game.game_id.encode(), b"m" * size))

    return CostScene(size, _each(one, moves))


def over(share: float) -> CostScene:
    """The gameOver of the largest number of players."""
    one = rig()
    seats = max(2, int(SEATS * share))
    master, _ = _games(one, seats, TIMES)

    def ends(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        return partial(one.sends, master, traffic.over(game.game_id, game.players[0], game.players[1:]))

    return CostScene(seats, _each(one, ends))


def result_kept(share: float) -> CostScene:
    """The result of such a game is on disk, and goes out to all peers."""
    one = rig()
    seats = max(2, int(SEATS * share))
    master, _ = _games(one, seats, TIMES)

    def ends(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        one.sends(master, traffic.over(game.game_id, game.players[0], game.players[1:]))
        return one.settles

    return CostScene(seats, _each(one, ends))


def thank_you(share: float) -> CostScene:
    """A thank you: the player then waits in a full pool."""
    one = rig()
    number = int((one.config.max_pool - 100) * share)
    master, conns = _games(one, 2, TIMES)
    at = {f"p{player}": conn for player, conn in enumerate(conns)}
    one.players(number, GAME_TYPE, first=100)

    def thanks(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        one.sends(master, traffic.over(game.game_id, game.players[0], game.players[1:]))
        one.settles()
        thank = f'<message type="thank you"><gameId id="{game.game_id}"/></message>'.encode()
        return partial(one.sends, at[game.players[0]], thank)

    games = [one.begun.popleft() for _ in range(TIMES)]
    return CostScene(number, (thanks(game) for game in games))


def leave(share: float) -> CostScene:
    """A leaveGame in the largest game, all of whose players have a lobby."""
    one = rig()
    seats = max(3, int(SEATS * share))
    master, conns = _games(one, seats, TIMES, of_players=("lobby",))
    for conn in conns:
        one.sends(conn, traffic.asking("x-wait", 1))
    one.passes(5)
    at = {f"p{number}": conn for number, conn in enumerate(conns)}

    def leaves(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        document = f'<message type="leaveGame"><gameId id="{game.game_id}"/></message>'.encode()
        return partial(one.sends, at[game.players[1]], document)

    return CostScene(seats, _each(one, leaves))


def views(share: float) -> CostScene:
    """x-views with a state for each of the largest number of players."""
    one = rig()
    seats = max(2, int(SEATS * share))
    master, _ = _games(one, seats, 1, "views", "movers")
    game = one.begun.popleft()
    size = (one.config.max_message_bytes - 20_000) // seats
    shown = "".join(
        f'<view nick="{nick}"><gameState>{"v" * int(size * share)}</gameState></view>' for nick in game.players
    )
    movers = "".join(f'<nextPlayer nick="{nick}"/>' for nick in game.players)
    document = f'<message type="x-views"><gameId id="{game.game_id}"/>{movers}{shown}</message>'.encode()
    return CostScene(len(document), repeat(partial(one.sends, master, document), TIMES))


def labels(share: float) -> CostScene:
    """x-labels of the largest number of seats."""
    one = rig()
    seats = max(2, int(SEATS * share))
    master, _ = _games(one, seats, 1, "table")
    document = traffic.labels(one.begun[0].game_id, seats)
    return CostScene(seats, repeat(partial(one.sends, master, document), TIMES))


def sketch(share: float) -> CostScene:
    """x-sketch with as many offers as allowed, all of them new."""
    one = rig()
    offers = max(1, int(MAX_OFFERS * share))
    master, _ = _games(one, 2, TIMES, "sketch")

    def sends(game: BeginGame) -> Act:
        offered = "".join(
            f'<offer label="{game.game_id} {number}" at="{number % SIDE},{number // SIDE}"><move n="{number}"/></offer>'
            for number in range(offers)
        )
        inside = f'<sketch><grid columns="{SIDE}" rows="{SIDE}"/>{offered}</sketch>'
        document = f'<message type="x-sketch"><gameId id="{game.game_id}"/>{inside}</message>'
        return partial(one.sends, master, document.encode())

    return CostScene(offers, _each(one, sends))


def remark(share: float) -> CostScene:
    """x-remark of about the largest size, the first in its game."""
    one = rig()
    size = max(1, int((MAX_REMARK_BYTES - 100) * share))
    master, conns = _games(one, 2, TIMES, of_players=("remark",))
    at = {f"p{number}": conn for number, conn in enumerate(conns)}

    def sends(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        return partial(one.sends, at[game.players[0]], traffic.remark(game.game_id, size))

    return CostScene(size, _each(one, sends))


def offers(share: float) -> CostScene:
    """x-offers with as many options as there may be."""
    one = rig()
    options = int(MAX_CHOICES * share)
    master = one.master("m", GAME_TYPE, "table")
    return CostScene(options, repeat(partial(one.sends, master, traffic.offers(options)), TIMES))


def reason(share: float) -> CostScene:
    """x-reason with the longest text."""
    one = rig()
    characters = int(MAX_REASON * share)
    master, _ = _games(one, 2, TIMES, "reason")
    cause = f'<cause code="rule">{"t" * characters}</cause>'

    def sends(game: BeginGame) -> Act:
        document = f'<message type="x-reason"><gameId id="{game.game_id}"/>{cause}</message>'
        return partial(one.sends, master, document.encode())

    return CostScene(characters, _each(one, sends))


def fault(share: float) -> CostScene:
    """x-fault: then a player is asked again with the largest state."""
    one = rig(faults="retry 9")
    size = int((one.config.max_message_bytes - 1000) * share)
    master, conns = _games(one, 2, TIMES, "faults", of_players=("reason",))
    at = {f"p{number}": conn for number, conn in enumerate(conns)}

    def refuses(game: BeginGame) -> Act:
        nick = game.players[0]
        one.sends(master, traffic.state(game.game_id, nick, size))
        one.sends(at[nick], traffic.move(game.game_id))
        return partial(one.sends, master, traffic.refusal(game.game_id, nick, "t" * MAX_REASON))

    return CostScene(size, _each(one, refuses))


def fault_lost(share: float) -> CostScene:
    """x-fault with the longest reason: then a player of the largest game has lost; all players have a lobby."""
    one = rig(faults="strict")
    seats = max(3, int(SEATS * share))
    master, conns = _games(one, seats, TIMES, "faults", of_players=("lobby", "reason"))
    for conn in conns:
        one.sends(conn, traffic.asking("x-wait", 1))
    one.passes(5)
    at = {f"p{number}": conn for number, conn in enumerate(conns)}

    def refuses(game: BeginGame) -> Act:
        nick = game.players[0]
        one.sends(master, traffic.state(game.game_id, nick))
        one.sends(at[nick], traffic.move(game.game_id))
        return partial(one.sends, master, traffic.refusal(game.game_id, nick, "t" * MAX_REASON))

    return CostScene(seats, _each(one, refuses))


def rejoin(share: float) -> CostScene:
    """x-rejoin by one of the most players of a game, after it left."""
    one = rig()
    seats = max(3, int(SEATS * share))
    master, conns = _games(one, seats, TIMES, "rejoin", of_players=("rejoin",))
    at = {f"p{number}": conn for number, conn in enumerate(conns)}

    def rejoins(game: BeginGame) -> Act:
        one.sends(master, traffic.state(game.game_id, game.players[0]))
        conn, named = at[game.players[1]], f'<gameId id="{game.game_id}"/></message>'
        one.sends(conn, f'<message type="leaveGame">{named}'.encode())
        return partial(one.sends, conn, f'<message type="x-rejoin">{named}'.encode())

    return CostScene(seats, _each(one, rejoins))


def _long_game(one: Rig, entries: int) -> tuple[str, int, list[int]]:
    """A game of two players with this number of entries: its id, and the connections of its master and players."""
    master, conns = _games(one, 2, 1, of_players=("state", "reason", "rejoin"))
    game = one.begun.popleft()
    at = {f"p{number}": conn for number, conn in enumerate(conns)}
    document = f'<message type="move"><gameId id="{game.game_id}"/><move/></message>'.encode()
    for number in range(entries // 2):
        nick = game.players[number % 2]
        one.sends(master, traffic.state(game.game_id, nick))
        one.sends(at[nick], document)
    one.sends(master, traffic.state(game.game_id, game.players[0]))
    return game.game_id, master, conns


def resend(share: float) -> CostScene:
    """x-resend of the largest state."""
    # Limits by number are out of the way: what one request costs is asked here.
    one = rig(list_burst=1_000_000, list_burst_per_ip=1_000_000)
    size = int((one.config.max_message_bytes - 1000) * share)
    game_id, master, conns = _long_game(one, 0)
    one.sends(master, traffic.state(game_id, "p0", size))
    return CostScene(size, repeat(partial(one.sends, conns[0], traffic.resend(game_id, 1)), TIMES))


def list_states(share: float) -> CostScene:
    """x-listStates of as many bytes of states as it is answered for."""
    one = rig(list_burst=1_000_000, list_burst_per_ip=1_000_000)
    size = int(MAX_LISTED_BYTES * share)
    game_id, master, conns = _long_game(one, 0)
    one.sends(master, traffic.state(game_id, "p0", size // 2))
    one.sends(master, traffic.state(game_id, "p0", size // 3))
    document = f'<message type="x-listStates"><gameId id="{game_id}"/></message>'.encode()
    return CostScene(size, repeat(partial(one.sends, conns[0], document), TIMES))


def why(share: float) -> CostScene:
    """x-why of a long running game."""
    one = rig(list_burst=1_000_000, list_burst_per_ip=1_000_000)
    entries = int(LONG * share)
    game_id, _, conns = _long_game(one, entries)
    document = f'<message type="x-why"><gameId id="{game_id}"/></message>'.encode()
    return CostScene(entries, repeat(partial(one.sends, conns[0], document), TIMES))


def watch(share: float) -> CostScene:
    """x-watch of a long game from its first event."""
    one = rig(list_burst=1_000_000, list_burst_per_ip=1_000_000)
    entries = int(LONG * share)
    game_id, _, _ = _long_game(one, entries)

    def acts() -> Iterator[Act]:
        for _ in range(TIMES):
            conn = one.connects(traffic.hello("watch"))
            yield partial(one.sends, conn, traffic.watch(game_id))

    return CostScene(entries, acts())


def list_games(share: float) -> CostScene:
    """x-listGames with as many games as the logins allow."""
    one = rig(list_burst=1_000_000, list_burst_per_ip=1_000_000)
    number = int((one.config.max_logins // 2 - 10) * share)
    _games(one, 2, number)
    conn = one.connects(traffic.hello("watch"), traffic.watch_type("eve", GAME_TYPE))
    return CostScene(number, repeat(partial(one.sends, conn, traffic.asking("x-listGames", 1)), TIMES))
