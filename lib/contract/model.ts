import { z } from 'zod'
import { cleanLine } from '../core/text/clean.ts'
import { thinkingLevels } from './limits.ts'
import { count } from './scalars.ts'

/** Model name used by the provider. */
export const modelName = z.string().overwrite(cleanLine).min(1).max(200)

/** How much a model thinks before it answers. */
export const ThinkingLevel = z.enum(thinkingLevels)
export type ThinkingLevel = z.infer<typeof ThinkingLevel>

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

/** Protocol of the model server: Anthropic's Messages API, or OpenAI's Chat Completions. */
const WireName = z.enum(['messages', 'chat'])

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()
  .describe(
    'Base URL of the model server, with or without /v1 and the path of a request; a name and password in it are stored ' +
      'as a secret. null: the provider’s own',
  )
const smallModel = modelName
  .nullable()
  .describe('Small model that routes messages and names conversations; null: rules are used instead')

const maxTokens = z
  .int()
  .min(256)
  .max(1_000_000)
  .nullable()
  .describe(
    'Longest answer of one call in tokens, thinking included; null: that of the configuration, else the model’s own',
  )

/** What the server and model were found to take. */
export const ModelAbilities = z.object({
  sources: z.enum(['blocks', 'text']).describe('How passages are sent'),
  tools: z.boolean().nullable().describe('Calls tools and reads their results; null: not known'),
  several_tools: z.boolean().nullable().describe('Calls several tools in one message'),
  images: z.boolean().nullable(),
  typed_drafts: z
    .boolean()
    .nullable()
    .describe('Takes the fields of each kind as alternatives in the description of a tool'),
  thinking: z.boolean().nullable().describe('Takes a thinking level; null: not known. false: none is sent'),
  tool_choice: z.boolean().nullable().describe('Calls no tool when told to call none'),
  many_tools: z.boolean().nullable().describe('Finds the right tool in a long list'),
  caching: z
    .boolean()
    .nullable()
    .describe('Takes the fields of prompt caching, which Chat Completions do not have'),
  token_counts: z.boolean().nullable().describe('Counts the tokens of a request without answering it'),
  max_tokens: z.int().nullable().describe('Longest answer that it takes, in tokens; null: not known'),
})
export type ModelAbilities = z.infer<typeof ModelAbilities>

/** The model connection, without its key. */
export const ModelConnection = z.object({
  wire: WireName,
  base_url: baseUrl,
  model: modelName,
  small_model: smallModel,
  max_tokens: maxTokens,
  from: z
    .enum(['settings', 'configuration'])
    .describe('Source of the connection: set by the owner in Void, or by the environment'),
  key: z.enum(['none', 'stored', 'configuration']),
  abilities: ModelAbilities,
})
export type ModelConnection = z.infer<typeof ModelConnection>

export const NewModelConnection = z.strictObject({
  wire: WireName.default('messages'),
  base_url: baseUrl,
  model: modelName,
  small_model: smallModel,
  max_tokens: maxTokens.default(null),
  api_key: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .nullish()
    .describe('API key, or a reference to a secret as secret:NAME; null: none. Default: unchanged'),
})
export type NewModelConnection = z.infer<typeof NewModelConnection>

/** A model server found on this machine. */
export const LocalModels = z.object({
  items: z.array(z.object({ name: z.string(), base_url: z.string(), models: z.array(z.string()) })),
})
export type LocalModels = z.infer<typeof LocalModels>

/** Result of a test request to the model. */
export const ModelTest = z.object({
  ok: z.boolean(),
  code: z.string().describe('`ok`, `no_key`, `key_unreadable`, or a model error code'),
  message: z.string().describe('Description of the result'),
  advice: z.string().nullable().describe('Suggested fix'),
  model: z.string(),
  duration_ms: count,
  abilities: ModelAbilities.nullable().describe('null: not tested, because the model did not answer'),
})
export type ModelTest = z.infer<typeof ModelTest>
