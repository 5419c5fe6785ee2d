"""The page of a server: its worker, its open pages and its connections, in a nursery of their own.

A bug in any of them is logged and costs the page some answers; the games do not notice.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import trio
from starlette.routing import BaseRoute

from ugs.address import read_listening
from ugs.config import Config
from ugs.daemon.fairness.steps import watched_app, watched_task
from ugs.daemon.fairness.watchdog import Watchdog
from ugs.daemon.http.live import LiveServer
from ugs.daemon.http.request_turns import RequestTurns
from ugs.daemon.http.server import ConnectionLimits, Front, serve_http
from ugs.daemon.network.handshakes import Handshakes
from ugs.daemon.processes.supervision import Supervisor
from ugs.page.contract import SiteSettings
from ugs.page.server.app import Site
from ugs.page.server.manual import site_folder
from ugs.page.server.play.persons import Connect
from ugs.page.server.worker_client import WorkerClient


async def serve_page(
    config: Config,
    live: LiveServer,
    playing: Callable[[], bool],
    watchdog: Watchdog,
    more: Sequence[BaseRoute] = (),
    connect: Connect | None = None,
    handshakes: Handshakes | None = None,
    supervisor: Supervisor | None = None,
    code_replaced: Callable[[], None] = lambda: None,
    task_status: trio.TaskStatus[tuple[str, str | None]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve the page of a server, with ``more`` routes, until cancelled; people can play if there is a way to
    ``connect`` them. Steps that take long are reported to the watchdog. With ``handshakes`` it speaks TLS.
    ``code_replaced`` is called when workers fail since the code on disk is another one. ``task_status`` gets the
    address, and the address without TLS beside it, if there is one. Raises OSError when it cannot listen."""
    settings = replace(SiteSettings.of(config), manual=site_folder(config.site.docs) is not None)
    workers = WorkerClient(settings, config.max_page_worker_bytes, replaced=code_replaced)
    site = Site(live, workers, more, connect, settings.masthead)
    supervisor = supervisor or Supervisor()
    limits = ConnectionLimits(config.max_http_connections, config.max_http_connections_per_ip)
    async with trio.open_nursery() as nursery:
        for what, run in (("worker", workers.run), ("open pages", site.run)):
            nursery.start_soon(supervisor.run, what, watched_task(run, watchdog, what))
        front = Front(watched_app(site.app, watchdog), limits, RequestTurns(playing))
        nursery.start_soon(front.run)
        address: str = await nursery.start(serve_http, front, config.host, config.http_port, handshakes, supervisor)
        plain: str | None = None
        if config.tls.plain_http:
            # The same front: both ports together have one limit of connections.
            plain = await nursery.start(serve_http, front, *read_listening(config.tls.plain_http), None, supervisor)
        task_status.started((address, plain))
