// `npm run fuzz -- --requests 50000 --seed 1 --engine postgres`: sends so many requests to a server of its own and prints
// what came of them. On Postgres it makes a database beside the one that TEST_DATABASE_URL names. The exit code is 1 when
// there was an error of the server, an answer that is not declared, a loop that stood still for over a second or an exit.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { declaredRoutes } from '../../helpers/declared-routes.ts'
import { freshPostgres } from '../bench/fresh-postgres.ts'
import { fuzz } from './fuzz.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'pglite' },
    'at-once': { type: 'string', default: '12' },
  },
})
const testUrl = process.env.TEST_DATABASE_URL
if (values.engine === 'postgres' && !testUrl) throw new Error('TEST_DATABASE_URL names no Postgres server')
const database = values.engine === 'postgres' ? await freshPostgres(testUrl!) : null
const folder = mkdtempSync(join(tmpdir(), 'void-fuzz-'))
console.log(`seed ${values.seed}, ${values.engine}, data in ${folder}`)

const started = performance.now()
const report = await fuzz({
  requests: Number(values.requests),
  seed: Number(values.seed),
  routes: declaredRoutes(),
  databaseUrl: database?.url,
  folder,
  atOnce: Number(values['at-once']),
  log: console.log,
}).finally(() => database?.drop())

for (const text of report.texts) console.log(`\n${text}`)
console.log(
  `\n${report.summary()}\nseed ${values.seed}, ${Math.round((performance.now() - started) / 1000)} s`,
)
if (report.isClean()) rmSync(folder, { recursive: true, force: true })
else {
  console.log(
    `To repeat a request: DATA_DIR=${folder} OWNER_TOKEN=… node server.js, and the curl line with its port`,
  )
  process.exitCode = 1
}
