-- Mail is stored whole, with the lines that are folded; what an earlier release cut is read again from the original.

alter table mail_messages
  -- Lines that are not the sender's own words: `[{ kind, from_line, to_line, sender }]`.
  add column folds jsonb not null default '[]',
  -- How it begins, without what is folded.
  add column snippet text not null default '',
  -- Revision of the reading that the text comes from. 1: history and signature were cut.
  add column reading integer not null default 1;
