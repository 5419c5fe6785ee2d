import pytest
from pydantic import ValidationError

from ugs.config import Config
from ugs.journal_settings import JournalSettings


def test_they_are_settings_of_the_server() -> None:
    assert JournalSettings.model_fields.keys() <= Config.model_fields.keys()


@pytest.mark.parametrize("node", ["A", "a-b", "1a", "a" * 17])
def test_a_node_has_a_name_that_a_schema_can_have(node: str) -> None:
    assert JournalSettings.model_validate({"node": "a1"}).node == "a1"
    with pytest.raises(ValidationError):
        JournalSettings.model_validate({"node": node})
