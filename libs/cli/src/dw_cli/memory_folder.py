"""A folder of memory files on disk. Nothing outside the folder is read or written, whatever a link or a key says."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from dw_contracts.http.memory_files import ExportedMemory, ImportEntry
from dw_learning.memory_files import LAYERS, MemoryFile, file_name, read_memory_file, write_memory_file

MAX_BYTES: Final = 64 * 1024
MAX_FILES: Final = 10_000


class Unreadable(Exception):
    """What is wrong with the folder: a line for each file and place."""


def write_entries(folder: Path, entries: Sequence[ExportedMemory]) -> list[Path]:
    """The files, in place of what stood there. Raises Unreadable where a folder is a link."""
    written = []
    for layer in LAYERS:
        place = folder / layer
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise Unreadable(f"{place} is no folder of its own: it is not written through")
        place.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        path = folder / file_name(_file_of(entry))
        _replace(path, write_memory_file(_file_of(entry)))
        written.append(path)
    return written


def stale_files(folder: Path, written: Iterable[Path]) -> list[Path]:
    """Memory files that an export did not write; other files are not ours to judge."""
    kept = set(written)
    return [
        path
        for path in find_files(folder)
        if path not in kept and isinstance(_read(path), MemoryFile) and "id" in _told(path)
    ]


def find_files(folder: Path) -> list[Path]:
    """The markdown files of the folder and its layers, by name. A link is refused: it may lead anywhere."""
    if folder.is_symlink() or not folder.is_dir():
        raise Unreadable(f"{folder}: no such folder")
    places = [folder, *(folder / layer for layer in LAYERS)]
    found: list[Path] = []
    for place in places:
        if place.is_symlink():
            raise Unreadable(f"{place}: a link, which is not followed")
        if place.is_dir():
            found += sorted(path for path in place.iterdir() if path.suffix == ".md")
    if links := [path for path in found if path.is_symlink() or not path.is_file()]:
        raise Unreadable("\n".join(f"{path}:1: no plain file, and links are not followed" for path in links))
    if len(found) > MAX_FILES:
        raise Unreadable(f"{folder}: more than {MAX_FILES} files")
    return found


def read_entries(folder: Path, paths: Sequence[Path]) -> list[ImportEntry]:
    """All of them, or every fault with file and line."""
    entries: list[ImportEntry] = []
    faults: list[str] = []
    places: dict[tuple[str, str, str], Path] = {}
    for path in paths:
        found = _read(path)
        if not isinstance(found, MemoryFile):
            faults += [f"{path}:{fault}" for fault in found]
            continue
        place = (found.layer, found.key, str(found.subject or ""))
        if place in places:
            faults.append(f"{path}:1: the same layer and key as {places[place]}")
        places[place] = path
        entries.append(_entry(path.relative_to(folder).as_posix(), found))
    if faults:
        raise Unreadable("\n".join(faults))
    return entries


def _read(path: Path) -> MemoryFile | tuple[str, ...]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return (f"1: {error.strerror}",)
    if len(data) > MAX_BYTES:
        return (f"1: a memory file has at most {MAX_BYTES} bytes",)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return (f"{data[: error.start].count(10) + 1}: no UTF-8",)
    found = read_memory_file(text)
    if isinstance(found, MemoryFile):
        return found
    return tuple(f"{fault.line}: {fault.problem}" for fault in found)


def _told(path: Path) -> frozenset[str]:
    found = _read(path)
    return frozenset(found.told) if isinstance(found, MemoryFile) else frozenset()


def _replace(path: Path, text: str) -> None:
    """Whole or not at all; a link in its place is replaced, not followed."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".memory-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _entry(name: str, file: MemoryFile) -> ImportEntry:
    return ImportEntry.model_validate(
        {
            "file": name,
            "key": file.key,
            "content": file.content,
            "layer": file.layer,
            "memory_type": file.memory_type,
            "category": file.category,
            "subject": file.subject,
            "metadata": dict(file.metadata),
        }
    )


def _file_of(entry: ExportedMemory) -> MemoryFile:
    return MemoryFile(
        key=entry.key,
        content=entry.content,
        layer=entry.layer,
        memory_type=entry.memory_type,
        category=entry.category,
        subject=entry.subject,
        metadata=entry.metadata,
        told={
            "id": str(entry.id),
            "origin": entry.origin,
            "created": entry.created_at.isoformat(),
            "updated": entry.updated_at.isoformat(),
            "source_session": entry.source_session or "",
        },
    )
