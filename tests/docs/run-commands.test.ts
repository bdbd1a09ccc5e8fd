// The commands of README.md and docs/deploy.md in the same words, as far as a machine without Docker can run them: most of
// them as root of a machine of their own (tests/docs/machine.sh).

import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childEnv } from '../helpers/child-env.ts'
import { ask, backUp, goBack, metrics, restore, setUp, signIn, upgrade } from './documented.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-commands-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = promisify(execFile)
const git = (cwd: string, ...args: string[]) =>
  run('git', ['-c', 'user.name=Void', '-c', 'user.email=void@example.com', ...args], { cwd })

test('a clone is upgraded, and goes back, as the guide says', async () => {
  const [origin, clone, bin] = ['origin', 'clone', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await git(folder, 'clone', '--quiet', '--no-local', '--depth=1', `file://${resolve('.')}`, origin)
  await git(origin, 'switch', '--quiet', '--create', 'upgraded')
  await git(folder, 'clone', '--quiet', origin, clone)
  const version = async () => (await git(clone, 'rev-parse', 'HEAD')).stdout
  const before = await version()
  await git(origin, 'commit', '--quiet', '--allow-empty', '--message=Newer')
  mkdirSync(bin)
  // The packages are there, and a start is a look at the data.
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\necho "npm $1 at $(git rev-parse HEAD)" >> ${folder}/npm\n`, {
    mode: 0o755,
  })
  mkdirSync(join(clone, 'data/store'), { recursive: true })
  chmodSync(join(clone, 'data'), 0o700)
  writeFileSync(join(clone, 'data/store/PG_VERSION'), '18\n')
  writeFileSync(join(clone, 'data/store/text'), 'before')
  const env = { ...childEnv, PATH: `${bin}:${dirname(process.execPath)}:${childEnv.PATH}`, HOME: folder }
  const script = (lines: string[]) => run('bash', ['-euc', lines.join('\n')], { cwd: clone, env })

  await script(upgrade)
  const after = await version()
  writeFileSync(join(clone, 'data/store/text'), 'after')
  await script(goBack)
  const back = await version()
  await script(restore)

  expect(after).not.toBe(before)
  expect(back).toBe(before)
  expect(readFileSync(join(clone, 'data/store/text'), 'utf8')).toBe('before')
  const called = [after, after, before, before].map((at, n) => `npm ${n % 2 ? 'start' : 'install'} at ${at}`)
  expect(readFileSync(join(folder, 'npm'), 'utf8')).toBe(called.join(''))
})

const canRun =
  process.getuid?.() === 0 && existsSync('/usr/bin/node') && spawnSync('bwrap', ['--version']).status === 0
const why = canRun ? '' : ' (left out: needs root, bubblewrap and /usr/bin/node)'

describe.runIf(canRun)(`a machine with systemd${why}`, () => {
  const work = join(folder, 'machine')
  let said = ''

  beforeAll(async () => {
    // A server that ran in this process before has closed it to other accounts.
    process.umask(0o022)
    for (const name of ['etc', 'opt', 'lib']) mkdirSync(join(work, name), { recursive: true })
    cpSync('/etc', join(work, 'etc'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\/ssl\/private/.test(path),
    })
    linkPackages(join(work, 'packages'))
    writeFileSync(join(work, 'commands'), script())
    const binds = [
      ['--bind', join(work, 'etc'), '/etc'],
      ['--bind', join(work, 'opt'), '/opt'],
      ['--bind', join(work, 'lib'), '/var/lib'],
      ['--ro-bind', process.execPath, '/usr/bin/node'],
    ]
    const args = [
      '--dev-bind',
      '/',
      '/',
      ...binds.flat(),
      '--unshare-net',
      '--unshare-pid',
      '--proc',
      '/proc',
    ]
    const inside = [
      '--die-with-parent',
      '--cap-add',
      'ALL',
      'bash',
      resolve('tests/docs/machine.sh'),
      work,
      resolve('.'),
    ]
    const { stdout, stderr } = await run('bwrap', [...args, ...inside], { maxBuffer: 10_000_000 }).catch(
      (error) => error,
    )
    said = `${stdout}\n${stderr}`
  }, 120_000)

  /** The documented lines, between lines that look at what came of them. */
  function script(): string {
    const said = (name: string, line: string) => `echo "== ${name}"\n${line}`
    const until = (test: string) => `for _ in $(seq 300); do ${test} && break; sleep 0.1; done`
    const spaces =
      'curl -s -H "Authorization: Bearer $(cat /var/lib/void/owner-token)" http://127.0.0.1:3000/api/spaces'
    return [
      ...setUp,
      'echo OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 >> /etc/void/void.env',
      // A safe folder for git, whose files may be another account's.
      'git config --global --add safe.directory "*"',
      said('push', 'TARGET=local: deploy/push.sh'),
      said('journal', 'journalctl -u void'),
      said('sign-in', signIn[0]!),
      // The Welcome Space is filled behind the start.
      until(`${spaces} | grep -q '"version":2'`),
      said('ask', 'mkdir -p /opt/asker && cp -a /var/lib/void /opt/asker/data && cd /opt/asker'),
      ...ask,
      said('backup', backUp.join('\n')),
      until('curl -sf http://127.0.0.1:3000/ready > /dev/null'),
      said('health', 'curl -s http://127.0.0.1:3000/health'),
      said('kept', 'ls -l /var/lib/void'),
      said('metrics', metrics[0]!),
      'systemctl stop void',
      said('stopped', 'ls /var/lib/void'),
    ].join('\n')
  }

  const part = (name: string) => said.split(`== ${name}\n`)[1]?.split('\n== ')[0] ?? ''

  test('is set up, gets a release and answers', () => {
    expect(part('push'), said).toMatch(/is in service$/m)
    expect(part('ask')).toMatch(/event: citation[\s\S]*event: done/)
    expect(part('health')).toContain('"status":"ok"')
    expect(part('metrics')).toMatch(/^\S{40,}$/m)
    expect(part('stopped')).not.toContain('server.json')
  })

  test('the log has the documented command for a link, and it prints one', () => {
    expect(part('journal')).toContain(`For a new one: ${signIn[0]}\n`)
    expect(part('sign-in')).toMatch(/^Sign in: http:\/\/127\.0\.0\.1:3000\/sign-in\?code=/)
  })

  test('is backed up', () => {
    expect(part('backup')).toContain('/var/lib/void/backup.tar.gz')
    expect(part('kept')).toMatch(/-rw------- .* void void .* backup\.tar\.gz/)
  })

  test('sends traces, without the packages of tests', () => {
    type Trace = {
      url: string
      type: string
      body: { resourceSpans: { scopeSpans: { spans: { name: string; traceId: string }[] }[] }[] }
    }
    const traces: Trace[] = readFileSync(join(work, 'traces'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const spans = traces.flatMap(({ body }) =>
      body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
    )

    expect(traces[0]).toMatchObject({ url: '/v1/traces', type: 'application/json' })
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['turn', 'http.request', 'db.statement']),
    )
    for (const { traceId } of spans) expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(existsSync(join(work, 'packages/vitest'))).toBe(false)
  })
})

/** Links the packages that `npm ci --omit=dev` installs into another folder. */
function linkPackages(target: string): void {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  mkdirSync(target)
  const names = Object.entries(packages).flatMap(([path, { dev }]) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1]
    return name && !dev && existsSync(path) ? [name] : []
  })
  for (const name of names) mkdirSync(dirname(join(target, name)), { recursive: true })
  for (const name of names) {
    const [from, to] = [resolve('node_modules', name), join(target, name)]
    if (spawnSync('cp', ['-al', from, to]).status !== 0) cpSync(from, to, { recursive: true })
  }
}
