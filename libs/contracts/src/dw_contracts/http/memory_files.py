"""A role-agent's memory as files, out and in (R188 to R191, S3). Paths begin with /v1/orgs/{org}/agents/{agent}."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, ConfigDict, Field

from dw_contracts.model import Contract

MAX_IMPORT = 200
MAX_FILE_MEMORY = 600
FileType = Literal["fact", "preference", "rule", "decision", "correction", "contact", "glossary"]
FileLayer = Literal["operating", "knowledge"]


class ExportedMemory(Contract):
    """One active entry as a file holds it."""

    id: UUID = Field(description="the memory")
    key: str = Field(description="topic key")
    layer: FileLayer = Field(description="where it stands in the pack")
    memory_type: FileType = Field(description="fact, preference, ...")
    category: str = Field(description="the org's own word")
    status: Literal["active"] = Field(description="what is over is not exported")
    content: str = Field(description="the text")
    subject: UUID | None = Field(default=None, description="account whom a preference is about")
    origin: str = Field(description="auto_saved, approved, manual, promoted or imported")
    source_session: str | None = Field(default=None, description="the run that wrote it, if one did")
    metadata: dict[str, Any] = Field(default={}, description="free JSON")
    created_at: AwareDatetime = Field(description="when it was learned")
    updated_at: AwareDatetime = Field(description="when it changed last")


class MemoryExport(Contract):
    """One page, by layer and key. The first page of an export is on record."""

    entries: tuple[ExportedMemory, ...] = Field(description="at most 200")
    hidden: int = Field(description="sensitive ones that only admins and owners read; they are not here")
    next: UUID | None = Field(default=None, description="send it as `after` for the next page")


class ImportEntry(Contract):
    """One file that a person wants to be what the agent knows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str = Field(min_length=1, max_length=256, description="its name, for the answer")
    key: str = Field(min_length=1, max_length=110, description="topic key: what it replaces has the same")
    content: str = Field(min_length=1, max_length=MAX_FILE_MEMORY, description="text that stands alone")
    layer: FileLayer = Field(default="knowledge", description="where it stands in the pack")
    memory_type: FileType = Field(default="fact", description="what it is")
    category: Annotated[str, Field(min_length=1, max_length=100)] = Field(
        default="fact", description="the org's own word"
    )
    subject: UUID | None = Field(
        default=None, description="account whom it is about; such files teach nothing"
    )
    metadata: dict[str, Any] = Field(default={}, max_length=20, description="free JSON, at most 4 KiB")


class ImportMemories(Contract):
    """POST .../memory-import: admins and owners. One batch, one item of the inbox (C82)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entries: tuple[ImportEntry, ...] = Field(min_length=1, max_length=MAX_IMPORT, description="at most 200")


class ImportedEntry(Contract):
    """What became of one file."""

    file: str = Field(description="its name")
    status: Literal["proposed", "known", "rejected"] = Field(
        description="proposed: in the batch; known: the agent says so already, or it waits already"
    )
    reason: str = Field(default="", description="why, as a code")
    explanation: str = Field(default="", description="the same in words")


class ImportedMemories(Contract):
    """In the order of the request."""

    results: tuple[ImportedEntry, ...] = Field(description="one a file")
    item_id: UUID | None = Field(default=None, description="the item that waits; null where nothing is new")
    version: int = Field(description="at_least_version for the next pack")
