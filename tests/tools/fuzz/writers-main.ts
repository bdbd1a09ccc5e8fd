// `npm run fuzz -- writers --minutes 5 --seed 1 --engine postgres`: four writers on two servers over one database, on
// Postgres beside the one that TEST_DATABASE_URL names. The exit code is 1 for a link that leads elsewhere, a passage
// without its page, a page without passages, a broken audit chain or an answer that nothing explains.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '../../../lib/db/migrate.ts'
import { openOrMakeStore } from '../../../lib/db/open-store.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { freshPostgres } from '../bench/fresh-postgres.ts'
import { fuzzWriters } from './fuzz-writers.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '5' },
    count: { type: 'string', default: '1000000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'pglite' },
  },
})
const testUrl = process.env.TEST_DATABASE_URL
if (values.engine === 'postgres' && !testUrl) throw new Error('TEST_DATABASE_URL names no Postgres server')
const fresh = values.engine === 'postgres' ? await freshPostgres(testUrl!) : null
const folder = mkdtempSync(join(tmpdir(), 'void-fuzz-'))
const first = await openOrMakeStore(fresh ? { url: fresh.url } : { folder: join(folder, 'store') })
await migrate(first)
const second = fresh ? await openDatabase({ url: fresh.url }) : first
console.log(`seed ${values.seed}, ${values.engine}`)
const report = await fuzzWriters({
  databases: [first, second],
  folder,
  seed: Number(values.seed),
  ms: Number(values.minutes) * 60_000,
  count: Number(values.count),
})
await first.close()
if (second !== first) await second.close()
await fresh?.drop()
rmSync(folder, { recursive: true, force: true })
console.log(JSON.stringify(report, null, 2))
const { wrongLinks, chunksWithoutPage, pagesWithoutChunk, isChainSound, problems } = report
const faults = wrongLinks + chunksWithoutPage + pagesWithoutChunk + problems.length
process.exit(faults > 0 || !isChainSound ? 1 : 0)
