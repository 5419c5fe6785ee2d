"""A journal in PostgreSQL, which several machines reach; only this package and ugs.cluster know psycopg.

dialect.py   the journal's SQL in the words of PostgreSQL
postgresql_schema.py  the same tables, by the same steps
postgresql_connection.py  a connection, as the contract expects it
fencing.py   one writer: its lock, its number, its transactions
standby.py   takes over: waits for the lock, also when the server that has it hangs
postgresql_store.py   a journal held by one server
token_table.py  the list of tokens
"""
