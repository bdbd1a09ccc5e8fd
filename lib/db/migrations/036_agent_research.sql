-- Research that external agents start, within what the owner lets each of them use in a day.

alter table agents add column research_tokens integer not null default 0;
alter table agents add constraint agents_research_tokens check (research_tokens between 0 and 50000000) not valid;
alter table research_runs add column asked_by uuid;
alter table research_runs add constraint research_runs_asked_by foreign key (asked_by) references agents (id) not valid;
