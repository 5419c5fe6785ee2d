"""Championships at the start of a server: the plans it was started with, and the hours at which they begin."""

from collections.abc import Sequence
from datetime import datetime

import structlog
import trio

from ugs.broker.championship import plan_of_ledger
from ugs.broker.events import Planned, Timer, TimerKind
from ugs.broker.past import Past
from ugs.championship.ledger import Ledger
from ugs.championship.plan import Plan
from ugs.config import Config, starts_at
from ugs.daemon.driver import Driver
from ugs.daemon.timers import Timers


def announce(config: Config, driver: Driver, timers: Timers, past: Past, plans: Sequence[Plan], now: datetime) -> None:
    """Announce the championships of this start, and let those that have an hour begin at it. ``now`` is local time."""
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    known = {one.name: Ledger(one.ledger) for one in past.championships}
    for name in config.game_types:
        settings = config.game_type(name)
        if settings.mode == "championship" and name in known:
            log.info("championship is known already", championship=name, state=known[name].state)
        elif settings.mode == "championship":
            log.info("championship awaited", game_type=name, players=settings.championship_players or None)
    for plan in plans:
        if plan.name in known:
            log.info("championship is known already", championship=plan.name, state=known[plan.name].state)
        else:
            driver.happens(Planned(plan))
    hours = {name: starts_at(config.game_type(name)) for name in config.game_types}
    hours |= {plan.name: plan.hour for plan in plans}
    hours |= {name: plan_of_ledger(ledger.plan).hour for name, ledger in known.items()}
    for name, hour in hours.items():
        begun = name in known and (known[name].begun or known[name].over)
        if hour is None or begun:
            continue
        seconds = hour.timestamp() - now.timestamp()
        if seconds < 0 and name in known:  # the server was away at that hour: its players may come back
            seconds = plan_of_ledger(known[name].plan).restart_return_s
        if seconds < 0:
            log.warning("the hour of this championship is over", championship=name, begins_at=hour.isoformat())
        else:
            timers.start(Timer(TimerKind.CHAMPIONSHIP, name), trio.current_time() + seconds)
