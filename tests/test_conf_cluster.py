"""What lies in ``conf/`` for several machines: manifests that Kubernetes takes, a compose file, settings that load."""

import logging
from pathlib import Path
from typing import Any

import pytest
import yaml

from ugs.config import load
from ugs.gateway import settings_of

kubernetes_validate = pytest.importorskip("kubernetes_validate")
CONF = Path(__file__).parents[1] / "conf"
MANIFESTS: list[dict[str, Any]] = list(yaml.safe_load_all((CONF / "kubernetes" / "ugs.yaml").read_text("utf-8")))
COMPOSE: dict[str, Any] = yaml.safe_load((CONF / "cluster.compose.yaml").read_text("utf-8"))
PODS = ("StatefulSet", "Deployment")
VERSIONS = ("1.29", "1.35")
"""Of Kubernetes: an old one that is in use, and a new one."""


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda one: f"{one['kind']}-{one['metadata']['name']}")
def test_kubernetes_accepts_a_manifest(manifest: dict[str, Any], version: str) -> None:
    logging.getLogger("kubernetes-validate").setLevel(logging.ERROR)
    kubernetes_validate.validate(manifest, version, strict=True)


def test_every_part_that_is_wanted_is_there() -> None:
    kinds = {one["kind"] for one in MANIFESTS}
    assert {"Deployment", "StatefulSet", "Service", "PodDisruptionBudget", "NetworkPolicy", "ConfigMap"} <= kinds
    parts = {"database", "server-a", "server-b", "tic-tac-toe", "ann", "ben", "prometheus", "grafana"}
    assert parts == COMPOSE["services"].keys()


def test_selectors_find_the_pods_that_are_meant() -> None:
    pods = [one["spec"]["template"]["metadata"]["labels"] for one in MANIFESTS if one["kind"] in PODS]
    for one in MANIFESTS:
        selector = one.get("spec", {}).get("selector") or one.get("spec", {}).get("podSelector")
        if selector:
            wanted = selector.get("matchLabels", selector)
            assert any(wanted.items() <= labels.items() for labels in pods), one["metadata"]["name"]


@pytest.mark.parametrize("settings", ["kubernetes", "compose"])
def test_settings_are_those_of_a_server_that_keeps_moves(settings: str, tmp_path: Path) -> None:
    given = next(one for one in MANIFESTS if one["kind"] == "ConfigMap")["data"]["ugs.toml"]
    file = tmp_path / "ugs.toml"
    file.write_text(given if settings == "kubernetes" else COMPOSE["configs"]["settings"]["content"], encoding="utf-8")
    outside: list[str] = []
    config = load(file, {"journal_url": "postgresql://db/ugs", "standby": True}, settings_of, outside.extend)
    assert not outside
    assert (config.keep, config.open_metrics) == ("moves", True)


def test_what_compose_mounts_is_declared_and_there() -> None:
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in COMPOSE["volumes"]
        for config in service.get("configs", ()):
            assert config["source"] in COMPOSE["configs"]
        for other in service.get("depends_on", ()):
            assert "test" in COMPOSE["services"][other]["healthcheck"]
    for config in COMPOSE["configs"].values():
        assert "content" in config or (CONF / config["file"]).is_file()
    targets = yaml.safe_load(COMPOSE["configs"]["prometheus"]["content"])["scrape_configs"][0]["static_configs"]
    assert {target.partition(":")[0] for target in targets[0]["targets"]} <= COMPOSE["services"].keys()
