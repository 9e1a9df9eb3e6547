"""`dw eval --provider openai|anthropic`: a configured model in the extractor's place, scored as it is.

The detector's own process asks it (G1), as DW_DETECTOR_ settings say; no org, no gate, no price and no ledger is behind
an evaluation. Two passes: the first finds what the model would be asked, the second scores what it said.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dw_cli.local import errors, fail
from dw_contracts.events.detections import DetectionItem
from dw_learning.extract import Extracted

Asked = tuple[str, str | None]
Extract = Callable[[str, str | None, str | None, str | None], Sequence[Extracted]]
Scored = Callable[[Extract], dict[str, Any]]


def score_model(provider: str, score: Scored) -> dict[str, Any]:
    """What `score` says with the model's answers, and beside it provider, model, how many questions it was asked and how
    many of them it gave no answer to that fits."""
    noted = _Noted()
    score(noted.extract)
    known = _ask(provider, list(noted.asked))
    told = score(lambda text, prev, author, role: known.get((text, prev)) or ())
    unfit = sum(items is None for items in known.values())
    model = os.environ.get("DW_DETECTOR_MODEL", "")
    return told | {"provider": provider, "model": model, "asked": len(known), "unfit": unfit}


@dataclass(slots=True)
class _Noted:
    """Extracts nothing, and notes what was asked, each once."""

    asked: dict[Asked, None] = field(default_factory=dict)

    def extract(
        self, text: str, prev: str | None, author: str | None, role: str | None
    ) -> Sequence[Extracted]:
        self.asked[text, prev] = None
        return ()


def _ask(provider: str, asked: Sequence[Asked]) -> dict[Asked, Sequence[Extracted] | None]:
    lines = [json.dumps({"text": text, "prev": prev}) for text, prev in asked]
    done = subprocess.run(  # the variables go along: the settings are the detector's
        [sys.executable, "-m", "dw_detector.evaluate"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "DW_DETECTOR_PROVIDER": provider},
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it ended without a word"]
        raise fail(f"{provider}: {said[-1]}")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    unfit = [answer["unfit"] for answer in told if "unfit" in answer]
    if unfit:
        errors.print(
            f"{len(unfit)} of {len(told)} got no answer that fits; the first: {unfit[0]}", markup=False
        )
    return {one: _extracted(answer) for one, answer in zip(asked, told, strict=True)}


def _extracted(answer: dict[str, Any]) -> Sequence[Extracted] | None:
    if "unfit" in answer:
        return None
    return [_as_extracted(DetectionItem.model_validate(item)) for item in answer["items"]]


def _as_extracted(item: DetectionItem) -> Extracted:
    return Extracted(
        kind=item.kind.value,
        text=item.text,
        span=item.span,
        key=item.key,
        subject=item.subject,
        risk_hint=item.risk_hint,
        confidence=item.confidence,
        memory_type=item.memory_type,
        category=item.category,
        layer=item.layer,
    )
