"""A provider over HTTP that answers what a test says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson

Reply = tuple[int, Any]
"""A status, and a body: JSON, or bytes as they are."""


@dataclass
class ModelServer:
    """`says` is given each request's body; what was asked is kept."""

    says: Callable[[dict[str, Any]], Reply]
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    @contextmanager
    def serving(self) -> Iterator[ModelServer]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{server.server_address[1]}/v1/"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:  # the base class finds it by this name
            body = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(body)
            status, told = server.says(body)
            sent = told if isinstance(told, bytes) else orjson.dumps(told)
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere") if 300 <= status < 400 else None
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    return Handler
