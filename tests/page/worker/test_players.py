"""The page of a player."""

from pathlib import Path

from tests.journal.servers import TYPE, JournalServer
from ugs.broker.effects import RecordLogin
from ugs.page.contract import SiteSettings
from ugs.page.worker.players import player
from ugs.page.worker.public_journal import PublicJournal


def test_each_game_counts_for_the_program_that_had_logged_in_last(tmp_path: Path) -> None:
    """The page had only from when to when each was here; back at the first one, these times overlapped."""
    logins = ("bot 1", ("ann", "ben")), ("bot 2", ("ben", "ann")), ("bot 1", ("ann", "ben")), ("", ("ben", "ann"))
    with JournalServer(tmp_path) as server:
        for number, (version, nicks) in enumerate(logins):
            server.now_us += 1000
            login = RecordLogin(number, "player", "ann", TYPE, "192.0.2.1:4711", "", version)
            server.journal.record(login, server.now_us, server.now_us)
            server.plays(f"g{number}", *nicks)
    found = player(PublicJournal(SiteSettings(str(tmp_path))), {"nick": "ann"}, {})
    assert [(one.program, one.logins, one.won, one.lost, one.drawn) for one in found.versions] == [
        ("", 1, 0, 1, 0),
        ("bot 1", 2, 2, 0, 0),
        ("bot 2", 1, 0, 1, 0),
    ]
