import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { count } from './scalars.ts'

/** Model name used by the provider. */
export const modelName = z.string().overwrite(cleanLine).min(1).max(200)

/** Price in US dollars per million tokens. */
const ModelPrice = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
})

/** Models offered by the provider, with prices. */
export const ModelList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      price: ModelPrice.nullable().describe('null: unknown'),
    }),
  ),
  next_cursor: z.null(),
  configured: z.string().describe('Default model, used if none is chosen'),
  mode: z.enum(['online', 'offline']),
  problem: z.string().nullable().describe('Reason the list is empty'),
  prices_as_of: z.iso.date().describe('Date of the list prices'),
})
export type ModelList = z.infer<typeof ModelList>

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()
  .describe('Base URL of a server that implements the Messages API; null: the provider’s own')
const smallModel = modelName
  .nullable()
  .describe('Small model that routes messages and names conversations; null: rules are used instead')

/** The model connection, without its key. */
export const ModelConnection = z.object({
  base_url: baseUrl,
  model: modelName,
  small_model: smallModel,
  from: z
    .enum(['settings', 'configuration'])
    .describe('Source of the connection: set by the owner in Void, or by the environment'),
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
    .describe('API key, or a reference to a secret as secret:NAME; null: none. Default: unchanged'),
})
export type NewModelConnection = z.infer<typeof NewModelConnection>

/** Result of a test request to the model. */
export const ModelTest = z.object({
  ok: z.boolean(),
  code: z.string().describe('`ok`, `no_key`, `key_unreadable`, or a model error code'),
  message: z.string().describe('Description of the result'),
  advice: z.string().nullable().describe('Suggested fix'),
  model: z.string(),
  duration_ms: count,
})
export type ModelTest = z.infer<typeof ModelTest>
