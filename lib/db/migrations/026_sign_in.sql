-- Sessions can be listed and end when they are not used; codes sign in once in place of the owner's token.

alter table owner_sessions
  add column id uuid not null default gen_random_uuid() unique,
  add column device text not null default '',
  add column last_used_at timestamptz not null default now();

create table sign_in_codes (
  code_hash text primary key,
  owner_token_hash text not null,
  expires_at timestamptz not null
);
