// What is asked of the audit log by page, draft, number, Space and time reads as few blocks of a long log as of a short one:
// the log is never pruned (docs/decisions/0017-the-audit-log-is-one-table.md).

import { beforeAll, expect, test } from 'vitest'
import type { Queryable } from '../../lib/db/pool.ts'
import { type ActivityFilter, createActivityRepo } from '../../lib/db/repos/activity.ts'
import { createAuditRepo } from '../../lib/db/repos/audit.ts'
import { createAuditChainRepo } from '../../lib/db/repos/audit_chain.ts'
import { createAuditOfDraftsRepo } from '../../lib/db/repos/decisions.ts'
import { createBlameRepo, createHistoryRepo } from '../../lib/db/repos/history.ts'
import { explained } from '../helpers/explained.ts'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()
const sizes = [1000, 8000]
/** Fewer than the long log has. */
const maxBlocks = 200
/** Rows of a page; each is of a draft of its own. */
const versions = 10
const space_id = '00000000-0000-7000-8000-0000000000aa'
const page = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const draft = (n: number) => `00000000-0000-7000-9000-${String(n).padStart(12, '0')}`

const all: ActivityFilter = {
  space_id: null,
  source: 'change',
  actor: null,
  entity_type: null,
  action: null,
  entity_id: null,
  conversation_id: null,
  turn_id: null,
  status: null,
  after: null,
  limit: 50,
}

type Asks = Record<string, (on: Queryable) => Promise<unknown>>
const [entity_id, id, seq] = [page(7), draft(700), 701]
const lines = Array.from({ length: 20 }, (_, n) => ({ id: draft(10 * n), space_id, entity_id: page(n) }))
const asks: Asks = {
  'the last row': (on) => on.query('select seq from audit_log order by seq desc limit 1'),
  'a row by its number': (on) => createAuditRepo(on).listRun(seq, null),
  'the history of a page': (on) =>
    createHistoryRepo(on).list({ space_id, entity_id, before_seq: null, limit: 50 }),
  'its undos': (on) => createAuditRepo(on).listUndos(entity_id),
  'what it was at a version': (on) =>
    createAuditRepo(on).findValuesAt({ space_id, entity_type: 'page', entity_id }, 2, ['title']),
  'who wrote a field of it': (on) =>
    createBlameRepo(on).listChanges(
      { space_id, entity_id, name: 'title' },
      { version: 9, before_seq: null, limit: 5 },
    ),
  'what came of a draft': (on) => createAuditRepo(on).findOfChange(space_id, id),
  'what came of the drafts of a list': (on) =>
    createAuditOfDraftsRepo(on).listApplied(lines, { after: true }),
  'the newest of a Space': (on) =>
    createAuditRepo(on).list({ space_id, entity_id: null, before_seq: null, limit: 50 }),
  'the activity': (on) => createActivityRepo(on).list(all),
  'the activity of a Space': (on) => createActivityRepo(on).list({ ...all, space_id }),
  'a part of the chain': (on) => createAuditChainRepo(on).list(seq, 50),
}

type Node = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
const blocks = new Map<string, number[]>()

beforeAll(async () => {
  let written = 0
  for (const size of sizes) {
    await db.query(
      `insert into audit_log (space_id, actor, action, entity_type, entity_id, version, after, pending_change_id, undoes)
       select $1, 'owner', 'update', 'page', ('00000000-0000-7000-8000-' || lpad((n / ${versions})::text, 12, '0'))::uuid,
         1 + n % ${versions}, '{"title":"Lamp"}', ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid,
         case when n % ${versions} = 9 then n - 3 end
       from generate_series($2::integer, $3::integer) as n`,
      [space_id, written + 1, size],
    )
    written = size
    await db.query('vacuum analyze audit_log')
    for (const [name, ask] of Object.entries(asks)) {
      blocks.set(name, [...(blocks.get(name) ?? []), await countBlocks(ask)])
    }
  }
}, 120_000)

/** Blocks that an answer reads, whether from memory or not. */
async function countBlocks(ask: (on: Queryable) => Promise<unknown>): Promise<number> {
  let sum = 0
  const on = explained<{ Plan: Node }>(db, 'analyze, buffers', ({ Plan }) => {
    sum += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
  })
  await ask(on)
  return sum
}

test.each(Object.keys(asks))('%s', (name) => {
  const [short = 0, long = Number.POSITIVE_INFINITY] = blocks.get(name)!

  // An index that has grown by a level has one block more on the way to each row.
  expect(long).toBeLessThanOrEqual(2 * short + 4)
  expect(long).toBeLessThan(maxBlocks)
})

test('an answer that looks through the log is noticed', async () => {
  const through = await countBlocks((on) => on.query("select from audit_log where after = 'nothing'"))

  expect(through).toBeGreaterThan(maxBlocks)
})
