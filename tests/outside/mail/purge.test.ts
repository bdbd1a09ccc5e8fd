// Mail that is purged while it comes in again.

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { purgeDeleted } from '../../../lib/outside/mail/store/store-messages.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { makeWorld } from '../../helpers/world.ts'
import { deliver } from './deliver.ts'
import { writeMail } from './write-mail.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const { space } = await makeWorld(void_)
const { database, search } = deps
const raw = writeMail({ subject: 'Petrels', body: 'Petrels nest under the stairs.' })

const found = async () => (await owner.get('/api/search?q=petrels').expect(200)).body.items.length

test('a message that is imported while it is purged is there, and search finds it', async () => {
  const id = await deliver(deps, space.id, raw)
  await database.query('update mail_messages set deleted_at = now() where id = $1', [id])
  let again: Promise<string> | null = null
  const remove: typeof search.remove = async (tx, entityId) => {
    await search.remove(tx, entityId)
    again ??= deliver(deps, space.id, raw)
    // Where nothing makes it wait, it is stored by then.
    await Promise.race([again, wait(500)])
  }

  await purgeDeleted({ database, search: { remove } }, new AbortController().signal)
  const kept = await again!

  const { body } = await owner.get(`/api/spaces/${space.id}/mail-threads`).expect(200)
  expect(body.items).toHaveLength(1)
  expect(await found()).toBe(1)
  await owner.get(`/api/mail-messages/${kept}/original`).expect(200)
})
