-- What an answer said before the owner edited it. Its message has the newest text.

create table answer_versions (
  message_id uuid not null references messages (id) on delete cascade,
  -- From 1: what the companion wrote.
  version integer not null check (version > 0),
  body text not null,
  citations json not null,
  replaced_at timestamptz not null,
  primary key (message_id, version)
);
