"""Pictures on a terminal."""

import io

import pytest
from rich.console import Console

from ugs.pictures.contract import Scene, Shown, Span
from ugs.pictures.terminal import drawn, show, styled, width_of
from ugs.pictures.tree import follow


def printed(*, terminal: bool, **more: str) -> str:
    file = io.StringIO()
    console = Console(
        file=file, force_terminal=terminal, width=80, color_system="standard" if terminal else None, _environ=more
    )
    follower = follow(Scene(()))
    follower(Shown(b"<g/>"))
    show(console, follower(Shown(b"<g><a/></g>")))
    return file.getvalue()


def test_colours_where_the_terminal_has_them() -> None:
    assert printed(terminal=True) == "  g\n\x1b[1;32m+   a\x1b[0m\n"
    assert printed(terminal=False) == "  g\n+   a\n"


def test_no_colours_where_nobody_wants_them() -> None:
    assert "32" not in printed(terminal=True, NO_COLOR="1")


def test_unknown_styles_and_hostile_texts_do_nothing() -> None:
    text = styled([(Span("\x1b[2J[red]", "bold no-such-style link=http://example.org"),), (Span("b"),)])
    assert text.plain == "\\u{1b}[2J[red]\nb"
    assert [str(span.style) for span in text.spans] == ["bold"]


def test_blanks_at_the_end_of_lines_are_left_out() -> None:
    class Padded:
        def text(self, width: int) -> list[tuple[Span, ...]]:
            return [(Span("a  "), Span("  ")), (), (Span(f"{width}"),)]

    assert drawn(Padded(), 80, indent=2).plain == "  a\n\n  78"  # type: ignore[arg-type]


@pytest.mark.parametrize(("width", "used"), [(10, 40), (80, 80), (500, 120)])
def test_pictures_are_neither_too_narrow_nor_too_wide(width: int, used: int) -> None:
    assert width_of(Console(width=width)) == used
