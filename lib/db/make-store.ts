// The program of the process that makes an embedded store: `node --liftoff-only make-store.ts FOLDER`.

import { migrate } from './migrate.ts'
import { startEngine } from './pglite/engine.ts'
import { openDatabase } from './pool.ts'

const [folder = ''] = process.argv.slice(2)
// What migrate() loads, while initdb runs.
const [engine] = await Promise.all([startEngine({ folder }), import('node-pg-migrate')])
const database = await openDatabase({ engine })
await migrate(database)
await database.close()
await engine.close()
