-- MCP servers that a Space uses, and their tools as they were when the owner last looked at them.
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
  status text not null default 'untested' check (status in ('untested', 'ok', 'failed')),
  last_error text,
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((transport = 'stdio') = (command is not null)),
  check ((transport = 'http') = (url is not null)),
  check (octet_length(args::text) + octet_length(env::text) + octet_length(headers::text) <= 64000)
);
create unique index sources_name on sources (space_id, lower(name));

create table source_tools (
  source_id uuid not null references sources (id) on delete cascade,
  name text not null check (name <> '' and length(name) <= 128),
  -- What the policy is for: canonical JSON, and its hash.
  definition text not null check (octet_length(definition) <= 65536),
  sha256 text not null check (sha256 = encode(sha256(convert_to(definition, 'UTF8')), 'hex')),
  -- What the server offers now, where that is something else and the owner has not accepted it.
  new_definition text check (octet_length(new_definition) <= 65536),
  new_sha256 text check (new_sha256 = encode(sha256(convert_to(new_definition, 'UTF8')), 'hex')),
  policy text not null check (policy in ('off', 'read', 'ask')),
  -- Whether the server offered it when it was last asked.
  offered boolean not null default true,
  primary key (source_id, name),
  check ((new_definition is null) = (new_sha256 is null))
);
