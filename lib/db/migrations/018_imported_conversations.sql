-- Conversations from the exports of other products. They are archived for good: nobody answers in them, and no message is
-- routed to them.

create table imported_conversations (
  conversation_id uuid primary key references conversations (id),
  space_id uuid not null references spaces (id),
  product text not null check (product in ('chatgpt', 'claude')),
  -- Of the conversation in the export, so that a later export brings it in once.
  key text not null check (length(key) between 1 and 200),
  -- Of its title and messages, by which a later export with more is known.
  sha256 text not null,
  unique (space_id, product, key)
);
