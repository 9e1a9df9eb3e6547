"""Rebuild the triage model from our rows and, where they are present, the development sets that may ship.

python libs/learning/training/train_triage.py [--version V] [--threshold T]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dataset import FILES, given, own
from models import see, triage_model, write_binary
from sgd import Settings

TARGET = Path(__file__).parents[1] / "src" / "dw_learning" / "triage" / "model.json.gz"
GIVEN_WEIGHT = 3.0
AT_LEAST = 2
THRESHOLD = -1.25  # the curve stands in docs/models/triage.md
SETTINGS = Settings(epochs=8, seed=1)


def main() -> int:
    """Write the model and say what it was made of."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--version", default="triage-6")
    options.add_argument("--threshold", type=float, default=THRESHOLD)
    asked = options.parse_args()
    rows = own()
    sys.stdout.write(f"own rows: {len(rows)}\n")
    for file in FILES:
        found = given(file)
        rows += found
        sys.stdout.write(
            f"{file}: {len(found)} rows\n" if found else f"{file}: missing, trained without it\n"
        )
    model = triage_model(see(rows), SETTINGS, GIVEN_WEIGHT, AT_LEAST, asked.version, asked.threshold)
    size = write_binary(model, TARGET)
    sys.stdout.write(f"{TARGET.name}: {len(model.weights)} features, {size} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
