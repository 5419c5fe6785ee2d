"""Where a node's journal is: a schema of its own in the database that all nodes share.

So a node has the whole mechanism of a single server for itself: its advisory lock, its fence, its transactions, its
standby. What all nodes share is in the schema that the database's URL names: the list of tokens, and the table of homes
(:mod:`ugs.cluster.homes_table`). Views over all journals make one of them, which every reader gets: row ids are unique,
since each node's begin at a number of its own.
"""

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

import psycopg
from psycopg import sql

from ugs.journal.checksums import CHECKED
from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql.postgresql_connection import LOCK_CLASS, connected
from ugs.journal.postgresql.postgresql_store import create
from ugs.journal.schema_versions import MIGRATIONS
from ugs.places import DatabaseUrl
from ugs.value import value

NODE_NAME: Final = re.compile(r"[a-z][a-z0-9]{0,15}")
WHOLE: Final = "whole"
"""The part of a schema's name that no node may have."""
MAX_NODES: Final = 64
ONE_AT_A_TIME: Final = "SELECT pg_advisory_xact_lock(%s, 1)"
"""Nodes that come at the same moment wait for each other."""
IDS_PER_NODE: Final = 2**46
"""Row ids of one journal. Those of the shared schema, where a single server was before, come first."""
SHARED: Final = (
    # number: of the node, from 1. address: where other nodes connect. fence: that of its journal when it came; an
    # earlier server of this name cannot write its row any more.
    """
    CREATE TABLE cluster_node (
        name TEXT COLLATE "C" PRIMARY KEY,
        number INTEGER NOT NULL UNIQUE,
        address TEXT NOT NULL DEFAULT '',
        fence BIGINT NOT NULL DEFAULT 0,
        seen_at TIMESTAMPTZ
    )
    """,
    # number counts the moves of this home: a node that knows a lower one knows an old home.
    """
    CREATE TABLE cluster_home (
        game_type TEXT COLLATE "C" PRIMARY KEY,
        node TEXT COLLATE "C" NOT NULL REFERENCES cluster_node,
        number BIGINT NOT NULL
    )
    """,
    # Nodes prove to each other that they know this secret. A reader of this database could play any part in it anyway.
    "CREATE TABLE cluster_secret (id INTEGER PRIMARY KEY CHECK (id = 1), secret TEXT NOT NULL)",
    "CREATE TABLE read_in (schema_name TEXT NOT NULL)",
)
# socket: where nodes on the same machine hand peers over to this one.
SOCKETS: Final = "ALTER TABLE cluster_node ADD COLUMN socket TEXT NOT NULL DEFAULT ''"
"""Made apart: there are databases with nodes of before, which leave it as it is."""
HAS_SOCKETS: Final = "SELECT 1 FROM pg_attribute WHERE attrelid = 'cluster_node'::regclass AND attname = 'socket'"
# Nicks in use, in their unique form. fence: that of the node's journal; a later server of its name has other nicks.
NICKS: Final = """
    CREATE TABLE IF NOT EXISTS cluster_nick (
        watches BOOLEAN NOT NULL,
        form TEXT COLLATE "C" NOT NULL,
        node TEXT COLLATE "C" NOT NULL REFERENCES cluster_node,
        fence BIGINT NOT NULL,
        PRIMARY KEY (watches, form)
    )
"""
"""Made apart from the others: there are databases with nodes of before."""
# What a node shows of itself. fence: that of its journal, since what an earlier server of its name has shown is over.
# Without HOT updates each write would leave a dead row to be vacuumed: body is out of line, and no column is indexed
# but node, which never changes.
OVERVIEWS: Final = """
    CREATE TABLE IF NOT EXISTS cluster_overview (
        node TEXT COLLATE "C" PRIMARY KEY REFERENCES cluster_node,
        fence BIGINT NOT NULL,
        number BIGINT NOT NULL,
        written_at TIMESTAMPTZ NOT NULL,
        body BYTEA NOT NULL
    )
"""


@value
class NodePlace:
    """The place of one node."""

    name: str
    number: int
    shared: DatabaseUrl
    """Where the table of homes is."""
    journal: DatabaseUrl
    """Where this node's journal is."""


def wrong_node_name(name: str) -> str:
    """Return what is wrong with the name of a node; empty if nothing is."""
    if NODE_NAME.fullmatch(name) and name != WHOLE:
        return ""
    return f"node = {name!r}: a small letter, then at most 15 small letters and digits, and not {WHOLE!r}"


def prepare(url: DatabaseUrl, name: str, secret: str) -> NodePlace:
    """Make everything in the database that a node of this name needs, if it is not there. ``secret`` becomes that of
    the cluster, if it has none. Raises :class:`JournalError`."""
    wrong = wrong_node_name(name)
    if wrong:
        raise JournalError(wrong)
    try:
        create(url)
        with connected(url) as db:
            shared = _schema_of(db)
            with db.transaction():
                db.execute(ONE_AT_A_TIME, (LOCK_CLASS,))
                number = _register(db, name, secret)
                own = f"{shared}_{name}"
                db.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(own)))
            journal = in_schema(url, own)
            create(journal)
            with db.transaction():
                db.execute(ONE_AT_A_TIME, (LOCK_CLASS,))
                _share(db, shared, own, number)
                nodes = [row[0] for row in db.execute("SELECT name FROM cluster_node ORDER BY number").fetchall()]
                _join(db, shared, nodes)
    except psycopg.Error as error:
        raise JournalError(f"{url}: cannot be used: {' '.join(str(error).split())}") from error
    return NodePlace(name, number, url, journal)


def in_schema(url: DatabaseUrl, schema: str) -> DatabaseUrl:
    """Return the same database with another schema."""
    before = psycopg.conninfo.conninfo_to_dict(url.text).get("options") or ""
    # As an option of the connection, since the statements of a journal name no schema.
    options = quote(f"{before} -csearch_path={schema}".strip(), safe="")
    return DatabaseUrl(f"{url.text}{'&' if '?' in url.text else '?'}options={options}")


def _schema_of(db: "psycopg.Connection[Any]") -> str:
    found = db.execute("SELECT current_schema()").fetchone()
    if found is None or found[0] is None:
        raise JournalError("the database has no schema in search_path")
    return str(found[0])


def _register(db: "psycopg.Connection[Any]", name: str, secret: str) -> int:
    """Return the number of a node, a new one if it was never here."""
    there = db.execute("SELECT to_regclass('cluster_node')").fetchone()
    if there is None or there[0] is None:
        for statement in SHARED:
            db.execute(statement)
        db.execute("INSERT INTO cluster_secret VALUES (1, %s)", (secret,))
    if db.execute(HAS_SOCKETS).fetchone() is None:  # altering it waits for all who read it
        db.execute(SOCKETS)
    db.execute(NICKS)
    db.execute(OVERVIEWS)
    row = db.execute("SELECT number FROM cluster_node WHERE name = %s", (name,)).fetchone()
    if row is None:
        last = db.execute("SELECT coalesce(max(number), 0) FROM cluster_node").fetchone()
        number = int(last[0]) + 1 if last is not None else 1
        if number > MAX_NODES:
            raise JournalError(f"node = {name!r}: {MAX_NODES} nodes have been here, which is the most")
        db.execute("INSERT INTO cluster_node (name, number) VALUES (%s, %s)", (name, number))
        return number
    return int(row[0])


def _share(db: "psycopg.Connection[Any]", shared: str, own: str, number: int) -> None:
    """Give a node's journal its row ids, and the shared list of tokens in place of its own."""
    db.execute(_named("CREATE TABLE IF NOT EXISTS {own}.first_id (id BIGINT NOT NULL)", own=own))
    count = db.execute(_named("SELECT count(*) FROM {own}.first_id", own=own)).fetchone()
    # The first time only: a node that starts again keeps its ids.
    if count is not None and not count[0]:
        db.execute(_named("INSERT INTO {own}.first_id VALUES (%s)", own=own), (number * IDS_PER_NODE,))
        db.execute(_named("DROP TABLE {own}.token", own=own))
        db.execute(_named("CREATE VIEW {own}.token AS SELECT * FROM {shared}.token", own=own, shared=shared))
        db.execute(_named("CREATE TABLE {own}.read_in (schema_name TEXT NOT NULL)", own=own))


def _join(db: "psycopg.Connection[Any]", shared: str, nodes: Sequence[str]) -> None:
    """Make the views over all journals, unless they are there; those of nodes that are still to be made left out."""
    whole = f"{shared}_{WHOLE}"
    schemas = [shared]
    for node in nodes:
        found = db.execute("SELECT to_regclass(%s)", (f'"{shared}_{node}".first_id',)).fetchone()
        if found is not None and found[0] is not None:
            schemas.append(f"{shared}_{node}")
    about = f"version {max(MIGRATIONS)} of {', '.join(schemas)}"
    query = "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s"
    if db.execute(query, (whole,)).fetchone() == (about,):  # others read them, and need not wait
        return
    # All views are made again: none can be given one more table.
    db.execute(_named("DROP SCHEMA IF EXISTS {whole} CASCADE", whole=whole))
    db.execute(_named("CREATE SCHEMA {whole}", whole=whole))
    db.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(sql.Identifier(whole), sql.Literal(about)))
    for table in CHECKED:
        columns = _columns(db, shared, table)
        each = [
            sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(columns), sql.Identifier(schema, table))
            for schema in schemas
        ]
        view = sql.SQL("CREATE VIEW {} AS ").format(sql.Identifier(whole, table))
        db.execute(view + sql.SQL(" UNION ALL ").join(each))
        if table in ("result", "championship_log", "act"):
            last = [sql.SQL("SELECT max(id) AS id FROM {}").format(sql.Identifier(schema, table)) for schema in schemas]
            view = sql.SQL("CREATE VIEW {} AS ").format(sql.Identifier(whole, f"last_{table}"))
            db.execute(view + sql.SQL(" UNION ALL ").join(last))
    for table in ("journal_version", "token"):
        same = sql.SQL("CREATE VIEW {} AS SELECT * FROM {}")
        db.execute(same.format(sql.Identifier(whole, table), sql.Identifier(shared, table)))
    for schema in schemas:
        db.execute(_named("DELETE FROM {schema}.read_in", schema=schema))
        db.execute(_named("INSERT INTO {schema}.read_in VALUES (%s)", schema=schema), (whole,))


def _columns(db: "psycopg.Connection[Any]", schema: str, table: str) -> list[sql.Identifier]:
    query = """
        SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s
        ORDER BY ordinal_position
    """
    return [sql.Identifier(name) for (name,) in db.execute(query, (schema, table)).fetchall()]


def _named(statement: str, **names: str) -> sql.Composed:
    """Return a statement of this module with the names of schemas in it."""
    return sql.SQL(statement).format(**{key: sql.Identifier(name) for key, name in names.items()})
