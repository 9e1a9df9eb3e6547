"""Which models there are: those on topics, and those of the HTTP routes."""

from __future__ import annotations

from types import ModuleType

from dw_contracts.http import (
    access,
    agent_memory,
    context,
    explain,
    identities,
    ingest,
    learning,
    memory_files,
    org_file,
    panel,
    preview,
    problem,
    skills,
    souls,
)
from dw_contracts.model import Contract, Message
from dw_contracts.topics import TOPICS

HTTP_MODULES: tuple[ModuleType, ...] = (
    access,
    agent_memory,
    context,
    explain,
    identities,
    ingest,
    learning,
    memory_files,
    org_file,
    panel,
    preview,
    problem,
    skills,
    souls,
)


def messages() -> dict[str, type[Message]]:
    """Models of the topics by the name of their type, in order of the topics."""
    return {topic.model.ce_type: topic.model for topic in TOPICS}


def http_models() -> dict[str, type[Contract]]:
    """Models of the routes by module and class, such as `ingest.InboundEvent`. Private bases are left out."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": model
        for module in HTTP_MODULES
        for name, model in vars(module).items()
        if isinstance(model, type)
        and issubclass(model, Contract)
        and model.__module__ == module.__name__
        and not name.startswith("_")
    }
