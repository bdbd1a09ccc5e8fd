import { z } from 'zod'
import { count, time } from './scalars.ts'

/** Whether the process is alive, and how its parts are. */
export const Health = z.object({
  status: z
    .enum(['ok', 'degraded', 'draining'])
    .describe('degraded: the database is out of reach; draining: this server was asked to stop'),
  version: z.string(),
  database: z.object({ engine: z.enum(['pglite', 'postgres']), reachable: z.boolean() }),
  disk: z
    .object({ state: z.enum(['ok', 'full']), free_bytes: count })
    .nullable()
    .describe('The volume of the data folder; null: not known'),
  model: z.object({ mode: z.enum(['online', 'offline']), name: z.string() }),
  glance: z
    .object({ available: z.boolean(), reason: z.string().nullable() })
    .describe('Whether the glance can look at anything, and why not'),
  search: z.object({
    mode: z.enum(['lexical', 'hybrid']),
    embedding: z
      .object({
        model: z.string(),
        answering: z.boolean(),
        done: count,
        total: count,
        failing: z.boolean(),
        share: z.number().describe('What meaning counts of a score; 0: it brought nothing and is not asked'),
        measured: z
          .object({ ndcg_words: z.number(), ndcg_meaning: z.number(), questions: count, at: time })
          .nullable()
          .describe('What the share was chosen by, on the notes of the owner; null: it was not measured'),
      })
      .nullable()
      .describe('The model that embeds; null: search is by words alone'),
    indexing: z
      .object({ done: count, total: count })
      .nullable()
      .describe('Passages being reindexed; null: the index is up to date'),
  }),
  worst_stall: z
    .object({ duration_ms: count, at: time })
    .nullable()
    .describe(
      'The longest time of the last hour in which the server answered nobody; null: none over 250 ms',
    ),
})
export type Health = z.infer<typeof Health>
