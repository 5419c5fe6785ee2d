"""Allowances for long answers: what fits, what is owed, and which addresses are remembered."""

import pytest

from ugs.broker.state.allowance import FEW_ORIGINS, Allowances, spread
from ugs.broker.state.connection import Connection, Newcomer
from ugs.config import parse


def peer(address: str) -> Newcomer:
    newcomer = Connection(1, address).peer
    assert isinstance(newcomer, Newcomer)
    return newcomer


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("192.0.2.1:4747", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("[2001:db8::1]:4747", "[2001:db8::1]"),
        ("unix", "unix"),
        ("", ""),
    ],
)
def test_connections_of_one_host_have_its_address_in_common(address: str, host: str) -> None:
    assert Connection(1, address).host == host


def test_a_message_costs_its_writing_once_and_each_sending_some() -> None:
    assert spread(100, 0) == 0
    assert spread(100, 1) == 106
    assert spread(100, 10) == 160


def test_an_answer_may_leave_a_debt_that_time_pays() -> None:
    allowances = Allowances(parse({"list_rows": 10, "list_burst": 2, "lists_per_s": 1}, "test"))
    one = peer("10.0.0.1:1")
    assert allowances.refusal(one, 0) is None
    allowances.take(one, 50, 0)  # five lists
    assert allowances.refusal(one, 3) is not None
    assert allowances.refusal(one, 3.05 + 1e-9) is None
    assert allowances.refusal(one, 100) is None
    allowances.take(one, 20, 100)
    assert allowances.refusal(one, 100) is not None, "no more than the burst has been saved up"


def test_an_address_is_remembered_while_it_owes_something() -> None:
    allowances = Allowances(parse({"list_rows": 1, "list_burst_per_ip": 10, "lists_per_s_per_ip": 1}, "test"))
    allowances.take(peer("debtor"), 9, 0)
    for number in range(FEW_ORIGINS):
        allowances.take(peer(f"10.0.{number // 256}.{number % 256}"), 1, 0)
    assert len(allowances.origins) == FEW_ORIGINS + 1
    for number in range(FEW_ORIGINS + 1):
        allowances.take(peer(f"10.1.{number // 256}.{number % 256}"), 1, 5)
    assert "debtor" in allowances.origins
    assert "10.0.0.0" not in allowances.origins
    assert len(allowances.origins) < 2 * FEW_ORIGINS
