"""Files that people write are read whole before anything is done, and what is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from dw_cli.main import app
from dw_cli.play.parse import BadStory, read_story
from dw_cli.yaml_lines import BadYaml, read_yaml

AWAY = {"DW_PANEL_URL": "http://127.0.0.1:9", "DW_TOKEN": "t", "COLUMNS": "300"}
ORG = """\
org: acme
users:
  olga: {role: owner}
  Minh: {role: boss}
agents:
  it_agent:
    managers: [nobody]
channels:
  help.desk:
    platform: fax
    agents:
      - it_agent
"""
STORY = """\
id: s
title: t
setup:
  orgs:
    acme:
      agents: {it_agent: }
      users: {ingrid: {role: admin}}
      channels: {helpdesk: {platform: slack, agents: [it_agent]}}
      identities: {minh: {platform: slack, external_id: U1}}
steps:
  - say: {channel: helpdesk, sender: minh, text: x}
  - pack:
      agent: it_agent
      channel: helpdesk
      contains:
        - "(unclosed"
  - decide: {who: ingrid, agent: it_agent, action: approve,
      matching: x, colour: red}
  - sing: loud
"""


def apply(path: Path) -> str:
    done = CliRunner().invoke(app, ["apply", str(path)], env=AWAY)
    assert done.exit_code == 1
    return done.output


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "f.yaml"


def test_every_fault_of_an_org_file_has_its_line(file: Path) -> None:
    file.write_text(ORG)
    said = [line.removeprefix(f"{file}:") for line in apply(file).splitlines()[1:]]
    assert said[0].startswith("4: users.Minh.role: ")
    assert said[1].startswith("10: channels.help.desk.platform: ")
    assert len(said) == 2
    file.write_text(ORG.replace("boss", "member").replace("fax", "slack"))
    assert f"{file}:7: agents.it_agent.managers: no user 'nobody'" in apply(file)


def test_what_is_no_yaml_and_a_name_that_stands_twice_have_their_line(file: Path) -> None:
    file.write_text("org: acme\nusers: {olga: {role: owner}\nagents: [\n")
    assert f"{file}:3: " in apply(file)
    file.write_text("org: acme\nusers:\n  olga: {role: owner}\n  olga: {role: member}\n")
    assert f"{file}:4: 'olga' stands here a second time" in apply(file)
    file.write_bytes(b"org: \xff\n")
    assert f"{file}: is no UTF-8" in apply(file)


def test_every_fault_of_a_story_has_its_line(file: Path) -> None:
    file.write_text(STORY)
    with pytest.raises(BadStory) as bad:
        read_story(file)
    assert [str(fault).partition(": ")[0] for fault in bad.value.faults] == [
        "f.yaml:15",
        "f.yaml:18",
        "f.yaml:19",
    ]
    assert "step 3, decide.colour" in str(bad.value.faults[1])


def test_nothing_is_played_where_no_file_can_be(tmp_path: Path) -> None:
    """No stack is started for it, and every step counts as one that did not hold."""
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(STORY)
    done = CliRunner().invoke(
        app, ["play", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")], env={"COLUMNS": "300"}
    )
    assert done.exit_code == 8
    assert "a.yaml:18: step 3, decide.colour" in done.output
    assert "b.yaml:19: step 4, sing" in done.output
    assert "starting a stack" not in done.output


@pytest.mark.parametrize(
    "text", [STORY, ORG, "", "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n", "- 1\n- {2: x}\n"]
)
def test_what_is_read_is_what_yaml_reads(file: Path, text: str) -> None:
    file.write_text(text)
    read: Any = read_yaml(file)[0]
    assert read == yaml.safe_load(text)


def test_an_alias_to_what_is_around_it_is_no_endless_walk(file: Path) -> None:
    file.write_text("a: &x\n  b: *x\n")
    read, lines = read_yaml(file)
    assert read["a"]["b"] is read["a"]
    assert lines.of(["a", "b", "b"]) == 2
    file.write_text("a: 2026-02-31\n")
    with pytest.raises(BadYaml):
        read_yaml(file)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty: an org file has org, users, agents, channels"),
        ("org: acme\nagents: [a]\n", ":2: agents: a mapping is needed"),
        ("org: acme\nchannels:\n  x: 5\n", ":3: channels.x: a mapping is needed"),
        ("org: acme\nagents:\n  a: {managers: olga}\n", ":3: agents.a.managers: a list is needed"),
    ],
)
def test_an_org_file_of_the_wrong_shape_is_one_line_a_place(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    shown = apply(file)
    assert f"{file}{said}" in shown or f"{file} {said}" in shown
    assert "valid dictionary" not in shown


def test_a_file_that_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    assert apply(missing) == f"{missing}: there is no such file\n"
    for arguments in (
        ["prompts", "propose", str(missing), "--why", "x"],
        ["eval", "triage", "--data", str(missing)],
    ):
        done = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})
        assert done.exit_code == 1
        assert done.output == f"{missing}: there is no such file\n"


def test_a_name_that_stands_twice_is_refused_in_stories_and_prompts_too(file: Path) -> None:
    file.write_text(STORY.replace("title: t\n", "title: t\ntitle: u\n"))
    with pytest.raises(BadStory, match=r"f\.yaml:3: .*'title' stands here a second time"):
        read_story(file)
    file.write_text("key: learning_detect\nsystem: a\nsystem: b\nturn: c\n")
    done = CliRunner().invoke(app, ["prompts", "propose", str(file), "--why", "x"], env={"COLUMNS": "300"})
    assert f"{file}:3: 'system' stands here a second time" in done.output
