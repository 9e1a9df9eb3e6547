"""Dead letters as an operator sees them: each with why it is dead, and whether it was put back already.

What was put back is noted in the same topic, after the letter, as a record of its own without a kind of failure: it is
there for as long as the letters are, and for whoever reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from dw_contracts.dead_letters import Header
from dw_devstack.kafka_login import KafkaLogin
from dw_devstack.topic_reader import open_writer, records_until_end

_ADDED: Final = frozenset(header.value for header in Header)
_ORIGIN: Final = (Header.TOPIC, Header.PARTITION, Header.OFFSET)


@dataclass(frozen=True, slots=True)
class Letter:
    """One of them. Two readers that could not read a record make two letters of one origin."""

    record: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    put_back: str = ""
    """When, or nothing."""

    @property
    def origin(self) -> tuple[str, ...]:
        """Topic, partition and offset of the record that could not be read."""
        return tuple(self.headers.get(name, "?") for name in _ORIGIN)


def letters_of(records: Iterable[Any]) -> list[Letter]:
    """The letters among the records of dead letter topics, with what is noted of them."""
    letters, notes = [], {}
    for record in records:
        letter = Letter(record, {name: value.decode("utf-8", "replace") for name, value in record.headers})
        if Header.RESUMED in letter.headers:
            notes[letter.origin] = letter.headers.get(Header.AT, "")
        else:
            letters.append(letter)
    return [Letter(one.record, one.headers, notes.get(one.origin, "")) for one in letters]


async def read_letters(login: KafkaLogin, topics: Sequence[str]) -> list[Letter]:
    """All that stand in these dead letter topics now."""
    return letters_of([record async for record in records_until_end(login, topics)])


def to_put_back(letters: Iterable[Letter], limit: int, *, again: bool) -> list[Letter]:
    """One a record that could not be read, and none that was put back already unless `again`."""
    chosen = {letter.origin: letter for letter in letters if again or not letter.put_back}
    return list(chosen.values())[:limit]


async def put_back(login: KafkaLogin, letters: Sequence[Letter]) -> None:
    """Into the topics that they come from, bytes, key and headers unchanged; then note it. What could not be put back is
    not noted, and raised."""
    async with open_writer(login) as producer:
        sent = []
        for letter in letters:
            record = letter.record
            headers = [(n, v) for n, v in record.headers if n not in _ADDED] + [(Header.RESUMED.value, b"1")]
            origin = letter.headers[Header.TOPIC]
            sent.append(await producer.send(origin, value=record.value, key=record.key, headers=headers))
        results = await asyncio.gather(*sent, return_exceptions=True)
        at = datetime.now(UTC).isoformat(timespec="seconds")
        done = [
            one for one, result in zip(letters, results, strict=True) if not isinstance(result, BaseException)
        ]
        await asyncio.gather(*[await producer.send(**_note(letter, at)) for letter in done])
    for result in results:
        if isinstance(result, BaseException):
            raise result


def _note(letter: Letter, at: str) -> dict[str, Any]:
    noted = {**dict(zip(_ORIGIN, letter.origin, strict=True)), Header.AT: at, Header.RESUMED: "1"}
    return {
        "topic": letter.record.topic,
        "partition": letter.record.partition,
        "key": letter.record.key,
        "value": b"",
        "headers": [(name.value, value.encode()) for name, value in noted.items()],
    }
