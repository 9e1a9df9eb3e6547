"""A story that does not fit is refused with file, step and field; what STORIES.md lists is read."""

from __future__ import annotations

from typing import Any

import pytest

from dw_cli.play.look_steps import Pack
from dw_cli.play.parse import BadStory, parse_story
from dw_cli.play.steps import STEP_TYPES, Admin, Decide, Say, Wait

SETUP: dict[str, Any] = {
    "orgs": {
        "acme": {
            "agents": {"it_agent": None},
            "users": {"ingrid": {"role": "admin"}, "farid": None},
            "managers": {"it_agent": ["farid"]},
            "identities": {"minh": {"platform": "slack", "external_id": 1001, "status": "none"}},
            "channels": {"helpdesk": {"platform": "slack", "agents": ["it_agent"], "learning": False}},
        }
    }
}


def story(*steps: Any, **head: Any) -> dict[str, Any]:
    return {"id": "1", "title": "t", "setup": SETUP, "steps": list(steps)} | head


def step(raw: Any) -> Any:
    (only,) = parse_story("s.yaml", story(raw)).steps
    return only.step


def faults(*steps: Any, **head: Any) -> list[str]:
    with pytest.raises(BadStory) as bad:
        parse_story("s.yaml", story(*steps, **head))
    return [str(fault) for fault in bad.value.faults]


ONE_OF_EACH: dict[str, Any] = {
    "say": {"channel": "helpdesk", "sender": "minh", "text": "x", "times": 3, "at_once": True, "quoted": {"from": "ann", "text": "q"}},
    "correct": {"channel": "helpdesk", "sender": "minh", "wrong": "a", "right": "b"},
    "tool_run": {"agent": "it_agent", "channel": "helpdesk", "sender": "minh", "tool": "t", "output": "o"},
    "put_memory": {"agent": "it_agent", "token_of": "it_agent", "expect": "stored|proposed", "text": "x"},
    "decide": {"who": ["ingrid", "farid"], "agent": "it_agent", "action": "approve", "matching": "x", "expect": "one"},
    "feedback": {"who": "farid", "agent": "it_agent", "matching": "x", "action": "confirm"},
    "admin": {"who": "ingrid", "do": "mode", "agent": "it_agent", "auto": False},
    "pack": {"agent": "it_agent", "channel": "helpdesk", "count": {"of": "x", "is": 0}, "max": {"chars": 3000}},
    "search": {"agent": "it_agent", "query": "q", "as": "minh"},
    "inbox": {"agent": "it_agent", "as": "farid", "take": {"a": "x"}, "evidence": {"of": "x", "min": 2}, "count": 0},
    "audit": {"agent": "it_agent", "has": "approved", "lacks_text": ["x"]},
    "restart": {"service": "policy"},
    "redeliver": {"what": ["a"]},
    "wait": "settled",
}  # fmt: skip


@pytest.mark.parametrize("kind", list(STEP_TYPES))
def test_every_step_type_of_the_table_is_read(kind: str) -> None:
    assert isinstance(step({kind: ONE_OF_EACH[kind], "why": "R1"}), STEP_TYPES[kind])


def test_short_forms_and_words_that_yaml_reads_in_its_own_way() -> None:
    read = parse_story("s.yaml", story({"wait": 3}, {"restart": "all"}, {"redeliver": "all"}))
    wait, restart, redeliver = (each.step for each in read.steps)
    assert isinstance(wait, Wait)
    assert wait.until == 3.0
    assert (restart.service, redeliver.what) == ("all", ("all",))  # type: ignore[attr-defined]
    channel = read.setup.orgs["acme"].channels["helpdesk"]
    assert channel.learning == "off"
    assert read.setup.orgs["acme"].identities["minh"].external_id == "1001"


def test_fields_of_an_admin_step_depend_on_what_is_done() -> None:
    read = step(
        {"admin": {"who": "ingrid", "do": "supersede", "agent": "it_agent", "matching": "x", "text": "y"}}
    )
    assert isinstance(read, Admin)
    assert read.fields == {"agent": "it_agent", "matching": "x", "text": "y"}
    assert faults({"admin": {"who": "ingrid", "do": "supersede", "agent": "it_agent", "matching": "x"}}) == [
        "s.yaml: step 1, admin.text: is missing"
    ]
    assert faults({"admin": {"who": "ingrid", "do": "pause_soul", "agent": "it_agent", "soul": "x"}}) == [
        "s.yaml: step 1, admin.soul: no field here; known are agent"
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"say": {"channel": "helpdesk", "sender": "minh", "txt": "x", "text": "y"}}, "say.txt: Extra inputs are not permitted"),
        ({"say": {"channel": "helpdesk", "sender": "minh"}}, "say.text: is missing (only delete_of needs none)"),
        ({"say": {"channel": "nowhere", "sender": "minh", "text": "x"}}, "say.channel: no channel 'nowhere' in the setup"),
        ({"pack": {"agent": "hr", "channel": "helpdesk"}}, "pack.agent: no agent 'hr' in the setup"),
        ({"decide": {"who": "farid", "agent": "it_agent", "action": "approve"}}, "decide.matching: either matching or item says which one"),
        ({"put_memory": {"agent": "it_agent", "token_of": "it_agent"}}, "put_memory.expect: Field required"),
        ({"inbox": {"agent": "it_agent", "contains": ["(unclosed"]}}, "inbox.contains: no regular expression: missing ), unterminated subpattern at position 0"),
        ({"say": {"channel": "helpdesk", "sender": "minh", "text": "${secret.pin:x}"}}, "say.text: no secret of kind 'pin'; known are password, aws, github, api_key, private_key"),
    ],
)  # fmt: skip
def test_a_fault_names_file_step_and_field(raw: Any, expected: str) -> None:
    assert faults({"wait": "settled"}, raw) == [f"s.yaml: step 2, {expected}"]


def test_an_unknown_step_type_and_an_unknown_expectation_are_faults() -> None:
    (unknown,) = faults({"sing": {"who": "farid"}})
    assert unknown.startswith("s.yaml: step 1, sing: one type is needed, of say, correct")
    wrong = {
        "decide": {
            "who": "farid",
            "agent": "it_agent",
            "action": "approve",
            "item": "a",
            "expect": "refused:gone",
        }
    }
    (odd,) = faults(wrong)
    assert odd.startswith("s.yaml: step 1, decide.expect: 'refused:gone' is no expectation")


def test_faults_of_the_setup_and_all_steps_come_at_once() -> None:
    broken = {"orgs": {"acme": SETUP["orgs"]["acme"] | {"managers": {"it_agent": ["nobody"]}}}}
    found = faults({"wait": "soon"}, {"restart": "moon"}, setup=broken)
    assert found[0] == "s.yaml: head, setup.orgs.acme.managers.it_agent: no user 'nobody'"
    assert {fault.split(",")[0] for fault in found} == {"s.yaml: head", "s.yaml: step 1", "s.yaml: step 2"}


def test_with_several_orgs_a_name_says_its_org() -> None:
    two = {"orgs": {"acme": SETUP["orgs"]["acme"], "globex": SETUP["orgs"]["acme"]}}
    said = {"say": {"channel": "acme/helpdesk", "sender": "globex/minh", "text": "x"}}
    assert isinstance(parse_story("s.yaml", story(said, setup=two)).steps[0].step, Say)
    (fault,) = faults({"pack": {"agent": "it_agent", "channel": "acme/helpdesk"}}, setup=two)
    assert fault == "s.yaml: step 1, pack.agent: 'it_agent': with several orgs a name is ORG/NAME"


def test_needs_tags_and_why_stand_beside_a_step() -> None:
    raw = {
        "pack": {"agent": "it_agent", "channel": "helpdesk"},
        "needs": ["history"],
        "tags": ["llm"],
        "why": "R3",
    }
    (only,) = parse_story("s.yaml", story(raw)).steps
    assert isinstance(only.step, Pack)
    assert (only.needs, only.tags, only.why) == (("history",), ("llm",), "R3")
    (fault,) = faults({"wait": "settled", "needs": ["magic"]})
    assert fault.startswith("s.yaml: step 1, wait.needs.0: ")


def test_a_single_person_is_a_list_of_one() -> None:
    read = step({"decide": {"who": "farid", "agent": "it_agent", "action": "reject", "item": "a"}})
    assert isinstance(read, Decide)
    assert read.who == ("farid",)
