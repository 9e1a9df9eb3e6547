"""dw contracts write, check: generated files against the models, and against all that landed before."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dw_contracts.generate import FOLDERS, SCHEMAS, generated, openapi_files
from dw_contracts.landed import ACCEPTED, accepted_lines, breaks, drift
from dw_contracts.settings import ContextSettings, IngestSettings, PanelSettings, ServiceSettings

HTTP_SERVICES: Final[tuple[type[ServiceSettings], ...]] = (IngestSettings, ContextSettings, PanelSettings)
# Enough to build an app; nothing is connected and nothing is sealed.
PRETENDED: Final = {
    "seal_keys": "docs:" + "00" * 32,
    "pepper": "00" * 32,
    "database_url": "postgresql://docs@127.0.0.1/docs",
}

contracts_app = typer.Typer(
    no_args_is_help=True,
    help="Schemas, examples, AsyncAPI, OpenAPI and .env.example, made from the contracts.",
)
Root = Annotated[Path, typer.Option(help="Top of the repository.")]


@contracts_app.command("write")
def write(root: Root = Path()) -> None:
    """Regenerate every file; refuse a difference that would break a reader of what landed."""
    made = {**generated(), **openapi_files(openapi_documents())}
    _refuse(breaks(landed(root), made, _accepted(root)), "nothing was written")
    committed = _on_disk(root, made)
    for path in committed.keys() - made.keys():
        (root / path).unlink()
    changed = [path for path, text in made.items() if committed.get(path) != text]
    for path in changed:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(made[path], encoding="utf-8")
    typer.echo(f"{len(made)} files, {len(changed)} written, {len(committed.keys() - made.keys())} removed")


@contracts_app.command("check")
def check(root: Root = Path()) -> None:
    """Fail where files differ from the contracts, or the contracts break what landed."""
    made = {**generated(), **openapi_files(openapi_documents())}
    _refuse(breaks(landed(root), made, _accepted(root)), "the contracts break what landed")
    _refuse(drift(_on_disk(root, made), made), "run `make contracts` and commit what it writes")
    typer.echo(f"{len(made)} generated files as the contracts say")


def openapi_documents() -> dict[str, dict[str, Any]]:
    """What each service with routes says of itself. Imported here alone: no other command needs the services."""
    found: dict[str, dict[str, Any]] = {}
    for cls in HTTP_SERVICES:
        module = importlib.import_module(f"dw_{cls.service}.app")
        settings = importlib.import_module(f"dw_{cls.service}.settings").Settings
        pretended = {name: value for name, value in PRETENDED.items() if name in settings.model_fields}
        found[cls.service] = module.create_app(settings(**pretended)).openapi()
    return found


def landed(root: Path) -> dict[str, list[str]]:
    """Every version of every schema: the file on disk, and all that git's history has. Deleting a file hides nothing."""
    found = {path: [text] for path, text in _on_disk(root, {}).items() if path.startswith(SCHEMAS + "/")}
    blobs: dict[tuple[str, str], None] = {}
    for commit in _git(root, "log", "--format=%H", "--", SCHEMAS).split():
        listing = _git(root, "ls-tree", "-r", commit, "--", SCHEMAS)
        for line in listing.splitlines():
            described, _, path = line.partition("\t")
            blobs[path, described.split()[2]] = None
    for path, blob in blobs:
        found.setdefault(path, []).append(_git(root, "cat-file", "blob", blob))
    return found


def _git(root: Path, *arguments: str) -> str:
    """Output of git; empty where this is no clone (a downloaded archive has only the files themselves)."""
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.stdout if done.returncode == 0 else ""


def _accepted(root: Path) -> tuple[str, ...]:
    path = root / ACCEPTED
    return accepted_lines(path.read_text(encoding="utf-8")) if path.exists() else ()


def _on_disk(root: Path, made: dict[str, str]) -> dict[str, str]:
    """Generated files as they are: those that are made, and strays in the generated folders."""
    paths = {path for folder in FOLDERS for path in (root / folder).rglob("*.json")}
    paths |= {root / path for path in made}
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(paths)
        if path.is_file()
    }


def _refuse(problems: list[str], ending: str) -> None:
    if problems:
        for problem in problems:
            typer.echo(problem, err=True)
        typer.echo(f"{len(problems)} problem(s): {ending}", err=True)
        raise typer.Exit(1)
