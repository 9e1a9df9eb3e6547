-- Search of the history (C68, C81): terms come weighed from the application, their rarity from the index.

CREATE INDEX dw_chat_events_thread ON dw_chat_events (org_id, role_agent_id, channel_id, thread_ref)
    WHERE thread_ref IS NOT NULL;

-- p_terms are ways to say p_concepts, each worth p_weights. A message's worth is the sum over concepts of the weightiest
-- way that it holds, times the way's rarity among the agent's messages; a thread's likewise over all its messages.
-- Of what is found, at most p_ranked messages are ranked: those with the rarest terms, then the newest. Rarity is counted
-- up to p_ranked. Messages come in order of their threads, in a thread the best first; p_limit of them.
-- The function's owner reads all orgs (C68), so it takes the org from the transaction's setting and refuses more than
-- one; it gives ids and ranks, the caller reads the rows under its own rights. IS NOT DISTINCT FROM keeps the planner
-- with the one index that serves: the text's, whose terms are marked with their agent.
SET LOCAL ROLE dw_search;
DROP FUNCTION dw_search_history(tsquery, uuid, uuid, int);
CREATE FUNCTION dw_search_history(
    p_terms text[], p_concepts int[], p_weights real[], p_agent uuid, p_channel uuid, p_unproven boolean,
    p_ranked int, p_limit int
) RETURNS TABLE (id uuid, thread bigint, rank real, message_rank real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_nestloop = off
-- The parts are joined by hash, whatever their sizes are taken for.
AS $$
#variable_conflict use_column
DECLARE
    orgs uuid[] := nullif(current_setting('app.org_ids', TRUE), '')::uuid[];
    places uuid[];
    messages int;
BEGIN
    IF orgs IS NULL THEN
        RETURN;
    END IF;
    IF cardinality(orgs) <> 1 THEN
        RAISE EXCEPTION 'history is searched in exactly one org' USING ERRCODE = 'insufficient_privilege';
    END IF;
    places := ARRAY(
        SELECT c.id FROM dw_channels AS c
        WHERE c.org_id = orgs[1] AND c.deleted_at IS NULL AND (c.visibility = 'shared' OR c.id = p_channel)
          AND (c.role_agent_id = p_agent OR EXISTS (
              SELECT 1 FROM dw_channel_agents AS l
              WHERE l.org_id = orgs[1] AND l.channel_id = c.id AND l.role_agent_id = p_agent
          ))
    );
    SELECT count(*) INTO messages FROM (
        SELECT 1 FROM dw_chat_events AS e WHERE e.org_id = orgs[1] AND e.role_agent_id = p_agent LIMIT 2 * p_ranked
    ) AS a_few;
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT a.n::int AS n, a.term::tsquery AS term, a.concept, a.weight
        FROM unnest(p_terms, p_concepts, p_weights) WITH ORDINALITY AS a (term, concept, weight, n)
    ), found AS MATERIALIZED (
        SELECT a.n, h.id, h.occurred_at, h.thread, h.brevity
        FROM asked AS a
        CROSS JOIN LATERAL (
            SELECT e.id, e.occurred_at,
                   hashtextextended(
                       e.channel_id::text || coalesce(e.thread_ref, e.reply_to ->> 'message_ref', e.message_ref), 0
                   ) AS thread,
                   1.3 / (1.0 + 0.015 * least(length(e.body_tsv), 200)::float8) AS brevity
            FROM dw_chat_events AS e
            WHERE e.body_tsv @@ a.term AND e.org_id IS NOT DISTINCT FROM orgs[1]
              AND e.role_agent_id IS NOT DISTINCT FROM p_agent AND e.current AND e.kind <> 'delete'
              AND e.channel_id = ANY (places)
              AND (p_unproven OR (e.sealed AND NOT e.imported AND e.sender_kind = 'human'
                   AND NOT e.flags && ARRAY['forwarded', 'via_bot', 'anonymous', 'sender_unproven']))
            LIMIT p_ranked
        ) AS h
    ), weighed AS MATERIALIZED (
        SELECT a.n, a.term, a.concept, c.held,
               a.weight * ln(1 + (greatest(messages, c.held) - c.held + 0.5) / (c.held + 0.5))::float8 AS worth
        FROM asked AS a
        JOIN (SELECT f.n, count(*)::int AS held FROM found AS f GROUP BY f.n) AS c ON c.n = a.n
    ), candidates AS MATERIALIZED (
        SELECT f.id, min(f.thread) AS thread, min(f.brevity) AS brevity
        FROM found AS f JOIN weighed AS w ON w.n = f.n
        GROUP BY f.id
        ORDER BY min(w.held), max(f.occurred_at) DESC, f.id
        LIMIT p_ranked
    ), common AS MATERIALIZED (
        SELECT w.n, w.term, w.concept, w.worth FROM weighed AS w WHERE w.held >= p_ranked
    ), held AS (
        SELECT k.id, k.thread, k.brevity, w.concept, w.worth
        FROM found AS f JOIN candidates AS k ON k.id = f.id JOIN weighed AS w ON w.n = f.n
        WHERE w.held < p_ranked
        UNION ALL
        SELECT k.id, k.thread, k.brevity, w.concept, w.worth
        FROM candidates AS k
        CROSS JOIN LATERAL (
            SELECT e.body_tsv FROM dw_chat_events AS e WHERE e.org_id = orgs[1] AND e.id = k.id OFFSET 0
        ) AS e
        JOIN common AS w ON e.body_tsv @@ w.term
        WHERE EXISTS (SELECT 1 FROM common AS c)
    ), worths AS MATERIALIZED (
        SELECT h.id, h.concept, max(h.worth) AS worth, min(h.thread) AS thread, min(h.brevity) AS brevity
        FROM held AS h GROUP BY h.id, h.concept
    ), messages_ranked AS MATERIALIZED (
        SELECT x.id, min(x.thread) AS thread, sum(x.worth) * min(x.brevity) AS rank FROM worths AS x GROUP BY x.id
    ), threads_ranked AS MATERIALIZED (
        SELECT c.thread, sum(c.worth) AS rank
        FROM (
            SELECT x.thread, x.concept, max(x.worth * x.brevity) AS worth
            FROM worths AS x GROUP BY x.thread, x.concept
        ) AS c GROUP BY c.thread
    )
    SELECT m.id, m.thread, (t.rank + 0.3 * max(m.rank) OVER (PARTITION BY m.thread))::real, m.rank::real
    FROM messages_ranked AS m JOIN threads_ranked AS t ON t.thread = m.thread
    ORDER BY 3 DESC, 2, 4 DESC, 1
    LIMIT p_limit;
END
$$;
REVOKE ALL ON FUNCTION dw_search_history(text[], int[], real[], uuid, uuid, boolean, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_search_history(text[], int[], real[], uuid, uuid, boolean, int, int) TO dw_app;
SET LOCAL ROLE dw_owner;
