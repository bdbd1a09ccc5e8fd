import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig, modelSettings, variables } from '../../../lib/server/config.ts'

const load = (env: NodeJS.ProcessEnv) => loadConfig(env, '/nonexistent/.env')

test('nothing set is a whole configuration', () => {
  expect(load({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    databaseUrl: null,
    ownerToken: null,
    anthropicApiKey: null,
    anthropicModel: 'claude-sonnet-5-5',
    logLevel: 'info',
  })
})

test('an empty variable counts as unset', () => {
  expect(load({ PORT: '', DATABASE_URL: '', ANTHROPIC_API_KEY: '' })).toMatchObject({
    port: 3000,
    databaseUrl: null,
    anthropicApiKey: null,
  })
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://x'],
  ['PUBLIC_URL', 'void.example'],
  ['ANTHROPIC_API_KEY_REF', 'vault:x'],
  ['LOG_LEVEL', 'loud'],
  ['OWNER_TOKEN', 'short'],
])('a wrong %s is refused by name', (name, value) => {
  expect(() => load({ [name]: value })).toThrow(ConfigError)
  expect(() => load({ [name]: value })).toThrow(name)
})

test.each([
  'hunter2',
  'correct horse battery',
  'a'.repeat(40),
  'password'.repeat(5),
  'abcabcabcabcabcabcabcabcabc',
])('an owner token that could be guessed is refused, with how to make one: %s', (token) => {
  expect(() => load({ OWNER_TOKEN: token })).toThrow(/OWNER_TOKEN: .*openssl rand/)
})

test('a random owner token is accepted, in base64 or hexadecimal', () => {
  const long = randomBytes(150).toString('base64')
  expect(load({ OWNER_TOKEN: long }).ownerToken).toBe(long)
  for (let n = 0; n < 200; n += 1) {
    for (const token of [randomBytes(18).toString('base64'), randomBytes(16).toString('hex')]) {
      expect(load({ OWNER_TOKEN: token }).ownerToken).toBe(token)
    }
  }
})

test('a refusal does not repeat a secret', () => {
  expect(() => load({ OWNER_TOKEN: 'hunter2' })).not.toThrow(/hunter2/)
})

test('the configuration cannot be changed', () => {
  expect(() => Object.assign(load({}), { port: 1 })).toThrow(TypeError)
})

test('a reference wins over a key, `none` is no small model, and 0 is any number', () => {
  const env = { ANTHROPIC_API_KEY: 'sk-1', ANTHROPIC_API_KEY_REF: 'env:KEY', ROUTER_MODEL: 'none' }

  expect(modelSettings(load(env))).toMatchObject({ apiKey: 'env:KEY', smallModel: null })
  expect(load({ DAILY_TOKENS: '0', TURNS_PER_MINUTE: '0' })).toMatchObject({
    dailyTokens: null,
    turnsPerMinute: null,
  })
})

test('a .env file fills in what the environment leaves open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'void-env-'))
  const file = join(folder, '.env')
  await writeFile(file, 'PORT=4000\nANTHROPIC_MODEL="from-file"\n')

  const config = loadConfig({ PORT: '5000' }, file)

  expect(config).toMatchObject({ port: 5000, anthropicModel: 'from-file' })
  await rm(folder, { recursive: true })
})

test('every variable is in docs/configuration.md, and nothing else is', async () => {
  const text = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1])

  expect(documented.toSorted()).toEqual(variables.toSorted())
})
