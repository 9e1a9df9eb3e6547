"""Values of many shapes against labels of many languages, and numbers that are codes against numbers that are not."""

import random
import string

import pytest

from dw_learning.scan import redact, scan_secrets

_WORDS = "river tiger maple copper lantern pixel rocket velvet orbit walnut harbor falcon silver candle forest thunder".split()
_ALNUM = string.ascii_letters + string.digits
_LABELS = [
    "my password is {}, can you log in", "password: {}", "pw {}", "just use mine: jlind / {}", "user: mpetrov pass: {}", "the wifi password is {}",
    "I set the password to {} for now", "username admin password {}", "das Passwort lautet {}", "Kennwort vom Admin: {}", "la contraseña es {}",
    "le mot de passe est {}", "mật khẩu là {}", "パスワードは{}です", "мій пароль {}, зайди подивись", "пароль от вайфая: {}", "a senha é {}", "la password è {}",
    "wachtwoord: {}", "hasło: {}", "şifre {}", "密码是{}", "비밀번호는 {} 입니다", "lösenordet är {}",
]  # fmt: skip
_CODES = [
    "otp {}", "my code is {}", "code: {}", "verification code {}", "{} is my code", "the code they sent is {}", "der TAN ist {}", "Der Code lautet {}", "SMS-Code: {}",
    "el código es {}", "código de seguridad {}", "le code est {}", "mã otp {}", "認証コード {}", "コードは{}です", "код із смс {}", "код: {}", "o código é {}", "il codice è {}",
    "de code is {}", "kod sms {}", "doğrulama kodu {}", "验证码 {}", "인증번호 {}", "koden är {}",
]  # fmt: skip
_NO_CODES = [
    "order {}", "ticket {}", "invoice {}", "error code {}", "product code {}", "promo code {}", "booking {}", "employee id {}", "tokens used {}", "login failures: {}", "user {}",
    "sms {} delivered", "lines of code: {}", "codes generated: {}", "HTTP code {}", "Fehlercode {}", "Artikelcode {}", "código de producto {}", "code article {}", "код ошибки {}",
    "код товару {}", "商品コード {}", "错误代码 {}", "오류 코드 {}", "kod produktu {}", "hata kodu {}", "Kundennummer {}", "注文番号 {}", "заказ {}", "password attempts: {}",
]  # fmt: skip


def _shapes(rng: random.Random) -> dict[str, str]:
    """One value of each shape; never a placeholder, and with letters and digits where the shape has both."""

    def some(alphabet: str, count: int) -> str:
        while True:
            value = "".join(rng.choices(alphabet, k=count))
            if (
                sum(ch.isdigit() for ch in value) >= 2
                and any(ch.islower() for ch in value)
                and value[0].isalpha()
            ):
                return value

    word = rng.choice(_WORDS).title()
    return {
        "random with signs": some(_ALNUM + "!#$%&*+-=?@^_~", 14),
        "random": some(_ALNUM, 12),
        "word sign number": f"{word}{rng.choice('!#$@*&_')}{rng.randint(10, 9999)}",
        "word number sign": f"{word}{rng.randint(10, 9999)}{rng.choice('!#$@')}",
        "word letters number": f"{word}-{some(_ALNUM, 4)}!{rng.randint(10, 99)}",
        "words and number": f"{word.lower()}.{rng.choice(_WORDS)}.{rng.randint(100, 999)}",
        "two words": f"{word}{rng.choice(_WORDS).title()}{rng.randint(10, 999)}",
        "sign first": f"{rng.choice('#$@')}{some(_ALNUM, 11)}",
        "number first": f"{rng.randint(1, 99)}{word.lower()}{rng.choice('!#$')}",
    }


@pytest.mark.parametrize("label", _LABELS)
def test_a_password_of_any_shape_beside_its_label_is_gone_to_the_last_character(label: str) -> None:
    rng = random.Random(label)
    missed, left, eaten = [], [], []
    for _ in range(12):
        for value in _shapes(rng).values():
            text = label.format(value)
            redacted = redact(text, scan_secrets(text))
            core = value.strip(string.punctuation)
            if redacted == text:
                missed.append(text)
            elif any(core[at : at + 4] in redacted for at in range(len(core) - 3)):
                left.append((text, redacted))
            elif not redacted.startswith(label.split("{}")[0].rstrip()[:6]):
                eaten.append((text, redacted))
    assert len(missed) <= 12 * 9 * 0.06, missed
    assert left == []
    assert eaten == []


@pytest.mark.parametrize("label", _CODES)
def test_what_a_code_is_said_to_be_is_gone(label: str) -> None:
    rng = random.Random(label)
    for shape in ("{}{}", "{} {}"):
        for _ in range(4):
            text = label.format(shape.format(rng.randint(210, 998), rng.randint(210, 998)))
            redacted = redact(text, scan_secrets(text))
            assert not any(ch.isdigit() for ch in redacted), (text, redacted)


@pytest.mark.parametrize("label", _NO_CODES)
def test_a_number_of_another_kind_stays(label: str) -> None:
    rng = random.Random(label)
    for _ in range(6):
        assert scan_secrets(label.format(rng.randint(210000, 998000))) == ()


@pytest.mark.parametrize("name", ["wallet", "alone"])
def test_wallet_words_are_found_numbered_in_lines_and_in_a_row(name: str) -> None:
    words = "hover salon tissue margin eagle fringe viable quote pledge zoo napkin orient".split()
    before = "my wallet: " if name == "wallet" else "look here\n"
    for text in (
        " ".join(words),
        "\n".join(words),
        " ".join(f"{n}. {word}" for n, word in enumerate(words, 1)),
        ", ".join(words),
    ):
        redacted = redact(before + text, scan_secrets(before + text))
        assert redacted.startswith(before.strip())
        assert not [word for word in words if word in redacted], redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("DB_PASSWORD=tQOt7GMaUn0x\nDB_USER=app", "DB_PASSWORD=[redacted:password]\nDB_USER=app"),
        ('psql "host=db1 dbname=erp password=FuLj4oUy6O7o"', 'psql "host=db1 dbname=erp password=[redacted:password]"'),
        ("the passphrase is marble lantern quickly otter all lower case", "the passphrase is [redacted:password] all lower case"),
        ("<password>Wh921FQTZId8</password>", "<password>[redacted:password]</password>"),
        ("changed the password from Otter!12x to Gr4nite-Steps", "changed the password from [redacted:password] to [redacted:password]"),
        ("wifi: AcmeGuest / lemonade4all", "wifi: AcmeGuest / [redacted:password]"),
        ("the pin for the safe is 4821, thanks", "the pin for the safe is [redacted:pin], thanks"),
    ],
)  # fmt: skip
def test_the_value_goes_and_nothing_else(text: str, redacted: str) -> None:
    assert redact(text, scan_secrets(text)) == redacted
