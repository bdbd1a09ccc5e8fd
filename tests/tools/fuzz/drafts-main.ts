// `npm run fuzz -- drafts --count 2000 --seed 1 --engine postgres`: so many drafts in random order, with kills of the
// server, beside a model of what must be. It ends at the first deviation, and then the exit code is 1.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freshPostgres } from '../bench/fresh-postgres.ts'
import { fuzzDrafts } from './fuzz-drafts.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'pglite' },
  },
})
const testUrl = process.env.TEST_DATABASE_URL
if (values.engine === 'postgres' && !testUrl) throw new Error('TEST_DATABASE_URL names no Postgres server')
const fresh = values.engine === 'postgres' ? await freshPostgres(testUrl!) : null
const folder = mkdtempSync(join(tmpdir(), 'void-fuzz-'))
console.log(`seed ${values.seed}, ${values.engine}`)
const report = await fuzzDrafts({
  databaseUrl: fresh?.url,
  folder,
  seed: Number(values.seed),
  count: Number(values.count),
  ms: Number(values.minutes) * 60_000,
}).finally(() => fresh?.drop())
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify(report, null, 2))
if (report.deviations.length > 0) process.exitCode = 1
