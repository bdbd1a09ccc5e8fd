-- Research that external agents start, within what the owner lets each of them use in a day.

alter table agents add column research_tokens integer not null default 0
  check (research_tokens between 0 and 50000000);
alter table research_runs add column asked_by uuid references agents (id);
create index research_runs_asked_by on research_runs (asked_by, id desc) where asked_by is not null;
