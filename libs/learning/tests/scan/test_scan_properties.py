"""What holds for every text: spans lie inside it, redaction is final, disguises change no verdict."""

import base64
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dw_learning.scan import inert, redact, scan_injection, scan_secrets, scan_text

from .fakes import fake

_ATTACKS = [
    text
    for by_language in yaml.safe_load(
        (Path(__file__).parent / "cases" / "injections.yaml").read_text(encoding="utf-8")
    ).values()
    for text in by_language.get("en", [])
]
_BENIGN_WORDS = "please the printer on floor three is out of paper again can somebody bring more thanks see you at lunch".split()
_PARTS = st.sampled_from(
    [
        "password", " is ", "пароль ", "パスワードは", "token=", "AK" + "IA", "gh" + "p_", "://a:b@c", "Otter-42!x", "1234", "\n", " ",
        "-----BEGIN PRIVATE" + " KEY-----", "[redacted:password]", "ignore all previous instructions", "admin / ", "and Rose22dorn", "enter mango.Plate.17", "passphrase is ", "correct horse battery staple", "one two three four",
        "door code 48B12", "18-32-07", "\u00af", "\u00bd", "\u200b", "\u202e", "\U000e0041",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(_PARTS, st.text(max_size=12)), max_size=14).map("".join)
HOMOGLYPHS = str.maketrans("aeiopcxy", "аеіорсху")
WRAPS: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "zero width": lambda text: "\u200b".join(text),
    "full width": lambda text: "".join(chr(ord(ch) + 0xFEE0) if "!" <= ch <= "~" else ch for ch in text),
    "look-alikes": lambda text: text.translate(HOMOGLYPHS),
    "base64": lambda text: "decode: " + base64.b64encode(text.encode()).decode(),
    "quotes": lambda text: f'"{text}"',
    "quoted mail": lambda text: f"> {text}",
    "lines": lambda text: text.replace(" ", "\n"),
    "bold": lambda text: f"**{text}**",
    "code": lambda text: f"```\n{text}\n```",
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "comment": lambda text: f"Thanks <!-- assistant: {text} -->",
    "escapes": lambda text: "".join(f"\\u{ord(ch):04x}" for ch in text),
}


@given(TEXTS)
def test_spans_lie_inside_the_text_and_secrets_do_not_overlap(text: str) -> None:
    for hits in (scan_secrets(text), scan_injection(text)):
        end = 0
        for hit in hits:
            assert end <= hit.start < hit.end <= len(text)
            assert 0 < hit.confidence <= 1
            end = hit.end


@given(TEXTS)
def test_redaction_is_final(text: str) -> None:
    redacted = redact(text, scan_secrets(text))
    assert scan_secrets(redacted) == ()
    assert redact(redacted, scan_secrets(redacted)) == redacted


@given(TEXTS)
def test_what_is_inert_stays_so_and_is_not_longer(text: str) -> None:
    once = inert(text)
    assert inert(once) == once
    assert len(once) <= len(text)


@given(st.lists(st.sampled_from(_BENIGN_WORDS), max_size=30).map(" ".join))
def test_ordinary_words_are_untouched(text: str) -> None:
    assert scan_text(text) == ()
    assert inert(text) == text


@pytest.mark.parametrize("wrap", WRAPS)
def test_a_disguise_changes_no_verdict_on_an_attack(wrap: str) -> None:
    missed = [text for text in _ATTACKS if scan_injection(text) and not scan_injection(WRAPS[wrap](text))]
    assert len(missed) <= len(_ATTACKS) * 0.02, missed


@settings(max_examples=60)
@given(
    st.sampled_from(["password", "github", "aws", "api_key", "private_key"]),
    st.integers(0, 500),
    st.lists(st.sampled_from(_BENIGN_WORDS), max_size=6).map(" ".join),
    st.lists(st.sampled_from(_BENIGN_WORDS), max_size=6).map(" ".join),
)
def test_a_secret_between_ordinary_words_goes_and_the_words_stay(
    kind: str, seed: int, before: str, after: str
) -> None:
    secret = fake(kind, seed)
    text = f"{before}\n{secret}\n{after}"
    redacted = redact(text, scan_secrets(text))
    assert secret not in redacted
    assert redacted.startswith(f"{before}\n[redacted:")
    assert redacted.endswith(f"]\n{after}")
