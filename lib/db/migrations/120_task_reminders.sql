-- When the owner is reminded of a task that is still to be done; null: not at all.
alter table tasks add column remind_at timestamptz;
create index tasks_remind_at on tasks (remind_at) where remind_at is not null and deleted_at is null;
