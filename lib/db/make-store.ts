// The program of the process that makes an embedded store: `node --liftoff-only make-store.ts FOLDER`. When it fails, its
// last line is the reason.

import { migrate } from './migrate.ts'
import { startEngine } from './pglite/engine.ts'
import { openDatabase } from './pool.ts'

process.on('uncaughtException', (error) => {
  console.error(error.message.replace(/\s+/g, ' '))
  process.exit(1)
})

const [folder = ''] = process.argv.slice(2)
// What migrate() loads, while initdb runs.
const [engine] = await Promise.all([startEngine({ folder }), import('node-pg-migrate')])
const database = await openDatabase({ engine })
await migrate(database)
await database.close()
await engine.close()
