"""Payment cards: numbers with a valid check digit, and the code on the back."""

import re
from collections.abc import Iterator

from dw_learning.scan.hits import SECRET, Hit

_CARD = re.compile(
    r"(?<![\d.-])(?:\d{4}[ -]?\d{6}[ -]?\d{4,5}|\d{4}(?:[ .-]?\d{4}){2}[ .-]?\d{1,7}|\d(?:[ -]{0,2}\d){12,18})(?![\d-])"
)
_CVV = re.compile(
    r"(?i)\b(?:cvv2?|cvc2?|cid|4dbc|csc|cvn|security code|prüfziffer|kartenprüfnummer)\b\W{0,4}(?:is |ist |es )?(\d{3,4})\b"
)
_CODE_BESIDE = re.compile(
    r"(?i)[\s,;/|-]{1,3}(?:exp\w*\W{0,3}|valid \w+ |gültig bis |cad\w*\W{0,3})?(?:0[1-9]|1[0-2])\s?[/-]\s?\d{2,4}[\s,;/|-]{1,3}(?:cvv2?|cvc2?)?\W{0,3}(\d{3,4})\b"
)
_TEST_CARD = re.compile(
    r"4111111111111111|4242424242424242|4012888888881881|5555555555554444|5105105105105100|378282246310005|6011111111111117|4000000000000002"
)
_IS_TEST = re.compile(
    r"(?i)\b(?:test\w*|examples?|sample|dummy|sandbox|demo|beispiel|prueba|ejemplo|exemple|docs)\b"
)


def cards(shown: str, has_context: bool) -> Iterator[Hit]:
    """Card numbers of a known issuer with a valid check digit, and the code on the back beside one."""
    found = False
    for match in _CARD.finditer(shown):
        digits = re.sub(r"\D", "", match[0])
        if _is_card(digits, has_context) and _luhn(digits):
            if _TEST_CARD.fullmatch(digits) and _IS_TEST.search(shown):
                continue
            found = True
            code = _CODE_BESIDE.match(shown, match.end())
            if code:
                yield Hit(f"{SECRET}card_code", "card_code", *code.span(1), 0.85)
            yield Hit(f"{SECRET}payment_card", "payment_card", match.start(), match.end(), 0.9)
    if found or has_context:
        for match in _CVV.finditer(shown):
            yield Hit(f"{SECRET}card_code", "card_code", match.start(1), match.end(1), 0.85)


def _is_card(digits: str, has_context: bool) -> bool:
    head, size = int(digits[:4]), len(digits)
    if size == 16:
        known = (
            digits[0] == "4"
            or 5100 <= head <= 5599
            or 2221 <= head <= 2720
            or digits[:2] in {"62", "65", "81", "50", "56", "57", "58"}
        )
        return (
            known
            or head == 6011
            or 3528 <= head <= 3589
            or 6440 <= head <= 6499
            or head // 100 in {22, 60, 63, 67, 97}
        )
    if size == 15:
        return digits[:2] in {"34", "37"}
    if size == 14:
        return has_context and (digits[:2] in {"36", "38", "39"} or 3000 <= head <= 3059)
    return has_context and (
        (size in {13, 19} and digits[0] == "4") or (size in range(17, 20) and digits[0] == "6")
    )


def _luhn(digits: str) -> bool:
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0 and len(set(digits)) > 1
