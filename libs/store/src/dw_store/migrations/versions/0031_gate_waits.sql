-- What the first of an agent waits for, so that it is asked about again as soon as that may have ended: a call that was
-- settled, a limit that was raised, a new day. Whether it passes, the reservation alone says. `claimed_until` was due_at.
ALTER TABLE dw_deferred
    ADD COLUMN scope text NOT NULL DEFAULT '',
    ADD COLUMN needs_micro_usd bigint NOT NULL DEFAULT 0,
    ADD COLUMN resets_at timestamptz,
    ADD COLUMN asked_at timestamptz,
    ADD COLUMN claimed_until timestamptz;

-- As before, and the soft limit is one of what was spent: holds are many times what calls cost, and a warning that they
-- set off is the day's only one. It is given with the first call that is asked for afterwards, also where that is refused.
CREATE OR REPLACE FUNCTION dw_gate_reserve(
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
               l.allowed_models, l.allowed_regions, coalesce(l.killed, FALSE) AS killed
        FROM dw_ai_counters AS c
        LEFT JOIN dw_ai_limits AS l ON l.org_id = c.org_id AND l.scope = c.scope
        WHERE c.org_id = p_org AND c.scope = ANY (p_scopes)
        ORDER BY c.scope
        FOR UPDATE OF c
    LOOP
        IF (one.warned_day IS NULL OR one.warned_day < v_today) AND (
            one.day_spent * 100 >= nullif(one.daily, 0) * one.soft OR one.month_spent * 100 >= nullif(one.monthly, 0) * one.soft
        ) THEN
            v_warned := v_warned || one.scope;
        END IF;
        v_why := NULL;
        v_limit := NULL;
        v_used := NULL;
        v_resets := NULL;
        IF one.killed THEN
            v_why := 'killed';
        ELSIF one.allowed_models IS NOT NULL AND NOT (p_call ->> 'request_model') = ANY (one.allowed_models) THEN
            v_why := 'model_not_allowed';
        ELSIF one.allowed_regions IS NOT NULL
            AND NOT coalesce(p_call ->> 'region', '') = ANY (one.allowed_regions) THEN
            v_why := 'region_not_allowed';
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
            UPDATE dw_ai_counters AS c SET warned_day = v_today WHERE c.org_id = p_org AND c.scope = ANY (v_warned);
            RETURN jsonb_build_object(
                'refused', v_why, 'scope', one.scope, 'limit', v_limit, 'used', v_used, 'resets_at', v_resets,
                'held', coalesce(one.held, 0), 'warned', v_warned
            );
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
        prompt_version, price_version, reserved_micro_usd, status, attempt, fallback_from, trace_id, at, expires_at,
        region
    )
    SELECT p_org, r.call_id, r.decision_id, r.feature_key, r.actor, (
               SELECT i.user_id FROM dw_external_identities AS i
               WHERE i.org_id = p_org AND i.platform = r.platform AND i.workspace_ref = r.workspace_ref
                 AND i.external_user_id = r.external_user_id AND i.status = 'verified' LIMIT 1
           ), p_scopes, r.provider, r.request_model, r.prompt_version, r.price_version, p_cost, 'reserved', r.attempt,
           r.fallback_from, r.trace_id, p_now, p_now + r.expire_seconds * interval '1 second',
           coalesce(r.region, '')
    FROM jsonb_to_record(p_call) AS r (
        call_id uuid, decision_id uuid, feature_key text, actor text, platform text, workspace_ref text,
        external_user_id text, provider text, request_model text, prompt_version text, price_version text, attempt int,
        fallback_from text, trace_id text, expire_seconds double precision, region text
    );
    RETURN jsonb_build_object('warned', v_warned);
END
$$;
