"""Tokens and their hashes."""

import secrets
import sys
from pathlib import Path

import pytest

from ugs.token_key import key_of
from ugs.tokens import TokenError, digest_of, fits, new_token, others_may_read, read_token


def test_no_two_tokens_are_the_same_and_none_looks_like_an_option() -> None:
    made = {new_token() for _ in range(1000)}
    assert len(made) == len({key_of(token) for token in made}) == 1000
    assert {len(token) for token in made} == {40}
    assert not any(token.startswith("-") for token in made)


def test_one_that_would_look_like_an_option_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter(["-a", "ab"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(made))
    assert new_token() == "ab"


@pytest.mark.parametrize("made_here", [False, True])
def test_a_hash_fits_its_secret_alone_and_does_not_show_it(made_here: bool) -> None:
    digest = digest_of("sécret \udc80", made_here=made_here)
    assert digest.startswith("$argon2id$v=19$m=1024," if made_here else "$argon2id$v=19$m=19456,t=2,p=1$")
    assert fits(digest, "sécret \udc80")
    assert not fits(digest, "sécret ")
    assert "cret" not in digest
    assert digest_of("same", made_here=True) != digest_of("same", made_here=True)


def test_a_text_that_is_no_hash_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TokenError, match="its hash cannot be used"):
        fits("plain", "plain")


def test_where_nothing_checks_hashes_the_way_to_get_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = digest_of("secret", made_here=True)
    monkeypatch.setitem(sys.modules, "argon2", None)
    with pytest.raises(TokenError, match=r'pip install "ugs\[tokens\]"'):
        fits(digest, "secret")


def test_without_room_for_a_hash_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from argon2 import PasswordHasher
    from argon2.exceptions import HashingError

    def fails(*_: object) -> str:
        raise HashingError("Memory allocation error")

    monkeypatch.setattr(PasswordHasher, "hash", fails)
    with pytest.raises(TokenError, match="Memory allocation error"):
        digest_of("secret")


def test_the_token_in_a_file_is_its_only_line(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("  s3cret\n")
    file.chmod(0o600)
    assert read_token(file) == "s3cret"
    file.write_text("ann\ts3cret\n")
    assert read_token(file) == "s3cret", "as ugs token add prints it"
    assert not others_may_read(file)
    file.chmod(0o644)
    assert others_may_read(file)
    assert not others_may_read(tmp_path / "none")


@pytest.mark.parametrize("content", [b"", b"\n", b"a\nb", b"s" * 129, b"\xff", b"s" * 100_000])
def test_what_is_no_token_is_not_shown(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "token"
    file.write_bytes(content)
    with pytest.raises(TokenError) as error:
        read_token(file)
    assert str(error.value) in (
        f"{file}: is no token: one line of 1 to 128 characters is wanted",
        f"{file}: not UTF-8",
    )


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenError, match="none: cannot be read: No such file"):
        read_token(tmp_path / "none")
