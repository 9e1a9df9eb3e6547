"""The statements that write the history; `history` says when."""

from __future__ import annotations

PLACES = """
SELECT w.org_id, w.role_agent_id, w.channel_id
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS w (org_id, role_agent_id, channel_id)
JOIN dw_role_agents AS a ON a.org_id = w.org_id AND a.id = w.role_agent_id
JOIN dw_channels AS c ON c.org_id = w.org_id AND c.id = w.channel_id
"""
# The mapped human of a row, for display only: policy resolves for itself (C47).
_ACTOR = """
LEFT JOIN dw_external_identities AS i
  ON i.org_id = r.org_id AND i.platform = r.platform AND i.workspace_ref = r.workspace_ref
 AND i.external_user_id = r.external_user_id AND i.status = 'verified' AND i.verified_at <= r.received_at
 AND r.sender_kind = 'human' AND r.proven
LEFT JOIN dw_org_members AS m ON m.org_id = i.org_id AND m.user_id = i.user_id AND m.status = 'active'
"""
# Arrays come in their text form: the driver would look at every value by itself, for longer than PostgreSQL reads them.
# Gives the numbers of those of whose message there is another row: most have none, and one row alone is settled.
INSERT_EVENTS = f"""
WITH r AS MATERIALIZED (
    SELECT u.id, u.org_id, u.role_agent_id, u.channel_id, u.platform, u.workspace_ref, u.external_user_id, u.sender_kind,
           u.proven, u.received_at, u.occurred_at, u.kind, u.message_ref, u.revision, u.display_name, u.flags, u.reply_to,
           u.thread_ref, u.body_text, u.body_tsv, u.sealed, u.imported, u.n
    FROM unnest(
        $1::text::uuid[], $2::text::uuid[], $3::text::uuid[], $4::text::uuid[], $5::text::text[], $6::text::text[],
        $7::text::text[], $8::text::text[], $9::text::boolean[], $10::text::timestamptz[], $11::text::timestamptz[],
        $12::text::text[], $13::text::text[], $14::text::bigint[], $15::text::text[], $16::text::text[],
        $17::text::text[], $18::text::text[], $19::text::text[], $20::text::text[], $21::text::boolean[],
        $22::text::boolean[]
    ) WITH ORDINALITY AS u (
        id, org_id, role_agent_id, channel_id, platform, workspace_ref, external_user_id, sender_kind, proven,
        received_at, occurred_at, kind, message_ref, revision, display_name, flags, reply_to, thread_ref, body_text,
        body_tsv, sealed, imported, n
    )
), kept AS (
    INSERT INTO dw_chat_events (
        id, org_id, role_agent_id, channel_id, visibility_channel, kind, message_ref, revision, platform, workspace_ref,
        external_user_id, sender_kind, display_name, actor_user_id, synthetic_actor, flags, reply_to, thread_ref,
        body_text, body_tsv, sealed, imported, occurred_at, received_at
    )
    SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, CASE c.visibility WHEN 'private' THEN c.id END, r.kind,
           r.message_ref, r.revision, r.platform, r.workspace_ref, r.external_user_id, r.sender_kind, r.display_name,
           m.user_id, CASE r.kind WHEN 'message_out' THEN 'dw_worker:' || r.role_agent_id::text END,
           string_to_array(r.flags, ' '), r.reply_to::jsonb, r.thread_ref, r.body_text, r.body_tsv::tsvector, r.sealed,
           r.imported, r.occurred_at, r.received_at
    FROM r
    JOIN dw_channels AS c ON c.org_id = r.org_id AND c.id = r.channel_id
{_ACTOR}
    ON CONFLICT (org_id, id) DO NOTHING
)
SELECT r.n
FROM r
CROSS JOIN LATERAL (
    SELECT m.id
    FROM dw_chat_events AS m
    WHERE m.org_id = r.org_id AND m.role_agent_id = r.role_agent_id AND m.channel_id = r.channel_id
      AND m.message_ref = r.message_ref AND m.id <> r.id
    ORDER BY m.revision DESC
    LIMIT 1
) AS another
"""
INSERT_TOOL_RUNS = f"""
INSERT INTO dw_tool_runs (
    id, org_id, role_agent_id, channel_id, tool, input, output, actor_user_id, external_user_id, occurred_at, message_ref,
    workspace_ref
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, r.tool, r.input, r.output, m.user_id, r.external_user_id,
       r.occurred_at, r.message_ref, r.workspace_ref
FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[],
    $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[]
) AS r (
    id, org_id, role_agent_id, channel_id, platform, workspace_ref, external_user_id, sender_kind, proven,
    received_at, occurred_at, message_ref, tool, input, output
)
{_ACTOR}
ON CONFLICT (org_id, id) DO NOTHING
"""
INSERT_CORRECTIONS = f"""
INSERT INTO dw_corrections (
    id, org_id, role_agent_id, channel_id, wrong_text, right_text, topic, actor_user_id, external_user_id, occurred_at,
    message_ref, workspace_ref
)
SELECT r.id, r.org_id, r.role_agent_id, r.channel_id, r.wrong_text, r.right_text, r.topic, m.user_id,
       r.external_user_id, r.occurred_at, r.message_ref, r.workspace_ref
FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[],
    $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[], $14::text[], $15::text[]
) AS r (
    id, org_id, role_agent_id, channel_id, platform, workspace_ref, external_user_id, sender_kind, proven,
    received_at, occurred_at, message_ref, wrong_text, right_text, topic
)
{_ACTOR}
ON CONFLICT (org_id, id) DO NOTHING
"""
# Rows of these messages that are not as they should be: most batches have none. OFFSET 0 keeps the planner with one
# look-up a message, and the order with the messages' own index, also on a table that it knows nothing of yet.
UNSETTLED = """
SELECT r.org_id, r.id, r.newest, r.deleted
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS w (org_id, role_agent_id, channel_id, message_ref)
CROSS JOIN LATERAL (
    SELECT e.org_id, e.id, e.current, e.body_text <> '' OR e.reply_to IS NOT NULL AS telling,
           bool_or(e.kind = 'delete') OVER () AS deleted,
           row_number() OVER (ORDER BY (e.kind = 'delete') DESC, e.revision DESC, (e.kind = 'edit') DESC, e.id) = 1 AS newest
    FROM (
        SELECT m.org_id, m.id, m.kind, m.revision, m.current, m.body_text, m.reply_to
        FROM dw_chat_events AS m
        WHERE m.org_id = w.org_id AND m.role_agent_id = w.role_agent_id AND m.channel_id = w.channel_id
          AND m.message_ref = w.message_ref
        ORDER BY m.revision DESC
        OFFSET 0
    ) AS e
) AS r
WHERE r.current <> r.newest OR (r.deleted AND r.telling)
"""
SETTLE_EVENTS = """
UPDATE dw_chat_events AS e
SET current = r.newest,
    body_text = CASE WHEN r.deleted THEN '' ELSE e.body_text END,
    reply_to = CASE WHEN r.deleted THEN NULL ELSE e.reply_to END,
    body_tsv = CASE WHEN r.deleted OR NOT r.newest THEN ''::tsvector ELSE e.body_tsv END
FROM unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[]) AS r (org_id, id, newest, deleted)
WHERE e.org_id = r.org_id AND e.id = r.id
"""
_DELETED = """
FROM dw_chat_events AS d
JOIN unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS w (org_id, role_agent_id, channel_id, message_ref)
  ON d.org_id = w.org_id AND d.role_agent_id = w.role_agent_id AND d.channel_id = w.channel_id
 AND d.message_ref = w.message_ref
WHERE d.kind = 'delete' AND t.org_id = d.org_id AND t.role_agent_id = d.role_agent_id
  AND t.channel_id = d.channel_id AND t.message_ref = d.message_ref
"""
SETTLE_TOOL_RUNS = f"UPDATE dw_tool_runs AS t SET input = '', output = '' {_DELETED}"
SETTLE_CORRECTIONS = f"UPDATE dw_corrections AS t SET wrong_text = '', right_text = '', topic = '' {_DELETED}"
