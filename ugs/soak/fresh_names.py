"""An attack that leaves traces: nicks never used before, each with a game of a master of their own."""

import re
from itertools import count
from typing import Final

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, closed_at_end, game_id

ROWS: Final = 100
SETTINGS: Final = f"standings_rows = {ROWS}\n"
"""Settings of the server, as TOML."""
COMERS: Final = 30
_SEATS: Final = re.compile('<player nick="([^"]*)"')


async def fresh_names(site: AttackSite) -> None:
    """Fresh nicks, 30 at a time, that each play a game of a master of their own, which is over at once, and go: the
    standings do not grow with them."""
    master = await site.line()
    await master.send(traffic.master_login("m"))
    await master.receive("loginResponse")
    site.nursery.start_soon(_ends_all_games, master)
    site.begins()
    numbers = count(1)

    async def comes(_number: int) -> None:
        line = await site.line()
        async with closed_at_end(line):
            await line.send(traffic.player_login(f"fresh{next(numbers)}"))
            rows = len(_SEATS.findall(await line.receive("championsList")))
            # Those who have not gone keep their rows above the limit.
            if rows > ROWS + COMERS:
                site.dealt.harm.append(
                    f"{rows} rows, of at most {ROWS} players who have gone and {COMERS} who have not"
                )
            game = game_id(await line.receive("gameState"))
            await line.send(traffic.thanks(game) + b'<message type="logout"/>')
            await line.listen()

    await site.crowd(COMERS, comes)


async def _ends_all_games(master: AttackLine) -> None:
    """The first player of each game wins it before the first move."""
    while True:
        begun = await master.receive("beginGame", within_s=float("inf"))
        first, *others = _SEATS.findall(begun)
        await master.send(traffic.over(game_id(begun), first, others))
