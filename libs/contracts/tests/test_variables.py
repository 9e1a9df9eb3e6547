"""One environment file serves every process; a misspelt name is refused with the name that was meant."""

from __future__ import annotations

import re

import pytest
from pydantic import SecretStr

from dw_contracts.settings import ALL, TOOL_VARIABLES, ServiceSettings, variable_of
from dw_contracts.topics import SERVICES
from dw_contracts.variables import UnknownVariable, example_file, known, refuse_unknown


def test_every_service_has_one_class_and_one_port_of_its_own() -> None:
    assert tuple(cls.service for cls in ALL) == SERVICES
    assert len({cls.default_port for cls in ALL}) == len(ALL)
    for cls in ALL:
        assert cls.model_fields["port"].default == cls.default_port


@pytest.mark.parametrize("cls", ALL)
def test_every_setting_has_a_description_and_a_known_variable(cls: type[ServiceSettings]) -> None:
    for name, field in cls.model_fields.items():
        assert field.description, (cls, name)
        assert variable_of(cls, name, field) in known()


@pytest.mark.parametrize("cls", ALL)
def test_a_service_starts_on_defaults_and_shows_no_secret(
    cls: type[ServiceSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"DW_{cls.service.upper()}_KAFKA_PASSWORD", "let-me-in")

    settings = cls()

    assert settings.kafka_password == SecretStr("let-me-in")
    assert "let-me-in" not in repr(settings)


def test_a_shared_variable_is_read_by_every_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_KAFKA_BOOTSTRAP", "kafka:19092")

    assert {cls().kafka_bootstrap for cls in ALL} == {"kafka:19092"}


def test_a_variable_of_one_service_is_not_read_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_TRIAGE_PORT", "9999")

    assert {cls.service: cls().port for cls in ALL if cls().port == 9999} == {"triage": 9999}


def test_the_environment_of_all_services_is_accepted() -> None:
    refuse_unknown([*known(), "PATH", "HOME", "OTEL_SERVICE_NAME"])


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("DW_KAFKA_BOOTSRAP", "DW_KAFKA_BOOTSTRAP"),
        ("DW_INGEST_DATABASE_URI", "DW_INGEST_DATABASE_URL"),
        ("DW_POLICY_AUTO_SAVE_PER_DAY", "DW_POLICY_AUTO_SAVES_PER_DAY"),
    ],
)
def test_a_misspelt_variable_is_refused_with_the_name_that_was_meant(wrong: str, meant: str) -> None:
    with pytest.raises(UnknownVariable) as refused:
        refuse_unknown(["DW_ENV", wrong])

    assert str(refused.value) == f"{wrong} is not a setting: did you mean {meant}?"


def test_all_wrong_names_are_said_at_once_also_those_that_resemble_nothing() -> None:
    with pytest.raises(UnknownVariable) as refused:
        refuse_unknown(["DW_ZZZZZZ", "DW_KAFKA_BOOTSRAP"])

    assert str(refused.value) == (
        "DW_KAFKA_BOOTSRAP is not a setting: did you mean DW_KAFKA_BOOTSTRAP?; DW_ZZZZZZ is not a setting"
    )


def test_the_example_file_has_every_variable_once_and_no_value_of_a_secret() -> None:
    lines = re.findall(r"^#(DW_[A-Z_]+)=(.*)$", example_file(), flags=re.MULTILINE)
    names = [name for name, _ in lines]
    secrets = {
        variable_of(cls, name, field)
        for cls in ALL
        for name, field in cls.model_fields.items()
        if isinstance(field.default, SecretStr)
    }

    assert sorted(names) == sorted(known())
    assert set(TOOL_VARIABLES) <= set(names)
    assert {value for name, value in lines if name in secrets} == {""}


def test_the_example_file_shows_defaults_as_they_are_written() -> None:
    lines = example_file().splitlines()

    assert "#DW_KAFKA_BOOTSTRAP=127.0.0.1:9092" in lines
    assert "#DW_POLICY_RELAY=true" in lines
    assert "#DW_TRIAGE_THRESHOLD=" in lines
