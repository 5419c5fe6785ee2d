"""Games that their players go on with another time: kept in a folder by the master, and found there again."""

import json
import os
import random
import stat
from pathlib import Path
from typing import Any

import pytest

from game_masters.kit.client import Note, Send
from game_masters.kit.master import Master
from game_masters.kit.resuming import RESUME, NoShelf, NotKept, Shelf
from game_masters.kit.rules import AnyGame, Kept
from game_masters.kit.seating import Impossible
from game_masters.kit.suspended_games import MAX_KEPT, Folder
from game_masters.titan import GAME as TITAN
from ugs.wire.extensions import (
    MAX_SETUP,
    Failed,
    Family,
    Hello,
    Labels,
    Moved,
    OfferedOption,
    Offers,
    PastMove,
    Restore,
    Views,
)
from ugs.wire.messages import BeginGame, Choice, LoginResponse, Message

FAMILIES = (Family.TABLE, Family.RESTORE, Family.VIEWS)
SUSPEND = b"<move><suspend/></move>"
KEPT = Kept("c" * 24, ("ann", "bob"), 2, "players = 2\n")


def master(shelf: Shelf | None, game: AnyGame = TITAN) -> tuple[Master[Any, Any], list[Message]]:
    """A master that has logged in, and what it has said after that."""
    found: Master[Any, Any] = Master(
        game, game.choose_options({}), id="m", chance=lambda text: random.Random(text), shelf=shelf
    )
    found.connected()
    found.received(Hello(FAMILIES))
    return found, sent(found.received(LoginResponse()))


def sent(effects: list[Any]) -> list[Message]:
    """The messages among effects."""
    return [effect.message for effect in effects if isinstance(effect, Send)]


def notes(effects: list[Any]) -> list[str]:
    """The events that are logged."""
    return [effect.event for effect in effects if isinstance(effect, Note)]


def begun(code: str = "", *, players: tuple[str, ...] = ("ann", "bob"), id: str = "g1", seats: int = 0) -> BeginGame:
    """A game at a table, with a code if one is given."""
    options = (Choice(RESUME, code),) if code else ()
    return BeginGame(id, players, options, seats, "a seed")


def asked_in(said: list[Message]) -> str:
    """Who is asked."""
    (views,) = [message for message in said if isinstance(message, Views)]
    (nick,) = views.next_players
    return nick


def kept_by(leader: Master[Any, Any]) -> tuple[str, list[PastMove]]:
    """Play until both have agreed; return the code of the game and what was played."""
    nick = asked_in(sent(leader.received(begun())))
    moves = []
    for payload in (SUSPEND, b'<move><color color="Red"/></move>', SUSPEND):
        said = leader.received(Moved("g1", nick, payload))
        moves.append(PastMove(nick, payload))
        (views,) = [message for message in sent(said) if isinstance(message, Views)]
        public = next(view.payload for view in views.views if not view.nick)
        if b"kept=" in public:
            assert "game kept for another time" in notes(said)
            return public.split(b'kept="')[1].split(b'"')[0].decode(), moves
        nick = views.next_players[0]
    raise AssertionError("they have not agreed")


def test_an_agreement_is_kept_and_goes_on_at_another_table_in_whatever_order_they_sit(tmp_path: Path) -> None:
    leader, said = master(Folder(tmp_path / "saves"))
    (offers,) = said
    assert isinstance(offers, Offers)
    assert offers.options[-1] == OfferedOption(RESUME, "")
    code, _ = kept_by(leader)
    (file,) = (tmp_path / "saves").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = sent(leader.received(begun(code, players=("bob", "ann"), id="g2")))
    (labels,) = [message for message in again if isinstance(message, Labels)]
    assert {seat.nick for seat in labels.seats} == {"ann", "bob"}
    (views,) = [message for message in again if isinstance(message, Views)]
    shown = {view.nick: view.payload for view in views.views}
    assert b'<color name="' in shown["ann"], "it is told from its beginning"
    assert b'awaiting="color"' in shown["ann"]


def test_a_successor_with_the_same_folder_goes_on_with_it(tmp_path: Path) -> None:
    shelf = Folder(tmp_path)
    code, _ = kept_by(master(shelf)[0])
    leader, _ = master(shelf)
    first = sent(leader.received(begun(code, id="g2")))
    nick = asked_in(first)
    after = sent(leader.received(Moved("g2", nick, SUSPEND)))
    other, _ = master(shelf)
    restored = Restore("g2", ("ann", "bob"), (Choice(RESUME, code),), 0, "a seed", (PastMove(nick, SUSPEND),))
    again = sent(other.received(restored))
    assert asked_in(again) == asked_in(after)
    assert [message for message in again if isinstance(message, Failed)] == []


def test_what_is_told_of_the_past_is_kept_no_second_time(tmp_path: Path) -> None:
    leader, _ = master(Folder(tmp_path / "one"))
    _, moves = kept_by(leader)
    other, _ = master(Folder(tmp_path / "other"))
    other.received(Restore("g1", ("ann", "bob"), (), 0, "a seed", tuple(moves)))
    assert other.running == 1
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (begun("x" * 24, id="g2"), "no game is kept here under this code"),
        (begun("../../secret", id="g2"), "no game is kept here under this code"),
        (begun("CODE", players=("ann", "cyd"), id="g2"), "without bob the game does not go on"),
        (begun("CODE", players=("ann", "bob", "cyd"), id="g2"), "3 seats; the game that goes on has 2"),
    ],
)
def test_only_its_players_go_on_with_a_game(ask: BeginGame, why: str, tmp_path: Path) -> None:
    leader, _ = master(Folder(tmp_path))
    code, _ = kept_by(leader)
    given = ask.options[0].value.replace("CODE", code)
    said = sent(leader.received(begun(given, players=ask.players, id="g2")))
    (failed,) = said
    assert isinstance(failed, Failed)
    assert why in failed.text


def test_a_master_without_a_folder_keeps_nothing_and_says_so() -> None:
    leader, said = master(None)
    (offers,) = said
    assert isinstance(offers, Offers)
    assert RESUME not in [option.name for option in offers.options]
    nick = asked_in(sent(leader.received(begun())))
    leader.received(Moved("g1", nick, SUSPEND))
    other = asked_in(sent(leader.received(Moved("g1", nick, b'<move><color color="Red"/></move>'))))
    effects = leader.received(Moved("g1", other, SUSPEND))
    assert "game not kept" in notes(effects)
    (views,) = [message for message in sent(effects) if isinstance(message, Views)]
    shown = next(view.payload for view in views.views if view.nick == other)
    assert b"keeps no games for another time" in shown
    assert b"kept=" not in shown
    refused = sent(leader.received(begun("c" * 24, id="g2")))
    assert isinstance(refused[0], Failed)
    with pytest.raises(Impossible):
        NoShelf().get("c" * 24)


def test_a_file_is_there_whole_or_not_at_all_and_is_not_written_twice(tmp_path: Path) -> None:
    shelf = Folder(tmp_path)
    shelf.put(KEPT)
    assert shelf.get(KEPT.code) == KEPT
    file = tmp_path / f"{KEPT.code}.json"
    before = file.stat().st_mtime_ns
    shelf.put(KEPT)
    assert file.stat().st_mtime_ns == before
    assert [one.name for one in tmp_path.iterdir()] == [file.name]
    file.write_text(json.dumps({"seats": ["ann"]}), encoding="utf-8")
    with pytest.raises(Impossible, match="damaged"):
        shelf.get(KEPT.code)


def test_a_shelf_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_KEPT > 1000
    monkeypatch.setattr("game_masters.kit.suspended_games.MAX_KEPT", 1)
    shelf = Folder(tmp_path)
    shelf.put(KEPT)
    with pytest.raises(NotKept, match="none of them is smaller than this one"):
        shelf.put(Kept("d" * 24, KEPT.seats, 2, KEPT.fixture))
    larger = Kept("f" * 24, KEPT.seats, 2, KEPT.fixture + "x")
    shelf.put(larger)
    assert shelf.get(larger.code) == larger, "no number of short games keeps a long one from its place"
    with pytest.raises(Impossible):
        shelf.get(KEPT.code)
    with pytest.raises(NotKept, match="too long to be kept"):
        shelf.put(Kept("e" * 24, KEPT.seats, 2, "x" * (MAX_SETUP + 1)))


def test_a_disk_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(NotKept, match="No space left"):
        Folder(tmp_path).put(KEPT)
    assert list(tmp_path.iterdir()) == []
