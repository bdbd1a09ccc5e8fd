// PgBouncer in transaction mode before a Postgres, on the loopback. Needs its program.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './clusters.ts'

const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer']

/** The path of the program; `null` where there is none. */
export const findPgbouncer = (): string | null => places.find((path) => existsSync(path)) ?? null

export type Pooler = { port: number; version: string; stop(): Promise<void> }

/** Starts one that lends each of its few connections for one transaction, and closes it soon after. */
export async function startPgbouncer(program: string, target: { port: number }): Promise<Pooler> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'void-pgbouncer-'))
  chmodSync(folder, 0o755)
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o644 })
    return join(folder, name)
  }
  const users = file('users.txt', '"postgres" ""\n')
  const config = file('pgbouncer.ini', deployed({ port, target: target.port, users }))
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(program, ['-q', ...account, config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-4000)
  })
  const gone = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`)
    await wait(50)
  }
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n')[0]!
  return {
    port,
    version,
    async stop() {
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** The configuration in deploy/ as it is, but for where it listens, what it stands before, and who may sign in. */
function deployed({ port, target, users }: { port: number; target: number; users: string }): string {
  const changes: [RegExp, string][] = [
    [/^void = .*$/m, `* = host=127.0.0.1 port=${target}`],
    [/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1'],
    [/^listen_port = .*$/m, `listen_port = ${port}`],
    [/^auth_type = .*$/m, 'auth_type = trust'],
    [/^auth_file = .*$/m, `auth_file = ${users}`],
    // A database that somebody is connected to cannot be cloned.
    [/^server_idle_timeout = .*$/m, 'server_idle_timeout = 1'],
  ]
  return changes.reduce(
    (text, [line, instead]) => {
      if (!line.test(text)) throw new Error(`deploy/pgbouncer.ini has no line ${line}`)
      return text.replace(line, instead)
    },
    readFileSync('deploy/pgbouncer.ini', 'utf8'),
  )
}
