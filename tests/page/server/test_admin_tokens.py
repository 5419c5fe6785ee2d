"""The tokens of organisers."""

import hmac
from pathlib import Path

import pytest

from ugs.page.server.admin_tokens import (
    MAX_BYTES,
    MIN_CHARACTERS,
    NAMELESS,
    KeysError,
    find,
    others_may_read,
    read_keys,
)

EVE, BOB = "e" * MIN_CHARACTERS, "b" * MIN_CHARACTERS


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "tokens"
    path.write_text(text)
    return path


def test_names_and_tokens(tmp_path: Path) -> None:
    known = read_keys(file(tmp_path, f"# who\n\n eve\t{EVE} \nbob {BOB}\n"))
    assert [key.name for key in known] == ["eve", "bob"]
    found = find(known, BOB)
    assert found is not None
    assert found.name == "bob"
    assert find(known, EVE + "e") is None
    assert EVE not in str(known), "only hashes are kept"


def test_a_token_alone(tmp_path: Path) -> None:
    (key,) = read_keys(file(tmp_path, EVE + "\n"))
    assert key.name == NAMELESS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no token in it"),
        ("# nobody", "there is no token in it"),
        ("eve short", "a token has at least 20 characters, as of: openssl rand -hex 20"),
        (f"{EVE}\nbob {BOB}", "a line is NAME TOKEN"),
        (f"eve {EVE} more", "a line is NAME TOKEN"),
        ("#" * (MAX_BYTES + 1), "has more than 65536 bytes"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(KeysError, match=words):
        read_keys(file(tmp_path, text))


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match="cannot be read: No such file"):
        read_keys(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff" * 30)
    with pytest.raises(KeysError, match="not UTF-8"):
        read_keys(tmp_path / "bytes")


def test_all_are_compared_in_constant_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = read_keys(file(tmp_path, f"eve {EVE}\nbob {BOB}\n"))
    compared = []
    really = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return really(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    for token in (EVE, "", "x" * 1000):
        compared.clear()
        find(known, token)
        assert compared == [(32, 32), (32, 32)]


def test_who_can_read_it(tmp_path: Path) -> None:
    path = file(tmp_path, EVE)
    path.chmod(0o600)
    assert not others_may_read(path)
    path.chmod(0o640)
    assert others_may_read(path)
    assert not others_may_read(tmp_path / "none")
