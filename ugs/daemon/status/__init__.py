"""What the server is doing, counted and shown: for people, for Prometheus, for load balancers.

cluster_status.py  what is known of other nodes
figures.py  what the server is doing, as data with names
health.py   whether the server is ready for peers
metrics.py  the same for Prometheus
tally.py    what has happened, counted
"""
