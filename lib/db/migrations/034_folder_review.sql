-- Changes in a folder that wait for the owner as drafts, and what is said of a folder.

-- `joined`: both sides were once in step, so that what comes after is a change. `agents`: traces of coding agents in it.
alter table folders
  add column joined boolean not null default false,
  add column agents json not null default '[]';

-- `review_path`: where the file is whose change waits as a draft; `waiting_file` is its text, null: it is gone.
-- `former_bytes`: SHA-256 of the file before that change, empty if there was none; set until the decision is written.
alter table folder_entries
  drop constraint folder_entries_check,
  add column review_path text,
  add column former_bytes text;
alter table folder_entries add constraint folder_entries_waiting
  check ((waiting_file is null) = (waiting_page is null) or review_path is not null) not valid;

-- `withdraws`: what is moved aside was rejected, and stays only as long as a program may still write into it.
alter table folder_intents add column withdraws boolean not null default false;
alter table folder_kept add column withdraws boolean not null default false;

alter table folder_log drop constraint folder_log_action_check;
alter table folder_log add constraint folder_log_action_check
  check (action in ('created', 'updated', 'moved', 'deleted', 'restored', 'conflict', 'kept', 'drafted', 'outweighed')) not valid;
