"""What a user of ours imports: publish events, build context, work with an agent's memory and skills, decide items."""

from dw_client.agent import AgentClient
from dw_client.agent_skills import AgentSkillsClient
from dw_client.blocking import (
    BlockingAgentClient,
    BlockingAgentSkillsClient,
    BlockingGatewayClient,
    BlockingRuntimeClient,
)
from dw_client.gateway import GatewayClient
from dw_client.panel import PanelClient
from dw_client.problems import Refused, Unavailable
from dw_client.runtime import RuntimeClient
from dw_client.tracing import new_traceparent
from dw_contracts.tools import search_agent_history_tool

__all__ = [
    "AgentClient",
    "AgentSkillsClient",
    "BlockingAgentClient",
    "BlockingAgentSkillsClient",
    "BlockingGatewayClient",
    "BlockingRuntimeClient",
    "GatewayClient",
    "PanelClient",
    "Refused",
    "RuntimeClient",
    "Unavailable",
    "new_traceparent",
    "search_agent_history_tool",
]
