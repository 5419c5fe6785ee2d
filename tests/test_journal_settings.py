import pytest

from ugs.config import Config
from ugs.declared import WrongValues
from ugs.journal_settings import JournalSettings


def test_they_are_settings_of_the_server() -> None:
    assert JournalSettings.fields().keys() <= Config.fields().keys()


@pytest.mark.parametrize("node", ["A", "a-b", "1a", "a" * 17])
def test_a_node_has_a_name_that_a_schema_can_have(node: str) -> None:
    assert JournalSettings.read({"node": "a1"}).node == "a1"
    with pytest.raises(WrongValues):
        JournalSettings.read({"node": node})


def test_a_database_is_no_directory() -> None:
    for text in ("postgresql://u:secret@h/d", "postgres:/h/d"):
        with pytest.raises(WrongValues, match=r"the address of a database is journal_url \(--journal\)"):
            JournalSettings.read({"data_dir": text})
    for setting in ("data_dir", "admin_dir"):
        with pytest.raises(WrongValues, match="looks like an address"):
            JournalSettings.read({setting: "mysql:/h/d"})
    assert JournalSettings.read({"data_dir": "data/postgres"}).data_dir == "data/postgres"
