import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
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

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()
  .describe('A server that speaks the Messages API; null: the provider’s own')
const smallModel = modelName
  .nullable()
  .describe('Sorts messages and names conversations; null: rules do that')

/** Which model is connected, without its key. */
export const ModelConnection = z.object({
  base_url: baseUrl,
  model: modelName,
  small_model: smallModel,
  from: z
    .enum(['settings', 'configuration'])
    .describe('Whether the owner set it here, or the environment has it'),
  key: z.enum(['none', 'stored', 'configuration']),
})
export type ModelConnection = z.infer<typeof ModelConnection>

export const NewModelConnection = z.strictObject({
  base_url: baseUrl,
  model: modelName,
  small_model: smallModel,
  api_key: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .nullish()
    .describe('The key, or where to find it, as secret:NAME; left out: as it is; null: none'),
})
export type NewModelConnection = z.infer<typeof NewModelConnection>

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
