-- How often a turn was handed over by a server that was stopped in order. Its attempt number, which fences writes, rises
-- with that as with a crash, but only crashes count against it.
alter table turns add column handovers integer not null default 0 check (handovers >= 0);
