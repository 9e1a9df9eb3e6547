"""Make .env for docker-compose.yml: fresh secrets for every part. Standard library only.

    python3 deploy/compose/make_env.py

The file serves every process: compose hands each container the variables that it reads, and no other's secrets.
An existing file is left alone, since the databases were made with what stands in it.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

DATABASE = "digital_worker"
SERVICES = ("ingest", "triage", "detector", "policy", "context", "panel", "channels")
WITH_DATABASE = ("ingest", "detector", "policy", "context", "panel", "channels")


def variables() -> dict[str, str]:
    """Every variable that docker-compose.yml asks for, each secret 32 random bytes in hex."""
    admin = _secret()
    values = {
        "POSTGRES_PASSWORD": admin,
        "DW_DATABASE_ADMIN_URL": f"postgresql://postgres:{admin}@postgres:5432/{DATABASE}",
        "DW_KAFKA_ADMIN_PASSWORD": _secret(),
        "KAFKA_OPERATOR_PASSWORD": _secret(),
        "DW_SEAL_KEYS": f"compose:{_secret()}",
        "DW_PEPPER": _secret(),
        "DW_PANEL_INSTALLATION_TOKEN": _secret(),
    }
    for service in SERVICES:
        values[f"DW_{service.upper()}_KAFKA_PASSWORD"] = _secret()
    for service in WITH_DATABASE:
        url = f"postgresql://dw_svc_{service}:{_secret()}@postgres:5432/{DATABASE}"
        values[f"DW_{service.upper()}_DATABASE_URL"] = url
    return values


def _secret() -> str:
    return secrets.token_hex(32)


def write(path: Path) -> bool:
    """Write the file with mode 600; False where there is one already."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("# Secrets of the compose stack. Keep it as long as its volumes; never commit it.\n")
        file.writelines(f"{name}={value}\n" for name, value in variables().items())
    return True


def main() -> int:
    """Write .env at the top of the project."""
    path = Path(__file__).resolve().parents[2] / ".env"
    made = write(path)
    sys.stdout.write(f"{path.name} {'written' if made else 'is there already and was left alone'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
