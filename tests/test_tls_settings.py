"""The table ``[tls]`` of the settings."""

import tomllib

import pytest

from ugs.config import Config, ConfigError, parse
from ugs.tls_settings import TlsSettings


def read(text: str) -> Config:
    """The settings of a file with this table."""
    return parse(tomllib.loads(f"[tls]\n{text}"), "here")


@pytest.mark.parametrize("name", sorted(TlsSettings.fields()))
def test_every_setting_is_explained(name: str) -> None:
    assert TlsSettings.fields()[name].description


def test_a_certificate_is_enough() -> None:
    tls = read('certificate = "server.pem"').tls
    assert (tls.certificate, tls.game, tls.http, tls.gateways) == ("server.pem", True, True, True)
    assert read('certificate = "server.pem"\nplain_game = "[::1]:0"').tls.plain_game == "[::1]:0"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('key = "key.pem"', "key is for TLS, which needs a certificate"),
        ('client_ca = "ca.pem"', "client_ca is for TLS, which needs a certificate"),
        ('plain_http = "127.0.0.1:1"', "plain_http is for TLS, which needs a certificate"),
        ('certificate = "x"\nplain_game = "4748"', "tls.plain_game = '4748': not HOST:PORT; allowed"),
        ('certificate = "x"\nplain_http = "here:99999"', "tls.plain_http = 'here:99999': not HOST:PORT; allowed"),
        ('certificat = "x"', "unknown key tls.certificat (did you mean 'certificate'?)"),
        ("game = 1", "tls.game = 1: allowed: true or false"),
    ],
)
def test_a_wrong_setting_is_named(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read(text)
    assert words in str(refused.value)
