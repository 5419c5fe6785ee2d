"""The gateway through which the original clients of Apologies play: JSON over WebSockets, ``ugs serve --gateway
apologies=HOST:PORT``.

For the broker its players are players of the game type ``apologies`` with a lobby, like any other; they see the same
tables and sit at them with players of UGS. What the broker knows is asked of it, and its refusals are passed on;
what only this protocol has is kept here: player ids, who is silent for too long, clients that speak for many players.

    settings.py   what may stand under ``[gateways.apologies]``
    gateway.py    clients come and go, requests wait for their turn, and the timers
    service.py    what each request does
    news.py       what each message of the broker means for a player
    hall.py       who is here: clients, players, and the games in which they sit
    requests.py   JSON -> requests
    events.py     events -> JSON
    boards.py     states of UGS, which tell of several plays at once -> one board for each play
"""

from game_masters.apologies.gateway.gateway import ApologiesGateway

__all__ = ["ApologiesGateway"]
