-- A call has its record from its beginning: pending, then as it ended.
alter table tool_calls drop constraint tool_calls_status_check;
alter table tool_calls add constraint tool_calls_status_check
  check (status in ('pending', 'done', 'error', 'cancelled')) not valid;
