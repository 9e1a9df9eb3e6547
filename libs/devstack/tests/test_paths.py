"""The state folder: where it is, and that nobody else can read it."""

from __future__ import annotations

from pathlib import Path

from dw_devstack.paths import Home, Secrets, cache_dir, write_private


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_state_lies_in_the_current_project(tmp_path: Path) -> None:
    assert Home.locate({}, tmp_path).root == tmp_path / ".dw"


def test_dw_home_wins_over_the_current_project(tmp_path: Path) -> None:
    assert Home.locate({"DW_HOME": str(tmp_path / "elsewhere")}, tmp_path).root == tmp_path / "elsewhere"


def test_a_folder_left_open_by_others_becomes_private(tmp_path: Path) -> None:
    (tmp_path / ".dw").mkdir()
    (tmp_path / ".dw").chmod(0o777)
    home = Home(tmp_path / ".dw").create()
    assert [mode(p) for p in (home.root, home.data, home.logs, home.run)] == [0o700] * 4


def test_secrets_are_made_once_differ_and_are_private(tmp_path: Path) -> None:
    file = tmp_path / "secrets.json"
    first, other = Secrets(file).get("kafka.ingest"), Secrets(file).get("kafka.triage")
    assert first == Secrets(file).get("kafka.ingest")
    assert first != other
    assert len(first) >= 32
    assert mode(file) == 0o600


def test_a_secret_made_elsewhere_is_kept_beside_the_others(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path / "secrets.json")
    made = secrets.get("made")
    secrets.put("given", "value")
    assert (secrets.find("made"), secrets.find("given"), secrets.find("none")) == (made, "value", None)


def test_a_private_file_replaces_an_open_one_and_leaves_no_scraps(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text("old")
    file.chmod(0o666)
    write_private(file, "new")
    assert (file.read_text(), mode(file)) == ("new", 0o600)
    assert list(tmp_path.iterdir()) == [file]


def test_cache_is_the_users_unless_told_otherwise(tmp_path: Path) -> None:
    assert cache_dir({"DW_CACHE": str(tmp_path)}) == tmp_path
    assert cache_dir({"XDG_CACHE_HOME": "/var/caches"}) == Path("/var/caches/digital-worker")
    assert cache_dir({}) == Path.home() / ".cache" / "digital-worker"
