-- What people do with items and memories, and the steps that no code may take.

ALTER TABLE dw_learning_items
    ADD COLUMN claimed_by uuid,
    ADD COLUMN claimed_until timestamptz,
    ADD COLUMN escalated_at timestamptz,
    ADD COLUMN edited_by uuid[] NOT NULL DEFAULT '{}',
    ADD COLUMN reject_reason text
        CHECK (reject_reason IN ('wrong', 'not_lasting', 'duplicate', 'not_ours', 'private', 'other')),
    ADD COLUMN undone_at timestamptz,
    ADD COLUMN copy_of uuid,
    ADD FOREIGN KEY (org_id, copy_of) REFERENCES dw_learning_items (org_id, id),
    ADD FOREIGN KEY (org_id, claimed_by) REFERENCES dw_org_members (org_id, user_id),
    ADD CHECK ((claimed_by IS NULL) = (claimed_until IS NULL)),
    ADD CHECK (undone_at IS NULL OR status IN ('approved', 'rejected'));
-- What replaces a row is written after the row has made room for it: references are checked at commit.
ALTER TABLE dw_learning_items
    ALTER CONSTRAINT dw_learning_items_org_id_superseded_by_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE dw_agent_memories
    ALTER CONSTRAINT dw_agent_memories_org_id_superseded_by_fkey DEFERRABLE INITIALLY DEFERRED;
-- A page of the inbox is read in this order, and repeats of what was rejected are looked up by their signal.
CREATE INDEX dw_learning_items_waiting ON dw_learning_items (
    org_id, status, (coalesce(due_at, created_at)), id
) WHERE published_at IS NOT NULL;
CREATE INDEX dw_learning_items_rejected ON dw_learning_items (org_id, role_agent_id, dedupe_key, decided_at)
    WHERE status = 'rejected' AND dedupe_key IS NOT NULL;
CREATE INDEX dw_learning_items_expiry ON dw_learning_items (org_id, expires_at) WHERE status = 'pending';

-- R146: a decided item stays as it was decided.
CREATE FUNCTION dw_item_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' AND NEW.status <> OLD.status THEN
        RAISE EXCEPTION 'an item that was % cannot become %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER dw_learning_items_step BEFORE UPDATE OF status ON dw_learning_items
    FOR EACH ROW EXECUTE FUNCTION dw_item_step();

-- What ended comes back by a restore alone; it never ends in another way, but for a text that is taken away for good.
CREATE FUNCTION dw_memory_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> NEW.status AND OLD.status <> 'active' AND NEW.status <> 'active'
        AND NOT (NEW.status = 'deleted' AND coalesce(NEW.delete_reason, '') IN ('erased', 'purged')) THEN
        RAISE EXCEPTION 'a memory that was % cannot become %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER dw_agent_memories_step BEFORE UPDATE OF status ON dw_agent_memories
    FOR EACH ROW EXECUTE FUNCTION dw_memory_step();

ALTER TABLE dw_memory_revisions DROP CONSTRAINT dw_memory_revisions_change_kind_check;
ALTER TABLE dw_memory_revisions ADD CONSTRAINT dw_memory_revisions_change_kind_check CHECK (change_kind IN (
    'create', 'edit', 'confirm', 'reject', 'supersede', 'delete', 'archive', 'promote', 'restore', 'expire', 'undo'
));

-- A tombstone that was lifted stays on record. `similarity_text` is the signal of its text: near-equal texts share it.
ALTER TABLE dw_memory_tombstones ADD COLUMN lifted_at timestamptz, ADD COLUMN lifted_by text,
    ADD COLUMN item_id uuid, ADD FOREIGN KEY (org_id, item_id) REFERENCES dw_learning_items (org_id, id);
CREATE INDEX dw_memory_tombstones_signal ON dw_memory_tombstones (org_id, role_agent_id, similarity_text)
    WHERE lifted_at IS NULL;
CREATE INDEX dw_memory_feedback_rejecters ON dw_memory_feedback (org_id, memory_id, action, at);

-- What a person did, with what was there before, so that it can be taken back within moments (C63). Without texts: a
-- revision is named instead.
CREATE TABLE dw_acts (
    org_id uuid NOT NULL,
    id uuid NOT NULL,
    role_agent_id uuid,
    item_id uuid,
    actor_user_id uuid NOT NULL,
    act text NOT NULL,
    changes jsonb NOT NULL CHECK (jsonb_typeof(changes) = 'array'),
    at timestamptz NOT NULL,
    undone_at timestamptz,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, role_agent_id) REFERENCES dw_role_agents (org_id, id),
    FOREIGN KEY (org_id, item_id) REFERENCES dw_learning_items (org_id, id),
    FOREIGN KEY (org_id, actor_user_id) REFERENCES dw_org_members (org_id, user_id)
);
CREATE INDEX dw_acts_item ON dw_acts (org_id, item_id) WHERE item_id IS NOT NULL;
ALTER TABLE dw_acts ENABLE ROW LEVEL SECURITY;
ALTER TABLE dw_acts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dw_acts TO dw_app
    USING (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]))
    WITH CHECK (org_id = ANY (nullif(current_setting('app.org_ids', TRUE), '')::uuid[]));
GRANT SELECT, INSERT ON dw_acts TO dw_app;
GRANT UPDATE (undone_at) ON dw_acts TO dw_app;

-- Scheduled work asks for the orgs in which something is to be done; it learns ids and nothing else.
CREATE FUNCTION dw_org_ids() RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id FROM dw_orgs AS o ORDER BY o.id
$$;
REVOKE ALL ON FUNCTION dw_org_ids() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dw_org_ids() TO dw_app;
