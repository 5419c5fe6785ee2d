"""Attacks with requests: many of them, expensive ones, and ones whose answers are not read."""

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone, closed_at_end, send_in_turn

SEGMENT = 300
"""Requests in one piece."""
LARGE = 1_000_000
"""Bytes of a large state, below the limit."""
LARGE_STATES = 50
MANY_STATES, STATES_AT_ONCE = 40_000, 1000
PACKED_S = 4.0
"""Seconds from the end of a game until it is packed."""
MANY_OPTIONS = 27_000
"""As many as fit into one message."""


async def list_players(site: AttackSite) -> None:
    """300 x-listPlayers in one piece, with 200 players there."""
    await _list_players(site, 200, SEGMENT)


async def list_more_players(site: AttackSite) -> None:
    """1000 x-listPlayers in one piece, with 500 players there."""
    await _list_players(site, 500, 1000)


async def _list_players(site: AttackSite, players: int, times: int) -> None:
    lines = await site.players(players, "lobby")
    site.begins()
    await _repeats(site, lines, traffic.asking("x-listPlayers", times))


async def list_tables(site: AttackSite) -> None:
    """300 x-listTables in one piece, with 200 tables there."""
    lines = await tables(site, 200, traffic.table("t"))
    site.begins()
    await _repeats(site, lines, traffic.asking("x-listTables", SEGMENT))


async def few_ask_for_invitations(site: AttackSite) -> None:
    """x-listTables from 20 connections, with 200 tables of 100 invitations each."""
    await _ask_for_invitations(site, 20)


async def many_ask_for_invitations(site: AttackSite) -> None:
    """x-listTables from 800 connections, with 200 tables of 100 invitations each."""
    await _ask_for_invitations(site, 800)


async def _ask_for_invitations(site: AttackSite, asking: int) -> None:
    await tables(site, 200, traffic.table("t", invited=traffic.guests(100, 12)))
    lines = await site.players(asking, "lobby", prefix="q")
    site.begins()
    await send_in_turn(lines, traffic.asking("x-listTables", 20))


async def invitations_unread(site: AttackSite) -> None:
    """Six tables with the most and longest invitations, and x-listTables of peers that do not read."""
    await tables(site, 6, traffic.table("t", invited=traffic.guests(100)))
    site.begins()

    async def asks(number: int) -> None:
        line = await site.player(f"q{number}", "lobby", deaf=True)
        while True:
            await line.send(traffic.asking("x-listTables", 100))

    await site.crowd(4, asks)


async def tables(site: AttackSite, count: int, advertise: bytes) -> list[AttackLine]:
    """``count`` players who have each set a table up; a master is there for them, but no game begins."""
    master = await site.line()
    await master.send(traffic.hello("table") + traffic.master_login("m") + traffic.offers())
    await master.receive("loginResponse")
    site.listens(master)

    async def owner(number: int) -> AttackLine:
        line = await site.line()
        await line.send(traffic.hello("lobby") + traffic.player_login(f"owner{number}") + advertise)
        await line.receive("x-advertised")
        site.listens(line)
        return line

    return [line for line in await site.many(count, owner) if line is not None]


async def replay(site: AttackSite) -> None:
    """Two spectators ask 400 times in one piece for a game of 3 MB from its beginning."""
    master, players, game = await site.game()
    for line in players:
        site.listens(line)
    for _ in range(3):
        await master.send(traffic.state(game, "p0", LARGE))
        await trio.sleep(0.05)
        await players[0].send(traffic.move(game))
        await master.receive("move")
    await master.send(traffic.state(game, "p0"))
    site.listens(master)
    site.begins()

    async def spectator(number: int) -> None:
        line = await site.line()
        await line.send(traffic.hello("watch") + traffic.watch(game, 400))
        await line.listen()

    await site.crowd(2, spectator)


async def why_large(site: AttackSite) -> None:
    """x-why again and again about a game that has ended, of 50 MB that pack to nearly nothing."""
    await _why(site, LARGE_STATES, LARGE, 1)


async def why_long(site: AttackSite) -> None:
    """x-why again and again about a running game of 40 000 short states."""
    await _why(site, MANY_STATES, 0, STATES_AT_ONCE)


async def _why(site: AttackSite, states: int, size: int, at_once: int) -> None:
    """One game with ``states``, ``at_once`` of them between two moves; one of large states then ends."""
    master, (mover, other), game = await site.game("reason")
    site.listens(other)
    for _ in range(states // at_once):
        await master.send(traffic.state(game, "p0", size) * at_once)
        for _ in range(at_once):
            await mover.receive("gameState")
        await mover.send(traffic.move(game))
        await master.receive("move")
    if size:
        await master.send(traffic.over(game, "p0", ["p1"]))
        await mover.receive("gameState")
        await mover.send(traffic.thanks(game))
        # Packed by then: 50 MB would have to be unpacked for each answer.
        await trio.sleep(PACKED_S)
    else:
        await master.send(traffic.state(game, "p0"))
    site.listens(master)
    site.listens(mover)
    site.begins()
    while True:
        await mover.send(traffic.why(game, 32))
        await trio.sleep(0.1)


async def chat_to_many(site: AttackSite) -> None:
    """x-say to 128 recipients at once, by 200 players."""
    lines = await site.players(200, "chat")
    site.begins()
    all_players = [f"p{number}" for number in range(128)]
    await send_in_turn(lines, traffic.chat(all_players, "x" * 2000))


async def chat_to_unknown(site: AttackSite) -> None:
    """900 KB of recipients in one x-say."""
    await _large_documents(site, traffic.chat(["unknown"] * 40_000), "chat")


async def empty_elements(site: AttackSite) -> None:
    """900 KB of empty elements in x-listTables, from two players."""
    await _large_documents(site, traffic.padded("x-listTables", 900_000), "lobby")


async def _large_documents(site: AttackSite, document: bytes, family: str) -> None:
    site.begins()

    async def sends(number: int) -> None:
        line = await site.player(f"p{number}", family)
        while True:
            await line.send(document)

    await site.crowd(2, sends)


async def empty_elements_before_login(site: AttackSite) -> None:
    """250 KB of empty elements in x-ping, before any login, from four connections."""
    site.begins()

    async def sends(number: int) -> None:
        line = await site.line()
        await line.send(traffic.hello("session"))
        site.listens(line)
        while True:
            await line.send(traffic.padded("x-ping", 250_000))

    await site.crowd(4, sends)


async def errors(site: AttackSite) -> None:
    """8 connections send nothing but the shortest error there is."""
    site.begins()
    data = traffic.errors(10_000)

    async def sends(number: int) -> None:
        line = await site.player(f"p{number}")
        while True:
            await line.send(data)

    await site.crowd(8, sends)


async def resend_unread(site: AttackSite) -> None:
    """400 x-resend of a state of 1 MB, of a player that does not read."""
    site.begins()

    async def asks(_number: int) -> None:
        master, players, game = await site.game("state", deaf=True)
        async with closed_at_end(master, *players):
            await master.send(traffic.state(game, "p0", LARGE))
            site.listens(master)
            await trio.sleep(0.2)
            for line in players:
                await line.send(traffic.resend(game, 400))
            await trio.sleep(1)

    await site.crowd(1, asks)


async def hung_up(site: AttackSite) -> None:
    """Players who ask for a list 300 times and hang up at once, with 200 players there."""
    await site.players(200, "lobby")
    site.begins()
    asks = traffic.asking("x-listPlayers", SEGMENT)

    async def asks_and_goes(number: int) -> None:
        line = await site.line()
        await line.send(traffic.hello("lobby") + traffic.player_login(f"q{number}") + asks)
        await line.cut()

    await site.crowd(8, asks_and_goes)


async def wide_advertise(site: AttackSite) -> None:
    """One x-advertise of 1 MB with 27 000 options, again and again."""
    await _large_documents(site, traffic.table("t", options=MANY_OPTIONS), "lobby")


async def wide_offers(site: AttackSite) -> None:
    """One x-offers of 1 MB with 27 000 options, of a game master, again and again."""
    await _of_a_master(site, traffic.offers(MANY_OPTIONS))


async def wide_labels(site: AttackSite) -> None:
    """One x-labels with 20 000 seats, of a game master, again and again."""
    await _of_a_master(site, traffic.labels("x", 20_000))


async def _of_a_master(site: AttackSite, document: bytes) -> None:
    site.begins()

    async def sends(_number: int) -> None:
        line = await site.line()
        await line.send(traffic.hello("table") + traffic.master_login("m"))
        await line.receive("loginResponse")
        site.listens(line)
        while True:
            await line.send(document)

    await site.crowd(1, sends)


async def _repeats(site: AttackSite, lines: list[AttackLine], data: bytes) -> None:
    """The first of them whose connection is open sends ``data``, for ever; the others wait."""
    for line in lines:
        try:
            while True:
                await line.send(data)
        except ServerGone:
            continue
    await trio.sleep_forever()
