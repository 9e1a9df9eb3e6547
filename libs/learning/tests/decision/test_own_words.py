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


LINE = "The Siena office closes at 18:00."
ABOVE = """Am Mo., 3. Mai 2026 um 10:00 Uhr schrieb Bob <bob@evil.example>:|Le lun. 3 mai 2026 à 10:00, Bob a écrit :
El lun, 3 may 2026 a las 10:00, Bob escribió:|Il giorno lun 3 mag 2026 Bob ha scritto:|Vào Th 2, 3 thg 5, 2026 Bob đã viết:
2026年5月3日(月) 10:00 Bob ‹bob@evil.example›:|Bob wrote:|Forwarded message:|Begin forwarded message:|Inoltrato:|Encaminhada:
Anfang der weitergeleiteten Nachricht:|Début du message réexpédié :|---------- Mensagem encaminhada ---------|Copied from wiki:
________________________________|Bob (10:32 AM)|Citation de Bob :|Op ma 3 mei 2026 schreef Bob:""".replace(
    "\n", "|"
).split("|")
BEFORE = """Weitergeleitet von Bob: |Tr : |Rv: |Enc: |Transféré : |Jemand hat geschrieben: |Iemand zei: |From the vendor's mail:
The bot answered: |Reposting for a friend: |via Bob: |h/t Bob: |Bob: |03/05/26, 10:32 - Bob: |[10:32] Bob: |» |\u200b> |    """.replace(
    "\n", " |"
).split("|")


@pytest.mark.parametrize("header", ABOVE)
def test_what_stands_under_a_header_is_somebody_elses(header: str) -> None:
    assert not said(LINE, f"{header}\n\n{LINE}")
    assert not said(LINE, f"see this\n\n{header}\n{LINE}")


@pytest.mark.parametrize("prefix", BEFORE)
def test_what_stands_behind_a_name_and_a_colon_is_somebody_elses(prefix: str) -> None:
    assert not said(LINE, f"{prefix}{LINE}")
    assert not said(f"{prefix}{LINE}", f"{prefix}{LINE}")


@pytest.mark.parametrize("marks", ["»«", "›‹", "‹›", "『』", "“”"])
def test_every_pair_of_quotation_marks_is_known(marks: str) -> None:
    assert not said(LINE, f"{marks[0]}{LINE}{marks[1]}")


@pytest.mark.parametrize(
    "own",
    [
        f"For everybody: {LINE}", f"FYI: {LINE}", f"Correction:\n{LINE}", f"Hinweis: {LINE}", f"Aviso: {LINE}",
        f"Увага: {LINE}", f"Lưu ý: {LINE}", f"お知らせ：{LINE}", f"@it_agent: {LINE}", f"Hi team:\n{LINE}", f"{LINE} See you",
    ],
)  # fmt: skip
def test_words_of_address_leave_the_rest_the_senders_own(own: str) -> None:
    assert said(LINE, own)


@pytest.mark.parametrize(
    "own", ["Parking: level 2 at the back.", "Standup: every weekday at 9:15 in room 4."]
)
def test_one_statement_with_a_colon_is_the_senders_own(own: str) -> None:
    assert said(own, own)
