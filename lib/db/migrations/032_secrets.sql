-- Secrets of the owner, sealed: the database holds nothing that opens them.
create table secrets (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'),
  -- Which master key wraps `wrapped_key`.
  master_id text not null check (master_id ~ '^[0-9a-f]{16}$'),
  wrapped_key bytea not null check (octet_length(wrapped_key) = 60),
  sealed bytea not null check (octet_length(sealed) between 29 and 70000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz
);
