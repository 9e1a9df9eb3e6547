"""The only place where a broker is built. No default of the client library is left to chance (rule 18)."""

from __future__ import annotations

import logging
import ssl
from typing import Any

from faststream.kafka import KafkaBroker
from faststream.security import BaseSecurity, SASLPlaintext

from dw_contracts.settings import ServiceSettings

GRACEFUL_SECONDS = 15.0


def connection(settings: ServiceSettings) -> dict[str, Any]:
    """How a client of the aiokafka library connects."""
    options: dict[str, Any] = {
        "bootstrap_servers": settings.kafka_bootstrap,
        "client_id": f"dw-{settings.service}-{settings.replica}",
        "metadata_max_age_ms": 30_000,
    }
    if settings.kafka_security != "PLAINTEXT":
        options |= {
            "security_protocol": settings.kafka_security,
            "sasl_mechanism": "PLAIN",
            "sasl_plain_username": settings.kafka_user or settings.service,
            "sasl_plain_password": settings.kafka_password.get_secret_value(),
        }
    if settings.kafka_security == "SASL_SSL":

        options["ssl_context"] = ssl.create_default_context()
    return options


def build_broker(settings: ServiceSettings) -> KafkaBroker:
    """The broker that subscribers hang on. Publishing goes through `Publisher`, in turn and keyed."""
    return KafkaBroker(
        settings.kafka_bootstrap.split(","),
        client_id=f"dw-{settings.service}-{settings.replica}",
        security=_security(settings),
        metadata_max_age_ms=30_000,
        allow_auto_create_topics=False,
        graceful_timeout=GRACEFUL_SECONDS,
        logger=logging.getLogger("faststream"),
        log_level=logging.DEBUG,
    )


def _security(settings: ServiceSettings) -> BaseSecurity | None:
    if settings.kafka_security == "PLAINTEXT":
        return None

    tls = settings.kafka_security == "SASL_SSL"
    return SASLPlaintext(
        username=settings.kafka_user or settings.service,
        password=settings.kafka_password.get_secret_value(),
        ssl_context=ssl.create_default_context() if tls else None,
        use_ssl=tls,
    )
