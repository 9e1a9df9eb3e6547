"""What the local stack runs: the product's processes, their secrets, and the environment that each is given."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dw_contracts.settings import ALL, DatabaseSettings, ServiceSettings, variable_of
from dw_contracts.topics import OPERATOR, SERVICES
from dw_devstack.kafka_config import ADMIN
from dw_devstack.paths import Home, Secrets, write_private
from dw_store.roles import SERVICES_WITH_DATABASE, role_of

DATABASE = "digital_worker"
MODULES = {cls.service: f"dw_{cls.service}" for cls in ALL}
SUPERUSER = "postgres"
_OWNER = "owner."  # begins the names of owners' tokens


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the parts of one running stack are."""

    kafka: str
    postgres_port: int
    ports: Mapping[str, int]

    def url(self, service: str) -> str:
        """Base URL of a service."""
        return f"http://127.0.0.1:{self.ports[service]}"


class Product:
    """Secrets are made once for a state folder and stay: a second start finds its data readable."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._secrets = Secrets(home.secrets_file)

    @property
    def installation_token_file(self) -> Path:
        """C74: a file of mode 600."""
        return self.home.root / "installation-token"

    def installation_token(self) -> str:
        """May create orgs and print their owners' tokens, and nothing else."""
        token = self._secrets.get("installation_token")
        if not self.installation_token_file.exists():
            write_private(self.installation_token_file, token + "\n")
        return token

    def kept_token(self, org: str) -> str | None:
        """The owner's token that `dw apply` or the demo got for this org, if it was here that the org was made."""
        return self._secrets.find(f"{_OWNER}{org}")

    def orgs_with_token(self) -> list[str]:
        """Orgs of which such a token is kept."""
        return [name.removeprefix(_OWNER) for name in self._secrets.names() if name.startswith(_OWNER)]

    def keep_token(self, org: str, token: str) -> None:
        """Keep it with the stack's other secrets."""
        self._secrets.put(f"{_OWNER}{org}", token)

    def kafka_passwords(self) -> dict[str, str]:
        """One user a service, the operator and the broker's admin."""
        return {user: self._secrets.get(f"kafka.{user}") for user in (ADMIN, OPERATOR, *SERVICES)}

    def database_passwords(self) -> dict[str, str]:
        """By service."""
        return {service: self._secrets.get(f"postgres.{service}") for service in SERVICES_WITH_DATABASE}

    def superuser_password(self) -> str:
        """Of the local PostgreSQL."""
        return self._secrets.get("postgres.superuser")

    def admin_dsn(self, port: int, database: str = DATABASE) -> str:
        """For migrations and for looking; no service has it."""
        return f"postgresql://{SUPERUSER}:{self.superuser_password()}@127.0.0.1:{port}/{database}"

    def service_dsn(self, service: str, port: int) -> str:
        """A service's own role."""
        password = self._secrets.get(f"postgres.{service}")
        return f"postgresql://{role_of(service)}:{password}@127.0.0.1:{port}/{DATABASE}"

    def shared_variables(self, where: Addresses) -> dict[str, str]:
        """What every process gets."""
        return {
            "DW_ENV": "development",
            "DW_KAFKA_BOOTSTRAP": where.kafka,
            "DW_TRACE_DIR": str(self.home.root / "traces"),
            "DW_TRACE_SAMPLE": "1",  # one person's stack: every event can be traced
            "DW_SEAL_KEYS": f"local:{self._hex('seal')}",
            "DW_PEPPER": self._hex("pepper"),
        }

    def service_variables(self, cls: type[ServiceSettings], where: Addresses) -> dict[str, str]:
        """What one process gets besides: its own port, Kafka user and database role, and no other's."""
        service = cls.service
        values = {"port": str(where.ports[service]), "kafka_password": self._secrets.get(f"kafka.{service}")}
        if issubclass(cls, DatabaseSettings):
            values["database_url"] = self.service_dsn(service, where.postgres_port)
        if service == "panel":
            values["installation_token"] = self.installation_token()
        return {variable_of(cls, name, cls.model_fields[name]): value for name, value in values.items()}

    def environment(self, cls: type[ServiceSettings], where: Addresses) -> dict[str, str]:
        """The whole environment of a service: the user's DW_ variables win, but for the addresses of
        this stack's own servers; other services' secrets stay out."""
        base = {name: value for name, value in os.environ.items() if not name.startswith("DW_")}
        mine = {name: value for name, value in os.environ.items() if name.startswith(("DW_", "OTEL_"))}
        mine.pop("DW_HOME", None)
        shared = self.shared_variables(where)
        needed = {variable_of(cls, name, field) for name, field in cls.model_fields.items()}
        shared = {name: value for name, value in shared.items() if name in needed}
        own = self.service_variables(cls, where)
        addresses = {
            n: v for n, v in {**shared, **own}.items() if n.endswith(("_BOOTSTRAP", "_DATABASE_URL"))
        }
        return {**base, **shared, **own, **mine, **addresses}

    def environment_file(self, where: Addresses) -> str:
        """One file that serves every process (`dw config env`). Holds secrets: mode 600 wherever it is put."""
        values = self.shared_variables(where)
        for cls in ALL:
            values |= self.service_variables(cls, where)
        return "".join(f"{name}={value}\n" for name, value in values.items())

    def _hex(self, name: str) -> str:
        known = self._secrets.find(name)
        if known is None:
            known = secrets.token_hex(32)
            self._secrets.put(name, known)
        return known
