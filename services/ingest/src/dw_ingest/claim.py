"""A code that proves an account (C103) leaves the text: as a sealed HMAC where it counts, as a redaction where not."""

from __future__ import annotations

from dw_contracts.http.ingest import InboundEvent
from dw_ingest.adapters.directory import GatewayKey
from dw_learning.identity_claims import claim_mac, claimed_code, without_codes


def take_claim(inbound: InboundEvent, key: GatewayKey, pepper: str) -> tuple[InboundEvent, str | None]:
    """The event without its code, and the claim. An event that may not claim is left as it is: `redact` takes the code
    out of it, as it does of every other field."""
    code = claimed_code(inbound.text) if _may_claim(inbound, key) else None
    if code is None:
        return inbound, None
    mac = claim_mac(code, key.org_id, inbound.sender.platform.value, pepper)
    return inbound.model_copy(update={"text": without_codes(inbound.text)}), mac


def _may_claim(inbound: InboundEvent, key: GatewayKey) -> bool:
    """Unforwarded, unquoted, unedited, of a person, over a key whose sender id proves something."""
    return (
        key.proves_sender
        and inbound.kind.value == "message_in"
        and inbound.revision == 0
        and not inbound.imported
        and inbound.sender.kind == "human"
        and not inbound.flags.names()
    )
