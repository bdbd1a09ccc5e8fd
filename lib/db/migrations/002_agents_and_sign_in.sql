-- Agents (the owner's companions, and programs from outside), their tokens, and how the owner signs in. Tokens, codes and
-- sessions are stored as hashes alone.

create table agents (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80),
  name text not null check (name <> ''),
  kind text not null check (kind in ('companion', 'external')),
  model text,
  capabilities jsonb not null default '{"read": true, "suggest": true, "write": false}',
  -- Ids of the Spaces it may read; null: all.
  scopes jsonb not null default '{"spaces": null}',
  instructions text not null default '' check (length(instructions) <= 8000),
  -- Names of the tools it is offered; null: all that its tier allows.
  tools text[],
  color text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted one stays, because messages and drafts name it.
  deleted_at timestamptz,
  constraint agents_first_companion_stays check (slug <> 'companion' or deleted_at is null)
);

insert into agents (id, slug, name, kind, capabilities)
values ('00000000-0000-7000-8000-000000000001', 'companion', 'Companion', 'companion',
        '{"read": true, "suggest": true, "write": false}');

-- A program that was connected by OAuth has one row for its grant, which its access tokens come and go beneath.
create table agent_tokens (
  id uuid primary key,
  agent_id uuid not null references agents (id),
  name text not null check (name <> ''),
  token_hash text unique,
  -- The token's last characters.
  hint text not null,
  -- Null: those of the agent.
  spaces uuid[],
  tier text not null default 'suggest' check (tier in ('read', 'suggest')),
  -- Of OAuth.
  grant_id text unique,
  client_id text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint agent_tokens_secret check ((token_hash is null) = (grant_id is not null)),
  constraint agent_tokens_client check ((client_id is null) = (grant_id is null))
);
create index agent_tokens_agent on agent_tokens (agent_id);
create index agent_tokens_client on agent_tokens (client_id) where client_id is not null;

-- Clients, grants, codes and tokens of the OAuth authorization server. An id that is a secret is stored as its hash.
create table oauth_records (
  kind text not null,
  id text not null,
  payload jsonb not null check (octet_length(payload::text) <= 32000),
  grant_id text,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (kind, id)
);
create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_expiry on oauth_records (expires_at) where expires_at is not null;

-- Browser sessions of the owner. A session ends with the owner token that opened it.
create table owner_sessions (
  token_hash text primary key,
  id uuid not null default gen_random_uuid() unique,
  owner_token_hash text not null,
  device text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- When the owner last proved to be there, by signing in or by a passkey.
  confirmed_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Codes of sign-in links, each good for one sign-in.
create table sign_in_codes (
  code_hash text primary key,
  owner_token_hash text not null,
  expires_at timestamptz not null
);

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  host text not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

-- Challenges that wait for a passkey's answer.
create table passkey_challenges (
  challenge_hash text primary key,
  purpose text not null check (purpose in ('sign_in', 'confirm', 'add')),
  -- Null: a sign-in, which has no session yet.
  session_id uuid references owner_sessions (id) on delete cascade,
  owner_token_hash text not null,
  expires_at timestamptz not null,
  check ((session_id is null) = (purpose = 'sign_in'))
);
