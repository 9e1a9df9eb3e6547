"""dw eval …: labelled data in, one JSON line out."""

from __future__ import annotations

import gzip
import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from dw_cli.local import fail

app = typer.Typer(no_args_is_help=True, help=__doc__)


class ScanKind(StrEnum):
    """Which scan."""

    SECRETS = "secrets"
    INJECTION = "injection"


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Rows of a .jsonl or .jsonl.gz file."""
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return [json.loads(line) for line in data.decode("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise fail(f"{path}: {error}") from None


def emit(result: dict[str, Any]) -> None:
    """One line of JSON."""
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")


@app.command()
def scan(kind: Annotated[ScanKind, typer.Option()], data: Annotated[Path, typer.Option()]) -> None:
    """Secrets or injections: recall, precision, false positives, time a message."""
    from dw_learning.evaluate.scan import evaluate_scan

    emit(evaluate_scan(kind.value, read_rows(data)))


@app.command()
def triage(data: Annotated[Path, typer.Option()]) -> None:
    """Which messages go on: recall, precision, skip rate, time a message."""
    from dw_learning.evaluate.triage import evaluate_triage

    emit(evaluate_triage(read_rows(data)))
