"""Codes that are only called a code: it counts what kind of code is meant, and that the text says what it is."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.codes import PLACE
from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.reading import Mark

_OTHER_KIND = (
    "lines of|line of|error|err|exit|status|http|https|return|response|reason|event|stop|fault|crash|bugcheck|result|abort|signal|area|dial|dialling|dialing|country|region|city|post|postal|zip|"
    "postcode|cost|costs|centre|center|project|promo|promotion|discount|coupon|voucher|gift|referral|offer|campaign|dress|source|qr|bar|product|item|order|article|sku|part|model|stock|"
    "batch|lot|serial|material|colour|color|paint|currency|bank|branch|sort|swift|routing|iban|bic|tax|vat|fiscal|customs|tariff|hs|commodity|department|dept|unit|division|team|"
    "employee|staff|personnel|customer|client|supplier|vendor|partner|company|store|shop|site|location|plant|warehouse|building|booking|reservation|confirmation number|flight|airport|"
    "station|train|tracking|shipping|carrier|icd|diagnosis|procedure|billing|charge|account|ledger|gl|course|class|module|subject|exam|penal|civil|criminal|labour|labor|machine|byte|"
    "op|char|key|scan|dead|legacy|git|review|vs|x|uni|morse|ascii|unicode|iso|naics|sic|nace|job|task|activity|time|absence|leave|pay|payroll|work|budget|category|type|group|"
    "asset|device|language|locale|lang|short|geo|plus|meter|reference|ref|case|incident|ticket|agent|operator|cash|fehler|quell|strich|farb|artikel|produkt|material|vorgangs|kosten|laender|lander|"
    "gutschein|rabatt|aktions|waren|zoll|bestell|kunden|lieferanten|mitarbeiter|konto|bank|buchungs|status|programm|maschinen|tages|ursachen|diagnose|bic|personal|projekt|auftrags|"
    "fel|streck|rabatt|kampanj|vare|varu|strek|foreldelses|post|bar|fout|streepjes|kortings|artikel|actie|opt|pseudo|low"
)
_OTHER = re.compile(
    rf"(?:^|[^\w])(?:{_OTHER_KIND}|urun|hata|posta|ulke|indirim|stok|musteri|siparis|proje|chybov\w+|postovni|hiba|termek|virhe|tuote|posti)[ -]{{0,2}}$"
    r"|(?:产品|商品|错误|錯誤|邮政|邮编|区|国家|股票|源|条形|条|二维|优惠|折扣|项目|項目|部门|员工|客户|订单|物料|货|颜色|状态|返回|退出|地区|税|상품|제품|오류|에러|우편|국가|지역|소스|바|할인|쿠폰|프로모션|부서|사원|고객|주문|품목|색상|"
    r"상태|エラー|製品|郵便|国|地域|ソース|バー|qr|クーポン|割引|部署|社員|顧客|注文|品目|色|終了|証券|銘柄|プロモ|キャンペーン|สินค้า|ไปรษณีย์|त्रुटि|पिन|المنتج|الخطأ)\s*$"
)
_OTHER_WORD = re.compile(
    rf"(?:{_OTHER_KIND}|land|net|uni|de|en|tran|trans|micro|byte|vb|no|in|out|un|under|hard|soft)-?(?:code|codes|kod|kode|koden|koodi|kodu)"
)
_OTHER_AFTER = re.compile(
    r"[ -]{0,2}(?:postal\w*|d'erreur|erreur|de error|del error|d'etat|de estado|de retorno|promo\w*|de descuento|de reduction|reduction|produit|article|de produit|de producto|del producto|"
    r"de barras|a barres|barre|qr|source|fuente|sorgente|fonte|civil\w*|penal\w*|du travail|fiscal\w*|d'acces au reseau|cliente?|client|fournisseur|de pays|pays|pais|couleur|de color|"
    r"di errore|errore|prodotto|sconto|cliente|fiscale|a barre|civile|penale|de erro|erro|do produto|de desconto|de conduta|pocztowy|kreskowy|bledu|produktu|rabatowy|podatkowy|kraju|"
    r"ошибк\w*|товара|продукта|страны|города|региона|валюты|подразделен\w*|отдела|проекта|помилк\w*|товару|країни|краіни|міста|підрозділ\w*|відділу|проекту|проєкту|едрпоу|кпп|инн|оквэд|квед|"
    r"of conduct|review\w*|lines?|base|path|snippets?|block|freeze|quality|style|coverage|repo\w*|owner\w*|change\w*|smell|golf|page|point|monkey|red|blue|orange|yellow|name|number|"
    r"hata\w*|urun|posta|ulke|indirim|bagi|produk|pos|barang|negara|promo|kesalahan|error|loi|san pham|buu dien|giam gia|ใช้|สินค้า|ไปรษณีย์)\b"
)
_VALUE = (
    r"(?:\d{3}[ .-]\d{3}(?![\d-])|\d{4}[ -]\d{4}|[#*]\d{3,8}[#*]?|\d{3,8}[#*]{1,2}|\d{4,8}|\d(?:[ -]\d){3,7})"
    r"(?![A-Za-z0-9_:/%€$£-]|[.,]\d| ?(?:lines|files|bytes|characters|chars|times|rows|errors|warnings|people|users|euro|eur|usd|minutes|hours|days)\b)"
)
_IS = (
    r"(?::|=|→|->|=>|：|—|–|- |[はが是는은]|です|\b(?:is|was|are|now|it's|its|ist|lautet|war|es|sera|era|est|c'est|e'|e|sara|jest|to|to:|ar|er|är|je|este|on|olan|olarak|adalah|ialah|la|da|"
    r"это|теперь|це|тепер|буде|будет|ειναι|הוא|هو|है|คือ)\b)"
)
_SAID = re.compile(rf"(?P<gap>[^\d.!?\n\x00]{{0,46}}?){_IS}[\s\"'`(«“„*<\[]{{0,4}}(?P<v>{_VALUE})")
_NEXT = re.compile(
    r"[\s\"'`(«“„*]{1,3}(?P<v>\d{6}(?![\d-])|\d{3}[ -]\d{3}(?![\d-])|\d{3,8}[#*]|[#*]\d{3,8}[#*]?)(?![\w%/:€$]|[.,]\d)"
)
_NEXT_SHORT = re.compile(r"[\s\"'`(«“„*]{1,3}(?P<v>\d{4,8}[#*]?|[#*]\d{3,8}[#*]?)(?![\w%/:€$-]|[.,]\d)")
_LOCKED = re.compile(
    rf"(?:{PLACE}|tiefgarage|parkhaus|keller|haus\w*|aparcamiento|sotano|garaje|sous-sol|cave|local|parking|basement|shed|store ?room|stock ?room|server ?room|bike ?room|pool|gym)\b[^.!?\n\x00\d]{{0,8}}$"
)
_LETTERED = re.compile(
    rf"[^\d.!?\n\x00]{{0,40}}?{_IS}[\s\"'`(«“„*]{{0,3}}(?P<v>(?=[A-Z-]{{0,9}}\d)(?=[\d-]{{0,9}}[A-Z])[A-Z0-9]{{2,5}}(?:-[A-Z0-9]{{2,5}}){{0,2}}[#*]?)(?![\w-])"
)
_LETTERED_NEXT = re.compile(r"\s[\"'`]?(?P<v>(?=[A-Z]{0,4}\d)(?=\d{0,6}[A-Z])[A-Z0-9]{5,8}[#*]?)(?![\w-])")
_ALNUM = r"(?P<v>(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z0-9]{5,9}|(?=[A-Z-]{0,7}\d)[A-Z0-9]{4}-[A-Z0-9]{4})"
_LETTERED_FIRST = re.compile(
    rf"(?:(?i:\b(?:enter|type(?: in)?|gib|saisis\w*|tape|introduce|inserisci|wpisz|введи\w*))\s+{_ALNUM}\s(?:[^.!?\n\x00]|\.(?=\w)){{0,44}}"
    rf"|(?<![\w-]){_ALNUM.replace('?P<v>', '?P<w>')}\s+(?:is|that's|ist|es|est|jest|это|це)\s+(?:[^\W\d]+\s+){{0,2}})$"
)
_PROMOTED = re.compile(
    r"promo|discount|coupon|voucher|rabatt|gutschein|booking|reserv|buchung|flight|error|order|sku|product"
)
_OPENS = re.compile(
    r"\b(?:log ?-?in|sign ?-?in|verif\w+|confirm\w*|2fa|mfa|authenticat\w+|sms|text(?:ed)?|app|access|key safe|lock ?box|door|gate|entrance|enter|unlock|alarm|locker|safe|pair\w*|join|portal|lift|garage|building|flat|"
    r"tur|tor|eingang|anmeld\w+|bestatig\w+|porte|portail|immeuble|entree|connexion|puerta|porton|entrada|entrar|acceso|porta|cancello|portone|accesso|portao|drzwi|brama|bramy|furtki|klatk\w+|вход\w*|двер\w*|домофон\w*|подъезд\w*|пщдъизд\w*|вхід\w*)"
)
_TEXTED = re.compile(
    r"[^\d.!?\n\x00]{0,30}?(?:[:,–—-]|\b(?:says?|said|sagt|reads|came|is|dice|dit|da|with|mit|con|avec|ist|est|es|jest|это|це|пришло|прийшло|prislo)\b)?\s{0,2}[\"'`(«]?(?P<v>\d{6}|\d{3}[ -]\d{3})(?![\w%/:€$-]|[.,]\d|\s(?:sent|delivered|messages|sms|per|failed|today))"
)
_NO_TEXT = re.compile(
    r"\b(?:sent|delivered|count|total|billed|failed|gesendet|verschickt|versendet|envoyes?|enviados?|inviati|wyslane|отправлен\w*|надіслан\w*|to|an|na|number|nummer|nr|numero|tel|phone|from|von|de|на|с номера|id|ticket|case|order|bestellung|call)\W*$"
)
_FIRST = re.compile(
    r"(?<![\w.,/#+:-])(?P<v>\d{6}|\d{3}[ -]\d{3}|\d{4}[#*]?)[\s\"'`*)»]{0,3}(?:that's|thats|that is|this is|is|das ist|ist|eso es|es|c'est|est|e|to jest|jest|ar|er|on|—|–|-|<-|<--|←|=|to|это|це|la|は|が|,)\s+(?:[^\W\d]+['’]?\s*){0,4}?$"
)
_NEARBY = re.compile(r"\d{3}|\d[ -]\d[ -]\d|[A-Z]\d|\d[A-Z]")
_COUNTED = re.compile(
    r"\b(?:lines?|page|version|digits?|stellig|review\w*|error|fehler|status|project|projekt|product|produkt|cost|kosten\w*|promo\w*|discount|rabatt|order|bestellung|invoice|rechnung|"
    r"ticket|case|item|article|artikel|country|postal|post|tax|steuer\w*|ошибк\w*|помилк\w*|erreur|errore|error|erro|commit|branch|merge\w*|release|deploy\w*|generated|issued|redeemed|used|scanned|remaining|left|count\w*|total|sold|printed|erzeugt|eingelost|gesendet|year|since|until|seit)\b"
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def plain_codes(shown: str, folded: str, said: list[Mark]) -> Iterator[Hit]:
    """What a code is said to be, where nothing says that it is of a kind that opens nothing; spans are of `shown`."""
    done = -1
    for mark in said:
        if not mark.bits & c.CODE_WORD or mark.start < done:
            continue
        if _NEARBY.search(shown, max(0, mark.start - 64), mark.end + 90) is None:
            continue
        word = folded[mark.start : mark.end]
        before = folded[max(0, mark.start - 30) : mark.start]
        if word.startswith(("sms", "смс", "text", "短信", "문자", "mensaje", "messag", "смск")):
            yield from _texted(mark, folded)
            continue
        if _OTHER.search(before) or _OTHER_WORD.fullmatch(word) or _OTHER_AFTER.match(folded, mark.end):
            continue
        for hit in _told(mark, shown, folded):
            done = hit.end
            yield hit


def _told(mark: Mark, shown: str, folded: str) -> Iterator[Hit]:
    limit = mark.end + 80
    before = folded[max(0, mark.start - 34) : mark.start]
    opens = _LOCKED.search(before) is not None and "alarm" not in before
    for pattern in (_NEXT_SHORT, _SAID) if opens else (_NEXT, _SAID):
        match = pattern.match(folded, mark.end, limit)
        if match and not _is_counted(match) and not _is_year(match["v"]):
            yield Hit(f"{SECRET}code_named", "one_time_code", *match.span("v"), 0.82)
            return
    window = folded[max(0, mark.start - 50) : mark.end + 60]
    match = _LETTERED.match(shown, mark.end, limit)
    if match is None and "alarm" not in window:
        match = _LETTERED_NEXT.match(shown, mark.end)
    if match and len(match["v"]) >= 5 and _OPENS.search(window):
        yield Hit(f"{SECRET}code_named", "one_time_code", *match.span("v"), 0.75)
        return
    head = folded[max(0, mark.start - 48) : mark.start]
    first = _FIRST.search(head)
    if first and (len(first["v"]) >= 6 or _OPENS.search(window)) and not _is_year(first["v"]):
        start = max(0, mark.start - 48) + first.start("v")
        yield Hit(f"{SECRET}code_named", "one_time_code", start, start + len(first["v"]), 0.78)
        return
    at = max(0, mark.start - 64)
    entered = _LETTERED_FIRST.search(shown, at, mark.start)
    if entered and not _PROMOTED.search(folded):
        yield Hit(f"{SECRET}code_named", "one_time_code", *entered.span("v" if entered["v"] else "w"), 0.74)


def _is_counted(match: re.Match[str]) -> bool:
    return _COUNTED.search(match.groupdict().get("gap") or "") is not None


def _is_year(value: str) -> bool:
    return _YEAR.fullmatch(value) is not None


def _texted(mark: Mark, folded: str) -> Iterator[Hit]:
    match = _TEXTED.match(folded, mark.end, mark.end + 60)
    if match and not _NO_TEXT.search(folded, mark.end, match.start("v")):
        yield Hit(f"{SECRET}code_texted", "one_time_code", *match.span("v"), 0.8)
