-- What an embedding model makes of passages. One model answers; another may be built beside it, and takes its place
-- when it has embedded everything. A passage that is written anew has no embedding until the next round.

create table embedding_models (
  id integer primary key generated always as identity,
  provider text not null,
  url text not null,
  model text not null,
  -- Known from the first answer.
  dimensions integer check (dimensions between 1 and 4000),
  complete boolean not null default false,
  created_at timestamptz not null default now(),
  unique (provider, url, model)
);

create table embeddings (
  entity_id uuid not null,
  ordinal integer not null,
  model_id integer not null references embedding_models (id),
  vec halfvec not null,
  primary key (entity_id, ordinal, model_id),
  foreign key (entity_id, ordinal) references chunks (entity_id, ordinal) on delete cascade
);
create index embeddings_model on embeddings (model_id);
-- Read for every candidate of an exact ranking.
alter table embeddings alter column vec set storage plain;
