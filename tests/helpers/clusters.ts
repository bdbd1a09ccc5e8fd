// Postgres clusters of a test's own, on the loopback and in a folder that goes with them. They need the programs of a
// Postgres with pgvector: in TEST_POSTGRES_BIN, or where Debian has them; with TEST_POSTGRES_ROOT, in a tree that one
// has to change the root to.

import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

type Programs = {
  bin: string
  /** The tree that they are in; '' is this one. */
  root: string
}

const places = [
  process.env.TEST_POSTGRES_BIN,
  ...[18, 17, 16, 15].map((major) => `/usr/lib/postgresql/${major}/bin`),
]

/** The programs of a Postgres with pgvector; `null` where there is none. */
export function findPostgres(): Programs | null {
  const root = process.env.TEST_POSTGRES_ROOT ?? ''
  for (const bin of places) {
    if (!bin || !existsSync(join(root, bin, 'initdb'))) continue
    const major = /(\d+)\/bin$/.exec(bin)?.[1]
    if (existsSync(join(root, `/usr/share/postgresql/${major}/extension/vector.control`)))
      return { bin, root }
  }
  return null
}

export type Cluster = {
  /** Of its database `postgres`. */
  url: string
  port: number
  /** As its programs see it. */
  folder: string
  /** As this process sees it. */
  path: string
  start(): Promise<void>
  stop(): void
  /** Stops it and removes its folder. */
  remove(): void
  run(program: string, args: string[]): string
  /** Runs a script of bash as its account, with its programs on the path. Throws what the script said when it fails. */
  shell(script: string, env: Record<string, string>): string
}

/** A new cluster, not started, with these lines in its configuration. */
export async function createCluster(programs: Programs, settings: string[] = []): Promise<Cluster> {
  const cluster = await emptyCluster(programs)
  cluster.run('initdb', [
    '--pgdata',
    cluster.folder,
    '--username',
    'postgres',
    '--auth',
    'trust',
    '--no-sync',
  ])
  configure(cluster, settings)
  return cluster
}

/** A folder for a cluster, with nothing in it: a copy of another one is to come. */
export async function emptyCluster({ bin, root }: Programs): Promise<Cluster> {
  const port = await freePort()
  const path = mkdtempSync(join(root || tmpdir(), root ? 'tmp/void-cluster-' : 'void-cluster-'))
  const folder = root ? path.slice(root.length) : path
  const account = accountOf(root)
  if (account) chownSync(path, account.uid, account.gid)
  const command = (program: string, args: string[]): [string, string[]] => {
    const whole = [program.startsWith('/') ? program : join(bin, program), ...args]
    if (root) return ['chroot', ['--userspec=postgres:postgres', root, ...whole]]
    return account
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', ...whole]]
      : [whole[0]!, args]
  }
  const execute = ([name, args]: [string, string[]], env = process.env): string => {
    const { status, stdout, stderr, error } = spawnSync(name, args, { encoding: 'utf8', cwd: '/', env })
    if (status !== 0) throw new Error(`${args.join(' ')} failed: ${error?.message ?? ''}${stderr}${stdout}`)
    return stdout
  }
  const run = (program: string, args: string[]) => execute(command(program, args))
  const stop = (mode: string) => {
    if (existsSync(join(path, 'postmaster.pid')))
      run('pg_ctl', ['stop', '-D', folder, '-m', mode, '-t', '60', '-w'])
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    folder,
    path,
    run,
    shell: (script, env) =>
      execute(command('/bin/bash', ['-euo', 'pipefail', '-c', script]), {
        ...env,
        PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`,
      }),
    async start() {
      const [name, all] = command('postgres', ['-D', folder, '-p', String(port)])
      const child = spawn(name, all, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.on('data', (chunk) => {
        said = (said + chunk).slice(-4000)
      })
      let ended = false
      child.once('exit', () => {
        ended = true
      })
      while (!(await answers(port))) {
        if (ended) throw new Error(`postgres ended: ${said}`)
        await wait(50)
      }
    },
    stop: () => stop('fast'),
    remove() {
      stop('immediate')
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Adds lines to the configuration of a cluster that does not run. */
function configure({ path }: Pick<Cluster, 'path'>, settings: string[]): void {
  const lines = [
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'fsync = off',
    'max_connections = 100',
    'shared_buffers = 32MB',
    ...settings,
  ]
  writeFileSync(join(path, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
}

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Postgres does not run as root; `null`: this process isn't. */
function accountOf(root: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const id = (flag: string) => {
    const args = root ? [root, 'id', flag, 'postgres'] : [flag, 'postgres']
    return Number(spawnSync(root ? 'chroot' : 'id', args, { encoding: 'utf8' }).stdout)
  }
  return { uid: id('-u'), gid: id('-g') }
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
