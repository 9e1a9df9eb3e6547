-- What an org allows (G4, G6, G9, G19, G20). A scope is org, feature:<key>, agent:<role-agent> or model:<name>; every
-- one that a call touches has to let it pass. NULL is no limit of its own; the org's own budgets have defaults.
CREATE TABLE dw_ai_limits (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    scope text NOT NULL CHECK (
        scope ~ '^(org|feature:digital_worker:(learning_detect|skill_draft)|agent:[0-9a-f-]{36}|model:[[:graph:]]{1,128})$'
    ),
    daily_micro_usd bigint CHECK (daily_micro_usd >= 0),
    monthly_micro_usd bigint CHECK (monthly_micro_usd >= 0),
    soft_percent int NOT NULL DEFAULT 80 CHECK (soft_percent BETWEEN 1 AND 100),
    requests_per_minute int CHECK (requests_per_minute >= 0),
    tokens_per_minute bigint CHECK (tokens_per_minute >= 0),
    max_in_flight int CHECK (max_in_flight >= 0),
    allowed_models text[],
    killed boolean NOT NULL DEFAULT FALSE,
    updated_at timestamptz NOT NULL DEFAULT now(),
    row_version int NOT NULL DEFAULT 1,
    PRIMARY KEY (org_id, scope)
);

-- What is spent and held now, one row a scope. Windows are UTC and move on with the first call in a new one; what is
-- reserved belongs to no window and counts in each, so that no call slips through at midnight.
CREATE TABLE dw_ai_counters (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    scope text NOT NULL,
    reserved_micro_usd bigint NOT NULL DEFAULT 0,
    in_flight int NOT NULL DEFAULT 0,
    day date NOT NULL,
    day_micro_usd bigint NOT NULL DEFAULT 0,
    month date NOT NULL,
    month_micro_usd bigint NOT NULL DEFAULT 0,
    minute timestamptz NOT NULL,
    minute_requests int NOT NULL DEFAULT 0,
    minute_tokens bigint NOT NULL DEFAULT 0,
    warned_day date,
    PRIMARY KEY (org_id, scope)
);

-- One row a call, written when it is reserved (G21 to G23, G27). NULL tokens: the provider did not say.
CREATE TABLE dw_ai_usage (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    call_id uuid NOT NULL,
    decision_id uuid,
    feature_key text NOT NULL,
    actor text NOT NULL,
    on_behalf_of uuid,
    scopes text[] NOT NULL,
    provider text NOT NULL,
    request_model text NOT NULL,
    response_model text NOT NULL DEFAULT '',
    prompt_version text NOT NULL DEFAULT '',
    price_version text NOT NULL DEFAULT '',
    input_tokens bigint,
    output_tokens bigint,
    cached_tokens bigint,
    reasoning_tokens bigint,
    reserved_micro_usd bigint NOT NULL CHECK (reserved_micro_usd >= 0),
    cost_micro_usd bigint CHECK (cost_micro_usd >= 0),
    estimated boolean NOT NULL DEFAULT TRUE,
    status text NOT NULL CHECK (status IN ('reserved', 'ok', 'failed', 'lost', 'cached')),
    error_type text NOT NULL DEFAULT '',
    attempt int NOT NULL DEFAULT 1,
    fallback_from text NOT NULL DEFAULT '',
    cache_hit boolean NOT NULL DEFAULT FALSE,
    latency_ms int,
    trace_id text NOT NULL DEFAULT '',
    at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    settled_at timestamptz,
    PRIMARY KEY (org_id, call_id)
);
CREATE INDEX dw_ai_usage_at ON dw_ai_usage (org_id, at DESC, call_id);
CREATE INDEX dw_ai_usage_settled ON dw_ai_usage (org_id, settled_at) WHERE cost_micro_usd > 0;
CREATE INDEX dw_ai_usage_open ON dw_ai_usage (org_id, expires_at) WHERE status = 'reserved';

-- Candidates that wait for their org's own limit (C77): in the order of their arrival, an agent at a time.
CREATE TABLE dw_deferred (
    org_id uuid NOT NULL REFERENCES dw_orgs (id),
    decision_id uuid NOT NULL,
    role_agent_id uuid NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    candidate bytea NOT NULL,
    traceparent text NOT NULL DEFAULT '',
    reason text NOT NULL,
    parked_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, decision_id)
);
CREATE INDEX dw_deferred_agent ON dw_deferred (org_id, role_agent_id, place);

-- The response cache is the stored answers themselves, of one org and for a while (G18): what is erased there is in no
-- other place.
ALTER TABLE dw_detections ADD COLUMN cache_key bytea, ADD COLUMN degraded boolean NOT NULL DEFAULT FALSE;
CREATE INDEX dw_detections_cache ON dw_detections (org_id, cache_key, created_at DESC) WHERE cache_key IS NOT NULL;
CREATE FUNCTION dw_forget_cache_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.cache_key := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER dw_detections_no_cache BEFORE UPDATE OF answer ON dw_detections
    FOR EACH ROW EXECUTE FUNCTION dw_forget_cache_key();

DO $$
DECLARE
    tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['dw_ai_limits', 'dw_ai_counters', 'dw_ai_usage', 'dw_deferred'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format(
            'CREATE POLICY tenant ON %I TO dw_app USING (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[])) '
            'WITH CHECK (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[]))', tenant
        );
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO dw_app', tenant);
        EXECUTE format('GRANT SELECT, UPDATE ON %I TO dw_eraser', tenant);
        EXECUTE format(
            'CREATE POLICY eraser ON %I TO dw_eraser USING (org_id = ANY (nullif(current_setting(''app.org_ids'', TRUE), '''')::uuid[]))',
            tenant
        );
    END LOOP;
END
$$;
REVOKE DELETE ON dw_ai_usage, dw_ai_counters FROM dw_app;

-- Holds money for one call, or says why not. Runs with the caller's rights and as the one tenant that it names, so
-- that a call costs one round trip, as the reading of history does.
-- Counters are locked in the order of their scopes, here and in all below, so that callers never wait in a ring.
CREATE FUNCTION dw_gate_reserve(
    p_org uuid, p_scopes text[], p_cost bigint, p_tokens bigint, p_now timestamptz, p_daily bigint, p_monthly bigint,
    p_call jsonb
) RETURNS jsonb LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    v_today date := (p_now AT TIME ZONE 'UTC')::date;
    v_month date := date_trunc('month', p_now AT TIME ZONE 'UTC')::date;
    v_minute timestamptz := date_trunc('minute', p_now);
    v_tomorrow timestamptz := (v_today + 1)::timestamp AT TIME ZONE 'UTC';
    v_next_month timestamptz := (v_month + interval '1 month') AT TIME ZONE 'UTC';
    v_warned text[] := '{}';
    v_why text;
    v_limit bigint;
    v_used bigint;
    v_resets timestamptz;
    one record;
BEGIN
    PERFORM set_config('app.org_ids', '{' || p_org || '}', TRUE);
    IF p_cost < 0 OR p_tokens < 0 THEN
        RAISE EXCEPTION 'a reservation below zero';
    END IF;
    INSERT INTO dw_ai_counters (org_id, scope, day, month, minute)
    SELECT p_org, s.scope, v_today, v_month, v_minute
    FROM unnest(p_scopes) AS s (scope)
    WHERE NOT EXISTS (SELECT 1 FROM dw_ai_counters AS c WHERE c.org_id = p_org AND c.scope = s.scope)
    ORDER BY s.scope
    ON CONFLICT (org_id, scope) DO NOTHING;
    FOR one IN
        SELECT c.scope, c.reserved_micro_usd AS held, c.in_flight, c.warned_day,
               CASE WHEN c.day >= v_today THEN c.day_micro_usd ELSE 0 END AS day_spent,
               CASE WHEN c.month >= v_month THEN c.month_micro_usd ELSE 0 END AS month_spent,
               CASE WHEN c.minute >= v_minute THEN c.minute_requests ELSE 0 END AS requests,
               CASE WHEN c.minute >= v_minute THEN c.minute_tokens ELSE 0 END AS tokens,
               coalesce(l.daily_micro_usd, CASE WHEN c.scope = 'org' THEN p_daily END) AS daily,
               coalesce(l.monthly_micro_usd, CASE WHEN c.scope = 'org' THEN p_monthly
                   WHEN c.scope LIKE 'agent:%' THEN (
                       SELECT a.budget_monthly_cents * 10000::bigint FROM dw_role_agents AS a
                       WHERE a.org_id = p_org AND a.id::text = substr(c.scope, 7)) END) AS monthly,
               coalesce(l.soft_percent, 80) AS soft, l.requests_per_minute, l.tokens_per_minute, l.max_in_flight,
               l.allowed_models, coalesce(l.killed, FALSE) AS killed
        FROM dw_ai_counters AS c
        LEFT JOIN dw_ai_limits AS l ON l.org_id = c.org_id AND l.scope = c.scope
        WHERE c.org_id = p_org AND c.scope = ANY (p_scopes)
        ORDER BY c.scope
        FOR UPDATE OF c
    LOOP
        v_why := NULL;
        v_limit := NULL;
        v_used := NULL;
        v_resets := NULL;
        IF one.killed THEN
            v_why := 'killed';
        ELSIF one.allowed_models IS NOT NULL AND NOT (p_call ->> 'request_model') = ANY (one.allowed_models) THEN
            v_why := 'model_not_allowed';
        ELSIF one.monthly IS NOT NULL AND one.month_spent + one.held + p_cost > one.monthly THEN
            v_why := 'monthly_budget'; v_limit := one.monthly; v_used := one.month_spent + one.held; v_resets := v_next_month;
        ELSIF one.daily IS NOT NULL AND one.day_spent + one.held + p_cost > one.daily THEN
            v_why := 'daily_budget'; v_limit := one.daily; v_used := one.day_spent + one.held; v_resets := v_tomorrow;
        ELSIF one.in_flight >= one.max_in_flight THEN
            v_why := 'in_flight'; v_limit := one.max_in_flight; v_used := one.in_flight;
        ELSIF one.requests >= one.requests_per_minute THEN
            v_why := 'requests'; v_limit := one.requests_per_minute; v_used := one.requests;
            v_resets := v_minute + interval '1 minute';
        ELSIF one.tokens + p_tokens > one.tokens_per_minute THEN
            v_why := 'tokens'; v_limit := one.tokens_per_minute; v_used := one.tokens;
            v_resets := v_minute + interval '1 minute';
        END IF;
        IF v_why IS NOT NULL THEN
            RETURN jsonb_build_object(
                'refused', v_why, 'scope', one.scope, 'limit', v_limit, 'used', v_used, 'resets_at', v_resets,
                'held', coalesce(one.held, 0)
            );
        END IF;
        IF (one.warned_day IS NULL OR one.warned_day < v_today) AND (
            (one.day_spent + one.held + p_cost) * 100 >= one.daily * one.soft
            OR (one.month_spent + one.held + p_cost) * 100 >= one.monthly * one.soft
        ) THEN
            v_warned := v_warned || one.scope;
        END IF;
    END LOOP;
    UPDATE dw_ai_counters AS c SET reserved_micro_usd = c.reserved_micro_usd + p_cost,
        in_flight = c.in_flight + 1,
        day_micro_usd = CASE WHEN c.day >= v_today THEN c.day_micro_usd ELSE 0 END,
        month_micro_usd = CASE WHEN c.month >= v_month THEN c.month_micro_usd ELSE 0 END,
        minute_requests = CASE WHEN c.minute >= v_minute THEN c.minute_requests ELSE 0 END + 1,
        minute_tokens = CASE WHEN c.minute >= v_minute THEN c.minute_tokens ELSE 0 END + p_tokens,
        day = greatest(c.day, v_today),
        month = greatest(c.month, v_month),
        minute = greatest(c.minute, v_minute),
        warned_day = CASE WHEN c.scope = ANY (v_warned) THEN v_today ELSE c.warned_day END
    WHERE c.org_id = p_org AND c.scope = ANY (p_scopes);
    INSERT INTO dw_ai_usage (
        org_id, call_id, decision_id, feature_key, actor, on_behalf_of, scopes, provider, request_model,
        prompt_version, price_version, reserved_micro_usd, status, attempt, fallback_from, trace_id, at, expires_at
    )
    SELECT p_org, r.call_id, r.decision_id, r.feature_key, r.actor, (
               SELECT i.user_id FROM dw_external_identities AS i
               WHERE i.org_id = p_org AND i.platform = r.platform AND i.workspace_ref = r.workspace_ref
                 AND i.external_user_id = r.external_user_id AND i.status = 'verified' LIMIT 1
           ), p_scopes, r.provider, r.request_model, r.prompt_version, r.price_version, p_cost, 'reserved', r.attempt,
           r.fallback_from, r.trace_id, p_now, p_now + r.expire_seconds * interval '1 second'
    FROM jsonb_to_record(p_call) AS r (
        call_id uuid, decision_id uuid, feature_key text, actor text, platform text, workspace_ref text,
        external_user_id text, provider text, request_model text, prompt_version text, price_version text, attempt int,
        fallback_from text, trace_id text, expire_seconds double precision
    );
    RETURN jsonb_build_object('warned', v_warned);
END
$$;

-- Turns what was held into what was spent, once: FALSE if the call is not open any more.
CREATE FUNCTION dw_gate_book(p_org uuid, p_call_id uuid, p_cost bigint, p_now timestamptz, p_result jsonb)
RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    v_today date := (p_now AT TIME ZONE 'UTC')::date;
    v_month date := date_trunc('month', p_now AT TIME ZONE 'UTC')::date;
    v_scopes text[];
    v_held bigint;
BEGIN
    SELECT u.scopes, u.reserved_micro_usd INTO v_scopes, v_held
    FROM dw_ai_usage AS u WHERE u.org_id = p_org AND u.call_id = p_call_id;
    PERFORM 1 FROM dw_ai_counters AS c
    WHERE c.org_id = p_org AND c.scope = ANY (v_scopes) ORDER BY c.scope FOR UPDATE;
    UPDATE dw_ai_usage AS u SET status = r.status, cost_micro_usd = p_cost, estimated = r.estimated, input_tokens = r.input_tokens,
        output_tokens = r.output_tokens, cached_tokens = r.cached_tokens, reasoning_tokens = r.reasoning_tokens,
        response_model = coalesce(r.response_model, ''), error_type = coalesce(r.error_type, ''),
        latency_ms = r.latency_ms, settled_at = p_now
    FROM jsonb_to_record(p_result) AS r (
        status text, estimated boolean, input_tokens bigint, output_tokens bigint, cached_tokens bigint,
        reasoning_tokens bigint, response_model text, error_type text, latency_ms int
    )
    WHERE u.org_id = p_org AND u.call_id = p_call_id AND u.status = 'reserved';
    IF NOT FOUND THEN
        RETURN FALSE;
    END IF;
    UPDATE dw_ai_counters AS c SET reserved_micro_usd = greatest(0, c.reserved_micro_usd - v_held),
        in_flight = greatest(0, c.in_flight - 1),
        day_micro_usd = CASE WHEN c.day >= v_today THEN c.day_micro_usd ELSE 0 END + p_cost,
        month_micro_usd = CASE WHEN c.month >= v_month THEN c.month_micro_usd ELSE 0 END + p_cost,
        day = greatest(c.day, v_today),
        month = greatest(c.month, v_month)
    WHERE c.org_id = p_org AND c.scope = ANY (v_scopes);
    RETURN TRUE;
END
$$;

CREATE FUNCTION dw_gate_settle(p_org uuid, p_call_id uuid, p_cost bigint, p_now timestamptz, p_result jsonb)
RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM set_config('app.org_ids', '{' || p_org || '}', TRUE);
    RETURN dw_gate_book(p_org, p_call_id, p_cost, p_now, p_result);
END
$$;

-- Books calls that nobody settled in time as lost, at what was held for them, and makes the counters what the ledger
-- says (G8). Gives how many were lost and how many scopes had drifted otherwise.
CREATE FUNCTION dw_gate_reconcile(p_orgs uuid[], p_now timestamptz, OUT lost int, OUT drifted int)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM 1 FROM dw_ai_counters AS c WHERE c.org_id = ANY (p_orgs) ORDER BY c.org_id, c.scope FOR UPDATE;
    WITH told AS (
        SELECT c.org_id, c.scope,
               coalesce(sum(u.reserved_micro_usd) FILTER (WHERE u.status = 'reserved'), 0) AS held,
               count(*) FILTER (WHERE u.status = 'reserved') AS flying,
               coalesce(sum(u.cost_micro_usd) FILTER (WHERE (u.settled_at AT TIME ZONE 'UTC')::date >= c.day), 0) AS today,
               coalesce(sum(u.cost_micro_usd) FILTER (WHERE (u.settled_at AT TIME ZONE 'UTC')::date >= c.month), 0) AS month
        FROM dw_ai_counters AS c
        LEFT JOIN dw_ai_usage AS u ON u.org_id = c.org_id AND c.scope = ANY (u.scopes)
            AND (u.status = 'reserved' OR (u.cost_micro_usd > 0 AND u.settled_at >= c.month::timestamp AT TIME ZONE 'UTC'))
        WHERE c.org_id = ANY (p_orgs)
        GROUP BY c.org_id, c.scope
    )
    UPDATE dw_ai_counters AS c SET reserved_micro_usd = t.held, in_flight = t.flying, day_micro_usd = t.today, month_micro_usd = t.month
    FROM told AS t
    WHERE c.org_id = t.org_id AND c.scope = t.scope
      AND (c.reserved_micro_usd, c.in_flight, c.day_micro_usd, c.month_micro_usd)
          IS DISTINCT FROM (t.held, t.flying::int, t.today, t.month);
    GET DIAGNOSTICS drifted = ROW_COUNT;
    SELECT count(*) INTO lost FROM (
        SELECT dw_gate_book(u.org_id, u.call_id, u.reserved_micro_usd, p_now,
            '{"status": "lost", "estimated": true, "error_type": "lost"}') AS settled
        FROM dw_ai_usage AS u
        WHERE u.org_id = ANY (p_orgs) AND u.status = 'reserved' AND u.expires_at < p_now
    ) AS dead WHERE dead.settled;
END
$$;
