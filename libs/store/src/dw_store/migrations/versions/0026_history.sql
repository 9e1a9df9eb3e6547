-- Search of the history, faster with many messages (C81): what stands nearly everywhere is not looked up.

-- p_terms are ways to say p_concepts, each worth p_weights. A message's worth is the sum over concepts of the weightiest
-- way that it holds, times the way's rarity among the agent's messages; a thread's likewise over all its messages.
-- At most p_ranked messages are ranked: those with the rarest terms, then the newest. Of a term, half as many are looked
-- up, or 1,000. A term of which a sample says that more than p_ranked messages hold it is looked up only if the others find too
-- little; it counts for what is ranked all the same. Messages come in order of their threads, in a thread the best first;
-- p_limit of them.
-- The function's owner reads all orgs (C68), so it takes the org from the transaction's setting and refuses more than
-- one; it gives ids and ranks, the caller reads the rows under its own rights. IS NOT DISTINCT FROM and IS TRUE keep the
-- planner with the one index that serves: the text's, whose terms are marked with their agent.
SET LOCAL ROLE dw_search;
CREATE OR REPLACE FUNCTION dw_search_history(
    p_terms text[], p_concepts int[], p_weights real[], p_agent uuid, p_channel uuid, p_unproven boolean,
    p_ranked int, p_limit int
) RETURNS TABLE (id uuid, thread bigint, rank real, message_rank real) LANGUAGE plpgsql
STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_nestloop = off SET enable_seqscan = off
-- The parts are joined by hash, whatever their sizes are taken for; an org's messages are never read through all others'.
AS $$
#variable_conflict use_column
DECLARE
    orgs uuid[] := nullif(current_setting('app.org_ids', TRUE), '')::uuid[];
    sought CONSTANT int := least(p_ranked, greatest(p_ranked / 2, 1000));
    places uuid[];
    messages int;
    oldest timestamptz;
    newest timestamptz;
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
        SELECT 1 FROM dw_chat_events AS e WHERE e.org_id = orgs[1] AND e.role_agent_id = p_agent LIMIT 10 * p_ranked
    ) AS many;
    IF messages > p_ranked THEN
        SELECT min(e.occurred_at), max(e.occurred_at) INTO oldest, newest
        FROM dw_chat_events AS e WHERE e.org_id = orgs[1] AND e.role_agent_id = p_agent;
    END IF;
    RETURN QUERY
    WITH sample AS MATERIALIZED (
        SELECT s.body_tsv
        FROM generate_series(0, 15) AS g (slice)
        CROSS JOIN LATERAL (
            SELECT e.body_tsv
            FROM dw_chat_events AS e
            WHERE e.org_id = orgs[1] AND e.role_agent_id = p_agent
              AND e.occurred_at >= oldest + (newest - oldest) * (g.slice / 16.0)
            ORDER BY e.occurred_at
            LIMIT 8
        ) AS s
        WHERE oldest IS NOT NULL
    ), asked AS MATERIALIZED (
        SELECT a.n::int AS n, a.term::tsquery AS term, a.concept, a.weight, (
            SELECT (count(*) FILTER (WHERE s.body_tsv @@ a.term::tsquery) * messages / greatest(count(*), 1))::int
            FROM sample AS s
        ) AS guess
        FROM unnest(p_terms, p_concepts, p_weights) WITH ORDINALITY AS a (term, concept, weight, n)
    ), rare AS MATERIALIZED (
        SELECT a.n, h.place, h.occurred_at
        FROM asked AS a
        CROSS JOIN LATERAL (
            SELECT e.ctid AS place, e.occurred_at
            FROM dw_chat_events AS e
            WHERE e.body_tsv @@ a.term AND e.org_id IS NOT DISTINCT FROM orgs[1]
              AND e.role_agent_id IS NOT DISTINCT FROM p_agent AND e.current AND e.kind <> 'delete'
              AND (e.channel_id = ANY (places)) IS TRUE
              AND (p_unproven OR (e.sealed AND NOT e.imported AND e.sender_kind = 'human'
                   AND NOT e.flags && ARRAY['forwarded', 'via_bot', 'anonymous', 'sender_unproven']))
            LIMIT sought
        ) AS h
        WHERE a.guess < p_ranked
    ), found AS MATERIALIZED (
        SELECT r.n, r.place, r.occurred_at FROM rare AS r
        UNION ALL
        SELECT a.n, h.place, h.occurred_at
        FROM asked AS a
        CROSS JOIN LATERAL (
            SELECT e.ctid AS place, e.occurred_at
            FROM dw_chat_events AS e
            WHERE e.body_tsv @@ a.term AND e.org_id IS NOT DISTINCT FROM orgs[1]
              AND e.role_agent_id IS NOT DISTINCT FROM p_agent AND e.current AND e.kind <> 'delete'
              AND (e.channel_id = ANY (places)) IS TRUE
              AND (p_unproven OR (e.sealed AND NOT e.imported AND e.sender_kind = 'human'
                   AND NOT e.flags && ARRAY['forwarded', 'via_bot', 'anonymous', 'sender_unproven']))
            LIMIT sought
        ) AS h
        WHERE a.guess >= p_ranked AND (SELECT count(*) FROM (SELECT DISTINCT r.place FROM rare AS r) AS d) < p_ranked
    ), weighed AS MATERIALIZED (
        SELECT a.n, a.term, a.concept, a.looked_up, a.held,
               a.weight * ln(1 + (greatest(messages, a.held) - a.held + 0.5) / (a.held + 0.5))::float8 AS worth
        FROM (
            SELECT q.n, q.term, q.concept, q.weight, coalesce(c.held, 0) BETWEEN 1 AND sought - 1 AS looked_up,
                   CASE WHEN c.held < sought THEN c.held ELSE greatest(q.guess, sought) END AS held
            FROM asked AS q
            LEFT JOIN (SELECT f.n, count(*)::int AS held FROM found AS f GROUP BY f.n) AS c ON c.n = q.n
            WHERE c.held IS NOT NULL OR q.guess >= p_ranked
        ) AS a
    ), chosen AS MATERIALIZED (
        SELECT f.place
        FROM found AS f JOIN weighed AS w ON w.n = f.n
        GROUP BY f.place
        ORDER BY min(w.held), max(f.occurred_at) DESC, f.place
        LIMIT p_ranked
    ), candidates AS MATERIALIZED (
        SELECT k.place, e.id, e.thread, e.brevity, e.body_tsv
        FROM chosen AS k
        CROSS JOIN LATERAL (
            SELECT e.id, e.body_tsv,
                   hashtextextended(
                       e.channel_id::text || coalesce(e.thread_ref, e.reply_to ->> 'message_ref', e.message_ref), 0
                   ) AS thread,
                   1.3 / (1.0 + 0.015 * least(length(e.body_tsv), 200)::float8) AS brevity
            FROM dw_chat_events AS e WHERE e.ctid = k.place AND e.org_id IS NOT DISTINCT FROM orgs[1] OFFSET 0
        ) AS e
    ), held AS (
        SELECT k.id, k.thread, k.brevity, w.concept, w.worth
        FROM found AS f JOIN candidates AS k ON k.place = f.place JOIN weighed AS w ON w.n = f.n
        WHERE w.looked_up
        UNION ALL
        SELECT k.id, k.thread, k.brevity, w.concept, w.worth
        FROM candidates AS k JOIN weighed AS w ON NOT w.looked_up AND k.body_tsv @@ w.term
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
SET LOCAL ROLE dw_owner;
