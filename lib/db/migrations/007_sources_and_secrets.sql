-- MCP servers that Spaces use, what their tools answered, approved calls, and the owner's secrets.

create table sources (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  name text not null check (name <> '' and length(name) <= 80),
  transport text not null check (transport in ('stdio', 'http')),
  command text,
  args jsonb not null default '[]',
  env jsonb not null default '{}',
  url text,
  headers jsonb not null default '{}',
  enabled boolean not null default true,
  -- `sign_in`: the owner has to sign in to it.
  status text not null default 'untested' check (status in ('untested', 'ok', 'failed', 'sign_in')),
  last_error text,
  checked_at timestamptz,
  -- Void's client at the authorization server, for one that does not let it register itself.
  oauth_client_id text check (length(oauth_client_id) between 1 and 500),
  -- A reference to a secret, or the secret, as values of headers are.
  oauth_client_secret text check (length(oauth_client_secret) between 1 and 8000),
  signed_in_at timestamptz,
  sign_in_issuer text check (length(sign_in_issuer) <= 2000),
  -- End of access that cannot be renewed; null: it can, or is not known.
  sign_in_ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((transport = 'stdio') = (command is not null)),
  check ((transport = 'http') = (url is not null)),
  check (octet_length(args::text) + octet_length(env::text) + octet_length(headers::text) <= 64000),
  check ((signed_in_at is null) = (sign_in_issuer is null)),
  check (transport = 'http' or (oauth_client_id is null and signed_in_at is null))
);
create unique index sources_name on sources (space_id, lower(name));

-- The tools of sources, as the owner last saw them.
create table source_tools (
  source_id uuid not null references sources (id) on delete cascade,
  name text not null check (name <> '' and length(name) <= 128),
  -- What the policy applies to: canonical JSON, and its hash.
  definition text not null check (octet_length(definition) <= 65536),
  sha256 text not null check (sha256 = encode(sha256(convert_to(definition, 'UTF8')), 'hex')),
  -- The server's present definition, where it differs and the owner has not accepted it.
  new_definition text check (octet_length(new_definition) <= 65536),
  new_sha256 text check (new_sha256 = encode(sha256(convert_to(new_definition, 'UTF8')), 'hex')),
  -- `read`: may be called freely; `ask`: each call waits for the owner.
  policy text not null check (policy in ('off', 'read', 'ask')),
  -- Whether the owner set the policy.
  decided boolean not null default false,
  -- Whether the server had it when it was last asked.
  offered boolean not null default true,
  primary key (source_id, name),
  check ((new_definition is null) = (new_sha256 is null)),
  check (decided or policy <> 'read')
);

-- What tools of sources answered: text from outside, verbatim, for the turn that asked and for its citations.
create table tool_results (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  source_id uuid references sources (id) on delete set null,
  source_name text not null,
  tool text not null,
  arguments text not null,
  text text not null check (octet_length(text) <= 1048576),
  -- Whether the text is longer there.
  cut boolean not null,
  failed boolean not null,
  agent_id uuid not null references agents (id),
  turn_id uuid references turns (id),
  tool_use_id text,
  -- The source document that the owner made of it.
  kept_as uuid,
  created_at timestamptz not null
);
create index tool_results_turn on tool_results (turn_id) where turn_id is not null;
create index tool_results_source on tool_results (source_id) where source_id is not null;

create function tool_result_is_fixed() returns trigger language plpgsql as $$
begin
  if (new.space_id, new.source_name, new.tool, new.arguments, new.text, new.turn_id)
     is distinct from (old.space_id, old.source_name, old.tool, old.arguments, old.text, old.turn_id) then
    raise exception 'a stored tool result never changes' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger tool_results_are_fixed before update on tool_results
  for each row execute function tool_result_is_fixed();

-- Approved calls of outside tools. A call never changes; its run goes from approved through running to its end and never
-- back, so that no call is made twice.
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
  -- The tool's definition when it was approved.
  tool_sha256 text not null,
  arguments text not null,
  unique (space_id, id)
);

create table call_runs (
  call_id uuid primary key references calls (id) on delete cascade,
  -- `unknown`: the server died while it ran.
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

-- Sealed: the database holds nothing that opens them. A source's own (`source_id`) are in none of the owner's lists, under
-- names that an owner cannot choose.
create table secrets (
  name text primary key,
  source_id uuid references sources (id) on delete cascade,
  -- The master key that wraps `wrapped_key`.
  master_id text not null check (master_id ~ '^[0-9a-f]{16}$'),
  wrapped_key bytea not null check (octet_length(wrapped_key) = 60),
  sealed bytea not null check (octet_length(sealed) between 29 and 70000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz,
  constraint secrets_name_check check (
    case
      when source_id is null then name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'
      else name ~ '^source/[0-9a-f-]{36}/[a-z-]{1,20}$'
    end
  )
);
create index secrets_source on secrets (source_id) where source_id is not null;
