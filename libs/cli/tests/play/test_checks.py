"""Expectations, fake secrets, what can be read of an answer, and what a check makes of it."""

from __future__ import annotations

import re
import zlib

import pytest

from dw_cli.play.checks import Checks
from dw_cli.play.expect import DONE, Expect, Outcome, refusal
from dw_cli.play.look_steps import Count
from dw_cli.play.texts import Texts, in_tags, in_variation_selectors, spread_out, visible
from dw_cli.play.views import Entry, Reader, View
from dw_learning.scan import scan_secrets

TEXTS = Texts("a.yaml")
CHECKS = Checks(TEXTS)
FARID = "11111111-2222-4333-8444-555555555555"


@pytest.mark.parametrize(
    ("expected", "outcome", "met"),
    [
        ("done", DONE, True),
        ("done", refusal("forbidden"), False),
        ("refused", refusal("conflict"), True),
        ("refused", DONE, False),
        ("refused:conflict", refusal("forbidden"), False),
        ("done|refused:forbidden|not_found", refusal("not_found"), True),
        ("any", refusal("invalid"), True),
        ("refused:not_found", Outcome("refused:forbidden", also="refused:not_found"), True),
    ],
)
def test_what_meets_an_expectation(expected: str, outcome: Outcome, met: bool) -> None:
    assert Expect.parse(expected).meets(outcome) is met


def test_one_of_several_wins_and_the_rest_are_told_of_a_conflict() -> None:
    one = Expect.parse("one")
    assert one.unmet([refusal("conflict"), DONE, refusal("conflict")]) is None
    assert one.unmet([DONE, DONE]) is not None
    assert one.unmet([DONE, refusal("forbidden")]) is not None
    assert one.unmet([refusal("conflict"), refusal("conflict")]) is not None


def test_secrets_follow_from_file_kind_and_label_and_look_real() -> None:
    forms = {
        "password": r"[A-Z][a-z]+-[A-Z][a-z]+-\d\d!",
        "aws": r"AKIA[A-Z2-7]{16}",
        "github": r"ghp_[0-9A-Za-z]{36}",
        "api_key": r"sk_live_[0-9A-Za-z]{24}",
        "private_key": r"-----BEGIN PRIVATE KEY-----\n(?:[\w+/]{64}\n){6}-----END PRIVATE KEY-----",
    }
    for kind, form in forms.items():
        secret = TEXTS.fill(f"${{secret.{kind}:a}}")
        assert re.fullmatch(form, secret), secret
        assert secret == Texts("a.yaml").fill(f"${{secret.{kind}:a}}")
        assert secret != TEXTS.fill(f"${{secret.{kind}:b}}")
        assert secret != Texts("b.yaml").fill(f"${{secret.{kind}:a}}")
        assert scan_secrets(f"the secret is {secret}")


def test_a_github_token_carries_its_checksum() -> None:
    token = TEXTS.fill("${secret.github:x}")
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    value = 0
    for char in token[-6:]:
        value = value * 62 + digits.index(char)
    assert value == zlib.crc32(token[4:-6].encode())


def test_invisible_letters_come_and_go() -> None:
    plain = TEXTS.fill("${secret.aws:x}")
    spread = TEXTS.fill("${secret.aws|zw:x}")
    assert spread == spread_out(plain)
    assert spread.split("\u200b")[:2] == [plain[:8], plain[8:16]]
    assert visible(f"a{in_tags('b')}c{in_variation_selectors('d')}e") == "ace"
    assert TEXTS.fill("x${tags:hi}") == "x\U000e0068\U000e0069"
    assert TEXTS.fill("${vs:\x01a}") == "\ufe01" + chr(0xE0100 + 0x61 - 16)
    assert TEXTS.fill("room ${i}", 7) == "room 7"


def test_a_secret_in_a_check_stands_for_itself_also_spread_out() -> None:
    said = TEXTS.fill("it is ${secret.password|zw:x}")
    for pattern in ("${secret.password:x}", "is ${secret.password|zw:x}$"):
        assert CHECKS.lacks([said], [pattern]).wrong
    assert not CHECKS.lacks(["it is nothing"], ["${secret.password:x}"])


def test_case_is_ignored_and_one_entry_must_match_alone() -> None:
    assert not CHECKS.contains(["The Lisbon office"], ["lisbon"])
    assert CHECKS.contains(["Lisbon", "18:00"], ["Lisbon.*18:00"]).missing


def test_too_few_may_still_come_and_too_many_stay_wrong() -> None:
    entries = [Entry("Porto"), Entry("porto"), Entry("Lisbon")]
    assert not CHECKS.count(entries, Count(of="porto", exactly=2))
    assert CHECKS.count(entries, Count(of="porto", min=3)).missing
    assert CHECKS.count(entries, Count(of="porto", exactly=1)).wrong
    assert CHECKS.count(entries, Count(exactly=0)).wrong
    assert not CHECKS.order("a then b then c", ["a", "b", "C"])
    assert CHECKS.order("b then a", ["a", "b"]).missing


def test_nobody_reads_ids_times_scores_or_what_was_dropped() -> None:
    row = {
        "id": FARID.replace("1", "9"),
        "kind": "memory_proposal",
        "confidence": 0.85,
        "created_at": "2026-11-30T08:00:00.123Z",
        "decided_by": FARID,
        "actor": f"dw_worker:{FARID}",
        "dropped": [{"reason": "count"}],
        "payload": {"content": "Porto closes at 19:00", "marks": [[0, 5]]},
        "evidence": [{"excerpt": "and the rest of it", "verified": False}],
        "marks": ["source_deleted"],
    }
    entry = Reader({}).named({"farid": FARID}).entry(row)
    words = ["memory_proposal", "farid", "dw_worker:farid", "Porto closes at 19:00", "source_deleted"]
    assert entry.main.splitlines() == words
    assert entry.rest == "and the rest of it"
    view = View((entry,))
    assert not CHECKS.view(
        view, ["rest of it"], ["count", "0.85", "2026", "9999"], Count(of="rest", exactly=0)
    )
