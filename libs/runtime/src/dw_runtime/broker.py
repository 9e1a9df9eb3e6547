"""The only place where a broker is built. No default of the client library is left to chance (rule 18)."""

from __future__ import annotations

import asyncio
import logging
import ssl
from functools import partial
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.errors import ConsumerStoppedError, KafkaError
from faststream.kafka import KafkaBroker
from faststream.security import BaseSecurity, SASLPlaintext

from dw_contracts.settings import ServiceSettings
from dw_runtime.failures import bug
from dw_runtime.lenient import be_lenient
from dw_runtime.logs import log

GRACEFUL_SECONDS: Final = 7.0
METADATA_MS: Final = 30_000
BACKOFF_MS: Final = 250
FETCH_WAIT_MS: Final = 500
AFTER_A_BUG_SECONDS: Final = 1.0


def connection(settings: ServiceSettings) -> dict[str, Any]:
    """How a client of the aiokafka library connects."""
    options: dict[str, Any] = {
        "bootstrap_servers": settings.kafka_bootstrap,
        "client_id": f"dw-{settings.service}-{settings.replica}",
        "metadata_max_age_ms": METADATA_MS,
        "retry_backoff_ms": BACKOFF_MS,
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
        metadata_max_age_ms=METADATA_MS,
        retry_backoff_ms=BACKOFF_MS,
        allow_auto_create_topics=False,
        consumer_only=True,
        graceful_timeout=GRACEFUL_SECONDS,
        apply_types=False,
        logger=logging.getLogger("faststream"),
        log_level=logging.DEBUG,
    )


async def start_broker(broker: KafkaBroker) -> None:
    """Start it with consumers of ours. FastStream decides on their class when it connects."""
    await broker.connect()
    config = broker.config.broker_config
    built: Any = config.builder  # a partial of AIOKafkaConsumer
    config.builder = partial(SteadyConsumer, **built.keywords)
    await broker.start()


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


class SteadyConsumer(AIOKafkaConsumer):  # type: ignore[misc]  # aiokafka has no types
    """The client library's consumer, less two of its habits.

    A header whose *name* is not UTF-8 makes getmany raise for ever at the same offset: here another reader takes over.
    And an empty getmany makes FastStream sleep: here it waits long instead.
    """

    async def getmany(
        self, *partitions: TopicPartition, timeout_ms: int = 0, max_records: int | None = None
    ) -> dict[TopicPartition, list[ConsumerRecord]]:
        """As in the base class; never raises for what a record holds."""
        wait = max(timeout_ms, FETCH_WAIT_MS)
        try:
            found: dict[TopicPartition, list[ConsumerRecord]] = await super().getmany(
                *partitions, timeout_ms=wait, max_records=max_records
            )
            return found
        except UnicodeDecodeError:
            log.warning("consumer.header_name", why="not UTF-8: the slower reader takes over for a while")
            be_lenient()
            await self._back_to_committed()
            return {}
        except (KafkaError, ConsumerStoppedError):
            raise
        except Exception as error:  # noqa: BLE001  # FastStream would start the loop anew at once, for ever
            log.error("consumer.fetch_failed", error=bug(error))
            await asyncio.sleep(AFTER_A_BUG_SECONDS)
            await self._back_to_committed()
            return {}

    async def _back_to_committed(self) -> None:
        """What getmany had already taken from other partitions when it failed is lost to it: it is fetched again."""
        for partition in self.assignment():
            committed = await self.committed(partition)
            if committed is None:
                await self.seek_to_beginning(partition)
            else:
                self.seek(partition, committed)
