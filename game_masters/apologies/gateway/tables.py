"""Tables of the lobby as the clients know them: advertised games."""

from game_masters.apologies.gateway.events import AdvertisedGame
from game_masters.apologies.gateway.hall import mode_of
from ugs.wire.extensions import TableInfo


def advertised(table: TableInfo) -> AdvertisedGame:
    """A table, for clients."""
    return AdvertisedGame(
        table.id,
        table.name,
        mode_of(table),
        table.owner,
        table.seats,
        table.free,
        str(table.visibility),
        table.invited,
    )
