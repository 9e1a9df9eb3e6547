"""Ports that are promised: one stack each, and free again however the stack ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from dw_devstack.port_claims import PortClaims
from dw_devstack.ports import any_port, choose_port
from libs.devstack.tests.tiny import eventually

HOLDER = """
import sys, time
from pathlib import Path
from dw_devstack.port_claims import PortClaims
claims = PortClaims(Path(sys.argv[1]))
print(claims.claim(int(sys.argv[2])), flush=True)
time.sleep(60)
"""


def test_a_promised_port_is_chosen_by_nobody_else_though_nothing_listens_there(tmp_path: Path) -> None:
    default = any_port()
    first, second = PortClaims(tmp_path), PortClaims(tmp_path)
    chosen = [choose_port(default, (), claims) for claims in (first, second, first)]
    assert chosen[0] == default
    assert len(set(chosen)) == 3
    first.release()
    assert choose_port(default, (), PortClaims(tmp_path)) == default
    assert choose_port(default, (), second) != chosen[1], "what is promised once is not promised again"


def test_letting_go_leaves_no_file_behind(tmp_path: Path) -> None:
    claims = PortClaims(tmp_path)
    assert [claims.claim(port) for port in (5, 6, 5)] == [True, True, False]
    claims.release(5)
    assert [path.name for path in tmp_path.iterdir()] == ["6"]
    claims.release()
    assert list(tmp_path.iterdir()) == []


def test_a_promise_ends_with_the_process_that_made_it(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path), "7"], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    ours = PortClaims(tmp_path)
    assert not ours.claim(7)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    eventually(lambda: ours.claim(7))
