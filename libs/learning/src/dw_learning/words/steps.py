"""What an ordered way of doing something looks like, in many languages."""

from __future__ import annotations

import re
from functools import cache

from dw_learning.words.tokens import folded
from dw_learning.words.watch import Watch

_STEPS = (
    r"(?:^|[\s:：,(])(?:1|a)[).:]\s?\S.{2,240}?[\s,;](?:2|b)[).:]\s?\S",  # 1) … 2) …
    r"①.+②",
    r"\S\s?(?:→|->|=>)\s?\S.{0,140}?(?:→|->|=>|,).{2,}",
    r"\bfirst\b.{4,160}\b(?:then|next|after that|afterwards|finally|last|only after|only then|before)\b",
    r"\b(?:and |, )?only then\b|\bthen\b.{3,120}\b(?:then|finally|after that|last(?:ly)?)\b",
    r"\b(?:how to|how we|to|steps (?:to|for)|procedure for|order|routine|recipe for|play|trick)\b[^.!?]{2,60}[:,].{3,90}[,;].{3,}\b(?:then|and|before|after|last|first)\b",
    r"\b(?:before|after|for) (?:each|every)\b.{3,60}[:,].{3,90}[,;].{3,}",
    r"\b(?:whenever|every time|each time|when|if)\b.{4,90}[:,].{3,90}\b(?:then|first|and then|only then|after that)\b",
    r"\b(?:zuerst|erst|als erstes)\b.{3,160}\b(?:dann|danach|anschließend|zuletzt|zum schluss|schließlich)\b",
    r"(?:läuft so|so geht|ablauf|reihenfolge|vorgehen|anleitung)\b[^.!?]{0,60}:.{4,}[,;].{3,}",
    r"\bvor (?:jede[mr]|dem)\b.{3,60}[:,].{3,90}[,;]",
    r"\b(?:primero|antes de (?:cada|todo))\b.{3,160}(?:\b(?:luego|después|por último|finalmente|al final|y solo entonces)\b|,.{3,},|y \w+)",
    r"\b(?:cada vez que|si un|cuando)\b.{4,90}[:,].{3,90}\b(?:luego|después|primero|solo entonces)\b",
    r"\b(?:спочатку|спершу|по-перше)\b.{3,160}\b(?:потім|далі|після|наприкінці|тоді|нарешті)\b|\bтільки потім\b",
    r"\b(?:щоб|порядок|перед кожн\w+|щоразу як|щоразу коли)\b.{3,70}[:,].{3,90}[,;].{3,}",
    r"(?:đầu tiên|trước tiên|trước hết)\b.{3,160}\b(?:sau đó|rồi|tiếp|cuối cùng)\b|\brồi mới\b",
    r"\b(?:cách|quy trình|mỗi lần|mỗi khi|trước mỗi|để)\b.{3,70}[:,].{3,90}[,;→].{3,}|\bcuối cùng mới\b",
    r"(?:手順|流れ|やり方|方法)(?:は|[:：]).{6,}|まず.{3,120}(?:次に|その後|それから|最後に|してから)|(?:して|し)、.{2,60}(?:して|し)、.{2,}|てから.{2,60}(?:してください|ます)",
    r"\b(?:d'abord|primeiro|prima|najpierw)\b.{3,160}\b(?:puis|ensuite|enfin|depois|por fim|poi|infine|potem|na końcu)\b",
    r"\?\s+(?:\w+\W+){1,9}?(?:\w+), .{3,90}, .{3,}",  # "it won't start? hold X, wait, press Y",
)


def is_procedure(text: str) -> bool:
    """Does the text order steps?"""
    return bool(_watch().found(folded(text)))


@cache
def _watch() -> Watch:
    watch = Watch()
    for expression in _STEPS:
        watch.add("steps", expression, re.DOTALL)
    return watch
