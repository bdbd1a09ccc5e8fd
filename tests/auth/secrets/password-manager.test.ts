import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createReadVaultField } from '../../../lib/auth/secrets/password-manager.ts'
import { createVaultCache } from '../../../lib/auth/secrets/secrets.ts'
import { createLogger } from '../../../lib/core/logger.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-bw-'))
afterAll(() => rmSync(folder, { recursive: true }))

const item = {
  login: { username: 'ada', password: 'enigma' },
  notes: null,
  fields: [
    { name: 'api/key', value: 'no' },
    { name: 'key', value: 'sk-1' },
  ],
}

/** A program that stands for `bw` and notes its arguments. */
function fakeBw(script: string, maxMs = 5000) {
  const command = join(folder, `bw-${Math.random().toString(36).slice(2)}`)
  writeFileSync(
    command,
    `#!${process.execPath}\nrequire('fs').writeFileSync(${JSON.stringify(`${command}.args`)}, JSON.stringify([process.argv.slice(2), Object.keys(process.env)]))\n${script}`,
  )
  chmodSync(command, 0o700)
  const env = { PATH: process.env.PATH ?? '', BW_SESSION: 'session' }
  return {
    read: createReadVaultField({ command, env, maxMs }),
    asked: () => JSON.parse(readFileSync(`${command}.args`, 'utf8')),
  }
}

const printing = (value: unknown) => `process.stdout.write(${JSON.stringify(JSON.stringify(value))})`

test('a field is read from the item, by arguments and never by a shell', async () => {
  const { read, asked } = fakeBw(printing(item))
  const name = 'Model $(touch /tmp/x); "key"'

  const values = await Promise.all(
    ['password', 'username', 'notes', 'key'].map((field) => read(`${name}/${field}`)),
  )

  expect(values).toEqual(['enigma', 'ada', null, 'sk-1'])
  expect(asked()[0]).toEqual(['get', 'item', name, '--nointeraction'])
})

test('a field that the item does not have is no secret', async () => {
  expect(await fakeBw(printing({ login: null })).read('Model/password')).toBeNull()
})

test.each(['Model', '/password', 'Model/', '--help/password', ''])(
  '%s is no reference',
  async (reference) => {
    await expect(fakeBw(printing(item)).read(reference)).rejects.toMatchObject({
      code: 'vault_failed',
      message: expect.stringContaining('ITEM/FIELD'),
    })
  },
)

test('a program that is not there, fails, prints rubbish, floods or hangs is an error without its output', async () => {
  const missing = createReadVaultField({ command: join(folder, 'none'), env: {} })
  const cases = [
    [missing, 'was not found'],
    [fakeBw(`console.error('TOPSECRET'); process.exit(3)`).read, 'ended with 3'],
    [fakeBw(`console.log('TOPSECRET')`).read, 'is not an item'],
    [fakeBw(`for (;;) require('fs').writeSync(1, 'TOPSECRET'.repeat(9999))`).read, 'more than 1 MB'],
    [fakeBw(`setInterval(() => {}, 1000)`, 500).read, 'did not answer within 0.5 seconds'],
  ] as const

  for (const [read, reason] of cases) {
    const error = await read('Model/password').then(
      () => null,
      (caught: Error) => caught,
    )
    expect(error?.message).toContain(reason)
    expect(`${error?.message} ${error?.stack} ${String(error?.cause)}`).not.toContain('TOPSECRET')
  }
})

test('an answer is used for five minutes, then asked for again while the old one serves', async () => {
  let time = 0
  const answers = ['one', 'two']
  let asked = 0
  const cache = createVaultCache({
    readVaultField: async () => answers[asked++] ?? null,
    logger: createLogger('silent'),
    now: () => new Date(time),
  })

  const before = cache.peek('a/b')
  await cache.load('a/b')
  const fresh = cache.peek('a/b')
  time = 5 * 60_000 + 1
  const old = cache.peek('a/b')
  await cache.load('a/b')

  expect([before, fresh, old, cache.peek('a/b')]).toEqual([null, 'one', 'one', 'two'])
  expect(asked).toBe(2)
})

test('after a failure the program is left alone for half a minute', async () => {
  let time = 0
  let asked = 0
  const cache = createVaultCache({
    readVaultField: async () => {
      asked += 1
      throw new Error('locked')
    },
    logger: createLogger('silent'),
    now: () => new Date(time),
  })
  await cache.load('a/b').catch(() => {})

  cache.peek('a/b')
  cache.peek('a/b')
  const soon = asked
  time = 30_001
  cache.peek('a/b')

  expect([soon, asked]).toEqual([1, 2])
})
