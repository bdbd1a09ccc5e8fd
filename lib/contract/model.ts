import { z } from 'zod'
import { cleanLine } from '../text/clean.ts'
import { count } from './scalars.ts'

/** What a provider calls a model. */
export const modelName = z.string().overwrite(cleanLine).min(1).max(200)

/** US dollars for a million tokens. */
const ModelPrice = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
})

/** The models that the provider offers, with their prices. */
export const ModelList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      price: ModelPrice.nullable().describe('null: not known'),
    }),
  ),
  next_cursor: z.null(),
  configured: z.string().describe('The model that answers where none is chosen'),
  mode: z.enum(['online', 'offline']),
  problem: z.string().nullable().describe('Why the list is empty'),
  prices_as_of: z.iso.date().describe('The day as of which the list prices hold'),
})
export type ModelList = z.infer<typeof ModelList>

/** What came of asking the model for one word. */
export const ModelTest = z.object({
  ok: z.boolean(),
  code: z.string().describe('`ok`, `no_key`, `key_unreadable`, or the code of the model error'),
  message: z.string().describe('What happened'),
  advice: z.string().nullable().describe('What to do about it'),
  model: z.string(),
  duration_ms: count,
})
export type ModelTest = z.infer<typeof ModelTest>
