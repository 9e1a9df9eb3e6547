"""What the template drafts keeps the strict format once it is a skill (C66, R196)."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from hypothesis import assume, given
from hypothesis import strategies as st

from dw_contracts.events.drafts import DraftRequest
from dw_detector.draft import draft_detection
from dw_learning.scan import scan_secrets
from dw_learning.skill_draft import draft_skill
from dw_learning.skills.format import SkillDocument, read_skill

WORDS = st.text(min_size=1, max_size=120) | st.sampled_from(["## Procedure", "a\n## X\n```\nb", "# T\n---"])


@given(st.lists(WORDS, min_size=1, max_size=5), st.sampled_from(["reset-vpn", "опис", "手順", "a_b"]))
def test_a_draft_keeps_the_format_whatever_was_corrected(corrections: list[str], topic: str) -> None:
    assume(not any(map(scan_secrets, corrections)))
    document = drafted(corrections, topic)
    for number, text in enumerate(corrections, start=1):
        kept = text.replace("\0", "\N{REPLACEMENT CHARACTER}")  # PostgreSQL holds none
        assert f"{number}. {' '.join(kept.split())}".rstrip() in document.sections[1]


def test_a_secret_in_a_correction_is_in_no_draft() -> None:
    document = drafted(["das Passwort ist Regenbogen-7-Kiesel", "zuerst den Client beenden"], "パスワード")
    assert "Kiesel" not in str(document)
    assert "[redacted:" in document.sections[1]


def drafted(corrections: list[str], topic: str) -> SkillDocument:
    """The skill that the template makes of them."""
    request = DraftRequest(
        schema_version=1,
        request_id=uuid.uuid4(),
        org_id=uuid.uuid4(),
        role_agent_id=uuid.uuid4(),
        topic=topic,
        corrections=tuple(corrections),
        source_event_ids=(uuid.uuid4(),),
        at=datetime(2030, 1, 1, tzinfo=UTC),
    )
    (item,) = draft_detection(request).items

    document = read_skill(draft_skill(item.text, item.key, "it_agent", "high").body_md)

    assert isinstance(document, SkillDocument), document
    return document
