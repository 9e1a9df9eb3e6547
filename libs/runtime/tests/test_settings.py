"""Settings: read from what is given alone, refused in words that help."""

from __future__ import annotations

import pytest

from dw_contracts.settings import TriageSettings
from dw_runtime import BadSettings, load_settings


def test_values_come_from_the_given_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_TRIAGE_PORT", "1")
    settings = load_settings(TriageSettings, {"DW_LOG_LEVEL": "debug", "DW_TRIAGE_BATCH_RECORDS": ""})
    assert (settings.port, settings.log_level, settings.batch_records) == (8102, "debug", 1_000)


def test_a_misspelt_name_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(BadSettings, match="DW_TRAIGE_PORT is not a setting: did you mean DW_TRIAGE_PORT"):
        load_settings(TriageSettings, {"DW_TRAIGE_PORT": "1"})


def test_a_wrong_value_is_refused_by_its_variable_and_without_the_value() -> None:
    with pytest.raises(BadSettings) as refused:
        load_settings(TriageSettings, {"DW_TRIAGE_PORT": "hunter2", "DW_TRACE_SAMPLE": "7"})
    assert "DW_TRIAGE_PORT: " in str(refused.value)
    assert "DW_TRACE_SAMPLE: " in str(refused.value)
    assert "hunter2" not in str(refused.value)
