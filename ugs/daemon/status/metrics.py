"""The server's figures for Prometheus, and whether it lives and is ready: what programs ask over HTTP.

Each name is ``ugs_`` and a name of :data:`ugs.daemon.status.figures.FIGURES`; limits end in ``_limit``. The text is
made at most once a second, however often it is asked for.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import trio
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from ugs import __version__
from ugs.daemon.status.figures import FIGURES, Figure, Parts

FRESH_S = 1.0
"""Seconds that a text is reused."""
PREFIX = "ugs_"
FAMILIES: dict[str, Callable[..., GaugeMetricFamily | CounterMetricFamily]] = {
    "gauge": GaugeMetricFamily,
    "counter": CounterMetricFamily,
}


class Metrics:
    """The text for Prometheus. ``parts`` are the server's."""

    CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

    def __init__(self, parts: Parts) -> None:
        # Else all figures would be read once when they are registered.
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(_Figures(parts))
        self._text = b""
        self._until = -math.inf

    def text(self) -> bytes:
        """All figures, at most FRESH_S old."""
        now = trio.current_time()
        if now >= self._until:
            self._text, self._until = generate_latest(self._registry), now + FRESH_S
        return self._text


class _Figures(Collector):
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def collect(self) -> Iterator[Metric]:
        """All of them, and the version."""
        yield InfoMetricFamily(PREFIX + "server", "this server", {"version": __version__})
        for figure in FIGURES:
            yield _family(figure, figure.read(self._parts))
            limit = figure.limit(self._parts)
            if limit is not None:
                yield GaugeMetricFamily(f"{PREFIX}{figure.name}_limit", f"the most: {figure.help}", limit)


def _family(figure: Figure, value: Any) -> Metric:
    name = PREFIX + figure.name
    if figure.kind == "histogram":
        assert isinstance(value, Mapping)
        buckets = [(bound, count) for bound, count in value.items() if bound != "sum"]
        return HistogramMetricFamily(name, figure.help, buckets, value["sum"])
    kind = FAMILIES[figure.kind]
    if not figure.label:
        return kind(name, figure.help, value)
    family = kind(name, figure.help, labels=[figure.label])
    for label, number in value.items():
        family.add_metric([str(label)], number)
    return family
