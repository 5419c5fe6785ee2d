"""Attacks with sketches: boards that are as expensive as allowed, and boards that are refused, again and again;
beside them people look at the games, and a visitor at the overview."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from ugs.soak import traffic
from ugs.soak.neighbours import SOURCE, Waits
from ugs.soak.picture_attacks import OWN_BOUND_S, neighbour, page_of, seen_once, watches
from ugs.soak.target import AttackLine, AttackSite, closed_at_end, game_id

MASTERS: Final = 5
"""Masters whose sketches are as large as they may be; as many send wrong ones."""
OPEN_PAGES: Final = 5
SIDE: Final = 50
OFFERS: Final = 400
WRONG: Final[Sequence[bytes]] = (
    b'<grid columns="100" rows="100"/>',
    b'<grid columns="50" rows="50"/>' + b'<mark at="0,0"/>' * 2_000,
    b'<grid columns="9" rows="9"/>' + b"<hand>" * 60 + b"</hand>" * 60,
    b'<grid columns="9" rows="9"/><script>alert(1)</script>',
    b'<svg viewBox="0 0 9 9"><script>alert(1)</script></svg>',
    b'<svg viewBox="0 0 9 9"><rect onload="alert(1)" style="fill:url(http://127.0.0.1/)"/></svg>',
    b'<svg viewBox="0 0 9 9"><a href="javascript:alert(1)"/><image href="http://127.0.0.1/"/></svg>',
    b'<svg viewBox="0 0 9 9"><style>@font-face{src:url(http://127.0.0.1/)}</style></svg>',
    b'<svg viewBox="0 0 9 9"><path d="' + b"M0 0" * 15_000 + b'"/></svg>',
    b'<grid columns="9" rows="9"/><words>' + b"w" * 60_000 + b"</words>",
)
"""What no server may take."""
HARM: Final = (b"<script>alert", b"onload=", b"javascript:", b"font-face", b"url(http")
"""What no page may hold: only these sketches have it."""


async def hostile_sketches(site: AttackSite) -> None:
    """Five masters sketch 400 offers, 1,000 cells and texts that are never the same, as fast as their players move, and
    five others what is refused: 10,000 cells, scripts, styles, links, fonts. Their games are watched by five pages."""
    await seen_once(site)
    site.begins()
    async with neighbour(site):
        site.nursery.start_soon(site.crowd, MASTERS, lambda number: _leads(site, f"expensive-{number}", _dear()))
        site.nursery.start_soon(site.crowd, MASTERS, lambda number: _leads(site, f"wrong-{number}", _wrong()))
        await _looks(site)


def _dear() -> Iterator[bytes]:
    """Sketches that the server takes, as expensive to read and to draw as they may be."""
    cells = " ".join(f"{place % SIDE},{place // SIDE}" for place in range(500))
    for number in count():
        offers = "".join(
            f'<offer label="{number} {place}" at="{place % SIDE},{place // SIDE}"><move n="{number}"/></offer>'
            for place in range(OFFERS)
        )
        # Never the same picture twice, so that none is found among those that are kept.
        look = f'colour="violet" shape="star" letter="{number % 1000}"'
        ground = f'<grid columns="{SIDE}" rows="{SIDE}" look="checkered" numbers="yes"/>'
        yield f'{ground}<pieces at="{cells}" {look}/>{offers}'.encode()


def _wrong() -> Iterator[bytes]:
    for number in count():
        yield WRONG[number % len(WRONG)]


async def _leads(site: AttackSite, name: str, sketches: Iterator[bytes]) -> None:
    """Lead one game after the other, with a sketch for each state, until the line is lost."""
    master, players = await site.line(), [await site.line(), await site.line()]
    async with closed_at_end(master, *players):
        nicks = [f"{name}-{number}" for number in range(2)]
        await master.send(traffic.hello("sketch") + traffic.master_login(name, game_type=name))
        await master.receive("loginResponse")
        for line, nick in zip(players, nicks, strict=True):
            await line.send(traffic.hello("sketch") + traffic.player_login(nick, name))
            await line.receive("loginResponse")
        game = game_id(await master.receive("beginGame"))
        for number, sketch in enumerate(sketches):
            await master.send(_message(game, sketch) + traffic.state(game, nicks[number % 2]))
            await _both_move(master, players, game, number % 2)


async def _both_move(master: AttackLine, players: Sequence[AttackLine], game: str, mover: int) -> None:
    for line in players:
        await line.receive("gameState")
    await players[mover].send(traffic.move(game))
    await master.receive("move")


def _message(game: str, inside: bytes) -> bytes:
    return b'<message type="x-sketch"><gameId id="%b"/><sketch>%b</sketch></message>' % (game.encode(), inside)


async def _looks(site: AttackSite) -> None:
    """A visitor looks at the running games, for ever: no page may hold what was refused."""
    assert site.place.http is not None
    line = await site.line(site.place.http, source=SOURCE)
    with Waits(site.dealt, "a list of the running games", OWN_BOUND_S).judged() as waits:
        for number in count():
            with waits.one():
                status, body = await page_of(line, "/games")
            if status != 200:
                site.dealt.harm += [f"the games: status {status}"] * (len(site.dealt.harm) < MASTERS)
            site.dealt.harm += [f"a page holds {one.decode()}" for one in HARM if one in body]
            if number < OPEN_PAGES:
                site.nursery.start_soon(watches, site, "overview")
