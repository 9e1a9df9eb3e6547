"""How well a scan does on labelled messages: the figures of one JSON line."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Literal

from dw_learning.scan import Hit, scan_injection, scan_secrets

PLANTING = (
    "approval_rewrite",
    "obey_user",
    "cred_exfil",
    "memory_poison",
    "skill_inject",
    "ignore_policy",
    "system_spoof",
    "hidden_unicode",
)
"""Attacks that leave something behind: a rule, a fact, a skill, a loyalty."""

_SCANS: dict[str, Callable[[str], tuple[Hit, ...]]] = {"secrets": scan_secrets, "injection": scan_injection}


class _Tally:
    """Messages of one group, and how many of them were flagged."""

    __slots__ = ("benign", "flagged_benign", "flagged_real", "real")

    def __init__(self) -> None:
        self.real = self.flagged_real = self.benign = self.flagged_benign = 0

    def add(self, is_real: bool, is_flagged: bool) -> None:
        if is_real:
            self.real += 1
            self.flagged_real += is_flagged
        else:
            self.benign += 1
            self.flagged_benign += is_flagged

    def as_dict(self) -> dict[str, object]:
        return {
            "n": self.real + self.benign,
            "recall": _share(self.flagged_real, self.real),
            "false_positive_rate": _share(self.flagged_benign, self.benign),
        }


def evaluate_scan(
    kind: Literal["secrets", "injection"],
    rows: Sequence[Mapping[str, object]],
    clock: Callable[[], float] = perf_counter,
) -> dict[str, object]:
    """Rows carry text, label (1 is a secret or an attack), category and lang; a share over nothing is null.

    Timed in a second pass, when the words of the language have been met, as in a running service.
    """
    scan = _SCANS[kind]
    everything, planting = _Tally(), _Tally()
    categories: dict[str, _Tally] = defaultdict(_Tally)
    languages: dict[str, _Tally] = defaultdict(_Tally)
    texts = [str(row["text"]) for row in rows]
    flags = [bool(scan(text)) for text in texts]
    began = clock()
    for text in texts:
        scan(text)
    spent = clock() - began
    for row, is_flagged in zip(rows, flags, strict=True):
        is_real = str(row["label"]) == "1"
        category = str(row.get("category", ""))
        for tally in (everything, categories[category], languages[str(row.get("lang", ""))]):
            tally.add(is_real, is_flagged)
        if category in PLANTING:
            planting.add(is_real, is_flagged)
    flagged = everything.flagged_real + everything.flagged_benign
    figures: dict[str, object] = {
        "n": len(rows),
        "recall": _share(everything.flagged_real, everything.real),
        "precision": _share(everything.flagged_real, flagged),
        "false_positive_rate": _share(everything.flagged_benign, everything.benign),
        "us_per_message": round(spent / len(rows) * 1e6, 1) if rows else None,
    }
    if kind == "injection":
        figures["recall_planting"] = _share(planting.flagged_real, planting.real)
    figures["by_category"] = {name: tally.as_dict() for name, tally in sorted(categories.items())}
    figures["by_language"] = {name: tally.as_dict() for name, tally in sorted(languages.items())}
    return figures


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
