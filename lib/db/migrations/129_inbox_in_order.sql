-- The two halves of the Inbox are read in their order: before, each list sorted all drafts of its half.

create index if not exists pending_changes_waiting
  on pending_changes (coalesce(decided_at, created_at) desc, id desc) where status = 'pending';

create index if not exists pending_changes_settled
  on pending_changes (coalesce(decided_at, created_at) desc, id desc) where status <> 'pending';
