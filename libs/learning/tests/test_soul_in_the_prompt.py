"""What a soul changes in a prompt, and what it does not (R217, R222)."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from dw_contracts.http.context import PackSkill, PackSoul
from dw_learning.pack import ActiveMemory, Pack, Soul, assemble

MEMORY = ActiveMemory(
    str(UUID(int=1)), "role_agent", "knowledge", "fact", "hours", "The office opens at nine."
)
SKILL = PackSkill(name="reset-vpn", version=1, body="1. Open the client.\n2. Press reset.")


def pack_with(soul: PackSoul) -> Pack:
    return assemble(
        role_agent_id=str(UUID(int=2)),
        version=3,
        memories=[MEMORY],
        sender=None,
        soul=Soul(soul),
        built_at=datetime(2026, 1, 1, tzinfo=UTC),
        skills=[SKILL],
    )


def test_another_soul_is_another_soul_block_and_nothing_else() -> None:
    brief = pack_with(PackSoul(code="brief", version=1, tone_rules="Be brief.", do_not_do=""))
    warm = pack_with(PackSoul(code="warm", version=7, tone_rules="Be warm.", do_not_do="Never guess."))
    assert {name for name in brief if brief[name] != warm[name]} == {"soul", "blocks"}  # type: ignore[literal-required]
    assert {name for name in brief["blocks"] if brief["blocks"][name] != warm["blocks"][name]} == {"soul"}


def test_critique_rules_are_in_no_pack() -> None:
    assert set(PackSoul.model_fields) == {"code", "version", "tone_rules", "do_not_do"}
