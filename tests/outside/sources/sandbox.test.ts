// What a program of a source sees of the machine, and what is asked where nothing can be kept from it.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SourceRow } from '../../../lib/db/repos/sources.ts'
import { createTextThreads } from '../../../lib/jobs/workers/text-threads.ts'
import { createConnections } from '../../../lib/outside/sources/connections.ts'
import { pathsOf } from '../../../lib/outside/sources/sandbox/hidden-paths.ts'
import { createSandbox } from '../../../lib/outside/sources/sandbox/sandbox.ts'
import { denySystemCalls } from '../../../lib/outside/sources/sandbox/system-calls.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'
import { fakeSource } from './source-helpers.ts'

const root = await mkdtemp(join(tmpdir(), 'void-sandbox-'))
await chmod(root, 0o755)
const file = async (...path: string[]) => {
  const whole = join(root, ...path)
  await mkdir(join(whole, '..'), { recursive: true })
  await writeFile(whole, 'secret')
  return whole
}
const hidden = [
  await file('data', 'secrets-key'),
  await file('data', 'sources', 'another', 'note'),
  await file('backups', 'void.tar'),
  await file('start', '.env'),
  await file('start', 'notes'),
]
const shown = await file('elsewhere', 'paper')
const keyFile = await file('keys', 'mail')
await symlink(join(root, 'data'), join(root, 'linked'))
afterAll(() => rm(root, { recursive: true }))

const folders = {
  dataFolder: join(root, 'linked'),
  startFolder: join(root, 'start'),
  hidden: [join(root, 'backups')],
  findHidden: async () => [keyFile],
}
const sandbox = createSandbox(folders)
const canConfine = (await sandbox.problem({ network: false })) === null

async function look() {
  const row = {
    ...fakeSource(''),
    ...{ id: 'a-source', url: null, headers: {}, network: false, unconfined: false },
    // A folder that is named is its own to use.
    env: { FAKE: '', PAPERS: join(root, 'elsewhere') },
  } as unknown as SourceRow
  const secrets = { resolve: async (spec: string) => spec, current: (spec: string | null) => spec }
  const { dataFolder } = folders
  const threads = createTextThreads()
  const connections = createConnections({ secrets, sandbox, dataFolder, threads, version: '0' })
  try {
    const { content } = await connections.use(row, ({ client }) =>
      client.callTool({ name: 'echo', arguments: { text: 'look', files: [...hidden, keyFile, shown] } }),
    )
    return JSON.parse(Reflect.get(Object(content[0]), 'text'))
  } finally {
    await connections.close()
  }
}

test.runIf(canConfine)(
  'behind a linked data folder it sees its own folder, what is named, and no other process',
  async () => {
    const { cwd, seen, processes } = await look()

    expect(cwd).toBe(join(root, 'data', 'sources', 'a-source'))
    // In the place of a file is one that cannot be read.
    expect(seen).toEqual([keyFile, shown])
    expect(processes.length).toBeLessThanOrEqual(2)
    expect(await readFile(join(cwd, 'note'), 'utf8')).toBe('kept')
    for (const path of hidden) expect(existsSync(path)).toBe(true)
  },
)

const nobody = 65_534
const asNobody = (command: string, args: readonly string[]) =>
  promisify(execFile)(command, [...args], { uid: nobody, gid: nobody, cwd: '/', encoding: 'utf8' })
const starter = fileURLToPath(new URL('../../../lib/outside/sources/sandbox/start.sh', import.meta.url))
const canBeNobody =
  process.getuid?.() === 0 &&
  (await sandbox.problem({ network: true })) === null &&
  (await asNobody('/bin/cat', [starter]).then(
    () => true,
    () => false,
  ))

test.runIf(canBeNobody)('an ordinary account has it too, with a network of its own', async () => {
  await promisify(execFile)('chown', ['-R', `${nobody}:${nobody}`, root])
  const program = { command: 'cat', args: ['/proc/net/route', '/proc/self/status'], env: {}, network: true }
  const { command, args } = await sandbox.wrap(program, join(root, 'data', 'sources', 'another'))

  const { stdout } = await asNobody(command, args)

  expect(stdout).toMatch(/^tap0\s+00000000/m)
  expect(stdout).toMatch(/^CapBnd:\s+0+$/m)
})

test('the command is a list of arguments, whatever is in it', async () => {
  const program = { command: '--bind', args: ['/', '$(id)', '--', '; id'], env: {}, network: false }

  const { command, args } = await sandbox.wrap(program, join(root, 'data', 'sources', 'a-source'))

  expect(command).toBe('/bin/sh')
  const end = args.indexOf('--')
  expect(args.slice(end + 1)).toEqual(['--bind', '/', '$(id)', '--', '; id'])
})

test.each(['/etc', '/usr/bin', '/proc/sys', '/'])(
  '%s is not writable, also where it is named',
  async (path) => {
    const program = { command: 'true', args: [path, `--root=${path}`], env: { PLACE: path }, network: false }

    const { args } = await sandbox.wrap(program, join(root, 'data', 'sources', 'a-source'))

    expect(args.slice(0, args.lastIndexOf('--')).join(' ')).not.toContain(` --bind ${path} `)
  },
)

test('a folder is found wherever a mount shows it', () => {
  const mounts = [
    { device: '8:1', root: '/', folder: '/' },
    { device: '8:1', root: root, folder: '/tmp' },
    { device: '8:2', root: root, folder: '/var' },
  ]

  // What the second mount shows at /tmp would be at /tmp/elsewhere, which is not there on this machine.
  expect(pathsOf([shown], mounts)).toEqual([shown])
  expect(
    pathsOf(
      [shown],
      [mounts[0]!, { device: '8:1', root: join(root, 'elsewhere'), folder: join(root, 'elsewhere') }],
    ),
  ).toEqual([shown])
  expect(pathsOf([join(root, 'missing')], mounts)).toEqual([])
})

test('system calls are denied on the processors whose numbers are known', () => {
  expect(denySystemCalls('x64')?.length).toBeGreaterThan(300)
  expect(denySystemCalls('arm64')).not.toEqual(denySystemCalls('x64'))
  expect(denySystemCalls('riscv64')).toBeNull()
})

describe('where no sandbox can be had', async () => {
  const app = await buildApp()
  const { space } = await makeWorld(app)
  const at = `/api/spaces/${space.id}/sources`
  const { unconfined, ...program } = fakeSource('')
  beforeAll(() => void vi.stubEnv('PATH', '/nowhere'))
  afterAll(() => vi.unstubAllEnvs())
  afterEach(() => app.deps.connections.close())

  test('a program is refused in plain words until the owner accepts it', async () => {
    const refused = await app.owner.post(at).send(program).expect(409)
    const online = await app.owner
      .post(at)
      .send({ ...program, network: true })
      .expect(409)
    const added = await app.owner
      .post(at)
      .send({ ...program, unconfined })
      .expect(201)
    const tested = await app.owner.post(`/api/sources/${added.body.id}/test`).expect(200)

    for (const { body } of [refused, online]) {
      expect(body.error.code).toBe('sandbox_unavailable')
      expect(body.error.message).toMatch(
        /^This machine has no sandbox for programs.*can read and change everything/,
      )
    }
    expect(added.body).toMatchObject({ unconfined: true, network: false })
    expect(tested.body.ok).toBe(true)
  })

  test('one that was accepted is asked for again only when that is taken back', async () => {
    const { body } = await app.owner
      .post(at)
      .send({ ...program, name: 'Again', unconfined })
      .expect(201)

    const renamed = await app.owner.patch(`/api/sources/${body.id}`).send({ name: 'Renamed' })
    const taken = await app.owner.patch(`/api/sources/${body.id}`).send({ unconfined: false })

    expect([renamed.status, taken.status]).toEqual([200, 409])
  })

  test('a program from before is not run without', async () => {
    const { body } = await app.owner
      .post(at)
      .send({ ...program, name: 'Before', unconfined })
      .expect(201)
    await app.deps.database.query('update sources set unconfined = false where id = $1', [body.id])

    const tested = await app.owner.post(`/api/sources/${body.id}/test`).expect(200)

    expect(tested.body.ok).toBe(false)
    expect(tested.body.error).toMatch(/^This machine has no sandbox for programs/)
  })

  test('an address has no sandbox to ask for', async () => {
    const address = { name: 'Address', transport: 'http', url: 'http://127.0.0.1:9/mcp' }

    const added = await app.owner.post(at).send(address)
    const asked = await app.owner.post(at).send({ ...address, name: 'Other', unconfined: true })

    expect([added.status, asked.status]).toEqual([201, 400])
  })
})
