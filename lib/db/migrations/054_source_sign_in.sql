-- Sources over http that the owner signs in to by OAuth.
alter table sources
  -- What the authorization server knows Void by, where it does not let it register itself.
  add column oauth_client_id text check (length(oauth_client_id) between 1 and 500),
  -- A reference to a secret, or the secret, as values of headers are.
  add column oauth_client_secret text check (length(oauth_client_secret) between 1 and 8000),
  add column signed_in_at timestamptz,
  add column sign_in_issuer text check (length(sign_in_issuer) <= 2000),
  -- When the access ends and cannot be renewed; null: it is renewed, or nobody said.
  add column sign_in_ends_at timestamptz,
  add check ((signed_in_at is null) = (sign_in_issuer is null)),
  add check (transport = 'http' or (oauth_client_id is null and signed_in_at is null)),
  drop constraint sources_status_check,
  add constraint sources_status_check check (status in ('untested', 'ok', 'failed', 'sign_in'));

-- What Void keeps for a source is sealed as the owner's secrets are, and in none of their lists: its name is none that an
-- owner can choose.
alter table secrets
  add column source_id uuid references sources (id) on delete cascade,
  drop constraint secrets_name_check,
  add constraint secrets_name_check check (
    case
      when source_id is null then name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'
      else name ~ '^source/[0-9a-f-]{36}/[a-z-]{1,20}$'
    end
  );
create index secrets_source on secrets (source_id) where source_id is not null;
