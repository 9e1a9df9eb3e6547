"""What the routes of /v1 call, and what their parameters share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Query

from dw_panel.agent_acts import AgentActs
from dw_panel.bulk import Bulk
from dw_panel.item_acts import ItemActs
from dw_panel.lists import Lists
from dw_panel.memory_acts import MemoryActs
from dw_panel.rules import Rules
from dw_panel.undo import Undo

MAX_BULK_BYTES: Final = 256 * 1024
Text = Annotated[str, Query(max_length=200, description="words that the text holds")]


@dataclass(frozen=True, slots=True)
class LearningUses:
    """What these routes call beside the panel's first ones."""

    lists: Lists
    items: ItemActs
    bulk: Bulk
    undo: Undo
    memories: MemoryActs
    agents: AgentActs
    rules: Rules
