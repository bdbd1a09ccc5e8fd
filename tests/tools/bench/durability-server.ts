// A Void whose turns can be made to forget: with FORGET=1 what a running turn stores of its steps, its events and its
// calls is said to be stored and is not. Its steps alone follow when it has ended, so that the next turns of the
// conversation are given the very same history. The end of a turn is stored as it is.

import { createTemporaryKeyring } from '../../../lib/auth/secrets/master-key.ts'
import { createLogger } from '../../../lib/core/logger.ts'
import { migrate } from '../../../lib/db/migrate.ts'
import { type Database, openDatabase } from '../../../lib/db/pool.ts'
import { createApp } from '../../../lib/server/app.ts'
import { assemble } from '../../../lib/server/assemble.ts'
import { loadConfig } from '../../../lib/server/config.ts'
import { ownerToken } from './spaces.ts'

const { FORGET, MODEL_URL = '', DATA_DIR = '' } = process.env
const stored = await openDatabase({ folder: `${DATA_DIR}/store` })
await migrate(stored)
const config = loadConfig(
  {
    DATA_DIR,
    ANTHROPIC_API_KEY: 'bench',
    ANTHROPIC_BASE_URL: MODEL_URL,
    ANTHROPIC_MODEL: 'bench',
    ROUTER_MODEL: 'none',
    TURNS_PER_MINUTE: '0',
  },
  '',
)
const deps = assemble(config, {
  database: FORGET === '1' ? await forgetful(stored) : stored,
  ownerToken,
  keyring: createTemporaryKeyring(),
  logger: createLogger('silent'),
})
await deps.ai.connections.load()
await deps.companion.startRecovery()

const server = createApp(deps, config).listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
})
process.on('SIGTERM', () => process.exit(0))

/** Every write of a running turn begins with a look whether its lease is held: it is, and that is all. */
async function forgetful(database: Database): Promise<Database> {
  const held = await database.query<never>('select false as stop_requested', [])
  /** Steps as JSON, by the turn. */
  const kept = new Map<unknown, unknown[]>()

  return {
    ...database,
    async query(text, values = []) {
      const [turnId, , , , , , steps] = values
      if (text.startsWith('with held as')) {
        if (text.includes('insert into turn_steps')) kept.set(turnId, [...(kept.get(turnId) ?? []), steps])
        return held
      }
      const result = await database.query<never>(text, values)
      if (text.startsWith('with ended as')) {
        void storeBehind(turnId, kept.get(turnId) ?? [])
        kept.delete(turnId)
      }
      return result
    },
  }

  async function storeBehind(turnId: unknown, written: readonly unknown[]): Promise<void> {
    for (const steps of written) {
      await database.query(
        `insert into turn_steps (turn_id, seq, role, content, stop_reason, given)
         select $1, seq, role, content, stop_reason, given
         from json_to_recordset($2::json)
           as step (seq integer, role text, content text, stop_reason text, given json)
         on conflict do nothing`,
        [turnId, steps],
      )
    }
  }
}
