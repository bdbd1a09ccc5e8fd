-- Mail of a Space. A message is stored once, however many folders it is in, and never changes; where it lies on servers
-- is a row for each place, so that moving it there changes nothing here. Threads are made by ids: each Message-ID that a
-- message has or names belongs to one thread of the Space.

create table mail_accounts (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  address text not null check (address <> '' and length(address) <= 320),
  aliases text[] not null default '{}',
  host text not null,
  port integer not null check (port between 1 and 65535),
  security text not null check (security in ('tls', 'starttls', 'none')),
  username text not null,
  -- A reference to the secret, never the password.
  password text not null,
  -- Folders by path; null: the inbox, and the folders that the server calls sent and archive.
  folders text[],
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

create table mail_references (
  space_id uuid not null,
  -- Of a Message-ID, or of a provider's id of the thread.
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
  -- Of what makes it this message, wherever it lies.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  message_id text,
  title text not null,
  sent_at timestamptz not null,
  direction text not null check (direction in ('received', 'sent')),
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
create index mail_messages_deleted on mail_messages (id) where deleted_at is not null;

-- The message as it came, compressed; `whole` false: without its attachments, which are on the server.
create table mail_originals (
  message_id uuid primary key references mail_messages (id) on delete cascade,
  bytes bytea not null,
  whole boolean not null
);
alter table mail_originals alter column bytes set storage external;

create table mail_folders (
  id uuid primary key,
  account_id uuid not null references mail_accounts (id) on delete cascade,
  path text not null check (length(path) <= 1000),
  -- Null: not looked at yet.
  uid_validity bigint,
  uid_next bigint,
  highest_modseq text,
  -- Whether everything that was there has been taken in.
  complete boolean not null default false,
  -- The server has made the folder anew: what was found in it before counts until the new one is complete.
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
