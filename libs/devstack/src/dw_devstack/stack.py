"""The whole stack: Kafka, PostgreSQL, schema, topics, seven services; up once, down without a trace.

One supervisor owns a state folder (a lock that the kernel drops however it ends). Everything is a child of it, binds
to loopback, and ends with it.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Final

import httpx

from dw_contracts.settings import ALL, ServiceSettings
from dw_contracts.topics import OPERATOR, SERVICES
from dw_devstack.child import Child, Command, process_leash
from dw_devstack.declared import topic_specs
from dw_devstack.errors import AlreadyRunning, StartError
from dw_devstack.jars import Report
from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_admin import apply_acls, create_topics
from dw_devstack.paths import Home, write_private
from dw_devstack.ports import choose_port
from dw_devstack.postgres import PostgresServer
from dw_devstack.process_table import ProcessId
from dw_devstack.product import DATABASE, MODULES, Addresses, Product
from dw_store.migrate import bootstrap, migrate

READY_TIMEOUT: Final = 90.0
STOP_TIMEOUT: Final = 15.0
WATCH_SECONDS: Final = 0.5
FIRST_BACKOFF: Final = 0.5
LONGEST_BACKOFF: Final = 15.0
CALM_SECONDS: Final = 30.0
DEFAULT_KAFKA: Final = 9092
DEFAULT_POSTGRES: Final = 5432

Progress = Callable[[str], Report]
"""Gives a report for the part of that name."""


@dataclass(frozen=True, slots=True)
class State:
    """What is written for `dw status`, `dw down` and everybody who wants to talk to the stack."""

    supervisor: int
    supervisor_started: float
    kafka: str
    postgres_port: int
    ports: dict[str, int]
    pids: dict[str, int]

    @property
    def addresses(self) -> Addresses:
        return Addresses(self.kafka, self.postgres_port, self.ports)

    @property
    def owner(self) -> ProcessId:
        """The supervising process; its start time tells a recycled id."""
        return ProcessId(self.supervisor, self.supervisor_started)


@dataclass(slots=True)
class _Service:
    settings: type[ServiceSettings]
    child: Child
    wanted: bool = True
    restarts: int = 0
    backoff: float = FIRST_BACKOFF
    due: float | None = None


@dataclass(slots=True)
class StackOptions:
    """Ports 0 ask for any free one; `fast` is for tests; `overrides` are DW_ variables for all services."""

    kafka_port: int = DEFAULT_KAFKA
    postgres_port: int = DEFAULT_POSTGRES
    any_ports: bool = False
    fast: bool = False
    services: tuple[str, ...] = SERVICES
    overrides: dict[str, str] = field(default_factory=dict)


class Stack:
    """The supervisor's side. Use `with Stack(home).running(progress):`."""

    def __init__(self, home: Home, options: StackOptions | None = None) -> None:
        self.home = home.create()
        self.options = options or StackOptions()
        self.product = Product(home)
        self._lock: IO[str] | None = None
        self._services: dict[str, _Service] = {}
        self._watching = threading.Event()
        self._guard = threading.RLock()
        self.addresses = self._choose_ports()
        self.kafka = KafkaServer(
            home.data / "kafka",
            home.log("kafka"),
            port=int(self.addresses.kafka.rpartition(":")[2]),
            controller_port=self._controller_port,
            passwords=self.product.kafka_passwords(),
        )
        self.postgres = PostgresServer(
            home.data / "postgres",
            home.log("postgres"),
            port=self.addresses.postgres_port,
            password=self.product.superuser_password(),
            fast=self.options.fast,
        )

    @contextmanager
    def running(self, progress: Progress) -> Iterator[Stack]:
        """Up inside, down afterwards, whatever happens."""
        self._own()
        try:
            self.up(progress)
            yield self
        finally:
            self.down(progress)

    def up(self, progress: Progress) -> None:
        """Start every part that does not run yet; returns when all services are ready."""
        self._start_infrastructure(progress)
        self._write_state()
        for cls in ALL:
            if cls.service in self.options.services:
                self._start(cls)
        threading.Thread(target=self._watch, name="watch", daemon=True).start()
        for name in self._services:
            report = progress(name)
            report("starting")
            self.wait_ready(name)
            report(f"ready at {self.addresses.url(name)}")
        self._write_state()

    def down(self, progress: Progress | None = None) -> None:
        """Stop services first, then Kafka and PostgreSQL; nothing that was accepted is lost."""
        self._watching.set()
        with self._guard:
            for service in self._services.values():
                service.wanted = False
        stoppers = [
            threading.Thread(target=s.child.stop, args=(STOP_TIMEOUT,)) for s in self._services.values()
        ]
        for thread in stoppers:
            thread.start()
        for thread in stoppers:
            thread.join()
        for name, stop in (("kafka", self.kafka.stop), ("postgres", self.postgres.stop)):
            if progress is not None:
                progress(name)("stopping")
            stop()
        process_leash().release()
        self.home.state_file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def wait_ready(self, name: str, timeout: float = READY_TIMEOUT) -> None:
        """Wait for a service's readiness; StartError with the end of its log if it does not come."""
        url = self.addresses.url(name) + "/health/ready"
        deadline = time.monotonic() + timeout
        while not _ok(url):
            service = self._services[name]
            if time.monotonic() > deadline or (service.child.returncode == 2 and not service.child.running):
                raise service.child.failure(f"{name} did not become ready")
            time.sleep(0.1)

    def kill9(self, name: str) -> None:
        """As in a crash; the watch brings it back."""
        with self._guard:
            self._services[name].child.kill9()

    def restart(self, name: str, *, hard: bool = False) -> None:
        """Stop and start a service at once, without backoff; `hard` kills it."""
        with self._guard:
            service = self._services[name]
            service.child.kill9() if hard else service.child.stop(STOP_TIMEOUT)
            service.due = None
            service.child.start()
            service.restarts += 1

    def stop_service(self, name: str) -> None:
        """Stop it and keep it so."""
        with self._guard:
            self._services[name].wanted = False
            self._services[name].child.stop(STOP_TIMEOUT)

    def start_service(self, name: str) -> None:
        """Start it again."""
        with self._guard:
            self._services[name].wanted = True
            self._services[name].child.start()

    def log_of(self, name: str) -> Path:
        """Its log file."""
        return self.home.log(name)

    def _choose_ports(self) -> Addresses:
        taken: set[int] = set()

        def choose(default: int) -> int:
            port = choose_port(0 if self.options.any_ports else default, taken)
            taken.add(port)
            return port

        kafka = choose(self.options.kafka_port)
        self._controller_port = choose(self.options.kafka_port + 1)
        postgres = choose(self.options.postgres_port)
        ports = {cls.service: choose(cls.default_port) for cls in ALL}
        return Addresses(f"127.0.0.1:{kafka}", postgres, ports)

    def _own(self) -> None:
        self._lock = self.home.lock_file.open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            self._lock = None
            raise AlreadyRunning(
                f"a stack is running on {self.home.root}: see dw status, or dw down"
            ) from None

    def _start_infrastructure(self, progress: Progress) -> None:
        failures: list[BaseException] = []

        def start_kafka() -> None:
            try:
                report = progress("kafka")
                self.kafka.start(report)
                specs = topic_specs()
                create_topics(self.kafka.login(), specs)
                apply_acls(self.kafka.login(), specs, (*SERVICES, OPERATOR))
                report(f"ready at {self.kafka.bootstrap}, {len(specs)} topics")
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=start_kafka)
        thread.start()
        try:
            report = progress("postgres")
            self.postgres.start(report)
            self.postgres.create_database(DATABASE)
            admin = self.product.admin_dsn(self.postgres.port)
            bootstrap(admin, self.product.database_passwords())
            report(f"ready at 127.0.0.1:{self.postgres.port}, schema {migrate(admin)}")
        finally:
            thread.join()
        if failures:
            raise failures[0]

    def _start(self, cls: type[ServiceSettings]) -> None:
        environment = {**self.product.environment(cls, self.addresses), **self._overrides(cls)}
        command = Command([sys.executable, "-m", MODULES[cls.service]], environment, cwd=self.home.root)
        service = _Service(cls, Child(cls.service, command, self.home.log(cls.service)))
        self._services[cls.service] = service
        service.child.start()

    def _overrides(self, cls: type[ServiceSettings]) -> dict[str, str]:
        """Variables of other services would be refused by nobody, but only clutter."""
        prefix = f"DW_{cls.service.upper()}_"
        others = tuple(f"DW_{other.service.upper()}_" for other in ALL if other is not cls)
        return {
            name: value
            for name, value in self.options.overrides.items()
            if name.startswith(prefix) or not name.startswith(others)
        }

    def _watch(self) -> None:
        """Bring back what crashed, with growing waits; what was told to stop stays down."""
        while not self._watching.wait(WATCH_SECONDS):
            with self._guard:
                for service in self._services.values():
                    if service.wanted and not service.child.running:
                        _bring_back(service)
                    elif service.child.uptime > CALM_SECONDS:
                        service.backoff = FIRST_BACKOFF

    def _write_state(self) -> None:
        me = ProcessId.of(os.getpid())
        children = {"kafka": self.kafka.child, "postgres": self.postgres.child}
        children |= {name: service.child for name, service in self._services.items()}
        state = State(
            supervisor=os.getpid(),
            supervisor_started=me.started if me else 0.0,
            kafka=self.addresses.kafka,
            postgres_port=self.addresses.postgres_port,
            ports=dict(self.addresses.ports),
            pids={name: child.pid for name, child in children.items() if child.pid is not None},
        )
        write_private(self.home.state_file, json.dumps(asdict(state), indent=1))


def read_state(home: Home) -> State | None:
    """The running stack of this state folder, if there is one."""
    with suppress(FileNotFoundError, json.JSONDecodeError, TypeError):
        state = State(**json.loads(home.state_file.read_text("utf-8")))
        if state.owner.alive:
            return state
    return None


def _bring_back(service: _Service) -> None:
    now = time.monotonic()
    if service.due is None:
        service.due = now + service.backoff
        service.backoff = min(LONGEST_BACKOFF, service.backoff * 2)
    elif now >= service.due:
        service.due = None
        service.restarts += 1
        with suppress(StartError):
            service.child.start()


def _ok(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5.0).status_code == 200
    except httpx.HTTPError:
        return False
