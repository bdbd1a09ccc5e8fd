-- Folders that are gone from a mailbox, and one sync of a paused account.

alter table mail_accounts
  -- Folders that the server no longer has and whose mail stays until the owner decides: `[{ path, messages, proposed }]`.
  add column missing_folders jsonb not null default '[]',
  -- Whether it was paused when the sync under way was asked for, and is paused again after it.
  add column sync_once boolean not null default false;
