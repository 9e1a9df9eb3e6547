"""One fold: three models that never saw the meanings of some rows, and what they say of these rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grammar import Row
from models import CLASSES, RISKS, Seen, class_model, framed, see, triage_model
from train_classes import GIVEN_WEIGHT as CLASS_WEIGHT
from train_classes import SETTINGS as CLASS_SETTINGS
from train_classes import worthy
from train_triage import AT_LEAST, GIVEN_WEIGHT, SETTINGS, THRESHOLD

from dw_learning.evaluate.pipeline import evaluate_pipeline
from dw_learning.evaluate.triage import as_input
from dw_learning.extract import Extracted
from dw_learning.extract.extract import extract_by
from dw_learning.risk import classify as risk_module
from dw_learning.risk.classify import classify_by as risk_by
from dw_learning.triage import TriageInput, TriageVerdict
from dw_learning.triage.classify import classify_by, core_margin
from dw_learning.triage.score import Score
from dw_learning.words.cues import read
from dw_learning.words.features import shape_of
from dw_learning.words.linear import Classes


@dataclass(frozen=True, slots=True)
class Trained:
    """Three models of one fold, as the pipeline asks for them."""

    triage: Score
    kinds: Classes
    risk: Classes

    def classify(self, inputs: Sequence[TriageInput]) -> list[TriageVerdict]:
        """Triage at its shipped operating point."""
        return classify_by(self.triage, inputs)

    def extract(
        self, text: str, prev: str | None, prev_author: str | None, role: str | None
    ) -> tuple[Extracted, ...]:
        """The offline extractor."""
        return extract_by(self.kinds, text, prev, prev_author)


def trained(rows: Sequence[Row], seen: Sequence[Seen]) -> Trained:
    """All three models from these rows."""
    labels = [row.cls for row in rows]
    lasting = worthy(list(rows))
    risks = class_model(
        see(lasting, with_prev=False),
        RISKS,
        [row.risk for row in lasting],
        CLASS_SETTINGS,
        CLASS_WEIGHT,
        2,
        "m",
    )
    return Trained(
        Score(triage_model(seen, SETTINGS, GIVEN_WEIGHT, AT_LEAST, "m", THRESHOLD)),
        class_model(framed(seen), CLASSES, labels, CLASS_SETTINGS, CLASS_WEIGHT, 2, "m"),
        risks,
    )


def figures(models: Trained, raws: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Pipeline, triage, classes and risk of rows, by models that did not see them. Counts, to be added up."""
    risk_module.model = lambda: models.risk  # type: ignore[assignment]  # the packaged model saw these rows
    found = dict(evaluate_pipeline(raws, models.classify, models.extract))
    human = [raw for raw in raws if raw["sender"] != "bot"]
    kept = [verdict.candidate for verdict in models.classify([as_input(raw) for raw in human])]
    lasting = [raw for raw in human if raw["cls"] != "skip"]
    told = [risk_by(models.risk, raw["text"], "memory_fact").risk for raw in lasting]
    return found | {
        "triage_recall": sum(k and raw["cls"] != "skip" for k, raw in zip(kept, human, strict=True)),
        "triage_skip": len(raws) - sum(kept),
        "risk_right": sum(said == raw["risk"] for said, raw in zip(told, lasting, strict=True)),
        "risk_unsafe": sum(said == "low" != raw["risk"] for said, raw in zip(told, lasting, strict=True)),
    }


def totals(parts: Sequence[dict[str, Any]], raws: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Shares over all rows from the figures of parts."""
    wanted = [raw["route"] for raw in raws]
    lasting = len(wanted) - wanted.count("skip")
    auto = sum(part["saved_share"] * part["_auto"] for part in parts)
    saved = sum(part["saved"] for part in parts)
    return {
        "accuracy": sum(part["accuracy"] * part["n"] for part in parts) / len(raws),
        "saved": saved,
        "save_precision": auto / saved if saved else 0.0,
        "unsafe_saves": sum(part["unsafe_saves"] for part in parts),
        "saved_share": auto / max(wanted.count("auto_memory"), 1),
        "worthy_recall": sum(part["worthy_recall"] * part["_worthy"] for part in parts) / lasting,
        "junk_proposals": sum(part["junk_proposals"] * part["_skip"] for part in parts)
        / max(wanted.count("skip"), 1),
        "triage_recall": sum(part["triage_recall"] for part in parts) / lasting,
        "triage_skip": sum(part["triage_skip"] for part in parts) / len(raws),
        "risk_right": sum(part["risk_right"] for part in parts) / lasting,
        "risk_unsafe": sum(part["risk_unsafe"] for part in parts),
    }


def counted(models: Trained, raws: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Figures with the sizes that they are shares of."""
    wanted = [raw["route"] for raw in raws]
    return figures(models, raws) | {
        "_auto": wanted.count("auto_memory"),
        "_skip": wanted.count("skip"),
        "_worthy": len(wanted) - wanted.count("skip"),
    }


def margin_of(models: Trained, raw: dict[str, Any]) -> float:
    """The logit that triage compares with its operating point."""
    reading = read(raw["text"])
    plain = models.triage.margin(reading, raw.get("prev"), shape_of(reading))
    return max(plain, core_margin(models.triage, raw["text"]))
