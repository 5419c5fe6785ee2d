"""An attack with refused moves: masters that refuse as often as they may, and more often, what players send on."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone, closed_at_end, game_id

TRIES: Final = 99
"""How often a player is asked again in a turn: the most that may be set."""
ASKED_AGAIN: Final = ("asked-again-0", "asked-again-1")
UNREAD: Final = "unread"
BY_THE_RULES: Final = "by-the-rules"
"""Game types, and their masters: refused moves are asked for again; by a player that does not read; or the rules
decide what follows."""
SETTINGS: Final = "".join(f'[game_types.{name}]\nfaults = "retry {TRIES}"\n' for name in (*ASKED_AGAIN, UNREAD))
"""Settings of the server, as TOML."""
STATE_BYTES: Final = 200_000
"""A player that is asked again is sent this once more."""
IN_VAIN: Final = 1000
"""Reports of one move."""
REASON: Final = "a secret " * 100
"""Of this an opponent may read nothing."""
SOON_S: Final = 1.0


async def refused_moves(site: AttackSite) -> None:
    """Masters refuse each move 99 times with a long reason while the player, asked again with a large state each time,
    moves at once; another such player does not read; a third master refuses one move a thousand times, for players of
    other games and games of others, too. Opponents look whether they are sent a reason."""
    site.begins()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(site.crowd, len(ASKED_AGAIN), lambda number: _asked_again(site, ASKED_AGAIN[number]))
        nursery.start_soon(site.crowd, 1, lambda _number: _unread(site))
        nursery.start_soon(site.crowd, 1, lambda _number: _flood(site))


async def _game(site: AttackSite, name: str, *, deaf: bool = False) -> tuple[AttackLine, Sequence[AttackLine], str]:
    """A game of this type with a master and two players, ``name-a`` and ``name-b``; the first one is deaf if wanted."""
    lines = [await site.line(), await site.line(deaf=deaf), await site.line()]
    master, *players = lines
    await master.send(traffic.hello("faults") + traffic.master_login(name, game_type=name))
    await master.receive("loginResponse")
    for line, nick in zip(players, (f"{name}-a", f"{name}-b"), strict=True):
        await line.send(traffic.hello("reason") + traffic.player_login(nick, name))
        # A deaf line must not be read at all, or it would take what is meant to pile up.
        if line is not players[0] or not deaf:
            await line.receive("loginResponse")
    return master, players, game_id(await master.receive("beginGame"))


async def _asked_again(site: AttackSite, name: str) -> None:
    """One player after another of its turns is refused as often as may be, and then has moved."""
    master, (mover, other), game = await _game(site, name)
    async with closed_at_end(master, mover, other):
        site.nursery.start_soon(_reads_no_secret, site, other)
        while True:
            await master.send(traffic.state(game, f"{name}-a", STATE_BYTES))
            for _ in range(TRIES):
                await mover.receive("gameState", SOON_S)
                await mover.send(traffic.move(game))
                await master.receive("move", SOON_S)
                await master.send(traffic.refusal(game, f"{name}-a", REASON))


async def _unread(site: AttackSite) -> None:
    """A player moves whenever it is asked, without reading what it is sent."""
    name = UNREAD
    master, (mover, other), game = await _game(site, name, deaf=True)
    async with closed_at_end(master, mover, other):
        site.listens(other)
        await master.send(traffic.state(game, f"{name}-a", STATE_BYTES))
        while True:
            await mover.send(traffic.move(game))
            await master.receive_one_of(("move", "playerLeftGame"), SOON_S)
            await master.send(traffic.refusal(game, f"{name}-a", REASON))
            await master.receive("x-ruling", SOON_S)


async def _flood(site: AttackSite) -> None:
    """One move is refused again and again where the rules decide what follows, and moves that there are not."""
    name = BY_THE_RULES
    master, (mover, other), game = await _game(site, name)
    async with closed_at_end(master, mover, other):
        for line in (master, other):
            site.listens(line)
        await master.send(traffic.state(game, f"{name}-a"))
        await mover.receive("gameState", SOON_S)
        await mover.send(traffic.move(game))
        # The refusals must find the move, so the server gets a moment to pass it on.
        await trio.sleep(0.01)
        same = traffic.refusal(game, f"{name}-a", REASON)
        wrong = traffic.refusal(game, f"{ASKED_AGAIN[0]}-a", REASON) + traffic.refusal("of others", f"{name}-a", REASON)
        await master.send(same * IN_VAIN + wrong * IN_VAIN)
        await trio.sleep(SOON_S)


async def _reads_no_secret(site: AttackSite, line: AttackLine) -> None:
    """An opponent reads all that it is sent."""
    with suppress(ServerGone):
        while True:
            with suppress(trio.TooSlowError):
                kind, document = await line.receive_one_of(("x-reason", "error", "gameState"), SOON_S)
                if kind != "gameState" and "secret" in document:
                    site.dealt.harm.append(f"an opponent was sent {document[:200]}")
