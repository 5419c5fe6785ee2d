"""Sockets: from a port that listens to a transport that carries the bytes of one peer.

certificates.py  the server's certificate, read at the start and when it has changed
handshakes.py    TLS handshakes, before the broker knows of the peer
listening.py     accepting connections, within limits
ports.py         what a server listens on
tls.py           the same, encrypted
transport.py     bytes in and out: a raw socket
unix_sockets.py  sockets for other processes of this user
"""
