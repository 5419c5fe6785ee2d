"""The registry of the gateway: what it remembers, and how it reads tables."""

import json

import pytest

from game_masters.apologies.gateway.registry import mode_of
from tests.game_masters.apologies.gateway.stage import Stage
from ugs.wire.extensions import TableInfo, Visibility
from ugs.wire.messages import Choice


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ((), "STANDARD"),
        ((Choice("mode", "ADULT"),), "ADULT"),
        ((Choice("rules", "strict"), Choice("mode", "STANDARD")), "STANDARD"),
        ((Choice("mode", "BLINDFOLD"),), "STANDARD"),
    ],
)
def test_the_mode_of_a_table_is_one_that_clients_know(options: tuple[Choice, ...], mode: str) -> None:
    table = TableInfo("g1", "theirs", "apologies", "ben", 2, 1, 0, Visibility.PUBLIC, options)
    assert mode_of(table) == mode


def test_no_more_games_are_remembered_than_there_may_be_tables() -> None:
    stage = Stage(max_tables=2)
    ada = stage.registered("ada")
    games = []
    for _ in range(4):
        games.append(ada.advertises())
        ada.asks("CANCEL_GAME")
    assert [*stage.gateway._registry.finished] == games[2:]


def test_a_game_is_forgotten_with_the_last_of_its_players() -> None:
    stage = Stage()
    ada, ben = stage.clients_of("ada", "ben")
    ben.joins(ada.advertises(3))
    registry = stage.gateway._registry
    ben.asks("QUIT_GAME")
    assert [player.handle for match in registry.matches.values() for player in match.players] == ["ada"]
    ada.goes()
    assert not registry.matches


@pytest.mark.parametrize("place", ["message", "mode", "visibility"])
def test_an_id_in_a_wrong_place_is_repeated_to_its_sender_and_not_logged(place: str) -> None:
    stage = Stage()
    ada = stage.registered("ada")
    context = {"name": "x", "mode": "ADULT", "players": 3, "visibility": "PUBLIC", "invited_handles": []}
    fields = {"message": "ADVERTISE_GAME", "player_id": ada.id, "context": context}
    (fields if place == "message" else context)[place] = ada.id
    ada.says(json.dumps(fields))  # the stage looks at what is logged
    assert ada.id in json.dumps(ada.receives())
    assert stage.noted_by_gateway == ["wrong request"]


def test_a_client_with_too_many_wrong_requests_in_a_minute_is_closed() -> None:
    stage = Stage(max_errors_per_minute=3)
    ada, ben = stage.clients_of("ada", "ben")
    for _ in range(3):
        ada.says("[]")
    stage.passes(60)
    for _ in range(3):
        ada.says("[]")
    assert (ada.closed_with, len(ada.receives())) == (None, 6)
    for _ in range(10):
        ada.says("[]")
    assert ada.closed_with == 1008
    assert [event["reason"] for event in (answer["context"] for answer in ada.receives())] == ["INVALID_REQUEST"]
    assert stage.noted_by_gateway.count("wrong request") == 7
    ben.says("[]")
    assert len(ben.receives()) == 1
