"""The table ``[site]`` of the settings."""

import tomllib

import pytest

from ugs.config import ConfigError, parse
from ugs.page.contract import SiteSettings
from ugs.site_settings import MAX_TITLE, SiteTable


def test_every_setting_is_explained() -> None:
    assert all(field.description for field in SiteTable.fields().values())


def test_the_page_is_told_title_and_text() -> None:
    config = parse(tomllib.loads('[site]\ntitle = "Kiel"\ntext = """\nCome\nall."""'), "here")
    settings = SiteSettings.of(config)
    assert (settings.title, settings.text) == ("Kiel", "Come\nall.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('titel = "Kiel"', "unknown key site.titel (did you mean 'title'?); allowed: docs, text, title"),
        (f'title = "{"x" * (MAX_TITLE + 1)}"', "at most 80 characters"),
        ("text = 3", "allowed: a text"),
    ],
)
def test_a_mistake_is_told_with_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse(tomllib.loads(f"[site]\n{text}"), "here")
    assert words in str(raised.value)
