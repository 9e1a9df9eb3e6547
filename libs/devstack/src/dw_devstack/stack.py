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
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from signal import SIGINT, SIGTERM
from typing import IO, Final

from dw_contracts.settings import ALL, DetectorSettings, ServiceSettings
from dw_contracts.topics import OPERATOR, SERVICES
from dw_devstack.child import Child, Command
from dw_devstack.declared import topic_specs
from dw_devstack.errands import Errands
from dw_devstack.errors import AlreadyRunning, StackError, StartError
from dw_devstack.jars import Report, silent
from dw_devstack.kafka import KafkaServer
from dw_devstack.kafka_admin import apply_acls, create_topics
from dw_devstack.paths import Home, cache_dir, write_private
from dw_devstack.port_claims import PortClaims
from dw_devstack.ports import choose_port, is_free
from dw_devstack.postgres import PostgresServer
from dw_devstack.prices import check_version, prices_of
from dw_devstack.process_table import ProcessId, end
from dw_devstack.processes import READY_TIMEOUT, Status, Supervisor
from dw_devstack.product import DATABASE, MODULES, Addresses, Product
from dw_devstack.state import State, load_state
from dw_learning.gate.prices import PriceTable
from dw_runtime import BadSettings, load_settings
from dw_store.migrate import bootstrap, migrate

STOP_TIMEOUT: Final = 15.0
SERVER_STOP_TIMEOUT: Final = 30.0
PORT_TRIES: Final = 3
DEFAULT_KAFKA: Final = 9092
DEFAULT_POSTGRES: Final = 5432

Progress = Callable[[str], Report]
"""Gives a report for the part of that name."""


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
        self._children: list[Child] = []
        self._errands = Errands(home, self._restart_asked)
        self._state_lock = threading.Lock()
        self._prices: PriceTable | None = None
        self.moved: list[str] = []
        """Which parts are not at their usual ports, in words."""
        self._claims = PortClaims(cache_dir() / "ports")
        self._place()

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
        """Start every part that does not run yet; returns when all services are ready. Where another program takes a
        port in the meantime, all of them are chosen anew."""
        self._check_settings()
        self._end_leftovers()
        for tries_left in reversed(range(PORT_TRIES)):
            try:
                self._start(progress)
                break
            except StartError:
                self._stop_children()
                taken = [port for port in self._ports() if not is_free(port)]
                if not (taken and tries_left):
                    raise
                progress("ports")(f"{taken[0]} was taken by another program: choosing others")
                self._claims.release()
                self._place()
        self._errands.open()

    def _start(self, progress: Progress) -> None:
        self._write_state()
        for moved in self.moved:
            progress("ports")(moved)
        self._start_infrastructure(progress)
        check_version(self._prices, self.product.admin_dsn(self.postgres.port))
        wanted = [cls for cls in ALL if cls.service in self.options.services]
        for cls in wanted:
            self._services.adopt(self._child(cls))
        for cls in wanted:
            report = progress(cls.service)
            report("starting")
            self.wait_ready(cls.service, report=report)
            report(f"ready at {self.addresses.url(cls.service)}")

    def down(self, progress: Progress | None = None) -> None:
        """Stop services first, then Kafka and PostgreSQL; nothing that was accepted is lost."""
        self._errands.close()
        self._stop_children(progress)
        self._claims.release()
        self.home.state_file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _stop_children(self, progress: Progress | None = None) -> None:
        servers = (self.kafka.child, self.postgres.child)
        if progress is not None and any(child.running for child in self._children):
            progress("services")("stopping")
        self._services.close(STOP_TIMEOUT)
        if progress is not None and any(child.running for child in servers):
            progress("servers")("stopping")
        self._servers.close(SERVER_STOP_TIMEOUT)
        self.kafka.stop()  # where the start was interrupted before the watch had them
        self.postgres.stop()

    def _place(self) -> None:
        """Choose ports, and have parts that will listen there; none of them runs."""
        self._services = Supervisor(self._write_state)
        self._servers = Supervisor(self._write_state)
        self._children = []
        self.addresses = self._choose_ports()
        self.kafka = KafkaServer(
            self.home.data / "kafka",
            self.home.log("kafka"),
            port=int(self.addresses.kafka.rpartition(":")[2]),
            controller_port=self._controller_port,
            passwords=self.product.kafka_passwords(),
            fast=self.options.fast,
        )
        self.postgres = PostgresServer(
            self.home.data / "postgres",
            self.home.log("postgres"),
            port=self.addresses.postgres_port,
            password=self.product.superuser_password(),
            fast=self.options.fast,
        )

    def _ports(self) -> tuple[int, ...]:
        services = tuple(self.addresses.ports[name] for name in self.options.services)
        return (self.kafka.port, self._controller_port, self.postgres.port, *services)

    def wait_ready(self, name: str, timeout: float = READY_TIMEOUT, report: Report = silent) -> None:
        """Wait for a service's readiness; StartError with the end of its log if it does not come."""
        self._services.wait_ready(name, self.addresses.url(name) + "/health/ready", report, timeout)

    def status(self) -> tuple[Status, ...]:
        """Every process: the servers first."""
        return self._servers.status() + self._services.status()

    def kill9(self, name: str, *, stay_down: bool = False) -> None:
        """As in a crash: a service, kafka or postgres. The watch brings it back, unless it is to stay down."""
        self._watch_of(name).kill9(name, stay_down=stay_down)

    def restart(self, name: str, *, hard: bool = False) -> None:
        """Stop and start it at once, without backoff; `hard` kills it."""
        self._watch_of(name).restart(name, STOP_TIMEOUT, hard=hard)

    def _restart_asked(self, name: str) -> None:
        if name in self.options.services:  # anything else is no errand of ours
            self.restart(name, hard=True)

    def stop_service(self, name: str) -> None:
        """Stop it and keep it so."""
        self._watch_of(name).stop(name, STOP_TIMEOUT)

    def start_service(self, name: str) -> None:
        """Start it again."""
        self._watch_of(name).start(name)

    def log_of(self, name: str) -> Path:
        """Its log file."""
        return self.home.log(name)

    def _watch_of(self, name: str) -> Supervisor:
        return self._servers if name in (self.kafka.child.name, self.postgres.child.name) else self._services

    def _choose_ports(self) -> Addresses:
        """Each part has its usual port; only one whose port is taken moves, and never to the usual port of another."""
        usual = {
            "kafka": self.options.kafka_port,
            "kafka's controller": self.options.kafka_port + 1,
            "postgres": self.options.postgres_port,
            **{cls.service: cls.default_port for cls in ALL},
        }
        chosen: dict[str, int] = {}
        self.moved = []
        for part, default in usual.items():
            others = {*usual.values()} - {default} | {*chosen.values()}
            wanted = 0 if self.options.any_ports else default
            chosen[part] = port = choose_port(wanted, others, self._claims)
            if wanted and port != wanted:
                self.moved.append(f"{wanted} is taken: {part} is at {port}")
        self._controller_port = chosen["kafka's controller"]
        ports = {cls.service: chosen[cls.service] for cls in ALL}
        return Addresses(f"127.0.0.1:{chosen['kafka']}", chosen["postgres"], ports)

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

    def _check_settings(self) -> None:
        """A misspelt or impossible setting is refused before Kafka is started for it."""
        for cls in ALL:
            if cls.service in self.options.services:
                environment = {**self.product.environment(cls, self.addresses), **self._overrides(cls)}
                try:
                    settings = load_settings(cls, environment)
                except BadSettings as error:
                    raise StackError(str(error)) from None
                if isinstance(settings, DetectorSettings):
                    self._prices = prices_of(settings)

    def _end_leftovers(self) -> None:
        """If a supervisor and its guard were both killed, its children may still be there: they are ended first."""
        state = load_state(self.home)
        for name, (pid, started) in state.children.items() if state else ():
            end(ProcessId(pid, started), SIGINT if name == "postgres" else SIGTERM, STOP_TIMEOUT)

    def _start_infrastructure(self, progress: Progress) -> None:
        """Both at once. Whatever ends this before they are ready, a signal too, ends the start of Kafka at once: its
        thread is left behind, since it may be in a call that cannot be broken off."""
        kafka: Future[None] = Future()
        threading.Thread(
            target=self._start_kafka, args=(progress("kafka"), kafka), name="kafka", daemon=True
        ).start()
        try:
            self._start_postgres(progress("postgres"))
            kafka.result()
        except BaseException:
            self.kafka.give_up()
            raise

    def _start_kafka(self, report: Report, done: Future[None]) -> None:
        """In a thread: what comes of it is in `done`."""
        kafka, servers, specs = self.kafka, self._servers, topic_specs()
        try:
            kafka.start(report)
            servers.adopt(kafka.child)
            create_topics(kafka.login(), specs)
            apply_acls(kafka.login(), specs, (*SERVICES, OPERATOR))
            report(f"ready at {kafka.bootstrap}, {len(specs)} topics")
        except BaseException as error:  # noqa: BLE001  # raised again where the result is asked for
            done.set_exception(error)
        else:
            done.set_result(None)

    def _start_postgres(self, report: Report) -> None:
        self.postgres.start(report)
        self._servers.adopt(self.postgres.child)
        self.postgres.create_database(DATABASE)
        admin = self.product.admin_dsn(self.postgres.port)
        bootstrap(admin, self.product.database_passwords())
        report(f"ready at 127.0.0.1:{self.postgres.port}, schema {migrate(admin)}")

    def _child(self, cls: type[ServiceSettings]) -> Child:
        environment = {**self.product.environment(cls, self.addresses), **self._overrides(cls)}
        command = Command([sys.executable, "-m", MODULES[cls.service]], environment, cwd=self.home.root)
        child = Child(cls.service, command, self.home.log(cls.service))
        self._children.append(child)
        return child

    def _overrides(self, cls: type[ServiceSettings]) -> dict[str, str]:
        """Variables of other services would be refused by nobody, but only clutter."""
        prefix = f"DW_{cls.service.upper()}_"
        others = tuple(f"DW_{other.service.upper()}_" for other in ALL if other is not cls)
        return {
            name: value
            for name, value in self.options.overrides.items()
            if name.startswith(prefix) or not name.startswith(others)
        }

    def _write_state(self) -> None:
        me = ProcessId.of(os.getpid())
        with self._state_lock:
            children = {child.name: child.identity for child in self._children}
            children |= {child.name: child.identity for child in (self.kafka.child, self.postgres.child)}
            state = State(
                supervisor=os.getpid(),
                supervisor_started=me.started if me else 0.0,
                kafka=self.addresses.kafka,
                postgres_port=self.addresses.postgres_port,
                ports=dict(self.addresses.ports),
                children={name: (one.pid, one.started) for name, one in children.items() if one is not None},
            )
            write_private(self.home.state_file, json.dumps(asdict(state), indent=1))
