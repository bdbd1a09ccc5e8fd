-- Ready-made routines that run by code, with a model or without.

alter table routines add column ready text check (ready in ('tidy'));
