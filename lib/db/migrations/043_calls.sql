-- Calls of outside tools that wait for the owner. An approved one is a row of `calls`, which never changes, and a run,
-- which goes from approved through running to its end and never back: no call is made twice.
alter table pending_changes drop constraint pending_changes_action_check;
alter table pending_changes add constraint pending_changes_action_check
  check (action in ('create', 'update', 'delete', 'call'));
do $$
declare
  stale text;
begin
  select conname into stale
  from pg_constraint
  where conrelid = 'pending_changes'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) ~ '\(action = ''create''::text\) = \(base_version IS NULL\)';
  execute format('alter table pending_changes drop constraint %I', stale);
end $$;
alter table pending_changes add constraint pending_changes_new_has_no_base
  check ((action in ('create', 'call')) = (base_version is null));

create table calls (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  title text not null,
  source text not null,
  source_id uuid not null,
  tool text not null,
  tool_sha256 text not null,
  arguments text not null,
  unique (space_id, id)
);

create table call_runs (
  call_id uuid primary key references calls (id) on delete cascade,
  state text not null default 'approved' check (state in ('approved', 'running', 'done', 'failed', 'unknown')),
  error text,
  result_id uuid references tool_results (id),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index call_runs_open on call_runs (created_at) where state in ('approved', 'running');

create function begin_call_run() returns trigger language plpgsql as $$
begin
  insert into call_runs (call_id) values (new.id);
  return new;
end $$;
create trigger calls_are_run after insert on calls for each row execute function begin_call_run();

create function call_run_goes_on() returns trigger language plpgsql as $$
begin
  if not (
    (old.state = 'approved' and new.state in ('running', 'failed'))
    or (old.state = 'running' and new.state in ('done', 'failed', 'unknown'))
  ) then
    raise exception 'a call goes from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger call_runs_go_on before update on call_runs for each row execute function call_run_goes_on();
