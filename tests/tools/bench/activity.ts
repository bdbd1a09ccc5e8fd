import { createSpace } from '../../../lib/content/writes/write-space.ts'
import { type ActivityFilter, createActivityRepo } from '../../../lib/db/repos/activity.ts'
import { companion } from '../../helpers/one-turn.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type OpenStore, withStore } from './open-store.ts'
import { percentile } from './statistics.ts'

const calls = 100_000
const rounds = 100
const bound = { kind: 'at most', value: 50 } as const
const all: ActivityFilter = {
  space_id: null,
  source: null,
  actor: null,
  entity_type: null,
  action: null,
  entity_id: null,
  conversation_id: null,
  turn_id: null,
  status: null,
  after: null,
  limit: 61,
}

/** Pages of the activity over many calls: the first, one far down, and each filter, also those that few entries pass. */
export const activity: Measurement = {
  name: 'activity',
  about: `a page of 60 entries of the activity at ${calls} calls in two Spaces, on PGlite`,
  run: (log) => withStore((store) => measure(store, log)),
}

async function measure({ deps }: OpenStore, log: (message: string) => void): Promise<Figure[]> {
  const { database } = deps
  const actor = { kind: 'owner' } as const
  const spaces = [
    await createSpace(database, actor, { name: 'One' }),
    await createSpace(database, actor, { name: 'Two' }),
  ]
  const turns = await fill({ deps }, spaces)
  log(`${calls} calls, ${calls / 10} messages and drafts`)
  const repo = createActivityRepo(database)
  const far = await repo.list({
    ...all,
    limit: 1,
    after: { stamp: '2030-01-01T12:00:00.000000Z', id: 'call:' },
  })
  const [space_id, quiet] = [spaces[0]?.id ?? '', spaces[1]?.id ?? '']
  const asked: [string, Partial<ActivityFilter>][] = [
    ['the latest', {}],
    ['far down', { after: { stamp: far[0]?.stamp ?? '', id: far[0]?.id ?? '' } }],
    ['calls of a Space', { source: 'call', space_id }],
    ['all of a Space with few', { space_id: quiet }],
    ['by an agent', { actor: 'agent:companion' }],
    ['by one who did nothing', { actor: 'agent:nobody' }],
    ['a tool that is seldom called', { action: 'highlight' }],
    ['a kind that is seldom met', { entity_type: 'resource' }],
    ['of a turn', { turn_id: turns[0] ?? null }],
    ['what came to nothing, where nothing did', { status: 'unfinished' }],
    ['by all agents', { actor: 'agents' }],
  ]
  const figures: Figure[] = []
  for (const [name, filter] of asked) {
    const times: number[] = []
    const processor: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const [started, before] = [performance.now(), process.cpuUsage()]
      await repo.list({ ...all, ...filter })
      const { user, system } = process.cpuUsage(before)
      times.push(performance.now() - started)
      processor.push((user + system) / 1000)
    }
    figures.push({ name: `${name}, p95`, unit: 'ms', value: percentile(times, 0.95), bound })
    // What is left of it on a machine that is busy with other things.
    figures.push({ name: '… processor time, p95', unit: 'ms', value: percentile(processor, 0.95) })
  }
  return figures
}

/** One Space with nearly all that happened, one with a thousandth of it; a call every ten seconds. Returns turns. */
async function fill({ deps }: Pick<OpenStore, 'deps'>, spaces: { id: string }[]): Promise<string[]> {
  const { database } = deps
  const [large, small] = spaces.map(({ id }) => id)
  const { id: conversation_id } = await deps.companion.conversation(large ?? '', { kind: 'owner' })
  const { rows } = await database.query<{ id: string }>(
    `insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, finished_at)
     select gen_random_uuid(), $1, $2, $3, 'done', '', now()
     from generate_series(1, $4::integer)
     returning id`,
    [large, conversation_id, companion.agent_id, calls / 20],
  )
  const turns = rows.map(({ id }) => id)
  await database.query(
    `insert into tool_calls
       (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id, status,
        duration_ms, created_at)
     select gen_random_uuid(), case when n % 1000 = 0 then $2::uuid else $1::uuid end, $3,
       case when n % 1000 = 0 then null else ($4::uuid[])[1 + n % cardinality($4)] end, 'toolu_' || n,
       case when n % 5000 = 0 then 'highlight' else (array['search', 'read', 'list', 'open'])[1 + n % 4] end,
       '{"q":"oil"}', 'some', 'page', gen_random_uuid(), 'done', 5,
       timestamptz '2030-01-01' + n * interval '10 seconds'
     from generate_series(1, $5::integer) as n`,
    [large, small, companion.agent_id, turns, calls],
  )
  await database.query(
    `insert into messages (id, conversation_id, turn_id, role, body, metadata, created_at)
     select gen_random_uuid(), $1, turn, role, 'Words.', '{}', timestamptz '2030-01-01' + n * interval '200 seconds'
     from unnest($2::uuid[]) with ordinality as asked (turn, n), unnest(array['user', 'assistant']) as role`,
    [conversation_id, turns],
  )
  await database.query('analyze')
  return turns
}
