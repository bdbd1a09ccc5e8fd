-- The text of attachments that were asked for. They stay with the message, or with its server.
create table mail_attachment_texts (
  message_id uuid not null references mail_messages (id) on delete cascade,
  number integer not null check (number > 0),
  text text not null,
  problem text,
  created_at timestamptz not null default now(),
  primary key (message_id, number)
);
