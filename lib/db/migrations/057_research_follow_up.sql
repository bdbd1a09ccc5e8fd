-- Of a passage that an earlier run of the thread has found already (`P1`, …): which run and number, and what the answer of
-- then says with it.
alter table research_evidence
  add column earlier json,
  add check ((earlier is not null) = (n like 'P%'));

alter table research_runs
  add column labels text[] not null default '{}' check (cardinality(labels) <= 10);
