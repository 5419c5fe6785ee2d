"""An attack with remarks: as many and as large as allowed, and those that are refused."""

from contextlib import suppress
from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone, closed_at_end, game_id

GAMES: Final = 5
SIZE: Final = 1900
"""Bytes of a remark, nearly as many as allowed."""
IN_VAIN: Final = 200
"""Remarks that are refused between two moves."""
SOON_S: Final = 1.0


async def remarks(site: AttackSite) -> None:
    """Players of five games remark as much as they may before each move, and two hundred times more: a second time, out
    of turn, for the games of others. Their opponents look whether a word of it arrives."""
    site.begins()
    await site.crowd(GAMES, lambda number: _remarks(site, f"remarks-{number}"))


async def _remarks(site: AttackSite, name: str) -> None:
    master, mover, other = await site.line(), await site.line(), await site.line()
    async with closed_at_end(master, mover, other):
        await master.send(traffic.master_login(name, game_type=name))
        await master.receive("loginResponse")
        for line, nick in ((mover, f"{name}-a"), (other, f"{name}-b")):
            await line.send(traffic.hello("remark", "state") + traffic.player_login(nick, name))
            await line.receive("loginResponse")
        game = game_id(await master.receive("beginGame"))
        site.nursery.start_soon(_reads_no_remark, site, other)
        # The first is wrong behind another one for the same move, and from the player who does not move.
        wrong = traffic.remark(game, SIZE) + traffic.remark("of others", SIZE)
        while True:
            await master.send(traffic.state(game, f"{name}-a"))
            await mover.receive("gameState")
            await mover.send(traffic.remark(game, SIZE) + wrong * (IN_VAIN // 2) + traffic.move(game))
            await other.send(wrong)
            await master.receive("move")


async def _reads_no_remark(site: AttackSite, line: AttackLine) -> None:
    """An opponent reads all that it is sent."""
    with suppress(ServerGone):
        while True:
            with suppress(trio.TooSlowError):
                kind, document = await line.receive_one_of(("x-remark", "x-event", "gameState"), SOON_S)
                if kind != "gameState":
                    site.dealt.harm.append(f"an opponent was sent {document[:200]}")
