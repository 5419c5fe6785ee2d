"""Attacks in many games at a time: on the lines of others, on masters that serve all games, on the limits of a game."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone, closed_at_end, game_id
from ugs.soak.witness import GAME_TYPE, THINKERS, stone, stones_of

LARGE: Final = 1_000_000
PAIRS: Final = 20
"""Games at tables that one address may have (``max_table_games_per_ip``)."""
DEAR_GAMES: Final = 60
HEAVY_GAMES: Final = 80
MAX_PAST: Final = 900_000
"""Bytes of a move; a game with one of them can be handed over, one with two cannot."""
STRANGERS: Final = 100
TALK: Final = 30
"""Messages in the chat that one peer may send at once (``chat_per_minute``)."""
INVITATIONS: Final = 50
STATE: Final = 100_000
LARGE_STATES: Final = 8
PADDED: Final = 150_000
SMALL_GAMES: Final = "max_game_bytes = 1_000_000\n"
"""Settings of the server, as TOML: a game is full after a second, not after minutes."""
LEADS_S: Final = 2.0
"""Seconds from a master's login until it is cut off."""
TWO_MASTERS: Final = f'[game_types."{traffic.GAME_TYPE}"]\nmasters_per_game = 2\nmaster_grace_s = 30\n'
"""Settings of the server, as TOML."""

_NEXT: Final = re.compile(r'<nextPlayer nick="(\w+)"')
_FIRST: Final = re.compile(r'<player nick="(\w+)"')


async def crowded_master(site: AttackSite) -> None:
    """20 pairs at the master of the calm games make legal moves of 1 MB, each in its turn."""
    site.begins()
    # A comment: the rules ignore it, so the moves are legal and the game goes on.
    inside = b"<!--%b-->" % (b"x" * LARGE)

    async def plays(number: int) -> None:
        nicks = (f"a{number}", f"b{number}")
        lines = [await _at_tables(site, nick) for nick in nicks]
        async with closed_at_end(*lines):
            owner, guest = lines
            await owner.send(traffic.table("t", invited=nicks[1:]))
            table = (await owner.receive("x-advertised")).partition('<table id="')[2].partition('"')[0]
            await guest.send(traffic.join(table))
            async with trio.open_nursery() as nursery:
                for line, nick in zip(lines, nicks, strict=True):
                    nursery.start_soon(_places_stones, line, nick, inside)

    await site.crowd(PAIRS, plays)


async def _at_tables(site: AttackSite, nick: str) -> AttackLine:
    """A player of the calm game who may sit at tables; its connection is not read yet."""
    line = await site.line()
    await line.send(traffic.hello("lobby") + traffic.player_login(nick, GAME_TYPE))
    await line.receive("loginResponse")
    return line


async def _places_stones(line: AttackLine, nick: str, inside: bytes) -> None:
    """Play one game; raises Gone when it is over."""
    stones: list[tuple[int, int]] = []
    while (mover := _NEXT.search(state := await line.receive("gameState"))) is not None:
        if mover[1] == nick:
            stones = stones or stones_of(state.encode())
            await line.send(traffic.moving(game_id(state), stone(stones.pop(), inside)))
    raise ServerGone


async def strangers(site: AttackSite) -> None:
    """100 strangers speak to players who think and do not read, and invite them, as much as they may; then others."""
    site.begins()

    async def speaks(number: int) -> None:
        line = await site.line()
        data = traffic.hello("chat", "lobby") + traffic.player_login(f"s{number}", GAME_TYPE)
        data += traffic.chat(THINKERS, "x" * 2000) * TALK
        invited = [*THINKERS, *traffic.guests(90)]
        data += (traffic.table("t", invited=invited) + b'<message type="x-cancel"/>') * INVITATIONS
        async with closed_at_end(line):
            await line.send(data + b'<message type="logout"/>')
            await line.listen()

    await site.crowd(STRANGERS, speaks)


async def dear_moves(site: AttackSite) -> None:
    """60 games of moves of 16 000 processing instructions each."""
    await _many_games(site, DEAR_GAMES, traffic.dear_move, masters=1)


async def heavy_games(site: AttackSite) -> None:
    """80 games of moves of 1 MB, led by two masters that could take each other's games over."""
    await _many_games(site, HEAVY_GAMES, lambda game: traffic.move(game, LARGE), masters=2)


async def padded_moves(site: AttackSite) -> None:
    """Who is losing pads its moves where states have nearly filled a game: it loses, and no game is void."""
    site.begins()

    async def plays(_number: int) -> None:
        master, players, game = await site.game()
        async with closed_at_end(master, *players):
            loser, winner = players
            site.listens(winner)
            for number in count():
                padded = number >= LARGE_STATES
                await master.send(traffic.state(game, "p0", 0 if padded else STATE))
                with suppress(ServerGone):  # it is out
                    await loser.receive_one_of(("gameState", "error"))
                    await loser.send(traffic.move(game, PADDED if padded else 0))
                kind, data = await master.receive_one_of(("move", "x-stop", "playerLeftGame"))
                if kind != "move":
                    break
            if kind == "x-stop" or 'nick="p0"' not in data:
                site.dealt.harm.append(f"a game was made void by moves of a loser: {data}")
                return
            await master.send(traffic.over(game, "p1", ["p0"]))

    await site.crowd(1, plays)


async def handed_over(site: AttackSite) -> None:
    """80 games with as long a past as can be handed over, of two masters that are cut off again and again."""
    await _many_games(
        site, HEAVY_GAMES, lambda game: traffic.move(game, MAX_PAST), masters=2, leads_s=LEADS_S, most_moves=1
    )


async def _many_games(
    site: AttackSite,
    games: int,
    move: Callable[[str], bytes],
    masters: int,
    leads_s: float = float("inf"),
    most_moves: int | None = None,
) -> None:
    """Games of two, where one player moves and moves (or up to a number per game). Each master is cut off after a time,
    and comes back."""

    async def leads(number: int) -> None:
        line = await site.line()
        async with closed_at_end(line):
            login = traffic.hello("table", "restore") + traffic.master_login(f"m{number}") + traffic.offers()
            await line.send(login)
            await line.receive("loginResponse")
            # One after the other, so that the other master is there to take over.
            with trio.move_on_after(leads_s * (number + 1)):
                await _names_the_first(line)

    async def plays(number: int) -> None:
        line = await site.line()
        nick = f"p{number}"
        async with closed_at_end(line):
            await line.send(traffic.player_login(nick))
            moves = 0
            playing = ""
            while True:
                kind, data = await line.receive_one_of(("gameState", "error"), within_s=60)
                game = game_id(data)
                if kind == "gameState" and f'<nextPlayer nick="{nick}"' in data:
                    moves, playing = (moves + 1, game) if game == playing else (1, game)
                    if most_moves is None or moves <= most_moves:
                        await line.send(move(game))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(site.crowd, masters, leads)
        nursery.start_soon(site.crowd, 2 * games, plays)
        await trio.sleep(1)
        site.begins()


async def _names_the_first(line: AttackLine) -> None:
    """Lead all games so that the player in the first seat is always asked; raises Gone at the end of the line."""
    first: dict[str, str] = {}
    while True:
        kind, data = await line.receive_one_of(("beginGame", "move", "x-restore", "playerLeftGame"), within_s=60)
        game = game_id(data)
        if kind in ("beginGame", "x-restore") and (found := _FIRST.search(data)) is not None:
            first[game] = found[1]
        if game in first:
            if kind == "playerLeftGame":
                del first[game]
            else:
                await line.send(traffic.state(game, first[game]))
