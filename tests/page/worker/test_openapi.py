"""The API answers as its description says, whatever is asked."""

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import requests
import schemathesis
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from trio.testing import MockClock

from tests.daemon.shell import Shell
from tests.page.asking import Got, get, page_of
from tests.page.test_pages import NICK, ended
from tests.profile import sized
from tests.standings.test_source import a_cup, written
from ugs.journal.importing import store
from ugs.page.pages import PAGES
from ugs.page.worker import openapi

DOCUMENT = openapi.document()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = {one.ok().label: one.ok() for one in SCHEMA.get_all_operations() if isinstance(one, Ok)}


@cache
def journal() -> Path:
    """A journal with some games and a championship; the same for all examples."""
    directory = written(Path(mkdtemp()), a_cup)
    for number in range(3):
        assert store(directory, ended(number))
    assert store(directory, ended(3, NICK, "ann"))
    return directory


def answer(path: str, query: dict[str, Any], data_dir: Path | None) -> Got:
    """What a server says on which one player waits."""

    async def run() -> Got:
        async with trio.open_nursery() as nursery:
            shell = Shell(nursery)
            await shell.table()
            site, _ = page_of(shell, data_dir)
            got = await get(site, path, **query)
            nursery.cancel_scope.cancel()
        return got

    return trio.run(run, clock=MockClock(autojump_threshold=0))


def as_response(got: Got, case: Any) -> schemathesis.Response:
    """The same as schemathesis judges it."""
    request = requests.Request(case.method, f"http://test{case.path}", params=dict(case.query or {})).prepare()
    headers = {name: [value] for name, value in got.headers.items()}
    return schemathesis.Response(got.status, headers, got.body, request, 0.0, verify=False)


def test_the_description_is_what_the_server_serves() -> None:
    got = answer("/api/v1/openapi.json", {}, None)
    assert got.json == json.loads(json.dumps(DOCUMENT))
    assert {page.api for page in PAGES} <= DOCUMENT["paths"].keys()


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("kept", [True, False])
def test_whatever_is_asked_the_answer_is_as_described(label: str, kept: bool) -> None:
    operation = OPERATIONS[label]

    @settings(
        max_examples=sized(quick=8, deep=150),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def each(data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy())
        got = answer(case.path, dict(case.query or {}), journal() if kept else None)
        if got.status == 503:
            assert not kept
            assert "kept" in got.json["error"]
        spared: Any = [not_a_server_error] if got.status == 503 else []
        case.validate_response(as_response(got, case), excluded_checks=spared)

    each()


KNOWN = {"id": "game1", "nick": "ann", "name": "ann", "game_type": "chess"}
NAMES = {"championship": "cup"}
"""What is called name is not always a player."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_there_is_answered_as_described(page: Any) -> None:
    """Random questions seldom name what is there."""
    known = {**KNOWN, "name": NAMES.get(page.name, KNOWN["name"])}
    query = {param.name: known[param.name] for param in page.params if param.required}
    got = answer(page.api, query, journal())
    assert got.status == 200
    case = OPERATIONS[f"GET {page.api}"].Case(query=query)
    case.validate_response(as_response(got, case))
