"""Which of our lexicons fits a message. A guess by script and by the commonest words; English where nothing tells.

"ja" stands for scripts without spaces (Japanese, Chinese), "more" for French, Portuguese, Italian and Polish, "north"
for Dutch, Swedish, Danish and Norwegian. Turkish and Korean ("tr", "ko") are told by their script first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from dw_learning.words.tokens import UNSPACED

LANGUAGES = ("en", "de", "es", "uk", "vi", "ja", "more", "north", "tr", "ko")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_TURKISH = re.compile("[ğşıİĞŞ]")  # signs that no other of our languages writes
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_MARKED = "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"
_VIETNAMESE = re.compile(f"[{_MARKED}{_MARKED.upper()}]")
_COMMON = {
    "en": """the is of to for we you it and in on at this that our are was with have has i a my be not from please
    can will your they there their any been as by an or if so""",
    "de": """der die das und ist ich wir nicht ein eine einen einem mit auf für den dem zu im von bitte auch noch
    heißt habe haben hat sind wird bei nach oder mal es ihr euch uns unser unsere vom zum zur am ab über nur""",
    "es": """el los las que es por para con una un del al se lo su sus está están hay pero más muy ya mi nos yo
    este esta ese esa como si en y son fue ha hemos solo qué quién""",
    "vi": "la khong duoc cua cho nhe nha anh em chi oi minh",
    "north": """het een niet van voor zijn wij naar maar ook bij uit deze dit dat nog ons onze jullie met op och att det
    inte som för är vi jag på av till har ett den vår våra från och kan ikke og er jeg til af fra vores vår""",
    "tr": "bir bu için değil olarak saat günleri adı çok daha sonra kadar ile siz artık hayır yok gibi",
    "more": """le les des est et dans pour une du au pas nous vous il elle ce cette sur avec qui o os as um uma não
    é do da com para il gli di che non è per una nel con sono jest nie się w z na do że i to od po les aux na das
    dos por pelo pela lo della dei delle abbiamo questo""",
}
_VOTES: dict[str, tuple[str, ...]] = {
    word: tuple(lang for lang, text in _COMMON.items() if word in text.split())
    for text in _COMMON.values()
    for word in text.split()
}


def is_common(word: str) -> bool:
    """Is it one of the words that every text of some language holds?"""
    return word in _VOTES


def guess(text: str, tokens: Sequence[str]) -> str:
    """One of LANGUAGES."""
    if text.isascii():
        return _by_common_words(tokens)
    if UNSPACED.search(text):
        return "ja"
    if _CYRILLIC.search(text):
        return "uk"
    if _HANGUL.search(text):
        return "ko"
    if _TURKISH.search(text):
        return "tr"
    marked = len(_VIETNAMESE.findall(text))
    return "vi" if marked * 12 >= len(text) or marked > 1 else _by_common_words(tokens)


_WIDTH = 12  # bits that hold the votes of one language: more than a text has words
_MOST_WORDS = 1 << _WIDTH
_PACKED = {word: sum(1 << _WIDTH * LANGUAGES.index(lang) for lang in langs) for word, langs in _VOTES.items()}


def _by_common_words(tokens: Sequence[str]) -> str:
    """The language with most votes; English, or the one that was heard first, where several have as many."""
    packed = 0
    for token in tokens:
        if token in _PACKED:
            packed += _PACKED[token]
    if len(tokens) < _MOST_WORDS and (told := _winner(packed)):
        return told
    votes = Counter(lang for token in tokens for lang in _VOTES.get(token, ()))
    best = max(votes.values(), default=0)
    return "en" if votes["en"] == best else next(lang for lang, count in votes.items() if count == best)


@lru_cache(maxsize=4_096)
def _winner(packed: int) -> str | None:
    """The language that the counts name by themselves."""
    counts = [packed >> _WIDTH * place & _MOST_WORDS - 1 for place in range(len(LANGUAGES))]
    best = max(counts)
    if counts[0] == best:
        return LANGUAGES[0]
    return LANGUAGES[counts.index(best)] if counts.count(best) == 1 else None
