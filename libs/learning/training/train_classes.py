"""Rebuild the models of the extractor (what a message is) and of risk (how much a sentence may do).

python libs/learning/training/train_classes.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from dataset import FILES, given, own
from grammar import Row
from models import CLASSES, RISKS, class_model, framed, see, write_classes
from sgd import Settings

PACKAGE = Path(__file__).parents[1] / "src" / "dw_learning"
GIVEN_WEIGHT = 3.0
SETTINGS = Settings(epochs=5, seed=1)


def worthy(rows: list[Row]) -> list[Row]:
    """Rows that risk is learned from."""
    return [row for row in rows if row.cls not in {"skip", "retract"}]


def main() -> int:
    """Write both models and say what they were made of."""
    rows = own()
    for file in FILES:
        found = given(file)
        rows += found
        sys.stdout.write(
            f"{file}: {len(found)} rows\n" if found else f"{file}: missing, trained without it\n"
        )
    kinds = class_model(
        framed(see(rows)), CLASSES, [row.cls for row in rows], SETTINGS, GIVEN_WEIGHT, 2, "extract-6"
    )
    size = write_classes(kinds, PACKAGE / "extract" / "model.json.gz", 0.05)
    sys.stdout.write(f"extract: {len(kinds.weights)} features, {size} bytes\n")
    lasting = worthy(rows)
    risks = class_model(
        see(lasting, with_prev=False),
        RISKS,
        [row.risk for row in lasting],
        SETTINGS,
        GIVEN_WEIGHT,
        2,
        "risk-6",
    )
    size = write_classes(risks, PACKAGE / "risk" / "model.json.gz", 0.05)
    sys.stdout.write(f"risk: {len(risks.weights)} features, {size} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
