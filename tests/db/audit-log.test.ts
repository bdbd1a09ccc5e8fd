import { expect, test } from 'vitest'
import { testDb } from '../helpers/test-db.ts'

const db = await testDb()

test('an audit row cannot be changed, deleted or truncated away', async () => {
  await db.query(
    "insert into audit_log (actor, action, entity_type, entity_id) values ('owner', 'create', 'page', gen_random_uuid())",
  )

  await expect(db.query("update audit_log set actor = 'nobody'")).rejects.toThrow(/append-only/)
  await expect(db.query('delete from audit_log')).rejects.toThrow(/append-only/)
  await expect(db.query('truncate audit_log')).rejects.toThrow(/append-only/)
})

test('nothing gets past that: no upsert, no merge, no replica session, no forged place in the chain', async () => {
  const insert = 'insert into audit_log (seq, actor, action, entity_type, entity_id, previous_hash, hash)'
  const values = "values (1, 'mallory', 'create', 'page', gen_random_uuid(), '', '')"

  await db.query(`${insert} ${values}`)
  const { rows } = await db.query<{ seq: number; hash: string }>(
    'select seq, hash from audit_log order by seq',
  )
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
  expect(rows.at(-1)?.hash).toMatch(/^[0-9a-f]{64}$/)

  await expect(
    db.query(
      `merge into audit_log using (select 1 as seq) as one on audit_log.seq = one.seq
       when matched then update set actor = 'nobody'`,
    ),
  ).rejects.toThrow(/append-only/)
  await expect(
    db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query('delete from audit_log')
    }),
  ).rejects.toThrow(/append-only|permission denied/)
})

test('the head of the chain moves with the log alone', async () => {
  await expect(db.query('update audit_head set seq = 0')).rejects.toThrow(/by the log alone/)
  await expect(db.query('delete from audit_head')).rejects.toThrow(/by the log alone/)
  await expect(db.query('truncate audit_head')).rejects.toThrow(/by the log alone/)
})
