-- The id that a client gave its save, so that one whose answer was lost is told from somebody else's change. The chain of
-- hashes does not cover it: it says nothing of what was changed.
alter table audit_log add column save_id text;
