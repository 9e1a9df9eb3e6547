"""A stand-in for the detector's model, on loopback: it answers what a step says, and for all other messages what the
offline extractor would. An OpenAI-compatible endpoint, so that the product's own way to a model is played."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from dw_cli.play.steps import ModelAnswer
from dw_contracts.events.detections import MAX_ITEMS
from dw_learning.extract import extract
from dw_learning.extract.keys import topic_key

MODEL: Final = "stand-in"
_MESSAGE: Final = re.compile(r"<message>\n(.*)\n</message>", re.DOTALL)
_SAID: Final = re.compile(r"<said>\n(.*?)\n</said>", re.DOTALL)
_ANSWERED: Final = re.compile(r'<answered by="(\w+)">\n(.*)\n</answered>', re.DOTALL)
_TYPES: Final = {"memory_preference": "preference", "correction": "correction", "skill_procedure": "rule"}


@dataclass(slots=True)
class StandIn:
    """What it was told to answer, by message. Safe to use from several threads."""

    url: str = ""
    _told: dict[str, ModelAnswer] = field(default_factory=dict)
    _extracting: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, text: str, answer: ModelAnswer) -> None:
        """From now on this message has this answer."""
        self._told[_as_shown(text)] = answer

    def items(self, prompt: str) -> list[dict[str, Any]]:
        """The answer to one prompt of the detector."""
        found = _MESSAGE.search(prompt)
        text = found.group(1) if found else prompt
        told = self._told.get(_as_shown(text))
        if told is not None:
            return [] if told.kind in ("none", "skip") else [_item(text, told)]
        answered = _ANSWERED.search(prompt)
        author, reply = answered.groups() if answered else (None, None)
        with self._extracting:
            return [_extracted(item) for item in extract(text, reply, author, None)[:MAX_ITEMS]]

    @staticmethod
    def draft(prompt: str) -> str:
        """A skill body of what was said, in the strict format."""
        steps = [" ".join(said.split()) for said in _SAID.findall(prompt)]
        procedure = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
        return (
            f"# Drafted procedure\n\n## When To Use\nFor what people told.\n\n## Procedure\n{procedure}\n\n"
            "## Do Not Do\n- Do not leave out a step.\n\n## Verification\nEvery step is done.\n"
        )

    @property
    def settings(self) -> dict[str, str]:
        """What makes the detector ask it."""
        return {
            "DW_DETECTOR_PROVIDER": "openai",
            "DW_DETECTOR_BASE_URL": self.url,
            "DW_DETECTOR_MODEL": MODEL,
            "DW_DETECTOR_API_KEY": MODEL,
            "DW_DETECTOR_PRICES": f"{MODEL}=0/0",
        }

    @classmethod
    @contextmanager
    def serving(cls) -> Iterator[StandIn]:
        """Listening inside. The extractor reads its models first: a dozen first questions at once, each of which read
        them, would all be answered too late."""
        model = cls()
        model.items("Hello.")
        server = _Server(("127.0.0.1", 0), _handler(model))
        model.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, name="stand-in", daemon=True)
        thread.start()
        try:
            yield model
        finally:
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # the detector asks many things at once

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who asked and has gone, as a killed detector has, waits for no answer."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _handler(model: StandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:  # the base class finds it by this name
            asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            prompt = next(m["content"] for m in asked["messages"] if m["role"] == "user")
            form = asked.get("response_format", {}).get("json_schema", {}).get("name", "")
            is_draft = form == "skill_draft"
            content = json.dumps(
                {"body_md": model.draft(prompt)} if is_draft else {"items": model.items(prompt)}
            )
            choice = {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": content},
            }
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body = json.dumps({"id": MODEL, "model": MODEL, "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Nothing: messages are nobody's business."""

    return Handler


def _as_shown(text: str) -> str:
    """The prompt breaks delimiters inside a message; nothing else may tell two messages apart."""
    return text.replace("<", "‹").strip()


def _item(text: str, told: ModelAnswer) -> dict[str, Any]:
    return {
        "kind": told.kind,
        "text": text,
        "span": [0, len(text)],
        "key": topic_key(text),
        "subject": None,
        "risk_hint": told.risk,
        "confidence": told.confidence,
        "memory_type": _TYPES.get(told.kind, "fact"),
        "category": _TYPES.get(told.kind, "fact"),
        "layer": "knowledge",
    }


def _extracted(item: Any) -> dict[str, Any]:
    fields = (
        "kind",
        "text",
        "span",
        "key",
        "subject",
        "risk_hint",
        "confidence",
        "memory_type",
        "category",
        "layer",
    )
    return {name: getattr(item, name) for name in fields}
