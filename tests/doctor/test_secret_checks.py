"""Files of TLS and tokens."""

from pathlib import Path
from typing import Any

import pytest
import trustme

from ugs.config import Config, parse
from ugs.doctor.diagnosis import Diagnosis, Grade
from ugs.doctor.examination import count_tokens
from ugs.doctor.secret_checks import examine_secrets, is_public

NOW_S = 2_000_000_000.0
DAY_S = 86_400


def found(config: Config, now_s: float = NOW_S) -> dict[str, Diagnosis]:
    return {one.subject: one for one in examine_secrets(config, now_s, count_tokens)}


def settings(**values: Any) -> Config:
    return parse(values, "test")


@pytest.mark.parametrize(
    ("host", "public"),
    [("127.0.0.1", False), ("::1", False), ("localhost", False), ("0.0.0.0", True), ("[::]", True), ("games", True)],
)
def test_who_may_come_in_where_a_server_listens_there(host: str, public: bool) -> None:
    assert is_public(host) is public


def test_a_server_for_all_without_tls_and_tokens_is_warned_twice() -> None:
    said = found(settings(host="0.0.0.0"))
    assert [one.grade for one in said.values()] == [Grade.WARNING, Grade.WARNING]
    assert list(said) == ["TLS", "tokens"]
    assert {one.grade for one in found(settings()).values()} == {Grade.GOOD}


def test_tokens_need_a_data_directory() -> None:
    assert found(settings(auth="tokens"))["tokens"].grade is Grade.BAD


def test_from_where_tokens_mean_nothing_is_told(tmp_path: Path) -> None:
    rules = ["127.0.0.1 *", "203.0.113.0/24 ann"]
    said = found(settings(auth="tokens", data_dir=str(tmp_path), auth_addresses=rules))["tokens"]
    assert (said.grade, "without its token: 127.0.0.1 *; try" in said.text) == (Grade.GOOD, True)


def test_a_certificate_is_judged_by_its_end_and_its_key_by_who_may_read_it(tmp_path: Path) -> None:
    made = trustme.CA().issue_cert("games.example.org")
    file = tmp_path / "server.pem"
    made.private_key_and_cert_chain_pem.write_to_path(file)
    config = settings(host="0.0.0.0", tls={"certificate": str(file)})
    file.chmod(0o600)
    first = found(config, 0.0)["TLS"]
    assert (first.grade, "games.example.org" in first.text) == (Grade.GOOD, True)
    assert found(config, 99_999_999_999.0)["TLS"].grade is Grade.BAD
    file.chmod(0o644)
    assert found(config, 0.0)["TLS"].advice.startswith("chmod 600")
    file.write_text("nothing")
    assert found(config)["TLS"].grade is Grade.BAD


def test_files_of_organisers_and_of_access_are_read(tmp_path: Path) -> None:
    tokens, access = tmp_path / "tokens", tmp_path / "access.toml"
    tokens.write_text("ann " + "a" * 40 + "\n")
    tokens.chmod(0o600)
    access.write_text('[[deny]]\nname = "eve"\n')
    config = settings(admin_token_file=str(tokens), access_file=str(access))
    assert {one.grade for one in found(config).values()} == {Grade.GOOD}
    tokens.chmod(0o644)
    assert found(config)["admin_token_file"].grade is Grade.WARNING
    tokens.write_text("short\n")
    access.write_text("[[deny]]\n")
    said = found(config)
    assert (said["admin_token_file"].grade, said["access_file"].grade) == (Grade.BAD, Grade.BAD)


def test_a_file_that_this_user_may_not_read_comes_with_other_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    file = str(tmp_path / "file")
    said = found(settings(admin_token_file=file, access_file=file, tls={"certificate": file}))
    for subject in ("TLS", "admin_token_file", "access_file"):
        assert said[subject].text == f"{file}: cannot be read: Permission denied"
        assert "chown" in said[subject].advice
