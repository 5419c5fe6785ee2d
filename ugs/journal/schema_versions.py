"""The SQL tables of a journal, version by version."""

from collections.abc import Mapping, Sequence
from typing import Final

VERSION_1 = (
    # One life of the server. ended_us is NULL while it runs; in_order is 1 when it ended in order.
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        version TEXT NOT NULL,
        pid INTEGER NOT NULL,
        began_us INTEGER NOT NULL,
        ended_us INTEGER,
        in_order INTEGER NOT NULL DEFAULT 0,
        losses INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE TABLE game_type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    "CREATE TABLE master (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    """
    CREATE TABLE login (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run,
        role TEXT NOT NULL,
        who TEXT NOT NULL,
        game_type INTEGER NOT NULL REFERENCES game_type,
        address TEXT NOT NULL,
        version TEXT NOT NULL,
        players TEXT NOT NULL,
        began_us INTEGER NOT NULL,
        ended_us INTEGER,
        reason TEXT
    ) STRICT
    """,
    "CREATE INDEX login_who ON login (who)",
    "CREATE INDEX login_ended ON login (ended_us)",
    # Written when a game begins and never changed. run is NULL for a game that was imported.
    """
    CREATE TABLE game (
        id INTEGER PRIMARY KEY,
        game_id TEXT NOT NULL UNIQUE,
        game_type INTEGER NOT NULL REFERENCES game_type,
        master INTEGER NOT NULL REFERENCES master,
        run INTEGER REFERENCES run,
        server TEXT NOT NULL,
        began_us INTEGER NOT NULL,
        began_mono_us INTEGER NOT NULL,
        options TEXT NOT NULL,
        championship TEXT NOT NULL,
        fixture INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX game_championship ON game (championship) WHERE championship <> ''",
    # In the order of recording; a game without a result is running. began_s and ended_s are on the server's monotonic
    # clock, as text because a full-length decimal is exact and a number in JSON need not be.
    """
    CREATE TABLE result (
        id INTEGER PRIMARY KEY,
        game INTEGER NOT NULL UNIQUE REFERENCES game,
        cause TEXT NOT NULL,
        culprit TEXT,
        by_server INTEGER NOT NULL,
        void INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        began_s TEXT NOT NULL,
        ended_s TEXT NOT NULL,
        ended_us INTEGER NOT NULL,
        round_trips_us TEXT NOT NULL,
        entries INTEGER NOT NULL DEFAULT 1
    ) STRICT
    """,
    "CREATE INDEX result_with_entries ON result (ended_us) WHERE entries",
    # outcome is NULL while the game runs.
    """
    CREATE TABLE seat (
        game INTEGER NOT NULL REFERENCES game,
        seat INTEGER NOT NULL,
        player INTEGER NOT NULL REFERENCES player,
        outcome TEXT,
        departure TEXT,
        PRIMARY KEY (game, seat)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX seat_player ON seat (player, game)",
    # The entries of a game: one part for each transaction that wrote some; the body is a sequence of framed entries
    # (ugs.journal.entries). Parts are stored in the order of writing: if the parts of each game were stored side by
    # side, every transaction would write a page for each running game.
    "CREATE TABLE part (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game, body BLOB NOT NULL) STRICT",
    "CREATE INDEX part_game ON part (game)",
    """
    CREATE TABLE championship (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        game_type INTEGER NOT NULL REFERENCES game_type
    ) STRICT
    """,
    """
    CREATE TABLE championship_log (
        id INTEGER PRIMARY KEY,
        championship INTEGER NOT NULL REFERENCES championship,
        wall_us INTEGER NOT NULL,
        what TEXT NOT NULL,
        who TEXT NOT NULL,
        why TEXT NOT NULL,
        data TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX championship_log_of ON championship_log (championship)",
)

VERSION_2 = (
    # For games at tables and games that another master can take over. seed is empty when none can; counts is 0 for a
    # game that does not count for standings; table_facts is a JSON object, empty in open play.
    "ALTER TABLE game ADD COLUMN counts INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE game ADD COLUMN seats_total INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE game ADD COLUMN seed TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE game ADD COLUMN table_facts TEXT NOT NULL DEFAULT '{}'",
    # Players who may come back, in the order of their logins. session is the public part of their token, digest a hash
    # of the whole token: reading this table does not allow anyone to resume a session. families is a JSON list.
    """
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        session TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL,
        nick TEXT NOT NULL,
        game_type INTEGER NOT NULL REFERENCES game_type,
        families TEXT NOT NULL,
        pooled INTEGER NOT NULL,
        began_us INTEGER NOT NULL
    ) STRICT
    """,
)

VERSION_3 = (
    # What organisers did to the server itself (ugs.broker.values.questions.Act), in order. results_before is the
    # highest id in result when the act was written: all results that the server had counted for its subject have at
    # most this id, and all later ones a higher one.
    """
    CREATE TABLE act (
        id INTEGER PRIMARY KEY,
        wall_us INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        game_type INTEGER NOT NULL REFERENCES game_type,
        who TEXT NOT NULL,
        why TEXT NOT NULL,
        results_before INTEGER NOT NULL
    ) STRICT
    """,
)

SEALED_IN_4 = (
    "run",
    "game_type",
    "player",
    "master",
    "login",
    "game",
    "result",
    "seat",
    "part",
    "championship",
    "championship_log",
    "session",
    "act",
)
VERSION_4 = (
    # A checksum in each row (ugs.journal.checksums). seat_count: the number of seats, to notice a missing one.
    "ALTER TABLE game ADD COLUMN seat_count INTEGER NOT NULL DEFAULT 0",
    "UPDATE game SET seat_count = (SELECT count(*) FROM seat WHERE seat.game = game.id)",
    *(f"ALTER TABLE {table} ADD COLUMN crc INTEGER NOT NULL DEFAULT 0" for table in SEALED_IN_4),
    # One row: the transactions so far (ugs.journal.committed).
    """
    CREATE TABLE committed (
        id INTEGER PRIMARY KEY,
        transactions INTEGER NOT NULL,
        crc INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "INSERT INTO committed (id, transactions) VALUES (1, 0)",
)

VERSION_5 = (
    # Entries of finished games, packed (ugs.journal.packing); remaining ones in part follow them. result.entries: 0
    # none is left, 1 to be packed, 2 packed. Old journals are packed bit by bit while a server runs.
    """
    CREATE TABLE packed (
        id INTEGER PRIMARY KEY,
        game INTEGER NOT NULL REFERENCES game,
        body BLOB NOT NULL,
        crc INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    "CREATE INDEX packed_game ON packed (game)",
    "CREATE INDEX result_to_pack ON result (id) WHERE entries = 1",
)

# Entries, also packed ones, may hold changes instead of a whole payload (ugs.journal.entries). Programs that know only
# version 5 would report damage.
VERSION_6 = ()

# Changes may be those of a seat. Programs that know only version 6 would report damage.
VERSION_7 = ()

VERSION_8 = (
    # How many moves of a seat the game master has refused; no row where none was.
    """
    CREATE TABLE refused (
        game INTEGER NOT NULL REFERENCES game,
        seat INTEGER NOT NULL,
        times INTEGER NOT NULL,
        crc INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (game, seat)
    ) STRICT, WITHOUT ROWID
    """,
)

MIGRATIONS: Mapping[int, Sequence[str]] = {
    1: VERSION_1,
    2: VERSION_2,
    3: VERSION_3,
    4: VERSION_4,
    5: VERSION_5,
    6: VERSION_6,
    7: VERSION_7,
    8: VERSION_8,
}
"""By version: the statements that update the previous version to it; 0 is an empty database."""
SEALED: Final = 4
"""From this version on, rows have checksums. A later step that changes covered columns has to renew them."""
ADDED: Final = {"packed": 5, "refused": 8}
"""SQL tables that were added after checksums, with their versions."""
ADDITIVE: Final = frozenset({8})
"""Steps that only add a table. Who reads a journal of the version before makes it for itself, empty."""
