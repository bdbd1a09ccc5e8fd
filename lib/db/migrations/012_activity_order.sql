-- The activity is read by time, the latest first, out of five tables: each is walked along its own times.
create index tool_calls_time on tool_calls (created_at desc);
create index tool_calls_space_time on tool_calls (space_id, created_at desc);
create index audit_log_time on audit_log (at desc);
create index audit_log_space_time on audit_log (space_id, at desc);
create index messages_time on messages (created_at desc);
create index pending_changes_time on pending_changes (created_at desc);
create index pending_changes_decided on pending_changes (decided_at desc) where decided_at is not null;
