"""One peer: its bytes are read, what it is sent waits, and it ends.

backlog.py             what the network has not taken
connection.py          one peer, from its first byte to its end
forwarded_document.py  the document that is being handled, to be forwarded
gateway_players.py     players that a gateway speaks for
outbox.py              what waits to be sent to one peer
payload_log.py         documents in the log, without secrets
readers.py             peers that may send something, and their unhandled bytes
reading.py             one task that reads for all peers, a turn at a time
roster.py              all connections, and their peers
standings_writer.py    standings to bytes, row by row
document_deadline.py   documents that do not end
"""
