"""What every act on an item asks first: who may, whether it is the version that was seen, whether somebody has it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NoReturn

from dw_contracts.http.problem import FieldError
from dw_learning import scan
from dw_learning.authority import SKILL_KINDS, Denied, ItemFacts, Person
from dw_learning.authority_acts import may_act_on_item
from dw_learning.item_edit import UNFIT_WORDS, edited_item
from dw_learning.item_edit import unfit as unfit_text
from dw_panel.people import Signed
from dw_panel.refusals import conflict, unfit
from dw_panel.views import facts_of, other_deciders
from dw_runtime import ProblemError
from dw_store import inbox_reads
from dw_store.database import Tx
from dw_store.item_acts import NewText, SameSignal, edit_item
from dw_store.memory_rows import Actor


async def authority_facts(tx: Tx, signed: Signed, row: Any) -> tuple[ItemFacts, int]:
    """What authority over the item rests on, and how many others could decide it (C61)."""
    authors = (await inbox_reads.authors_of(tx, signed.org_id, [row["id"]])).get(row["id"], frozenset())
    people = await inbox_reads.deciders(tx, signed.org_id, [row["role_agent_id"]])
    facts = facts_of(row, authors)
    return facts, other_deciders(signed.person, facts, people)


def check_note(note: str) -> None:
    """The audit log holds no secret (C53)."""
    if scan.scan_secrets(note):
        raise unfit("the note holds a secret", (FieldError(at="note", problem="holds a secret"),))


def check_text(text: str, *, is_memory: bool) -> None:
    """What a person writes is scanned before it is stored (R90, R91)."""
    if (wrong := unfit_text(text, is_memory=is_memory)) is not None:
        raise unfit(UNFIT_WORDS[wrong], (FieldError(at="text", problem=wrong.replace("_", " ")),))


def check_active_again(text: str) -> None:
    """R100: what comes back, or goes to all, is scanned at that moment, whatever was known when it was learned."""
    if scan.examine(text).is_refused:
        raise unfit("the scans refuse this text: it holds a secret or an attack; purge it")


def check_seen(row: Any, row_version: int | None) -> None:
    """D31: the loser of a race learns what became of the item."""
    if row["status"] != "pending" or (row_version is not None and row["row_version"] != row_version):
        raise as_it_stands(row)


def check_no_batch(row: Any) -> None:
    """C82: what an import proposes is decided as a whole."""
    if "entries" in row["proposed_payload"]:
        raise unfit(
            "a batch of memory files is approved or rejected as it is: mend the files and import again"
        )


def check_claim(row: Any, person: Person, now: datetime) -> None:
    """D30: what somebody has in work is not decided by another; admins may step in."""
    if row["claimed_by"] in (None, person.user_id) or person.is_admin or row["claimed_until"] <= now:
        return
    places = (FieldError(at="claimed_until", problem=f"is {row['claimed_until'].isoformat()}"),)
    raise conflict("somebody has this item in work at the moment", places)


async def edit_locked(
    tx: Tx, signed: Signed, row: Any, row_version: int, text: str, actor: Actor
) -> Denied | None:
    """The edit of an item that is locked; None where it was done. Raises what is wrong with the text or the version."""
    facts, _ = await authority_facts(tx, signed, row)
    allowed = may_act_on_item(signed.person, facts, "edit")
    if allowed != "allowed" and allowed != "self_approved":
        return allowed
    check_seen(row, row_version)
    check_claim(row, signed.person, actor.at)
    check_no_batch(row)
    check_text(text, is_memory=row["kind"] not in SKILL_KINDS)
    made = edited_item(row["kind"], row["proposed_payload"], row["risk"], row["is_sensitive"], text)
    new = NewText(made.payload, made.risk, made.is_sensitive, made.dedupe_key)
    try:
        await edit_item(tx, signed.org_id, row, new, actor)
    except SameSignal:
        same_signal()
    return None


def same_signal() -> NoReturn:
    """409: two items would say the same."""
    raise conflict("another item that waits says the same: decide that one")


def as_it_stands(row: Any) -> ProblemError:
    """409 with what became of the item."""
    places = (
        FieldError(at="status", problem=f"is {row['status']} now"),
        FieldError(at="row_version", problem=f"is {row['row_version']} now"),
    )
    if row["status"] == "pending":
        return conflict("the item changed since you saw it: look at it again", places)
    who = f" by {row['decided_by_code']}" if row["decided_by_code"] else ""
    return conflict(f"the item was {row['status']}{who} at {row['decided_at']:%d %b %Y, %H:%M} UTC", places)
