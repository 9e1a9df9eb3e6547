"""Where the sentences of a message stand, and where a sentence begins to say something."""

from __future__ import annotations

import re
from itertools import pairwise

Span = tuple[int, int]
_END = re.compile(r"[.!?。！？…][)\"'”»」]*(?:\s+|(?<=[。！？])|$)|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|st|no|nr|inc|ltd|e\.g|i\.e|z\.b|bzw|ca|approx|vs|tel|ext|str|sr|sra|u\.s|etc|min|max|prof|jr|gmbh"
    r"|og|ul|вул|м|ст|тов)|(?<![\d:.,])\d{1,2}|\.)$",
    re.IGNORECASE,
)
LONGEST_ABBREVIATION = 8  # signs of the longest that `_ABBREVIATION` holds, and one more
_LEADS = re.compile(
    r"""^[\s\-–—*•"'“„«:;,.!…\U0001F300-\U0001FAFF]*(?:
    @[\w-]+[,:]?
    |(?:hi|hey|hello|hallo|moin|hola|привіт|вітаю|chào|hi\ cả\ nhà)\b(?:\ (?:all|everyone|everybody|team|folks|guys|zusammen|a\ todos|equipo|всім|усім|mọi\ người|cả\ nhà))?\ ?[,!.:–-]+
    |(?:no|nope|nah|nein|nee|ні|không|いいえ)(?:\ (?:no|nope))*\ ?[,:;.!–—]+
    |(?:(?:no|but|sorry|hm+|hmm+|ah|oh|well|ok|okay|so|and|also|aber|also|pero|але)\b[\s,–—-]+)?(?:that(?:'|’)?s|that\ is|this\ is|it(?:'|’)?s|you(?:'|’)re|you\ are|das\ ist|das|eso|eso\ está|eso\ es|це|đó\ là|está)\ (?:completely\ |all\ |just\ |not\ |no\ |ist\ )?(?:wrong|incorrect|right|correct|true|outdated|old\ info(?:rmation)?|out\ of\ date|not\ right(?:\ any\ ?more)?|mistaken|falsch|veraltet|überholt|stimmt\ (?:so\ )?nicht|nicht\ (?:mehr\ )?richtig|está\ mal|es\ incorrecto|no\ es\ así|es\ falso|está\ desactualizado|не\ так|неправильно|застаріло)\ ?[!:;,.–—-]+
    |(?:stimmt\ (?:so\ )?nicht|no\ es\ (?:así|correcto)|está\ mal|es\ incorrecto|это\ не\ так|це\ не\ так|це\ неправильно|sai\ rồi|không\ đúng|nhầm\ rồi|thông\ tin\ cũ\ rồi|(?:それは)?(?:違います|間違い(?:です)?|古い情報です)|訂正(?:です)?)\ ?[!:;,.–—。、-]+
    |(?:small\ |quick\ |minor\ )?(?:correction|korrektur|richtigstellung|corrección|виправлення|поправка|đính\ chính)\ ?[!:;,.–—-]+
    |wrong(?:\ \w+)?\ ?[!:;,.–—-]+
    |(?:not\ quite|not\ exactly|hm+\ not\ quite|actually|in\ fact|tatsächlich|en\ realidad|насправді|thật\ ra|thực\ ra|実は)\ ?[!:;,.–—、-]+
    |(?:for|para|für|для|cho)\ (?:everybody|everyone|all|the\ record|your\ information|todos|alle|всіх|mọi\ người|vuestra\ información|tu\ información)\ ?[:,–—-]+
    |(?:für\ alle|fürs\ protokoll|zur\ (?:info|kenntnis|erinnerung)|nur\ zur\ info|para\ que\ conste|до\ відома|для\ довідки|皆さん|共有|ご参考|念のため|ちなみに|備忘)\ ?[:,–—、：。-]+
    |(?:please\ |pls\ )?(?:remember|note|save|memori[sz]e|keep\ in\ mind|take\ note|write\ (?:this\ )?down|make\ a\ note)(?:\ (?:this|that|it))?\ ?[:,–—-]+
    |(?:please\ |pls\ )?(?:remember|note|keep\ in\ mind)\ that\s+
    |(?:merk(?:e)?\ dir(?:\ das)?|notier\w*|hinweis|wichtig|achtung|recuerda(?:\ esto)?|apunta|anota|aviso|nota|importante|запам['’ʼ]ятай(?:те)?|запиши|зауваж|увага|важливо|lưu\ ý|note\ lại(?:\ nha|\ nhé)?|ghi\ nhớ|nhớ(?:\ nhé)?|覚えて(?:おいて)?(?:ください)?|メモ)\ ?[:,–—、：。!-]+
    |(?:fyi|btw|by\ the\ way|ps|nb|heads[\ -]?up|reminder|update|info|psa|just\ so\ you\ know|so\ you\ know|for\ info|übrigens|por\ cierto|до\ речі|між\ іншим|à)\b\ ?[:,–—-]*\ *
    |(?:(?:as|like)\ )?you\ (?:just\ )?(?:said|wrote|mentioned|told\ (?:me|us))(?:\ (?:that|before|earlier))?\ ?[:–—-]+
    |(?:wie\ )?du\ (?:sagtest|schriebst|hast\ (?:gesagt|geschrieben))\ ?[:–—-]+
    |(?:como\ )?(?:dijiste|has\ dicho|escribiste)\ ?[:–—-]+
    |(?:як\ )?ти\ (?:казав|сказав|казала|сказала|написав|написала)\ ?[:–—-]+
    |(?:ok(?:ay)?|alright|all\ right|good|well|so|right|sorry|also)\ ?[,:–—]+
    |(?:ok(?:ay)?\ )?(?:then\ )?(?:it(?:'|’)?s\ (?:decided|settled|official)|decision(?:\ from\ [\w\ ']{3,30})?|team\ (?:decision|agreement|rule)|(?:team-?)?entscheidung|beschlossen|decisión(?:\ del\ equipo)?|рішення(?:\ команди)?|вирішено|team\ đã\ chốt|チームで決まりました)\ ?[:,–—：-]+
    |お疲れ様です[。、]
    )\s*""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
_TAIL = re.compile(r"[\s\U0001F300-\U0001FAFF\u2600-\u27bf\ufe0f🏻-🏿]+$")


def sentences(text: str) -> list[Span]:
    """Spans of sentences and lines that hold something."""
    cuts = [0]
    for found in _END.finditer(text):
        if not _ABBREVIATION.search(text, max(cuts[-1], found.start() - LONGEST_ABBREVIATION), found.start()):
            cuts.append(found.end())
    cuts.append(len(text))
    spans = [trim(text, start, end) for start, end in pairwise(cuts)]
    return [span for span in spans if any(sign.isalnum() for sign in text[slice(*span)])]


def trim(text: str, start: int, end: int) -> Span:
    """Without spaces and pictures at the ends."""
    tail = _TAIL.search(text, start, end)
    if tail and tail.start() > start:
        end = tail.start()
    while start < end and text[start].isspace():
        start += 1
    return start, max(start, end)


def after_lead_in(text: str, start: int, end: int) -> int:
    """Where the statement begins behind "No, that's wrong:", "FYI", "@agent" and their like; `end` if there is none."""
    place = start
    while True:
        found = _LEADS.match(text[place:end])
        if found is None or found.end() == 0:
            return place
        place += found.end()
