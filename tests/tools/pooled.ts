// `npm run test:pooled -- tests/db tests/space/live`: runs tests behind PgBouncer in transaction mode, before a Postgres of
// their own. Void listens past the pooler, as DATABASE_DIRECT_URL has it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createCluster, findPostgres } from '../helpers/clusters.ts'
import { findPgbouncer, startPgbouncer } from '../helpers/pgbouncer.ts'
import { printHelp } from '../helpers/print-help.ts'

printHelp(import.meta.url)

const programs = findPostgres()
const pgbouncer = findPgbouncer()
if (!programs || !pgbouncer) {
  console.error(
    'Needs the programs of a Postgres with pgvector (TEST_POSTGRES_BIN, TEST_POSTGRES_ROOT) and PgBouncer.',
  )
  process.exit(1)
}

const cluster = await createCluster(programs, ['max_connections = 300'])
let code = 1
try {
  await cluster.start()
  const pooler = await startPgbouncer(pgbouncer, cluster)
  console.log(`Behind ${pooler.version}`)
  try {
    const tests = spawn('vitest', ['run', '--mode', 'all', '--reporter=dot', ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: {
        ...process.env,
        TEST_DATABASE_URL: `postgres://postgres@127.0.0.1:${pooler.port}/postgres`,
        TEST_DATABASE_DIRECT_URL: cluster.url,
      },
    })
    code = Number((await once(tests, 'exit'))[0] ?? 1)
  } finally {
    await pooler.stop()
  }
} finally {
  cluster.remove()
}
process.exit(code)
