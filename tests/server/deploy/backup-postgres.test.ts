// The same scripts on a Postgres server. Needs one, and client programs that are as new as it is.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'

const postgres = inject('postgresTemplate')
const folder = mkdtempSync(join(tmpdir(), 'void-backup-pg-'))
const made: string[] = []

afterAll(async () => {
  rmSync(folder, { recursive: true })
  for (const name of made) await ask(postgres!.url, `drop database if exists ${name} with (force)`)
})

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function makeDatabase(template?: string): Promise<string> {
  const name = `backup_${process.pid}_${made.length}`
  made.push(name)
  await ask(postgres!.url, `create database ${name}${template ? ` template ${template}` : ''}`)
  const url = new URL(postgres!.url)
  url.pathname = `/${name}`
  return url.href
}

function run(script: string, file: string, databaseUrl: string) {
  const { status, stdout, stderr } = spawnSync(script, [file], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      DATABASE_URL: databaseUrl,
      ENV_FILE: join(folder, 'none.env'),
    },
  })
  return { code: status, said: stdout + stderr }
}

async function canDump(): Promise<boolean> {
  if (!postgres) return false
  const version = /(\d+)\./.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]
  const [row] = await ask(postgres.url, 'show server_version_num')
  return version !== undefined && Number(version) >= Math.floor(Number(row?.server_version_num) / 10_000)
}

test.skipIf(!(await canDump()))(
  'what was dumped comes back into an empty database, and only there',
  async () => {
    const from = await makeDatabase(postgres!.name)
    await ask(
      from,
      `insert into spaces (id, slug, name, created_by, updated_by)
     values ('01900000-0000-7000-8000-000000000001', 'garden', 'The garden', 'owner', 'owner')`,
    )
    const to = await makeDatabase()
    const file = join(folder, 'before')

    const dumped = run('deploy/backup.sh', file, from)
    const restored = run('deploy/restore.sh', `${file}.dump`, to)
    const again = run('deploy/restore.sh', `${file}.dump`, to)
    writeFileSync(join(folder, 'torn.dump'), 'PGDMP no more')
    const torn = run('deploy/restore.sh', join(folder, 'torn.dump'), await makeDatabase())

    expect(dumped).toEqual({ code: 0, said: `${file}.dump\n` })
    expect(statSync(`${file}.dump`).mode & 0o777).toBe(0o600)
    expect(restored).toMatchObject({ code: 0 })
    expect(await ask(to, 'select name from spaces')).toEqual([{ name: 'The garden' }])
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('Restore into an empty one') })
    expect(torn.code).not.toBe(0)
  },
)
