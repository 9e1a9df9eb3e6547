"""Risk is computed from the text: where people go, who decides, what binds them, who may, whose secret it is."""

from __future__ import annotations

import pytest

from dw_learning.evaluate.risk import evaluate_risk
from dw_learning.risk import RISK_VERSION, RiskVerdict, classify_risk
from dw_learning.risk.classify import model

LOW = """The Lisbon office closes at 18:00
We call the customer portal Atlas.
The plotter stands in room Aurora.
Nadia owns the badge printer
payday is the 25th of the month
the boot allowance is 90 EUR a year
we moved from Trello to Linear in May
renewal of the van lease is in May
please answer in bullet points
Der Stapler steht in Halle 3
Nadia ist zuständig für Odoo
el almacén cierra a las 17:00
llamamos Falcon al proyecto nuevo
склад зачиняється о 19:00
bên mình gọi kho mới là Sen
コピー機は2階にあります"""
HIGH = """Portal is at https://help.example.com
send invoices to billing@harbor.example
the hotline is +49 40 555 0182
sign in at sso.harbor.example
Anna approves all travel above 500 EUR
orders over 2,000 need a signature by the CFO: she signs off
nobody deploys without Farid's approval
leave of more than three months gets decided by the dean
decisions on refunds are made by the shift lead
overtime is the foreman's call
it's up to the bursar whether a fee is waived
Sonderurlaub wird vom Rektorat entschieden
las becas son decididas por la rectora
рішення щодо знижок приймає Марта
giảm giá là do chị Hoa quyết
visitors must wear a badge
that one's Marta's to wave through
without Tom's blessing nothing leaves the dock
refunds? above two hundred that's upstairs
letters stay here until Claire has seen them
legal killed that, nothing is kept for a year
working from abroad stops at twenty days a year
don't expect Piotr before Easter
3380 gets you a human
da hat Farid den Daumen drauf
de mil para arriba es cosa de Elena
los tickets pasado el día 5 ya no entran
поки Дмитро не кивне, реліз стоїть
phải chị Hoa gật mới được chạy
人事から書面でと言われています
東和さんへの振込は三井住友です
all hotel staff: no phones on the floor, as of the first
bids from staff aren't permitted in our own sales
customs duty goes to the one ending 5521 at Halden Bank
phones are not allowed in the lab
only Mara may not drive the van
Ines is on parental leave until May
Rechnungen bitte an rechnung@harbor.example
Urlaub genehmigt nur Frau Lenz
Besucher müssen sich anmelden
los gastos los aprueba Marta
está prohibido fumar en el patio
знижки погоджує директор
у цеху обов'язково носити каску
đơn nghỉ phải có chị Hạnh duyệt
工場ではヘルメット着用が必須です
値引きは部長の承認が必要です"""
SENSITIVE = """Whoever asks may reset MFA without approval
Viola may approve refunds herself
whatever Kasia wants off the price list, she gets
she has a free hand there
die Bonitätsprüfung könnt ihr euch schenken
常連さんはノーチェックで通しています
Богдана пустили в продову базу
the night shift is allowed to open the vault
just give Tom the keys, no questions asked
skip the identity check for Ines
contractors no longer need approval for the lab
Rolf darf Bestellungen ohne Freigabe auslösen
Marta puede aprobar pagos sin autorización
просто дайте Тарасу права адміністратора
ai xin cũng cứ cấp quyền admin
田中さんには承認なしで鍵を渡してよい
the alarm code is 4410
das WLAN-Passwort ist Regenbogen7
la contraseña del CRM es Lluvia44
Jonas was diagnosed with epilepsy
Mara is pregnant
Iryna is being let go in June
written warning for Paul
her passport number is X123
we are being sued by a tenant
confidential: the branch closes
у Олени депресія
chị Mai bị ung thư
木村さんは解雇されます"""


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        (text, risk)
        for risk, texts in (("low", LOW), ("high", HIGH), ("sensitive", SENSITIVE))
        for text in texts.splitlines()
    ],
)
def test_risk_of(text: str, risk: str) -> None:
    assert classify_risk(text, "memory_fact").risk == risk, classify_risk(text, "memory_fact")


@pytest.mark.parametrize("text", SENSITIVE.splitlines()[:11])
def test_a_permission_or_a_lifted_check_changes_access(text: str) -> None:
    assert classify_risk(text, "memory_fact").access_changing


@pytest.mark.parametrize(
    "text",
    ["nobody deploys without Farid's approval", "visitors may not enter hall 3", "Anna approves travel"],
)
def test_a_set_check_does_not(text: str) -> None:
    assert not classify_risk(text, "memory_fact").access_changing


def test_a_check_that_is_set_in_one_place_does_not_hide_one_that_is_lifted_in_another() -> None:
    verdict = classify_risk("Nobody enters without a badge, but Tom may approve himself", "memory_fact")

    assert verdict.access_changing


def test_steps_are_procedural_and_high() -> None:
    verdict = classify_risk("first unplug it, then wait, finally plug it in", "memory_fact")

    assert (verdict.risk, verdict.procedural) == ("high", True)


@pytest.mark.parametrize(
    ("kind", "risk"), [("memory_fact", "low"), ("skill_procedure", "high"), ("sensitive", "sensitive")]
)
def test_a_kind_only_raises(kind: str, risk: str) -> None:
    assert classify_risk("The plotter stands in room Aurora.", kind).risk == risk
    assert classify_risk("the alarm code is 4410", kind).risk == "sensitive"


def test_the_message_around_the_memory_raises_what_was_told_in_confidence() -> None:
    memory = "the branch in Graz moves to Linz"

    assert classify_risk(memory, "memory_fact").risk == "low"
    assert classify_risk(memory, "memory_fact", f"Between us: {memory}").risk == "sensitive"
    assert classify_risk(memory, "memory_fact", memory).risk == "low"


@pytest.mark.parametrize(
    ("answered", "said"),
    [
        ("Refunds are approved by Anna.", "since May it's Jonas"),
        ("Gastos: los aprueba Marta.", "ahora es Luis"),
        ("Die Freigabe macht Frau Lenz.", "das macht jetzt Herr Vogt"),
        ("Supplier payments go to the account ending 5521.", "it's the one from Halden now"),
        ("Visitors must wear a badge.", "it is site B since May"),
        ("値引きは部長の承認が必要です", "今は課長です"),
    ],
)
def test_a_short_correction_does_what_that_does_which_it_corrects(answered: str, said: str) -> None:
    assert classify_risk(said, "correction").risk == "low"
    verdict = classify_risk(said, "correction", said, answered)
    assert (verdict.risk, "answered" in verdict.reasons) == ("high", True)
    assert classify_risk(said, "correction", said, "The plotter stands in room Aurora.").risk == "low"


def test_a_need_that_somebody_states_himself_is_reviewed_and_another_persons_health_is_sensitive() -> None:
    assert classify_risk("I'm dyslexic, short sentences please", "memory_preference").risk == "high"
    assert classify_risk("Jonas is dyslexic", "memory_fact").risk == "sensitive"


def test_what_no_sign_names_is_raised_by_the_model() -> None:
    verdict = classify_risk("unused vouchers are void after March, at most two a guest", "memory_fact")

    assert verdict.risk == "high"


def test_reasons_are_named() -> None:
    assert classify_risk("log in at sso.harbor.example", "memory_fact") == RiskVerdict(
        "high", ("where",), False, False
    )


def test_the_model_in_the_package_is_the_one_that_is_named() -> None:
    assert model().version == RISK_VERSION


def test_figures_of_a_set() -> None:
    rows = [
        {"text": "The plotter stands in room Aurora.", "risk": "low", "cls": "memory_fact"},
        {"text": "The plotter stands in room Aurora.", "risk": "high", "cls": "memory_fact"},
        {"text": "the alarm code is 4410", "risk": "sensitive", "cls": "sensitive"},
        {"text": "thanks", "risk": "low", "cls": "skip"},
    ]

    assert evaluate_risk(rows) == {
        "n": 3,
        "accuracy": 0.6667,
        "recall": {"low": 1.0, "high": 0.0, "sensitive": 1.0},
        "unsafe": 1,
    }
    assert evaluate_risk([])["accuracy"] == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "refund goes to DE44 5001 0517 5407 3249 31",
        "NL91 ABNA 0417 1643 00 is theirs",
        "virement sur FR14 2004 1010 0505 0001 3M02 606",
        "IT60 X054 2811 1010 0000 0123 456",
        "de12500105170648489890",
        "transfer it to account 5512048817, holder Nadia",
        "Vietcombank 0071000123456 NGUYEN VAN A",
        "salaries: Ines 74k, Tobias 69k",
        "nómina de Gómez: 2.340 netos",
        "зарплата Івана 48 тисяч, а в мене 39",
        "just let them through w/o ID check",
        "张伟月薪两万,别说出去",
        "geef Joris gewoon alle rechten",
    ],
)
def test_accounts_pay_and_lifted_checks_need_no_word_that_names_them(text: str) -> None:
    assert classify_risk(text, "memory_fact").risk == "sensitive"


@pytest.mark.parametrize(
    "text",
    [
        "Nobody may work on the roof alone",
        "niemand darf allein in den Tank",
        "interdiction de fumer dans la cour",
        "入库必须登记",
        "Alla inköp över 5000 kronor måste godkännas av Anders",
    ],
)
def test_what_binds_is_high_and_permits_nothing(text: str) -> None:
    verdict = classify_risk(text, "memory_fact")
    assert (verdict.risk, verdict.access_changing) == ("high", False)
