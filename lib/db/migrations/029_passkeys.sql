-- Passkeys that confirm a sign-in, the challenges that wait for their answer, and when a session was last confirmed.

alter table owner_sessions add column confirmed_at timestamptz not null default now();
update owner_sessions set confirmed_at = created_at;

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

-- One of a sign-in has no session yet.
create table passkey_challenges (
  challenge_hash text primary key,
  purpose text not null check (purpose in ('sign_in', 'confirm', 'add')),
  session_id uuid references owner_sessions (id) on delete cascade,
  owner_token_hash text not null,
  expires_at timestamptz not null,
  check ((session_id is null) = (purpose = 'sign_in'))
);
