"""Who may touch what: what is kept of peers, games and tables changes by methods of its owner."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ugs import broker
from ugs.broker.state.connection import CHANGES, Connection, Newcomer, PeerState

FOLDER = Path(broker.__file__).parent
OWNERS = {
    *("peer", "player", "master", "newcomer", "spectator", "connection", "game_type", "type", "table"),
    *("game", "turn", "history", "shown", "reasons", "earlier"),
}
"""As they are called in rules, whatever they belong to."""
WRITERS = {
    "state/server_state.py: game.phase",
    "state/server_state.py: connection.last_sent",
    "entrance/departures.py: peer.connection.peer",
}
"""The phase of a game is written by ``ServerState.enter``, what a peer was sent last by ``ServerState.send``; two that
know each other are taken apart at the end."""


def assigned(path: Path) -> Iterator[str]:
    """The attributes of such owners that a module assigns or deletes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for one in targets:
            for target in one.elts if isinstance(one, ast.Tuple) else [one]:
                if isinstance(target, ast.Attribute) and ast.unparse(target.value).rpartition(".")[2] in OWNERS:
                    yield f"{path.relative_to(FOLDER)}: {ast.unparse(target)}"


def test_no_rule_assigns_an_attribute_of_a_peer_or_a_game() -> None:
    owned = {FOLDER / "state" / name for name in ("connection.py", "history.py", "model.py", "last_shown.py")}
    found = [one for path in sorted(FOLDER.rglob("*.py")) if path not in owned for one in assigned(path)]
    assert set(found) == WRITERS


def test_an_assignment_would_be_found() -> None:
    assert "state/model.py: player.sent_version" in set(assigned(FOLDER / "state" / "model.py"))


def test_each_state_of_a_peer_has_its_row() -> None:
    assert set(CHANGES) == set(PeerState)


def test_a_peer_that_has_not_logged_in_cannot_play() -> None:
    newcomer = Connection(1, "127.0.0.1:9").peer
    assert isinstance(newcomer, Newcomer)
    with pytest.raises(LookupError, match="does not follow"):
        newcomer.becomes(PeerState.PLAYING)
