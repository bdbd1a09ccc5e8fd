// The image without Docker: the steps of deploy/Dockerfile, run by one account on files that are closed to others, and what
// they make, run as another account, with nothing to write to but an empty data folder. Needs root and bubblewrap.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
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
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../helpers/clusters.ts'
import { commandBlocks } from '../../helpers/documented-commands.ts'
import { commandsOf } from '../../helpers/guide-commands.ts'

const isPossible = process.getuid?.() === 0 && spawnSync('bwrap', ['--version']).status === 0
const steps = readFileSync('deploy/Dockerfile', 'utf8')
  .replaceAll('\\\n', '')
  .split('\n')
  .flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return name && rest ? [{ name, rest }] : []
  })
const packages: Record<string, { dev?: boolean }> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages

/** What the guide runs in the container. */
const documentedInside = commandBlocks('docs/deploy.md')
  .flat()
  .flatMap((line) => / exec void (.*)$/.exec(line)?.[1] ?? [])

describe.runIf(isPossible)('the image', () => {
  // Beside the packages, so that they can be linked.
  mkdirSync('node_modules/.cache', { recursive: true })
  const work = mkdtempSync(resolve('node_modules/.cache/image-'))
  const context = join(work, 'context')
  const image = join(work, 'image')
  const env: Record<string, string> = { PATH: '/node:/usr/bin:/bin' }
  let account = ''
  let command: string[] = []
  let port = 0

  beforeAll(async () => {
    port = await freePort()
    makeContext()
    let stage = ''
    let folder = '/'
    for (const { name, rest } of steps) {
      const words = rest.split(' ')
      if (name === 'FROM') stage = makeRoot(words[2] === undefined ? image : join(work, words[2]))
      if (name === 'WORKDIR') {
        folder = rest
        mkdirSync(stage + folder, { recursive: true })
      }
      if (name === 'COPY') copy(words, stage, stage + folder)
      if (name === 'RUN') run(rest, stage, folder)
      if (name === 'USER') account = rest
      if (name === 'ENV') for (const word of words) env[word.split('=')[0]!] = word.split('=')[1]!
      if (name === 'CMD') command = JSON.parse(rest)
    }
    env.PORT = String(port)
  })
  afterAll(() => rmSync(work, { recursive: true }))

  /** What .dockerignore lets into a build, from the folder of somebody whose umask is 077. */
  function makeContext(): void {
    const entries = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*/gm)!
    for (const path of entries)
      cpSync(path, join(context, path), { recursive: true, preserveTimestamps: true })
    spawnSync('chmod', ['-R', 'go=', context])
  }

  /** A Debian with the programs of this machine, and the accounts of the base image. */
  function makeRoot(root: string): string {
    for (const name of ['usr', 'proc', 'dev', 'tmp', 'etc', 'node'])
      mkdirSync(join(root, name), { recursive: true })
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
    writeFileSync(
      join(root, 'etc/passwd'),
      'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
    )
    writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
    for (const name of ['', 'etc']) chmodSync(join(root, name), 0o755)
    for (const name of ['passwd', 'group']) chmodSync(join(root, 'etc', name), 0o644)
    return root
  }

  function copy([first, ...others]: string[], stage: string, folder: string): void {
    const from = /^--from=(.*)$/.exec(first!)?.[1]
    const paths = from ? others : [first!, ...others]
    const to = resolve(folder, paths.at(-1)!)
    for (const path of paths.slice(0, -1)) {
      if (from) spawnSync('cp', ['-a', '--link', `${join(work, from)}${path}/.`, to])
      else
        cpSync(
          join(context, path),
          paths.at(-1)!.endsWith('/')
            ? join(to, path.split('/').at(-1)!)
            : statSync(join(context, path)).isDirectory()
              ? to
              : join(to, path),
          { recursive: true },
        )
    }
    expect(readdirSync(stage)).toContain('app')
  }

  function run(line: string, stage: string, folder: string): void {
    if (line.startsWith('npm ci ')) {
      link(line, stage + folder)
      return
    }
    const { status, stderr } = spawnSync('bwrap', [...inside(stage, '--bind'), 'sh', '-c', line], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }

  /** What npm would install: the packages of the lock file that no other one is needed for. */
  function link(line: string, folder: string): void {
    expect(line).toMatch(/--omit=dev --ignore-scripts/)
    const wanted = Object.entries(packages).filter(
      ([path, { dev }]) => path !== '' && !dev && !path.slice(13).includes('/node_modules/'),
    )
    for (const [path] of wanted) {
      if (!existsSync(path)) continue
      mkdirSync(join(folder, path, '..'), { recursive: true })
      spawnSync('cp', ['-a', '--link', path, join(folder, path)])
    }
  }

  const inside = (root: string, how: '--bind' | '--ro-bind') => [
    ...[how, root, '/', '--ro-bind', '/usr', '/usr', '--proc', '/proc', '--dev', '/dev'],
    ...['--ro-bind', resolve(process.execPath, '..'), '/node', '--die-with-parent', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]

  /** As the container runs it: read-only but for /data and /tmp, and without any capability. */
  function container(): string[] {
    const ids = account === 'node' ? ['--reuid=1000', '--regid=1000'] : []
    return [
      ...['bwrap', ...inside(image, '--ro-bind')],
      ...['--bind', join(image, 'data'), '/data', '--tmpfs', '/tmp', '--chdir', '/app'],
      ...['setpriv', ...ids, '--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'],
    ]
  }

  function start(args: readonly string[]): ChildProcess & { said: () => string } {
    const [program, ...rest] = container()
    const child = spawn(program!, [...rest, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
    return Object.assign(child, { said: () => text })
  }

  async function runInside(...args: string[]): Promise<{ code: number | null; said: string }> {
    const child = start(args)
    const [code] = await once(child, 'close')
    return { code, said: child.said() }
  }

  /** For a first start. */
  const patience = { timeout: 60_000 }

  async function withServer<Result>(work: () => Promise<Result>): Promise<Result> {
    const server = start(command)
    await expect.poll(() => server.said() + server.exitCode, patience).toMatch(/listening on|\d$/)
    expect(server.said()).toContain('listening on')
    const file = join(image, 'data/server.json')
    const { pid } = JSON.parse(readFileSync(file, 'utf8'))
    try {
      return await work()
    } finally {
      const ended = once(server, 'close')
      process.kill(pid)
      await ended
      expect(existsSync(file)).toBe(false)
    }
  }

  const shape = () => ({
    mode: statSync(join(image, 'data')).mode & 0o777,
    holds: readdirSync(join(image, 'data')),
  })

  test('starts on an empty folder, serves the app, and is healthy by its own check', async () => {
    expect(account).toBe('node')
    expect(shape()).toEqual({ mode: 0o700, holds: [] })
    const check = steps.find(({ name }) => name === 'HEALTHCHECK')!.rest.replace(/^.* CMD /, '')

    const { health, page, executed } = await withServer(async () => ({
      health: await runInside('sh', '-c', check),
      page: await fetchApp(),
      executed: await Promise.all(documentedInside.map((line) => runInside(...line.split(' ')))),
    }))

    expect(health).toEqual({ code: 0, said: '' })
    expect(page).toEqual([200, 200])
    expect(executed).toEqual([
      { code: 0, said: expect.stringMatching(/^Sign in: http:\/\/\S+code=/) },
      { code: 0, said: expect.stringMatching(/passkey/i) },
    ])
  })

  async function fetchApp(): Promise<number[]> {
    const page = await fetch(`http://127.0.0.1:${port}/capture`)
    const script = await fetch(`http://127.0.0.1:${port}${/\/assets\/[^"]+\.js/.exec(await page.text())![0]}`)
    return [page.status, script.status]
  }

  /** The commands of a block of the guide. Of Docker there is what runs in the image, and a copy out of the container. */
  function runBlock(name: string, cwd: string) {
    const docker = `
      docker() {
        local verb=$1
        shift
        case $verb in
          stop | start) ;;
          cp) cp "$DATA\${1#void:/data}" "$2" ;;
          run)
            while [[ $1 == -* ]]; do if [ "$1" = --volume ]; then shift; fi; shift; done
            shift
            ${container()
              .map((word) => `'${word}'`)
              .join(' ')} "$@"
            ;;
          *) return 64 ;;
        esac
      }
      set -euo pipefail
      `
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', docker + commandsOf('docs/deploy.md', name)],
      {
        cwd,
        env: { ...process.env, DATA: join(image, 'data') },
        encoding: 'utf8',
      },
    )
    return { code: status, said: stdout + stderr }
  }

  test('is backed up and restored by the commands of the guide, with the scripts that it has', async () => {
    const data = (name: string) => join(image, 'data', name)
    const token = () => readFileSync(data('owner-token'), 'utf8')
    const before = token()
    const elsewhere = join(work, 'elsewhere')
    mkdirSync(elsewhere)

    const backup = runBlock('image-backup', elsewhere)
    writeFileSync(data('owner-token'), 'another')
    rmSync(data('backup.tar.gz'))
    const restore = runBlock('image-restore', elsewhere)

    expect(backup).toEqual({ code: 0, said: '/data/backup.tar.gz\n' })
    expect(restore).toEqual({ code: 0, said: expect.stringContaining('Restored /data/backup.tar.gz.') })
    expect(statSync(data('backup.tar.gz'))).toMatchObject({ uid: 1000, mode: 0o100600 })
    expect(token()).toBe(before)
    expect(await withServer(fetchApp)).toEqual([200, 200])
  })

  test('starts where root has run the same code before', async () => {
    const cache = join(image, 'app/node_modules/.cache/void')
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    chmodSync(join(cache, '..'), 0o700)
    chmodSync(cache, 0o700)

    expect(await withServer(fetchApp)).toEqual([200, 200])
  })

  test('starts for an account that the system has no name and no home for', async () => {
    writeFileSync(join(image, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n')

    expect(await withServer(fetchApp)).toEqual([200, 200])
  })

  test('is as large as the documentation says, and has no package of tests', () => {
    const [, stated] = /Void's part of the image is (\d+) MB/.exec(readFileSync('docs/deploy.md', 'utf8'))!

    const { stdout } = spawnSync('du', ['-sm', join(image, 'app')], { encoding: 'utf8' })

    expect(Math.abs(Number.parseInt(stdout, 10) - Number(stated))).toBeLessThan(0.1 * Number(stated))
    const installed = readdirSync(join(image, 'app/node_modules'))
    expect(installed).toContain('express')
    for (const name of ['vitest', 'typescript', '@biomejs', 'playwright-core', 'ai'])
      expect(installed).not.toContain(name)
  })
})
