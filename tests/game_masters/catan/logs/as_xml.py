"""Logs written as XML, as the commands ``ugs catan extract`` and ``replay`` read them."""

from game_masters.catan.logs.soclog import Log
from game_masters.catan.message.coding import to_xml
from game_masters.catan.message.element import quoted
from game_masters.catan.message.events import to_attribute


def write_xml(log: Log) -> str:
    """Return a log as XML."""
    header = log.header
    attributes = f' type="{header.type}" version="{header.version}"'
    attributes += f' createdAt="{header.created_at}"' if header.created_at is not None else ""
    attributes += f' now="{header.now}"' if header.now is not None else ""
    attributes += f" gameName={quoted(header.game)}"
    parts = []
    for entry in log.entries:
        at = f' at="{entry.at}"' if entry.at is not None else ""
        other = f" game={quoted(entry.game)}" if entry.game != header.game else ""
        parts.append(f"<event{at}{other}{to_attribute(entry.event.audience)}>{to_xml(entry.event.message)}</event>")
    return f"<soclog{attributes}>{''.join(parts)}</soclog>"
