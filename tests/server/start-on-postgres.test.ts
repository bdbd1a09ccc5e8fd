// Starts on a real Postgres that lacks something, comes late, or has a server with the same data folder.

import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { openGate } from '../helpers/gate.ts'
import { createLauncher, expectSentence } from '../helpers/refused-start.ts'
import { makeCrashDatabase } from '../tools/crash/crash-database.ts'

const { launch, ownFolder } = createLauncher()

test.runIf(inject('postgresTemplate'))(
  'a second server with the same data folder is refused on a Postgres, too',
  async () => {
    const { url = '', drop } = await makeCrashDatabase()
    const env = { DATABASE_URL: url, DATA_DIR: ownFolder() }
    const first = launch(env)
    await expect.poll(first.printed).toContain('listening on')

    const second = await launch(env).ended
    const command = await launch(env, { program: 'lib/server/cli/verify-audit.ts' }).ended

    expectSentence(second, /Another Void is already running on the data folder .*DATA_DIR/)
    expect(command).toMatchObject({ code: 0, error: '' })
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    await drop()
  },
)

describe.runIf(inject('postgresTemplate'))('a real Postgres', () => {
  const { url = '' } = inject('postgresTemplate') ?? {}

  test.each<[string, (url: URL) => void, RegExp]>([
    [
      'without the database',
      (target) => (target.pathname = '/no_such_notes'),
      /database "no_such_notes" does not exist.*createdb/,
    ],
    ['without the role', (target) => (target.username = 'no_such_role'), /no_such_role.*DATABASE_URL/],
  ])('%s', async (_what, change, said) => {
    const target = new URL(url)
    change(target)

    expectSentence(await launch({ DATABASE_URL: target.href, DATA_DIR: ownFolder() }).ended, said)
  })

  test('where the role may neither make the extension nor tables', async () => {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const name = `void_refused_${process.pid}`
    await admin.query(`create role ${name} login`)
    await admin.query(`create database ${name}`)
    const target = Object.assign(new URL(url), { username: name, pathname: `/${name}` })
    const env = { DATABASE_URL: target.href, DATA_DIR: ownFolder() }

    const noExtension = await launch(env).ended
    const inside = new pg.Client({
      connectionString: Object.assign(new URL(url), { pathname: `/${name}` }).href,
    })
    await inside.connect()
    await inside.query('create extension vector')
    await inside.end()
    const noTables = await launch(env).ended
    await admin.query(`alter database ${name} owner to ${name}`)
    const started = launch(env)
    await expect.poll(started.printed).toContain('listening on')
    started.child.kill('SIGTERM')
    await started.ended

    expectSentence(noExtension, /may not create the extension/)
    expectSentence(noTables, /may not create tables/)
    await admin.query(`drop database ${name} with (force)`)
    await admin.query(`drop role ${name}`)
    await admin.end()
  })

  test('that comes back while it is waited for', async () => {
    const gate = await openGate(new URL(url))
    await gate.close()
    const { url: own = '', drop } = await makeCrashDatabase()
    const target = Object.assign(new URL(own), { port: String(gate.port) })
    const { child, ended, printed } = launch({ DATABASE_URL: target.href, DATA_DIR: ownFolder() })
    await expect
      .poll(printed)
      .toMatch(/Waiting for Postgres at 127\.0\.0\.1:\d+: connection refused \(ECONNREFUSED\)/)

    await gate.open()

    await expect.poll(printed).toContain('listening on')
    child.kill('SIGTERM')
    await ended
    await gate.close()
    await drop()
  })
})
