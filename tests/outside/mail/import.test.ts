// Mail of files beside mail of accounts: the same threads, and each message once.

import { afterAll, beforeEach, expect, test } from 'vitest'
import { FakeMailbox } from './fake-mailbox.ts'
import { mailVoid } from './mail-void.ts'
import { writeMail } from './write-mail.ts'

let mailbox = new FakeMailbox()
const { deps, owner, addAccount, upToDate, threads, ...first } = await mailVoid({
  connectMail: (...given) => mailbox.connect(...given),
})
const { imports } = deps.content
let { space } = first
afterAll(deps.mail.start())

beforeEach(async () => {
  const { body } = await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)
  space = body
  mailbox = new FakeMailbox()
})

async function bringIn(files: Record<string, string>): Promise<string> {
  const { id } = await imports.create({ space_id: space.id, source: 'mail', root: null })
  for (const [path, text] of Object.entries(files))
    await imports.addFile(id, path, { content: Buffer.from(text) })
  await imports.start(id)
  await imports.idle()
  expect(await imports.find(id)).toMatchObject({ state: 'done' })
  return id
}

const messagesOf = async (threadId: string) =>
  (await owner.get(`/api/mail-threads/${threadId}`).expect(200)).body.items

const offer = writeMail({ id: '<offer@x>', subject: 'Ten barrels', body: 'Ten barrels for 400.' })
const answer = writeMail({
  id: '<answer@x>',
  from: 'Keeper <keeper@skerry.example>',
  to: 'Anna Berg <anna@example.org>',
  subject: 'Re: Ten barrels',
  references: ['<offer@x>'],
  date: 'Fri, 20 Nov 2026 11:00:00 +0000',
  body: 'Ten are enough.',
})

test('a file and an account that have the same message have it once, in one thread', async () => {
  await bringIn({ 'offer.eml': offer })
  mailbox.append(offer)
  mailbox.append(answer, { folder: 'Sent', flags: ['\\Seen'] })
  const account = await addAccount({}, space.id)
  await upToDate(account.id, space.id)

  const [thread, ...others] = await threads('', space.id)
  expect(others).toEqual([])
  expect(thread).toMatchObject({ subject: 'Ten barrels', messages: 2, last_direction: 'sent' })

  await bringIn({ 'answer.eml': answer })
  expect(await messagesOf(thread!.id)).toMatchObject([{ direction: 'received' }, { direction: 'sent' }])
})

test('what a server marks outweighs what the file said', async () => {
  const inbox = `From x@y.example Fri Mar  1 10:00:00 2024\nStatus: O\n${offer.replaceAll('\r\n', '\n')}\n`
  await bringIn({ 'inbox.mbox': inbox })
  expect(await threads('', space.id)).toMatchObject([{ unread: true }])

  mailbox.append(offer, { flags: ['\\Seen'] })
  const account = await addAccount({}, space.id)
  await upToDate(account.id, space.id)

  expect(await threads('', space.id)).toMatchObject([{ unread: false, messages: 1 }])
})

test('an import of mail is undone, but for what a mailbox has as well', async () => {
  mailbox.append(offer)
  const account = await addAccount({}, space.id)
  const id = await bringIn({
    'answer.eml': answer,
    'other.eml': writeMail({ id: '<other@x>', subject: 'Paint' }),
  })
  await upToDate(account.id, space.id)
  mailbox.append(answer, { folder: 'Sent' })
  await upToDate(account.id, space.id)

  await imports.undo(id)
  await imports.idle()

  expect(await threads('', space.id)).toMatchObject([{ subject: 'Ten barrels', messages: 2 }])
  const outcomes = await imports.listOutcomes(id, { outcomes: null, noted: false, after_seq: 0, limit: 10 })
  expect(outcomes.map(({ path, undone }) => [path, undone]).toSorted()).toEqual([
    ['answer.eml', 'kept: a mailbox has it, too'],
    ['other.eml', 'undone'],
  ])
})

test('what was undone comes in again', async () => {
  const id = await bringIn({ 'offer.eml': offer })
  await imports.undo(id)
  await imports.idle()
  expect(await threads('', space.id)).toEqual([])

  const again = await bringIn({ 'offer.eml': offer })

  expect((await imports.find(again)).counts).toMatchObject({ created: 1 })
  expect(await threads('', space.id)).toMatchObject([{ subject: 'Ten barrels', messages: 1 }])
})

test('mail that an import brought in stays when its account is removed with its mail', async () => {
  mailbox.append(offer)
  mailbox.append(writeMail({ id: '<b@x>', subject: 'Paint' }))
  const account = await addAccount({}, space.id)
  await upToDate(account.id, space.id)
  await bringIn({ 'offer.eml': offer })

  await owner.delete(`/api/mail-accounts/${account.id}?mail=delete`).expect(200)

  // What is deleted is purged in the background.
  const subjects = async () => (await threads('', space.id)).map(({ subject }) => subject)
  await expect.poll(subjects, { timeout: 15_000 }).toEqual(['Ten barrels'])
})
