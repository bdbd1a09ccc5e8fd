// What a server prints beside its log: for a person, and with LOG_FORMAT=json for a program, from the first line to the
// last.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { childEnv, childFlags } from '../helpers/child-env.ts'
import { makeDataFolder } from '../helpers/data-folder.ts'

const launcher = fileURLToPath(new URL('../../server.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'void-printed-'))
chmodSync(folder, 0o755)
const running = new Set<ChildProcess>()

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const isRoot = process.getuid?.() === 0
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

function launch(env: Record<string, string>, account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [...childFlags, launcher], {
    cwd: folder,
    env: { ...childEnv, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  running.add(child)
  const printed = { out: '', error: '' }
  child.stdout.on('data', (chunk) => (printed.out += chunk))
  child.stderr.on('data', (chunk) => (printed.error += chunk))
  const ended = once(child, 'close').then(([code]) => code)
  return { child, printed, ended }
}

const listening = ({ printed }: ReturnType<typeof launch>) =>
  expect.poll(() => printed.out + printed.error, { timeout: 60_000 }).toContain('listening on')

function newData(): string {
  return makeDataFolder(mkdtempSync(join(folder, 'data-')))
}

const linesOf = (text: string): { level: number; time: number; msg: string; [field: string]: unknown }[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('HOST=0.0.0.0 says that it is open to the network and in plain HTTP, the loopback does not', async () => {
  const [open, closed] = [launch({ HOST: '0.0.0.0', DATA_DIR: newData() }), launch({ DATA_DIR: newData() })]
  await Promise.all([listening(open), listening(closed)])

  expect(open.printed.error).toMatch(
    /^Warning: HOST=0\.0\.0\.0 is open to the network, in plain HTTP: .*proxy with TLS.*deploy\.md\)\.\n$/,
  )
  expect(closed.printed.error).toBe('')
  for (const { child, ended } of [open, closed]) {
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
})

test('with LOG_FORMAT=json each line is one of JSON, from a first start to a stop', async () => {
  const data = join(folder, 'first')
  const server = launch({ LOG_FORMAT: 'json', LOG_LEVEL: 'info', HOST: '0.0.0.0', DATA_DIR: data })
  await listening(server)
  const { url } = linesOf(server.printed.out).find(({ msg }) => msg.includes('listening on'))!
  await fetch(`${url}/nowhere`)
  server.child.kill('SIGTERM')

  expect(await server.ended).toBe(0)
  const lines = linesOf(server.printed.out)
  for (const { level, time, msg } of lines) {
    expect([typeof level, typeof time, typeof msg]).toEqual(['number', 'number', 'string'])
  }
  expect(lines[0]!.msg).toMatch(/^Warning: HOST=0\.0\.0\.0 is open to the network/)
  expect(lines.find(({ msg }) => msg.includes('listening on'))).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    sign_in: expect.stringContaining('/sign-in?code='),
    version: expect.any(String),
  })
  expect(server.printed.error).toBe('')
})

test.each([
  ['the environment', { LOG_FORMAT: 'json', PORT: 'eighty' }, ''],
  ['a file', { PORT: 'eighty' }, 'LOG_FORMAT=json\n'],
])('a start that fails is one line of JSON, when %s asks for it', async (_where, env, file) => {
  const settings = join(folder, `env-${file.length}`)
  writeFileSync(settings, file)
  const { printed, ended } = launch({ ENV_FILE: settings, DATA_DIR: newData(), ...env })

  expect(await ended).toBe(1)
  expect(printed.error).toBe('')
  expect(linesOf(printed.out)).toEqual([
    expect.objectContaining({ level: 60, msg: expect.stringMatching(/^Void cannot start\. .*PORT/s) }),
  ])
})

test.runIf(isRoot)(
  'the command in the log signs in at the server of another account, as it is printed',
  async () => {
    const data = newData()
    for (const path of ['', ...readdirSync(data, { recursive: true })]) {
      chownSync(join(data, String(path)), nobody.uid!, nobody.gid!)
    }
    const server = launch({ DATA_DIR: data }, nobody)
    await listening(server)
    const command = /For a new one: (.*)/.exec(server.printed.out)?.[1] ?? ''

    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: '/' })

    expect(command).toMatch(/^runuser -u nobody -- env DATA_DIR=\S+ \S+node \S+\/sign-in\.ts$/)
    const link = /Sign in: (\S+)/.exec(stdout)?.[1] ?? ''
    const { origin, searchParams } = new URL(link)
    const answer = await fetch(`${origin}/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ code: searchParams.get('code') ?? '' }),
      redirect: 'manual',
    })
    expect(answer.status).toBe(303)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  },
)
