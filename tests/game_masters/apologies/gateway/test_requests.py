"""Requests of clients, good and bad."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from game_masters.apologies.gateway import requests
from game_masters.apologies.gateway.requests import (
    AdvertiseGame,
    CancelGame,
    ExecuteMove,
    JoinGame,
    Limits,
    ListAvailableGames,
    ListPlayers,
    Malformed,
    OptimalMove,
    QuitGame,
    RegisterPlayer,
    Request,
    ReregisterPlayer,
    RetrieveGameState,
    SendMessage,
    StartGame,
    UnregisterPlayer,
    read,
)
from game_masters.apologies.views import Mode
from tests.game_masters.apologies.gateway.client import UpstreamClient
from ugs.wire.extensions import Visibility

ID = "2ba5a9c3-55b4-4d3f-9d3d-5d8e0f6a0a01"
TABLE: Mapping[str, object] = {
    "name": "Friday table",
    "mode": "ADULT",
    "players": 4,
    "visibility": "PRIVATE",
    "invited_handles": ["bob", "bob", "nobody at all"],
}
TABLE_READ = AdvertiseGame(ID, "Friday table", Mode.ADULT, 4, Visibility.PRIVATE, ("bob", "bob", "nobody at all"))
CHAT: Mapping[str, object] = {"message": "Hello, ♥\n", "recipient_handles": ["bob", "cyd"]}

GOOD: Mapping[str, tuple[object, Request]] = {
    "REGISTER_PLAYER": ({"handle": "ada-Lovelace_1815"}, RegisterPlayer("ada-Lovelace_1815")),
    "REREGISTER_PLAYER": ({"handle": "a" * 25}, ReregisterPlayer(ID, "a" * 25)),
    "UNREGISTER_PLAYER": (None, UnregisterPlayer(ID)),
    "LIST_PLAYERS": (None, ListPlayers(ID)),
    "ADVERTISE_GAME": (TABLE, TABLE_READ),
    "LIST_AVAILABLE_GAMES": (None, ListAvailableGames(ID)),
    "JOIN_GAME": ({"game_id": "g1"}, JoinGame(ID, "g1")),
    "QUIT_GAME": (None, QuitGame(ID)),
    "START_GAME": (None, StartGame(ID)),
    "CANCEL_GAME": (None, CancelGame(ID)),
    "EXECUTE_MOVE": ({"move_id": "c2f0"}, ExecuteMove(ID, "c2f0")),
    "OPTIMAL_MOVE": (None, OptimalMove(ID)),
    "RETRIEVE_GAME_STATE": (None, RetrieveGameState(ID)),
    "SEND_MESSAGE": (CHAT, SendMessage(ID, "Hello, ♥\n", ("bob", "cyd"))),
}
EVENTS = ("SERVER_SHUTDOWN", "REQUEST_FAILED", "PLAYER_REGISTERED", "GAME_STATE_CHANGE", "GAME_PLAYER_TURN")


@pytest.fixture(scope="module")
def client() -> UpstreamClient:
    return UpstreamClient()


def request(name: object, context: object = None, player_id: object = ID) -> str:
    parts = {"message": name, "player_id": player_id, "context": context}
    return json.dumps({key: part for key, part in parts.items() if part is not None})


def good(name: str) -> str:
    return request(name, GOOD[name][0], None if name == "REGISTER_PLAYER" else ID)


def reason(text: str, limits: Limits = requests.USUAL) -> str:
    with pytest.raises(Malformed) as caught:
        read(text, limits)
    assert str(caught.value) == caught.value.reason
    assert caught.value.reason.isprintable(), "a reason is one line"
    return caught.value.reason


def told(text: str) -> str:
    """Return why a text is no request; ``""`` if it is one."""
    try:
        read(text)
    except Malformed as error:
        return error.reason
    return ""


@pytest.mark.parametrize("name", GOOD)
def test_every_request_is_read(name: str) -> None:
    assert read(good(name)) == GOOD[name][1]


@pytest.mark.parametrize("name", GOOD)
def test_fields_that_no_request_has_and_the_way_of_writing_do_not_matter(name: str) -> None:
    fields = json.loads(good(name))
    if "context" in fields:
        fields["context"]["colour"] = {"red": [None, "\ud800"]}
    fields["at"] = -1.5e300
    assert read(json.dumps(dict(reversed(fields.items())), indent=2)) == GOOD[name][1]


@pytest.mark.parametrize("name", GOOD)
def test_null_is_the_same_as_nothing(name: str) -> None:
    fields = {"player_id": None, "context": None, **json.loads(good(name))}
    assert read(json.dumps(fields)) == GOOD[name][1]


@pytest.mark.parametrize("name", GOOD)
def test_an_id_is_needed_by_all_but_the_first(name: str) -> None:
    context = GOOD[name][0]
    if name == "REGISTER_PLAYER":
        assert reason(request(name, context, ID)) == "field player_id: REGISTER_PLAYER has none"
        assert reason(request(name, context, "")) == "field player_id: REGISTER_PLAYER has none"
        return
    expected = "expected a text that is not empty"
    assert reason(request(name, context, None)) == f"field player_id: nothing; {expected}"
    assert reason(request(name, context, "")) == f'field player_id: ""; {expected}'
    assert reason(request(name, context, 7)) == f"field player_id: 7; {expected}"
    assert reason(request(name, context, [ID])) == f"field player_id: a list; {expected}"


@pytest.mark.parametrize("name", GOOD)
def test_a_context_is_there_when_it_has_fields_and_only_then(name: str) -> None:
    context, _ = GOOD[name]
    player_id = None if name == "REGISTER_PLAYER" else ID
    if context is None:
        assert reason(request(name, {}, player_id)) == f"field context: {name} has none"
        return
    assert reason(request(name, None, player_id)) == "field context: nothing; expected an object"
    assert reason(request(name, [], player_id)) == "field context: a list; expected an object"
    assert reason(request(name, "x", player_id)) == 'field context: "x"; expected an object'
    assert "missing in the context" in reason(request(name, {}, player_id))


@pytest.mark.parametrize(
    ("name", "key"),
    [(name, key) for name, (context, _) in GOOD.items() for key in json.loads(json.dumps(context)) or ()],
)
def test_every_field_has_to_be_there_and_is_no_object(name: str, key: str) -> None:
    fields = json.loads(good(name))
    fields["context"][key] = {"a": 1}
    assert reason(json.dumps(fields)).startswith(f"field {key}: an object; expected ")
    fields["context"][key] = None
    assert reason(json.dumps(fields)).startswith(f"field {key}: nothing; expected ")
    del fields["context"][key]
    wanted = ", ".join(json.loads(good(name))["context"])
    assert reason(json.dumps(fields)) == f"field {key}: missing in the context; {name} has {wanted}"


@pytest.mark.parametrize("name", [*EVENTS, "PLAY", "register_player", "", None, True, 3, [], {}])
def test_events_and_other_words_are_no_requests(name: object) -> None:
    why = reason(request(name))
    assert why.startswith("field message: ")
    assert why.endswith(f"; expected the name of a request: {', '.join(GOOD)}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the request is not JSON: Expecting value, line 1, column 1"),
        ("\ufeff{}", "the request is not JSON: Expecting value, line 1, column 1"),
        ('{"message":\n"LIST_PLAYERS",}', "line 2, column"),
        ("{'message': 'LIST_PLAYERS'}", "the request is not JSON: "),
        (good("LIST_PLAYERS") * 2, "the request is not JSON: Extra data"),
        ('{"message": "a\tb"}', "the request is not JSON: "),
        ('{"message": NaN}', "the request is not JSON: NaN is no number"),
        ('{"at": [-Infinity]}', "the request is not JSON: -Infinity is no number"),
        ("[" * 100_000, "the request is nested too deeply"),
        ('{"a":' * 100_000, "the request is nested too deeply"),
        ("1" * 5000, "the request holds a number with too many digits"),
        ("1" * 4000, f"the request: {'1' * 40}; expected an object"),
        ("[]", "the request: a list; expected an object"),
        ("null", "the request: nothing; expected an object"),
        ("true", "the request: true; expected an object"),
        ('"LIST_PLAYERS"', 'the request: "LIST_PLAYERS"; expected an object'),
    ],
)
def test_what_is_no_object_in_json_is_no_request(text: str, why: str) -> None:
    assert why in reason(text)


@pytest.mark.parametrize(
    "handle", ["", "None", "a" * 26, "a b", "ada\n", "ädä", "a.b", "\x00", "\ud800", 5, True, ["ada"], "١"]
)
@pytest.mark.parametrize("name", ["REGISTER_PLAYER", "REREGISTER_PLAYER"])
def test_handles_are_a_few_plain_characters(name: str, handle: object) -> None:
    why = reason(request(name, {"handle": handle}, None if name == "REGISTER_PLAYER" else ID))
    assert why.startswith("field handle: ")
    assert why.endswith("; expected 1 to 25 of the characters A-Z, a-z, 0-9, _ and -, and not None")


@pytest.mark.parametrize(
    ("key", "wrong", "why"),
    [
        ("name", "", 'field name: ""; expected a text that is not empty'),
        ("name", "a" * 41, "field name: 41 characters; expected 1 to 40"),
        ("name", "a\x00", "field name: the character U+0000 is not allowed; expected a text without"),
        ("name", 40, "field name: 40; expected a text that is not empty"),
        ("mode", "adult", 'field mode: "adult"; expected STANDARD or ADULT'),
        ("mode", "x" * 43, f'field mode: "{"x" * 40}" and 3 characters more; expected STANDARD or ADULT'),
        ("mode", ["ADULT"], "field mode: a list; expected STANDARD or ADULT"),
        ("players", 1, "field players: 1; expected 2, 3 or 4"),
        ("players", 5, "field players: 5; expected 2, 3 or 4"),
        ("players", 2.5, "field players: 2.5; expected 2, 3 or 4"),
        ("players", 10**4000, f"field players: 1{'0' * 39}; expected 2, 3 or 4"),
        ("players", "4", 'field players: "4"; expected 2, 3 or 4'),
        ("players", True, "field players: true; expected 2, 3 or 4"),
        ("players", [4], "field players: a list; expected 2, 3 or 4"),
        ("visibility", "SECRET", 'field visibility: "SECRET"; expected PUBLIC or PRIVATE'),
        ("visibility", False, "field visibility: false; expected PUBLIC or PRIVATE"),
        ("invited_handles", "bob", 'field invited_handles: "bob"; expected a list of handles'),
        ("invited_handles", ["bob", ""], 'field invited_handles[1]: ""; expected a text that is not empty'),
        ("invited_handles", [["bob"]], "field invited_handles[0]: a list; expected a text that is not empty"),
        ("invited_handles", [None], "field invited_handles[0]: nothing; expected a text that is not empty"),
        ("invited_handles", ["\x1b"], "field invited_handles[0]: the character U+001B is not allowed"),
    ],
)
def test_tables_have_to_make_sense(key: str, wrong: object, why: str) -> None:
    assert reason(request("ADVERTISE_GAME", {**TABLE, key: wrong})).startswith(why)


@pytest.mark.parametrize(
    ("key", "wrong", "why"),
    [
        ("message", "", 'field message: ""; expected a text that is not empty'),
        ("message", "a" * 2001, "field message: 2001 characters; expected 1 to 2000"),
        ("message", "\x07", "field message: the character U+0007 is not allowed"),
        ("recipient_handles", [], "field recipient_handles: an empty list; expected at least one handle"),
        ("recipient_handles", "bob", 'field recipient_handles: "bob"; expected a list of handles'),
        ("recipient_handles", ["bob", 3], "field recipient_handles[1]: 3; expected a text that is not empty"),
    ],
)
def test_chat_has_to_make_sense(key: str, wrong: object, why: str) -> None:
    assert reason(request("SEND_MESSAGE", {**CHAT, key: wrong})).startswith(why)


def test_values_at_the_edge_are_read() -> None:
    table = {"name": "♥" * 40, "mode": "STANDARD", "players": 2.0, "visibility": "PUBLIC", "invited_handles": []}
    read_table = read(request("ADVERTISE_GAME", table))
    assert read_table == AdvertiseGame(ID, "♥" * 40, Mode.STANDARD, 2, Visibility.PUBLIC, ())
    assert isinstance(read_table, AdvertiseGame)
    assert isinstance(read_table.players, int)
    chat = {"message": "a" * 2000, "recipient_handles": ["None"]}
    assert read(request("SEND_MESSAGE", chat)) == SendMessage(ID, "a" * 2000, ("None",))


def test_the_limits_of_a_server_are_its_own() -> None:
    limits = Limits(table_name=5, chat=3)
    assert reason(request("ADVERTISE_GAME", TABLE), limits) == "field name: 12 characters; expected 1 to 5"
    assert reason(request("SEND_MESSAGE", CHAT), limits) == "field message: 9 characters; expected 1 to 3"
    assert read(request("SEND_MESSAGE", {**CHAT, "message": "abc"}), limits) == SendMessage(ID, "abc", ("bob", "cyd"))


@pytest.mark.parametrize("escape", ["\\ud800", "\\udc00x", "\\u0000", "\\u000b", "\\ufffe", "\\uffff", "\\u001f"])
@pytest.mark.parametrize("text", ['"player_id":"{}"', '"context":{{"game_id":"{}"}}'])
def test_what_cannot_be_put_into_xml_is_refused_everywhere(text: str, escape: str) -> None:
    fields = {
        "message": '"message":"JOIN_GAME"',
        "player_id": '"player_id":"a"',
        "context": '"context":{"game_id":"b"}',
    }
    fields[text[1:].partition('"')[0]] = text.format(escape)
    why = reason(f"{{{','.join(fields.values())}}}")
    assert f"the character U+{escape[2:6].upper()} is not allowed" in why


def test_tabs_lines_and_characters_beyond_the_first_plane_are_text() -> None:
    assert read('{"message":"JOIN_GAME","player_id":"a","context":{"game_id":"\\t\\r\\n\\ud83d\\ude00"}}') == JoinGame(
        "a", "\t\r\n\U0001f600"
    )


def test_of_two_fields_with_one_name_the_last_one_counts() -> None:
    assert read('{"message":"QUIT_GAME","message":"LIST_PLAYERS","player_id":"a"}') == ListPlayers("a")


def test_ids_are_secret() -> None:
    for name in GOOD:
        assert ID not in repr(read(good(name)))
    assert ID not in reason(request("LIST_PLAYERS", None, f"{ID}\x00"))


@given(st.text())
@example("[1")
def test_any_text_is_a_request_or_malformed(text: str) -> None:
    assert told(text).isprintable()


TEXTS = st.text(st.characters())
WORDS = st.sampled_from([*GOOD, *EVENTS, "message", "player_id", "context", "ada", "ADULT", "PUBLIC"])
KEYS = st.sampled_from(["message", "player_id", "context", "handle", "game_id", "move_id", *TABLE, *CHAT]) | TEXTS
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=4,
)


@given(VALUES)
def test_any_value_is_a_request_or_malformed(value: object) -> None:
    assert told(json.dumps(value)).isprintable()


@given(st.sampled_from([*GOOD]), KEYS, VALUES, st.booleans())
def test_a_good_request_with_another_value_is_a_request_or_malformed(
    name: str, key: str, value: object, inside: bool
) -> None:
    fields: dict[str, Any] = json.loads(good(name))
    changed = fields.get("context", fields) if inside else fields
    changed[key] = value
    assert told(json.dumps(fields)).isprintable()


@pytest.mark.parametrize("name", GOOD)
def test_what_the_clients_write_is_read(client: UpstreamClient, name: str) -> None:
    interface = client.interface
    contexts: Mapping[str, object] = {
        "REGISTER_PLAYER": interface.RegisterPlayerContext("ada-Lovelace_1815"),
        "REREGISTER_PLAYER": interface.ReregisterPlayerContext("a" * 25),
        "ADVERTISE_GAME": interface.AdvertiseGameContext(
            "Friday table",
            client.mode.ADULT,
            4,
            interface.Visibility.PRIVATE,
            ["bob", "bob", "nobody at all"],
        ),
        "JOIN_GAME": interface.JoinGameContext("g1"),
        "EXECUTE_MOVE": interface.ExecuteMoveContext("c2f0"),
        "SEND_MESSAGE": interface.SendMessageContext("Hello, ♥\n", ["bob", "cyd"]),
    }
    player_id = None if name == "REGISTER_PLAYER" else ID
    assert read(client.written(name, player_id, contexts.get(name))) == GOOD[name][1]
