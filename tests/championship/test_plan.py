"""The plan file: its example, and the messages about mistakes."""

from datetime import date, time
from pathlib import Path

import pytest

from ugs.championship.formats.format_table import make
from ugs.championship.plan import Plan, PlanError, load_plan, parse_plan, written_out

CONF = Path(__file__).parents[2] / "conf"
LEAST = {"name": "spring", "game_type": "chess", "first": 4}


def test_the_example_is_the_code_written_out() -> None:
    assert (CONF / "championship.toml").read_text(encoding="utf-8") == written_out()


def test_the_example_is_a_plan_that_sets_every_key() -> None:
    plan = load_plan(CONF / "championship.toml")
    assert plan.given == set(Plan.fields())
    assert make(plan, plan.entrants, 2).total == 6


def test_the_example_shows_the_defaults_but_for_what_every_plan_says_itself() -> None:
    plan = load_plan(CONF / "championship.toml")
    said = {"name": plan.name, "game_type": plan.game_type, "entrants": plan.entrants}
    assert plan == Plan.read(said)


@pytest.mark.parametrize("key", Plan.fields())
def test_every_key_is_explained_with_its_unit(key: str) -> None:
    description = Plan.fields()[key].description
    assert description
    if key.endswith("_s"):
        assert "second" in description or "the same" in description


def test_a_plan_at_an_hour_knows_it() -> None:
    plan = parse_plan({"name": "spring", "game_type": "chess", "begins_at": "2030-05-01T20:00"}, "here")
    assert plan.hour is not None
    assert plan.hour.isoformat() == "2030-05-01T20:00:00"
    assert parse_plan(LEAST, "here").hour is None


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("2030-05-01T20:00:00", "2030-05-01T20:00:00"),
        ("2030-05-01 20:00:00+02:00", "2030-05-01T20:00:00+02:00"),
        ('"2030-05-01T20:00"', "2030-05-01T20:00"),
    ],
)
def test_a_time_may_be_one_of_toml_or_a_text(said: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(f'name = "spring"\ngame_type = "chess"\nbegins_at = {said}\n')
    plan = load_plan(file)
    assert plan.begins_at == text
    assert plan.hour_text.startswith("2030-05-0")
    assert plan.hour_text[-6] in "+-", "with its zone"


def test_options_of_games_are_words_of_the_wire_and_are_kept_in_the_ledger(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('name = "spring"\ngame_type = "chess"\nfirst = 2\n[options]\nboard_size = 7\nswap = true\n')
    plan = load_plan(file)
    assert plan.options == {"board_size": "7", "swap": "yes"}
    assert parse_plan(plan.plain(), "the ledger") == plan
    assert parse_plan(LEAST, "here").options == {}


def test_an_hour_that_no_clock_shows_is_told_as_it_is() -> None:
    assert parse_plan({**LEAST, "begins_at": "0001-01-01T00:00"}, "here").hour_text == "0001-01-01 00:00:00"
    assert parse_plan(LEAST, "here").hour_text == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": "red"}, ["unknown key colour", "allowed: begins_at", "void_replays"]),
        ({"name": ""}, ["name = ''", "at least 1 character"]),
        ({"name": " spring"}, ["name = ' spring'"]),
        ({"format": "cup"}, ["format = 'cup'", "'gauntlet', 'stages' or 'league'"]),
        ({"first": 0}, ["who plays is missing: give entrants, first or begins_at"]),
        ({"first": 1}, ["at least 2 entrants"]),
        ({"entrants": ["ann", "ben"]}, ["entrants and first exclude each other"]),
        ({"first": 0, "entrants": ["ann", "ann"]}, ["the same nick twice"]),
        ({"first": 0, "entrants": ["ann"]}, ["at least 2 entrants"]),
        (
            {"first": 0, "entrants": ["ann", "ben"], "format": "gauntlet", "champion": "cat"},
            ["champion = 'cat'", "not one of entrants"],
        ),
        ({"seats": 1}, ["seats = 1"]),
        ({"begins_at": date(2030, 5, 1)}, ["begins_at", "a day without an hour; write 2030-05-01T20:00"]),
        ({"begins_at": time(20)}, ["begins_at = '20:00:00'", "not a time such as"]),
        ({"format": "stages"}, ["stages and format", "need each other"]),
        ({"stages": [{"groups": 2}]}, ["stages and format", "need each other"]),
        ({"format": "stages", "stages": [{"colour": 2}]}, ["unknown key stages.0.colour"]),
        ({"round_dates": ["0001-01-01T00:00"]}, ["round_dates = '0001-01-01T00:00'", "no clock shows this time"]),
        ({"deals": "same", "deal_seed": "x", "seats": 2, "repeats": -5}, ["repeats = -5", "at least 1"]),
        ({"deals": "same", "deal_seed": "x", "seats": 2, "repeats": 1001}, ["repeats = 1001", "at most 1000"]),
        ({"deals": "same", "deal_seed": "x", "seats": 2, "repeats": True}, ["repeats = True", "a whole number"]),
        ({"round_dates": ["noon"]}, ["round_dates = 'noon'", "not a time such as"]),
        ({"round_dates": ["2030-05-02T20:00", "2030-05-01T20:00"]}, ["each must be later than the one before"]),
        ({"format": "ladder", "round_dates": ["2030-05-02T20:00"]}, ["a ladder has no rounds"]),
        ({"first": 10**9}, ["first = 1000000000", "at most 20000"]),
        ({"first": 1 << 10**5}, ["first = a number of 100001 bits"]),
        ({"seats": 10**5}, ["seats = 100000", "at most 1000"]),
        ({"void_replays": 10**5}, ["void_replays = 100000", "at most 1000"]),
        ({"late_rounds": 10**9, "format": "swiss"}, ["late_rounds = 1000000000", "at most 1000000"]),
        ({"promoted": 10**9}, ["promoted = 1000000000", "at most 20000"]),
        ({"entrants": tuple(map(str, range(20_001))), "first": 0}, ["entrants = ('0', '1'", "at most 20000 entries"]),
        ({"late_rounds": 2}, ["late_rounds = 2", "only for format = 'swiss' or 'stages'"]),
        (
            {"format": "stages", "stages": [{"format": "swiss", "groups": 2}], "late_rounds": 2},
            ["late_rounds = 2", "the first stage must be a Swiss without groups"],
        ),
        (
            {"format": "swiss", "leavers": "strike"},
            ["leavers = 'strike'", "'round-robin' or 'gauntlet'", "so these stand"],
        ),
        ({"format": "stages", "stages": [{}], "leavers": "strike"}, ["leavers = 'strike'", "format = 'stages'"]),
        ({"repeats": 2, "format": "swiss"}, ["repeats = 2", "only for format = 'round-robin', 'gauntlet' or 'league'"]),
        ({"rounds": 3}, ["rounds = 3", "only for format = 'swiss', 'ladder' or 'league'"]),
        ({"bye": "win"}, ["bye = 'win'", "only for format = 'swiss' or 'stages'"]),
        ({"best_of": 3}, ["best_of = 3", "only for format = 'knock-out'"]),
        ({"third_place": True}, ["third_place = true", "only for format = 'knock-out'"]),
        ({"divisions": 3}, ["divisions = 3", "only for format = 'league'"]),
        ({"promoted": 2}, ["promoted = 2", "only for format = 'league'"]),
        ({"champion": "ann"}, ["champion = 'ann'", "only for format = 'gauntlet'"]),
        ({"format": "knock-out", "tie_breaks": ["wins"]}, ["tie_breaks = ['wins']", "or 'gauntlet'"]),
        ({"format": "stages", "stages": [{}], "tie_breaks": ["wins"]}, ["tie_breaks is one of [[stages]]"]),
        (
            {"format": "stages", "stages": [{"format": "knock-out", "tie_breaks": ["wins"]}]},
            ["stages.0: tie_breaks = ['wins']", "only for format = 'round-robin' or 'swiss'"],
        ),
        ({"reserved": True}, ["reserved = true", "give entrants"]),
        ({"format": "stages", "stages": [{}], "best_of": 3}, ["best_of = 3", "best_of is one of [[stages]]"]),
        ({"format": "stages", "stages": [{"best_of": 3}]}, ["stages.0: best_of = 3", "only for format = 'knock-out'"]),
        ({"format": "stages", "stages": [{"format": "knock-out", "play_off": True}]}, ["stages.0: play_off = true"]),
        ({"format": "stages", "stages": [{}, {"go_on": 2}]}, ["go_on = 2", "no stage comes after the last one"]),
        ({"format": "swiss", "seats": 2, "deals": "same", "deal_seed": "x"}, ["deals: a Swiss and a ladder"]),
        ({"begins_at": "noon"}, ["begins_at = 'noon'", "2030-05-01T20:00"]),
        ({"tie_breaks": ["beauty"]}, ["tie_breaks.0 = 'beauty'"]),
        ({"return_s": -1}, ["return_s = -1"]),
        ({"best_of": 0}, ["best_of = 0", "at least 1"]),
        ({"options": 7}, ["options = 7", "allowed: a table"]),
        ({"options": {"size": [7]}}, ["options.size = [7]", "allowed: a text"]),
        ({"options": {"size": "7\n"}}, ["options.size = '7\\n'", "one line of printable characters"]),
    ],
)
def test_a_mistake_is_named_with_source_key_value_and_what_is_allowed(
    change: dict[str, object], words: list[str]
) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan({**LEAST, **change}, "spring.toml")
    for word in ["spring.toml: ", *words]:
        assert word in str(caught.value)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(PlanError, match=r"spring\.toml: game_type is missing"):
        parse_plan({"name": "spring", "first": 2}, "spring.toml")


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read: No such file"), (b"name = ", "not TOML"), (b'name = "h\xf6he"', "not UTF-8")],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "spring.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PlanError) as caught:
        load_plan(file)
    assert str(caught.value).startswith(f"{file}: {words}")
