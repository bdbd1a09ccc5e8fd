import { z } from 'zod'
import { count, time } from './scalars.ts'

export const BackupState = z.object({
  last_at: time.nullable().describe('Time of the newest backup; null: none'),
  failed_at: time.nullable().describe('Time of the last attempt if it failed; null: it did not'),
})
export type BackupState = z.infer<typeof BackupState>

/** Readiness of the process, with what needs the operator's attention. */
export const Ready = z.object({
  ready: z.literal(true),
  details: z.object({
    backup: BackupState.nullable().describe('Nightly backup; null: not configured'),
  }),
})

/** Health of the process and its components. */
export const Health = z.object({
  status: z
    .enum(['ok', 'degraded', 'draining'])
    .describe('degraded: the database is unreachable; draining: the server is shutting down'),
  version: z.string(),
  database: z.object({ engine: z.enum(['pglite', 'postgres']), reachable: z.boolean() }),
  disk: z
    .object({ state: z.enum(['ok', 'full']), free_bytes: count })
    .nullable()
    .describe('Volume of the data folder; null: unknown'),
  model: z.object({ mode: z.enum(['online', 'offline']), name: z.string() }),
  glance: z
    .object({ available: z.boolean(), reason: z.string().nullable() })
    .describe('Availability of the glance, with the reason if unavailable'),
  search: z.object({
    mode: z.enum(['lexical', 'hybrid']),
    embedding: z
      .object({
        model: z.string(),
        answering: z.boolean(),
        done: count,
        total: count,
        failing: z.boolean(),
        share: z
          .number()
          .describe(
            'Weight of semantic similarity in a search score, a default value until measured; 0: no measured benefit, semantic search is not used',
          ),
        measured: z
          .object({ ndcg_words: z.number(), ndcg_meaning: z.number(), questions: count, at: time })
          .nullable()
          .describe('Measurement on the owner’s notes that determined `share`; null: not measured'),
      })
      .nullable()
      .describe('Embedding model; null: search is lexical only'),
    indexing: z
      .object({ done: count, total: count })
      .nullable()
      .describe('Progress of reindexing, in passages; null: the index is up to date'),
  }),
  backup: BackupState.nullable().describe('Nightly backup; null: not configured'),
  worst_stall: z
    .object({ duration_ms: count, at: time })
    .nullable()
    .describe('Longest stall of the event loop in the last hour; null: none over 250 ms'),
})
export type Health = z.infer<typeof Health>
