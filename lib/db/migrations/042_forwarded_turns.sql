-- Turns that belong to a conversation of another Space than the one their message was sent in, which is this one.
create table forwarded_turns (
  turn_id uuid primary key references turns (id),
  space_id uuid not null references spaces (id),
  -- The key is one of that Space; the turn itself has none.
  idempotency_key text
);
create unique index forwarded_turns_idempotency on forwarded_turns (space_id, idempotency_key)
  where idempotency_key is not null;
