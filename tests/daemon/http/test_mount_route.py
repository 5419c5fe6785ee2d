"""The route of an application in the page: programs and own pages come through, pages of others do not."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from ugs.daemon.http.mount_route import mount_route


class Hello:
    path = "/hello"
    app: ASGIApp = PlainTextResponse("hello")

    async def run(self) -> None:
        """Nothing has to run."""


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_only_pages_of_others_are_refused(headers: dict[str, str], status: int) -> None:
    client = TestClient(Starlette(routes=[mount_route(Hello())]))
    assert client.get("/hello", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {"Host": "rebound.example", "Origin": "http://rebound.example"}, 403),
        ("127.0.0.1", {"Host": "localhost:8080", "Origin": "http://localhost:8080"}, 200),
        ("127.0.0.1", {"Host": "rebound.example"}, 200),
        ("127.0.0.1", {"Host": "a.example", "Origin": "http://a.example", "X-Forwarded-Proto": "https"}, 200),
        ("192.0.2.1", {"Host": "a.example", "Origin": "http://a.example"}, 200),
    ],
)
def test_a_page_whose_name_leads_here_is_refused(client: str, headers: dict[str, str], status: int) -> None:
    asked = TestClient(Starlette(routes=[mount_route(Hello())]), client=(client, 5))
    answer = asked.get("/hello", headers=headers)
    assert answer.status_code == status
    assert ("a proxy has to pass Host on, and to set X-Forwarded-Proto" in answer.text) == (status == 403)
