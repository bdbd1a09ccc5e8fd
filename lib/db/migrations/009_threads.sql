-- Threads that find themselves: who gave a conversation its title, when the owner last chose it by hand, and every
-- decision of the router with what it knew.

alter table conversations
  add column titled_by text not null default 'words' check (titled_by in ('words', 'model', 'owner')),
  add column chosen_at timestamptz;

-- Of the titles that are there, any may be the owner's.
update conversations set titled_by = 'owner' where title <> '';

-- `known` and `answer` hold what a model or an import may have written: text and json, never jsonb.
create table routing_decisions (
  id uuid primary key,
  space_id uuid not null,
  turn_id uuid not null unique references turns (id),
  conversation_id uuid not null,
  active_id uuid,
  choice text not null check (choice in ('continue', 'resume', 'new')),
  decided_by text not null check (decided_by in ('obvious', 'model', 'rules', 'fallback')),
  reason text not null,
  known json not null,
  model text,
  answer text,
  duration_ms integer not null check (duration_ms >= 0),
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_to uuid,
  foreign key (space_id, conversation_id) references conversations (space_id, id),
  foreign key (space_id, active_id) references conversations (space_id, id),
  foreign key (space_id, undone_to) references conversations (space_id, id),
  check ((undone_at is null) = (undone_to is null))
);
create index routing_decisions_space on routing_decisions (space_id, id);
