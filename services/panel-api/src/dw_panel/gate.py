"""Use cases: see and set what may be spent on models, and switch it off (G19, G24). For admins and owners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dw_contracts.http.gate import GateLimit, GateStatus, GateUse, GateWait, SetGateLimit
from dw_contracts.http.problem import FieldError
from dw_learning.authority import may_change_org
from dw_learning.scan import is_credential
from dw_panel.actor import actor_of
from dw_panel.people import Signed
from dw_panel.refusals import NO_SUCH_AGENT, forbidden, unfit
from dw_runtime import Handle, ProblemError
from dw_store import gate_limits, waits
from dw_store.database import Database, Tx
from dw_store.explain_reads import find_agent


@dataclass(frozen=True, slots=True)
class Gate:
    """The detector reads limits with each call, so that a change counts from the next call on."""

    database: Handle[Database]
    pepper: str
    clock: Callable[[], datetime]

    async def status(self, signed: Signed) -> GateStatus:
        """Limits, what is spent and held, what waits."""
        _admins_only(signed)
        now = self.clock()
        async with self.database().transaction([signed.org_id]) as tx:
            rows = await gate_limits.limits(tx, signed.org_id)
            counters, calls, parked = await gate_limits.use(tx, signed.org_id, now)
            waiting = await waits.waits_of_org(tx, signed.org_id)
            daily, monthly = await waits.default_budget(tx)
        return GateStatus(
            at=now,
            limits=tuple(GateLimit.model_validate(row) for row in rows),
            use=tuple(GateUse.model_validate(row) for row in counters),
            parked=parked,
            calls_today=calls,
            waiting=tuple(GateWait.model_validate(row) for row in waiting),
            default_daily_micro_usd=daily,
            default_monthly_micro_usd=monthly,
        )

    async def set_limit(self, signed: Signed, wanted: SetGateLimit) -> GateLimit:
        """Change one scope. It is on record with what was before."""
        _admins_only(signed)
        if any(is_credential(name) for name in _names(wanted)):
            raise unfit("a name holds a secret", (FieldError(at="scope", problem="holds a secret"),))
        changes = wanted.model_dump(mode="json", exclude_unset=True, exclude={"scope"})
        actor = actor_of(signed, self.pepper)
        async with self.database().transaction([signed.org_id]) as tx:
            scope = await _scope(tx, signed, wanted.scope)
            row = await gate_limits.set_limit(tx, signed.org_id, scope, changes, actor, self.clock())
        return GateLimit.model_validate(row)


async def _scope(tx: Tx, signed: Signed, named: str) -> str:
    """As its limits are kept and a call's scopes are written: a role-agent by its id. 404 where the org has no such."""
    kind, _, agent = named.partition(":")
    if kind != "agent":
        return named
    found = await find_agent(tx, signed.org_id, agent)
    if found is None:
        raise ProblemError(NO_SUCH_AGENT)
    return f"agent:{found['id']}"


def _names(wanted: SetGateLimit) -> tuple[str, ...]:
    return (wanted.scope, *(wanted.allowed_models or ()), *(wanted.allowed_regions or ()))


def _admins_only(signed: Signed) -> None:
    if not may_change_org(signed.person):
        raise forbidden("only admins and owners see and change what may be spent")
