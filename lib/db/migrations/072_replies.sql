-- Replies to mail that the owner approved. One is a row of `replies`, which never changes, and a delivery, which puts it
-- into the Drafts folder of its account once, or says why it is only here.
alter table mail_accounts add column drafts_allowed boolean not null default false;

create table replies (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null,
  updated_by text not null,
  origin text not null default 'agent' check (origin in ('owner', 'agent', 'import', 'mail', 'web', 'mcp')),
  deleted_at timestamptz,
  title text not null,
  from_address text not null default '',
  to_addresses text not null,
  cc_addresses text not null default '',
  subject text not null,
  body text not null,
  quoted text not null default '',
  in_reply_to text not null default '',
  reference_ids text not null default '',
  -- The message that it answers, which may be gone by now.
  answers_id uuid not null,
  unique (space_id, id)
);
create index replies_answers on replies (space_id, answers_id);

create table reply_deliveries (
  reply_id uuid primary key references replies (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'file', 'failed', 'unknown')),
  error text,
  failures integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Set before the message is sent to the server: the folder as it was then, by which an attempt that was cut off can
  -- tell whether the message arrived.
  folder text,
  uid_validity text,
  uid_next text,
  sent_at timestamptz,
  check ((sent_at is null) = (uid_next is null) and (sent_at is null) = (uid_validity is null))
);
create index reply_deliveries_waiting on reply_deliveries (next_attempt_at) where state = 'waiting';

create function begin_reply_delivery() returns trigger language plpgsql as $$
begin
  insert into reply_deliveries (reply_id) values (new.id);
  return new;
end $$;
create trigger replies_are_delivered after insert on replies
  for each row execute function begin_reply_delivery();

-- The glance looks for replies among the drafts of a Space that wait.
create index pending_changes_replies on pending_changes (space_id) where entity_type = 'reply' and status = 'pending';
