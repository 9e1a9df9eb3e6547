"""Secrets that are known by their form alone: issued tokens, key blocks, connection strings, headers."""

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from dw_learning.scan.hits import SECRET, Hit

_B = r"(?<![A-Za-z0-9_/+.-])"
_TOKENS: dict[str, tuple[str, str]] = {
    "aws": ("aws", r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}\b"),
    "github": ("github", r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    "gitlab": ("gitlab", r"gl(?:pat|dt|rt|ft|ptt|soat|cbt|oas|imt|agent)-[A-Za-z0-9_.-]{16,}"),
    "stripe": ("api_key", r"(?:[srp]k_(?:live|test|prod)_|whsec_)[A-Za-z0-9+/=]{16,}"),
    "slack": ("slack", r"(?:xox[a-z]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}|xoxe\.xox[bp]-[A-Za-z0-9-]{10,})"),
    "google": ("api_key", r"(?:AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,})"),
    "openai": ("api_key", r"sk-(?:proj-|svcacct-|admin-|ant-(?:api|admin)\d\d-|or-v1-|lf-)?[A-Za-z0-9_-]{20,}"),
    "telegram": ("telegram", r"\d{8,10}:AA[A-Za-z0-9_-]{30,}"),
    "discord": ("discord", r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    "sendgrid": ("api_key", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}"),
    "twilio": ("api_key", r"(?:SK|AC)[0-9a-f]{32}\b"),
    "mail": ("api_key", r"(?:key-[0-9a-f]{32}\b|[0-9a-f]{32}-us\d{1,2}\b|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|mlsn\.[0-9a-f]{40,})"),
    "package": ("token", r"(?:npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|rubygems_[0-9a-f]{40,}|oy2[a-z0-9]{43}\b|CLOJARS_[a-z0-9]{60})"),
    "model_hub": ("token", r"(?:hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z]{30,}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}|nvapi-[A-Za-z0-9_-]{30,}|xai-[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{30,}|lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,})"),
    "vault": ("token", r"(?:hv[sbr]\.[A-Za-z0-9_-]{18,}|[sb]\.[A-Za-z0-9]{24}\b(?=\s|$))"),
    "jwt": ("jwt", r"ey[JI][A-Za-z0-9_-]{8,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    "cloud": ("token", r"(?:dop_v1_[0-9a-f]{60,}|do[or]_v1_[0-9a-f]{60,}|dapi[0-9a-f]{32}(?:-\d)?|LTAI[A-Za-z0-9]{16,24}\b|AKID[A-Za-z0-9]{30,}|heroku_[A-Za-z0-9_-]{20,}|HRKU-[A-Za-z0-9_-]{30,}|fo1_[A-Za-z0-9_-]{30,}|fm[12]_[A-Za-z0-9+/=_-]{40,}|tskey-[a-z]+-[A-Za-z0-9-]{16,}|nf[pcoub]_[A-Za-z0-9]{30,}|CFPAT-[A-Za-z0-9_-]{40,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|pul-[0-9a-f]{40}\b|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,})"),
    "suite": ("token", r"(?:shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}|AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{20,}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}|(?:ntn|secret)_[A-Za-z0-9]{40,}|figd_[A-Za-z0-9_-]{30,}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|sntry[su]_[A-Za-z0-9+/=_-]{30,}|NRAK-[A-Z0-9]{27}|NRJS-[0-9a-f]{19}|gls?a_[A-Za-z0-9_]{30,}|glc_[A-Za-z0-9+/=]{30,}|dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{30,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}|EAA[A-Za-z0-9]{30,}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|pat-(?:na|eu)\d-[0-9a-f-]{36}|phc_[A-Za-z0-9]{30,}|rnd_[A-Za-z0-9]{28,}|sbp_[0-9a-f]{40}|tfp_[A-Za-z0-9_]{30,}|ops_ey[A-Za-z0-9_=-]{40,}|A3-[A-Z0-9]{6}-[A-Z0-9-]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{58}|bkua_[a-z0-9]{40}|sgp_[A-Za-z0-9_]{40,}|00[A-Za-z0-9_-]{40}\b|u\+[A-Za-z0-9]{40,})"),
    "firebase": ("token", r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{60,}"),
    "azure": ("token", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    "more": ("token", r"(?:1/\d{13,19}:[0-9a-f]{32}\b|access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}\b|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{60,}|AKCp[A-Za-z0-9]{60,}|squ?[abp]?_[0-9a-f]{40}\b|pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{30,}|AQVN[A-Za-z0-9_-]{30,}|glc?rt-[A-Za-z0-9_-]{20,}|EZ[AT]K[A-Za-z0-9]{54}|fio-u-[A-Za-z0-9_=-]{60,}|PRM?AK-[A-Za-z0-9-]{30,}|rdme_[a-z0-9]{70}|shippo_(?:live|test)_[a-f0-9]{40}|SIDV_[A-Za-z0-9_]{20,}|AKLT[A-Za-z0-9_-]{30,}|ddp_[A-Za-z0-9]{36}|lsv2_[A-Za-z0-9_]{30,}|tvly-[A-Za-z0-9-]{20,}|fc-[0-9a-f]{32}\b|csk-[a-z0-9]{40,}|AGPA[A-Z0-9]{16}|ghu_[A-Za-z0-9]{30,})"),
    "wallet": ("private_key", r"(?:[xyz]prv[A-Za-z0-9]{100,}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b)"),
    "password_hash": ("password_hash", r"\$(?:2[abxy]?\$\d\d|[156y]|apr1|argon2id?\$v=\d+)\$[^\s:'\"]{20,}"),
    "vendor_key": ("token", r"[a-z][a-z0-9]{1,11}_(?:live|test|prod|pat|key|secret|sk|api|token|at|rt|dev)_[A-Za-z0-9]{16,}"),
}  # fmt: skip
_TYPES = {name: kind for name, (kind, _) in _TOKENS.items()}
_TOKEN = re.compile(_B + "(?:" + "|".join(f"(?P<{name}>{rx})" for name, (_, rx) in _TOKENS.items()) + ")")

_LONGEST_KEY = 20_000
_RUN = re.compile(r"[A-Za-z0-9_.:$+/=@-]{16,}")
_PEM = re.compile(r"-{2,}\s?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?\s?-{2,}")
_PEM_END = re.compile(r"-{2,}\s?END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?\s?-{2,}")
_KEY_LINE = re.compile(r"[\s>|]*(\S+)")
_KEY_TEXT = re.compile(r"(?:\\n)?[A-Za-z0-9+/=]+(?:\\n)?[\"',;]*")
_KEY_RUN = re.compile(r"[A-Za-z0-9+/]{12}")
_PPK = re.compile(r"PuTTY-User-Key-File-\d:[^\n]*(?:\n[^\n]+)*")

_URL_LOGIN = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<user>[^\s:/@?#'\"<>]{0,128}):(?P<pw>[^\s/?#'\"<>]{1,200})@(?=[\w\[.$-])"
)
_URL_LOGIN_ODD = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@?#'\"<>]{0,128}:(?P<pw>[^\s'\"<>@]{3,200})@(?=[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:[/?\s]|$))"
)
_EXAMPLE_LOGIN = re.compile(r"\w+://(\w{1,40}):\1@$")
_AT_HOME = re.compile(
    r"(?:localhost|127\.0\.0\.1|\[::1\]|db|database|postgres|mysql|redis|mongo|rabbitmq|host|example)\b(?![.-]\w)"
)
_URL_KEY = re.compile(r"https?://(?P<pw>[0-9a-f]{32}|[A-Za-z0-9_-]{24,80})(?::[0-9a-f]{0,32})?@(?=[\w.-]+)")
_FIELD = re.compile(
    r"(?i)(?:accountkey|sharedaccesskey|sharedsecret|accesskey|\b(?:pwd|password|passwd|pass))\s*=\s*(?P<v>[^;\s'\"<>&]{4,200})(?=\s*(?:;|$))"
)
_URL_FIELD = re.compile(
    r"(?i)[?&#](?:sig|signature|token|access_token|refresh_token|id_token|auth|auth_token|api_?key|apikey|key|secret|client_secret|"
    r"password|passwd|pwd|code|x-amz-signature|x-goog-signature|session(?:id)?|jwt|private_token|sas)=(?P<v>[^\s&#'\"<>)\]]{8,1000})"
)
_HEADER = re.compile(
    r"(?i)\b(?:authorization\s*[:=]\s*[\"']?(?:bearer|basic|token|apikey|digest|negotiate)?|(?:bearer|basic)(?=\s+[A-Za-z0-9+/=._~-]{16,})|"
    r"x-(?:api|auth|access|vault|amz-security)-?(?:key|token)\s*[:=]|api-key\s*:|private-token\s*:|"
    r"(?:set-)?cookie\s*:\s*(?:[\w.-]{1,40}=[\w%.-]{0,15};\s*){0,6}[\w.-]{1,40}=)\s*[\"']?(?P<v>[A-Za-z0-9+/=._~%-]{12,2000})"
)
_OPTION = re.compile(
    r"(?:\b(?:curl|wget|http)\b[^\n]{0,120}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:|\bsshpass\s+-p[ =]?|\bmysql(?:dump|admin)?\b[^\n]{0,80}?\s-p|"
    r"\s--?(?:password|passwd|pass|token|secret|api-key|apikey)[ =])[\"']?(?P<v>[^\s\"'<>|]{4,200})"
)
_OTPAUTH = re.compile(r"(?i)otpauth://[^\s?]{1,200}\?[^\s]{0,200}?secret=(?P<v>[A-Z2-7=]{8,})")
_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN (?:CERTIFICATE|TRUSTED CERTIFICATE|X509 CRL|NEW CERTIFICATE REQUEST|CERTIFICATE REQUEST|PKCS7|CMS|PUBLIC KEY|RSA PUBLIC KEY|DH PARAMETERS|EC PARAMETERS|"
    r"PGP SIGNATURE|PGP PUBLIC KEY BLOCK|PGP MESSAGE|PGP SIGNED MESSAGE|SSH SIGNATURE|SSH2 PUBLIC KEY)-----"
)
_SECOND_KEY = re.compile(
    r"(?i)(?:[\s,;/|:=\"'`()-]|secret|access|key|and|und|y|_|aws){1,14}(?P<v>(?=[A-Za-z/+]{0,39}\d)[A-Za-z0-9/+]{30,44})(?![A-Za-z0-9/+])"
)
_HEADLESS = re.compile(
    r"b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,}={0,2}(?:\s?\n[>\s|]*[A-Za-z0-9+/]{4,76}={0,2}(?=\s|$))*"
)
_WEBHOOK = re.compile(
    r"https://(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/+-]{20,}|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{15,21}/[\w-]{40,}"
    r"|[\w.-]{1,60}\.webhook\.office\.com/webhookb2/[\w@./-]{40,}|api\.telegram\.org/(?:file/)?bot\d{6,12}:[\w-]{30,})"
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x{3,}|\*{2,}|\.{2,}|-+|_+|#+|(?:[a-z]+[_-])?(?:password|passwd|pass|pwd|secret|token|passwort|kennwort|contrase[nñ]a|example|sample|dummy|"
    r"changeme|change_me|change-me|changeit|placeholder|redacted|removed|hidden|masked|none|null|nil|true|false|undefined|todo|tbd|foo|bar|"
    r"string|str|bytes|int|value|required|optional|empty|unset|default|yourpassword|mypassword)(?:[_-]?here|123)?|your[\w-]*|my[-_](?:password|token|secret|key)\w*|insert\w*|enter\w*|put[-_]\w+|<.*|\$\{.*|\$\(.*|\{\{.*|\{[a-z_]+\}.*|"
    r"%[a-z_]+%|\$[A-Za-z_]\w*$|\$[A-Z][A-Z_]{3,}[\"'/ ][\s\S]*|enc\[.*|!(?:vault|ref|secret|encrypted)\b.*|\[.*|os\..*|process\.env.*|env\..*|getenv.*|config\..*|settings\..*|secrets\..*|vault:.*|ssm:.*|@\w+\(.*|[\w.]+\(.*\))$"
)


_FILLED_UP = re.compile(
    r"([xX*•.0_-])\1{7,}$|(?i:x{4,}[-_]?(?:x{3,}|$)|_here$|-here$|^(?:first|last|user|vor|nach)name\b)"
)


def looks_random(value: str, least: float = 3.2) -> bool:
    """Enough different characters, and not words: what an issuer makes, not what a person types."""
    if len(value) < 8:
        return False
    counts = Counter(value).values()
    entropy = -sum(n / len(value) * math.log2(n / len(value)) for n in counts)
    return entropy >= min(least, math.log2(len(value)) * 0.8)


@lru_cache(maxsize=32)
def is_placeholder(value: str) -> bool:
    """Stands for a secret without being one: `changeme`, `<password>`, `${TOKEN}`, `xxxx`."""
    plain = unquote(value).strip("\"'`,;.()")
    return (
        not plain
        or _PLACEHOLDER.match(plain) is not None
        or _PLACEHOLDER.match(value) is not None
        or _FILLED_UP.search(plain) is not None
        or len(set(plain)) <= 2
        or set(plain) <= set("*x•●.-_ ")
    )


def issued_tokens(shown: str, folded: str) -> Iterator[Hit]:
    """Tokens, key blocks, logins in addresses, headers and command lines; spans are of `shown`."""
    yield from key_blocks(shown)
    for run in _RUN.finditer(shown):
        for match in _TOKEN.finditer(shown, run.start(), run.end()):
            name = match.lastgroup or "token"
            if not is_placeholder(match[0]) and _is_real(name, match[0]):
                yield Hit(f"{SECRET}{name}", _TYPES[name], match.start(), match.end(), 0.97)
                pair = _SECOND_KEY.match(shown, match.end()) if name in {"aws", "cloud"} else None
                if pair and looks_random(pair["v"], 3.5):
                    yield Hit(f"{SECRET}{name}", _TYPES[name], *pair.span("v"), 0.9)
    if "://" in shown:
        for pattern in (_URL_LOGIN, _URL_LOGIN_ODD, _URL_KEY):
            yield from _values(pattern, shown, "connection_string", "pw", 0.95)
        yield from _values(_OTPAUTH, shown, "totp_seed", "v", 0.97)
        for match in _WEBHOOK.finditer(shown):
            yield Hit(f"{SECRET}webhook", "webhook", match.start(), match.end(), 0.95)
    if "=" in shown and ("?" in shown or "&" in shown or "#" in shown):
        yield from _values(_URL_FIELD, shown, "url_token", "v", 0.9)
    if "=" in shown:
        yield from _values(_FIELD, shown, "password", "v", 0.92)
    if any(
        word in folded
        for word in ("earer", "uthorization", "ookie", "x-a", "x-v", "api-key", "private-token", "basic ")
    ):
        yield from _values(_HEADER, shown, "header", "v", 0.93)
    if " -" in shown:
        yield from _values(_OPTION, shown, "password", "v", 0.85)


def key_blocks(shown: str) -> Iterator[Hit]:
    """Private keys from their first line to their last, or as far as the key goes on."""
    if "PRIVATE KEY" in shown:
        done = 0
        ends = [match.span() for match in _PEM_END.finditer(shown)]
        for match in _PEM.finditer(shown):
            if match.start() < done:
                continue
            index = bisect_left(ends, match.span())
            closed = index < len(ends) and ends[index][0] - match.end() < _LONGEST_KEY
            limit = ends[index][1] if closed else _body_end(shown, match.end())
            if _KEY_RUN.search(shown, match.end(), limit - (30 if closed else 0)):
                done = limit
                yield Hit(f"{SECRET}private_key", "private_key", match.start(), limit, 0.99)
    if "b3BlbnNzaC1rZXktdjE" in shown:
        for match in _HEADLESS.finditer(shown):
            yield Hit(f"{SECRET}private_key", "private_key", match.start(), match.end(), 0.95)
    if "PuTTY-User-Key-File" in shown:
        for match in _PPK.finditer(shown):
            yield Hit(f"{SECRET}private_key", "private_key", match.start(), match.end(), 0.97)


def public_blocks(shown: str) -> list[tuple[int, int]]:
    """Certificates, public keys, signatures and enciphered messages: random to look at, and meant to be seen."""
    if "-----BEGIN " not in shown:
        return []
    return [(match.start(), _body_end(shown, match.end())) for match in _PUBLIC_BLOCK.finditer(shown)]


def _body_end(shown: str, start: int) -> int:
    """The end of a key that was cut off: as long as its lines go on."""
    end = start
    while match := _KEY_LINE.match(shown, end):
        line = match[1]
        if not line.endswith(":") and (len(line) < 12 or _KEY_TEXT.fullmatch(line) is None):
            is_rest = end > start and len(line) >= 3 and _KEY_TEXT.fullmatch(line) and not line.isalpha()
            return match.end() if is_rest else end
        end = match.end()
    return end


def _is_real(name: str, value: str) -> bool:
    if name in {"vendor_key", "openai", "suite", "vault", "wallet", "cloud", "discord"}:
        return looks_random(value) and any(c.isdigit() for c in value)
    return len(set(value)) > 6


def _values(pattern: re.Pattern[str], shown: str, kind: str, group: str, confidence: float) -> Iterator[Hit]:
    for match in pattern.finditer(shown):
        value = match[group]
        if is_placeholder(value):
            continue
        if (
            kind == "connection_string"
            and _EXAMPLE_LOGIN.match(match[0])
            and _AT_HOME.match(shown, match.end())
        ):
            continue
        if kind in {"url_token", "header"} and not (
            looks_random(value, 2.8) and any(c.isdigit() for c in value)
        ):
            continue
        yield Hit(f"{SECRET}{kind}", kind, match.start(group), match.end(group), confidence)
