"""agent.comments.v1 in. Without a platform yet, an agent's comment is counted as undelivered, and nothing is sent."""

from __future__ import annotations

from collections.abc import Sequence

from dw_contracts.events.comments import AgentComment
from dw_runtime import Handled, Permanent, Received, Record, log, parse_message


def parse_comment(record: Record) -> AgentComment:
    """The key is the channel's id, so that a conversation stays in order."""
    comment = parse_message(record, AgentComment)
    if record.key != str(comment.channel_id).encode():
        raise Permanent("the key does not name the comment's channel")
    return comment


class Comments:
    """R265: only agent-authored comments with a reply channel are relayed."""

    async def handle(self, batch: Sequence[Received[AgentComment]]) -> Handled:
        """Tell the operator which replies have no platform to go to."""
        waiting = [
            r.message for r in batch if r.message.author_type == "agent" and r.message.reply_channel_id
        ]
        if waiting:
            log.warning(
                "comment.no_platform",
                count=len(waiting),
                channel_ids=sorted({str(comment.reply_channel_id) for comment in waiting})[:10],
            )
        return Handled()
