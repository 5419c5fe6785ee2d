"""Events, as the clients read them."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.apologies.board import HOME, SAFE, START, Colour
from game_masters.apologies.cards import HAND, Kind
from game_masters.apologies.gateway import events
from game_masters.apologies.gateway.events import (
    ActivityState,
    AdvertisedGame,
    CancelReason,
    ConnectionState,
    GamePlayer,
    HistoryItem,
    PlayerState,
    PlayerType,
    PlayerView,
    Reason,
    RegisteredPlayer,
    date_text,
)
from game_masters.apologies.views import Mode, Offer
from tests.game_masters.apologies.gateway.client import UpstreamClient
from ugs.wire.extensions import Visibility

WHEN = datetime(2026, 11, 21, 1, 44, 43, 471_999, UTC)
WHEN_TEXT = "2026-11-21T01:44:43,471+0000"
GAME = AdvertisedGame("g1", 'Friday "♥"', Mode.ADULT, "ada", 4, 3, Visibility.PRIVATE, ("bob", "cyd"))
GAME_FIELDS = {
    "game_id": "g1",
    "name": 'Friday "♥"',
    "mode": "ADULT",
    "advertiser_handle": "ada",
    "players": 4,
    "available": 3,
    "visibility": "PRIVATE",
    "invited_handles": ["bob", "cyd"],
}
MOVE = "c2f0" * 8
OFFERS = (
    Offer(MOVE, Kind.SEVEN, ((0, 32, 37), (1, SAFE + 3, HOME)), ((4, 37, START), (4, 37, START))),
    Offer("d" * 32, Kind.APOLOGIES, (), ()),
)


def place(color: str, id: str, **where: object) -> dict[str, object]:
    return {"color": color, "id": id, "start": False, "home": False, "safe": None, "square": None, **where}


EVENTS: Mapping[str, tuple[str, Mapping[str, object] | None]] = {
    "PLAYER_UNREGISTERED": (events.player_unregistered("ada"), {"handle": "ada"}),
    "PLAYER_IDLE": (events.player_idle("ada"), {"handle": "ada"}),
    "PLAYER_INACTIVE": (events.player_inactive("ada"), {"handle": "ada"}),
    "REGISTERED_PLAYERS": (
        events.registered_players(
            [
                RegisteredPlayer(
                    "ada",
                    WHEN,
                    WHEN + timedelta(minutes=1),
                    ConnectionState.CONNECTED,
                    ActivityState.IDLE,
                    PlayerState.WAITING,
                    None,
                ),
                RegisteredPlayer(
                    "bob",
                    WHEN,
                    WHEN,
                    ConnectionState.DISCONNECTED,
                    ActivityState.ACTIVE,
                    PlayerState.PLAYING,
                    "g1",
                ),
            ]
        ),
        {
            "players": [
                {
                    "handle": "ada",
                    "registration_date": WHEN_TEXT,
                    "last_active_date": "2026-11-21T01:45:43,471+0000",
                    "connection_state": "CONNECTED",
                    "activity_state": "IDLE",
                    "player_state": "WAITING",
                    "game_id": None,
                },
                {
                    "handle": "bob",
                    "registration_date": WHEN_TEXT,
                    "last_active_date": WHEN_TEXT,
                    "connection_state": "DISCONNECTED",
                    "activity_state": "ACTIVE",
                    "player_state": "PLAYING",
                    "game_id": "g1",
                },
            ]
        },
    ),
    "PLAYER_MESSAGE_RECEIVED": (
        events.player_message_received("ada", ("bob", "bob"), 'Hello,\n"♥" \x00 \U0001f600'),
        {"sender_handle": "ada", "recipient_handles": ["bob", "bob"], "message": 'Hello,\n"♥" \x00 \U0001f600'},
    ),
    "AVAILABLE_GAMES": (events.available_games([GAME, GAME]), {"games": [GAME_FIELDS, GAME_FIELDS]}),
    "GAME_ADVERTISED": (events.game_advertised(GAME), {"game": GAME_FIELDS}),
    "GAME_INVITATION": (events.game_invitation(GAME), {"game": GAME_FIELDS}),
    "GAME_JOINED": (
        events.game_joined("bob", "g1", "Friday", Mode.STANDARD, "ada"),
        {"player_handle": "bob", "game_id": "g1", "name": "Friday", "mode": "STANDARD", "advertiser_handle": "ada"},
    ),
    "GAME_STARTED": (events.game_started("g1"), {"game_id": "g1"}),
    "GAME_IDLE": (events.game_idle("g1"), {"game_id": "g1"}),
    "GAME_INACTIVE": (events.game_inactive("g1"), {"game_id": "g1"}),
    "GAME_PLAYER_CHANGE": (
        events.game_player_change(
            "g1",
            "bob left",
            [
                GamePlayer("ada", Colour.RED, PlayerType.HUMAN, PlayerState.PLAYING),
                GamePlayer("Rover", None, PlayerType.PROGRAMMATIC, PlayerState.JOINED),
            ],
        ),
        {
            "game_id": "g1",
            "comment": "bob left",
            "players": [
                {"handle": "ada", "player_color": "RED", "player_type": "HUMAN", "player_state": "PLAYING"},
                {"handle": "Rover", "player_color": None, "player_type": "PROGRAMMATIC", "player_state": "JOINED"},
            ],
        },
    ),
    "GAME_PLAYER_QUIT": (events.game_player_quit("bob", "g1"), {"handle": "bob", "game_id": "g1"}),
    "GAME_STATE_CHANGE": (
        events.game_state_change(
            'g"1',
            [
                HistoryItem("game started (ADULT)", None, None, WHEN),
                HistoryItem('plays "8"', Colour.YELLOW, Kind.EIGHT, WHEN),
            ],
            PlayerView(0, 3, (Kind.THREE, Kind.THREE, Kind.APOLOGIES), (4, START, HOME, SAFE)),
            [PlayerView(1, 2, (), (0, 59, SAFE + 4, START))],
        ),
        {
            "game_id": 'g"1',
            "recent_history": [
                {"action": "game started (ADULT)", "color": None, "card": None, "timestamp": WHEN_TEXT},
                {"action": 'plays "8"', "color": "YELLOW", "card": "CARD_8", "timestamp": WHEN_TEXT},
            ],
            "player": {
                "color": "RED",
                "turns": 3,
                "hand": ["CARD_3", "CARD_3", "CARD_APOLOGIES"],
                "pawns": [
                    place("RED", "0", square=4),
                    place("RED", "1", start=True),
                    place("RED", "2", home=True),
                    place("RED", "3", safe=0),
                ],
            },
            "opponents": [
                {
                    "color": "YELLOW",
                    "turns": 2,
                    "hand": [],
                    "pawns": [
                        place("YELLOW", "0", square=0),
                        place("YELLOW", "1", square=59),
                        place("YELLOW", "2", safe=4),
                        place("YELLOW", "3", start=True),
                    ],
                }
            ],
        },
    ),
    "GAME_PLAYER_TURN": (
        events.game_player_turn("ada", "g1", None, OFFERS),
        {
            "handle": "ada",
            "game_id": "g1",
            "drawn_card": None,
            "moves": {
                MOVE: {
                    "move_id": MOVE,
                    "card": "CARD_7",
                    "actions": [
                        {"start": place("RED", "0", square=32), "end": place("RED", "0", square=37)},
                        {"start": place("RED", "1", safe=3), "end": place("RED", "1", home=True)},
                    ],
                    "side_effects": [
                        {"start": place("YELLOW", "0", square=37), "end": place("YELLOW", "0", start=True)},
                        {"start": place("YELLOW", "0", square=37), "end": place("YELLOW", "0", start=True)},
                    ],
                },
                "d" * 32: {"move_id": "d" * 32, "card": "CARD_APOLOGIES", "actions": [], "side_effects": []},
            },
        },
    ),
    "GAME_COMPLETED": (
        events.game_completed("g1", "ada", "ada has won"),
        {"game_id": "g1", "winner": "ada", "comment": "ada has won"},
    ),
    "GAME_CANCELLED": (
        events.game_cancelled("g1", CancelReason.NOT_VIABLE),
        {"game_id": "g1", "reason": "NOT_VIABLE", "comment": None},
    ),
    "REQUEST_FAILED": (
        events.request_failed(Reason.NOT_PLAYING, "you are in no game", "ada"),
        {"reason": "NOT_PLAYING", "comment": "you are in no game", "handle": "ada"},
    ),
    "WEBSOCKET_IDLE": (events.websocket_idle(), None),
    "WEBSOCKET_INACTIVE": (events.websocket_inactive(), None),
    "SERVER_SHUTDOWN": (events.server_shutdown(), None),
}


@pytest.fixture(scope="module")
def client() -> UpstreamClient:
    return UpstreamClient()


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_is_written_with_all_its_fields_and_understood(client: UpstreamClient, name: str) -> None:
    text, context = EVENTS[name]
    fields = {"message": name} if context is None else {"message": name, "context": context}
    assert json.loads(text) == fields
    assert client.understood(text) == fields


def test_only_a_registration_tells_an_id(client: UpstreamClient) -> None:
    text = events.player_registered("2ba5", "ada")
    fields = {"message": "PLAYER_REGISTERED", "player_id": "2ba5", "context": {"handle": "ada"}}
    assert json.loads(text) == fields
    assert client.understood(text) == fields


def test_there_is_a_function_for_every_event_of_the_clients(client: UpstreamClient) -> None:
    known = {member.name for member in client.interface.MessageType}
    wanted = {"PLAYER_REGISTERED", *EVENTS}
    assert len(wanted) == 23
    assert wanted < known
    assert all(callable(getattr(events, name.lower())) for name in wanted)


@pytest.mark.parametrize("words", [Reason, CancelReason, PlayerType, PlayerState, ConnectionState, ActivityState])
def test_the_words_are_those_of_the_clients(client: UpstreamClient, words: Any) -> None:
    theirs = {Reason: "FailureReason", CancelReason: "CancelledReason"}.get(words, words.__name__)
    known = {member.name for member in getattr(client.interface, theirs)}
    assert {word.value for word in words} == known


@pytest.mark.parametrize("text", [text for text, _ in EVENTS.values()])
def test_events_are_compact_and_in_plain_characters(text: str) -> None:
    assert text.isascii()
    assert text == json.dumps(json.loads(text), separators=(",", ":"))


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (WHEN, WHEN_TEXT),
        (datetime(2026, 1, 2, 3, 4, 5, 0, UTC), "2026-01-02T03:04:05,000+0000"),
        (datetime(2026, 1, 2, 1, 4, 5, 999_999, timezone(timedelta(hours=2))), "2026-01-01T23:04:05,999+0000"),
    ],
)
def test_dates_are_in_utc_with_thousandths(moment: datetime, text: str) -> None:
    assert date_text(moment) == text


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)))
def test_dates_are_read_as_they_were_but_for_the_last_digits(moment: datetime) -> None:
    read = datetime.strptime(date_text(moment), "%Y-%m-%dT%H:%M:%S,%f%z")
    assert timedelta() <= moment - read < timedelta(milliseconds=1)


@given(st.text(), st.text(), st.text())
def test_any_text_can_be_told(one: str, two: str, three: str) -> None:
    item = HistoryItem(one, None, None, WHEN)
    state = events.game_state_change(two, [item], PlayerView(0, 0, (), (START,) * 4), [])
    read: Callable[[str], Any] = json.loads
    assert read(state)["context"]["recent_history"][0]["action"] == one
    assert read(state)["context"]["game_id"] == two
    turn = read(events.game_player_turn(one, two, Kind.TWO, [Offer(three, Kind.TWO, (), ())]))["context"]
    assert (turn["handle"], turn["game_id"], turn["drawn_card"]) == (one, two, "CARD_2")
    assert turn["moves"] == {three: {"move_id": three, "card": "CARD_2", "actions": [], "side_effects": []}}
    assert read(events.player_registered(one, two)) == {
        "message": "PLAYER_REGISTERED",
        "player_id": one,
        "context": {"handle": two},
    }


def test_every_pawn_is_at_one_place() -> None:
    seen = set()
    for seat, colour in enumerate(Colour):
        for where in range(START + 1):
            text = events.game_state_change("g1", [], PlayerView(seat, 0, (), (where,) * 4), [])
            for number, pawn in enumerate(json.loads(text)["context"]["player"]["pawns"]):
                assert (pawn["color"], pawn["id"]) == (colour, str(number))
                told = [pawn["start"], pawn["home"], pawn["safe"] is not None, pawn["square"] is not None]
                assert told == [where == START, where == HOME, SAFE <= where < HOME, where < SAFE]
                seen.add(tuple(pawn.values()))
    assert len(seen) == 16 * 67


def test_the_largest_state_is_far_below_what_clients_accept() -> None:
    history = [HistoryItem("plays 7: " + ", ".join(["YELLOW3 to start"] * 10), "YELLOW", "CARD_7", WHEN)] * 10
    players = [PlayerView(seat, 999, (Kind.APOLOGIES,) * HAND, (START,) * 4) for seat in range(4)]
    assert len(events.game_state_change("g" * 36, history, players[0], players[1:])) < 8_000
