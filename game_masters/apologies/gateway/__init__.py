"""The gateway for the original clients of Apologies: JSON over WebSockets, ``ugs serve --gateway
apologies=HOST:PORT``.

For the broker the gateway's players are players of the game type ``apologies`` with a lobby, like any other: they see
the same tables and sit at them with players of UGS. The gateway asks the broker for what the broker knows, and passes
its refusals on. It keeps only what this protocol alone has: player ids, silence, clients that speak for many players.

settings.py    what may stand under ``[gateways.apologies]``
gateway.py     clients come and go, requests wait for their turn, and the timers
service.py     what each request does
deliveries.py  what each message of the broker means for a player
registry.py    who is here: clients, players, and their games
requests.py    JSON -> requests
events.py      events -> JSON
boards.py      states of UGS, which cover several plays at once -> one board for each play
"""

from game_masters.apologies.gateway.gateway import ApologiesGateway

__all__ = ["ApologiesGateway"]
