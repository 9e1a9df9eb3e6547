"""Where a model works with what it is sent (G20). An operator says it; what nobody says is nowhere that is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dw_contracts.http.gate import REGION


def parse_regions(text: str) -> Mapping[str, str]:
    """`model=region`, comma separated; a region is a short word of the operator's own, as eu. ValueError where it is not."""
    regions: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        model, equals, region = entry.rpartition("=")
        if not equals or not model or not re.fullmatch(REGION, region):
            raise ValueError(f"a region is model=region, in small letters, not {entry!r}")
        if regions.setdefault(model, region) != region:
            raise ValueError(f"{model} works in one region, not in {regions[model]} and {region}")
    return regions
