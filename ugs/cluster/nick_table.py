"""The nicks of all nodes, in a table of the database. Everything here waits for the database: call it in a thread."""

from collections.abc import Iterable, Mapping
from typing import Final

from ugs.cluster.known_homes import FRESH_S
from ugs.cluster.shared_database import SharedDatabase
from ugs.journal.postgresql.fencing import PATIENCE_S
from ugs.places import DatabaseUrl
from ugs.value import value

# A node has gone when a later server has come under its name, when it has left in order, when it is silent for so long
# that its journal is lost, or when it is silent and its game types are at home elsewhere.
_HELD: Final = """
    EXISTS (
        SELECT 1 FROM cluster_node AS holder WHERE holder.name = {nick}.node AND holder.fence = {nick}.fence
        AND holder.seen_at > now() - make_interval(secs => %(patience)s)
        AND (
            holder.seen_at > now() - make_interval(secs => %(fresh)s)
            OR EXISTS (SELECT 1 FROM cluster_home WHERE cluster_home.node = holder.name)
        )
    )
"""
# Rows in one order at all nodes: each waits for the other at most once.
_CLAIM: Final = f"""
    INSERT INTO cluster_nick AS kept (watches, form, node, fence)
    SELECT wanted.watches, wanted.form, me.name, me.fence
    FROM unnest(%(watches)s::boolean[], %(forms)s::text[]) AS wanted (watches, form), cluster_node AS me
    WHERE me.name = %(node)s AND me.fence = %(fence)s AND NOT (
        wanted.watches AND EXISTS (
            SELECT 1 FROM cluster_nick AS player WHERE NOT player.watches AND player.form = wanted.form
            AND player.node <> me.name AND {_HELD.format(nick="player")}
        )
    )
    ORDER BY wanted.watches, wanted.form
    ON CONFLICT (watches, form) DO UPDATE SET node = excluded.node, fence = excluded.fence
    WHERE kept.node = excluded.node OR NOT {_HELD.format(nick="kept")}
    RETURNING watches, form
"""
_HOLDERS: Final = """
    SELECT wanted.watches, wanted.form, max(found.node)
    FROM unnest(%(watches)s::boolean[], %(forms)s::text[]) AS wanted (watches, form)
    JOIN cluster_nick AS found ON found.form = wanted.form AND (found.watches = wanted.watches OR wanted.watches)
    WHERE found.node <> %(node)s
    GROUP BY 1, 2
"""
_RELEASE: Final = """
    DELETE FROM cluster_nick WHERE (watches, form) IN (
        SELECT kept.watches, kept.form FROM cluster_nick AS kept
        JOIN unnest(%(watches)s::boolean[], %(forms)s::text[]) AS free (watches, form) USING (watches, form)
        WHERE kept.node = %(node)s AND kept.fence <= %(fence)s
        ORDER BY kept.watches, kept.form FOR UPDATE OF kept
    )
"""
_RELEASE_ALL: Final = "DELETE FROM cluster_nick WHERE node = %(node)s AND fence <= %(fence)s"


@value
class SharedNick:
    """A nick as all nodes know it: its unique form, and whether a spectator has it."""

    form: str
    watches: bool = False


class NickTable:
    """The table at ``url``, for one thread at a time. Every method raises
    :class:`ugs.journal.journal_error.JournalError` when the database cannot be asked; then all of it may be called
    again."""

    def __init__(self, url: DatabaseUrl) -> None:
        self._database = SharedDatabase(url)

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    def exchange(
        self, node: str, fence: int, free: Iterable[SharedNick], wanted: Iterable[SharedNick]
    ) -> Mapping[SharedNick, str]:
        """Release nicks, and claim others, for a node whose journal has this ``fence``. Returns for each that was
        ``wanted`` the name of the node that has it, which is ``node`` if the claim was good; the empty text where a
        claim was not good and the nick is free by now, or ``node`` is a later server's."""
        return self._asked(_RELEASE, node, fence, list(free), list(wanted))

    def begin(self, node: str, fence: int, kept: Iterable[SharedNick]) -> Mapping[SharedNick, str]:
        """Release all nicks of a node, and those of earlier servers of its name, but for these, which are claimed.
        Returns what :meth:`exchange` does."""
        return self._asked(_RELEASE_ALL, node, fence, [], list(kept))

    def _asked(
        self, release: str, node: str, fence: int, free: list[SharedNick], wanted: list[SharedNick]
    ) -> Mapping[SharedNick, str]:
        common = {"node": node, "fence": fence, "fresh": FRESH_S, "patience": PATIENCE_S}
        found = dict.fromkeys(wanted, "")
        with self._database.asked() as db, db.transaction():
            if free or release is _RELEASE_ALL:
                db.execute(release.encode(), common | _arrays(free))
            if wanted:
                given = common | _arrays(wanted)
                ours = db.execute(_CLAIM.encode(), given).fetchall()
                for watches, form in ours:
                    found[SharedNick(form, watches)] = node
                if len(ours) < len(wanted):
                    for watches, form, holder in db.execute(_HOLDERS.encode(), given).fetchall():
                        nick = SharedNick(form, watches)
                        found[nick] = found[nick] or holder
        return found


def _arrays(nicks: list[SharedNick]) -> dict[str, object]:
    return {"watches": [nick.watches for nick in nicks], "forms": [nick.form for nick in nicks]}
