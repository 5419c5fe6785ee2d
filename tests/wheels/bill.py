"""The bill of materials of a distribution, as CycloneDX 1.6 in JSON: what it was tested with.

Components are those of ``requirements.lock``, with versions and hashes; the licences are what the packages say. There
is no time and no random number in it, so the same source makes the same bytes.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.locks import LOCK, needed
from tests.wheels.parts import PARTS

SPEC: Final = "1.6"
MAX_LICENCE: Final = 100
"""Characters of what a package calls its licence; some put the whole text there."""
BLOCK: Final = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)[^\n]*\n((?:[ \t#].*\n)*)", re.MULTILINE)


def locked() -> dict[str, tuple[str, list[str]]]:
    """The version and the hashes of each package in the lock, by its name."""
    return {
        canonicalize_name(name): (version, re.findall(r"sha256:([0-9a-f]{64})", rest))
        for name, version, rest in BLOCK.findall(LOCK.read_text("utf-8"))
    }


def bill_of(project: Mapping[str, Any]) -> str:
    """The bill of a distribution whose table ``[project]`` this is; what only its extras need is not in it."""
    name, version = project["name"], project["version"]
    known = locked()
    ours = [text for text in project["dependencies"] if Requirement(text).name in PARTS]
    others = [Requirement(text) for text in project["dependencies"] if Requirement(text).name not in PARTS]
    found = sorted(one for one in needed(others) if one in known)
    me = {
        "type": "application",
        "bom-ref": name,
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
    }
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, f'pkg:pypi/{name}@{version} {project}')}",
        "version": 1,
        "metadata": {"component": {**me, "licenses": [{"license": {"id": project["license"]}}]}},
        "components": [*(_ours(text) for text in ours), *(_component(one, *known[one]) for one in found)],
        "dependencies": [
            {"ref": name, "dependsOn": sorted([*_names(ours), *_names(map(str, others))])},
            *({"ref": one, "dependsOn": sorted(_direct(one, found))} for one in found),
        ],
    }
    return json.dumps(bill, indent=1) + "\n"


def _component(name: str, version: str, hashes: Iterable[str]) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in sorted(hashes)],
    }
    licence = _licence(name)
    if licence:
        component["licenses"] = [{"license": {"name": licence}}]
    return component


def _ours(text: str) -> dict[str, Any]:
    one = Requirement(text)
    version = str(one.specifier).removeprefix("==")
    purl = f"pkg:pypi/{one.name}@{version}"
    return {"type": "library", "bom-ref": one.name, "name": one.name, "version": version, "purl": purl}


def _licence(name: str) -> str:
    """What a package says of its licence, in a few words."""
    try:
        said = distribution(name).metadata
    except PackageNotFoundError:
        return ""
    texts = [text for key in ("License-Expression", "License") for text in said.get_all(key) or ()]
    texts += [line.rpartition(" :: ")[2] for line in said.get_all("Classifier") or () if line.startswith("License ::")]
    return next((text for text in texts if text and len(text) < MAX_LICENCE and "\n" not in text), "")


def _direct(name: str, known: Iterable[str]) -> Iterator[str]:
    """What a package needs itself, of the known ones."""
    for text in distribution(name).requires or ():
        one = Requirement(text)
        if canonicalize_name(one.name) in known and (one.marker is None or one.marker.evaluate({"extra": ""})):
            yield canonicalize_name(one.name)


def _names(texts: Iterable[str]) -> list[str]:
    return [canonicalize_name(Requirement(text).name) for text in texts]
