-- An account is a platform, a workspace and an id (C48): without the workspace the words of two people who have one id
-- in two workspaces would be copied, and erased, together. NULL is what was written before: the channel's stands for it.
ALTER TABLE dw_tool_runs ADD COLUMN workspace_ref text;
ALTER TABLE dw_corrections ADD COLUMN workspace_ref text;

-- The erasing function, with its two joins and its two updates as they should be.
SET LOCAL ROLE dw_eraser;
DO $$
DECLARE
    body text := pg_get_functiondef(
        'dw_erase_person(uuid, text[], text[], text[], text, text, text[], timestamptz)'::regprocedure
    );
    found int;
BEGIN
    found := regexp_count(body, 'JOIN unnest\(p_platforms, p_accounts\) AS a \(platform, account\)\s+ON a\.platform = c\.platform AND a\.account = t\.external_user_id')
           + regexp_count(body, '(UPDATE dw_(?:tool_runs|corrections) AS t SET [^;]*?external_user_id = ''erased'',)');
    IF found <> 4 THEN
        RAISE EXCEPTION 'dw_erase_person is not as this migration knows it: % places of 4', found;
    END IF;
    body := regexp_replace(
        body,
        'JOIN unnest\(p_platforms, p_accounts\) AS a \(platform, account\)\s+ON a\.platform = c\.platform AND a\.account = t\.external_user_id',
        'JOIN unnest(p_platforms, p_workspaces, p_accounts) AS a (platform, workspace, account)
          ON a.platform = c.platform AND a.workspace = coalesce(t.workspace_ref, c.workspace_ref) AND a.account = t.external_user_id',
        'g'
    );
    body := regexp_replace(
        body, '(UPDATE dw_(?:tool_runs|corrections) AS t SET [^;]*?external_user_id = ''erased'',)',
        '\1 workspace_ref = '''',', 'g'
    );
    EXECUTE body;
END
$$;
SET LOCAL ROLE dw_owner;
