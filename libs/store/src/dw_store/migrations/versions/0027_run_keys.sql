-- Whoever revokes a leaked key ends what was begun with it. Runs live up to an hour (C74); without this, so would what a
-- stranger may read and propose. A run is live while its key is: asked at each use, so that no order of revoking and starting
-- slips between.
ALTER TABLE dw_api_keys ADD CONSTRAINT dw_api_keys_of_org UNIQUE (org_id, id);
ALTER TABLE dw_agent_run_tokens ADD COLUMN key_id uuid,
    ADD FOREIGN KEY (org_id, key_id) REFERENCES dw_api_keys (org_id, id);
