"""`ugs soak --cluster`: a server, its standby, their database and its replica, each killed while witnesses play.

database_process.py  PostgreSQL as a process
"""
