"""What a story is played on: a running stack, as its operator knows it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self
from uuid import UUID

from dw_cli.play.api import Unmet
from dw_cli.play.stand_in import StandIn
from dw_devstack.errands import ask_restart
from dw_devstack.errors import StackError
from dw_devstack.kafka_config import ADMIN
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.paths import Home
from dw_devstack.product import Addresses, Product
from dw_devstack.settle import DRAFTS, STAGES, Pipeline
from dw_store.database import Database
from dw_store.settled import still_unsent, unsent_up_to
from dw_store.versions import read_versions

SETTLE_SECONDS: Final = 60.0
POLL_SECONDS: Final = 0.02
HTTP_SERVICES: Final = ("ingest", "context", "panel")


@dataclass(frozen=True, slots=True)
class Stage:
    """Addresses, the installation token, and ways to look on and to restart that no service has."""

    home: Home
    addresses: Addresses
    installation_token: str
    admin_dsn: str
    kafka: KafkaLogin
    model: StandIn | None = None

    @classmethod
    def of(cls, home: Home, addresses: Addresses, model: StandIn | None = None) -> Stage:
        """The stage of a running stack of this state folder; `model` stands in for the detector's."""
        product = Product(home)
        return cls(
            home=home,
            addresses=addresses,
            installation_token=product.installation_token(),
            admin_dsn=product.admin_dsn(addresses.postgres_port),
            kafka=KafkaLogin(addresses.kafka, ADMIN, product.kafka_passwords()[ADMIN]),
            model=model,
        )

    @property
    def urls(self) -> dict[str, str]:
        """Base address of each service with an API."""
        return {service: self.addresses.url(service) for service in HTTP_SERVICES}


class Watch:
    """Looks on while stories are played, and restarts what they ask for. Use `async with Watch.open(stage)`."""

    def __init__(self, stage: Stage, pipeline: Pipeline, database: Database) -> None:
        self._stage = stage
        self._pipeline = pipeline
        self._database = database

    @classmethod
    @asynccontextmanager
    async def open(cls, stage: Stage) -> AsyncIterator[Self]:
        """Connected for as long as the context lasts."""
        connected = Database.connect(stage.admin_dsn, size=1, application_name="dw-play")
        async with Pipeline.open(stage.kafka) as pipeline, connected as database:
            yield cls(stage, pipeline, database)

    async def settled(self) -> None:
        """Every event that was accepted has had its effect, drafts that came of them too. Unmet after 60 s."""
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                await self._pipeline.through(STAGES, SETTLE_SECONDS)
                await self._relayed()
                await self._pipeline.through(DRAFTS, SETTLE_SECONDS)
                await self._relayed()
        except (StackError, TimeoutError) as error:
            raise Unmet(f"not settled after {SETTLE_SECONDS:.0f} s: {error}") from error

    async def versions(self, agents: Sequence[tuple[UUID, UUID]]) -> dict[tuple[UUID, UUID], int]:
        """From which version on packs must show what is known by now (C71), by org and agent."""
        async with self._database.transaction({org for org, _ in agents}) as tx:
            return await read_versions(tx, agents)

    async def restart(self, services: Iterable[str]) -> None:
        """Kill and start, without waiting for quiet."""
        await asyncio.to_thread(ask_restart, self._stage.home, list(services))

    async def _relayed(self) -> None:
        """What decisions put into the outbox is on its topics."""
        async with self._database.system() as tx:
            last = await unsent_up_to(tx)
        while last:
            async with self._database.system() as tx:
                if not await still_unsent(tx, last):
                    return
            await asyncio.sleep(POLL_SECONDS)
