-- Nobody approves their own version of a soul (C61). NULL: the default one, which every org begins with.
ALTER TABLE dw_agent_soul_versions ADD COLUMN proposed_by uuid;
ALTER TABLE dw_agent_soul_versions ADD FOREIGN KEY (org_id, proposed_by) REFERENCES dw_org_members (org_id, user_id);

-- License, compatibility and other keys of an imported folder (C82); nothing here grants anything.
ALTER TABLE dw_agent_skill_versions ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
