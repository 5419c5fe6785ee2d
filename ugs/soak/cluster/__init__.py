"""`ugs soak --cluster`: two servers, their database and its replica, each killed in turn while lasting players play.

database_process.py  PostgreSQL as a process
cluster_parts.py     all processes of a cluster, and how each is killed and brought back
lasting_player.py    a calm player that comes back to the server that answers
kill_table.py        what came of the kills, held against the journal       (no I/O)
cluster_trial.py     one kill after another
"""
