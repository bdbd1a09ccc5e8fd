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
