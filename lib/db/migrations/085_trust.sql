-- Whether the owner vouches for what comes from an import (by its source), a mail account or a connected source. Without
-- a row here nobody does.
create table trusted_origins (
  space_id uuid not null references spaces (id),
  kind text not null check (kind in ('import', 'mail', 'source')),
  -- The source of an import; the id of an account or a source.
  key text not null check (key <> '' and length(key) <= 500),
  trust text not null check (trust in ('own', 'outside')),
  primary key (space_id, kind, key)
);
