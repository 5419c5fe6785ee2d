"""Requests with their contexts, for tests that are about all of them."""

IN_GAME_REQUESTS: list[tuple[str, dict[str, object]]] = [
    ("QUIT_GAME", {}),
    ("START_GAME", {}),
    ("CANCEL_GAME", {}),
    ("EXECUTE_MOVE", {"move_id": "0" * 32}),
    ("OPTIMAL_MOVE", {}),
    ("RETRIEVE_GAME_STATE", {}),
]
ADVERTISED: dict[str, object] = {
    "name": "Friday",
    "mode": "STANDARD",
    "players": 2,
    "visibility": "PUBLIC",
    "invited_handles": [],
}
