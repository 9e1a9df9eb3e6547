"""Accounts from a CSV file: a head line that names the columns, then one account a line, read strictly."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

from pydantic import ValidationError

from dw_contracts.http.identities import MapIdentity
from dw_contracts.http.problem import FieldError, ProblemCode, problem
from dw_panel.refusals import unfit
from dw_runtime import ProblemError
from dw_runtime.echoes import place
from dw_store.orgs.identities import MAX_IMPORT

COLUMNS: Final = ("platform", "workspace_ref", "external_user_id", "user", "status", "service_granted")
NEEDED: Final = {"platform", "external_user_id"}
MAX_FAULTS: Final = 20


def read_identities(body: bytes) -> list[MapIdentity]:
    """The rows. An empty cell is left out, so what is known of the account is left alone. Raises ProblemError."""
    lines = _lines(body)
    head = [name.strip() for name in next(lines, [])]
    if not set(head) >= NEEDED or len(set(head)) != len(head) or not set(head) <= set(COLUMNS):
        raise unfit(
            "the first line names the columns",
            (
                FieldError(
                    at="line 1", problem=f"columns are {', '.join(COLUMNS)}; the first and third are needed"
                ),
            ),
        )
    rows: list[MapIdentity] = []
    faults: list[FieldError] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, cells in enumerate(lines, start=2):
        if number > MAX_IMPORT + 1:
            raise unfit(f"at most {MAX_IMPORT} accounts at once")
        row = _row(number, head, cells, faults)
        if row is None:
            continue
        account = (row.platform.value, row.workspace_ref, row.external_user_id)
        if (first := seen.setdefault(account, number)) != number:
            faults.append(FieldError(at=f"line {number}", problem=f"the same account as line {first}"))
        rows.append(row)
    if faults:
        raise unfit("lines of the file do not fit; nothing was written", tuple(faults[:MAX_FAULTS]))
    if not rows:
        raise unfit("the file holds no account")
    return rows


def _lines(body: bytes) -> Any:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 400, "the file is not UTF-8")) from None
    if "\x00" in text:
        raise ProblemError(problem(ProblemCode.INVALID_BODY, 400, "the file holds a NUL"))
    return _read(csv.reader(io.StringIO(text, newline=""), strict=True))


def _read(reader: Any) -> Any:
    try:
        yield from (cells for cells in reader if cells)
    except csv.Error:
        raise unfit(
            "a line is no CSV", (FieldError(at=f"line {reader.line_num}", problem="cannot be read"),)
        ) from None


def _row(number: int, head: list[str], cells: list[str], faults: list[FieldError]) -> MapIdentity | None:
    if len(cells) != len(head):
        faults.append(FieldError(at=f"line {number}", problem=f"has {len(cells)} cells, not {len(head)}"))
        return None
    given = {name: cell.strip() for name, cell in zip(head, cells, strict=True) if cell.strip()}
    try:
        return MapIdentity.model_validate(given)
    except ValidationError as error:
        for entry in error.errors(include_input=False, include_url=False)[:3]:
            at = place(entry["loc"], entry["type"])
            faults.append(FieldError(at=f"line {number}, {at}", problem=entry["msg"]))
        return None
