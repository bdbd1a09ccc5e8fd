-- The owner's time zone, which decides what day it is; without a row the server's applies.

create table owner_time_zone (
  only_row boolean primary key default true check (only_row),
  -- A name of the IANA database.
  time_zone text not null check (length(time_zone) between 1 and 64),
  -- `browser`: reported by the first one, and not chosen.
  set_by text not null check (set_by in ('browser', 'owner'))
);
