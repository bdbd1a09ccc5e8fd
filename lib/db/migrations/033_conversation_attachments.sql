-- Images that came with messages and belong to their conversation alone: screenshots. A copy of a conversation has its own
-- under the same ids, so that its messages name them as they are.
create table conversation_attachments (
  conversation_id uuid not null references conversations (id),
  id uuid not null,
  -- Null: of a copied message.
  turn_id uuid references turns (id),
  mime text not null check (mime in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) between 1 and 5000000),
  created_at timestamptz not null default now(),
  primary key (conversation_id, id)
);
create index conversation_attachments_turn on conversation_attachments (turn_id) where turn_id is not null;
-- Images are compressed already.
alter table conversation_attachments alter column bytes set storage external;
