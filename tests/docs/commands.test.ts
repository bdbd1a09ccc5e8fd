// The commands of README.md and docs/deploy.md in the same words. Those that a machine without Docker can run are run, most
// of them as root of a machine of their own (tests/docs/machine.sh); the table says where the rest is.

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
import { blockOf, commandBlocks } from '../helpers/documented-commands.ts'

const guide = 'docs/deploy.md'
const documents = ['README.md', guide]
const own = 'tests/docs/commands.test.ts'

/** Every other command: a part of it, how it is emulated and by which test. */
const emulated: [part: string, how: string, by: string][] = [
  ['docker ', 'the steps of the image and the services, without Docker', 'tests/server/deploy/files.test.ts'],
  [
    'cp deploy/void.env.example deploy/.env',
    'the example names every setting',
    'tests/server/deploy/files.test.ts',
  ],
  ['TARGET=user@host deploy/push.sh', 'as TARGET=local:, here and', 'tests/server/deploy/push.test.ts'],
  ['claude mcp add', 'the line of the settings, over HTTP', 'tests/outside/mcp/conformance.test.ts'],
  ['npm run import', 'the command that it runs', 'tests/server/cli/import.test.ts'],
  ['npm test', 'this very run', own],
  ['npm run check', 'a stage of .ci/run', '.ci/run'],
  ['npm run dev', 'the program that it watches', 'tests/server/start.test.ts'],
  ['npm run e2e', 'a stage of .ci/run', '.ci/run'],
  ['npm run bench', 'its help', 'tests/server/cli/help.test.ts'],
  ['npm run fuzz', 'the fuzzer itself', 'tests/tools/fuzz/fuzz.test.ts'],
  ['npm install', 'what it brings', 'tests/server/packages.test.ts'],
  ['npm start', 'by npm itself', 'tests/server/npm.test.ts'],
]

const setUp = blockOf(guide, 'useradd --system --home-dir /var/lib/void --shell /usr/sbin/nologin void')
const signIn = commandBlocks(guide)
  .flat()
  .filter((line) => /^runuser .*sign-in\.ts$/.test(line))
const backUp = blockOf(guide, 'systemctl stop void')
const metrics = commandBlocks(guide)
  .flat()
  .filter((line) => line.startsWith('openssl rand'))
const ask = blockOf('README.md', 'OWNER_TOKEN=$(cat data/owner-token)')
const upgrade = blockOf(guide, 'deploy/backup.sh before-upgrade')
const goBack = blockOf(guide, 'git checkout ORIG_HEAD')
const restore = blockOf(guide, 'deploy/restore.sh before-upgrade.tar.gz')
const ran = [setUp, signIn, backUp, metrics, ask, upgrade, goBack, restore].flat()

test('every documented command is run or in the table', () => {
  const commands = documents.flatMap((file) => commandBlocks(file).flat())
  const unknown = commands.filter(
    (line) => !ran.includes(line) && !emulated.some(([part]) => line.includes(part)),
  )

  expect(commands.length).toBeGreaterThan(30)
  expect(unknown).toEqual([])
  expect(emulated.filter(([part]) => !commands.some((line) => line.includes(part)))).toEqual([])
  expect(emulated.filter(([, , by]) => !existsSync(by))).toEqual([])
  expect([signIn.length, metrics.length]).toEqual([1, 1])
})

test('guides have one name for the token of the owner and one for that of an agent', () => {
  const guides = spawnSync('ls', ['docs/guide'], { encoding: 'utf8' }).stdout.trim().split('\n')
  const texts = ['README.md', ...guides.map((name) => `docs/guide/${name}`)].map((file) =>
    readFileSync(file, 'utf8'),
  )
  const names = texts.flatMap((text) => text.match(/\b(?!DAILY_)(?:[A-Z]+_)*TOKEN\b/g) ?? [])

  expect([...new Set(names)].sort()).toEqual(['OWNER_TOKEN', 'VOID_TOKEN'])
})

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
