"""TOML of others: what it may cost is known before it is parsed, and no number in it is a trap."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.config import ConfigError
from ugs.toml_files import MAX_BYTES, MAX_LEVELS, MAX_MARKS, parse_toml, read_toml


class Refused(Exception):
    """What the reader of a file raises."""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = " + "[" * 100_000, "line 1: more than 16 levels"),
        ("\nx = " + "{a=" * 5000 + "1" + "}" * 5000, "line 2: more than 16 levels"),
        (".".join(["a"] * 200_000) + " = 1", "line 1: more than 16 levels"),
        (f"[{'.'.join(['a'] * 3000)}]", "line 1: more than 16 levels"),
        (f"x = [{'1,' * (MAX_MARKS + 1)}]", "line 1: more than 300000 keys, values and tables"),
        ("[[x]]\n" * MAX_MARKS, "line 75001: more than 300000 keys, values and tables"),
        ("[a]\nb = nan", "a.b = nan: not a finite number"),
        ("[[a]]\nb = [1.5, -inf]", "a[0].b[1] = -inf: not a finite number"),
        ("first = 9223372036854775808", "first = 9223372036854775808: does not fit into 64 bits"),
        ("first = -9223372036854775808", "first = -9223372036854775808: does not fit into 64 bits"),
        ("first = 0x" + "f" * 100_000, "first = a number of 400000 bits: does not fit into 64 bits"),
        ("first = " + "9" * 5000, "a number has thousands of digits"),
        ('a.b = "x\\u0000y"', r"a.b = 'x\x00y': holds a NUL, which no name and no file can"),
        ("x = ", "not TOML: Invalid value (at end of document)"),
    ],
)
def test_what_is_too_much_is_named(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        parse_toml(text)


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{"[" * 1000}"',
        f"x = '{'[' * 1000}'",
        f'x = """{"[" * 1000}\n"" \\""" {"." * 1000}"""',
        f"x = '''{'[' * 1000}'' \" {'.' * 1000}'''",
        f"# {'[' * 1000}\nx = 1",
        'x = """""a"""""\ny = [1]',
        f"x = {'[' * MAX_LEVELS}{']' * MAX_LEVELS}",
        "".join(f"x{number} = 1.5\n" for number in range(1000)),
        "x = [[1, 2.5], [true, 2030-05-01T20:00:00]]",
        "x = 9223372036854775807\ny = -9223372036854775807",
    ],
)
def test_strings_and_comments_may_hold_anything(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


@given(st.text(st.sampled_from("ab=.,[]{}\"'\\#\n 1")))
def test_any_text_is_read_as_the_library_reads_it_or_refused(text: str) -> None:
    try:
        meant = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError, match="not TOML"):
            parse_toml(text)
    else:
        assert parse_toml(text) == meant


def test_a_file_is_named_with_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    for content, why in (
        (b"a = 1\r\nb = 2\r\n", None),
        (b"a = nan", "a = nan: not a finite number"),
        (b"a = '\xff'", "not UTF-8: invalid start byte at byte 5"),
        (b"#" * (MAX_BYTES + 1), f"longer than {MAX_BYTES} bytes"),
    ):
        file.write_bytes(content)
        if why is None:
            assert read_toml(file, Refused) == {"a": 1, "b": 2}
            continue
        with pytest.raises(Refused) as refused:
            read_toml(file, Refused)
        assert str(refused.value) == f"{file}: {why}"
    with pytest.raises(Refused, match="cannot be read: Is a directory"):
        read_toml(tmp_path, Refused)


def test_a_file_without_an_end_is_read_as_far_as_a_file_may_be_long() -> None:
    with pytest.raises(Refused, match=f"/dev/zero: longer than {MAX_BYTES} bytes"):
        read_toml(Path("/dev/zero"), Refused)


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xef\xbb\xbf[server]\nport = 1\n")
    assert read_toml(path, ConfigError) == {"server": {"port": 1}}


def test_keys_are_shown_in_one_line_without_what_a_terminal_obeys() -> None:
    with pytest.raises(ValueError, match="not a finite number") as error:
        parse_toml('"\\u001b[31m\\n" = nan')
    assert str(error.value) == "\\u{1b}[31m\\n = nan: not a finite number"
