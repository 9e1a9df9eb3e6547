"""C55: only what the sender said himself, in this very message, with its negations and numbers, may be saved."""

from __future__ import annotations

import pytest

from dw_learning.own_words import MAX_OWN_CHARS, said

FACT = "The Lisbon office closes at 18:00."


@pytest.mark.parametrize(
    ("memory", "own"),
    [
        (FACT, FACT),
        (FACT, "No, that's wrong: the Lisbon office closes at 18:00."),
        (FACT, "FYI the Lisbon office closes at 18:00, see you"),
        ("Printer PRN-02", "It is printer PRN-02 over there"),
        (
            "The printer isn't on floor two but on floor three",
            "FYI: the printer isn't on floor two but on floor three. Let's remember it.",
        ),
        ("Der Drucker heißt PRN-3F", "Zur Info: Der Drucker heißt PRN-3F."),
        (
            "紹介ボーナスは7月から2,000ユーロになりました",
            "それは古い情報です。紹介ボーナスは7月から2,000ユーロになりました",
        ),
    ],
)
def test_what_the_sender_said_is_his(memory: str, own: str) -> None:
    assert said(memory, own)


@pytest.mark.parametrize(
    ("memory", "own"),
    [
        (FACT, "The Lisbon office closes at 17:00."),
        (FACT, "The Porto office closes at 18:00."),
        ("Office Lisbon closes at 18:00.", "Lisbon office closes at 18:00."),
        (FACT, "yes, exactly"),
        (FACT, "> The Lisbon office closes at 18:00.\nis that right"),
        (FACT, "```\nThe Lisbon office closes at 18:00.\n```"),
        (FACT, "somebody wrote `The Lisbon office closes at 18:00.` here"),
        (FACT, 'He said "the Lisbon office closes at 18:00." yesterday'),
        (FACT, "see below\n---- forwarded message\nThe Lisbon office closes at 18:00."),
        (FACT, "on Monday Ann wrote:\nThe Lisbon office closes at 18:00."),
        (FACT, ""),
        ("", FACT),
    ],
)
def test_other_facts_quotes_code_forwards_and_a_bare_yes_are_not_his_words(memory: str, own: str) -> None:
    assert not said(memory, own)


@pytest.mark.parametrize(
    "own",
    [
        f"&gt; {FACT}",
        f"&gt;&gt;&gt; {FACT}",
        f"＞ {FACT}",
        f"<blockquote>{FACT}</blockquote>",
        f"<pre>{FACT}</pre>",
        f"<PRE class='x'>{FACT}",
        f"<bob> {FACT}",
        f"Fwd: {FACT}",
        f"FW: {FACT}",
        f"WG: {FACT}",
        f"Bob said: {FACT}",
        f"Bob says the {FACT[4:]}",
        f"According to ChatGPT, {FACT}",
        f"I heard that {FACT}",
        f"Laut Bob: {FACT}",
        f"Según Ana, {FACT}",
        f"За словами Боба: {FACT}",
        f"Theo Minh, {FACT}",
        f"'{FACT}'",
        f"‘{FACT}’",
        f"~~~\n{FACT}\n~~~",
    ],
)
def test_no_way_of_writing_somebody_elses_words_makes_them_his(own: str) -> None:
    assert not said(FACT, own)


@pytest.mark.parametrize(
    ("memory", "own"),
    [
        ("Share the file", "Do not share the file"),
        ("Printer PRN-02", "It is printer PRN-02, not PRN-01"),  # harmless, but a person may say so
        ("Share the file", "never share the file"),
        ("The office closes at 18:00", "The office never closes at 18:00"),
        ("Der Drucker heißt PRN", "Der Drucker heißt PRN nicht"),
        ("cierra a las 18", "No cierra a las 18"),
        ("офіс зачинено", "офіс не зачинено"),
        ("văn phòng đóng cửa", "văn phòng không đóng cửa"),
        ("本番に出す", "本番に出すことはありません"),
    ],
)
def test_a_negation_that_is_left_out_changes_the_words(memory: str, own: str) -> None:
    assert not said(memory, own)


def test_a_long_text_is_nobodys_plain_word() -> None:
    padding = "x" * (MAX_OWN_CHARS - len(FACT) - 1)
    assert said(FACT, f"{FACT} {padding}")
    assert not said(FACT, f"{FACT} {padding}x")


def test_the_corrected_message_may_supply_the_subject_alone() -> None:
    agent = "The Lisbon office closes at 17:00."
    assert said("Lisbon office closes at 18:00", "closes at 18:00", agent)
    assert not said("Lisbon office closes at 17:00", "closes", agent)
    assert not said("Lisbon office closes at 18:00", "closes at 18:00")
    assert not said("Lisbon office closes", "thanks", agent)
