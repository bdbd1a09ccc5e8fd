// The one reader of the environment. A setting is a line of the schema below: its name, limits and default stand there
// alone. The variable of `trashDays` is TRASH_DAYS. docs/configuration.md lists all of them, and a test compares the two.

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import type { ModelSettings } from '../ai/models/model-provider.ts'
import { priceList } from '../ai/usage/prices.ts'
import { filesOf, secretReference } from '../auth/secrets/resolve-secret.ts'
import type { DraftLimits } from '../changes/propose/propose.ts'
import { findHome } from '../core/home-folder.ts'
import { publicUrlProblems } from '../core/net/public-url.ts'
import { readOwnFile } from '../core/system-error.ts'
import { distanceFrom } from '../core/text/words/edit-distance.ts'
import type { EmbeddingSettings } from '../search/embed/embedder.ts'
import { languages } from '../search/languages.ts'

const count = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}
const port = count(0, 65_535)
/** 0, written `null`, is any number. */
const limit = (max: number) => count(0, max).transform((number) => number || null)
/** `null` when unset. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an address such as https://void.example' })
/** Without a slash at the end. */
const baseUrl = httpUrl.transform((url) => url.replace(/\/+$/, ''))
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must start with postgres://', abort: true })
  .refine(
    // An address of a socket has a name and no host.
    (url) => URL.canParse(url.replace('@/', '@localhost/')),
    'is no address; in a name or a password write %23 for #, %2F for /, %3A for : and %40 for @',
  )
const reference = z
  .string()
  .regex(secretReference, 'must be env:NAME, file:/path, secret:NAME or bw:ITEM/FIELD')
const token = z
  .string()
  .refine(isStrongToken, 'must be 24 random characters or more; make one with: openssl rand -base64 32')
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

const settings = z.object({
  port: port.default(3000).describe('Port to listen on; 0 takes any free one'),
  host: z.string().default('127.0.0.1').describe('Address to listen on'),
  publicUrl: optional(
    baseUrl.superRefine((url, { addIssue }) => publicUrlProblems(url).forEach(addIssue)),
  ).describe('Address under which people reach this server'),
  allowedHosts: list
    .prefault('')
    .describe('Further host names that requests may be addressed to, comma-separated'),
  trustProxy: count(0, 10).default(0).describe('Reverse proxies in front of this server'),
  dataDir: z
    .string()
    .transform((folder) => resolve(folder))
    .prefault('./data')
    .describe('Folder for the embedded database and the owner token'),
  databaseUrl: optional(postgresUrl).describe(
    'A Postgres server, 15 or newer with pgvector; unset: the embedded database',
  ),
  databaseDirectUrl: optional(postgresUrl).describe(
    'The same database without a pooler in between, to listen; unset: DATABASE_URL',
  ),
  databasePoolSize: count(1, 200).default(10).describe('Connections to the Postgres server'),
  ownerToken: optional(token).describe('The owner’s secret; unset: created at first start'),
  secretsKey: optional(z.string()).describe(
    'Master key of stored secrets, 32 bytes in base64; unset: a file in DATA_DIR',
  ),
  secretsKeyFile: optional(z.string()).describe('A file that holds that key instead'),
  secretsKeyPrevious: optional(z.string()).describe('Previous master key, until secrets are re-encrypted'),
  anthropicApiKey: optional(z.string()).describe('Key of the model provider'),
  anthropicApiKeyRef: optional(reference).describe('Where to find the key; read again for every turn'),
  anthropicBaseUrl: optional(httpUrl).describe('Another model server'),
  modelWire: z
    .enum(['messages', 'chat'])
    .default('messages')
    .describe('Protocol of that server: `messages` as Anthropic has it, `chat` as OpenAI has it'),
  modelWaitSeconds: optional(count(1, 24 * 3600)).describe(
    'Longest silence of a model; unset: 90 for Anthropic, 600 for other servers',
  ),
  turnMinutes: count(1, 24 * 60)
    .default(10)
    .describe('Longest answer, tool calls and waits included'),
  anthropicModel: z.string().default('claude-sonnet-5-5').describe('Model that answers'),
  anthropicMaxTokens: optional(count(256, 1_000_000)).describe(
    'Longest answer of one model call, in tokens; unset: the model’s own, else 16384',
  ),
  routerModel: z
    .string()
    .transform((name) => (name === 'none' ? null : name))
    .prefault('claude-haiku-5-5')
    .describe('Small, fast model that routes messages and names conversations; `none`: rules do'),
  judgeModel: optional(z.string()).describe(
    'Model of the same provider that judges the claims of research; unset: the model that answers',
  ),
  dailyTokens: limit(1e12)
    .prefault(0)
    .describe('Tokens that may be used in a day, all models together; 0: any number'),
  turnsAtOnce: count(1, 100_000)
    .default(256 * availableParallelism())
    .describe('Answers written at the same time; further messages wait. Unset: 256 for each core'),
  turnsPerMinute: limit(1_000_000)
    .prefault(60)
    .describe('Maximum messages of the owner to companions per minute; 0: any number'),
  modelPrices: priceList
    .prefault('')
    .describe('US dollars for a million tokens, model=input/output/cache read/cache write, comma-separated'),
  logLevel: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Log level'),
  logFormat: z
    .enum(['text', 'json'])
    .default('text')
    .describe('What a start and an end print: `text` for a person, or `json` lines as the log has'),
  draftsWaiting: count(1, 100_000).default(1000).describe('Maximum pending drafts of one agent'),
  draftsWaitingBytes: count(1000, 1e12)
    .default(64_000_000)
    .describe('Maximum bytes of the pending drafts of one agent, together'),
  draftsPerHour: count(1, 100_000).default(1000).describe('Maximum drafts of one agent per hour'),
  draftBytes: count(1000, 20_000_000).default(4_000_000).describe('Largest draft, in bytes of its fields'),
  embeddingProvider: optional(z.enum(['voyage', 'openai'])).describe(
    'Embedding provider, for search by meaning; unset: words only',
  ),
  embeddingUrl: optional(baseUrl).describe('Where it answers, without /embeddings'),
  embeddingModel: optional(z.string()).describe('Model that embeds'),
  embeddingApiKey: optional(z.string()).describe('Key of the embedding provider'),
  embeddingApiKeyRef: optional(reference).describe('Where to find that key; read again for every call'),
  searchLanguages: list
    .pipe(z.array(z.enum(languages)).min(1))
    .prefault('english')
    .describe('Languages whose stems and stop words search knows, the main one first'),
  trashDays: count(1, 3650).default(30).describe('Days until deleted items are removed permanently'),
  callDays: count(1, 3650).default(365).describe('Days that records of tool calls are kept in Activity'),
  callBytes: count(1_000_000, 1_000_000_000_000)
    .default(1_000_000_000)
    .describe('Bytes of records of tool calls to keep; the oldest go first, those of the last day never'),
  turnLogBytes: count(1_000_000, 1_000_000_000_000)
    .default(1_000_000_000)
    .describe('Bytes of the logs of finished turns to keep for a day; the oldest go first'),
  folders: list
    .prefault(findHome() ?? '')
    .describe('Folders below which those of Spaces may lie; unset: home'),
  backupDir: optional(z.string()).describe(
    'Folder for a backup of the embedded database every night; unset: none',
  ),
  backupKeep: count(1, 1000).default(7).describe('Nightly backups to keep'),
  metricsToken: optional(token).describe(
    'A secret that reads /metrics and nothing else; unset: only the owner’s does',
  ),
  otelExporterOtlpEndpoint: optional(httpUrl).describe(
    'An OpenTelemetry collector that gets traces over OTLP and HTTP; unset: none',
  ),
  otelServiceName: z.string().min(1).max(100).default('void').describe('What this server is called there'),
})

export type Config = Readonly<z.infer<typeof settings>>

const variableOf = (setting: string) => setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** The names of all variables. */
export const variables: readonly string[] = Object.keys(settings.shape).map(variableOf)

/** A setting that cannot be used; the message names the variable and what it must be. */
export class ConfigError extends Error {}

/**
 * The configuration from the environment and, behind it, the file that ENV_FILE names, or `.env`. An empty variable counts
 * as unset. Throws `ConfigError`, and `AppError` for a file that cannot be read.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, file = env[fileVariable] || '.env'): Config {
  const fromFile = existsSync(file)
    ? parseEnv(readOwnFile({ what: 'The settings file', path: file, setting: fileVariable }))
    : {}
  // A key reference such as env:NAME may name a variable of the file.
  for (const [name, value] of Object.entries(fromFile)) env[name] ??= value

  const names = Object.keys(settings.shape)
  const values = Object.fromEntries(names.map((name) => [name, env[variableOf(name)] || undefined]))
  const parsed = settings.safeParse(values)
  if (parsed.success) return Object.freeze(parsed.data)
  const problems = parsed.error.issues.map(({ path: [name, ...rest], message }) => {
    return `  ${[variableOf(String(name)), ...rest].join('.')}: ${message}`
  })
  throw new ConfigError(`Invalid settings:\n${[...new Set(problems)].join('\n')}`)
}

/** Names the file of settings, for commands that are run elsewhere. */
const fileVariable = 'ENV_FILE'

/** Whether what a start prints has to be JSON. Known before the settings are, of which one may be wrong. */
export const printsJson = (env: NodeJS.ProcessEnv = process.env): boolean => env.LOG_FORMAT === 'json'

/** Short names are too close to those of others. */
const minMisspelt = 8
const maxSlips = 2

/** Variables that are no setting and look like one. */
export function findMisspelt(env: NodeJS.ProcessEnv = process.env): { name: string; setting: string }[] {
  const known = new Set([...variables, fileVariable])
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || name.length < minMisspelt) return []
    const distanceTo = distanceFrom(name, maxSlips)
    const setting = variables.find((one) => one.length >= minMisspelt && distanceTo(one) <= maxSlips)
    return setting ? [{ name, setting }] : []
  })
}

/** How a command is told where the settings are: the words `program NAME=VALUE …` for what was set from outside, else none. */
export function settingsFor(program: string, env: NodeJS.ProcessEnv = process.env): string[] {
  const words = [fileVariable, 'DATA_DIR'].flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : []))
  return words.length > 0 ? [program, ...words] : []
}

/** The id of the npm that started this process with one of the scripts that start a server; else `null`. */
export function findNpm(env: NodeJS.ProcessEnv = process.env): number | null {
  const { npm_package_name: name, npm_lifecycle_event: script } = env
  return name === 'void' && (script === 'start' || script === 'dev') ? process.ppid : null
}

/** The model as it is configured; the owner may have set another one. */
export const modelSettings = (config: Config): ModelSettings => ({
  apiKey: config.anthropicApiKeyRef ?? config.anthropicApiKey,
  baseUrl: config.anthropicBaseUrl,
  model: config.anthropicModel,
  maxTokens: config.anthropicMaxTokens,
  smallModel: config.routerModel,
  wire: config.modelWire,
  silenceMs: config.modelWaitSeconds === null ? null : config.modelWaitSeconds * 1000,
})

/** How many turns run at once, and how long one may take. */
export const turnLimits = ({ turnsAtOnce, turnMinutes }: Config) => ({
  maxTurns: turnsAtOnce,
  maxTurnMs: turnMinutes * 60_000,
})

/** The secrets among the settings. */
export function secretsOf(config: Config): string[] {
  const { secretsKey, secretsKeyPrevious, metricsToken, anthropicApiKey, embeddingApiKey } = config
  const passwords = [config.databaseUrl, config.databaseDirectUrl].flatMap(passwordOf)
  const all = [secretsKey, secretsKeyPrevious, metricsToken, anthropicApiKey, embeddingApiKey, ...passwords]
  return all.filter((secret) => secret !== null && !secretReference.test(secret)) as string[]
}

const passwordOf = (url: string | null): string[] =>
  [URL.parse(url ?? '')?.password ?? ''].filter((password) => password !== '')

/** The files and folders of Void's own that the settings name, beside the data folder. */
export function ownFiles(config: Config): string[] {
  const specs = [
    config.anthropicApiKeyRef,
    config.anthropicApiKey,
    config.embeddingApiKeyRef,
    config.embeddingApiKey,
  ].filter((spec) => spec !== null)
  // Where deploy/void.service has its settings.
  const named = [config.backupDir, config.secretsKeyFile, '/etc/void', ...filesOf(specs)]
  return named.flatMap((path) => (path ? [resolve(path)] : []))
}

/** What one agent may have waiting and send. */
export const draftLimits = (config: Config): DraftLimits => ({
  waiting: config.draftsWaiting,
  waitingBytes: config.draftsWaitingBytes,
  perHour: config.draftsPerHour,
  bytes: config.draftBytes,
})

const embeddingDefaults = {
  voyage: { url: 'https://api.voyageai.com/v1', model: 'voyage-3.5' },
  openai: { url: 'https://api.openai.com/v1', model: 'text-embedding-3-small' },
} as const

/** `null`: search is by words alone. */
export function embeddingSettings(config: Config): EmbeddingSettings | null {
  const provider = config.embeddingProvider
  if (!provider) return null
  return {
    provider,
    url: config.embeddingUrl ?? embeddingDefaults[provider].url,
    model: config.embeddingModel ?? embeddingDefaults[provider].model,
    apiKey: config.embeddingApiKeyRef ?? config.embeddingApiKey,
  }
}
