"""Charts: nothing in them hides or leaves out what else is in them."""

from itertools import combinations, pairwise
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from ugs.page.worker.charts import HEIGHT, LABEL, MAX_BARS, SEATS, WIDTH, course, curve, pace, paint_of
from ugs.page.worker.standings import MAX_LINES
from ugs.pictures.paint import PAINTS

SVG = "{http://www.w3.org/2000/svg}"


def test_each_seat_has_its_bars_however_many_moves_there_are() -> None:
    for number in (2, MAX_BARS, 3 * MAX_BARS, 40 * MAX_BARS):
        moves = [(at % 2, 5.0 if at % 2 else 0.1) for at in range(number)]
        bars = [one for one in fromstring(pace("p", moves, ("ann", "bob"))).iter(f"{SVG}rect") if one.get("class")]
        assert len(bars) <= MAX_BARS + 2
        for seat in (0, 1):
            assert sum(bar.get("class") == f"f-{paint_of(seat)}" for bar in bars) >= len(bars) // 2 - 1
        assert all(0 <= float(bar.get("y", "")) <= HEIGHT for bar in bars)


def test_a_chart_of_times_names_its_bars_and_writes_times_as_the_table_does() -> None:
    for number in (3, 200):
        chart = pace("p", [(at % 2, 0.025) for at in range(number)], ("ann", "bob"))
        texts = [text.text for text in fromstring(chart).iter(f"{SVG}text")]
        assert {"25 ms", "ann", "bob"} <= set(texts)


def room(text: Element) -> tuple[float, float, float]:
    """Where a text begins and ends, about, and its height."""
    x, wide = float(text.get("x", "")), 6.5 * len(text.text or "")
    begin = x - wide if text.get("text-anchor") == "end" else x
    return begin, begin + wide, float(text.get("y", ""))


@pytest.mark.parametrize("nicks", [("ann", "bob"), ("annabelle-the-first", "bobby-the-second")])
def test_no_words_below_a_short_chart_of_times_lie_on_others(nicks: tuple[str, str]) -> None:
    for number in (1, 2, 3, 4, 5, 8, 17, 18, 23, 24, 30):
        chart = fromstring(pace("p", [(at % 2, 0.1 * at) for at in range(number)], nicks))
        rooms = [room(text) for text in chart.iter(f"{SVG}text")]
        assert len(rooms) == (2 if number < 5 else 3) + min(number, 2), "no name is left out"
        height = float(chart.get("viewBox", "").split()[3])
        assert all(y < height - 3 for _, _, y in rooms)
        for (begin, end, y), (other, other_end, other_y) in combinations(rooms, 2):
            assert abs(y - other_y) >= 14 or end < other or other_end < begin, (number, begin, other)


def test_a_bar_tells_its_move_under_the_pointer_also_above_a_low_bar() -> None:
    chart = fromstring(pace("p", [(0, 0.025), (1, 9.0), (0, 70.0)], ("ann", "b<b")))
    told = {one.findtext(f"{SVG}title"): one for one in chart.iter(f"{SVG}g")}
    assert list(told) == ["move 1: ann, 25 ms", "move 2: b<b, 9.0 s", "move 3: ann, 1 min 10 s"]
    for group in told.values():
        assert max(float(one.get("height", "")) for one in group.iter(f"{SVG}rect")) == HEIGHT
    many = fromstring(pace("p", [(at % 2, 0.1 + (at == 777)) for at in range(2000)], ("ann", "bob")))
    assert "move 778: bob, 1.1 s" in [one.text for one in many.iter(f"{SVG}title")], (
        "the slowest of those that share a bar"
    )


def test_every_line_has_its_name_inside_the_chart_and_none_lies_on_another_one() -> None:
    for lines in (1, 2, 8, 14, 20):
        for ends in ([25.0] * lines, [25.0 + one for one in range(lines)], [25.0 - one / 9 for one in range(lines)]):
            series = {f"player-{at:02}-of-many": [(0.0, 20.0), (1.0, end)] for at, end in enumerate(ends)}
            texts = list(fromstring(course("p", series, "skill")).iter(f"{SVG}text"))
            names = [text for text in texts if (text.text or "").startswith("player-")]
            assert len(names) == lines
            heights = sorted(float(name.get("y", "")) for name in names)
            assert heights[0] >= 8
            assert heights[-1] <= 200.1
            apart = [after - before for before, after in pairwise(heights)]
            assert all(gap > (17.9 if lines <= 8 else 9) for gap in apart), "names of 12 units touched at 14"
            assert all(float(name.get("x", "")) < WIDTH for name in names)


def test_a_pawn_is_seen_beside_a_mate_and_the_last_value_is_drawn() -> None:
    number = 3 * MAX_BARS + 2
    values = [(0, at + 1, 3.0) for at in range(number - 1)] + [(0, number, 100.0)]
    chart = curve("p", values, ("ann", "bob"), number)
    (line,) = [path.get("d", "") for path in fromstring(chart).iter(f"{SVG}path") if "L" in path.get("d", "")]
    points = [[float(word) for word in point.split()] for point in line.removeprefix("M").split("L")]
    middle = HEIGHT / 2
    assert len(points) <= MAX_BARS + 1
    assert points[-1] == [WIDTH, LABEL]
    assert middle - points[0][1] > middle / 5


def test_a_curve_does_not_cross_the_words_at_its_side() -> None:
    chart = curve("p", [(0, 1, 9.0), (0, 2, -9.0), (0, 3, 0.0)], ("ann",), 3)
    words = {text.text: text for text in fromstring(chart).iter(f"{SVG}text")}
    (line,) = [path.get("d", "") for path in fromstring(chart).iter(f"{SVG}path") if "L" in path.get("d", "")]
    heights = [float(point.split()[1]) for point in line.removeprefix("M").split("L")]
    size = float(words["better"].get("font-size", ""))
    assert min(heights) > float(words["better"].get("y", "")) + size / 4
    assert max(heights) < float(words["worse"].get("y", "")) - size * 3 / 4


def test_a_curve_names_its_lines_as_far_as_there_is_room() -> None:
    nicks = [f"a long name of seat {number}" for number in range(9)]
    chart = curve("p", [(seat, 1, 0.5) for seat in range(9)], nicks, 2)
    circles = [circle for circle in fromstring(chart).iter(f"{SVG}circle") if circle.get("r") == "4"]
    assert 2 <= len(circles) < 9
    assert all(float(circle.get("cx", "")) < WIDTH - 40 for circle in circles)


def test_a_single_game_has_no_course() -> None:
    assert course("p", {"ann": [(0.0, 28.0)], "bob": [(1.0, 22.0)]}, "skill") == ""


def test_a_name_of_wide_letters_is_cut_where_its_room_ends_and_says_so() -> None:
    points = [(0.0, 25.0), (1.0, 26.0)]
    texts = [one.text for one in fromstring(course("p", {"W" * 32: points, "ann": points}, "skill")).iter(f"{SVG}text")]
    (cut,) = [text for text in texts if text is not None and text.startswith("W")]
    assert cut.endswith("…")
    assert len(cut) <= 11


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_no_two_lines_of_a_chart_look_alike(mode: str) -> None:
    colours = [getattr(PAINTS[paint_of(number)], mode) for number in range(len(SEATS))]
    assert len(set(colours)) == len(SEATS) == MAX_LINES
