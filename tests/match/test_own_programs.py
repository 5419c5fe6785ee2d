"""Command lines of programs of one's own."""

from ugs.match.own_programs import filled


def test_a_value_with_a_blank_stays_one_word() -> None:
    assert filled("./m '{x} y' {host} {port} {address}", ("h", 1), {"{x}": "a b"}) == ["./m", "a b y", "h", "1", "h:1"]
