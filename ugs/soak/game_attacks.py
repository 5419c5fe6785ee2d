"""Attacks in games: masters and players that send too much or nothing, and spectators that do not read."""

from contextlib import suppress

import trio

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, ServerGone, closed_at_end, game_id

LARGE = 1_000_000
SOON_S = 1.0
"""A game is over after this number of seconds without the next message."""
FIELD = 1000
"""Entrants of a large championship."""
MANY_SEATS_FIELD = 300
TYPES = 50


async def large_moves(site: AttackSite) -> None:
    """Moves of 1 MB, as fast as the server takes them, and states of 1 MB as answers."""
    site.begins()

    async def plays(_number: int) -> None:
        master, (mover, other), game = await site.game()
        site.listens(other)
        async with closed_at_end(master, mover, other):
            while True:
                await master.send(traffic.state(game, "p0", LARGE))
                await mover.receive("gameState", SOON_S)
                await mover.send(traffic.move(game, LARGE))
                await master.receive("move", SOON_S)

    await site.crowd(1, plays)


async def flooding_master(site: AttackSite) -> None:
    """A game master that sends one state after another, and does not wait for a move."""
    site.begins()

    async def leads(_number: int) -> None:
        master, players, game = await site.game()
        for line in (master, *players):
            site.listens(line)
        data = traffic.state(game, "p0", 1000) * 100
        async with closed_at_end(master, *players):
            while True:
                await master.send(data)

    await site.crowd(1, leads)


BUDGET_S = 2
MAX_THINKING_S = 16.0
"""What a budget of BUDGET_S may last in all: a line may stand still for 10 s, and the machine be busy."""
BUDGET = f'[game_types."{traffic.GAME_TYPE}"]\ntime_s = {BUDGET_S}\n'
"""Settings of the server, as TOML."""


async def full_line(site: AttackSite) -> None:
    """A player with a budget of two seconds reads nothing, and thinks while the state lies in the server."""
    site.begins()

    async def thinks(_number: int) -> None:
        # deaf: the state must stay in the server, and with it the clock that waits for the line.
        master, players, game = await site.game(deaf=True)
        async with closed_at_end(master, *players):
            await master.send(traffic.state(game, "p0", LARGE))
            try:
                await master.receive("playerLeftGame", MAX_THINKING_S)
            except trio.TooSlowError:
                site.dealt.harm.append(f"a player with {BUDGET_S} s thought for more than {MAX_THINKING_S:g} s")
                raise

    await site.crowd(1, thinks)


async def silent_master(site: AttackSite) -> None:
    """A game master that answers nothing, with 200 players who wait."""
    master = await site.line()
    await master.send(traffic.master_login("m"))
    await master.receive("loginResponse")
    await site.players(200)
    site.begins()
    await trio.sleep_forever()


async def deaf_spectators(site: AttackSite) -> None:
    """2000 spectators that do not read a game with large states."""
    master, (mover, other), game = await site.game()
    site.listens(other)
    await master.send(traffic.state(game, "p0"))

    async def spectator(_number: int) -> AttackLine:
        line = await site.line(deaf=True)
        await line.send(traffic.hello("watch") + traffic.watch(game))
        return line

    await site.many(2000, spectator)
    site.begins()
    with suppress(ServerGone):
        while True:
            await mover.receive("gameState")
            await mover.send(traffic.move(game))
            await master.receive("move")
            await master.send(traffic.state(game, "p0", 100_000))
            await trio.sleep(0.01)
    await trio.sleep_forever()


async def tables_hoarded(site: AttackSite) -> None:
    """Players of one address begin games at tables until there may be no more, and do not play them."""
    master = await site.line()
    await master.send(traffic.hello("table") + traffic.master_login("m") + traffic.offers())
    await master.receive("loginResponse")
    site.listens(master)

    async def owner(number: int) -> AttackLine:
        line = await site.player(f"owner{number}", "lobby")
        await line.send(traffic.table("t", invited=[f"p{number}"]))
        return line

    site.begins()
    owners = await site.many(100, owner)
    await site.players(100)
    for line in owners:
        if line is not None:
            with suppress(ServerGone):
                await line.send(b'<message type="x-start"/>')
    await trio.sleep_forever()


async def misspelt_types(site: AttackSite) -> None:
    """50 types with masters, 50 that wait with long names nearly the same, and 40 who ask for the list of the page."""

    async def master(number: int) -> AttackLine:
        line = await site.line()
        await line.send(traffic.master_login(f"m{number}", game_type=_long_name("a", number)))
        await line.receive("loginResponse")
        site.listens(line)
        return line

    async def waits(number: int) -> AttackLine:
        line = await site.line()
        await line.send(traffic.player_login(f"w{number}", _long_name("e", number)))
        await line.receive("loginResponse")
        site.listens(line)
        return line

    await site.many(TYPES, waits)  # before the masters: the page is shown the first types only
    await site.many(TYPES, master)
    site.begins()
    assert site.place.http is not None
    place = site.place.http

    async def asks(_number: int) -> None:
        line = await site.line(place)
        site.listens(line)
        while True:
            await line.send(b"GET /api/v1/games HTTP/1.1\r\nHost: soak\r\n\r\n")
            await trio.sleep(0.1)

    await site.crowd(40, asks)


def _long_name(vowel: str, number: int) -> str:
    """A name that is expensive to compare with others of its kind."""
    return f"{number:02} {' '.join([f'g{vowel}me'] * 12)}"


SWISS = f'name = "large"\ngame_type = "{traffic.GAME_TYPE}"\nformat = "swiss"\nrounds = 3\nfirst = {FIELD}\n'
ROUND_ROBIN = (
    f'name = "large"\ngame_type = "{traffic.GAME_TYPE}"\nformat = "round-robin"\nseats = 4\n'
    f"first = {MANY_SEATS_FIELD}\n"
)
"""Plans of championships, as TOML."""


async def swiss(site: AttackSite) -> None:
    """A Swiss championship of 1000 players is paired, round by round."""
    await _championship(site, FIELD, 2)


async def round_robin(site: AttackSite) -> None:
    """The games of a round robin of 300 players with four seats are drawn up."""
    await _championship(site, MANY_SEATS_FIELD, 4)


async def _championship(site: AttackSite, players: int, seats: int) -> None:
    """All come; a master ends each game as soon as it begins, and all players send their thanks."""
    site.begins()
    master = await site.line()
    await master.send(traffic.master_login("m", seats, seats))
    await master.receive("loginResponse")

    async def leads() -> None:
        with suppress(ServerGone, trio.TooSlowError):
            while True:
                begun = await master.receive("beginGame")
                first, *others = (part.partition('"')[0] for part in begun.split('<player nick="')[1:])
                await master.send(traffic.over(game_id(begun), first, others))

    async def plays(number: int) -> None:
        line = await site.line()
        await line.send(traffic.player_login(f"p{number}"))
        with suppress(trio.TooSlowError):
            while True:
                await line.send(traffic.thanks(game_id(await line.receive("gameState"))))
        await line.listen()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(leads)
        await site.crowd(players, plays)
