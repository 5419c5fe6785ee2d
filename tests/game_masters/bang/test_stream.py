"""The omniscient log as a file: the game can be rebuilt from it."""

import pytest

from game_masters.bang.stream import main, played, read, write
from game_masters.bang.views.known import Replica
from game_masters.kit.rules import Unreadable


@pytest.mark.parametrize("players", [4, 7])
def test_the_final_state_is_rebuilt_from_the_file(players: int) -> None:
    state = played(players, "3")
    replica = Replica(state.origin, None)
    for event in read(write(state.record, "g")):
        replica.take(event)
    known = replica.known()
    course = state.course
    assert {player.id: player.hand for player in course.players} == dict(replica.hands)
    assert replica.graveyard == course.piles.graveyard
    assert [(one.id, one.life, one.role, one.alive, one.winner, list(one.table)) for one in known.players] == [
        (one.id, max(0, one.life), one.role, one.alive, one.winner, one.table) for one in course.players
    ]
    assert known.context == course.log.context


def test_the_command_writes_a_stream() -> None:
    text = main(["--players", "5", "--seed", "9"])
    assert text.startswith('<stream version="2">\n<game-event game-id="game" event-id="1" type="start-game">')
    assert read(text)[-1].type == "finish-game"
    assert text == main(["--players", "5", "--seed", "9"])
    assert 'role="unknown"' not in text
    assert '<card id="0"/>' not in text


@pytest.mark.parametrize("text", ["", "<stream>", '<stream version="1"/>', "<move/>", "<!DOCTYPE stream><stream/>"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text)
