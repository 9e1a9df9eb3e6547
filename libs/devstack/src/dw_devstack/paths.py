"""Where the local stack keeps its things: one private folder a project, one download cache a user."""

from __future__ import annotations

import json
import os
import secrets as random_secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOME_VARIABLE: Final = "DW_HOME"
CACHE_VARIABLE: Final = "DW_CACHE"
PRIVATE_DIR: Final = 0o700
PRIVATE_FILE: Final = 0o600


@dataclass(frozen=True, slots=True)
class Home:
    """The state folder. Everything in it is private to its owner; deleting it deletes the stack's data."""

    root: Path

    @classmethod
    def locate(cls, environ: Mapping[str, str] = os.environ, cwd: Path | None = None) -> Home:
        """`.dw` in the current folder, unless DW_HOME says otherwise."""
        chosen = environ.get(HOME_VARIABLE)
        return cls((Path(chosen).expanduser() if chosen else (cwd or Path.cwd()) / ".dw").resolve())

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def state_file(self) -> Path:
        return self.run / "state.json"

    @property
    def lock_file(self) -> Path:
        """Held by the supervisor as long as it lives: the kernel lets go of it however the supervisor ends."""
        return self.run / "supervisor.lock"

    @property
    def secrets_file(self) -> Path:
        return self.root / "secrets.json"

    def log(self, part: str) -> Path:
        return self.logs / f"{part}.log"

    def create(self) -> Home:
        """Make the folders; a stricter or looser mode left by someone else becomes 700."""
        for folder in (self.root, self.data, self.logs, self.run):
            folder.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
        self.root.chmod(PRIVATE_DIR)
        return self


def cache_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's download cache, shared by all stacks: DW_CACHE, or the platform's usual place."""
    if chosen := environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser().resolve()
    base = environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "digital-worker"


def write_private(path: Path, text: str) -> None:
    """Replace the file in one step, readable by its owner alone from its first byte on."""
    path.parent.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    temporary.replace(path)


class Secrets:
    """Passwords and tokens made once for this state folder, by name: a second start finds the same ones."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, name: str) -> str:
        """The secret of that name; made now if there is none. Letters, digits, - and _ only: safe in a URL."""
        known = self._read()
        if name not in known:
            known[name] = random_secrets.token_urlsafe(24)
            write_private(self._path, json.dumps(known, indent=1, sort_keys=True))
        return known[name]

    def put(self, name: str, value: str) -> None:
        """Keep a secret that was made elsewhere (a key printed once by the panel, say)."""
        write_private(self._path, json.dumps({**self._read(), name: value}, indent=1, sort_keys=True))

    def find(self, name: str) -> str | None:
        return self._read().get(name)

    def names(self) -> list[str]:
        """Of all that are kept, sorted."""
        return sorted(self._read())

    def _read(self) -> dict[str, str]:
        try:
            known: dict[str, str] = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return known
