"""``ugs serve``: what it makes of its arguments, without starting a server (that is done end to end)."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.championship.plan import Plan, load_plan
from ugs.commands import serve_run
from ugs.config import Config, ConfigError, load
from ugs.gateway import GatewayError, listening
from ugs.journal.journal_error import JournalError
from ugs.wire.schema_files import schemas_directory


class Served:
    """Stands in for the server: keeps what it was started with."""

    def __init__(self) -> None:
        self.config = load(None)
        self.ready_path: Path | None = None
        self.plans: Sequence[Plan] = ()
        self.failure: Exception | None = None

    async def __call__(self, config: Config, ready_path: Path | None, plans: Sequence[Plan], _node: object) -> None:
        self.config, self.ready_path, self.plans = config, ready_path, plans
        if self.failure is not None:
            raise self.failure


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """What ``ugs serve`` would have served."""
    served = Served()
    monkeypatch.setattr(serve_run, "run_server", served)
    return served


def test_serving_with_nothing_said_is_all_defaults(served: Served) -> None:
    assert ugs("serve").exit_code == 0
    assert (served.config, served.ready_path, served.plans) == (load(None), None, [])


def test_every_option_of_serve(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('host = "::1"\nport = 1\nmax_depth = 10\n')
    ready = tmp_path / "ready.json"
    options = ("--port", "0", "--http-port", "0", "--data-dir", "data", "--ready-file", ready, "--log-level", "debug")
    championships = ("--championship", "go: 9x9:8", "--championship", "chess:2")
    result = ugs("serve", "--config", file, *options, *championships)
    assert result.exit_code == 0
    config = served.config
    assert (config.host, config.max_depth) == ("::1", 10), "from the file"
    assert (config.port, config.http_port, config.data_dir, config.log_level) == (0, 0, "data", "debug")
    assert served.ready_path == ready
    for name, players in (("go: 9x9", 8), ("chess", 2)):
        assert config.game_type(name).mode == "championship"
        assert config.game_type(name).championship_players == players


def test_championships_as_earlier_programs_had_them_and_as_plans(served: Served) -> None:
    plan = schemas_directory().parent / "conf" / "championship.toml"
    result = ugs("serve", "--championship", "chess", "8", "--championship", plan, "--championship", "go", "4")
    assert result.exit_code == 0, result.output
    assert served.config.game_type("chess").championship_players == 8
    assert served.config.game_type("go").championship_players == 4
    assert list(served.plans) == [load_plan(plan)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "99999"), ["port = 99999", "65535"]),
        (("--config", "nowhere.toml"), ["nowhere.toml", "cannot be read"]),
        (("--championship", "chess"), ["--championship", "TYPE:N"]),
        (("--championship", "chess:1"), ["--championship", "at least 2 players"]),
        (("--championship", "chess", "many"), ["--championship", "TYPE N"]),
        (("--championship", "chess:8", "9"), ["'9'", "unexpected argument"]),
        (("--championship", "nowhere.toml"), ["nowhere.toml", "cannot be read"]),
        (("--championship", "x" * 65 + ":4"), ["game_types", "64 characters"]),
        (("--ready-file", "no/such/place/ready.json"), ["--ready-file", "no such directory"]),
        (("--gateway", "apologies"), ["--gateway 'apologies'", "NAME=HOST:PORT"]),
        (("--gateway", "apologies="), ["--gateway 'apologies='", "NAME=HOST:PORT"]),
        (("--gateway", "apologies=9000"), ["command line: gateways.apologies.listen = '9000'", "HOST:PORT"]),
        (("--gateway", "apologies=::1:1", "--gateway", "apologies=::1:2"), ["apologies is given twice"]),
        (("--gateway", "chess=127.0.0.1:9000"), ["command line: gateways.chess", "installed: apologies"]),
        (("--node", "Chess", "--journal", "postgresql://db/x"), ["node = 'Chess': allowed: a small letter, then"]),
        (
            ("--node", "a", "--journal", "data/journal.db"),
            ["journal_url = 'data/journal.db'", "postgresql://", "--data-dir"],
        ),
        (("--node", "a", "--data-dir", "data"), ["node", "--journal", "journal_url"]),
        (("--home", "chess", "--journal", "postgresql://db/x"), ["homes", "--node NAME"]),
        (("--log-level", "loud"), ["--log-level", "'debug', 'info', 'warning', 'error'"]),
        (("--colour", "red"), ["--colour"]),
    ],
)
def test_wrong_usage_is_exit_code_2_and_nothing_is_served(
    served: Served, arguments: tuple[str, ...], words: list[str]
) -> None:
    served.failure = OSError("must not be reached")
    result = ugs("serve", *arguments)
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr


def test_a_mount_that_is_not_installed_is_exit_code_2_and_named(served: Served) -> None:
    served.failure = ConfigError("mounts: mount 'nope': unknown; there are: mcp")
    result = ugs("serve")
    assert result.exit_code == 2
    assert result.stderr == "ugs serve: mounts: mount 'nope': unknown; there are: mcp\n"


def test_a_wrong_file_is_exit_code_2_and_names_key_and_allowed_values(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("max_attribute = 3")
    result = ugs("serve", "--config", file)
    assert result.exit_code == 2
    assert result.stderr.startswith(
        f"ugs serve: {file}: unknown key max_attribute (did you mean 'max_attributes'?); allowed: "
    )


def test_what_the_server_cannot_do_is_exit_code_1_and_one_line(served: Served) -> None:
    served.failure = OSError("cannot listen on 127.0.0.1 port 4747: Address already in use")
    result = ugs("serve")
    assert result.exit_code == 1
    assert result.stderr == "ugs serve: cannot listen on 127.0.0.1 port 4747: Address already in use\n"


def test_a_data_directory_that_cannot_be_used_is_exit_code_1_too(served: Served) -> None:
    served.failure = JournalError("data: another server uses it (process 5)")
    result = ugs("serve", "--data-dir", "data")
    assert (result.exit_code, result.stderr) == (1, "ugs serve: data: another server uses it (process 5)\n")


def test_gateways_are_asked_for_by_name_and_address(served: Served, tmp_path: Path) -> None:
    assert ugs("serve", "--gateway", "apologies=127.0.0.1:9000").exit_code == 0
    (settings,) = listening(served.config).values()
    assert settings.address == ("127.0.0.1", 9000)
    file = tmp_path / "my.toml"
    file.write_text("[gateways.apologies]\nmax_players = 7\n")
    assert ugs("serve", "--config", file).exit_code == 0
    assert not listening(served.config), "it has no address"
    assert ugs("serve", "--config", file, "--gateway", "apologies=[::1]:0").exit_code == 0
    assert listening(served.config)["apologies"].address == ("::1", 0)
    assert served.config.gateways["apologies"].plain()["max_players"] == 7


def test_a_gateway_that_cannot_be_started_is_exit_code_1(served: Served) -> None:
    served.failure = GatewayError("gateways.apologies: the gateway cannot be started")
    result = ugs("serve", "--gateway", "apologies=127.0.0.1:0")
    assert (result.exit_code, result.stderr) == (1, "ugs serve: gateways.apologies: the gateway cannot be started\n")
