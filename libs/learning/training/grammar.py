"""Our own training rows: templates in, messages out. The same seed gives the same rows.

A line of a .rows file is a template: `(a|b)` is a choice, `[a|b]` may be left out, `{name}` is a slot, ` << ` parts a
message from the one that it answers, `\\n` is a line break, ⟦ and ⟧ are written as brackets.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROWS = Path(__file__).parent / "rows"
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_OPTION = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_OPENINGS = {
    "en": (
        "hi all, ",
        "btw ",
        "fyi ",
        "hey, ",
        "note: ",
        "so ",
        "ok, ",
        "@agent ",
        "just so you know: ",
        "ps: ",
    ),
    "de": ("hi zusammen, ", "übrigens ", "zur info: ", "hallo, ", "@agent ", "also "),
    "es": ("hola, ", "por cierto ", "aviso: ", "oye, ", "@agent "),
    "uk": ("привіт, ", "до речі ", "@agent ", "колеги, "),
    "vi": ("hi cả nhà, ", "à ", "@agent ", "mọi người ơi "),
    "ja": ("お疲れ様です。", "ちなみに", "皆さん、", "@agent "),
    "zh": ("大家好,", "顺便说一下,", "@agent "),
    "fr": ("salut à tous, ", "au fait ", "pour info : ", "@agent "),
    "nl": ("hoi allemaal, ", "trouwens ", "ter info: ", "@agent "),
    "sv": ("hej alla, ", "förresten ", "@agent "),
    "pt": ("olá a todos, ", "já agora, ", "@agent "),
    "it": ("ciao a tutti, ", "a proposito, ", "@agent "),
    "pl": ("cześć, ", "przy okazji ", "@agent "),
}
_CLOSINGS = ("!", ".", " 🙂", " 👍", "!!", " ...", " :)", " 🙏", ".", "")
_BEFORE = {
    "en": (
        "Anything else?",
        "I opened a case for that.",
        "The file was sent.",
        "Which site are you at?",
        "Try again now, please.",
        "The break starts soon.",
    ),
    "de": ("Sonst noch etwas?", "Ich habe einen Fall angelegt.", "Bitte jetzt nochmal testen."),
    "es": ("¿Algo más?", "He abierto un caso.", "Inténtalo ahora."),
    "uk": ("Щось іще?", "Я створила звернення.", "Спробуйте зараз."),
    "vi": ("Còn gì nữa không ạ?", "Mình đã tạo phiếu rồi.", "Thử lại giúp em nhé."),
    "ja": ("他にご用件はありますか?", "チケットを起票しました。", "もう一度試してください。"),
    "zh": ("还有别的事吗?", "我已经建了工单。", "请再试一次。"),
    "fr": ("Autre chose ?", "J'ai ouvert un dossier.", "Réessayez maintenant."),
    "nl": ("Nog iets?", "Ik heb een melding gemaakt.", "Probeer het nu nog eens."),
    "sv": ("Något mer?", "Jag har skapat ett ärende.", "Försök igen nu."),
    "pt": ("Mais alguma coisa?", "Abri um pedido.", "Tente agora."),
    "it": ("Altro?", "Ho aperto una richiesta.", "Riprovi adesso."),
    "pl": ("Coś jeszcze?", "Założyłam zgłoszenie.", "Proszę spróbować teraz."),
}
_BESIDE = {
    "en": (("Thanks! ", "Morning! ", "Sorry, was at lunch. ", "Good to see you all. ", "Great, that helped. "),
           (" Thanks!", " See you tomorrow.", " Have a nice evening!", " Cheers", " More later.")),
    "de": (("Danke! ", "Guten Morgen! ", "Sorry, war in der Pause. "), (" Danke!", " Bis morgen.", " Schönen Abend!")),
    "es": (("¡Gracias! ", "¡Buenos días! ", "Perdón, estaba comiendo. "), (" ¡Gracias!", " Hasta mañana.", " ¡Buen finde!")),
    "uk": (("Дякую! ", "Добрий ранок! ", "Вибачте, була на обіді. "), (" Дякую!", " До завтра.", " Гарного вечора!")),
    "vi": (("Cảm ơn nhé! ", "Chào buổi sáng! ", "Xin lỗi, mình vừa ăn trưa. "), (" Cảm ơn!", " Mai gặp nhé.", " Chúc buổi tối vui!")),
    "zh": (("谢谢!", "早上好!", "不好意思,刚吃饭。"), ("。谢谢!", "。明天见。", "。辛苦了!")),
    "fr": (("Merci ! ", "Bonjour ! ", "Désolé, j'étais en pause. "), (" Merci !", " À demain.", " Bonne soirée !")),
    "nl": (("Bedankt! ", "Goedemorgen! "), (" Bedankt!", " Tot morgen.")),
    "sv": (("Tack! ", "God morgon! "), (" Tack!", " Vi ses imorgon.")),
    "pt": (("Obrigado! ", "Bom dia! "), (" Obrigado!", " Até amanhã.")),
    "it": (("Grazie! ", "Buongiorno! "), (" Grazie!", " A domani.")),
    "ja": (("ありがとうございます!", "おはようございます。", "すみません、昼食中でした。"), ("。よろしくお願いします。", "。ではまた明日。", "。助かります!")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled message. `group` is the meaning it stands for: its template, or the meaning group of a given row."""

    text: str
    prev: str | None
    lang: str
    cls: str
    risk: str
    group: str
    own: bool = True


def slots() -> dict[str, tuple[str, ...]]:
    """Slot names, also with a language ending, to values."""
    lines = (ROWS / "slots.txt").read_text(encoding="utf-8").splitlines()
    split = (line.split(":", 1) for line in lines if line and not line.startswith("#"))
    return {name: tuple(value.strip() for value in rest.split(" | ")) for name, rest in split}


def grown(each: int, seed: int = 20) -> Iterator[Row]:
    """About `each` different messages a template."""
    values = slots()
    for path in sorted(ROWS.glob("*.rows")):
        lang = path.name.split(".", 1)[0]
        cls, risk = "skip", "low"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if line.startswith("@ "):
                cls, risk = line[2:].split()
            elif line:
                dice = random.Random(f"{seed} {path.name} {number}")
                yield from _rows(line, lang, cls, risk, each, dice, values, f"{path.name}:{number}")


def _rows(
    line: str,
    lang: str,
    cls: str,
    risk: str,
    each: int,
    dice: random.Random,
    values: dict[str, tuple[str, ...]],
    group: str,
) -> Iterator[Row]:
    seen: set[str] = set()
    for _ in range(each):
        text, _, prev = expand(line, lang, dice, values).partition(" << ")
        text = _habit(text, lang, cls, dice)
        if not prev and dice.random() < 0.25:
            prev = dice.choice(_BEFORE.get(lang, _BEFORE["en"]))
        if text not in seen:
            seen.add(text)
            yield Row(text, prev or None, lang, cls, risk, group)


def expand(line: str, lang: str, dice: random.Random, values: dict[str, tuple[str, ...]]) -> str:
    """One message of a template."""
    text = line
    while True:
        chosen = _CHOICE.sub(lambda found: dice.choice(found[1].split("|")), text, count=1)
        if chosen == text:
            chosen = _OPTION.sub(
                lambda found: dice.choice(found[1].split("|")) if dice.random() < 0.5 else "", text, count=1
            )
        if chosen == text:
            break
        text = chosen
    names = {
        name: list(values.get(f"{name}.{lang}", values[name])) for name in sorted(set(_SLOT.findall(text)))
    }
    for listed in names.values():
        dice.shuffle(listed)
    text = _SLOT.sub(lambda found: names[found[1]].pop() if names[found[1]] else "", text)
    return text.replace("\\n", "\n").replace("⟦", "[").replace("⟧", "]").strip()


def _habit(text: str, lang: str, cls: str, dice: random.Random) -> str:
    """Writing habits: capital or not, an opening, a closing, without marks."""
    luck = dice.random()
    if dice.random() < 0.5:
        text = text[:1].upper() + text[1:]
    elif dice.random() < 0.2 and cls != "sensitive":
        text = text.lower()
    if luck < 0.18:
        text = dice.choice(_OPENINGS.get(lang, ("",))) + text
    elif luck < 0.42 and text[-1:] not in "?!.。？！":
        text += dice.choice(_CLOSINGS)
    elif luck < 0.5 and lang == "en" and cls != "skip":
        text += dice.choice((" thanks", ", please note", " thx!", " just saying"))
    if dice.random() < 0.12 and lang in _BESIDE:
        before, after = _BESIDE[lang]
        whole = text if text[-1] in ".!?。！？" or lang == "ja" else text + "."
        text = dice.choice(before) + whole if dice.random() < 0.5 else whole + dice.choice(after)
    if text.endswith("?") and dice.random() < 0.2:
        text = text[:-1]
    return text
