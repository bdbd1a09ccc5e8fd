import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDataFolder } from '../../../lib/db/data-folder.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { childEnv } from '../../helpers/child-env.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-backup-'))
const data = join(folder, 'data')
const archive = join(folder, 'before.tar.gz')

beforeAll(async () => {
  expect(run(process.execPath, 'lib/server/cli/migrate.ts').code).toBe(0)
  await rename('The garden')
  writeFileSync(join(data, 'owner-token'), 'void_owner_secret\n')
})

afterAll(() => rmSync(folder, { recursive: true }))

function run(command: string, ...rest: (string | Record<string, string>)[]) {
  const args = rest.filter((one) => typeof one === 'string')
  const env = rest.find((one) => typeof one === 'object')
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: {
      ...childEnv,
      NODE: process.execPath,
      DATA_DIR: data,
      ENV_FILE: join(folder, 'none.env'),
      ...env,
    },
  })
  return { code: status, said: stdout + stderr }
}

async function withStore<Result>(work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<Result>) {
  const claimed = claimDataFolder(data)
  const database = await openDatabase({ folder: claimed.store })
  const result = await work(database)
  await database.close()
  claimed.release()
  return result
}

const rename = (name: string) =>
  withStore((db) =>
    db.query(
      `create table if not exists kept (name text); delete from kept; insert into kept values ('${name}')`,
    ),
  )

const name = () =>
  withStore(async (db) => (await db.query<{ name: string }>('select name from kept')).rows[0]?.name)

test('what was backed up comes back, and what it replaced is kept', async () => {
  expect(run('deploy/backup.sh', join(folder, 'before'))).toEqual({ code: 0, said: `${archive}\n` })
  await rename('The desert')
  writeFileSync(join(data, 'owner-token'), 'another\n')

  const { code, said } = run('deploy/restore.sh', archive)

  expect(said).toContain('Restored')
  expect(code).toBe(0)
  expect(await name()).toBe('The garden')
  expect(readFileSync(join(data, 'owner-token'), 'utf8')).toBe('void_owner_secret\n')
  expect(readdirSync(data).filter((entry) => entry.startsWith('before-restore-'))).toHaveLength(1)
  expect(run(process.execPath, 'lib/server/cli/migrate.ts').said).toBe('The schema is up to date.\n')
})

test('a backup into the data folder contains neither itself nor nightly ones', () => {
  const nightly = join(data, 'kept', 'nightly')
  mkdirSync(nightly, { recursive: true })
  writeFileSync(join(nightly, 'void-20260301T030000Z.tar.gz'), '')
  const file = join(data, 'by-hand')

  const runs = [1, 2].map(() => run('deploy/backup.sh', file, { BACKUP_DIR: nightly }))

  const { stdout } = spawnSync('tar', ['--list', '--file', `${file}.tar.gz`], { encoding: 'utf8' })
  rmSync(`${file}.tar.gz`)
  rmSync(join(data, 'kept'), { recursive: true })
  expect(runs).toEqual([1, 2].map(() => ({ code: 0, said: `${file}.tar.gz\n` })))
  expect(stdout).toContain('owner-token')
  expect(stdout).not.toMatch(/nightly|by-hand/)
})

test('backups in a row are of one size wherever they lie, and each comes back', async () => {
  mkdirSync(join(data, 'by-hand'))
  mkdirSync(join(data, 'restoring.AbC123/store'), { recursive: true })
  for (const left of ['broken.tar.gz.part', 'old.dump', 'restoring.AbC123/store/large'])
    writeFileSync(join(data, left), randomBytes(2_000_000))
  const places = ['monday', 'tuesday', 'by-hand/monday', 'by-hand/tuesday'].map((name) => join(data, name))

  const runs = places.map((file) => run('deploy/backup.sh', file))

  expect(runs).toEqual(places.map((file) => ({ code: 0, said: `${file}.tar.gz\n` })))
  const sizes = places.map((file) => statSync(`${file}.tar.gz`).size)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(20_000)
  for (const file of places) {
    const restored = join(folder, 'each', basename(dirname(file)) + basename(file))
    expect(run('deploy/restore.sh', `${file}.tar.gz`, { DATA_DIR: restored }).code).toBe(0)
    const names = readdirSync(restored).filter((name) => name !== 'by-hand')
    expect(names.toSorted()).toEqual(['lock', 'owner-token', 'store'])
  }
  for (const left of ['by-hand', 'restoring.AbC123', 'broken.tar.gz.part', 'old.dump'])
    rmSync(join(data, left), { recursive: true })
})

test.each(['store/mine', 'imports/mine', 'sources/a/mine'])('a backup to %s is refused', (at) => {
  mkdirSync(dirname(join(data, at)), { recursive: true })

  const { code, said } = run('deploy/backup.sh', join(data, at))

  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('of the data folder') })
  expect(existsSync(join(data, `${at}.tar.gz.part`))).toBe(false)
})

test('a backup that fails leaves no partial file', () => {
  const running = claimDataFolder(data)

  run('deploy/backup.sh', join(folder, 'failing'))

  running.release()
  expect(readdirSync(folder).filter((name) => name.startsWith('failing'))).toEqual([])
})

test.each([
  ['backup.sh', 'of-postgres', 'pg_dump'],
  ['restore.sh', 'of-postgres.dump', 'psql'],
])('%s says when the programs of Postgres are missing, and where they are', (script, file, program) => {
  const { code, said } = run(`deploy/${script}`, join(folder, file), {
    DATABASE_URL: 'postgres://void@127.0.0.1:9/void',
    // What looks for programs finds none.
    'BASH_FUNC_command%%': '() { return 1; }',
  })

  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^There is no .* commands\.\n$/) })
  expect(said).toContain(`There is no ${program} here. `)
  expect(readdirSync(folder).filter((name) => name.startsWith('of-postgres'))).toEqual([])
})

test('the scripts use the Node that npm brought', () => {
  const project = join(folder, 'project')
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  cpSync('deploy', join(project, 'deploy'), { recursive: true })
  cpSync('package.json', join(project, 'package.json'))
  symlinkSync(resolve('lib'), join(project, 'lib'))
  symlinkSync(process.execPath, join(project, 'node_modules/.bin/node'))
  const machine = { NODE: '', PATH: `${fakeNode()}:${process.env.PATH}` }

  const made = run(join(project, 'deploy/backup.sh'), join(folder, 'brought'), machine)
  const restored = run(join(project, 'deploy/restore.sh'), join(folder, 'brought.tar.gz'), machine)

  expect([made.code, restored.code], made.said + restored.said).toEqual([0, 0])
})

/** A folder with a `node` that is too old for anything. */
function fakeNode(): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'node'), '#!/bin/sh\necho too old >&2; exit 1\n', { mode: 0o755 })
  return bin
}

test('a backup is for its owner alone', () => {
  run('deploy/backup.sh', join(folder, 'before'))

  expect(statSync(archive).mode & 0o777).toBe(0o600)
})

test.each(['deploy/backup.sh', 'deploy/restore.sh'])('%s refuses while a server is running', (script) => {
  const running = claimDataFolder(data)
  const before = readdirSync(data).sort()

  const { code, said } = run(script, archive)

  const after = readdirSync(data).sort()
  running.release()
  expect(said).toContain('Another Void is already running')
  expect(code).toBe(1)
  expect(after).toEqual(before)
})

test('migrating refuses while a server is running', () => {
  const running = claimDataFolder(data)

  const { code, said } = run(process.execPath, 'lib/server/cli/migrate.ts')

  running.release()
  expect(said).toContain('Void cannot migrate. Another Void is already running')
  expect(code).toBe(1)
})

test('a file that is no backup changes nothing', async () => {
  const torn = join(folder, 'torn.tar.gz')
  writeFileSync(torn, readFileSync(archive).subarray(0, 2000))
  const before = readdirSync(data).sort()

  const { code } = run('deploy/restore.sh', torn)

  expect(code).toBe(1)
  expect(readdirSync(data).sort()).toEqual(before)
  expect(await name()).toBe('The garden')
})
