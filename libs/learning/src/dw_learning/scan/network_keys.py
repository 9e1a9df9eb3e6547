"""The key of a wireless network: weaker than other keys may look, if a network is in sight."""

import re

from dw_learning.scan.reading import Mark
from dw_learning.scan.values import is_joined

_NET_NAME = re.compile(
    r"\b(?:wi-?fi|wlan|ssid|wpa\d?|psk|hotspot|ваифаи\w*|ваи-фаи\w*|red|reseau|rete|rede|network|netzwerk|netz)\b|wifi|wlan"
)
_AFTER_NAME = re.compile(r"[\"'`]?\s+(?:/|\||->|→)\s+\S{8,}")


def is_network_name(shown: str, end: int) -> bool:
    """What stands before a slash and something longer is the network, not its key."""
    return _AFTER_NAME.match(shown, end) is not None


def is_network_key(mark: Mark, value: str, gap: str, shown: str, named: bool) -> bool:
    """`WLAN ... Schlüssel Kirschkuchen55`, `wifi key at the depot is 8HGT-22KD-PQ0L`: a key, and a network in sight."""
    if (
        len(value) < 8
        or not (is_joined(value) or any(map(str.isdigit, value)))
        or not any(map(str.isalpha, value))
    ):
        return False
    before = shown[max(0, mark.start - 60) : mark.end].lower() + gap
    word = shown[mark.start : mark.end].lower()
    if not _NET_NAME.search(before) or (
        _NET_NAME.fullmatch(word) and not named and not gap.rstrip().endswith(":")
    ):
        return False
    named_key = (
        _NET_NAME.fullmatch(word) is None or re.search(r"\b(?:key|schl|clave|cle|pass|pw)", gap) is not None
    )
    return _NUMBERED_THING.fullmatch(value) is None and (
        named_key or (gap.strip() in (":", "=") or (gap.rstrip().endswith(":") and len(gap.split()) <= 3))
    )


_NUMBERED_THING = re.compile(
    r"(?i)[a-z]{2,12}[- ]?\d{1,3}(?:\.\d+)*|wi-?fi\S*|\d+(?:ghz|mbps|mbit|gbit|dbm)\S*|[\d.]+"
)
