"""The kits of game masters, where the code of a game fails: that game is void at once, and the master leads on."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.commands.line import ugs
from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Program
from tests.kits import build, started
from ugs.commands.kits import MASTER, kits_of
from ugs.wire.messages import ChampionsList, Error, GameState, Move

Bug = tuple[str, str]
"""How a line of a game begins, and what stands behind that."""

IN_GO: Final = 'if move.Child("drop").Attribute("column") == "6" {\n\t\tpanic("a bug")\n\t}'
IN_PYTHON: Final = "assert b'column=\"6\"' not in tostring(move), 'a bug'"


def _go(column: int, returned: str) -> str:
    last = f"last := len(game.order) - 1; last >= 0 && game.order[last].column == {column}"
    return f"\tif {last} {{\n\t\treturn {returned}\n\t}}"


def _python(column: int, returned: str) -> str:
    return f"        if self.last and self.last[0] == {column}:\n            return {returned}"


def _javascript(column: int, returned: str) -> str:
    return f'    if (this.last[0] === "{column}") return {returned};'


OOPS: Final = "<gameState><oops></gameState>"
RESULTS, STATE, SKETCH = (
    "func (game *connectFour) Ended(",
    "func (game *connectFour) State(",
    "func (game *connectFour) Sketch(",
)
PLAYED: Final = '        """Play the move in a `<move>` for the seat'
OVER: Final = '        """The result of each player once'
READ: Final = '        """What every player reads'
SEEN: Final = '        """What people see'
BUGS: Final[Mapping[str, Sequence[Bug]]] = {
    "javascript": (
        ("  drop(column) {", '    if (column === 6) throw new Error("a bug");'),
        ("  results() {", _javascript(5, '[[this.nicks[0], "winner"]]')),
        ("  results() {", _javascript(4, 'this.nicks.map((nick) => [nick, "victor"])')),
        ("  state() {", _javascript(3, f'"{OOPS}"')),
        ("  sketch() {", _javascript(2, '"<sketch><news>a & b</news></sketch>"')),
    ),
    "python": (
        (PLAYED, f"        {IN_PYTHON}"),
        (OVER, _python(5, '{self.nicks[0]: "winner"}')),
        (OVER, _python(4, 'dict.fromkeys(self.nicks, "victor")')),
        (READ, _python(3, f'"{OOPS}"')),
        (SEEN, _python(2, '"<sketch><news>a & b</news></sketch>"')),
    ),
    "go": (
        ("func (game *connectFour) Play(", f"\t{IN_GO}"),
        (RESULTS, _go(5, '&End{[]string{Winner}, "row-completed", ""}')),
        (RESULTS, _go(4, '&End{[]string{Winner, "victor"}, "row-completed", ""}')),
        (STATE, _go(3, f'"{OOPS}"')),
        (SKETCH, _go(2, '"<sketch><news>a & b</news></sketch>"')),
    ),
}
"""By language: what makes it fail when a disc falls into one of the columns 6 to 2."""
WORDS: Final[Mapping[str, str]] = {
    "6": "a bug",
    "5": "gave",
    "4": "victor",
    "3": "state() is no XML to be sent: ",
    "2": "sketch() is no XML to be sent: ",
}
"""What the master prints then, by column."""
FAULT: Final = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z (?:goroutine|Traceback|\w*Error: )", re.MULTILINE)
"""How what is printed about a fault begins."""
GIVEN_UP: Final = Error("game void: the game master has given it up: its program has failed")


def with_a_bug(path: Path, before: str, failing: str) -> None:
    """The code of a game, with a line more."""
    code = path.read_text(encoding="utf-8").replace("import Element\n", "import Element, tostring\n")
    lines = code.split("\n")
    (place,) = [number for number, line in enumerate(lines, start=1) if line.startswith(before)]
    lines.insert(place, failing)
    path.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("language", kits_of(MASTER))
def test_a_game_whose_code_fails_or_gives_what_no_server_takes_is_void_at_once_and_the_master_leads_on(
    serves: Serves, language: str, tmp_path: Path
) -> None:
    kit, folder = kits_of(MASTER)[language], tmp_path / "kit"
    if missing := kit.missing():
        pytest.skip(f"not installed: {', '.join(missing)}")
    assert ugs("new", "master", "--language", language, folder).exit_code == 0
    for bug in BUGS[language]:
        with_a_bug(folder / kit.idea, *bug)
    build(kit, folder)
    # Who waits for the end of one of these clocks waits longer than a test may take.
    server = serves(
        "[masters]\nmaster_timeout_s = 3600\nmaster_strikes = 9\n[clocks]\nmove_timeout_s = 3600\n",
        "--data-dir",
        str(tmp_path / "data"),
    )
    host, _, port = server.address.rpartition(":")
    with Program(*started(kit, folder), host, port) as master:
        master.waits_for("leading connect-four")
        peers = {nick: server.player(nick, "connect-four") for nick in ("ann", "bob")}
        failed = {}
        for column in (*WORDS, "0"):
            states = {}
            for nick, peer in peers.items():
                while not isinstance(state := peer.hears(), GameState):
                    assert isinstance(state, ChampionsList)
                states[nick] = state
            state = states["ann"]
            assert state.next_player is not None
            peers[state.next_player].says(Move(state.game_id, f'<move><drop column="{column}"/></move>'.encode()))
            said = [peer.hears() for peer in peers.values()]
            if column in WORDS:
                assert said == [GIVEN_UP, GIVEN_UP]
                failed[column] = state.game_id
                master.waits_for(f"{state.game_id}: given up after move")
                master.waits_for(f"  once more: ugs replay {state.game_id} --data-dir DIR --master ")
                _, behind = master.output.rsplit("  players: ", 1)
                assert behind.startswith(("ann, bob\n", "bob, ann\n"))
                assert f'\n  last move: <move><drop column="{column}"' in behind
                assert WORDS[column] in master.output.replace("S", "s"), "the fault in words"
                assert len(FAULT.findall(master.output)) == len(failed), "when it was"
            else:
                assert all(isinstance(one, GameState) for one in said), "the next game goes on"
        assert server.stops() == 0
        assert master.ends() == 0, master.output
    assert server.events("wrong message") == []
    command = shlex.join([*map(str, started(kit, folder)), "{host}", "{port}"])
    for column, game in failed.items():
        again = ugs("replay", game, "--data-dir", tmp_path / "data", "--master", command)
        assert again.exit_code == 1
        assert " has no answer, as in the game: the master gives the game back: " in again.output
        assert WORDS[column] in again.output.replace("S", "s")
