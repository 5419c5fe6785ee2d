"""Attacks with games of thousands of seats, as an organiser may allow them."""

from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone, closed_at_end, game_id

LARGE: Final = 1_000_000
SEATS: Final = 600
UNREAD: Final = 500
HEARERS: Final = 600
LEAVES_PER_S: Final = 20
PAUSE_S: Final = 0.5
"""Between two games, so that lines about players who come and go do not fill the log."""
ALLOWED: Final = "max_seats = 4096\n"
"""Settings of the server, as TOML."""


async def many_seats(site: AttackSite) -> None:
    """Games of 600 seats, which end as soon as they have begun."""
    master = await _master(site, SEATS)

    async def player(number: int) -> AttackLine:
        line = await site.line()
        await line.send(traffic.player_login(f"p{number}"))
        await line.receive("loginResponse")
        site.nursery.start_soon(_thanks_always, line)
        return line

    # All but one: the preparation ends before the first game begins.
    await site.many(SEATS - 1, player)
    site.begins()
    await player(SEATS)
    while True:
        begun = await master.receive("beginGame", within_s=120)
        first, *others = (part.partition('"')[0] for part in begun.split('<player nick="')[1:])
        await master.send(traffic.over(game_id(begun), first, others))
        await trio.sleep(PAUSE_S)


async def _thanks_always(line: AttackLine) -> None:
    try:
        while True:
            await line.send(traffic.thanks(game_id(await line.receive("gameState", within_s=300))))
    except (ServerGone, trio.TooSlowError):
        return


async def unread_by_thousands(site: AttackSite) -> None:
    """One state of 1 MB after another to 500 players who do not read."""
    master = await _master(site, UNREAD)
    lines = await site.players(UNREAD, deaf=True)
    game = game_id(await master.receive("beginGame", within_s=120))
    site.begins()
    site.listens(master)
    async with closed_at_end(*lines):
        while True:
            await master.send(traffic.state(game, "p0", LARGE))
            await trio.sleep(1)


async def leaves_sent_to_all(site: AttackSite) -> None:
    """600 players with a lobby in one game, which they leave one by one."""
    master = await _master(site, HEARERS)
    lines = await site.many(HEARERS, lambda number: _waiting(site, f"p{number}"))
    game = game_id(await master.receive("beginGame", within_s=120))
    site.begins()
    await master.send(traffic.state(game, "p0"))
    site.listens(master)
    for line in lines[1:]:
        if line is not None:
            await line.send(b'<message type="leaveGame"><gameId id="%b"/></message>' % game.encode())
            await trio.sleep(1 / LEAVES_PER_S)
    await trio.sleep_forever()


async def _waiting(site: AttackSite, nick: str) -> AttackLine:
    line = await site.player(nick, "lobby", "reason")
    await line.send(b'<message type="x-wait"/>')
    return line


async def _master(site: AttackSite, seats: int) -> AttackLine:
    master = await site.line()
    await master.send(traffic.master_login("m", seats, seats))
    await master.receive("loginResponse")
    return master
