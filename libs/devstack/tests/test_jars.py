"""Kafka's jars: what was locked and nothing else, fetched once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dw_devstack.errors import DownloadError
from dw_devstack.jars import COORDINATES, KAFKA_VERSION, Jar, ensure_jars, locked_jars, sha256_of
from dw_devstack.paths import cache_dir

SMALL = "slf4j-api"
NOWHERE = "http://127.0.0.1:1"
OFFLINE = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "http_proxy": NOWHERE, "https_proxy": NOWHERE}
START = "import sys; from pathlib import Path; from dw_devstack.jars import ensure_jars; ensure_jars(Path(sys.argv[1]))"


def test_the_lock_names_each_jar_once_with_its_sha256() -> None:
    jars = locked_jars()
    assert len({jar.filename for jar in jars}) == len(jars)
    assert all(re.fullmatch("[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in jars)


def test_the_lock_holds_the_version_that_is_declared() -> None:
    (group, artifact, version), (_, logger, _) = (part.split(":") for part in COORDINATES.split("+"))
    names = {(jar.group, jar.artifact): jar.version for jar in locked_jars()}
    assert names[group, artifact] == version == KAFKA_VERSION
    assert any(jar.artifact == logger for jar in locked_jars())
    assert {v for (g, _), v in names.items() if g == group} == {version}, "one version of all of Kafka"


def test_a_whole_cache_is_used_as_it_is(tmp_path: Path) -> None:
    jar, said = _local_jar(tmp_path, b"class files"), list[str]()
    assert ensure_jars(tmp_path, said.append, [jar]) == tmp_path / f"kafka-{KAFKA_VERSION}"
    assert said == []


def test_a_stranger_in_the_folder_does_not_get_on_the_class_path(tmp_path: Path) -> None:
    jar = _local_jar(tmp_path, b"class files")
    folder = tmp_path / f"kafka-{KAFKA_VERSION}"
    (folder / "stranger-1.0.jar").write_bytes(b"?")
    ensure_jars(tmp_path, jars=[jar])
    assert [path.name for path in folder.glob("*.jar")] == [jar.filename]


@pytest.mark.integration
def test_a_damaged_jar_is_fetched_anew(tmp_path: Path) -> None:
    jar, said = _locked(SMALL), list[str]()
    folder = tmp_path / f"kafka-{KAFKA_VERSION}"
    folder.mkdir()
    (folder / jar.filename).write_bytes(b"half a download")
    ensure_jars(tmp_path, said.append, [jar])
    assert sha256_of(folder / jar.filename) == jar.sha256
    assert [path.name for path in folder.iterdir()] == [jar.filename]
    assert said[0] == f"downloading Apache Kafka {KAFKA_VERSION}: 1 jars, 0.0 MB"
    assert said[-1].startswith("downloading Apache Kafka: 1 of 1 jars")


@pytest.mark.integration
def test_what_is_not_the_locked_file_is_refused_and_not_kept(tmp_path: Path) -> None:
    jar = _locked(SMALL)
    other = Jar(jar.group, jar.artifact, jar.version, "0" * 64, jar.size)
    with pytest.raises(DownloadError, match=r"not the locked file: its sha256 is [0-9a-f]{64}, not 0{64}"):
        ensure_jars(tmp_path, jars=[other])
    assert list((tmp_path / f"kafka-{KAFKA_VERSION}").iterdir()) == []


@pytest.mark.integration
def test_a_second_start_needs_no_network(tmp_path: Path) -> None:
    whole = ensure_jars(cache_dir())
    shutil.copytree(whole, tmp_path / whole.name)
    done = _offline(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_first_start_without_network_says_so(tmp_path: Path) -> None:
    done = _offline(tmp_path)
    assert done.returncode == 1
    assert "A network is needed the first time; later starts use the cache." in done.stderr


def _offline(cache: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **OFFLINE}
    return subprocess.run(
        [sys.executable, "-c", START, str(cache)], env=env, capture_output=True, text=True, check=False
    )


def _locked(artifact: str) -> Jar:
    (found,) = (jar for jar in locked_jars() if jar.artifact == artifact)
    return found


def _local_jar(cache: Path, content: bytes) -> Jar:
    folder = cache / f"kafka-{KAFKA_VERSION}"
    folder.mkdir(parents=True)
    path = folder / "local-1.0.jar"
    path.write_bytes(content)
    digest = sha256_of(path)
    assert digest is not None
    return Jar("org.example", "local", "1.0", digest, len(content))
