// Starts that cannot succeed: each ends with a sentence that says what is wrong and what to do, code 1 and no stack.

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../helpers/clusters.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'
import { startFakePostgres } from '../helpers/fake-postgres.ts'
import { account, createLauncher, type Ended, expectSentence, ownAll } from '../helpers/refused-start.ts'

const { folder, launch, ownFolder } = createLauncher()
/** Two servers whose Postgres stays away, from the beginning on: they wait for half a minute. */
let away: { port: number; startedAt: number; ended: Promise<Ended>[] }

beforeAll(async () => {
  const port = await freePort()
  const hosts = [`127.0.0.1:${port}`, 'no-such-host.invalid:5432']
  const urls = hosts.map((host) => `postgres://void:hunter2@${host}/notes`)
  const ended = urls.map((url) => launch({ DATABASE_URL: url, DATA_DIR: ownFolder() }).ended)
  away = { port, startedAt: performance.now(), ended }
})

/** A data folder with a store, changed by `damage`. */
function damaged(damage: (store: string) => void): string {
  const data = makeDataFolder(mkdtempSync(join(folder, 'damaged-')))
  damage(join(data, 'store'))
  ownAll(data)
  return data
}

describe('the data folder', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'cannot be made',
      () => {
        const parent = ownFolder()
        chmodSync(parent, 0o500)
        return join(parent, 'data')
      },
      /The data folder .*\/data cannot be created: permission denied \(EACCES\)\. .*DATA_DIR/,
    ],
    [
      'is in a file system that holds no folders',
      () => '/proc/void/data',
      /The data folder \/proc\/void\/data cannot be created: no such file or directory \(ENOENT\)\. .*DATA_DIR/,
    ],
    [
      'is a link that leads nowhere',
      () => {
        const link = join(ownFolder(), 'data')
        symlinkSync('/none/at/all', link)
        return link
      },
      /The data folder .*\/data cannot be created: no such file or directory \(ENOENT\)\. .*DATA_DIR/,
    ],
    [
      'is a file',
      () => {
        const file = join(ownFolder(), 'data')
        writeFileSync(file, '')
        return file
      },
      /The data folder .*\/data is a file\. .*DATA_DIR/,
    ],
    [
      'is below a file',
      () => {
        const file = join(ownFolder(), 'file')
        writeFileSync(file, '')
        return join(file, 'data')
      },
      /The data folder .*\/file\/data cannot be created: not a directory \(ENOTDIR\)\. .*DATA_DIR/,
    ],
    [
      'cannot be written',
      () => {
        const data = ownFolder()
        chmodSync(data, 0o500)
        return data
      },
      /The data folder .* cannot be written: permission denied \(EACCES\)\. .*DATA_DIR/,
    ],
    [
      'holds the program',
      () => '/',
      /The data folder \/ holds Void itself .*Set DATA_DIR to a folder of its own/,
    ],
    [
      'has a token that cannot be read',
      () => {
        const data = ownFolder()
        mkdirSync(join(data, 'owner-token'))
        return data
      },
      /owner-token cannot be read: .*\(EISDIR\)\. Put a file/,
    ],
    [
      'has a key that cannot be read',
      () => {
        const data = makeDataFolder(mkdtempSync(join(folder, 'key-')))
        writeFileSync(join(data, 'secrets-key'), 'x')
        ownAll(data)
        chmodSync(join(data, 'secrets-key'), 0)
        return data
      },
      /The key file .*\/secrets-key cannot be read: permission denied \(EACCES\)\. .*Void runs as/,
    ],
    [
      'has a key that is none',
      () => {
        const data = makeDataFolder(mkdtempSync(join(folder, 'key-')))
        writeFileSync(join(data, 'secrets-key'), 'x')
        ownAll(data)
        return data
      },
      /secrets-key is not a key: .*openssl rand -base64 32/,
    ],
  ])('%s', async (_what, make, said) => {
    const { ended } = launch({ DATA_DIR: make(), OWNER_TOKEN: '' })

    expectSentence(await ended, said)
  })

  test.runIf(account.uid)('belongs to another account', async () => {
    const { ended } = launch({ DATA_DIR: mkdtempSync(join(folder, 'foreign-')) })

    expectSentence(await ended, /belongs to another account .*chown.*DATA_DIR/)
  })
})

describe('the store', () => {
  test.each<[string, (store: string) => void]>([
    ['has no control file', (store) => rmSync(join(store, 'global/pg_control'))],
    ['has a short control file', (store) => truncateSync(join(store, 'global/pg_control'), 100)],
    ['has no log', (store) => rmSync(join(store, 'pg_wal'), { recursive: true })],
    ['has no catalog', (store) => rmSync(join(store, 'base'), { recursive: true })],
    ['is of another Postgres', (store) => writeFileSync(join(store, 'PG_VERSION'), '12\n')],
    ['lost its version', (store) => rmSync(join(store, 'PG_VERSION'))],
    [
      'is a file',
      (store) => {
        rmSync(store, { recursive: true })
        writeFileSync(store, '')
      },
    ],
  ])('%s', async (_what, damage) => {
    const data = damaged(damage)
    const { ended } = launch({ DATA_DIR: data })

    expectSentence(await ended, /The embedded database in .*\/store .*restore\.sh/)
    expect(readdirSync(data)).not.toContain('server.json')
  })
})

describe('settings', () => {
  // One start after the other, and none of them changes it.
  const data = mkdtempSync(join(folder, 'settings-'))
  beforeAll(() => {
    makeDataFolder(data)
    ownAll(data)
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ PORT: 'eighty' }, /PORT: must be a whole number from 0 to 65535/],
    [{ PORT: '3000.5' }, /PORT: must be a whole number/],
    [{ PORT: '-1' }, /PORT: must be a whole number/],
    [{ DATABASE_POOL_SIZE: 'many' }, /DATABASE_POOL_SIZE: must be a whole number from 1 to 200/],
    [{ PUBLIC_URL: 'void.example' }, /PUBLIC_URL: must be an address such as https:\/\/void\.example/],
    [{ PUBLIC_URL: 'https://' }, /PUBLIC_URL: must be an address/],
    [{ PUBLIC_URL: 'ftp://void.example' }, /PUBLIC_URL: must be an address/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL: must start with postgres:\/\//],
    [{ DATABASE_URL: 'postgres://u:p#w@127.0.0.1/void' }, /DATABASE_URL: is no address.*%23/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL: .*"info"/],
    [{ LOG_FORMAT: 'xml' }, /LOG_FORMAT: .*"json"/],
    [{ OWNER_TOKEN: 'short' }, /OWNER_TOKEN: must be 24 random characters or more.*openssl/],
    [{ SECRETS_KEY: 'short' }, /SECRETS_KEY is not a key: .*openssl/],
    [
      { SECRETS_KEY_FILE: '/none/key' },
      /The key file \/none\/key cannot be read: no such file.*SECRETS_KEY_FILE/,
    ],
    [{ SECRETS_KEY_FILE: '/tmp' }, /The key file \/tmp cannot be read: .*\(EISDIR\)/],
    [{ HOST: 'no such host' }, /HOST/],
    [{ HOST: '192.0.2.1' }, /cannot listen on 192\.0\.2\.1:0: .*\(EADDRNOTAVAIL\).*HOST/],
    [{ ENV_FILE: '/tmp' }, /settings file \/tmp cannot be read: .*\(EISDIR\).*ENV_FILE/],
  ])('%o', async (env, said) => {
    const { ended } = launch({ DATA_DIR: data, ...env })

    const { error, ...rest } = await ended
    // Several settings can be wrong: they are a list.
    expectSentence({ ...rest, error: error.replace('Invalid settings:\n  ', 'Invalid settings: ') }, said)
  })

  test('several wrong ones are all named', async () => {
    const { code, error } = await launch({ PORT: 'eighty', LOG_LEVEL: 'loud' }).ended

    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^Void cannot start\. .*:\n {2}PORT: .*\n {2}LOG_LEVEL: .*\n$/),
    ])
  })

  test('a port that is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''

    const result = await launch({ DATA_DIR: data, PORT: port }).ended

    expectSentence(result, `Port ${port} is taken. Set PORT to another one.`)
    other.close()
  })

  test('a misspelt one is named, and the start goes on', async () => {
    const cwd = makeDataFolder(mkdtempSync(join(folder, 'misspelt-')))
    writeFileSync(join(cwd, '.env'), 'DATABSE_POOL_SIZE=20\nUNRELATED=1\n')
    ownAll(cwd)
    const { child, printed } = launch({ DATA_DIR: cwd, TRASHDAYS: '3' }, { cwd })

    await expect.poll(printed).toContain('listening on')

    expect(printed()).toMatch(/DATABSE_POOL_SIZE is not a setting.*DATABASE_POOL_SIZE/)
    expect(printed()).toMatch(/TRASHDAYS is not a setting.*TRASH_DAYS/)
    expect(printed()).not.toContain('UNRELATED')
    child.kill('SIGKILL')
  })
})

const usable = {
  version: '16.4',
  version_number: '160004',
  encoding: 'UTF8',
  read_only: 'f',
  installed: '0.8.0',
  available: '0.8.0',
  may_install: 't',
  may_create: 't',
}

describe('a Postgres', () => {
  test.each<[string, Record<string, string | null>, RegExp]>([
    ['is too old', { version: '14.9', version_number: '140009' }, /Postgres 14\.9, .* needs 15 or newer/],
    ['has no pgvector', { installed: null, available: null }, /has no pgvector.*postgresql-16-pgvector/],
    [
      'has too old a pgvector',
      { installed: '0.7.4' },
      /pgvector 0\.7\.4.* needs 0\.8\.0 or newer.*alter extension vector update/,
    ],
    [
      'offers too old a pgvector',
      { installed: null, available: '0.5.1' },
      /pgvector 0\.5\.1.* needs 0\.8\.0 or newer/,
    ],
    ['has pgvector 0.10', { installed: '0.10.0', read_only: 't' }, /read-only/],
    [
      'grants no right to make the extension',
      { installed: null, may_install: 'f' },
      /may not create the extension.*create extension vector/,
    ],
    ['grants no right to make tables', { may_create: 'f' }, /may not create tables.*alter database/],
    ['is a replica', { read_only: 't' }, /read-only.*primary/],
    ['stores no Unicode', { encoding: 'SQL_ASCII' }, /encoding SQL_ASCII.*UTF8/],
  ])('%s', async (_what, row, said) => {
    const { port } = await startFakePostgres(() => ({ row: { ...usable, ...row } }))
    const { ended } = launch({
      DATABASE_URL: `postgres://void:hunter2@127.0.0.1:${port}/notes`,
      DATA_DIR: ownFolder(),
    })

    const result = await ended

    expectSentence(result, said, `127.0.0.1:${port}`)
    expect(result.error).not.toContain('hunter2')
  })

  test.each([
    ['28P01', 'password authentication failed for user "void"', /user "void".*DATABASE_URL/],
    ['28000', 'role "void" does not exist', /role "void" does not exist.*createuser/],
    ['3D000', 'database "notes" does not exist', /database "notes" does not exist.*createdb/],
    ['42501', 'permission denied for database "notes"', /permission denied for database "notes".*grant/i],
  ])('refuses with %s', async (code, message, said) => {
    const { port } = await startFakePostgres(() => ({ code, message }))
    const { ended } = launch({
      DATABASE_URL: `postgres://void:hunter2@127.0.0.1:${port}/notes`,
      DATA_DIR: ownFolder(),
    })

    expectSentence(await ended, said, `127.0.0.1:${port}`)
  })

  test('a command says the same', async () => {
    const { port } = await startFakePostgres(() => ({ row: { ...usable, installed: '0.5.0' } }))
    const env = { DATABASE_URL: `postgres://void@127.0.0.1:${port}/notes`, DATA_DIR: ownFolder() }
    const programs = ['migrate', 'reindex', 'verify-audit', 'export']

    const results = await Promise.all(
      programs.map(
        (name) =>
          launch(env, { program: `lib/server/cli/${name}.ts`, args: name === 'export' ? ['out'] : [] }).ended,
      ),
    )

    for (const { code, error } of results) {
      expect(error).toMatch(/pgvector 0\.5\.0.* needs 0\.8\.0[^\n]*\n$/)
      expect(error).not.toMatch(/\n +at |\.ts:\d/)
      expect(code).toBeGreaterThan(0)
    }
  })

  test('that starts a moment later is waited for, with a line', async () => {
    let isUp = false
    const { port } = await startFakePostgres(() =>
      isUp
        ? { row: { ...usable, encoding: 'LATIN1' } }
        : { code: '57P03', message: 'the database system is starting up' },
    )
    const { ended, printed } = launch({
      DATABASE_URL: `postgres://void@127.0.0.1:${port}/notes`,
      DATA_DIR: ownFolder(),
    })
    await expect
      .poll(printed)
      .toMatch(/Waiting for Postgres at 127\.0\.0\.1:\d+: the database system is starting up/)

    isUp = true

    const { error, ...rest } = await ended
    const [waiting, ...then] = error.split('\n')
    expect(waiting).toMatch(/^Waiting for Postgres/)
    expectSentence({ ...rest, error: then.join('\n') }, /encoding LATIN1/)
  })
})

test('a Postgres that stays away ends the start after half a minute, with its address and the reason', async () => {
  const { port, startedAt } = away
  const [refused, unknown] = await Promise.all(away.ended)

  for (const [result, said] of [
    [refused!, `Postgres at 127.0.0.1:${port} cannot be reached: connection refused (ECONNREFUSED).`],
    [unknown!, 'Postgres at no-such-host.invalid:5432 cannot be reached: '],
  ] as const) {
    const [waiting, ...then] = result.error.split('\n')
    expect(waiting).toMatch(/^Waiting for Postgres at /)
    expectSentence({ ...result, error: then.join('\n') }, said, 'DATABASE_URL')
    expect(result.error).not.toContain('hunter2')
  }
  expect(performance.now() - startedAt).toBeGreaterThan(29_000)
}, 90_000)
