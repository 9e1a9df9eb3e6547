"""Whether a message is its sender's own plain word (C55): not told by another, not denied, not guessed, not over.

A save by itself asks this of the whole message, wherever the words stand. Careful on purpose: what is called doubtful
too much costs a person a look, what is called too little is a rumour that an agent believes.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from dw_learning.words.watch import Watch

MAX_HEAD: Final = 60
"""Characters of a line that stands above somebody else's words: a name, a time, a label of a mail."""
_END: Final = re.compile(r"[.!?…。！？:：,、]\W*$")
ADDRESS: Final = re.compile(  # words with which somebody opens what he says himself
    r"(?:^|\W)(?:@\w+|all|everybody|everyone|team|folks|guys|fyi|psa|info|note|notes|nb|update|"
    r"correction|reminder|heads.?up|announcement|attention|important|news|remember|wrong|actually|summary|tl;?dr|question|"
    r"answer|decision|fact|rule|hinweis|achtung|korrektur|ankündigung|an alle|alle|wichtig|merk\w*|neu|regel|erinnerung|"
    r"richtig|falsch|übrigens|aviso|nota|para todos|todos|corrección|importante|recordatorio|recuerda|atención|novedad|"
    r"equipo|увага|для всіх|усім|всім|виправлення|нагадування|важливо|до відома|запам'ятай\w*|оновлення|примітка|lưu ý|"
    r"thông báo|mọi người|đính chính|nhắc|quan trọng|cập nhật|ghi nhớ|nhớ|rappel|à tous|information|avviso|promemoria|"
    r"correzione|lembrete|correção|uwaga|let op|no|nope|nein|ні|không|hi|hello|hallo|hola|привіт|bonjour|ciao|olá|xin chào|"
    r"thanks|danke|gracias|дякую|cảm ơn|merci|ok|okay|yes|ja|sí|так|vâng)(?:\W|$)"
    r"|お知らせ|訂正|注意|連絡|共有|メモ|皆さん|全員|覚え|更新|重要|周知|補足",
    re.IGNORECASE,
)
_PASTED: Final = re.compile(
    r"\brt\s+@|^\W*@(?!(?:all|here|channel|team|everyone|\w*(?:agent|bot|assistant|worker)\w*)\b)\w+\s*[:：]|^\W*(?:fwd?|fw|cc|via)\b|\b(?:copied|pasted|pasting|got this) from\b|\bscreenshot\b|\bchat ?gpt\b|\bscribbled\b|\s--\s*\w+\W*$"
    r"|^\W*\d{1,2}[:.]\d{2}\S*\s*<[^>\n]{1,64}>|^\([^()\n]{1,40}\)\s|^\[[^\[\]\n]{1,40}\]\s|^\*{1,2}[^*\n]{1,40}\*{1,2}\s*[:：]?\s"
    r"|^\W*(?:mit freundlichen grüßen|viele grüße|best regards|kind regards|regards|cordialement|saludos|atentamente|"
    r"з повагою|trân trọng|敬具|met vriendelijke groet|distinti saluti|atenciosamente|pozdrawiam)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SEPARATED: Final = re.compile(  # a name and a sign before somebody's words
    r"^(?!(?:the|our|a|an|my|das|der|die|unser\w*|el|la|los|las|nuestr\w*|le|les|notre|il|lo|i|gli|o|os|as|het|de)\b)"
    r"(@?[\w.-]{1,30}(?: [\w.-]{1,30})?)\s*(?:\||→|—|–|>{1,2}| - )\s*\S",
    re.IGNORECASE | re.MULTILINE,
)
_TOLD: Final = re.compile(
    r"\b(?:thinks|believes|insists|swears|reckons|assumes|guesses|says|said|told|tells|claims?|claimed|heard|according to|"
    r"denkt|glaubt|meint|meinte|sagt|sagte|behauptet|laut|zufolge|angeblich|cree|asegura|afirma|dice|dijo|dicen|según|"
    r"pense|croit|affirme|raconte|dit que|d'après|selon|acha que|disse|diz que|segundo o|secondo|ha detto|dice che|twierdzi|"
    r"uważa|mówi|według|po słowach|zdaniem|вважає|думає|каже|кажуть|сказа\w+|стверджує|за словами|nói rằng|bảo rằng|cho rằng|"
    r"nghe nói|theo|nói|bảo|viết|volgens|enligt|ifølge|wrote|writes|answered|posted|replied|reports?|reported|mentioned|"
    r"geschrieben|gesagt|erzählt|schrieb|schreibt|schreef|geschreven|zei|zegt|skrev|sade|dijeron|escribieron|comentó|escribió|"
    r"сказали|написа\w+|пише|cho biết|powiedział\w*|napisał\w*|scritto|scrive|escreveu|segundo|dit|écrit)\b"
    r"|\bword is\b|\brumou?r\b|\bhas it that\b|\bput it\b|\bsteht (?:im|in der)\b|\bim wiki steht\b|\(source\b|\bemailed me\b"
    r"|,\s*(?:per|so|dixit) [A-ZÀ-ÞА-ЯІЇЄҐ]\w+\W*$|\bor so i'm told\b|据|听说|らしい|だそう|によると|と言って|が言うには",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:not true|isn't true|untrue|not the case|is false that|stop (?:telling|saying)|stimmt nicht,? dass|nicht wahr|"
    r"es ist falsch|stimmt es nicht|pas vrai|est faux que|no es verdad|no es cierto|es falso|non è vero|è falso|não é verdade|"
    r"é falso|неправда|не правда|nieprawda|nie jest prawdą|niet waar|klopt niet dat|không phải là|không đúng là)\b"
    r"|(?<=[.!?。])\s*[^.!?。]{0,24}(?:\b(?:wrong|false|incorrect|untrue|a lie|falsch|gelogen|faux|mensonge|falso|mentira|"
    r"неправда|брехня|fałsz|sai rồi|onwaar)\b|嘘|間違い|假的|不对)[^.!?。]{0,12}[.!?。]*\s*$",
    re.IGNORECASE,
)
_GUESSED: Final = re.compile(
    r"\b(?:iirc|afaik|i wish|i doubt|suppose|let\'s say|what if|wünschte|ojalá|apparently|supposedly|allegedly|presumably|maybe|perhaps|probably|i think|i believe|i guess|i suppose|i assume|"
    r"not sure|unless i'm mistaken|if i remember|anscheinend|vermutlich|vielleicht|wahrscheinlich|wohl|glaube ich|ich glaube|"
    r"ich denke|soweit ich weiß|apparemment|il paraît|paraît-il|on dirait|je crois|je pense|peut-être|probablement|sans doute|"
    r"al parecer|creo|quizás?|tal vez|parece que|supuestamente|probablemente|acho que|talvez|provavelmente|a quanto pare|forse|"
    r"penso che|credo che|probabilmente|podobno|chyba|być może|prawdopodobnie|здається|мабуть|можливо|напевно|начебто|"
    r"ймовірно|có lẽ|hình như|chắc là|tôi nghĩ|misschien|blijkbaar|waarschijnlijk|kanske|tydligen)\b"
    r"|たぶん|わけではない|という(?:の)?は嘘|かもしれ|と思い|と思う|みたいです|でしょう|好像|可能|大概",
    re.IGNORECASE,
)
_OVER: Final = re.compile(
    r"\b(?:used to|today only|nur heute|solo hoy)\b|^\W*(?:heute|hoy|aujourd'hui|oggi|hoje|сьогодні|hôm nay|今日は?|今天|today)\b"
    r"|^\W*(?:früher|formerly|in the past|antes|avant|autrefois|раніше|колись|hồi trước|trước đây|以前|昔|vroeger|kiedyś)\b"
    r"|\bin the (?:movie|film|book|novel|game|story|dream)\b|\bim (?:film|roman|spiel|traum)\b|\bdans mon ancienne?\b",
    re.IGNORECASE,
)
DOUBTS: Final = (_PASTED, _TOLD, _DENIED, _GUESSED, _OVER)


_SEPARATORS: Final = ("|", ">", " - ", "→", "—", "–")
"""One of these stands in whatever _SEPARATED matches."""


def is_plain(text: str) -> bool:
    """Does the sender himself say so, now and for certain? Of a message of several lines none but the last may be a
    head: short, without an end of a sentence, and no word of address."""
    if "\n" in text:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        if any(_is_head(line) for line in lines[:-1]):
            return False
    if any(sign in text for sign in _SEPARATORS) and any(
        not ADDRESS.search(found[1]) for found in _SEPARATED.finditer(text)
    ):
        return False
    return not _is_doubtful(text)


def _is_doubtful(text: str) -> bool:
    """Plain ASCII is looked through at once, in lower case, which is what ignoring case comes to there; of other
    scripts not every letter has one lower case that the expressions would see."""
    if text.isascii():
        return bool(_watch().found(text.lower()))
    return any(doubt.search(text) for doubt in DOUBTS)


@cache
def _watch() -> Watch:
    watch = Watch()
    for doubt in DOUBTS:
        watch.add("doubt", doubt.pattern, re.RegexFlag(doubt.flags))
    return watch


def _is_head(line: str) -> bool:
    return len(line) <= MAX_HEAD and not _END.search(line) and not ADDRESS.search(line)
