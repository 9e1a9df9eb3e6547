"""Keys of a provider from a file that may be replaced while calls are made (G28)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dw_detector.adapters.http import Keys
from dw_runtime.logs import log

KEY: Final = re.compile(r"[!-~]{1,1000}")
Stamp = tuple[int, int, int]


@dataclass(slots=True)
class KeyFile:
    """Looked at before each call, read when it is another file or was written anew. One that is gone, empty or no text
    of keys changes nothing: calls go on with the keys that it held before. ValueError if it holds none at the start."""

    path: Path
    header: str
    prefix: str = ""
    _keys: Keys = field(init=False)
    _stamp: Stamp | None = None

    def __post_init__(self) -> None:
        self._keys = Keys(self.header, ())
        self.headers()
        if not self._keys.values:
            raise ValueError(f"DW_DETECTOR_API_KEY_FILE: {self.path} holds no key")

    def headers(self) -> list[dict[str, str]]:
        """One set a key, in order."""
        stamp = self._look()
        if stamp is not None and stamp != self._stamp:
            self._stamp = stamp
            self._read()
        return self._keys.headers()

    def _look(self) -> Stamp | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _read(self) -> None:
        try:
            keys = self.path.read_text("ascii").replace("\n", ",")
        except (OSError, ValueError):
            keys = ""
        found = Keys.parse(keys, self.header, self.prefix)
        bare = [value.removeprefix(self.prefix) for value in found.values]
        if not bare or not all(KEY.fullmatch(key) for key in bare):
            log.warning("keys.unreadable", path=str(self.path))
            return
        if self._keys.values:
            log.info("keys.replaced", keys=len(bare))
        self._keys = found
