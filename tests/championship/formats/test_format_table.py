"""The table of formats."""

from typing import get_args

import pytest

from tests.championship.playing import names, plan
from ugs.championship.formats.format_table import FORMATS, MAX_GAMES, make
from ugs.championship.plan import Plan, PlanError


def test_every_format_that_a_plan_can_name_is_in_the_table() -> None:
    assert set(FORMATS) == set(get_args(Plan.fields()["format"].annotation))


@pytest.mark.parametrize("form", FORMATS)
def test_a_schedule_knows_its_plan_its_field_and_its_seats(form: str) -> None:
    schedule = make(plan(format=form), names(6), 3)
    assert type(schedule) is FORMATS[form]
    assert (schedule.plan.format, list(schedule.field), schedule.seats) == (form, names(6), 3)
    assert not schedule.finished


@pytest.mark.parametrize(
    ("field", "seats", "keys", "words"),
    [
        (["ann"], 2, {}, "1 in the field; a championship needs at least 2"),
        (["ann", "ann"], 2, {}, "the same nick twice"),
        (["ann", "ben"], 3, {}, "seats = 3: the field has 2; allowed: 2 to 2"),
        (["ann", "ben", "cat"], 1, {}, "seats = 1: the field has 3; allowed: 2 to 3"),
        (["ann", "ben"], 2, {"format": "gauntlet", "champion": "cat"}, "champion = 'cat': not in the field"),
        (names(200), 2, {"repeats": 1000}, f"repeats = 1000: that is 19900000 games or more; allowed: {MAX_GAMES}"),
        (names(200), 4, {"repeats": 1000}, "repeats = 1000: that is "),
        (names(1100), 2, {"format": "league", "rounds": 1}, "league: 604450 games or more in one group"),
        (names(900), 2, {"repeats": 1000, "format": "gauntlet"}, "repeats = 1000: that is 899000 games or more"),
    ],
)
def test_what_does_not_fit_together_is_named(field: list[str], seats: int, keys: dict[str, object], words: str) -> None:
    with pytest.raises(PlanError) as caught:
        make(plan(**keys), field, seats)
    assert words in str(caught.value)
