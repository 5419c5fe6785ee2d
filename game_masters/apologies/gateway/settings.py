"""The settings of this gateway: what may stand under ``[gateways.apologies]``."""

from ugs.declared import declared
from ugs.gateway import GatewaySettings
from ugs.setting_types import Seconds


class ApologiesSettings(GatewaySettings):
    """Limits that only this protocol has. Those of players, tables and games are settings of the server."""

    max_connections: int = declared(1000, ge=1, description="connections of clients at a time")
    max_players: int = declared(100, ge=1, description="players registered at a time")
    connection_idle_s: Seconds = declared(
        120, description="seconds of silence before a connection without players is warned"
    )
    connection_inactive_s: Seconds = declared(
        300, description="seconds of silence before such a connection, which has been warned, is closed"
    )
    finished_keep_s: Seconds = declared(172_800, description="seconds that games are shown after their end")
    obsolete_check_s: Seconds = declared(
        300, gt=0, description="seconds between two looks for games that were over long ago"
    )
