"""``ugs config``."""

from tests.commands.line import ugs
from ugs.config import written_out


def test_config_prints_the_file_of_defaults() -> None:
    result = ugs("config")
    assert (result.exit_code, result.stdout) == (0, written_out())
