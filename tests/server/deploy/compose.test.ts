// The commands of docs/deploy.md that back up and restore what Compose runs, as they stand there, without Docker: its Postgres is
// a cluster of this test, its /data a folder. And the archive of compose.scale.yaml, in a volume as Docker makes it.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { migrate } from '../../../lib/db/migrate.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { type Cluster, createCluster, findPostgres } from '../../helpers/clusters.ts'
import { commandsOf } from '../../helpers/guide-commands.ts'

const programs = findPostgres()

/** `exec` and `run` run the command, as the service would; there is nothing to bring up. */
const docker = `
docker() {
  [ "$1 $2 $3" = 'compose --file deploy/compose.yaml' ] || return 64
  local verb=$4 service
  shift 4
  if [ "$verb" = up ]; then return; fi
  while [[ $1 == -* ]]; do shift; done
  service=$1
  shift
  case $service in
    postgres) PGHOST=127.0.0.1 PGPORT=$PORT "$@" ;;
    void) "\${@/#\\/data/$DATA}" ;;
    *) return 64 ;;
  esac
}
set -euo pipefail
cd "$WORK"
`

describe.runIf(programs)('what Compose runs', () => {
  const clusters: Cluster[] = []
  afterAll(() => {
    for (const cluster of clusters) cluster.remove()
  })

  /** As the image makes it: one database, and its account, which may do everything. */
  async function makeService() {
    const cluster = await createCluster(programs!)
    clusters.push(cluster)
    await cluster.start()
    const [data, work] = [`${cluster.folder}/void-data`, `${cluster.folder}/work`]
    cluster.shell(
      'mkdir "$DATA" "$WORK" && createuser --superuser --host 127.0.0.1 --port "$PORT" --username postgres void && createdb --host 127.0.0.1 --port "$PORT" --username void void',
      { DATA: data, WORK: work, PORT: String(cluster.port) },
    )
    const url = new URL(cluster.url)
    url.username = 'void'
    url.pathname = '/void'
    const run = (block: string, work: string) =>
      cluster.shell(`${docker}${commandsOf('docs/deploy.md', block)}`, {
        ...{ DATA: data, WORK: work, PORT: String(cluster.port) },
      })
    return { cluster, data, work, url: url.href, run }
  }

  test('is backed up by the commands of the guide, and comes back by them', async () => {
    const one = await makeService()
    const database = await openDatabase({ url: one.url })
    await migrate(database)
    await createSpace(database, { kind: 'owner' }, { name: 'Kept' })
    await database.close()
    // The key is in SECRETS_KEY; a server runs, and an import is on its way.
    one.cluster.shell(
      'cd "$DATA" && echo token > owner-token && echo 1 > server.json && mkdir imports sources && echo 1 > sources/one && touch imports/two lock lock-journal',
      { DATA: one.data },
    )

    one.run('compose-backup', one.work)
    const other = await makeService()
    other.run('compose-restore', one.work)

    const restored = await openDatabase({ url: other.url })
    const { rows } = await restored.query<{ name: string }>('select name from spaces')
    await restored.close()
    expect(rows).toEqual([{ name: 'Kept' }])
    const there = 'cd "$DATA" && cat owner-token && find . -type f | sort'
    expect(other.cluster.shell(there, { DATA: other.data })).toBe('token\n./owner-token\n./sources/one\n')
    const modes = 'cd "$WORK" && stat -c %a backup.dump data.tar.gz'
    expect(one.cluster.shell(modes, { WORK: one.work })).toBe('600\n600\n')
  })
})

describe.runIf(process.getuid?.() === 0 && spawnSync('bwrap', ['--version']).status === 0)(
  'the archive of compose.scale.yaml',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'void-archive-'))
    const { postgres } = parse(readFileSync('deploy/compose.scale.yaml', 'utf8'), { merge: true }).services
    const line: string = postgres.command.find((one: string) => one.startsWith('-carchive_command='))
    const archive = line
      .replace('-carchive_command=', '')
      .replaceAll('%f', '0001')
      .replaceAll('%p', '/etc/passwd')

    beforeAll(() => {
      for (const name of ['usr', 'etc', 'bin', 'archive']) mkdirSync(join(root, name))
      for (const name of ['lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name))
      writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\n')
      writeFileSync(join(root, 'etc/group'), 'root:x:0:\npostgres:x:999:\n')
      writeFileSync(
        join(root, 'bin/docker-entrypoint.sh'),
        '#!/usr/bin/bash\nshift\nexec setpriv --reuid=999 --regid=999 --clear-groups "$@"\n',
        { mode: 0o755 },
      )
      for (const name of ['', 'etc', 'bin', 'archive']) chmodSync(join(root, name), 0o755)
      chmodSync(join(root, 'bin/docker-entrypoint.sh'), 0o755)
      for (const name of ['passwd', 'group']) chmodSync(join(root, 'etc', name), 0o644)
    })
    afterAll(() => rmSync(root, { recursive: true }))

    test('can be written by postgres, though a new volume belongs to root', () => {
      const entry: string[] = (postgres.entrypoint ?? ['docker-entrypoint.sh']).map((word: string) =>
        word.replaceAll('$$', '$'),
      )

      const { status, stderr } = spawnSync(
        'bwrap',
        [
          ...['--bind', root, '/', '--ro-bind', '/usr', '/usr', '--dev', '/dev', '--clearenv'],
          ...['--setenv', 'PATH', '/bin:/usr/bin', ...entry, postgres.command[0], 'bash', '-c', archive],
        ],
        { encoding: 'utf8' },
      )

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(statSync(join(root, 'archive/0001')).uid).toBe(999)
    })
  },
)
