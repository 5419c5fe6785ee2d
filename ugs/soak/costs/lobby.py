"""Costs of requests of the lobby and the chat: lists, tables with as many seats and guests as there may be."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat
from typing import Final

from ugs.soak import traffic
from ugs.soak.costs.entrance import GAME_TYPE, TIMES, rig
from ugs.soak.costs.rig import Rig
from ugs.soak.costs.scene import Act, CostScene
from ugs.wire.extensions.chat import MAX_RECIPIENTS

OPTIONS: Final = 120
"""Options of one table, and of what a master offers."""
OWN: Final = {
    "max_tables_per_ip": 1000,
    "list_burst": 1_000_000,
    "list_burst_per_ip": 1_000_000,
    "chat_per_minute": 1_000_000,
    "max_errors_per_minute": 1_000_000,
}
"""What is limited by number and not by cost, out of the way: one address sets up all tables here."""


def _asked(one: Rig, elements: int, document: bytes, conn: int) -> CostScene:
    return CostScene(elements, repeat(partial(one.sends, conn, document), TIMES))


def list_players(share: float) -> CostScene:
    """x-listPlayers on a server that is nearly full."""
    one = rig(**OWN)
    number = int((one.config.max_logins - 10) * share)
    conns = one.players(number, GAME_TYPE, "lobby")
    return _asked(one, number, traffic.asking("x-listPlayers", 1), conns[-1])


def list_game_types(share: float) -> CostScene:
    """x-listGameTypes where each player waits for a game type of its own."""
    one = rig(**OWN)
    number = int((one.config.max_logins - 10) * share)
    for name in range(number):
        one.connects(traffic.player_login(f"q{name}", f"type-{name}"))
    conn = one.players(1, GAME_TYPE, "lobby")[0]
    return _asked(one, number, traffic.asking("x-listGameTypes", 1), conn)


def _with_tables(share: float, seats: int = 2) -> tuple[Rig, int]:
    """As many tables as there may be, none of them full; and their number."""
    one = rig(**OWN)
    number = int((one.config.max_tables - 10) * share)
    one.master("m", GAME_TYPE, "table", least=2, most=seats)
    for name, conn in enumerate(one.players(number, GAME_TYPE, "lobby")):
        one.sends(conn, traffic.table(f"t{name}", seats=seats))
    return one, number


def list_tables(share: float) -> CostScene:
    """x-listTables where as many tables wait for players as there may be."""
    one, number = _with_tables(share)
    conn = one.players(1, GAME_TYPE, "lobby", first=number)[0]
    return _asked(one, number, traffic.asking("x-listTables", 1), conn)


def waiting_tables(share: float) -> CostScene:
    """x-offers of a master where as many full tables as there may be wait for one, with options that it does not
    offer."""
    one = rig(**OWN)
    number = int((one.config.max_tables - 10) * share)
    conns = one.players(2 * number, GAME_TYPE, "lobby")
    for place in range(number):
        one.sends(conns[2 * place], traffic.table(f"t{place}", options=OPTIONS))
        one.sends(conns[2 * place + 1], traffic.join(one.tables.pop()))
    master = one.connects(traffic.hello("table"), traffic.master_login("m", game_type=GAME_TYPE))
    # All but the last one: each table is compared to its end before it does not fit.
    known = "".join(f'<option name="o{option}" value="{option}"/>' for option in range(OPTIONS - 1))
    document = f'<message type="x-offers">{known}</message>'.encode()
    return _asked(one, number, document, master)


def advertise(share: float) -> CostScene:
    """x-advertise with as many guests as may be invited."""
    one = rig(**OWN)
    number = int(one.config.max_invitations * share)
    one.master("m", GAME_TYPE, "table", least=2, most=one.config.max_table_seats)
    one.players(number, GAME_TYPE, "lobby")
    hosts = one.players(TIMES, GAME_TYPE, "lobby", first=number)
    wanted = traffic.table("t", seats=2, invited=[f"p{guest}" for guest in range(number)])
    return CostScene(number, [partial(one.sends, host, wanted) for host in hosts])


def _full_table(one: Rig, first: int, seats: int, left: int = 1) -> tuple[str, list[int]]:
    """A table with all but ``left`` seats taken: its id, and the connections of all its players."""
    conns = one.players(seats, GAME_TYPE, "lobby", first=first)
    one.sends(conns[0], traffic.table(f"t{first}", seats=seats))
    table = one.tables.pop()
    for conn in conns[1 : seats - left]:
        one.sends(conn, traffic.join(table))
    return table, conns


def _at_tables(
    share: float, act: Callable[[Rig, str, list[int]], Act], families: tuple[str, ...] = ("table",), left: int = 1
) -> CostScene:
    one = rig(**OWN)
    seats = max(3, int(one.config.max_table_seats * share))
    one.master("m", GAME_TYPE, *families, least=2, most=seats)

    def acts() -> Iterator[Act]:
        for number in range(TIMES):
            table, conns = _full_table(one, number * seats, seats, left)
            yield act(one, table, conns)

    return CostScene(seats, acts())


def join(share: float) -> CostScene:
    """x-join takes the last seat of the largest table."""
    return _at_tables(share, lambda one, table, conns: partial(one.sends, conns[-1], traffic.join(table)))


def start(share: float) -> CostScene:
    """x-start of the largest table, with one seat played by the master."""
    return _at_tables(share, lambda one, table, conns: partial(one.sends, conns[0], traffic.asking("x-start", 1)))


def quit_table(share: float) -> CostScene:
    """x-quit at the largest table."""
    return _at_tables(share, lambda one, table, conns: partial(one.sends, conns[1], traffic.asking("x-quit", 1)))


def cancel(share: float) -> CostScene:
    """x-cancel of the largest table."""
    return _at_tables(share, lambda one, table, conns: partial(one.sends, conns[0], traffic.asking("x-cancel", 1)))


def wait(share: float) -> CostScene:
    """x-wait, on a server with a nearly full pool."""
    one = rig(**OWN)
    number = int((one.config.max_pool - 20) * share)
    one.players(number, GAME_TYPE)
    conns = one.players(TIMES, GAME_TYPE, "lobby", first=number)
    return CostScene(number, [partial(one.sends, conn, traffic.asking("x-wait", 1)) for conn in conns])


def chat_all(share: float) -> CostScene:
    """x-say to as many recipients as one message may name, with a text of the largest size."""
    one = rig(**OWN)
    number = int(MAX_RECIPIENTS * share)
    one.players(number, GAME_TYPE, "chat")
    conn = one.players(1, GAME_TYPE, "chat", first=number)[0]
    return _asked(
        one, number, traffic.chat([f"p{nick}" for nick in range(number)], "x" * one.config.max_chat_characters), conn
    )
