-- What the authorization server stores: clients, grants, codes, tokens. An id that is a secret is stored as its hash.
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

-- A program that was connected by OAuth has one row for its grant: its access tokens come and go beneath it.
alter table agent_tokens
  alter column token_hash drop not null,
  add column grant_id text unique,
  add column client_id text,
  add constraint agent_tokens_secret check ((token_hash is null) = (grant_id is not null)),
  add constraint agent_tokens_client check ((client_id is null) = (grant_id is null));
create index agent_tokens_client on agent_tokens (client_id) where client_id is not null;
