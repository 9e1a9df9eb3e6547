"""What is recognised by its form: chat-template markers, hidden markup, addresses, commands piped to a shell."""

import re
from collections.abc import Iterator

from dw_learning.scan import concepts as c
from dw_learning.scan.reading import Mark

TEMPLATE = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id|begin_of_text)\|>|\[/?inst\]|<</?sys>>|</?s>\s*\[inst|"
    r"<start_of_turn>|\"role\"\s*:\s*\"(?:system|developer)\"|<\|?(?:system|developer)\|?>|</(?:context|system|instructions?|prompt|untrusted|data|document|memory|tool_result)>\s*<"
)
"""Tokens that only a machine writes; a person has no use for them in a message."""

TAG = re.compile(
    r"(?:^|\n|[.!?。]\s)[ \t]{0,20}[\[【<(*#=_~-]{1,8}[ \t]{0,4}/?[ \t]{0,4}(?:system|sistema|systeme|systemhinweis|система|системне|системное|system-?(?:note|prompt|message|override)|he thong|"
    r"システム|系统|系統|시스템|sistem|information|important|instructions?|admin(?:istrator)?|developer|policy|override|new task|new instructions?|"
    r"assistant|end of (?:system|user|context|instructions?|prompt|data)|begin (?:system|new|reprogramming))[^\]】>\n]{0,40}[\]】>):*#=_~-]"
    r"|(?:^|\n)[ \t]{0,20}(?:system|developer|assistant|policy|override|sistema|systeme|система|системне|системное|システム|系统|系統|시스템|he thong|admin)[ \t]{0,4}[:：]|"
    r"%{2,}\s*(?:end|begin|system)|-{3,}\s*(?:policy|system|end|begin|new)\b"
)
MARKUP = re.compile(
    r"<!--(?P<a>.{8,600}?)(?:-->|$)|<[a-z]+[^>]{0,80}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?:px|pt|em)?\b|opacity\s*:\s*0|"
    r"color\s*[:=]\s*[\"']?(?:white|#fff(?:fff)?|transparent)|hidden\b)[^>]{0,80}>(?P<b>[^<]{8,600})|\[//\]:\s*#\s*[(\"'](?P<c>[^\n]{8,400})|"
    r"\\(?:textcolor|color)\{white\}\{?(?P<d>[^}\n]{8,400})",
    re.S,
)
IMAGE_LEAK = re.compile(
    r"!\[[^\]]{0,80}\]\(\s*https?://[^)\s]{1,200}[?=/&][^)\s]{0,80}[<{\[$(]|<img[^>]{1,200}src=[\"']?https?://[^>\s]{1,200}[?&=]\w*=?[{<$\[]"
)
SHELL = re.compile(
    r"\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\|\s*(?:sudo\s+)?(?:bash|iex)\b|\biex\s*\(|powershell[^\n]{0,40}-e(?:nc|ncodedcommand)?\b|"
    r"\brm\s+-rf\b|\bchmod\s+(?:-r\s+)?777|\bset-mppreference\b|base64\s+(?:-d|--decode)\s*\|"
)
_ADDRESS = re.compile(
    r"https?://(?P<host>[^\s/?#<>\"')\]]{3,200})[^\s<>\"')\]]*|(?<![\w.])[\w.+-]{1,64}@(?P<mail>[\w-]{1,60}(?:\.[\w-]{1,60}){1,4})|\bwebhook\b|(?<![\w/])(?P<bare>[a-z0-9-]{2,40}\.(?:example-[a-z]{2,12}|[a-z0-9-]{2,40})\.(?:test|example|ru|xyz|top|tk|click|info|zip|cn|site|online))\b"
)
_EVIL = re.compile(
    r"(?:^|[.-])(?:login|secure|verify|verification|update|dl|download|support|helpdesk|portal|account|auth|sso|reset|signin|confirm|billing|mirror)-?\w{0,10}-|"
    r"-(?:login|logon|secure|security|verify|verification|updates?|dl|downloads?|support|helpdesk|account|accounts|auth|sso|reset|signin|confirm|billing|portal|mirror|cdn|vpn|help|team|it)\b|"
    r"evil|attack|malicious|phish|exfil|collect|webhook|ngrok|requestbin|pastebin|hooks?\b|pipedream|burpcollab|interact\.sh|bit\.ly|tinyurl|xn--|^\d{1,3}(?:\.\d{1,3}){3}|"
    r"\.(?:ru|xyz|top|tk|click|zip|cn|onion|site)(?::|$)|(?:proton|gmail|outlook|yahoo|mail\.ru|gmx|tutanota|hotmail)"
)


def form_concepts(folded: str) -> int:
    """The concepts that `form_marks` may find; one look at each letter that they need."""
    bits = 0
    if "://" in folded or "@" in folded or "webhook" in folded or ".test" in folded or ".example" in folded:
        bits |= c.EXTERNAL | c.EVIL
    if "|" in folded or "-rf" in folded or "iex" in folded or "powershell" in folded or "777" in folded:
        bits |= c.PAYLOAD
    return bits


def form_marks(folded: str) -> Iterator[Mark]:
    """Addresses, and hosts that imitate one's own; commands that fetch and run."""
    may = form_concepts(folded)
    if may & c.EXTERNAL:
        for match in _ADDRESS.finditer(folded):
            host = match["host"] or match["mail"] or match["bare"] or "webhook"
            yield Mark(c.EXTERNAL | (c.EVIL if _EVIL.search(host) else 0), match.start(), match.end())
    if may & c.PAYLOAD:
        for match in SHELL.finditer(folded):
            yield Mark(c.PAYLOAD, match.start(), match.end())


_INVISIBLE = frozenset("bd")


def concealed_markup(folded: str) -> Iterator[tuple[str, int, int, int]]:
    """Words in comments and in markup that no reader sees, with how many signs of an order it takes: what is made
    invisible addresses nobody but a machine, a comment may be a note among people."""
    if "<" in folded or "[//]" in folded or "\\" in folded:
        for match in MARKUP.finditer(folded):
            group = match.lastgroup or "a"
            yield match[group], match.start(), match.end(), 1 if group in _INVISIBLE else 2
