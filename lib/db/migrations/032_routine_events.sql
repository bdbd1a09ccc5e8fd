-- Routines that run after an event: until when events were looked at.

alter table routines add column events_until timestamptz not null default now();
