"""The page of a running server, put together: what it shows, who administers it, who plays on it, its probes."""

import trio

from ugs.daemon.http.admin_page import administration_of
from ugs.daemon.http.live import LiveServer
from ugs.daemon.http.mount_route import mount_route, mounted
from ugs.daemon.http.page_nursery import serve_page
from ugs.daemon.http.page_players import PagePlayers
from ugs.daemon.http.probes import probes
from ugs.daemon.network.ports import ports_with_tls
from ugs.daemon.shell import Shell
from ugs.page.server.admin import no_administration
from ugs.page.server.manual import manual_routes


async def start_page(shell: Shell, doors: trio.Nursery) -> tuple[str, str | None]:
    """Serve the page in this nursery. Returns its address, and the one without TLS beside it, if any. Raises OSError
    when it cannot listen."""
    config, parts = shell.config, shell.status.parts
    live = LiveServer(shell.broker, shell.questions, shell.proofs, shell.wall, shell.keeping.pasts, parts.cluster)
    administration = administration_of(config, shell, live)
    routes = administration.routes() if administration is not None else no_administration()
    knows = administration.knows if administration is not None else lambda request: False
    more = [*routes, *probes(parts, knows, open_metrics=config.open_metrics)]
    players = PagePlayers(config, shell.tasks, shell.peers, parts.tally.turned_away)
    more += manual_routes(config.site.docs)
    mounts = mounted(config.mounts, players.connect)
    more += [mount_route(mount) for mount in mounts]
    for mount in mounts:
        doors.start_soon(shell.supervisor.run, f"mount {mount.path}", mount.run)
    handshakes = shell.handshakes if "http" in ports_with_tls(config.tls) else None

    def are_playing() -> bool:
        return bool(shell.broker.server.games)

    addresses: tuple[str, str | None] = await doors.start(
        serve_page,
        config,
        live,
        are_playing,
        shell.fairness.watchdog,
        more,
        players.connect,
        handshakes,
        shell.supervisor,
        parts.health.find_code_replaced,
    )
    return addresses
