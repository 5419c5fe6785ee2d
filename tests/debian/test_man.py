"""Manual pages."""

import re

from tests.debian.man import pages
from ugs.commands.app import COMMANDS

PAGES = pages()


def test_every_command_has_a_page() -> None:
    assert {f"ugs-{name}.1" for name, _ in COMMANDS} | {"ugs.1", "ugs-master.1", "ugs-bot.1"} <= set(PAGES)


def test_a_page_says_what_the_help_says() -> None:
    page = PAGES["ugs-record.1"]
    assert page.startswith('.TH "UGS-RECORD" "1"')
    assert '.SH "UGS RECORD EXPORT"' in page
    assert "\\fB\\-\\-data\\-dir, \\-\\-journal DIR|URL\\fR" in page


def test_no_text_is_taken_for_an_order() -> None:
    orders = {".TH", ".SH", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi", ".B"}
    found = {line.split()[0] for page in PAGES.values() for line in page.splitlines() if re.match(r"[.']", line)}
    assert found <= orders
