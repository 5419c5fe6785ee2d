"""One peer: what it says is read, what it is sent waits, and it ends.

backlog.py             what the network has not taken
connection.py          one peer, from its first byte to its end
forwarded_document.py  the document that is being handled, for whoever it is handed on to
gateway_players.py     players for whom a gateway speaks
outbox.py              what waits to be sent to one peer
payload_log.py         documents in the log, without secrets
readers.py             peers from which something may come, and what of it was not heard
reading.py             one task that reads for all peers, a turn at a time
roster.py              all connections, and who is at the far end
standings_writer.py    standings to bytes, row by row
document_deadline.py   documents that do not end
"""
