"""PostgreSQL as a child process, on loopback TCP only, with a password from the start.

postgres = PostgresServer(home.data / "postgres", home.log("postgres"), port=5432, password="…", fast=False)
postgres.start(report)                       # initdb the first time, start, wait until it serves
postgres.create_database("dw")               # True if it was made now
postgres.url("dw")                           # postgresql://postgres:…@127.0.0.1:5432/dw
postgres.url("dw", "dw_app", "its password")
postgres.stop()
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from dw_devstack.child import NOBODY, Child, Command
from dw_devstack.errors import StackError, StartError
from dw_devstack.jars import Report, silent
from dw_devstack.ports import LOOPBACK, is_listening
from dw_devstack.postgres_user import Privileges, own, runner

SUPERUSER: Final = "postgres"
START_TIMEOUT: Final = 60.0
STOP_TIMEOUT: Final = 20.0
COMMAND_TIMEOUT: Final = 120.0
SETTINGS: Final = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",  # TCP alone: a socket's path may not be longer than 107 bytes
    "shared_preload_libraries": "pg_stat_statements",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %q%u@%d ",
    "jit": "off",
}
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
FAST: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""Not even a crash of the machine is survived: for tests alone. A crash of PostgreSQL itself still is."""


class PostgresServer:
    """The superuser is `postgres` with `password`; scram-sha-256 is asked of everyone, from loopback too."""

    def __init__(
        self,
        data: Path,
        log: Path,
        *,
        port: int,
        password: str,
        fast: bool = False,
        privileges: Privileges | None = None,
    ) -> None:
        self.port = port
        self._password = password
        self._runner = runner(data, privileges)
        settings = SETTINGS | (FAST if fast else {}) | {"port": str(port)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        argv = self._runner.argv("postgres", "-D", str(self._runner.data), *options)
        self.child = Child("postgres", self._command(argv), log)

    @property
    def running(self) -> bool:
        return self.child.running

    def url(self, database: str, user: str = SUPERUSER, password: str | None = None) -> str:
        secret = self._password if password is None else password
        return f"postgresql://{quote(user)}:{quote(secret, safe='')}@{LOOPBACK}:{self.port}/{quote(database)}"

    def start(self, report: Report = silent, timeout: float = START_TIMEOUT) -> None:
        """Bring it up and wait until it serves; does nothing if it runs. Raises StartError."""
        if self.child.running:
            return
        if not (self._runner.data / "PG_VERSION").exists():
            report("making its data folder")
            self._initdb()
        report("starting")
        self.child.start()
        self.wait_ready(timeout)

    def wait_ready(self, timeout: float = START_TIMEOUT) -> None:
        self.child.wait_ready(self._ready, timeout)

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """Fast shutdown: open transactions are rolled back, committed ones are on disk."""
        self.child.stop(timeout)

    def kill9(self) -> None:
        """Die as in a crash, with all its backends. `restart()` recovers from the log on the same port."""
        self.child.kill9()

    def restart(self, report: Report = silent) -> None:
        self.stop()
        self.start(report)

    def create_database(self, name: str) -> bool:
        """Make the database unless it exists; True if it was made now."""
        known = self._psql("SELECT datname FROM pg_database ORDER BY datname").splitlines()
        if name in known:
            return False
        self._psql('CREATE DATABASE "{}"'.format(name.replace('"', '""')))
        return True

    def drop_database(self, name: str) -> None:
        """Drop it with whoever is connected; nothing if it does not exist."""
        self._psql('DROP DATABASE IF EXISTS "{}" WITH (FORCE)'.format(name.replace('"', '""')))

    def discard(self) -> None:
        """Delete its data folder, wherever that lies; it must not run."""
        if self.child.running:
            raise StackError("PostgreSQL runs: stop it before its data are deleted")
        shutil.rmtree(self._runner.data, ignore_errors=True)

    def _psql(self, statement: str) -> str:
        where = ("-h", LOOPBACK, "-p", str(self.port), "-U", SUPERUSER, "-d", "postgres")
        argv = self._runner.argv("psql", "-XAtqw", "-v", "ON_ERROR_STOP=1", *where, "-f", "-")
        return self._run(argv, StackError, statement, {"PGPASSWORD": self._password})

    def _initdb(self) -> None:
        data = self._runner.data
        own(data, self._runner)
        with tempfile.TemporaryDirectory(dir=data.parent) as scratch:
            file = Path(scratch) / "password"
            file.touch(mode=0o600)
            file.write_text(self._password + "\n", encoding="utf-8")
            if self._runner.as_nobody:
                for path in (Path(scratch), file):
                    os.chown(path, NOBODY, NOBODY)
            options = (
                "-U",
                SUPERUSER,
                "--auth=scram-sha-256",
                f"--pwfile={file}",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
            )
            self._run(self._runner.argv("initdb", "-D", str(data), *options, "--no-sync"), StartError)

    def _run(
        self, argv: list[str], failure: type[StackError], text: str = "", env: Mapping[str, str] = NOTHING
    ) -> str:
        command = self._command(argv)
        user = NOBODY if command.as_nobody else None
        done = subprocess.run(
            argv,
            env={**command.env, **env},
            cwd="/" if command.as_nobody else None,
            input=text,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT,
            check=False,
            user=user,
            group=user,
            extra_groups=[] if command.as_nobody else None,
        )
        if done.returncode != 0:
            raise failure(
                f"PostgreSQL refused: {argv[len(self._runner.prefix)]} failed:\n{done.stdout}{done.stderr}".strip()
            )
        return done.stdout

    def _command(self, argv: list[str]) -> Command:
        """Without the caller's PG… variables, which would steer the programs elsewhere."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return Command(argv, env=env, stop_signal=signal.SIGINT, as_nobody=self._runner.as_nobody)

    def _ready(self) -> bool:
        """The last line of its pid file says so; the port is asked as well, for the file may be a dead server's."""
        identity = self.child.identity
        try:
            lines = (self._runner.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except OSError:
            return False
        mine = identity is not None and bool(lines) and lines[0] == str(identity.pid)
        return mine and len(lines) >= 8 and lines[7].strip() == "ready" and is_listening(self.port)
