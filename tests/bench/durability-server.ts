// A Void whose turns can be made to forget: with FORGET=1 its steps and events, and the records of its calls, are said
// to be stored and are not. Everything else is as it is.

import { createApp } from '../../lib/app.ts'
import { assemble } from '../../lib/assemble.ts'
import { createModelProvider } from '../../lib/companion/model-provider.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { type Database, openDatabase } from '../../lib/db/pool.ts'
import { kinds } from '../../lib/entities/kinds.ts'
import { createLogger } from '../../lib/logger.ts'
import { ownerToken } from './spaces.ts'

const { FORGET, MODEL_URL = '', DATA_DIR = '' } = process.env
const stored = await openDatabase({ folder: `${DATA_DIR}/store` })
await migrate(stored)
const now = () => new Date()
const models = createModelProvider(
  { apiKey: 'bench', baseUrl: MODEL_URL, model: 'bench', maxTokens: 8192, smallModel: null },
  { now },
)
const deps = assemble({
  database: FORGET === '1' ? await forgetful(stored) : stored,
  kinds,
  models,
  ownerToken,
  logger: createLogger('silent'),
  now,
  version: '0',
})
await deps.companion.keepTurns({ alone: true })

const server = createApp(deps).listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
process.on('SIGTERM', () => process.exit(0))

/** Every write of a running turn begins with a look whether its lease is held: it is, and that is all. */
async function forgetful(database: Database): Promise<Database> {
  const held = await database.query<never>('select false as stop_requested', [])
  return {
    ...database,
    query: async (text, values) =>
      text.startsWith('with held as') ? held : await database.query(text, values),
  }
}
