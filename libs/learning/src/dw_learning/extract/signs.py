"""What questions, guesses, today's details and lasting statements look like."""

from __future__ import annotations

import re

QUESTION = re.compile(
    r"[?？]\s*\W*$|^\W*(?:who|what|when|where|why|how|can|could|does|do|did|is there|are there|anyone|any idea|wer|was|wann|wie|чому|коли|як|хто)\b[^.!]{0,200}$",
    re.IGNORECASE,
)
TODAY = re.compile(
    r"\b(?:today|tomorrow|right now|this (?:morning|afternoon|evening)|in \d+ min\w*|brb|until \d|heute|morgen früh|сьогодні|hôm nay|今日|hoy)\b",
    re.IGNORECASE,
)
GUESS = re.compile(
    r"\b(?:maybe|perhaps|i think|i guess|probably|might be|not sure|vielleicht|glaube|мабуть|có lẽ|たぶん|quizás)\b",
    re.IGNORECASE,
)
WORTHY = re.compile(
    r"\b(?:is called|we call|are called|our|we use|we track|we always|always|never|from now on|correction|outdated|not .{1,40}anymore|"
    r"is wrong|that's wrong|no longer|new .{1,30} is|moved to|owns|leads|took over|team decision|decided|remember|note|fyi|for everybody|"
    r"please (?:always|use|write)|pls (?:always|use)|prefer|every time|first .{3,80} then|step \d|procedure|closes at|opens at|open from|stands in|"
    r"starts on|policy|rule|password|budget|deadline|vendor|standard|heißt|ab jetzt|bitte .{2,30}immer|stimmt nicht|zur info|"
    r"a partir de|llamamos|siempre|se llama)\b|->|→|^\W*1[.)]|\b\d[.)] \w+.{3,80}\b2[.)]"
    r"|запам'ятай|завжди|тепер|називаємо|відтепер|застаріл|luôn|từ nay|gọi là|ghi nhớ|ではなく|と呼|今後|必ず|なりました|覚えて|手順",
    re.IGNORECASE,
)  # fmt: skip
