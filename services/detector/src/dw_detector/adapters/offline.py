"""The deterministic local extractor: no key, no network, no cost. The default of the local stack."""

from __future__ import annotations

from dw_detector.detect import Answer, Question
from dw_learning.extract import EXTRACT_VERSION, extract
from dw_learning.extract.items import detection_items


class OfflineProvider:
    """Rules of `dw_learning.extract`."""

    async def detect(self, question: Question) -> Answer:
        """Never waits; the signature is the remote providers'."""
        found = extract(question.text, question.reply_text, question.reply_author, None)
        items = detection_items(found, question.kind)
        return Answer(items=items, provider="offline", model=EXTRACT_VERSION, prompt_version="")
