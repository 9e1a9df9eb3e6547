"""Topic keys: what a statement is about, without what it says of it, so that a correction meets what it corrects."""

from __future__ import annotations

import re

from dw_learning.normal import content_tokens, tokens
from dw_learning.words.tokens import UNSPACED

MAX_KEY = 96
_NAMES = frozenset("called named heißt heissen genannt llama llamamos називається називаємо gọi tên".split())
_NAMING = frozenset("call calls nennen llamamos називаємо gọi".split())
_OWNS = frozenset(
    "owns own leads lead runs manages handles covers maintains supervises coordinates leitet betreut verantwortet lleva gestiona dirige веде керує очолює".split()
)
_OWNED = frozenset("owned led run managed handled maintained".split())
_VERBS = frozenset(
    """is are was were belongs belong has have closes close opens open stands stand starts start ends end costs cost moved moves sits
    lives hangs uses use pays pay takes runs delivers means works goes go comes come expires renews lies
    ist sind hat haben steht liegt schließt öffnet beginnt endet kostet zahlt beträgt bedeutet läuft gehört sitzt
    es son está están tiene cierra abre empieza termina cuesta paga significa queda usa
    є має стоїть знаходиться зачиняється відчиняється працює починається коштує означає платить
    là có nằm đóng mở bắt dùng nghĩa""".split()
)
_IDLE = frozenset(
    """we our i my you your they their it its he she his her now currently these days always also still here
    there please just only anymore since until new wir unser unsere ich jetzt immer nosotros nuestro nuestra ahora
    siempre ми наш наша наше тепер завжди mình bên giờ""".split()
)
_NUMERAL = re.compile(r"\d{1,6}")
_COPULAS = frozenset("is are was were ist sind war es son є là".split())
_BEFORE_A_TIME = frozenset(
    """from until till by after before since between about around every ab bis von um seit nach vor gegen alle desde
    hasta sobre cada від до з після перед щодня từ đến lúc mỗi""".split()
)
_ADDRESS = re.compile(r"\S+://\S+|\S+@\S*|\b[\w-]+(?:\.[\w-]+)+\b")
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fffー々A-Za-z]+")


def topic_key(statement: str, corrected: str | None = None) -> str:
    """The key of a statement. Where it only says "not A, B", the key of what is corrected."""
    if corrected:
        before = _key(corrected)
        words, others = set(content_tokens(statement)), set(content_tokens(corrected))
        own = _key(statement)
        if own != before and words & others and not _has_subject(statement, before):
            return before
        return own
    return _key(statement)


def subject_of(statement: str) -> str | None:
    """The words that the key was made of, as a person would read them."""
    key = _key(statement)
    return key.replace("-", " ") if key != "note" else None


def _has_subject(statement: str, before: str) -> bool:
    """Does the statement name a part of the corrected topic itself and have a verb of its own?"""
    parts = _key(statement).split("-")
    return len(set(parts) & set(before.split("-"))) >= 2


def _key(statement: str) -> str:
    if UNSPACED.search(statement):
        topic = re.split("[はがをには、。]", statement, maxsplit=1)[0]
        return "".join(_RUN.findall(topic)).lower()[:40] or "note"
    words = [word for word in content_tokens(_ADDRESS.sub(" ", statement)) if word not in _IDLE]
    kept = _topic(words, _before_copula(statement))
    kept = [word.replace("'", "") for place, word in enumerate(kept) if _is_part(kept, place)]
    return "-".join(kept[:6])[:MAX_KEY] or "note"


def _is_part(kept: list[str], place: int) -> bool:
    """Numbers are what a statement says, and change; but one behind a noun is the name of a thing: printer 7."""
    word = kept[place]
    if not word[0].isdigit():
        return True
    if place == 0 or _NUMERAL.fullmatch(word) is None:
        return False
    before = kept[place - 1]
    return not before[0].isdigit() and before not in _BEFORE_A_TIME


def _before_copula(statement: str) -> frozenset[str]:
    """Words in front of "is", which is no content word: all of them belong to the topic."""
    said = tokens(statement)
    place = next((place for place, word in enumerate(said) if word in _COPULAS), 0)
    return frozenset(said[:place])


def _topic(words: list[str], before_copula: frozenset[str]) -> list[str]:
    for place, word in enumerate(words):
        if word in _NAMING and place == 0:
            return [*words[1:-1], "name"] if len(words) > 2 else words
        if word in _NAMES:
            return [*(w for w in words[:place] if w not in _VERBS), "name"]
        if word in _OWNS and 0 < place < len(words) - 1:
            return [*_until_verb(words[place + 1 :]), "owner"]
        if word in _OWNED and place:
            return [*(w for w in words[:place] if w not in _VERBS), "owner"]
        if word in _VERBS and place:
            return words[: place + 1]
    return [word for word in words[:4] if not word[0].isdigit() or word in before_copula]


def _until_verb(words: list[str]) -> list[str]:
    for place, word in enumerate(words):
        if word in _VERBS or word in {"not", "nicht", "no", "не"}:
            return words[:place] or words[:1]
    return words[:4]
