"""Attacks by clients that pretend to be another one, or look for what is private: an attack that succeeds does harm."""

from collections.abc import Sequence
from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.neighbours import SOURCE
from ugs.soak.target import AttackLine, AttackSite

IMPOSTORS: Final = 10
PAUSE_S: Final = 0.8
"""Seconds between two tries of one of them: what counts is whether one succeeds."""
VICTIM: Final = "victim"
ANOTHER_TYPE: Final = "another game"
ACCEPTED: Final = 'accept="yes"'
STRANGERS: Final = 30
LOOK_S: Final = 0.5
"""Seconds between two looks of one of them."""
LOOKS: Final = ("x-listPlayers", "x-listTables")


async def impostors(site: AttackSite) -> None:
    """Logins of ten peers that have proven a name of their own and were refused, as a game master, as other players, as
    an absent one and as a spectator under its nick."""
    await _leaves_a_seat(site, VICTIM, SOURCE)
    for number in range(IMPOSTORS):
        await _leaves_a_seat(site, f"own{number}")
    site.begins()

    async def pretends(number: int) -> None:
        own = f"own{number}"
        for document in variants(own, VICTIM):
            line = await site.line()
            if await comes_in(line, own, document):
                site.dealt.harm.append(f"{own} came in by {document.decode()}")
            await line.close()
            await trio.sleep(PAUSE_S)

    await site.crowd(IMPOSTORS, pretends)


def variants(own: str, victim: str) -> Sequence[bytes]:
    """Documents of a client that has proven to be ``own`` and tries to pass for another one."""
    return (
        traffic.master_login(own),
        traffic.master_login(victim),
        traffic.player_login(victim),
        traffic.player_login(f"foreign {own}"),
        traffic.watch_type(victim),
    )


async def comes_in(line: AttackLine, own: str, document: bytes) -> bool:
    """Prove to be ``own``, whose place is kept in another game type, be refused for that, and send ``document``:
    whether that is accepted."""
    # Refused, but proven: such a connection once passed for any other name.
    await line.send(traffic.hello("session", "watch") + traffic.player_login(_shown(own), ANOTHER_TYPE))
    await line.receive("loginResponse")
    await line.send(document)
    kind, answer = await line.receive_one_of(("loginResponse", "x-failed", "x-ok", "x-watching", "error"))
    return ACCEPTED in answer or kind in ("x-ok", "x-watching")


async def _leaves_a_seat(site: AttackSite, nick: str, source: str = "") -> None:
    """A player registers a nick, and its place is kept for it."""
    await leaves_a_seat(await site.line(source=source), nick)


async def leaves_a_seat(line: AttackLine, nick: str) -> None:
    """The same on this line, which is cut."""
    await line.send(traffic.hello("session") + traffic.player_login(_shown(nick)))
    await line.receive("loginResponse")
    await line.cut()


def _shown(nick: str) -> str:
    return f"{nick}#the secret of {nick}"


async def private_tables(site: AttackSite) -> None:
    """30 strangers who look for the id of a private table in everything that players can list."""
    owner = await site.line(source=SOURCE)
    await owner.send(traffic.hello("lobby") + traffic.player_login("owner") + traffic.table("Friday", private=True))
    table = (await owner.receive("x-advertised")).partition('<table id="')[2].partition('"')[0]
    site.listens(owner)
    site.begins()

    async def looks(number: int) -> None:
        line = await site.line()
        await line.send(traffic.hello("lobby") + traffic.player_login(f"p{number}"))
        await line.receive("loginResponse")
        while True:
            for request in LOOKS:
                await line.send(traffic.asking(request, 1))
                _, answer = await line.receive_one_of(("x-players", "x-tables", "x-failed"))
                if table in answer:
                    site.dealt.harm.append(f"{request} reveals the id of a private table")
            await trio.sleep(LOOK_S)

    await site.crowd(STRANGERS, looks)
