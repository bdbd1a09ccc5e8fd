// What was written stays: it is stored whole, found by search, folded when it is read, and read again where an earlier
// release cut it.

import { afterAll, expect, test } from 'vitest'
import { createLargeMessageThreads } from '../../../lib/outside/mail/message/parse-in-thread.ts'
import { createRereadJob } from '../../../lib/outside/mail/store/reread-messages.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { deliver } from './deliver.ts'
import { writeMail } from './write-mail.ts'

const { owner, deps } = await buildApp()
const threads = createLargeMessageThreads()
afterAll(() => threads.close())

async function newSpace(): Promise<string> {
  return (await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)).body.id
}

const search = async (space_id: string, q: string) =>
  await deps.search.query({ space_ids: [space_id], q, kinds: ['mail_message'], limit: 10, per_entity: 1 })

const raw = writeMail({
  subject: 'Oil',
  body: 'Ten barrels, please.\n\nOn Fri, 20 Nov 2026 at 10:00, Anna Berg <anna@example.org> wrote:\n> How many of the cormorants?\n\n-- \nKeeper of the skerry',
})

test('history and signatures are found, after what says the same itself', async () => {
  const space = await newSpace()
  const quoting = await deliver(deps, space, raw)
  const asking = await deliver(
    deps,
    space,
    writeMail({ subject: 'Oil', body: 'How many of the cormorants?' }),
  )

  const hits = await search(space, 'cormorants')
  expect(hits.map(({ entity_id }) => entity_id)).toEqual([asking, quoting])
  expect(await search(space, 'keeper of the skerry')).not.toEqual([])
})

test('a list shows how a message begins, without what it quotes', async () => {
  const space = await newSpace()
  const body = '> How many?\n\nTen barrels, please.'
  await deliver(deps, space, writeMail({ subject: 'Oil', body }))

  const { body: list } = await owner.get(`/api/spaces/${space}/mail-threads`).expect(200)
  expect(list.items[0].snippet).toBe('Ten barrels, please.')
})

test('mail of an earlier release is read again, once, and is not stored twice meanwhile', async () => {
  const space = await newSpace()
  const id = await deliver(deps, space, raw)
  await deps.database.query(
    `update mail_messages set text = 'Ten barrels, please.', folds = '[]', snippet = '', reading = 1,
       fingerprint = sha256('of the cut text') where id = $1`,
    [id],
  )

  expect(await deliver(deps, space, raw)).toBe(id)
  const job = createRereadJob({ ...deps, threads })
  await job.run(new AbortController().signal)

  const { body: thread } = await owner.get(`/api/mail-threads/${id}`).expect(200)
  expect(thread.items).toHaveLength(1)
  expect(thread.items[0].text).toContain('cormorants')
  expect(thread.items[0].folds.map(({ kind }: { kind: string }) => kind)).toEqual(['quote', 'signature'])
  expect(await search(space, 'cormorants')).toHaveLength(1)
  expect(await job.isDue?.()).toBe(false)
})
