-- Spaces, the six kinds, links, agents, conversations, turns, pending changes and the audit log.
-- Ids are UUIDs (v7, made by the application). Composite foreign keys on (space_id, id) keep every reference inside
-- its Space. Text that a model wrote is kept as json, never jsonb: jsonb reorders keys and refuses \u0000.

create extension if not exists vector;

create table spaces (
  id uuid primary key,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> ''),
  description text not null default '',
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz
);
create unique index spaces_slug on spaces (slug) where deleted_at is null;

create table pages (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  body text not null default '',
  parent_id uuid,
  position integer not null default 0,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id),
  foreign key (space_id, parent_id) references pages (space_id, id),
  check (parent_id is distinct from id)
);
create index pages_parent on pages (parent_id) where parent_id is not null;

create table projects (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  body text not null default '',
  status text not null default 'active' check (status in ('active', 'on_hold', 'done', 'cancelled')),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);

create table tasks (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  body text not null default '',
  status text not null default 'open' check (status in ('open', 'in_progress', 'done', 'cancelled')),
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  due_on date,
  project_id uuid,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id),
  foreign key (space_id, project_id) references projects (space_id, id)
);
create index tasks_project on tasks (project_id) where project_id is not null;

create table refs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  url text,
  body text not null default '',
  author text,
  published_on date,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);

create table resources (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  kind text not null default 'other',
  url text,
  body text not null default '',
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);

create table source_docs (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  title text not null check (title <> ''),
  mime text not null default 'text/plain',
  text text not null default '',
  original bytea,
  sha256 text not null,
  metadata json not null default '{}',
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'owner' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  unique (space_id, id)
);

create index pages_space on pages (space_id, id) where deleted_at is null;
create index projects_space on projects (space_id, id) where deleted_at is null;
create index tasks_space on tasks (space_id, status, id) where deleted_at is null;
create index refs_space on refs (space_id, id) where deleted_at is null;
create index resources_space on resources (space_id, id) where deleted_at is null;
create index source_docs_space on source_docs (space_id, id) where deleted_at is null;

-- An imported original is evidence: its title may be corrected, its text and bytes may not.
create function refuse_source_text_change() returns trigger language plpgsql as $$
begin
  if new.text is distinct from old.text or new.original is distinct from old.original
     or new.sha256 is distinct from old.sha256 or new.mime is distinct from old.mime then
    raise exception 'the text of a source document never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger source_docs_text_is_fixed before update on source_docs
  for each row execute function refuse_source_text_change();

-- The names an entity answers to in a [[wikilink]]: its title, its aliases, its path in an imported folder.
-- `name` is normalised (see lib/links/normalize-name.ts). The names of a deleted entity are hidden, for its return.
create table entity_names (
  space_id uuid not null references spaces (id),
  entity_type text not null,
  entity_id uuid not null,
  name text not null,
  source text not null check (source in ('title', 'alias', 'path')),
  hidden boolean not null default false,
  primary key (entity_id, source, name)
);
create index entity_names_name on entity_names (space_id, name);

create table links (
  space_id uuid not null references spaces (id),
  from_type text not null,
  from_id uuid not null,
  ordinal integer not null,
  name text not null,
  label text,
  heading text,
  embed boolean not null default false,
  to_type text,
  to_id uuid,
  primary key (from_id, ordinal),
  check ((to_type is null) = (to_id is null))
);
create index links_to on links (space_id, to_id) where to_id is not null;
create index links_unresolved on links (space_id, name) where to_id is null;

create table agents (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> ''),
  kind text not null check (kind in ('companion', 'external')),
  model text,
  capabilities jsonb not null default '{"read": true, "suggest": true, "write": false}',
  scopes jsonb not null default '{"spaces": null}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table agent_tokens (
  id uuid primary key,
  agent_id uuid not null references agents (id),
  name text not null check (name <> ''),
  token_hash text not null unique,
  hint text not null,
  spaces uuid[],
  tier text not null default 'suggest' check (tier in ('read', 'suggest')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index agent_tokens_agent on agent_tokens (agent_id);

-- Browser sessions of the owner. A session dies with the owner token that opened it.
create table owner_sessions (
  token_hash text primary key,
  owner_token_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table conversations (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  agent_id uuid not null references agents (id),
  title text not null default '',
  summary text not null default '',
  status text not null default 'active' check (status in ('active', 'archived')),
  created_by text not null,
  started_at timestamptz not null default now(),
  last_activity_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (space_id, id)
);
create index conversations_recent on conversations (space_id, agent_id, last_activity_at desc)
  where deleted_at is null;

create table turns (
  id uuid primary key,
  space_id uuid not null,
  conversation_id uuid not null,
  agent_id uuid not null references agents (id),
  status text not null check (status in ('queued', 'running', 'done', 'failed', 'stopped')),
  idempotency_key text,
  body_hash text not null,
  attempt integer not null default 1 check (attempt > 0),
  lease_owner text,
  lease_until timestamptz,
  model text,
  stop_reason text,
  usage json,
  error json,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (space_id, conversation_id) references conversations (space_id, id),
  check ((status in ('queued', 'running')) = (finished_at is null))
);
create unique index turns_one_running on turns (conversation_id) where status = 'running';
create unique index turns_idempotency on turns (space_id, idempotency_key) where idempotency_key is not null;
create index turns_conversation on turns (conversation_id, id);

-- What the model and the tools said in a turn, in order: the provider's blocks, verbatim.
create table turn_steps (
  turn_id uuid not null references turns (id),
  seq integer not null,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  created_at timestamptz not null default now(),
  primary key (turn_id, seq)
);

create table messages (
  id uuid primary key,
  conversation_id uuid not null references conversations (id),
  turn_id uuid references turns (id),
  role text not null check (role in ('user', 'assistant')),
  body text not null,
  agent_id uuid references agents (id),
  metadata json not null default '{}',
  created_at timestamptz not null default now()
);
create index messages_conversation on messages (conversation_id, id);
create unique index messages_turn_role on messages (turn_id, role) where turn_id is not null;

create table tool_calls (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  agent_id uuid not null references agents (id),
  turn_id uuid references turns (id),
  tool_use_id text,
  name text not null,
  arguments json not null,
  result text not null default '',
  entity_type text,
  entity_id uuid,
  status text not null check (status in ('done', 'error')),
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz not null default now()
);
create index tool_calls_turn on tool_calls (turn_id);
create index tool_calls_space on tool_calls (space_id, id);

create table pending_changes (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  agent_id uuid not null references agents (id),
  conversation_id uuid references conversations (id),
  turn_id uuid references turns (id),
  tool_use_id text,
  changeset_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  action text not null check (action in ('create', 'update', 'delete')),
  payload text not null,
  payload_sha256 text not null check (payload_sha256 ~ '^[0-9a-f]{64}$'),
  base_version integer check (base_version > 0),
  reason text not null default '',
  provenance json not null default '[]',
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'superseded', 'retracted', 'expired', 'obsolete')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  decision json,
  result_version integer,
  check ((action = 'create') = (base_version is null)),
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'approved') = (result_version is not null))
);
create unique index pending_changes_call on pending_changes (turn_id, tool_use_id)
  where turn_id is not null and tool_use_id is not null;
create index pending_changes_space on pending_changes (space_id, status, id);
create index pending_changes_entity on pending_changes (entity_id) where status = 'pending';

-- A payload is what the owner was shown: once stored it cannot change, and a decision is made once.
create function refuse_change_of_payload() returns trigger language plpgsql as $$
begin
  if row(new.id, new.space_id, new.agent_id, new.entity_type, new.entity_id, new.action, new.payload,
         new.payload_sha256, new.base_version, new.reason, new.changeset_id)
     is distinct from
     row(old.id, old.space_id, old.agent_id, old.entity_type, old.entity_id, old.action, old.payload,
         old.payload_sha256, old.base_version, old.reason, old.changeset_id) then
    raise exception 'a stored pending change never changes' using errcode = 'check_violation';
  end if;
  if old.status <> 'pending' and new.status <> old.status then
    raise exception 'a decision is made once' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger pending_changes_payload_is_fixed before update on pending_changes
  for each row execute function refuse_change_of_payload();

-- The audit log: append-only, each row's hash covering the one before it. `audit_head` is its one mutable row and
-- serialises writers; whoever writes several entities in one transaction locks it first.
create table audit_log (
  seq bigint primary key,
  at timestamptz not null default clock_timestamp(),
  space_id uuid,
  actor text not null,
  action text not null,
  entity_type text not null,
  entity_id uuid not null,
  version integer,
  before text,
  after text,
  pending_change_id uuid,
  previous_hash text not null,
  hash text not null
);
create index audit_log_entity on audit_log (entity_id, seq);
create index audit_log_space on audit_log (space_id, seq);

create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq bigint not null,
  hash text not null
);
insert into audit_head (seq, hash) values (0, repeat('0', 64));

-- What a row's hash covers: every column but the hash itself, each with its length, so that no two rows read alike.
create function audit_line(entry audit_log) returns text language sql stable as $$
  select string_agg(coalesce(length(part)::text || ':' || part, '-'), ',' order by place)
  from unnest(array[
    entry.seq::text, to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), entry.space_id::text,
    entry.actor, entry.action, entry.entity_type, entry.entity_id::text, entry.version::text, entry.before,
    entry.after, entry.pending_change_id::text, entry.previous_hash
  ]) with ordinality as parts (part, place)
$$;

create function chain_audit_row() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into head from audit_head for update;
  new.seq := head.seq + 1;
  new.previous_hash := head.hash;
  new.hash := encode(sha256(convert_to(audit_line(new), 'UTF8')), 'hex');
  update audit_head set seq = new.seq, hash = new.hash;
  return new;
end $$;
create trigger audit_log_chain before insert on audit_log for each row execute function chain_audit_row();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();

insert into agents (id, slug, name, kind, capabilities)
values ('00000000-0000-7000-8000-000000000001', 'companion', 'Companion', 'companion',
        '{"read": true, "suggest": true, "write": false}');
