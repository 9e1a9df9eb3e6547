"""Secrets in what machines read: settings, JSON, YAML, XML, command lines, links that log somebody in."""

import re
from collections.abc import Iterator

from dw_learning.scan.hits import SECRET, Hit
from dw_learning.scan.shapes import is_placeholder, looks_random

_NAMED = (
    r"(?:pass(?:word|wd|phrase|code)?|passwort|kennwort|pwd|pswd|psk|secret|token|api[_-]?key|apikey|(?:access|private|secret|auth|signing|"
    r"encryption|master|account|shared|license|jwt|session|service|storage|app|application|client|admin|webhook|deploy|api|integration)[_-]?"
    r"(?:key|secret|token)|credentials?|auth|pat|dsn|cookie|salt|pepper|secret[_-]?access[_-]?key|key[_-]?base)"
)
_FIELD = re.compile(
    rf"(?i){_NAMED}(?:[_-]?(?:key|base|token|value|b64|base64|prod|dev|stage|staging|test|live|old|new|\d)){{0,3}}[\"']?[^\S\n]{{0,3}}(?::=|=>|=|:)[^\S\n]{{0,3}}"
    r"(?:[\"'`]|\[)?(?:(?:bearer|basic|token)[^\S\n]+)?(?P<v>[^\s\"'`,;<>{}()\x00]{6,600})"
)
_TAG = re.compile(
    rf"(?i)<(?:[\w-]{{1,20}}:)?[\w-]{{0,24}}?{_NAMED}(?:\s[^<>]{{0,80}})?>\s{{0,3}}(?P<v>[^\s<>\x00]{{4,400}})\s{{0,3}}</"
)
_KEYED = re.compile(
    rf"(?i)\b(?:key|name)=[\"'][\w.:-]{{0,40}}?{_NAMED}[\"']\s+value=[\"'](?P<v>[^\s\"'<>\x00]{{4,400}})[\"']"
)
_COMMAND = re.compile(
    r"(?:\bredis-cli\b[^\n|;]{0,100}?\s-a[ =]?|\b(?:psql|pg_dump|mongo(?:sh|dump)?|mosquitto_(?:pub|sub)|ldapsearch|ldapadd|az login|docker login|podman login|helm registry login|"
    r"mysql(?:dump|admin)?|mariadb|cqlsh|ssh-keygen|smbclient|rclone|sqlcmd|bcp|influx|vault login|oc login|nmcli|wpa_passphrase|snmpwalk|snmpget|ipmitool|zip|unzip|7z|unrar|rar)\b"
    r"[^\n|;]{0,140}?\s(?:-p|-P|-w|-W|-N|-c|-a|-hp|--password|--token|--passphrase|--username\s\S+\s+-p|wifi-sec\.psk|password)[ =]?|"
    r"\bcmdkey\b[^\n]{0,100}?/pass:|\bnet use\b[^\n]{0,120}?/user:\S+\s+|\b(?:psexec|runas|schtasks|wmic)\b[^\n]{0,120}?\s/?-?p(?:assword)?[: ]|"
    r"\b(?:chpasswd|passwd)\b\s*<<<\s*[\"']?[\w.-]{1,32}:|\becho\s+[\"']?[\w.-]{1,32}:(?=[^\n|]{6,64}\|\s*(?:sudo\s+)?chpasswd)|"
    r"\bexport\s+\w*(?:PASS|PWD|TOKEN|SECRET|KEY)\w*=|\becho\s+(?=[^\n|]{6,80}\|\s*sudo\s+-S))[\"']?(?P<v>[^\s\"'<>|\x00]{4,200})"
)
_ORACLE = re.compile(
    r"(?i)\b(?:jdbc:oracle:\w+:|sqlplus\s+|sqlldr\s+|expdp\s+|impdp\s+|userid=)[\w$#.-]{1,40}/(?P<v>[^\s/@\"'\x00]{3,64})@"
)
_LINK = re.compile(
    r"(?i)https?://[^\s\"'<>\x00]{3,200}?/(?:magic(?:[_-]?link)?|reset(?:[_-]?password)?|password[_-]?reset|set[_-]?password|invit(?:e|ation)s?|accept|activate|activation|verify|"
    r"confirm(?:ation)?|login|signin|sso|auth|unlock|one[_-]?time|otl|recover|impersonate|secret|private|s|share|t)/(?P<v>[A-Za-z0-9_.=~-]{20,300})(?![\w/])"
)
_QUERY = re.compile(
    r"(?i)[?&#;](?:[\w-]{0,20}?(?:token|secret|passw(?:or)?d|passcode|signature|apikey|api[_-]?key|auth[_-]?key|accesskey|ticket|otp|pwd)|sig|key|hash|hmac|jwt|sid|tk|st|psk|pw|pass|k|t|h)="
    r"(?P<v>[^\s&#\"'<>)\]\x00]{6,1000})"
)
_LICENCE = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])(?:[A-Z0-9]{5}-){3,5}[A-Z0-9]{5}(?![A-Za-z0-9-])"
)
_LICENCE_OF_FOURS = re.compile(
    r"(?<![A-Za-z0-9-])(?=[A-Za-z-]*\d)(?=[\d-]*[A-Za-z])(?:[A-Z0-9]{4}-){2,7}[A-Z0-9]{4}(?![A-Za-z0-9-])"
    r"|(?<![A-Za-z0-9-])(?=[a-z-]*\d)(?=[\d-]*[a-z])(?:[a-z0-9]{4}-){3,7}[a-z0-9]{4}(?![A-Za-z0-9-])"
)
_LICENCE_WORD = re.compile(
    r"(?:licen[cs]e|product|activation|registration|serial|cd|unlock|volume)[ -]?(?:key|code)|(?:lizenz|produkt|aktivierungs|freischalt)[ -]?(?:schlussel|key|code)"
    r"|cle (?:de |d')?(?:licence|produit|activation)|clave de (?:licencia|producto|activacion)|chave (?:de|do) (?:licenca|produto|ativacao)"
    r"|(?:codice|chiave) (?:di )?(?:licenza|prodotto|attivazione)|licentie(?:sleutel|code)|licensnyckel|klucz (?:licenc|produkt|aktyw)\w*"
    r"|ключ (?:лиценз|ліценз|актив|продукт)\w*|(?:лиценз|ліценз)\w* ключ|lisans anahtar\w*|(?:khoa|ma|key) (?:ban quyen|kich hoat)"
    r"|ライセンスキー|プロダクトキー|许可证密钥|产品密钥|激活码|序列号|라이선스 키|제품 키"
)
"""Groups of four are common in serial numbers too: a key they are only where they are called one."""
_LEGACY_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_UUID_KEY = re.compile(
    r"(?:api[ _-]?key|apikey|client[ _-]?secret|access[ _-]?(?:key|token)|auth[ _-]?token|authtoken|secret(?:[ _-]key)?|api[ _-]?token|token|bearer|instrumentation[ _-]?key|"
    r"schlussel|clave|jeton|cle api|chave|chiave|klucz|токен|ключ|トークン|キー|密钥|令牌|토큰|키|khoa)[\"']?"
    rf"(?:\s{{0,2}}(?::=|=>|[:=：は는은]|is|ist|es|est|e|jest|la|to|це|это)?\s{{0,2}})[\"'`]?(?P<v>{_LEGACY_UUID})(?![\w-])"
)
_REFERENCE = re.compile(
    r"(?i)[\w.]+\(.*|(?:os|process|env|config|settings|self|this|request|req|ctx|vars?|local|data|module|secrets|args|params|options|props|user|form|body|values|input)\.[\w.\[\]-]+"
    r"|/[\w./-]+|\.{1,2}/.*|[a-z]:\\.*|(?:vault|ssm|sops|secretref|keyvault|arn|file|env|ref|op|aws|gcp|azure)(?:\+\w+)?:.*|enc\[.*|!\w+.*|\*\w+|&\w+|@.*|%\(.*|%\w+%|#\{.*|\[.*|\w+\[.*"
    r"|(?:true|false|null|none|nil|yes|no|on|off)|[a-z][a-z_]*|[A-Z][A-Z_]*|[\d.]+[a-z]{0,3}|https?://[^@?]*"
)


def fields(shown: str, folded: str) -> Iterator[Hit]:
    """Values of settings whose name says secret, in any notation; spans are of `shown`."""
    if "=" in shown or ":" in shown:
        for match in _FIELD.finditer(shown):
            if shown.startswith("arn:", shown.rfind(" ", 0, match.start()) + 1):
                continue
            yield from _valued(match, shown)
    if "</" in shown:
        for match in _TAG.finditer(shown):
            yield from _taken(match, "field")
    if "value=" in shown:
        for match in _KEYED.finditer(shown):
            yield from _taken(match, "field")
    if shown.count("-") >= 2 and _LICENCE_WORD.search(folded) is not None:
        for match in _LICENCE_OF_FOURS.finditer(shown):
            yield Hit(f"{SECRET}licence_key", "licence_key", match.start(), match.end(), 0.85)
    for match in _UUID_KEY.finditer(folded) if shown.count("-") >= 4 else ():
        yield Hit(f"{SECRET}token_named", "token", *match.span("v"), 0.85)


def commands(shown: str) -> Iterator[Hit]:
    """Passwords on a command line, and links that are as good as a login."""
    if " -" in shown or "/" in shown or "=" in shown or "|" in shown or "<<<" in shown:
        for match in _COMMAND.finditer(shown):
            if not match["v"].startswith("-") and not match["v"].isalpha():
                yield from _taken(match, "command")
    for match in _ORACLE.finditer(shown) if "/" in shown and "@" in shown else ():
        yield from _taken(match, "connection_string")
    if "://" in shown:
        for pattern in (_LINK, _QUERY) if "=" in shown else (_LINK,):
            for match in pattern.finditer(shown):
                value = match["v"]
                least = (
                    20
                    if pattern is _LINK
                    or (shown[match.start("v") - 1] == "=" and match.start("v") - match.start() <= 3)
                    else 8
                )
                if len(value) >= least and _is_key(value) and not is_placeholder(value):
                    yield Hit(f"{SECRET}url_token", "url_token", *match.span("v"), 0.88)
    for match in _LICENCE.finditer(shown) if shown.count("-") >= 3 else ():
        yield Hit(f"{SECRET}licence_key", "licence_key", match.start(), match.end(), 0.85)


def _is_key(value: str) -> bool:
    return (
        any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and looks_random(value, 3.0)
        and re.fullmatch(r"[a-z]+(?:[-_.][a-z0-9]{1,12})+", value) is None
    )


def _valued(match: re.Match[str], shown: str) -> Iterator[Hit]:
    """A setting's value, if it is one and no reference to where it is kept."""
    value = match["v"].rstrip(".,:!?]")
    if is_placeholder(match["v"]) or is_placeholder(value) or _REFERENCE.fullmatch(value):
        return
    spaced = shown[match.start("v") - 1] == " "
    kinds = sum(
        (
            any(map(str.isdigit, value)),
            any(map(str.islower, value)),
            any(map(str.isupper, value)),
            not value.isalnum(),
        )
    )
    mixed = kinds == 2 and any(map(str.isdigit, value)) and (not spaced or len(value) >= 10)
    if (kinds >= 3 or mixed) and (re.fullmatch(_LEGACY_UUID, value) or not _is_plain(value)):
        yield Hit(f"{SECRET}field", "password", match.start("v"), match.start("v") + len(value), 0.86)


def _is_plain(value: str) -> bool:
    """Words, names, versions, dates and times, which stand after many a colon."""
    return (
        re.fullmatch(
            r"(?i)[a-z]+(?:[-_./][a-z]+)*\d{0,2}|v?\d[\d.:/x_-]*[a-z%€$]{0,4}|[a-z]{1,8}-\d{1,7}", value
        )
        is not None
    )


def _taken(match: re.Match[str], rule: str) -> Iterator[Hit]:
    value = match["v"]
    if not is_placeholder(value) and not _REFERENCE.fullmatch(value):
        yield Hit(f"{SECRET}{rule}", "password", *match.span("v"), 0.88)
