import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPruneTurnLogs } from '../../../lib/ops/maintenance/prune.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { companion } from '../../helpers/one-turn.ts'
import { makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const { database } = void_.deps
const { space } = await makeWorld(void_)
const conversation = await void_.deps.companion.conversation(space.id, { kind: 'owner' })
const now = new Date('2031-05-02T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

/** A turn with a log of so many bytes between its first and its last row; `null`: it runs. */
async function makeTurn(endedAt: Date | null, bytes: number): Promise<string> {
  const id = randomUUID()
  await database.query(
    `insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, finished_at)
     values ($1, $2, $3, $4, $5, '', $6)`,
    [id, space.id, conversation.id, companion.agent_id, endedAt ? 'done' : 'running', endedAt],
  )
  await database.query(
    `insert into turn_events (turn_id, seq, type, data)
     values ($1, 1, 'turn', ''), ($1, 2, 'delta', repeat('x', $2)), ($1, 3, 'done', '')`,
    [id, bytes],
  )
  return id
}

/** Of the turns given, those whose log is whole. */
async function whole(ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ turn_id: string }>(
    "select turn_id from turn_events where type = 'delta' and turn_id = any($1)",
    [ids],
  )
  return ids.filter((id) => rows.some(({ turn_id }) => turn_id === id))
}

test('logs of the last day are kept, as far as they fit, and those of running turns', async () => {
  const old = await makeTurn(hoursAgo(25), 10)
  const turns = [
    await makeTurn(hoursAgo(3), 400),
    await makeTurn(hoursAgo(2), 400),
    await makeTurn(hoursAgo(1), 400),
  ]
  const running = await makeTurn(null, 400)
  const all = [old, ...turns, running]

  const roomy = await createPruneTurnLogs(database, { maxBytes: 1200 })(now)
  const afterRoomy = await whole(all)
  const tight = await createPruneTurnLogs(database, { maxBytes: 900 })(now)

  expect([roomy, afterRoomy]).toEqual([1, [...turns, running]])
  expect([tight, await whole(all)]).toEqual([1, [...turns.slice(1), running]])
  const { rows } = await database.query('select from turn_events where turn_id = $1', [old])
  expect(rows).toHaveLength(2)
})

test('it goes on where it was, and takes what ended since', async () => {
  const prune = createPruneTurnLogs(database, { maxBytes: 1_000_000 })
  await prune(now)
  const turn = await makeTurn(now, 10)

  expect(await prune(now)).toBe(0)
  expect(await prune(new Date(now.getTime() + 25 * 3_600_000))).toBeGreaterThan(0)
  expect(await whole([turn])).toEqual([])
})
