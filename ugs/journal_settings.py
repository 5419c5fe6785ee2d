"""The settings of what is kept, and where: in a directory, in a database, by one server or by several."""

from typing import Literal

from ugs.declared import Declared, declared
from ugs.places import foreign_address
from ugs.setting_types import Name


def _is_a_directory(text: str) -> str:
    # A path joins the slashes of an address: it would be made, as a directory, with the password in its name.
    if text.startswith(("postgresql:/", "postgres:/")):
        raise ValueError("the address of a database is journal_url (--journal); allowed: a directory, or empty")
    if foreign_address(text):
        raise ValueError("looks like an address; allowed: a directory, or empty")
    return text


class JournalSettings(Declared):
    """Where everything is kept, how long, and what is safe when. :class:`ugs.config.Config` holds them."""

    data_dir: str = declared(
        "", check=_is_a_directory, description="directory of everything that is kept; empty keeps nothing"
    )
    admin_dir: str = declared(
        "",
        check=_is_a_directory,
        description="directory of the socket for organisers at this machine, which `ugs admin` is given as --data-dir; "
        "empty: data_dir, and without that there is none",
    )
    journal_url: str = declared(
        "",
        pattern=r"^(|postgres(ql)?://.*)$",
        allowed="postgresql://USER@HOST/DATABASE, or empty; a directory is data_dir (--data-dir)",
        description="address of a PostgreSQL database that keeps results, games and tokens instead of data_dir, "
        "postgresql://USER@HOST/DATABASE; empty: data_dir does",
    )
    standby: bool = declared(
        False,
        description="true: while another server has the database of journal_url, wait for it, and take over when it "
        "ends; false: do not start then",
    )
    node: str = declared(
        "",
        pattern=r"^(|[a-z][a-z0-9]{0,15})$",
        allowed="a small letter, then at most 15 small letters and digits; or empty",
        description="name of this server among several on the database of journal_url; empty: it is the only one",
    )
    node_address: str = declared(
        "127.0.0.1:0", description="HOST:PORT where other nodes, and only they, reach this one"
    )
    hand_over: bool = declared(
        True,
        description="true: nodes on one machine hand their peers over to each other, but for those with TLS; "
        "false: this one relays them, as to another machine",
    )
    homes: tuple[Name, ...] = declared(
        (), description="game types that are at home at this node, unless they have a home already"
    )
    keep: Literal["results", "moves"] = declared(
        "results",
        description="what is safe in the database of journal_url before peers learn of it; moves: also the moves of "
        "games that can go on, on another machine too; results: those games are void when the server is lost",
    )
    journal_keep_days: float = declared(
        0, ge=0, le=36_500, description="days to keep the moves of a game; results are always kept; 0: for ever"
    )
    journal_max_bytes: int = declared(
        10_737_418_240,
        ge=0,
        description="bytes of the journal; above that the moves of the oldest games are dropped; 0: no limit",
    )
