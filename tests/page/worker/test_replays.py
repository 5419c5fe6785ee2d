"""Games that have ended, position by position: what a replay costs at most."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.page.test_pages import asked, ended
from tests.why.records import entry
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Verdict
from ugs.journal.importing import store
from ugs.page.model import Server
from ugs.page.played import written_after
from ugs.page.worker import games, replays
from ugs.page.worker.replays import Replays, replay_of
from ugs.page.worker_limits import MAX_POSITION_TAGS, MAX_POSITIONS
from ugs.pictures import tree
from ugs.pictures.contract import MAX_STATE_TAGS
from ugs.record.game import GameRecord

FIVE = "5-in-line-tic-tac-toe"
WHY = "its pictures took too much memory"


def stone(number: int) -> bytes:
    """A state of five in line."""
    return b'<gameState><tac x="%d" y="%d"/></gameState>' % (number % 100, number // 100)


def wide(number: int) -> bytes:
    """A state of as many elements as a document may have."""
    return b"<gameState>%b<n n='%d'/></gameState>" % (b"<a/>" * 15_900, number)


def game(count: int, state: Callable[[int], bytes]) -> GameRecord:
    """A game of five in line with these states."""
    record = ended(0)
    shift = record.entries[0].wall_us - entry(EntryKind.BEGIN, 0).wall_us
    states = [
        entry(EntryKind.STATE, 1000 * number, seat=number % 2, audience=0b11, body=state(number))
        for number in range(count)
    ]
    entries = (record.entries[0], *(replace(one, wall_us=one.wall_us + shift) for one in states), record.entries[-1])
    assert record.result is not None
    return replace(record, game_type=FIVE, entries=entries, result=replace(record.result, game_type=FIVE))


def test_a_renderer_that_takes_too_long_is_given_up_and_the_states_are_shown_as_trees() -> None:
    record = game(30, stone)
    quick, slow = replay_of(record), replay_of(record, following_s=0.0)
    assert not quick.plain
    assert "columns" in quick.shown[20].words()
    assert slow.plain == "its pictures take more than 0 s of processor time"
    assert "as a tree" in slow.shown[20].words()
    assert [step.number for step in slow.steps] == [step.number for step in quick.steps]


def test_who_wants_no_pictures_does_not_get_those_that_are_kept() -> None:
    kept, record = Replays(), game(3, stone)
    drawn = kept.keep(record, "")
    assert kept.kept("game0", "") is drawn
    assert kept.kept("game0", "", WHY) is None
    plain = kept.keep(record, "", WHY)
    assert plain.plain == WHY
    assert kept.kept("game0", "") is kept.kept("game0", "", WHY) is plain


def test_states_that_nobody_looks_at_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hundred states of 15,900 elements: each took a tenth of a second."""
    read: list[int] = []
    real = tree.read

    def noted(payload: bytes) -> tree.State | None:
        read.append(1)
        return real(payload)

    monkeypatch.setattr(tree, "read", noted)
    replay = replay_of(game(100, wide))
    assert not read
    found = games.some_positions(replay, 1)
    assert len(found.positions) == 1 + MAX_POSITION_TAGS // wide(0).count(b"<")
    assert len(read) <= 2 * len(found.positions)


def test_cheap_positions_come_many_at_a_time() -> None:
    replay = replay_of(game(50, stone))
    assert len(games.some_positions(replay, 1).positions) == MAX_POSITIONS
    assert [one.number for one in games.some_positions(replay, 45).positions] == [45, 46, 47, 48, 49, 50]
    assert not games.some_positions(replay, 51).positions


async def test_the_page_says_why_there_are_no_pictures_and_where_everything_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store(tmp_path, game(5, stone))
    page = await asked("/game", tmp_path, id="game0")
    assert 'id="plain"' not in page.text
    assert "stage-card tree" not in page.text
    monkeypatch.setattr(replays.replay_of, "__defaults__", ("", "", 0.0))
    page = await asked("/game", tmp_path, id="game0")
    assert "shown as a tree of its states: its pictures take more than 0 s" in page.text
    assert 'in <a href="game.ugsg?id=game0" download>its record</a>' in page.text
    assert "stage-card tree" in page.text, "it can be read in its own size"


async def test_a_state_that_is_too_large_for_a_renderer_is_a_tree(tmp_path: Path) -> None:
    assert wide(0).count(b"<") > MAX_STATE_TAGS
    assert store(tmp_path, game(3, wide))
    page = await asked("/game", tmp_path, id="game0")
    assert "The state as a tree." in page.text


def test_a_departure_is_told_where_it_led_to_a_position() -> None:
    """After a time-out the list of moves had a move more than there were."""
    record = game(3, stone)
    for cause, told in (("timeout", "bob has not moved in time"), ("<any>", "bob is out")):
        left = replace(record.entries[-1], kind=EntryKind.LEFT, seat=1, text=cause)
        end = replace(record.entries[3], kind=EntryKind.OVER, seat=None, text="0:winner 1:loser")
        entries = (*record.entries[:4], left, end, record.entries[-1])
        steps = replay_of(replace(record, entries=entries)).steps
        assert (steps[-1].who, steps[-1].news) == ("", [told])
        assert told not in steps[-2].news


async def test_an_end_without_a_move_is_not_counted_as_one(tmp_path: Path) -> None:
    """After a time-out, "move 3 of 3" was shown of a game of two moves."""
    record = game(3, stone)
    left = replace(record.entries[-1], kind=EntryKind.LEFT, seat=1, text="timeout")
    end = replace(record.entries[3], kind=EntryKind.OVER, seat=None, text="0:winner 1:loser")
    entries = (*record.entries[:4], left, end, record.entries[-1])
    total = len(replay_of(replace(record, entries=entries)).steps)
    assert store(tmp_path, replace(record, entries=entries))
    where = '<span class="where">{}</span>'
    page = (await asked("/game", tmp_path, id="game0")).text
    assert where.format('<span id="at">the end</span>') in page
    assert " data-unmoved>" in page
    page = (await asked("/game", tmp_path, id="game0", at=total - 1)).text
    assert where.format(f'move <span id="at">{total - 2}</span> of {total - 2}') in page


def test_a_refused_move_is_told_where_its_player_made_another_one() -> None:
    record = game(3, stone)
    fault = replace(record.entries[2], kind=EntryKind.FAULT, seat=1, body=b"")
    steps = replay_of(replace(record, entries=(*record.entries[:3], fault, *record.entries[3:]))).steps
    assert steps[2].news[0] == "a move of bob was refused"
    assert not any("refused" in line for step in steps[:2] for line in step.news)


def test_a_move_that_broke_a_rule_is_in_the_list_as_the_one_that_ended_the_game() -> None:
    """Its time stood beside the move before, which was there twice, under the name of another player."""
    record = game(3, stone)
    assert record.result is not None
    move = replace(record.entries[2], kind=EntryKind.MOVE, seat=1, body=b"<move/>")
    over = replace(record.entries[2], kind=EntryKind.OVER, seat=None, body=stone(1))
    broken = replace(record.result, verdict=Verdict(Cause.ILLEGAL_MOVE, "bob"))
    entries = (*record.entries[:3], move, over)
    steps = replay_of(replace(record, entries=entries, result=broken)).steps
    assert (steps[-1].who, steps[-1].news[0]) == ("bob", "bob has broken a rule of the game")
    fine = replace(record.result, verdict=Verdict(Cause.FINISHED))
    assert not any("rule" in line for line in replay_of(replace(record, entries=entries, result=fine)).steps[-1].news)


def test_a_move_that_the_master_never_answered_is_the_last_one_in_the_list() -> None:
    """The list ended before it, and the move at which a master had failed was counted, but not there."""
    record = game(3, stone)
    move = replace(record.entries[2], kind=EntryKind.MOVE, seat=1, body=b"<move/>")
    replay = replay_of(replace(record, entries=(*record.entries[:-1], move, record.entries[-1])))
    nick = record.seats[1]
    assert [step.news for step in replay.steps[3:]] == [[f"{nick} moves, and the game master has not answered"]]
    assert (replay.steps[-1].who, replay.next[-1]) == (nick, [])
    assert len(replay.shown) == len(replay.steps) == 4
    fault = replace(move, kind=EntryKind.FAULT)
    assert len(replay_of(replace(record, entries=(*record.entries[:-1], move, fault, record.entries[-1]))).steps) == 3


def test_a_move_that_a_game_writes_is_marked_where_one_was_refused_before_it() -> None:
    assert written_after("1. Nf3", refused=True) == "1. Nf3, after a refused one"
    assert (written_after("1. Nf3", refused=False), written_after("", refused=True)) == ("1. Nf3", "")


def test_remarks_stand_at_the_position_before_the_move_with_a_curve_of_values() -> None:
    record = game(4, stone)
    said = [
        (1, EntryKind.REMARK, 0, b'{"value":0.5,"plan":"<left>","marks":[{"at":"1,0"}]}'),
        (2, EntryKind.OPENREMARK, 1, b'{"value":-3}'),
        (2, EntryKind.REMARK, 0, b"nonsense"),
    ]
    entries = list(record.entries)
    for place, kind, seat, body in reversed(said):
        entries.insert(place + 1, replace(record.entries[place], kind=kind, seat=seat, audience=0, body=body))
    noted = replace(record, entries=tuple(entries))
    plain, replay = replay_of(record), replay_of(noted)
    assert [step.remarks for step in replay.steps] == [["ann: 0.5 · <left>"], ["bob: -3"], [], []]
    assert [step.since_s for step in replay.steps] == [step.since_s for step in plain.steps]
    pages = [games.ended_game(Server("1", False, True), replay, {"at": at}) for at in (1, 2, 3)]
    assert [page.remarks for page in pages] == [["ann: 0.5 · <left>"], ["bob: -3"], []]
    assert "pointer-events" in pages[0].svg
    assert pages[0].curve.count("<circle") == 4, "at the end of each line, and before each name"
    assert "ann from 0.5 to 0.5; bob from -3 to -3." in pages[0].curve
    assert games.ended_game(Server("1", False, True), plain, {}).curve == ""
