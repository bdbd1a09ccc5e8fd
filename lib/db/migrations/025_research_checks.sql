-- Who checked a claim of research, and by which sentences. Verdicts and outcomes of earlier runs stay as they are.

alter table research_runs drop constraint research_runs_outcome_check;
alter table research_runs add constraint research_runs_outcome_check check (outcome in (
  'checked', 'partly_checked', 'disputed', 'nothing_found', 'answered', 'unverified', 'evidence'
)) not valid;

alter table research_claims drop constraint research_claims_verdict_check;
alter table research_claims add constraint research_claims_verdict_check check (verdict in (
  'quoted', 'judged', 'contradicted', 'elsewhere', 'unchecked', 'supported', 'partly', 'nowhere', 'disputed'
)) not valid;
alter table research_claims add column sentences text[] not null default '{}';
-- A model's name, its verdict and what it misses; null: none was asked.
alter table research_claims add column judge json;
alter table research_claims alter column score set default 0;

-- The headings above the passage.
alter table research_evidence add column heading text not null default '';
