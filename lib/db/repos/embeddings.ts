// Vectors of passages and the models that made them (see migrations/005_search.sql).

import { toSql } from 'pgvector/pg'
import type { Database, Queryable } from '../pool.ts'
import type { FoundChunk, Scope } from './chunk_rankings.ts'

export type EmbeddingModel = {
  id: number
  provider: string
  url: string
  model: string
  dimensions: number | null
  /** Whether it has embedded everything once, and so may answer. */
  complete: boolean
  /** What meaning counts of a score; null: not measured. */
  share: number | null
  /** What that was chosen by: nDCG@10 with words alone and with meaning, over so many questions. */
  ndcg_words: number | null
  ndcg_meaning: number | null
  measured_questions: number | null
  measured_at: string | null
}

const columns = `id, provider, url, model, dimensions, complete, share, ndcg_words, ndcg_meaning, measured_questions,
  measured_at`

export type ModelName = Pick<EmbeddingModel, 'provider' | 'url' | 'model'>

/** The model by its name, created where it is new. */
export async function findOrCreateModel(
  db: Queryable,
  { provider, url, model }: ModelName,
): Promise<EmbeddingModel> {
  const values = [provider, url, model]
  const { rows: found } = await db.query<EmbeddingModel>(
    `select ${columns}
     from embedding_models
     where provider = $1 and url = $2 and model = $3`,
    values,
  )
  if (found[0]) return found[0]
  const { rows } = await db.query<EmbeddingModel>(
    `insert into embedding_models (provider, url, model)
     values ($1, $2, $3)
     on conflict (provider, url, model) do update set model = excluded.model
     returning ${columns}`,
    values,
  )
  return rows[0]!
}

/** All models, the newest first. */
export async function listModels(db: Queryable): Promise<EmbeddingModel[]> {
  const { rows } = await db.query<EmbeddingModel>(
    `select ${columns}
     from embedding_models
     order by id desc`,
  )
  return rows
}

export type MeasuredShare = { share: number; ndcg_words: number; ndcg_meaning: number; questions: number }

/** What meaning by a model counts from now on, and what was measured. */
export async function storeShare(
  db: Queryable,
  modelId: number,
  { share, ndcg_words, ndcg_meaning, questions }: MeasuredShare,
): Promise<void> {
  await db.query(
    `update embedding_models
     set share = $2, ndcg_words = $3, ndcg_meaning = $4, measured_questions = $5, measured_at = now()
     where id = $1`,
    [modelId, share, ndcg_words, ndcg_meaning, questions],
  )
}

export type Unembedded = {
  entity_id: string
  ordinal: number
  revision: number
  title: string
  heading_path: string[]
  text: string
}

/** Passages that the model has not embedded, oldest first. */
export async function listUnembedded(db: Queryable, modelId: number, limit: number): Promise<Unembedded[]> {
  const { rows } = await db.query<Unembedded>(
    `select c.entity_id, c.ordinal, c.revision, c.title, c.heading_path, c.text
     from chunks c
     where not exists (
       select from embeddings e
       where e.entity_id = c.entity_id and e.ordinal = c.ordinal and e.model_id = $1
     )
     order by c.revision
     limit $2`,
    [modelId, limit],
  )
  return rows
}

/**
 * Stores vectors of passages that are still the ones that were embedded (the same revision), and the model's
 * dimensions where they were unknown. How many were stored.
 */
export async function insertEmbeddings(
  tx: Queryable,
  model: { id: number; dimensions: number },
  embedded: readonly { entity_id: string; ordinal: number; revision: number; vector: readonly number[] }[],
): Promise<number> {
  await tx.query('update embedding_models set dimensions = $2 where id = $1 and dimensions is null', [
    model.id,
    model.dimensions,
  ])
  const given = embedded.map(({ vector, ...place }) => ({ ...place, vec: toSql(vector) }))
  const { rows } = await tx.query(
    `insert into embeddings (entity_id, ordinal, model_id, vec)
     select c.entity_id, c.ordinal, $1, given.vec::halfvec
     from json_to_recordset($2::json) as given (entity_id uuid, ordinal integer, revision bigint, vec text)
     join chunks c on c.entity_id = given.entity_id and c.ordinal = given.ordinal and c.revision = given.revision
     on conflict do nothing
     returning ordinal`,
    [model.id, JSON.stringify(given)],
  )
  return rows.length
}

/** How many passages there are, and how many of them the model has embedded. */
export async function countEmbedded(
  db: Queryable,
  modelId: number,
): Promise<{ done: number; total: number }> {
  const { rows } = await db.query<{ done: number; total: number }>(
    `select
       (select count(*)::integer from embeddings where model_id = $1) as done,
       (select count(*)::integer from chunks) as total`,
    [modelId],
  )
  return rows[0]!
}

/** From now on this model answers, and what others made is deleted. */
export async function completeModel(tx: Queryable, modelId: number): Promise<void> {
  await tx.query('update embedding_models set complete = true where id = $1', [modelId])
  await tx.query('delete from embeddings where model_id <> $1', [modelId])
  const { rows } = await tx.query<{ id: number }>(
    'delete from embedding_models where id <> $1 returning id',
    [modelId],
  )
  for (const { id } of rows) await tx.query(`drop index if exists ${indexName(id)}`)
}

const indexName = (modelId: number) => `embeddings_hnsw_${Math.trunc(modelId)}`

/** Whether there is a finished index over the model's vectors. */
export async function hasVectorIndex(db: Queryable, modelId: number): Promise<boolean> {
  const { rows } = await db.query(
    `select 1
     from pg_class
     join pg_index on pg_index.indexrelid = pg_class.oid
     where relname = $1 and indisvalid`,
    [indexName(modelId)],
  )
  return rows.length > 0
}

/** Builds an HNSW index over the model's vectors; on a server beside its other work. Not in a transaction. */
export async function buildVectorIndex(
  database: Database,
  { id, dimensions }: { id: number; dimensions: number },
): Promise<void> {
  const concurrently = database.engine === 'postgres' ? 'concurrently' : ''
  // What an interrupted build left behind is no index.
  await database.query(`drop index ${concurrently} if exists ${indexName(id)}`)
  await database.query(
    `create index ${concurrently} ${indexName(id)} on embeddings
     using hnsw ((vec::halfvec(${Math.trunc(dimensions)})) halfvec_cosine_ops)
     where model_id = ${Math.trunc(id)}`,
  )
}

export type NearChunk = Omit<FoundChunk, 'score'> & {
  /** Cosine, from -1 to 1. */
  similarity: number
  /** Inner product with the question's sparse vector. */
  lexical: number
}

/** The passages nearest to a question's vector, nearest first. `indexed`: through the HNSW index. */
export async function rankNearest(
  database: Database,
  scope: Scope,
  question: {
    model: { id: number; dimensions: number }
    vector: readonly number[]
    sparse: string
    indexed: boolean
  },
): Promise<NearChunk[]> {
  const { id, dimensions } = question.model
  const type = `halfvec(${Math.trunc(dimensions)})`
  // The index serves just this expression; an exact ranking is cheaper without the cast.
  const distance = question.indexed ? `e.vec::${type} <=> $7::${type}` : 'e.vec <=> $7::halfvec'
  const statement = `select c.space_id, c.entity_type, c.entity_id, c.ordinal, c.title, c.heading_path, c.text, c.start_line,
       c.end_line, 1 - (${distance}) as similarity,
       -(c.bm <#> $8::sparsevec) * case c.entity_type when 'conversation' then $5::float8 else 1 end as lexical
     from embeddings e
     join chunks c on c.entity_id = e.entity_id and c.ordinal = e.ordinal
     where e.model_id = ${Math.trunc(id)}
       and c.space_id = any($1::uuid[])
       and ($2::text[] is null or c.entity_type = any($2))
       and ($3::uuid[] is null or c.entity_id in (select unnest($3)))
       and ($4::uuid is null or c.entity_id <> $4)
     order by ${distance}
     limit $6`
  const { space_ids, kinds, among, without, said, limit } = scope
  const values = [space_ids, kinds, among, without, said, limit, toSql(question.vector), question.sparse]

  if (!question.indexed) return (await database.query<NearChunk>(statement, values)).rows
  return await database.transaction(async (tx) => {
    // Goes on looking where a filter leaves too few, and finds as many as are asked for.
    await tx.query(
      "select set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', $1, true)",
      [String(Math.max(40, limit))],
    )
    return (await tx.query<NearChunk>(statement, values)).rows
  })
}
