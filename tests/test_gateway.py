"""Gateways: how they are found, and what may stand in their tables of the settings."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.daemon.toy_gateway import Toy
from ugs import gateway
from ugs.config import Config, ConfigError, load, parse
from ugs.config_text import written_out
from ugs.declared import declared
from ugs.gateway import (
    GatewayError,
    GatewaySettings,
    all_settings,
    installed,
    listening,
    load_gateway,
    settings_of,
)


class NimSettings(GatewaySettings):
    """What a gateway of its own declares."""

    heaps: tuple[int, ...] = declared((3, 4, 5), description="matches in each heap")
    wait_s: float = declared(2, gt=0, description="seconds to wait for the next client")


class Nim:
    """Declares settings of its own; it is never made."""

    settings = NimSettings


class Bare:
    """No gateway: it declares no settings."""

    settings = Config


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """These gateways are found, three of which are none."""
    values = {
        "toy": "tests.daemon.toy_gateway:Toy",
        "nim": f"{__name__}:Nim",
        "gone": "no_such_package:Toy",
        "bare": f"{__name__}:Bare",
        "hollow": f"{__name__}:EntryPoint",
    }
    entries = [EntryPoint(name, value, gateway.GROUP) for name, value in values.items()]
    monkeypatch.setattr(gateway, "entry_points", lambda group: entries if group == "ugs.gateways" else [])


def test_a_gateway_is_found_by_its_name() -> None:
    assert list(installed()) == ["bare", "gone", "hollow", "nim", "toy"]
    assert load_gateway("toy") is Toy
    assert settings_of("toy") is GatewaySettings
    assert settings_of("nim") is NimSettings


def test_a_gateway_that_is_not_installed_is_named_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        GatewayError, match=r"^gateways\.go: no gateway of this name is installed; installed: bare, .*, toy$"
    ):
        load_gateway("go")
    monkeypatch.setattr(gateway, "entry_points", lambda group: [])
    with pytest.raises(GatewayError, match=r"installed: none$"):
        load_gateway("go")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gone", r"no_such_package:Toy cannot be loaded: .*no_such_package"),
        ("bare", r"Bare cannot be loaded: .*Config.* is no subclass of GatewaySettings"),
        ("hollow", r"EntryPoint cannot be loaded: .*settings"),
    ],
)
def test_a_gateway_that_cannot_be_loaded_is_named(name: str, why: str) -> None:
    with pytest.raises(GatewayError, match=rf"^gateways\.{name}: .*{why}"):
        settings_of(name)
    with pytest.raises(GatewayError, match=r"^gateways\.\w+: .*cannot be loaded"):
        all_settings()


def test_each_gateway_has_its_table(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(
        '[gateways.nim]\nlisten = "127.0.0.1:9000"\nheaps = [1, 2]\nping_s = 5\n[gateways.toy]\nclose_s = 3\n'
    )
    config = load(file, None, settings_of)
    assert config.gateways == {
        "nim": NimSettings.read({"listen": "127.0.0.1:9000", "heaps": (1, 2), "ping_s": 5}),
        "toy": GatewaySettings.read({"close_s": 3}),
    }
    assert listening(config) == {"nim": config.gateways["nim"]}
    config = load(file, {"gateways": {"toy": {"listen": "localhost:0"}}}, settings_of)
    assert config.gateways["toy"] == GatewaySettings.read({"listen": "localhost:0", "close_s": 3})
    assert list(listening(config)) == ["nim", "toy"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("[gateways.nim]\nheap = 1", ["unknown key gateways.nim.heap (did you mean 'heaps'?)"]),
        ("[gateways.toy]\nheaps = [1]", ["unknown key gateways.toy.heaps; allowed: close_s, listen, "]),
        ("[gateways.nim]\nwait_s = 0", ["gateways.nim.wait_s = 0: allowed: a number, above 0"]),
        ('[gateways.nim]\nheaps = ["a"]', ["gateways.nim.heaps.0 = 'a': allowed: a whole number"]),
        ("[gateways.toy]\nping_s = 0", ["gateways.toy.ping_s = 0: allowed: a number, above 0"]),
        ("[gateways.toy]\nmax_message_bytes = 1", ["gateways.toy.max_message_bytes = 1: .* 1024"]),
        ("[gateways]\ntoy = 3", ["gateways.toy = 3: a table is expected"]),
        ("gateways = 3", ["gateways = 3: allowed: a table"]),
        ("[gateways.go]", ["gateways.go: no gateway of this name is installed; installed: bare, gone, "]),
        ("[gateways.gone]", ["gateways.gone: no_such_package:Toy cannot be loaded"]),
        (
            "port = -1\n[gateways.go]\n[gateways.toy]\nping_s = 0\ncolour = 1",
            ["port = -1", "gateways.go: no gateway", "gateways.toy.ping_s = 0", "unknown key gateways.toy.colour"],
        ),
    ],
)
def test_each_mistake_is_named_with_file_key_value_and_what_is_allowed(
    tmp_path: Path, text: str, lines: list[str]
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(file, None, settings_of)
    said = str(caught.value).splitlines()
    assert len(said) == len(lines)
    for expected in lines:
        key, _, rest = expected.partition(" = ")
        assert any(
            line.startswith(f"{file}: {key}") and all(word in line for word in rest.split(".*")) for line in said
        )


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", None),
        ("127.0.0.1:9000", ("127.0.0.1", 9000)),
        ("localhost:0", ("localhost", 0)),
        ("[::1]:0", ("::1", 0)),
        ("0.0.0.0:65535", ("0.0.0.0", 65535)),
    ],
)
def test_where_a_gateway_listens(text: str, address: tuple[str, int] | None) -> None:
    assert GatewaySettings.read({"listen": text}).address == address


@pytest.mark.parametrize("text", ["9000", ":9000", ":0", "localhost:", "localhost:65536", "localhost:00", "x:²"])
def test_a_wrong_address_is_named_with_what_is_allowed(text: str) -> None:
    with pytest.raises(
        ConfigError, match=rf"^here: gateways\.toy\.listen = '{text}': not HOST:PORT; allowed: .*0 to 65535.* or empty$"
    ):
        parse({"gateways": {"toy": {"listen": text}}}, "here", settings_of)


def test_without_a_way_to_find_gateways_none_is_known() -> None:
    with pytest.raises(ConfigError, match=r"^here: gateways\.toy: no gateway is known here$"):
        parse({"gateways": {"toy": {}}}, "here")


def test_the_file_of_defaults_has_every_setting_of_every_gateway() -> None:
    text = written_out({"nim": NimSettings, "my gate": GatewaySettings})
    tables = tomllib.loads(text)["gateways"]
    assert tables == {
        "nim": {**NimSettings.read({}).plain(), "heaps": [3, 4, 5]},
        "my gate": GatewaySettings.read({}).plain(),
    }
    assert "# seconds to wait for the next client\nwait_s = 2\n" in text


@pytest.mark.parametrize("name", sorted(GatewaySettings.fields()))
def test_every_setting_is_explained(name: str) -> None:
    description = GatewaySettings.fields()[name].description
    assert description
    if name.endswith("_s"):
        assert "second" in description
    if name.endswith("_bytes"):
        assert "byte" in description
