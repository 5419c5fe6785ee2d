"""A place is a directory or the address of a database."""

from pathlib import Path

import pytest

from ugs.places import DatabaseUrl, foreign_address, place_of


@pytest.mark.parametrize("text", ["data", "/var/lib/ugs", "postgres", "postgresql"])
def test_a_path_is_a_directory(text: str) -> None:
    assert place_of(text) == Path(text)


@pytest.mark.parametrize("text", ["postgresql://db.example/ugs", "postgres:///ugs?host=/tmp"])
def test_an_address_is_a_database(text: str) -> None:
    assert place_of(text) == DatabaseUrl(text)
    assert str(place_of(text)) == text


def test_a_password_is_not_shown() -> None:
    place = place_of("postgresql://ugs:s3cret@db.example:5432/ugs?sslmode=require")
    assert str(place) == "postgresql://ugs:***@db.example:5432/ugs?sslmode=require"
    assert "s3cret" not in repr(place)
    assert str(place_of("postgresql://db/ugs?password=s3cret&sslmode=require")).endswith(
        "?password=***&sslmode=require"
    )
    for password in ("s3@cret", "s3&cret", "s3?cret"):
        assert str(place_of(f"postgresql://ugs:{password}@db/ugs")) == "postgresql://ugs:***@db/ugs"
    assert str(place_of("postgresql://db/ugs?password=s3@cret&port=1")) == "postgresql://db/ugs?password=***&port=1"
    assert str(place_of("postgresql://db:5432/ugs")) == "postgresql://db:5432/ugs", "there is none"


@pytest.mark.parametrize(
    "text", ["mysql://x/y", "mysql:/x/y", "POSTGRESQL://x/y", "postgresql:", "postgres:ugs", "file:/x"]
)
def test_the_address_of_something_else_is_no_place(text: str) -> None:
    assert foreign_address(text).startswith(f"{text}: is no address of a journal")


@pytest.mark.parametrize("text", ["data", "a:b", "./mysql:/x", "/a:/b", "postgresql://x/y", "postgres:///y", ""])
def test_directories_and_databases_are_no_foreign_addresses(text: str) -> None:
    assert foreign_address(text) == ""


def test_the_password_of_a_foreign_address_is_not_shown() -> None:
    assert "s3cret" not in foreign_address("mysql://me:s3cret@x/y")
