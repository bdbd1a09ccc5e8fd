-- The owner's words to every companion that answers in a Space; empty: none.
alter table spaces
  add column instructions text not null default '' check (char_length(instructions) <= 4000);
