"""docker-compose.yml against the contracts: every service, port, variable, topic job and right."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from pydantic import SecretStr

from dw_contracts.settings import ALL, DatabaseSettings, ServiceSettings, variable_of
from dw_contracts.topics import OPERATOR, SERVICES
from dw_contracts.variables import known, refuse_unknown
from dw_devstack.kafka_config import ADMIN, server_properties
from dw_store.roles import SERVICES_WITH_DATABASE, role_of

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docker-compose.yml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
PARTS: dict[str, Any] = COMPOSE["services"]
SETTINGS = {cls.service: cls for cls in ALL}
JOBS = ("migrate", "topics")
# Kafka settings that say where it is, which a container and a laptop say differently.
PLACES = (
    "controller.quorum",
    "listener",
    "log.cleaner",
    "log.dirs",
    "node.id",
    "num.",
    "offsets.topic.num",
    "process.roles",
    "transaction.state.log.num",
)


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "deploy" / "compose" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE_ENV = _module("make_env")


def _own(cls: type[ServiceSettings]) -> dict[str, Any]:
    """The variables of a service with their fields."""
    return {variable_of(cls, name, field): field for name, field in cls.model_fields.items()}


def test_the_parts_are_kafka_postgres_two_jobs_and_every_service() -> None:
    assert set(PARTS) == {"kafka", "postgres", *JOBS, *SERVICES}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_image_has_a_tag_and_none_moves_by_itself(part: str) -> None:
    name, _, tag = PARTS[part]["image"].partition(":")

    assert name
    assert re.fullmatch(r"\d[\w.]*", tag), PARTS[part]["image"]


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_port_is_published_on_loopback_alone(part: str) -> None:
    for port in PARTS[part].get("ports", []):
        assert port.startswith("127.0.0.1:"), port


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_listens_on_its_own_port_and_is_built_as_itself(service: str) -> None:
    part, port = PARTS[service], SETTINGS[service].default_port

    assert part["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert part["environment"][f"DW_{service.upper()}_PORT"] == str(port)
    assert part["environment"][f"DW_{service.upper()}_HOST"] == "0.0.0.0"
    assert part["build"]["args"] == {"SERVICE": service}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_gets_only_variables_that_it_reads(service: str) -> None:
    given = set(PARTS[service]["environment"])

    assert given <= set(_own(SETTINGS[service]))


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_gets_every_secret_that_it_needs_from_the_env_file(service: str) -> None:
    cls = SETTINGS[service]
    secret = {name for name, field in _own(cls).items() if isinstance(field.default, SecretStr)}
    secret -= {"DW_DETECTOR_API_KEY"}  # only where the provider is remote
    environment = PARTS[service]["environment"]

    assert {name: environment.get(name) for name in secret} == {name: f"${{{name}:?}}" for name in secret}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_dw_variable_is_one_that_something_reads(part: str) -> None:
    refuse_unknown(PARTS[part].get("environment", {}))


def test_every_variable_of_the_env_file_is_known_and_each_one_that_compose_demands_is_made() -> None:
    demanded = set(re.findall(r"\$\{(\w+):\?", TEXT))
    optional = set(re.findall(r"\$\{(\w+):-", TEXT))

    assert demanded == set(MAKE_ENV.variables())
    assert {name for name in demanded | optional if name.startswith("DW_")} <= set(known())


def test_no_secret_stands_in_the_file() -> None:
    for part in PARTS.values():
        for name, value in part.get("environment", {}).items():
            if re.search(r"PASSWORD|TOKEN|PEPPER|SEAL_KEYS|API_KEY|_URL$", name) and value:
                assert value.startswith("${"), name
    jaas = PARTS["kafka"]["environment"]["KAFKA_LISTENER_NAME_INTERNAL_PLAIN_SASL_JAAS_CONFIG"]
    assert {value[:2] for value in re.findall(r'"([^"]*)"', jaas)} == {"ad", "${"}


def test_services_start_after_what_they_need() -> None:
    done, healthy = {"condition": "service_completed_successfully"}, {"condition": "service_healthy"}

    assert PARTS["migrate"]["depends_on"] == {"postgres": healthy}
    assert PARTS["topics"]["depends_on"] == {"kafka": healthy}
    for service in SERVICES:
        needs = {"topics": done}
        if issubclass(SETTINGS[service], DatabaseSettings):
            needs["migrate"] = done
        assert PARTS[service]["depends_on"] == needs, service
    for part in ("kafka", "postgres"):
        assert PARTS[part]["healthcheck"]["test"]


def test_the_jobs_are_dw_commands_with_what_these_read() -> None:
    command = ["python", "-m", "dw_cli.main"]
    bootstrap = PARTS["ingest"]["environment"]["DW_KAFKA_BOOTSTRAP"]

    assert PARTS["migrate"]["command"] == [*command, "migrate"]
    assert PARTS["topics"]["command"] == [*command, "topics", "--bootstrap", bootstrap]
    assert set(PARTS["topics"]["environment"]) == {"DW_KAFKA_ADMIN_PASSWORD"}
    urls = {f"DW_{service.upper()}_DATABASE_URL" for service in SERVICES_WITH_DATABASE}
    assert set(PARTS["migrate"]["environment"]) == {"DW_DATABASE_ADMIN_URL", *urls}


def test_kafka_knows_every_user_and_gives_nothing_to_strangers() -> None:
    environment = PARTS["kafka"]["environment"]
    for listener in ("INTERNAL", "HOST", "CONTROLLER"):
        jaas = environment[f"KAFKA_LISTENER_NAME_{listener}_PLAIN_SASL_JAAS_CONFIG"]
        assert set(re.findall(r"user_(\w+)=", jaas)) == {ADMIN, OPERATOR, *SERVICES}
    assert "PLAINTEXT:PLAINTEXT" not in environment["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"]


def test_kafka_is_set_as_the_local_stack_sets_it() -> None:
    lines = server_properties(Path("/data"), 1, 2, {ADMIN: "x"}).splitlines()
    local = dict(line.split("=", 1) for line in lines)
    wanted = {
        "KAFKA_" + name.replace("_", "__").replace(".", "_").upper(): value
        for name, value in local.items()
        if not name.startswith(PLACES)
        and name not in ("advertised.listeners", "inter.broker.listener.name")
        and not name.startswith("controller.listener")
    }
    environment = PARTS["kafka"]["environment"]

    assert {name: environment.get(name) for name in wanted} == wanted


def test_the_env_file_is_private_and_an_existing_one_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / ".env"

    assert MAKE_ENV.write(path) is True
    first = path.read_text()
    assert MAKE_ENV.write(path) is False
    assert path.read_text() == first
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_env_file_names_the_roles_and_services_of_the_contracts() -> None:
    values = MAKE_ENV.variables()

    assert MAKE_ENV.SERVICES == SERVICES
    assert MAKE_ENV.WITH_DATABASE == SERVICES_WITH_DATABASE
    for service in SERVICES_WITH_DATABASE:
        assert values[f"DW_{service.upper()}_DATABASE_URL"].startswith(f"postgresql://{role_of(service)}:")
    hidden = [value for name, value in values.items() if not name.endswith("_URL")]
    assert len(set(hidden)) == len(hidden)


@pytest.mark.parametrize("cls", ALL)
def test_a_service_starts_on_the_environment_that_compose_gives_it(cls: type[ServiceSettings]) -> None:
    values = MAKE_ENV.variables()
    environment = {
        name: re.sub(r"\$\{(\w+):[?-]([^}]*)\}", lambda m: values.get(m[1], m[2]), value)
        for name, value in PARTS[cls.service]["environment"].items()
    }

    settings = cls.model_validate(
        {
            name: environment[variable_of(cls, name, field)]
            for name, field in cls.model_fields.items()
            if environment.get(variable_of(cls, name, field))
        }
    )

    assert settings.port == cls.default_port
    assert len(settings.kafka_password.get_secret_value()) == 64


def test_containers_are_read_only_and_without_rights() -> None:
    for service in SERVICES:
        part = PARTS[service]
        assert part["read_only"] is True
        assert part["cap_drop"] == ["ALL"]
        assert part["security_opt"] == ["no-new-privileges:true"]


def test_the_dockerfile_installs_what_the_lock_names_and_runs_as_nobody_in_particular() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()

    assert "--require-hashes -r requirements.lock" in dockerfile
    assert "\nUSER 10001\n" in dockerfile
    assert "\nARG SERVICE\n" in dockerfile
    assert "HEALTHCHECK" in dockerfile
    assert set(re.findall(r"^FROM (\S+)", dockerfile, flags=re.MULTILINE)) == {"python:3.11-slim"}


def test_every_file_that_the_dockerfile_copies_is_there_and_not_ignored() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]

    for source in re.findall(r"^COPY (?!--from)(\S+) ", dockerfile, flags=re.MULTILINE):
        assert (ROOT / source).exists(), source
        assert source in allowed, source
