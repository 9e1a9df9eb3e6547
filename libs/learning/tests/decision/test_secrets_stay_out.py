"""Whatever a detector makes of a sentence that holds a secret, nothing that is saved or shown to a person holds it.

Twice: as ingest hands it on, redacted, through our own extractor; and as if ingest had seen nothing, with a detector
that repeats the sentence as a fact that it is sure of.
"""

from __future__ import annotations

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from dw_contracts.events.detections import DetectionItem, ItemKind
from dw_learning.decision import decide
from dw_learning.decision.case import Case
from dw_learning.decision.outcomes import Block, Outcome
from dw_learning.evaluate.pipeline import _agent, _case, as_event
from dw_learning.extract import extract
from libs.learning.tests.scan.fakes import fake

SENTENCES: Final = (
    ("The login for the lab fridge monitor is nurse and the password is {}.", "password"),
    ("Use {} as the API key for the crane scheduler.", "api_key"),
    ("The stage door keypad code is {}.", "digits4"),
    ("Milking robot admin pw: {}", "weak"),
    ("The token for the parcel API is {}.", "opaque"),
    ("export GITHUB_TOKEN={}", "github"),
    ("The recovery phrase of the ticketing wallet is {}.", "seed"),
    ("Company card for the props: {}, expires 04/29, cvc 771.", "card"),
    ("Das Passwort für das Röntgengerät lautet {}.", "password"),
    ("El código de la alarma de la granja es {}.", "digits4"),
    ("Пароль від планшета на кухні: {}", "password"),
    ("Mật khẩu máy tính quầy thuốc là {}.", "password"),
    ("金庫の暗証番号は{}です。", "digits4"),
    ("Eczane bilgisayarının şifresi {}.", "password"),
    ("금고 비밀번호는 {}이에요.", "digits4"),
    ("Le mot de passe du poste de soins est {}.", "password"),
    ("Hasło do komputera w przychodni to {}.", "password"),
    ("剧院售票系统的密码是{}。", "password"),
    ("postgres://farm:{}@db.local/milk is the database.", "urlsafe"),
)
AROUND: Final = st.sampled_from(
    (
        "{}",
        "Please remember: {}",
        "The harbour office opens at 8. {}",
        "{} The canteen closes at 14:00.",
        "Hi all! {} Thanks",
    )
)
KINDS: Final = st.sampled_from(list(ItemKind))
SAID = st.builds(
    lambda pair, seed, around: (around.format(pair[0].format(fake(pair[1], seed))), fake(pair[1], seed)),
    st.sampled_from(SENTENCES),
    st.integers(0, 50),
    AROUND,
)


def shown(outcomes: tuple[Outcome, ...]) -> str:
    """All that is kept of them."""
    return " ".join(map(repr, outcomes))


def as_row(text: str) -> dict[str, str]:
    return {"id": "row", "text": text, "sender": "verified"}


@settings(max_examples=40, deadline=None)
@given(SAID)
def test_through_ingest_and_our_extractor(said: tuple[str, str]) -> None:
    text, secret = said
    event = as_event(as_row(text))
    assert secret not in event.text
    outcomes = decide(_case(event, as_row(text), extract(event.text, None, None, None)), _agent())
    assert secret not in shown(outcomes)


@settings(max_examples=40, deadline=None)
@given(SAID, KINDS, st.booleans())
def test_past_ingest_and_with_a_detector_that_repeats_it(
    said: tuple[str, str], kind: ItemKind, of_another: bool
) -> None:
    """`of_another`: the message itself holds nothing, and the detector says the secret all the same."""
    text, secret = said
    heard = "The harbour office opens at 8." if of_another else text
    event = as_event(as_row(heard)).model_copy(update={"text": heard, "redactions": ()})
    item = DetectionItem(
        kind=kind, text=text, span=(0, len(heard)), key="a-topic", risk_hint="low", confidence=0.9
    )
    base = _case(event, as_row(heard), ())
    case = Case(event, True, base.sender, base.channel, (item,))
    outcomes = decide(case, _agent())
    assert secret not in shown(outcomes)
    assert any(isinstance(outcome, Block) for outcome in outcomes)
