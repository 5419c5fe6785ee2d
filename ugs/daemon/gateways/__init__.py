"""Servers of other protocols, each with clients over WebSockets.

gateway.py         the server of one gateway: its clients, its timers, what it asks
text_outbox.py     the texts that wait to be sent to it
websocket.py       one client of a gateway
websocket_line.py  the WebSocket library on a transport
"""
