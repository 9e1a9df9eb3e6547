"""dw bench in words says all that --json says: of the detector's cost what 1,000 events cost with triage and without."""

from __future__ import annotations

from dw_cli.bench import lines_of

COMMON = {"bench": "detect", "value": 68.0, "baseline": 250, "ratio": 0.272, "target": 0.6, "ok": True}


def test_what_else_was_found_stands_below() -> None:
    found = {**COMMON, "n": 376, "price": "small=0.15/0.6", "usd_per_1000_events": 0.068}
    assert lines_of({**found, "usd_per_1000_events_without_triage": 0.25}) == [
        "detect                     68.0  ratio 0.272  target 0.6  ok",
        "  n: 376, price: small=0.15/0.6, usd per 1000 events: 0.068, usd per 1000 events without triage: 0.25",
    ]


def test_one_that_missed_says_so() -> None:
    assert lines_of({**COMMON, "ok": False}) == [
        "detect                     68.0  ratio 0.272  target 0.6  MISSED"
    ]
