"""The package ``apologiesserver`` from PyPI, for whose clients the gateway is made: it writes requests and reads
events."""

import importlib
import json
from typing import Any


class UpstreamClient:
    """Raises ImportError where the package is not installed."""

    def __init__(self) -> None:
        self.interface = importlib.import_module("apologiesserver.interface")
        self.mode = importlib.import_module("apologies").GameMode

    def written(self, name: str, player_id: str | None = None, context: object = None) -> str:
        """A request with one of the contexts of ``interface``."""
        message = self.interface.Message(self.interface.MessageType[name], player_id, context)
        text: str = message.to_json()
        return text

    def understood(self, event: str) -> dict[str, Any]:
        """Return an event as the package writes it after reading it."""
        fields: dict[str, Any] = json.loads(self.interface.Message.for_json(event).to_json())
        return fields
