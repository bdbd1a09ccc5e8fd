-- Messages that imports bring in: known again by their Message-ID, and with the folder and flags that their files name.
create index mail_messages_message_id on mail_messages (space_id, message_id) where message_id is not null;

create table mail_imported_places (
  message_id uuid not null references mail_messages (id) on delete cascade,
  folder text not null check (folder <> '' and length(folder) <= 1000),
  flags text[] not null default '{}',
  primary key (message_id, folder)
);

-- Where messages lie: on servers, or else where an import found them.
create view mail_places as
  select message_id, flags from mail_locations where message_id is not null
  union all
  select message_id, flags from mail_imported_places p
  where not exists (select from mail_locations l where l.message_id = p.message_id);

-- Messages of one conversation were one page before.
update import_outcomes set outcome = 'unchanged' where outcome = 'joined';
