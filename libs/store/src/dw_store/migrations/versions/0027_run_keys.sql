-- Whoever revokes a leaked key ends what was begun with it, by whichever way the key is revoked: command, file, removal of
-- a person. Runs live up to an hour (C74); without this, so would what a stranger may read and propose.
ALTER TABLE dw_api_keys ADD CONSTRAINT dw_api_keys_of_org UNIQUE (org_id, id);
ALTER TABLE dw_agent_run_tokens ADD COLUMN key_id uuid,
    ADD FOREIGN KEY (org_id, key_id) REFERENCES dw_api_keys (org_id, id);
CREATE INDEX dw_agent_run_tokens_key ON dw_agent_run_tokens (org_id, key_id)
    WHERE revoked_at IS NULL AND key_id IS NOT NULL;

CREATE FUNCTION dw_revoke_runs_of_key() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    UPDATE dw_agent_run_tokens SET revoked_at = NEW.revoked_at
    WHERE org_id = NEW.org_id AND key_id = NEW.id AND revoked_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER dw_api_keys_revoke_runs AFTER UPDATE OF revoked_at ON dw_api_keys
    FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
    EXECUTE FUNCTION dw_revoke_runs_of_key();
