-- A call that was cut off has a row, too; of one whose server died nobody measured how long it ran.
alter table tool_calls drop constraint tool_calls_status_check;
alter table tool_calls add constraint tool_calls_status_check check (status in ('done', 'error', 'cancelled'));
alter table tool_calls alter column duration_ms drop not null;
-- Where what a call read or marked begins, so that its record opens there.
alter table tool_calls add column passage text check (char_length(passage) <= 300);

-- The activity of one thing, and the calls that came to nothing.
create index tool_calls_target_time on tool_calls (entity_id, created_at desc) where entity_id is not null;
create index tool_calls_unfinished_time on tool_calls (created_at desc) where status <> 'done';
create index pending_changes_target on pending_changes (entity_id, created_at desc);
