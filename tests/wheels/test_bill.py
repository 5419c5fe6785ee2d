"""Bills of materials."""

import json

import pytest

from tests.wheels.bill import bill_of, locked
from tests.wheels.parts import GAMES, PARTS, SERVER, contents, tracked
from tests.wheels.project import project_of

PROJECTS = {part: project_of(part, files) for part, files in contents(tracked()).items()}


@pytest.mark.parametrize("part", PARTS)
def test_a_bill_names_each_component_once_and_refers_to_no_other(part: str) -> None:
    bill = json.loads(bill_of(PROJECTS[part]))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    refs = [one["bom-ref"] for one in bill["components"]]
    assert len(refs) == len(set(refs))
    known = {*refs, part}
    for row in bill["dependencies"]:
        assert {row["ref"], *row["dependsOn"]} <= known


def test_what_the_server_needs_is_there_with_versions_hashes_and_licences() -> None:
    bill = json.loads(bill_of(PROJECTS[SERVER]))
    trio = next(one for one in bill["components"] if one["name"] == "trio")
    version, hashes = locked()["trio"]
    assert (trio["version"], trio["purl"]) == (version, f"pkg:pypi/trio@{version}")
    assert [one["content"] for one in trio["hashes"]] == sorted(hashes)
    assert all("licenses" in one for one in bill["components"])
    assert "xmlschema" not in {one["name"] for one in bill["components"]}


def test_the_same_project_makes_the_same_bill() -> None:
    assert bill_of(PROJECTS[GAMES]) == bill_of(PROJECTS[GAMES])
