-- Mail of a Space. A message is stored once, however many folders it is in, and never changes; each place where it is on a
-- server is a row of its own, so that moving it there changes nothing here.

create table mail_accounts (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  address text not null check (address <> '' and length(address) <= 320),
  aliases text[] not null default '{}',
  host text not null,
  port integer not null check (port between 1 and 65535),
  security text not null check (security in ('tls', 'starttls', 'none')),
  username text not null,
  -- A reference to the secret, never the password. With `oauth`, to the refresh token.
  password text not null,
  -- For sign-in by OAuth (XOAUTH2): the token endpoint and the client, whose secret is a reference, too.
  oauth jsonb check (oauth is null or jsonb_typeof(oauth) = 'object'),
  -- Folders by path; null: the inbox, and those that the server calls sent and archive.
  folders text[],
  -- Whether approved replies may be put into the Drafts folder.
  drafts_allowed boolean not null default false,
  state text not null default 'waiting'
    check (state in ('waiting', 'connecting', 'syncing', 'watching', 'retrying', 'stopped', 'paused')),
  error text,
  last_sync_at timestamptz,
  -- When the owner last asked for a sync.
  sync_requested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index mail_accounts_address on mail_accounts (space_id, lower(address));

create table mail_threads (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text not null default 'system:mail',
  updated_by text not null default 'system:mail',
  origin text not null default 'mail',
  deleted_at timestamptz,
  title text not null,
  -- The subject without `Re:` and its like.
  base_subject text not null,
  -- Whether it begins with an answer that names no message.
  headless boolean not null,
  messages integer not null default 0,
  last_message_at timestamptz not null,
  unique (space_id, id)
);
create index mail_threads_latest on mail_threads (space_id, last_message_at desc, id desc);
create index mail_threads_subject on mail_threads (space_id, md5(base_subject)) where base_subject <> '';

-- Each Message-ID that a message has or names belongs to one thread of the Space, and so does a provider's thread id.
create table mail_references (
  space_id uuid not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  thread_id uuid not null,
  primary key (space_id, sha256),
  foreign key (space_id, thread_id) references mail_threads (space_id, id) on delete cascade
);
create index mail_references_thread on mail_references (thread_id);

create table mail_messages (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  -- When it was sent.
  updated_at timestamptz not null,
  created_by text not null default 'system:mail',
  updated_by text not null default 'system:mail',
  origin text not null default 'mail',
  deleted_at timestamptz,
  thread_id uuid not null,
  -- Where it was found; null: it was imported, or its account is gone.
  account_id uuid references mail_accounts (id) on delete set null,
  -- Of what makes it this message, wherever it is.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  message_id text,
  title text not null,
  sent_at timestamptz not null,
  direction text not null check (direction in ('received', 'sent')),
  -- Whether an import says that its owner sent it; there may be no account that tells.
  sent_by_import boolean not null default false,
  from_name text not null,
  from_address text not null,
  recipients jsonb not null,
  cc jsonb not null,
  -- All addresses, in lower case.
  people text[] not null,
  text text not null,
  attachments jsonb not null,
  -- Whether a program or a list sent it.
  automated boolean not null,
  -- Whether it came in by an import, and stays when no server has it.
  imported boolean not null,
  unique (space_id, fingerprint),
  foreign key (space_id, thread_id) references mail_threads (space_id, id)
);
create index mail_messages_thread on mail_messages (thread_id, sent_at, id);
create index mail_messages_latest on mail_messages (space_id, sent_at desc);
create index mail_messages_account on mail_messages (account_id) where account_id is not null;
create index mail_messages_message_id on mail_messages (space_id, message_id) where message_id is not null;
create index mail_messages_deleted on mail_messages (id) where deleted_at is not null;
-- The addresses that use a name: the glance ignores a sender who has the name of another one.
create index mail_messages_sender_address
  on mail_messages (space_id, lower(from_name), lower(from_address)) where deleted_at is null;
-- New mail since the glance last looked.
create index mail_messages_stored on mail_messages (space_id, created_at) where direction = 'received';

-- The message as it came, compressed. `whole` false: without its attachments, which are on the server.
create table mail_originals (
  message_id uuid primary key references mail_messages (id) on delete cascade,
  bytes bytea not null,
  whole boolean not null
);
alter table mail_originals alter column bytes set storage external;

-- Text of attachments that was asked for.
create table mail_attachment_texts (
  message_id uuid not null references mail_messages (id) on delete cascade,
  number integer not null check (number > 0),
  text text not null,
  problem text,
  created_at timestamptz not null default now(),
  primary key (message_id, number)
);

create table mail_folders (
  id uuid primary key,
  account_id uuid not null references mail_accounts (id) on delete cascade,
  path text not null check (length(path) <= 1000),
  -- Null: not synced yet.
  uid_validity bigint,
  uid_next bigint,
  highest_modseq text,
  -- Whether everything that was there has been taken in.
  complete boolean not null default false,
  -- The server made the folder anew: this one's messages count until the new one is complete.
  replaced boolean not null default false
);
create unique index mail_folders_path on mail_folders (account_id, path) where not replaced;

-- A message in a folder of a server. `message_id` null: it could not be read, and `problem` says why.
create table mail_locations (
  folder_id uuid not null references mail_folders (id) on delete cascade,
  uid bigint not null,
  message_id uuid references mail_messages (id) on delete cascade,
  flags text[] not null default '{}',
  problem text,
  primary key (folder_id, uid)
);
create index mail_locations_message on mail_locations (message_id);

-- The folder and flags that an import's files name.
create table mail_imported_places (
  message_id uuid not null references mail_messages (id) on delete cascade,
  folder text not null check (folder <> '' and length(folder) <= 1000),
  flags text[] not null default '{}',
  primary key (message_id, folder)
);

-- Places of messages: on servers, or else where an import found them.
create view mail_places as
  select message_id, flags from mail_locations where message_id is not null
  union all
  select message_id, flags from mail_imported_places p
  where not exists (select from mail_locations l where l.message_id = p.message_id);

-- Approved replies. A reply never changes; its delivery puts it into the Drafts folder of its account once, or says why it
-- is only here.
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
  -- `file`: only here, to be sent by hand; `unknown`: cut off, and it cannot be told whether it arrived.
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
