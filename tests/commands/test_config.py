"""``ugs config``."""

from importlib.metadata import EntryPoint

import pytest

from tests.commands.line import ugs
from ugs import gateway
from ugs.config_text import written_out


def test_config_prints_the_file_of_defaults() -> None:
    result = ugs("config")
    assert (result.exit_code, result.stdout) == (0, written_out(gateway.all_settings()))


def test_config_names_a_gateway_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("toy", "no_such_package:Toy", gateway.GROUP)
    monkeypatch.setattr(gateway, "entry_points", lambda group: [broken])
    result = ugs("config")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("ugs config: gateways.toy: no_such_package:Toy cannot be loaded: ")
