"""An attack on the field of a championship: all its places for the nicks of one address."""

import re
import socket
from typing import Final

import trio

from ugs.soak import traffic
from ugs.soak.target import SOURCE, AttackLine, AttackSite, game_id

FIELD: Final = 4
"""Players with whom the championship begins."""
CROWD: Final = 20
"""Nicks of the attacker."""
OTHERS: Final = FIELD // 2
PLAN: Final = (
    f'name = "few"\ngame_type = "{traffic.GAME_TYPE}"\nformat = "round-robin"\nfirst = {FIELD}\nopen_play = false\n'
)
"""The championship, as TOML."""
SETTINGS: Final = 'host = "0.0.0.0"\n'
"""Clients on the loopback are programs of this machine; they may open as many connections as they like."""
QUIET_S: Final = 2.0
"""Seconds that would be enough to begin the championship with the attacker's nicks alone."""
_NOWHERE: Final = ("198.51.100.1", 9)
"""An address of documentation. Nothing is sent there; the system only names the local address it would use."""
_NICKS: Final = re.compile('<player nick="([^"]*)"')


async def entrants(site: AttackSite) -> None:
    """20 nicks of one address log in for a championship of the first four; then two come from elsewhere, who play."""
    own = address_of_this_machine()
    if own is None:
        site.begins()
        site.dealt.harm.append("not tried: this machine has no address besides the loopback")
        return
    master = await site.line()
    await master.send(traffic.master_login("m"))
    await master.receive("loginResponse")
    for number in range(CROWD):
        line = await site.line((own, site.place.game[1]), source=own)
        await line.send(traffic.player_login(f"crowd{number}"))
        await line.receive("loginResponse")
        site.listens(line)
    site.begins()
    with trio.move_on_after(QUIET_S):
        begun = await master.receive("beginGame", within_s=float("inf"))
        site.dealt.harm.append(f"the championship begins with nicks of one address: {_NICKS.findall(begun)}")
        return
    for number in range(OTHERS):
        line = await site.line(source=SOURCE)
        await line.send(traffic.player_login(f"other{number}"))
        site.listens(line)
    await _all_play(site, master)


async def _all_play(site: AttackSite, master: AttackLine) -> None:
    """The games of the round robin begin, and the others are in them."""
    played: set[str] = set()
    while len(played) < FIELD:
        begun = await master.receive("beginGame")
        first, *losers = nicks = _NICKS.findall(begun)
        played.update(nicks)
        await master.send(traffic.over(game_id(begun), first, losers))
    others = {f"other{number}" for number in range(OTHERS)}
    if not others <= played:
        site.dealt.harm.append(f"the field has no place for who comes from elsewhere: {sorted(played)}")


def address_of_this_machine() -> str | None:
    """An IPv4 address where others reach this machine; None if it only has the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])
