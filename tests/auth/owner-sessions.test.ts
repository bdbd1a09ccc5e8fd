import { expect, test } from 'vitest'
import { createAuthentication } from '../../lib/auth/authenticate.ts'
import { testDb } from '../helpers/test-db.ts'

const database = await testDb()
const now = () => new Date('2030-05-01T12:00:00Z')
const before = createAuthentication({ database, now, ownerToken: 'the-token-of-before-0123456789' })
const after = createAuthentication({ database, now, ownerToken: 'the-token-of-after-0123456789' })

test('with another owner token every session and every code has ended', async () => {
  const { session } = await before.openSession('the-token-of-before-0123456789')
  const { code } = await before.createSignInCode()

  expect(await before.findSession(session)).not.toBeNull()
  expect(await after.findSession(session)).toBeNull()
  expect(await after.listSessions(null)).toEqual([])
  await expect(after.openSession(code)).rejects.toMatchObject({ status: 401 })
  await expect(after.openSession('the-token-of-before-0123456789')).rejects.toMatchObject({ status: 401 })
})
