"""The signed-in person as the store's writer."""

from __future__ import annotations

from dw_learning.authority import may_change_roles
from dw_panel.people import Signed
from dw_runtime import current_trace_id
from dw_store.orgs.secrets import Actor


def actor_of(signed: Signed, pepper: str) -> Actor:
    """Who acts, in which trace. `pepper` makes the HMACs of secrets that come of it."""
    return Actor(signed.person.user_id, may_change_roles(signed.person), pepper, current_trace_id())
