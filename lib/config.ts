// The one reader of the environment. Every setting is described here, parsed once and frozen; docs/configuration.md
// lists them, and a test compares the two.

import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { secretReference } from './ai/secret.ts'
import type { EmbeddingSettings } from './embed/embedder.ts'
import { type Language, languages } from './search/languages.ts'
import { type Prices, priceList } from './usage/prices.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const httpUrl = z.url({ protocol: /^https?$/ })
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** Whether a secret that a person chose is long and varied enough not to be guessed: no word, no repetition. */
function isStrongToken(token: string): boolean {
  return token.length >= 24 && new Set(token).size >= 8 && !/^(.+?)\1+$/.test(token)
}

/** The variables, by name. An empty one counts as unset. */
export const settings = z.object({
  PORT: port.default(3000).describe('Port to listen on; 0 takes any free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PUBLIC_URL: httpUrl.optional().describe('Address under which people reach this server'),
  ALLOWED_HOSTS: list
    .default([])
    .describe('Further host names that requests may be addressed to, comma-separated'),
  TRUST_PROXY: count(0, 10).default(0).describe('Reverse proxies in front of this server'),
  DATA_DIR: z.string().default('./data').describe('Folder for the embedded database and the owner token'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('A Postgres server, 15 or newer with pgvector; unset: the embedded database'),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional()
    .describe('The same database without a pooler in between, to listen; unset: DATABASE_URL'),
  DATABASE_POOL_SIZE: count(1, 200).default(10).describe('Connections to the Postgres server'),
  OWNER_TOKEN: z
    .string()
    .refine(isStrongToken, 'must be 24 random characters or more; make one with: openssl rand -base64 32')
    .optional()
    .describe('The owner’s secret; unset: created at first start'),
  SECRETS_KEY: z
    .string()
    .optional()
    .describe('Master key of stored secrets, 32 bytes in base64; unset: a file in DATA_DIR'),
  SECRETS_KEY_FILE: z.string().optional().describe('A file that holds that key instead'),
  SECRETS_KEY_PREVIOUS: z.string().optional().describe('The master key before, until secrets are rotated'),
  ANTHROPIC_API_KEY: z.string().optional().describe('Key of the model provider'),
  ANTHROPIC_API_KEY_REF: z
    .string()
    .regex(secretReference, 'must be env:NAME, file:/path, secret:NAME or bw:ITEM/FIELD')
    .optional()
    .describe('Where to find the key; read again for every turn'),
  ANTHROPIC_BASE_URL: httpUrl.optional().describe('Another server that speaks the Messages API'),
  ANTHROPIC_MODEL: z.string().default('claude-sonnet-5-5').describe('Model that answers'),
  ANTHROPIC_MAX_TOKENS: count(256, 200_000)
    .default(8192)
    .describe('Longest answer of one model call, in tokens'),
  ROUTER_MODEL: z
    .string()
    .default('claude-haiku-5-5')
    .describe('Small, fast model that routes messages and names conversations; `none`: rules do'),
  DAILY_TOKENS: count(0, 1e12)
    .default(0)
    .describe('Tokens that may be used in a day, all models together; 0: any number'),
  TURNS_AT_ONCE: count(1, 100_000)
    .optional()
    .describe('Answers written at the same time; further messages wait. Unset: 256 for each core'),
  TURNS_PER_MINUTE: count(0, 1_000_000)
    .default(60)
    .describe('Maximum messages of the owner to companions per minute; 0: any number'),
  MODEL_PRICES: priceList
    .default(new Map())
    .describe('US dollars for a million tokens, model=input/output/cache read/cache write, comma-separated'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Log level'),
  DRAFTS_WAITING: count(1, 100_000).default(1000).describe('Maximum pending drafts of one agent'),
  DRAFTS_WAITING_BYTES: count(1000, 1e12)
    .default(64_000_000)
    .describe('Maximum bytes of the pending drafts of one agent, together'),
  DRAFTS_PER_HOUR: count(1, 100_000).default(1000).describe('Maximum drafts of one agent per hour'),
  DRAFT_BYTES: count(1000, 20_000_000).default(4_000_000).describe('Largest draft, in bytes of its fields'),
  EMBEDDING_PROVIDER: z
    .enum(['voyage', 'openai'])
    .optional()
    .describe('Embedding provider, for search by meaning; unset: words only'),
  EMBEDDING_URL: httpUrl.optional().describe('Where it answers, without /embeddings'),
  EMBEDDING_MODEL: z.string().optional().describe('Model that embeds'),
  EMBEDDING_API_KEY: z.string().optional().describe('Key of the embedding provider'),
  EMBEDDING_API_KEY_REF: z
    .string()
    .regex(secretReference, 'must be env:NAME, file:/path, secret:NAME or bw:ITEM/FIELD')
    .optional()
    .describe('Where to find that key; read again for every call'),
  SEARCH_LANGUAGES: list
    .pipe(z.array(z.enum(languages)).min(1))
    .default(['english'])
    .describe('Languages whose stems and stop words search knows, the main one first'),
  TRASH_DAYS: count(1, 3650).default(30).describe('Days until deleted items are removed permanently'),
  CALL_DAYS: count(1, 3650).default(365).describe('Days that records of tool calls are kept in Activity'),
  CALL_BYTES: count(1_000_000, 1_000_000_000_000)
    .default(1_000_000_000)
    .describe('Bytes of records of tool calls to keep; the oldest go first, those of the last day never'),
  TURN_LOG_BYTES: count(1_000_000, 1_000_000_000_000)
    .default(1_000_000_000)
    .describe('Bytes of the logs of finished turns to keep for a day; the oldest go first'),
  BACKUP_DIR: z
    .string()
    .optional()
    .describe('Folder for a backup of the embedded database every night; unset: none'),
  BACKUP_KEEP: count(1, 1000).default(7).describe('Nightly backups to keep'),
  METRICS_TOKEN: z
    .string()
    .refine(isStrongToken, 'must be 24 random characters or more; make one with: openssl rand -base64 32')
    .optional()
    .describe('A secret that reads /metrics and nothing else; unset: only the owner’s does'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('An OpenTelemetry collector that gets traces over OTLP and HTTP; unset: none'),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('void').describe('What this server is called there'),
})

export type Config = Readonly<{
  port: number
  host: string
  publicUrl: string | null
  allowedHosts: readonly string[]
  trustProxy: number
  dataDir: string
  databaseUrl: string | null
  /** `null`: as `databaseUrl`. */
  databaseDirectUrl: string | null
  databasePoolSize: number
  ownerToken: string | null
  secrets: { key: string | null; keyFile: string | null; previousKey: string | null }
  model: {
    apiKey: string | null
    baseUrl: string | null
    model: string
    maxTokens: number
    smallModel: string | null
  }
  /** `null`: any number. */
  dailyTokens: number | null
  maxTurns: number
  /** `null`: any number. */
  turnsPerMinute: number | null
  /** Beside or in place of the list prices. */
  prices: Prices
  logLevel: z.infer<typeof settings>['LOG_LEVEL']
  searchLanguages: readonly Language[]
  /** Null: search is by words alone. */
  embedding: EmbeddingSettings | null
  trashDays: number
  callDays: number
  callBytes: number
  turnLogBytes: number
  /** `null`: no nightly backup. */
  backup: { folder: string; keep: number } | null
  /** `null`: the owner's token alone reads the metrics. */
  metricsToken: string | null
  /** `null`: no traces. */
  tracing: { endpoint: string; serviceName: string } | null
  draftLimits: { waiting: number; waitingBytes: number; perHour: number; bytes: number }
}>

/** A setting that cannot be used; the message names the variable and what it must be. */
export class ConfigError extends Error {}

/** The configuration from the environment and, behind it, a `.env` file. Throws `ConfigError`. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, file = '.env'): Config {
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  // A key reference such as env:NAME may name a variable of the file.
  for (const [name, value] of Object.entries(fromFile)) env[name] ??= value

  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
    throw new ConfigError(`Invalid settings:\n${problems.join('\n')}`)
  }

  const values = parsed.data
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    allowedHosts: values.ALLOWED_HOSTS,
    trustProxy: values.TRUST_PROXY,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    ownerToken: values.OWNER_TOKEN ?? null,
    secrets: Object.freeze({
      key: values.SECRETS_KEY ?? null,
      keyFile: values.SECRETS_KEY_FILE ?? null,
      previousKey: values.SECRETS_KEY_PREVIOUS ?? null,
    }),
    model: Object.freeze({
      apiKey: values.ANTHROPIC_API_KEY_REF ?? values.ANTHROPIC_API_KEY ?? null,
      baseUrl: values.ANTHROPIC_BASE_URL ?? null,
      model: values.ANTHROPIC_MODEL,
      maxTokens: values.ANTHROPIC_MAX_TOKENS,
      smallModel: values.ROUTER_MODEL === 'none' ? null : values.ROUTER_MODEL,
    }),
    dailyTokens: values.DAILY_TOKENS || null,
    maxTurns: values.TURNS_AT_ONCE ?? 256 * availableParallelism(),
    turnsPerMinute: values.TURNS_PER_MINUTE || null,
    prices: values.MODEL_PRICES,
    logLevel: values.LOG_LEVEL,
    searchLanguages: values.SEARCH_LANGUAGES,
    embedding: embeddingOf(values),
    trashDays: values.TRASH_DAYS,
    callDays: values.CALL_DAYS,
    callBytes: values.CALL_BYTES,
    turnLogBytes: values.TURN_LOG_BYTES,
    backup: values.BACKUP_DIR ? Object.freeze({ folder: values.BACKUP_DIR, keep: values.BACKUP_KEEP }) : null,
    metricsToken: values.METRICS_TOKEN ?? null,
    tracing: tracingOf(values),
    draftLimits: Object.freeze({
      waiting: values.DRAFTS_WAITING,
      waitingBytes: values.DRAFTS_WAITING_BYTES,
      perHour: values.DRAFTS_PER_HOUR,
      bytes: values.DRAFT_BYTES,
    }),
  })
}

function tracingOf(values: z.infer<typeof settings>): Config['tracing'] {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT
  return endpoint ? Object.freeze({ endpoint, serviceName: values.OTEL_SERVICE_NAME }) : null
}

const embeddingDefaults = {
  voyage: { url: 'https://api.voyageai.com/v1', model: 'voyage-3.5' },
  openai: { url: 'https://api.openai.com/v1', model: 'text-embedding-3-small' },
} as const

function embeddingOf(values: z.infer<typeof settings>): EmbeddingSettings | null {
  const provider = values.EMBEDDING_PROVIDER
  if (!provider) return null
  return Object.freeze({
    provider,
    url: values.EMBEDDING_URL?.replace(/\/+$/, '') ?? embeddingDefaults[provider].url,
    model: values.EMBEDDING_MODEL ?? embeddingDefaults[provider].model,
    apiKey: values.EMBEDDING_API_KEY_REF ?? values.EMBEDDING_API_KEY ?? null,
  })
}
