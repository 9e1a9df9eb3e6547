"""The settings of all services, known in one place: one environment file serves every process.

Shared ones are `DW_<NAME>`, those of one process `DW_<SERVICE>_<NAME>`. A DW_ variable that stands in no class here
is refused at start with the name that was probably meant (dw_contracts.variables).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, AliasChoices, Field, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict


def _shared(name: str) -> AliasChoices:
    return AliasChoices(f"DW_{name.upper()}", name)


def _plain_address(url: str) -> str:
    """Paths are put behind it, and keys go with each call: a query would swallow the one, a name and password replace
    the other."""
    if not url:
        return url
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or parts.query or parts.fragment or "@" in parts.netloc or url.rstrip().endswith(("?", "#")):
        raise PydanticCustomError(
            "address", "is no http or https address without query, fragment, name and password"
        )
    return url


class ServiceSettings(BaseSettings):
    """What every process has. Frozen; read once at start."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, env_ignore_empty=True, allow_inf_nan=False
    )
    service: ClassVar[str] = ""
    default_port: ClassVar[int] = 0

    env: Literal["development", "production"] = Field(
        default="production",
        validation_alias=_shared("env"),
        description="development allows what only a laptop may",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", validation_alias=_shared("log_level"), description="level of our logs"
    )
    log_format: Literal["json", "console"] = Field(
        default="json", validation_alias=_shared("log_format"), description="console is for reading along"
    )
    kafka_bootstrap: str = Field(
        default="127.0.0.1:9092",
        validation_alias=_shared("kafka_bootstrap"),
        description="host:port, comma separated",
    )
    kafka_security: Literal["SASL_PLAINTEXT", "SASL_SSL", "PLAINTEXT"] = Field(
        default="SASL_PLAINTEXT",
        validation_alias=_shared("kafka_security"),
        description="SASL_SSL off a laptop",
    )
    otlp_endpoint: str = Field(
        default="",
        validation_alias=_shared("otlp_endpoint"),
        description="OTLP over HTTP; empty: no collector",
    )
    trace_dir: str = Field(
        default="",
        validation_alias=_shared("trace_dir"),
        description="without a collector, spans go to files here",
    )
    trace_sample: float = Field(
        default=0.1,
        ge=0.0,
        le=1.0,
        validation_alias=_shared("trace_sample"),
        description="share of requests that start a trace; a sampled traceparent is always followed",
    )
    host: str = Field(default="127.0.0.1", description="address of the HTTP server (health at least)")
    port: int = Field(default=0, ge=0, le=65535, description="its port")
    replica: str = Field(
        default="0", pattern=r"^[a-z0-9-]{1,40}$", description="name of this replica; keeps its partitions"
    )
    kafka_user: str = Field(default="", description="user name at Kafka; else the service's name")
    kafka_password: SecretStr = Field(default=SecretStr(""), description="password at Kafka")


class DatabaseSettings(ServiceSettings):
    """What a process with a database has."""

    database_url: SecretStr = Field(
        default=SecretStr(""), description="postgresql://… of the service's own role"
    )
    pool_size: int = Field(default=8, ge=1, le=100, description="connections at most")


class ConsumerSettings(ServiceSettings):
    """What a consuming process has."""

    batch_records: int = Field(default=500, ge=1, le=5_000, description="records a batch at most")
    batch_wait_ms: int = Field(default=20, ge=1, le=5_000, description="how long a batch waits to fill")
    attempts: int = Field(
        default=3, ge=1, le=20, description="tries of a record that hits a bug, before its dead letter"
    )
    dead_letter_run: int = Field(
        default=100, ge=1, description="bugs or unknown versions in a row that stop the consumer (C76)"
    )
    dead_letter_ratio: float = Field(
        default=0.5, gt=0.0, le=1.0, description="their share of the last 1,000 records that stops it (C76)"
    )
    stall_seconds: float = Field(
        default=60.0, gt=0.0, description="not live when lag stands still for so long"
    )


class SealSettings(ServiceSettings):
    """Who seals or verifies seals (C45)."""

    seal_keys: SecretStr = Field(
        default=SecretStr(""),
        validation_alias=_shared("seal_keys"),
        description="id:hex, comma separated; the first one seals, all verify (retired ones for 45 days)",
    )


class PepperSettings(ServiceSettings):
    """Who checks keys and tokens, or compares by HMAC (C53)."""

    pepper: SecretStr = Field(
        default=SecretStr(""),
        validation_alias=_shared("pepper"),
        description="key outside the database for HMACs of keys, tokens and texts; 32 bytes in hex",
    )


class IngestSettings(SealSettings, DatabaseSettings, PepperSettings):
    """ingest"""

    model_config = SettingsConfigDict(env_prefix="DW_INGEST_")
    service: ClassVar[str] = "ingest"
    default_port: ClassVar[int] = 8101
    port: int = Field(default=8101, ge=0, le=65535, description="its port")
    rate_per_key: int = Field(default=2_000, ge=1, description="events a second and key; beyond it 429")
    rate_per_org: int = Field(default=5_000, ge=1, description="events a second and org; beyond it 429")
    cache_seconds: float = Field(
        default=5.0, gt=0.0, le=60.0, description="how long keys and bindings are believed"
    )
    publish_timeout_seconds: float = Field(
        default=10.0, gt=0.0, description="without an acknowledgement by then: 503"
    )


class TriageSettings(ConsumerSettings):
    """triage"""

    model_config = SettingsConfigDict(env_prefix="DW_TRIAGE_")
    service: ClassVar[str] = "triage"
    default_port: ClassVar[int] = 8102
    port: int = Field(default=8102, ge=0, le=65535, description="its port")
    batch_records: int = Field(
        default=1_000,
        ge=1,
        le=5_000,
        description="records a batch at most; large, since a record costs microseconds",
    )
    threshold: float | None = Field(
        default=None, ge=0.0, le=1.0, description="operating point; else the model's own"
    )


class DetectorSettings(ConsumerSettings, DatabaseSettings):
    """detector"""

    model_config = SettingsConfigDict(env_prefix="DW_DETECTOR_")
    service: ClassVar[str] = "detector"
    default_port: ClassVar[int] = 8103
    port: int = Field(default=8103, ge=0, le=65535, description="its port")
    batch_records: int = Field(
        default=100, ge=1, le=400, description="records a batch at most; 500 of a partition are under way"
    )
    provider: Literal["offline", "openai", "anthropic"] = Field(
        default="offline", description="offline needs no key; openai is any compatible endpoint"
    )
    base_url: Annotated[str, AfterValidator(_plain_address)] = Field(
        default="", description="of the provider's API, with its /v1; no query, no name and password"
    )
    api_key: SecretStr = Field(
        default=SecretStr(""), description="its key; two, comma separated, while one replaces the other"
    )
    api_key_file: str = Field(
        default="",
        description="a file with it instead, read anew whenever it changes; two keys, a line or comma apart, as above",
    )
    model: str = Field(default="", description="its model")
    fallback_models: str = Field(default="", description="asked in order where that is away; comma separated")
    long_models: str = Field(default="", description="asked where a message is too long for those")
    policy_models: str = Field(default="", description="asked where those refuse by their content policy")
    prices: str = Field(
        default="",
        description="model=input/output/cached in US dollars a million tokens, comma separated; no price, no call",
    )
    price_version: str = Field(
        default="1", max_length=64, description="version of the prices, in each ledger row"
    )
    regions: str = Field(
        default="",
        description="model=region, comma separated: where each works; orgs may allow some regions alone",
    )
    daily_budget_cents: int = Field(
        default=500, ge=0, description="an org and UTC day, where the org has set none of its own"
    )
    monthly_budget_cents: int = Field(default=5_000, ge=0, description="an org and UTC month, likewise")
    when_down: Literal["wait", "offline"] = Field(
        default="wait",
        description="offline: the local extractor stands in, and nothing of it is saved without a person",
    )
    cache_seconds: float = Field(
        default=86_400.0,
        ge=0.0,
        le=2_592_000.0,
        description="how long an equal question of the org is not asked again",
    )
    breaker_failures: int = Field(default=5, ge=1, le=100, description="in a row that open a model's breaker")
    breaker_seconds: float = Field(default=30.0, gt=0.0, le=600.0, description="until one call may probe it")
    concurrency: int = Field(default=64, ge=1, le=1_000, description="calls in flight at most")
    timeout_seconds: float = Field(
        default=15.0, gt=0.0, le=120.0, description="of one detection; a draft has four times as long"
    )
    genai_semconv: str = Field(
        default="",
        validation_alias=AliasChoices("DW_DETECTOR_GENAI_SEMCONV", "OTEL_SEMCONV_STABILITY_OPT_IN"),
        description="gen_ai_latest_experimental adds the second generation's metrics",
    )


class PolicySettings(ConsumerSettings, SealSettings, DatabaseSettings, PepperSettings):
    """policy"""

    model_config = SettingsConfigDict(env_prefix="DW_POLICY_")
    service: ClassVar[str] = "policy"
    default_port: ClassVar[int] = 8104
    port: int = Field(default=8104, ge=0, le=65535, description="its port")
    auto_saves_per_day: int = Field(default=200, ge=0, description="an agent and day; 0 is no cap (C97)")
    unverified_saves_per_day: int = Field(
        default=50, ge=0, description="of these from unverified senders; 0 is no cap"
    )
    open_items: int = Field(default=100, ge=0, description="an agent; 0 is no cap")
    open_items_per_unverified: int = Field(default=5, ge=0, description="an unverified sender; 0 is no cap")
    repeated_corrections: int = Field(
        default=3, ge=2, le=20, description="corrections on one topic that ask for a skill (C66)"
    )
    repeated_days: int = Field(default=30, ge=1, le=365, description="within so many days")
    relay: bool = Field(
        default=True, description="host the outbox relay; one is active, others stand by (C70)"
    )
    schedule: bool = Field(
        default=True, description="seal the audit log, age memories out, prune; one replica at a time (C75)"
    )
    retention_seconds: float = Field(
        default=60.0, gt=0.0, le=86_400.0, description="how often retention policies are applied"
    )
    prune_seconds: float = Field(
        default=600.0, gt=0.0, le=86_400.0, description="how often rows that nobody needs are deleted"
    )
    keep_handled_days: int = Field(
        default=45, ge=38, le=3_650, description="marks of handled messages; longer than any replay reaches"
    )
    keep_packs_days: int = Field(default=30, ge=1, le=3_650, description="records of context packs")
    keep_ledger_days: int = Field(
        default=400,
        ge=62,
        le=3_650,
        description="the ledger of calls to models; budgets need two months of it",
    )


class ContextSettings(ConsumerSettings, SealSettings, DatabaseSettings, PepperSettings):
    """context"""

    model_config = SettingsConfigDict(env_prefix="DW_CONTEXT_")
    service: ClassVar[str] = "context"
    default_port: ClassVar[int] = 8105
    port: int = Field(default=8105, ge=0, le=65535, description="its port")
    query_timeout_seconds: float = Field(
        default=2.0, gt=0.0, le=30.0, description="then a typed failure, never a hang"
    )
    trace_sample: float = Field(
        default=0.01,
        ge=0.0,
        le=1.0,
        validation_alias=_shared("trace_sample"),
        description="share of requests that start a trace: lower here, as every reply asks for a pack",
    )
    cached_agents: int = Field(
        default=5_000,
        ge=0,
        description="role-agents kept in memory for packs; 0 reads each pack from PostgreSQL, without matches",
    )
    cached_memories: int = Field(
        default=200_000, ge=1_000, description="memories and skills kept in memory, over all role-agents"
    )


class PanelSettings(DatabaseSettings, PepperSettings):
    """panel-api"""

    model_config = SettingsConfigDict(env_prefix="DW_PANEL_")
    service: ClassVar[str] = "panel"
    default_port: ClassVar[int] = 8106
    port: int = Field(default=8106, ge=0, le=65535, description="its port")
    installation_token: SecretStr = Field(
        default=SecretStr(""),
        description="may create orgs and print their owners' tokens, nothing else (C74)",
    )
    session_hours: int = Field(default=12, ge=1, le=720, description="how long a signed-in browser stays so")


class ChannelsSettings(ConsumerSettings, DatabaseSettings):
    """channels"""

    model_config = SettingsConfigDict(env_prefix="DW_CHANNELS_")
    service: ClassVar[str] = "channels"
    default_port: ClassVar[int] = 8107
    port: int = Field(default=8107, ge=0, le=65535, description="its port")


ALL: tuple[type[ServiceSettings], ...] = (
    IngestSettings,
    TriageSettings,
    DetectorSettings,
    PolicySettings,
    ContextSettings,
    PanelSettings,
    ChannelsSettings,
)

# Read by `dw` and the tests rather than by a service.
TOOL_VARIABLES: dict[str, str] = {
    "DW_HOME": "folder of the local stack's state; else .dw in the project",
    "DW_CACHE": "folder of downloaded jars; else the user's cache",
    "DW_SHARED_DATA": "folder of labelled data sets for evaluation",
    "DW_DATABASE_ADMIN_URL": "who may create roles and migrate (dw migrate)",
    "DW_KAFKA_ADMIN_PASSWORD": "of Kafka's admin, who may create topics and rights (dw topics --bootstrap)",
    "DW_INSTALLATION_TOKEN": "for dw apply away from a local stack",
    "DW_TOKEN": "an owner's token (dw apply)",
    "DW_GATEWAY_KEY": "key of a gateway (dw publish)",
    "DW_PANEL_URL": "panel-api, for dw apply away from a local stack",
    "DW_INGEST_URL": "ingest, for dw publish away from a local stack",
    "DW_CONTEXT_URL": "context, for dw mcp away from a local stack",
    "DW_RUNTIME_KEY": "key of a runtime (dw mcp)",
}


def variable_of(cls: type[ServiceSettings], name: str, field: FieldInfo) -> str:
    """The environment variable of a field."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return str(alias.choices[0])
    return f"{cls.model_config.get('env_prefix', '')}{name.upper()}"
