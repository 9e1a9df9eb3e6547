"""dw eval …: labelled data in, one JSON line out."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dw_cli.eval_labels import fault
from dw_cli.local import fail

app = typer.Typer(no_args_is_help=True, help=__doc__)


class Provider(StrEnum):
    """Who extracts."""

    OFFLINE = "offline"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


_Data = Annotated[Path, typer.Option(help="labelled rows, .jsonl or .jsonl.gz")]
_Provider = Annotated[
    Provider,
    typer.Option(
        help="who extracts: offline, or the model of DW_DETECTOR_BASE_URL, _API_KEY and _MODEL, asked with the shipped "
        "prompt. An evaluation passes no gate: it needs no price, counts for no budget and stands in no ledger; what it "
        "costs, the provider bills, a call a row and more where an answer does not fit"
    ),
]


class ScanKind(StrEnum):
    """Which scan."""

    SECRETS = "secrets"
    INJECTION = "injection"


def read_rows(path: Path, *fields: str) -> list[dict[str, Any]]:
    """Rows of a .jsonl or .jsonl.gz file, each an object with these fields."""
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        rows = [json.loads(line) for line in data.decode("utf-8").split("\n") if line.strip()]
    except FileNotFoundError:
        raise fail(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise fail(f"{path}: {error}") from None
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or (missing := [name for name in fields if name not in row]):
            lacks = "is no object" if not isinstance(row, dict) else f"lacks {', '.join(missing)}"
            raise fail(f"{path}: row {number} {lacks}; a row has {', '.join(fields)}")
    if not rows:
        raise fail(f"{path}: there are no rows")
    return rows


def labelled(path: Path, *labels: str, also: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Rows of messages with these labels, and with those of `also` where they are there, each one that is known."""
    rows = read_rows(path, "text", *labels)
    for number, row in enumerate(rows, start=1):
        if (wrong := fault(row, (*labels, *also))) is not None:
            raise fail(f"{path}: row {number}: {wrong}")
    return rows


def emit(result: dict[str, Any]) -> None:
    """One line of JSON."""
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")


def scored(provider: Provider, evaluate: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """With the extractor of ours, or with a model in its place."""
    if provider is Provider.OFFLINE:
        return evaluate()
    from dw_cli.eval_model import score_model

    return score_model(provider.value, lambda extractor: evaluate(extractor=extractor))


@app.command()
def scan(kind: Annotated[ScanKind, typer.Option(help="which scan")], data: _Data) -> None:
    """Secrets or injections: recall, precision, false positives, time a message. Rows: text, label (1 or 0), and
    category, lang where they are known."""
    from dw_learning.evaluate.scan import evaluate_scan

    emit(evaluate_scan(kind.value, labelled(data, "label")))


@app.command()
def triage(data: _Data) -> None:
    """Which messages go on: recall, precision, skip rate, time a message. Rows: text, triage (candidate or skip), prev."""
    from dw_learning.evaluate.triage import evaluate_triage

    emit(evaluate_triage(labelled(data, "triage", also=("kind",))))


@app.command()
def risk(data: _Data) -> None:
    """How much a sentence may do: accuracy, recall by class, how many risky rows are called low. Rows: text,
    risk (low, high, sensitive), cls; rows of cls skip do not count."""
    from dw_learning.evaluate.risk import evaluate_risk

    rows = labelled(data, also=("cls",))
    for number, row in enumerate(rows, start=1):
        if row.get("cls") != "skip" and (wrong := fault({"risk": None, **row}, ("risk",))) is not None:
            raise fail(f"{data}: row {number}: {wrong}")
    emit(evaluate_risk(rows))


@app.command()
def detect(data: _Data, provider: _Provider = Provider.OFFLINE) -> None:
    """What a message teaches: macro F1, precision, recall and F1 by class, invented answers. Rows: text, cls (skip, memory_fact,
    memory_preference, correction, skill_procedure, sensitive), prev, role."""
    from dw_learning.evaluate.detect import evaluate_detect

    emit(scored(provider, partial(evaluate_detect, labelled(data, "cls"))))


@app.command()
def pipeline(data: _Data, provider: _Provider = Provider.OFFLINE) -> None:
    """Triage, detector and decision together: what would be saved, proposed, let go. Rows: text, route
    (skip, auto_memory, propose_memory, propose_skill, sensitive), and prev, sender where they are known."""
    from dw_learning.evaluate.pipeline import evaluate_pipeline

    emit(scored(provider, partial(evaluate_pipeline, labelled(data, "route", also=("kind",)))))


@app.command()
def skills(data: _Data) -> None:
    """Which skill a message needs, or none: precision, recall, how often none is kept where none fits."""
    from dw_learning.evaluate.skills import evaluate_skills

    emit(evaluate_skills(read_rows(data)))


@app.command()
def history(
    docs: Annotated[Path, typer.Option(help="messages: id, text, thread, role, speaker, at (.jsonl or .gz)")],
    queries: Annotated[
        Path, typer.Option(help="queries: query, evidence_ids, thread, role, lang (.jsonl or .gz)")
    ],
) -> None:
    """History search: thread_at_5 (a hit of the right thread among the first five), recall_at_5 and _10 (share of the
    evidence among that many hits and their neighbours), mrr of the first right hit, p95_ms; in all and per language.
    Each query is asked of its own role's agent."""
    from dw_cli.eval_history import evaluate_history

    documents, asked = read_rows(docs, "id", "text"), read_rows(queries, "query", "evidence_ids")
    emit(asyncio.run(evaluate_history(documents, asked)))
