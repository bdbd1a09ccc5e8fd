-- How much meaning counts beside words, as `npm run eval:search -- --own` chose it on the owner's notes. Null: not measured.
-- A model that brings nothing has a share of 0 and is not asked.
alter table embedding_models
  add column share double precision check (share between 0 and 1),
  add column ndcg_words double precision,
  add column ndcg_meaning double precision,
  add column measured_questions integer,
  add column measured_at timestamptz;
