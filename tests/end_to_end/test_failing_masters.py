"""The kits of game masters, where the code of a game fails: that game is void at once, and the master leads on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.commands.line import ugs
from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Program
from tests.kits import build, started
from ugs.commands.kits import MASTER, kits_of
from ugs.wire.messages import ChampionsList, Error, GameState, Move

IN_GO: Final = 'if move.Child("drop").Attribute("column") == "6" {\n\t\tpanic("a bug")\n\t}'
IN_PYTHON: Final = "assert b'column=\"6\"' not in tostring(move)"
BUGS: Final[Mapping[str, tuple[str, str]]] = {
    "javascript": ("  drop(column) {", '    if (column === 6) throw new Error("a bug");'),
    "python": ('        """Play the move in a `<move>` for the seat', f"        {IN_PYTHON}"),
    "go": ("func (game *connectFour) Play(", f"\t{IN_GO}"),
}
"""By language: how a line of its game begins, and what stands behind that when a disc in column 6 makes it fail."""
GIVEN_UP: Final = Error("game void: the game master has given it up: its program has failed")


def with_a_bug(path: Path, before: str, failing: str) -> None:
    """The code of a game, with a line more."""
    code = path.read_text(encoding="utf-8").replace("import Element\n", "import Element, tostring\n")
    lines = code.split("\n")
    (place,) = [number for number, line in enumerate(lines, start=1) if line.startswith(before)]
    lines.insert(place, failing)
    path.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("language", kits_of(MASTER))
def test_a_game_whose_code_fails_is_void_at_once_and_the_master_leads_on(
    serves: Serves, language: str, tmp_path: Path
) -> None:
    kit, folder = kits_of(MASTER)[language], tmp_path / "kit"
    if missing := kit.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert ugs("new", "master", "--language", language, folder).exit_code == 0
    with_a_bug(folder / kit.idea, *BUGS[language])
    build(kit, folder)
    # Who waits for the end of one of these clocks waits longer than a test may take.
    server = serves("[masters]\nmaster_timeout_s = 3600\n[clocks]\nmove_timeout_s = 3600\n")
    host, _, port = server.address.rpartition(":")
    with Program(*started(kit, folder), host, port) as master:
        master.waits_for("leading connect-four")
        peers = {nick: server.player(nick, "connect-four") for nick in ("ann", "bob")}
        for column in ("6", "0"):
            states = {}
            for nick, peer in peers.items():
                while not isinstance(state := peer.hears(), GameState):
                    assert isinstance(state, ChampionsList)
                states[nick] = state
            state = states["ann"]
            assert state.next_player is not None
            peers[state.next_player].says(Move(state.game_id, f'<move><drop column="{column}"/></move>'.encode()))
            said = [peer.hears() for peer in peers.values()]
            if column == "6":
                assert said == [GIVEN_UP, GIVEN_UP]
                master.waits_for(f"{state.game_id}: given up after move")
            else:
                assert all(isinstance(one, GameState) for one in said), "the next game goes on"
        assert server.stops() == 0
        assert master.ends() == 0, master.output
    assert server.events("wrong message") == []
