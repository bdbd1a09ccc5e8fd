-- An export says which messages its owner sent: what it is imported into may have no account that tells.
alter table mail_messages add column sent_by_import boolean not null default false;
