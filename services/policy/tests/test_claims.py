"""Proof of an account by its owner, from the code to the first saved word (C103), on a real PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from dw_contracts.events.chat import ChatEvent, EventKind, Flags, Platform, Sender
from dw_contracts.events.detections import Detection, DetectionItem, ItemKind
from dw_learning.decision.facts import Caps
from dw_learning.identity_claims import claim_mac
from dw_policy.decide_batch import DetectionIn, Policy
from dw_store.database import Database
from dw_store.orgs.claims import NewClaim, NotClaimed, NotYours, TooManyCodes, answer_claim, start_claim
from dw_store.orgs.secrets import Actor
from dw_testkit.events import chat_event
from dw_testkit.orgs import SmallOrg, create_small_org

pytestmark = pytest.mark.integration
DsnOf = Callable[[str], str]
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PEPPER = "00" * 32
FACT = "The Lisbon office closes at 18:00."
OWN, STRANGE = "U2002", "U6666"


class World:
    """An org with Nora, whose account U2002 nobody has mapped yet."""

    def __init__(self, dsn_of: DsnOf) -> None:
        self.admin, self.service = dsn_of("admin"), dsn_of("policy")
        self.org: SmallOrg = create_small_org(self.admin)
        self.nora = self.member("nora")

    def member(self, code: str) -> Actor:
        user = uuid.uuid4()
        self.query("INSERT INTO dw_users (id, name) VALUES (%s, %s)", user, code)
        self.query(
            "INSERT INTO dw_org_members (org_id, user_id, code, role) VALUES (%s, %s, %s, 'member')",
            self.org.org_id,
            user,
            code,
        )
        return Actor(user, may_change_roles=False, pepper=PEPPER)

    def query(self, statement: str, *args: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.admin) as connection:
            cursor = connection.execute(statement.encode(), args)
            return cursor.fetchall() if cursor.description else []

    async def start(self, who: Actor | None = None, platform: str = "slack", at: datetime = NOW) -> NewClaim:
        async with self.transaction() as tx:
            return await start_claim(tx, self.org.org_id, platform, who or self.nora, at)

    async def answer(
        self, claim: NewClaim, who: Actor | None = None, *, mine: bool = True, at: datetime = NOW
    ) -> UUID | None:
        async with self.transaction() as tx:
            return await answer_claim(tx, self.org.org_id, claim.claim_id, who or self.nora, at, mine=mine)

    def transaction(self) -> Any:
        return _Opened(self.service, self.org.org_id)

    async def post(self, code: str, account: str = OWN, *, sealed: bool = True, **fields: Any) -> ChatEvent:
        mac = claim_mac(code, self.org.org_id, "slack", PEPPER)
        fields = {"text": "[verification code]", "claim": mac, "received_at": NOW} | fields
        return await self.send(account, sealed=sealed, **fields)

    async def say(self, account: str = OWN, at: datetime = NOW + timedelta(minutes=5)) -> str:
        fact = DetectionItem(
            kind=ItemKind.MEMORY_FACT,
            text=FACT,
            span=(0, len(FACT)),
            key="lisbon",
            risk_hint="low",
            confidence=0.85,
        )
        event = await self.send(account, fact, text=FACT, received_at=at)
        [(outcome,)] = self.query("SELECT outcome FROM dw_decisions WHERE decision_id = %s", event.event_id)
        return str(outcome)

    async def send(
        self, account: str, *items: DetectionItem, sealed: bool = True, **fields: Any
    ) -> ChatEvent:
        sender = fields.pop("sender", Sender(platform=Platform.SLACK, external_user_id=account))
        text = fields.pop("text")
        event = chat_event(
            self.org.org_id, self.org.agent_id, self.org.channel_id, text, sender=sender, **fields
        )
        detection = Detection(
            schema_version=1,
            decision_id=event.event_id,
            event=event.model_dump(mode="json", exclude_defaults=True),
            org_id=event.org_id,
            role_agent_id=event.role_agent_id,
            items=items,
            provider="none",
            triage_version="t",
        )
        async with self.transaction() as tx:
            policy = Policy(Caps(), lambda: NOW + timedelta(minutes=6))
            assert not await policy.run(tx, [DetectionIn(detection, event, sealed, "")])
        return event

    def account(self, external: str = OWN) -> tuple[Any, ...] | None:
        rows = self.query(
            "SELECT status, user_id, verify_method FROM dw_external_identities WHERE external_user_id = %s",
            external,
        )
        return rows[0] if rows else None

    def events(self) -> list[str]:
        rows = self.query(
            "SELECT event_type FROM dw_learning_events WHERE event_type LIKE 'identity%%' ORDER BY id"
        )
        return [row[0] for row in rows]


class _Opened:
    """One connection, one transaction."""

    def __init__(self, dsn: str, org_id: UUID) -> None:
        self._pool = Database.connect(dsn, size=1, application_name="test")
        self._org_id = org_id

    async def __aenter__(self) -> Any:
        self._transaction = (await self._pool.__aenter__()).transaction([self._org_id])
        return await self._transaction.__aenter__()

    async def __aexit__(self, *error: Any) -> None:
        try:
            await self._transaction.__aexit__(*error)
        finally:
            await self._pool.__aexit__(*error)


@pytest.fixture
def world(dsn_of: DsnOf) -> World:
    return World(dsn_of)


async def test_from_the_code_to_the_first_saved_word(world: World) -> None:
    claim = await world.start()
    assert claim.code.startswith("dw-verify-")
    assert len(claim.code) == 20
    await world.post(claim.code)
    assert world.account() == ("pending", world.nora.user_id, None)
    assert await world.say() == "proposed", "a mapping that waits is no proof"
    assert await world.answer(claim)
    assert world.account() == ("verified", world.nora.user_id, "code")
    assert await world.say() == "saved"
    assert world.events() == ["identity_code_made", "identity_claimed", "identity_verified"]
    assert claim.code not in str(world.query("SELECT * FROM dw_identity_claims"))


async def test_what_was_said_before_the_proof_is_not_verified_by_it(world: World) -> None:
    claim = await world.start()
    await world.post(claim.code)
    await world.answer(claim, at=NOW + timedelta(minutes=2))
    assert await world.say(at=NOW + timedelta(minutes=1)) == "proposed"


async def test_a_phished_code_gives_its_thief_nothing(world: World) -> None:
    """The thief posts Nora's code from an account of the thief's own: Nora sees whose it is, and says no."""
    claim = await world.start()
    await world.post(claim.code, STRANGE)
    assert await world.say(STRANGE) == "proposed"
    thief = world.member("mallory")
    assert await world.answer(claim, thief) is None, "nobody answers for somebody else"
    await world.answer(claim, mine=False)
    assert world.account(STRANGE) == ("pending", None, None)
    assert await world.say(STRANGE) == "merged", "with what waits already"
    with pytest.raises(NotClaimed):
        await world.answer(claim)
    await world.post(claim.code, OWN)
    assert world.account() is None, "one use"
    assert world.events()[-1] == "identity_claim_refused"


async def test_a_verified_account_is_given_to_somebody_else_by_admins_alone(world: World) -> None:
    """Mallory has Minh post Mallory's code."""
    claim = await world.start()
    await world.post(claim.code, world.org.account)
    assert world.account(world.org.account) == ("verified", world.org.user_id, None)
    with pytest.raises(NotClaimed):
        await world.answer(claim)
    assert world.events() == ["identity_code_made", "identity_claim_refused"]


async def test_an_account_that_was_verified_or_revoked_in_between_is_not_taken(world: World) -> None:
    claim = await world.start()
    await world.post(claim.code)
    world.query("UPDATE dw_external_identities SET status = 'revoked' WHERE external_user_id = %s", OWN)
    with pytest.raises(NotYours):
        await world.answer(claim)
    world.query(
        "UPDATE dw_external_identities SET status = 'verified', verified_at = now(), user_id = %s"
        " WHERE external_user_id = %s",
        world.org.user_id,
        OWN,
    )
    with pytest.raises(NotYours):
        await world.answer(claim)


async def test_a_revoked_account_proves_nothing_by_itself(world: World) -> None:
    world.query("UPDATE dw_external_identities SET status = 'revoked'")
    claim = await world.start()
    await world.post(claim.code, world.org.account)
    assert world.account(world.org.account) == ("revoked", world.org.user_id, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"sealed": False},
        {"flags": Flags(forwarded=True)},
        {"kind": EventKind.EDIT, "revision": 3},
        {"gateway_proves_sender": False},
        {"imported": True},
        {"sender": Sender(platform=Platform.SLACK, external_user_id=OWN, kind="bot")},
        {"received_at": NOW + timedelta(minutes=11)},
    ],
    ids=["unsealed", "forwarded", "edit", "unproven gateway", "imported", "bot", "late"],
)
async def test_a_code_counts_only_as_a_persons_own_first_words_in_time(
    world: World, fields: dict[str, Any]
) -> None:
    claim = await world.start()
    await world.post(claim.code, **fields)
    assert world.account() is None
    with pytest.raises(NotClaimed):
        await world.answer(claim)


async def test_a_guessed_code_leaves_nothing(world: World) -> None:
    await world.start()
    await world.post("dw-verify-AAAAAAAAAA")
    assert world.account() is None
    assert world.events() == ["identity_code_made"]


async def test_a_code_of_another_platform_is_no_code_here(world: World) -> None:
    claim = await world.start(platform="telegram")
    await world.post(claim.code)
    assert world.account() is None


async def test_a_code_of_another_org_is_no_code_here(world: World, dsn_of: DsnOf) -> None:
    other = World(dsn_of)
    claim = await other.start()
    await world.post(claim.code)
    assert world.account() is None


async def test_one_code_a_person_and_five_an_hour(world: World) -> None:
    first = await world.start()
    second = await world.start()
    await world.post(first.code)
    assert world.account() is None, "the newer one counts"
    await world.post(second.code)
    assert world.account() == ("pending", world.nora.user_id, None)
    for _ in range(3):
        await world.start()
    with pytest.raises(TooManyCodes):
        await world.start()
    assert (await world.start(world.member("ola"))).code
    assert (await world.start(at=NOW + timedelta(minutes=61))).code


async def test_an_answer_comes_in_time_or_not_at_all(world: World) -> None:
    claim = await world.start()
    with pytest.raises(NotClaimed):
        await world.answer(claim)
    await world.post(claim.code)
    with pytest.raises(NotClaimed):
        await world.answer(claim, at=NOW + timedelta(hours=2))


async def test_a_code_counts_also_while_nothing_is_learned(world: World) -> None:
    world.query("UPDATE dw_role_agents SET learning_enabled = FALSE")
    claim = await world.start()
    await world.post(claim.code)
    assert world.account() == ("pending", world.nora.user_id, None)
