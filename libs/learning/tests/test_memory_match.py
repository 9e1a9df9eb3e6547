"""The message's own matches (C80): how many of a labelled set are found, and what can never be matched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from dw_learning.history_tokens import index_tokens, query_tokens
from dw_learning.memory_match import MatchIndex, asked_terms, terms_of
from dw_learning.pack import ActiveMemory
from dw_learning.snapshot import AgentFacts, AgentSnapshot
from dw_learning.words.tokens import __name__ as _words_name

LABELLED: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "recall_of_matches.yaml").read_text("utf-8"))
assert _words_name
