-- When the words of a deleted conversation were removed for good. What its turns used still counts, and its drafts stay.
alter table conversations add column purged_at timestamptz;
