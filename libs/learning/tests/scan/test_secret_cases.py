"""Secrets: found in many languages and disguises; the sentence around them survives, nothing of them does."""

import base64
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from dw_learning.scan import Hit, is_secret, redact, scan_secrets

from .fakes import fake

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "secrets.yaml").read_text(encoding="utf-8"))
_SLOT = re.compile(r"(?<!\$\{)\{(\w+)\}")
_PLACEHOLDER = re.compile(r"\[redacted:[a-z_]+\]")


def fill(template: str, seed: int, disguise: Callable[[str], str] = str) -> tuple[str, list[str]]:
    secrets: list[str] = []

    def put(match: re.Match[str]) -> str:
        secrets.append(disguise(fake(match[1], seed + 100 * len(secrets))))
        return secrets[-1]

    return _SLOT.sub(put, template), secrets


def every_eighth(value: str) -> str:
    return "\u200b".join(value[i : i + 8] for i in range(0, len(value), 8))


SENTENCES = [(language, text) for language, texts in CASES["secret"].items() for text in texts]
DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "zero width after every eighth": every_eighth,
    "joiner between all": lambda value: "\u200d".join(value),
    "in quotes": lambda value: f'"{value}"',
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_secrets_are_found_and_nothing_of_them_is_left(disguise: str) -> None:
    missed, left = [], []
    sentences = [
        case
        for case in SENTENCES
        if disguise != "in quotes" or re.search(r"(?:^|\s)\{\w+\}(?:\s|$)", case[1])
    ]
    for language, template in sentences:
        for seed in range(3):
            text, secrets = fill(template, seed, DISGUISES[disguise])
            hits = scan_secrets(text)
            if not hits:
                missed.append((language, text))
            redacted = redact(text, hits)
            left += [(text, redacted) for secret in secrets if hits and secret.strip('"') in redacted]
    assert len(missed) <= len(sentences) * 3 * 0.02, missed
    assert left == []


def test_the_rest_of_the_sentence_stays() -> None:
    for _, template in SENTENCES:
        if "{" not in template:
            continue
        text, _ = fill(template, 7)
        redacted = redact(text, scan_secrets(text))
        words = re.findall(r"[^\W\d_]{3,}", _SLOT.sub(" ", template))
        assert [word for word in words if word not in redacted] == [], redacted


def test_scanning_what_was_redacted_finds_nothing() -> None:
    for _, template in SENTENCES:
        for seed in range(3):
            text, _ = fill(template, seed)
            redacted = redact(text, scan_secrets(text))
            assert scan_secrets(redacted) == (), redacted


def voices(label: int) -> list[dict[str, str]]:
    """Messages of other voices with fake secrets, and their harmless neighbours; packed, so that no scanner stops."""
    packed = (Path(__file__).parent / "cases" / "secrets_voices.jsonl.gz").read_bytes()
    rows = [json.loads(line) for line in gzip.decompress(packed).decode().splitlines()]
    return [row for row in rows if row["label"] == label]


def test_secrets_in_other_voices_are_found_and_redaction_is_final() -> None:
    rows = voices(1)
    missed = [row["text"] for row in rows if not scan_secrets(row["text"])]
    assert len(missed) <= len(rows) * 0.03, missed
    redacted = [redact(row["text"], scan_secrets(row["text"])) for row in rows if row["text"] not in missed]
    assert [text for text in redacted if scan_secrets(text)] == []


def test_the_harmless_neighbours_of_secrets_are_left_alone() -> None:
    rows = voices(0)
    assert [row["text"] for row in rows if scan_secrets(row["text"])] == []


def test_an_account_to_pay_is_no_secret() -> None:
    """Payment data opens nothing; who may change it is a matter of risk (C58), so the sentence has to live on."""
    assert scan_secrets("pls wire my expenses to DE89 3704 0044 0532 0130 00") == ()


def test_look_alikes_are_left_alone() -> None:
    marked = []
    count = 0
    for texts in CASES["look_alike"].values():
        for template in texts:
            for seed in range(4):
                text, _ = fill(template, seed)
                count += 1
                if scan_secrets(text):
                    marked.append(text)
    assert len(marked) <= count * 0.01, marked


@pytest.mark.parametrize("kind", ["password", "aws", "github", "api_key", "private_key"])
@pytest.mark.parametrize("sentence", ["the password is {}", "here: {}", "{}", "please remember {} for me"])
def test_a_canary_of_every_kind_leaves_no_trace(kind: str, sentence: str) -> None:
    for seed in range(20):
        secret = fake(kind, seed)
        for given in (secret, every_eighth(secret)):
            text = sentence.format(given)
            redacted = redact(text, scan_secrets(text))
            seen = redacted.replace("\u200b", "")
            assert not [secret[i : i + 6] for i in range(len(secret) - 5) if secret[i : i + 6] in seen], (
                redacted
            )


@pytest.mark.parametrize("kind", ["github", "aws", "api_key"])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda v: " ".join(v),
        lambda v: v[:12] + "\n" + v[12:],
        lambda v: f'"{v[:9]}" + "{v[9:]}"',
        lambda v: base64.b64encode(v.encode()).decode(),
        lambda v: v.encode().hex(),
        lambda v: "".join(chr(ord(ch) + 0xFEE0) for ch in v),
        lambda v: "".join(chr(0xE0000 + ord(ch)) for ch in v),
        lambda v: f"**{v}**",
    ],
    ids=["letter-spaced", "two lines", "added", "base64", "hex", "full width", "tags", "bold"],
)
def test_a_token_in_disguise_is_found(kind: str, wrap: Callable[[str], str]) -> None:
    for seed in range(8):
        assert scan_secrets(f"the key is {wrap(fake(kind, seed))}"), (kind, seed)


def test_a_card_needs_a_valid_check_digit() -> None:
    number = fake("card", 1)
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert [hit.type for hit in scan_secrets(f"card {number}")] == ["payment_card"]
    assert scan_secrets(f"reference {wrong}") == ()


def test_a_key_that_was_cut_off_is_redacted_as_far_as_it_goes() -> None:
    cut = fake("pem", 3).rsplit("\n", 1)[0]
    text = f"look:\n{cut}\nwhat now?"
    assert redact(text, scan_secrets(text)) == "look:\n[redacted:private_key]\nwhat now?"


def test_a_placeholder_typed_by_a_person_hides_nothing_behind_it() -> None:
    text = f"password is [redacted:password] {fake('password', 2)}"
    assert redact(text, scan_secrets(text)) == "password is [redacted:password] [redacted:password]"


def test_hits_say_rule_type_span_and_confidence_and_no_more() -> None:
    secret = fake("github", 5)
    assert scan_secrets(f"use {secret} now") == (Hit("secret.github", "github", 4, 44, 0.97),)
    assert all(is_secret(hit) for hit in scan_secrets(f"use {secret} now"))
    assert not _PLACEHOLDER.search(secret)
