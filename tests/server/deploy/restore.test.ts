// Backups that are restored: the very commands of docs/scale.md, into empty clusters, and the audit log verified by the
// command that a person runs. Needs the programs of a Postgres.

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { migrate } from '../../../lib/db/migrate.ts'
import { type Database, openDatabase } from '../../../lib/db/pool.ts'
import { buildApp, type TestApp } from '../../helpers/build-app.ts'
import { childEnv } from '../../helpers/child-env.ts'
import { type Cluster, createCluster, emptyCluster, findPostgres } from '../../helpers/clusters.ts'
import { commandsOf } from '../../helpers/guide-commands.ts'

const programs = findPostgres()
const guide = 'docs/scale.md'

/** The archive command that the compose file gives to Postgres, for another folder. */
function archiveTo(folder: string): string {
  const { services } = parse(readFileSync('deploy/compose.scale.yaml', 'utf8'), { merge: true })
  const line: string = services.postgres.command.find((one: string) => one.startsWith('-carchive_command='))
  return line.replace('-carchive_command=', '').replaceAll('/archive', folder)
}

describe.runIf(programs)('what was backed up comes back into an empty cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'void-restore-'))
  const clusters: Cluster[] = []
  let primary: Cluster
  let database: Database
  let server: TestApp
  let space: string
  /** Of files of the backups, as the cluster's programs see them. */
  let archive: string
  let base: string

  beforeAll(async () => {
    const store = await emptyCluster(programs!)
    clusters.push(store)
    archive = join(store.folder, 'archive')
    base = join(store.folder, 'base')
    store.shell('mkdir -p "$ARCHIVE"', { ARCHIVE: archive })
    primary = await createCluster(programs!, [
      'wal_level = replica',
      'archive_mode = on',
      `archive_command = '${archiveTo(archive)}'`,
    ])
    clusters.push(primary)
    await primary.start()
    database = await openDatabase({ url: primary.url })
    await migrate(database)
    server = await buildApp({ database })
    space = (await server.owner.post('/api/spaces').send({ name: 'Kept' })).body.id
  })

  afterAll(async () => {
    await database?.close()
    for (const cluster of clusters.reverse()) cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const write = (title: string) => server.owner.post(`/api/spaces/${space}/pages`).send({ title }).expect(201)

  /** What `npm run audit:verify` says of a database; the head it prints, as SEQ:HASH. */
  async function verify(url: string, noted: string[] = []): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['lib/server/cli/verify-audit.ts', ...noted],
      {
        env: { ...childEnv, DATABASE_URL: url, DATA_DIR: join(folder, `data-${clusters.length}`) },
      },
    )
    expect(stdout).toMatch(/^All \d+ rows verified; none is missing\./)
    return /The head is (\d+:[0-9a-f]{64})/.exec(stdout)![1]!
  }

  const titles = async (of: Database) =>
    (await of.query<{ title: string }>('select title from pages order by id')).rows.map(({ title }) => title)

  test('from a dump', async () => {
    await write('In the dump')
    const head = await verify(primary.url)
    const dump = join(base, '..', 'backup.dump')
    primary.shell('pg_dump --format=custom --no-owner --no-privileges --file="$DUMP" --dbname="$URL"', {
      DUMP: dump,
      URL: primary.url,
    })
    const empty = await createCluster(programs!)
    clusters.push(empty)
    await empty.start()
    const restore = /pg_restore [\s\S]*?"\$file"/.exec(readFileSync('deploy/restore.sh', 'utf8'))![0]

    empty.shell(restore, { file: dump, database_url: empty.url })

    const restored = await openDatabase({ url: empty.url })
    expect(await titles(restored)).toEqual(['In the dump'])
    await restored.close()
    expect(await verify(empty.url, [head])).toBe(head)
  })

  test('to a point in time', async () => {
    primary.shell(commandsOf(guide, 'base-backup'), { BASE: base, DATABASE_DIRECT_URL: primary.url })
    await write('After the base backup')
    const head = await verify(primary.url)
    const { rows } = await database.query<{ until: string }>('select clock_timestamp()::text as until')
    await write('A mistake')
    const { rows: last } = await database.query<{ name: string }>(
      'select pg_walfile_name(pg_switch_wal()) as name',
    )
    const archived = join(programs!.root, archive, last[0]!.name)
    await expect.poll(() => existsSync(archived)).toBe(true)
    primary.stop()
    const empty = await emptyCluster(programs!)
    clusters.push(empty)

    empty.shell(commandsOf(guide, 'point-in-time'), {
      BASE: base,
      NEW: empty.folder,
      ARCHIVE: archive,
      UNTIL: rows[0]!.until,
    })
    await empty.start()

    const restored = await openDatabase({ url: empty.url })
    const isReadOnly = async () => (await restored.query('select pg_is_in_recovery() as recovering')).rows
    await expect.poll(isReadOnly).toEqual([{ recovering: false }])
    expect(await titles(restored)).toEqual(['In the dump', 'After the base backup'])
    expect(await verify(empty.url, [head])).toBe(head)
    const again = await buildApp({ database: restored })
    await again.owner.post(`/api/spaces/${space}/pages`).send({ title: 'Going on' }).expect(201)
    await verify(empty.url, [head])
    await restored.close()
    expect(readdirSync(join(programs!.root, archive)).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

test('the guide has the commands that are run here', () => {
  expect(commandsOf(guide, 'base-backup')).toContain('pg_basebackup')
  expect(commandsOf(guide, 'point-in-time')).toContain('recovery_target_time')
})
