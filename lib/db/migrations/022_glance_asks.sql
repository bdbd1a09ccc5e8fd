-- A nudge quotes what a mail asks; the model's own sentence is recorded beside it.

alter table glances
  add column note text,
  drop constraint glances_kind_check,
  drop constraint glances_message_check;
alter table glances
  add constraint glances_asks check (kind in ('reply', 'question', 'request', 'deadline', 'decision')) not valid,
  add constraint glances_lengths check (char_length(message) <= 500 and char_length(note) <= 500) not valid;
