"""Ports: the usual one, else the next that nobody holds."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from dw_devstack.ports import LOOPBACK, any_port, choose_port, is_free, is_listening


@pytest.fixture
def held() -> Iterator[int]:
    """A port with a server on it."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        yield listener.getsockname()[1]


def test_the_default_is_taken_when_free() -> None:
    port = any_port()
    assert choose_port(port) == port


def test_the_next_free_port_follows_a_taken_one(held: int) -> None:
    chosen = choose_port(held)
    assert chosen > held
    assert is_free(chosen)


def test_a_port_promised_to_another_part_is_not_chosen_twice() -> None:
    port = any_port()
    assert choose_port(port, {port}) > port


def test_zero_asks_for_any_port() -> None:
    assert choose_port(0) >= 1024


def test_a_server_on_all_addresses_takes_the_port_too() -> None:
    with socket.create_server(("", 0)) as listener:
        assert not is_free(listener.getsockname()[1])


def test_listening_tells_a_server_from_silence(held: int) -> None:
    assert is_listening(held)
    assert not is_listening(any_port())


def test_no_free_port_is_an_error_not_a_wrong_port() -> None:
    with pytest.raises(OSError, match="no free port"):
        choose_port(65535, {65535})
