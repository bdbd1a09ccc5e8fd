// An account whose mailbox is another one from now on, whose folders are renamed, or that is synced while it is paused.

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { MailAccount } from '../../../lib/contract/mail.ts'
import { FakeMailbox } from './fake-mailbox.ts'
import { mailVoid } from './mail-void.ts'
import { writeMail } from './write-mail.ts'

/** By port. */
let mailboxes = new Map<number, FakeMailbox>()
const void_ = await mailVoid({
  connectMail: (address, signal) => mailboxes.get(address.port)!.connect(address, signal),
})
const { owner, deps, upToDate, threads } = void_
const stop = deps.mail.start()
afterAll(stop)

let mailbox = new FakeMailbox()
let other = new FakeMailbox()
let id = ''
beforeEach(async () => {
  if (id) await owner.delete(`/api/mail-accounts/${id}?mail=delete`)
  await deps.database.query('update mail_messages set deleted_at = now() where deleted_at is null')
  await expect.poll(subjects).toEqual([])
  mailbox = new FakeMailbox()
  other = new FakeMailbox()
  mailboxes = new Map([
    [143, mailbox],
    [1143, other],
  ])
  id = (await void_.addAccount()).id
})

const subjects = async () => (await threads('?limit=100')).map(({ subject }) => subject).toSorted()
const ids = async () => (await threads('?limit=100')).map((thread) => thread.id).toSorted()
const change = (fields: object) => owner.patch(`/api/mail-accounts/${id}`).send(fields)
const account = () => void_.account(id)

function fill(to: FakeMailbox, name: string, folder = 'INBOX', count = 3): void {
  for (let n = 1; n <= count; n += 1) to.append(writeMail({ subject: `${name} ${n}` }), { folder })
}

const named = (name: string, count = 3) => Array.from({ length: count }, (_, n) => `${name} ${n + 1}`)

describe('an account of another mailbox', () => {
  test('reads it from the start, whatever its numbers are, and keeps the old mail apart', async () => {
    fill(mailbox, 'Old')
    fill(other, 'New')
    await upToDate(id)

    await change({ port: 1143, mail: 'keep' }).expect(200)

    expect(await upToDate(id)).toMatchObject({ messages: 3, state: 'watching' })
    expect(await subjects()).toEqual([...named('New'), ...named('Old')])
    mailboxes.get(1143)!.expunge(1)
    await upToDate(id)
    expect(await subjects()).toEqual(['New 2', 'New 3', ...named('Old')])
  })

  test('or has the old mail removed', async () => {
    fill(mailbox, 'Old')
    fill(other, 'New')
    await upToDate(id)

    await change({ port: 1143, mail: 'delete' }).expect(200)

    await upToDate(id)
    expect(await subjects()).toEqual(named('New'))
  })

  test.each([[{ port: 1143 }], [{ host: '127.0.0.1' }], [{ username: 'another' }]])(
    'is not made of one with mail before the owner has chosen: %j',
    async (fields) => {
      fill(mailbox, 'Old')
      await upToDate(id)

      const { body } = await change({ ...fields, password: 'not stored' }).expect(409)

      expect(body.error.code).toBe('mailbox_changed')
      expect(await upToDate(id)).toMatchObject({ port: 143, host: 'localhost', messages: 3 })
    },
  )

  test('needs no choice where there is no mail, or where the mailbox stays', async () => {
    await change({ port: 1143 }).expect(200)
    fill(other, 'New')
    await upToDate(id)

    await change({ port: 1143, host: 'localhost', aliases: ['keeper@lamp.example'] }).expect(200)

    await upToDate(id)
    expect(await subjects()).toEqual(named('New'))
  })

  test('that turns out to be the same one has its mail once, and follows what is deleted there', async () => {
    fill(mailbox, 'Same')
    await upToDate(id)
    const before = await ids()
    mailboxes.set(1143, mailbox)

    await change({ port: 1143, mail: 'keep' }).expect(200)
    const moved = await upToDate(id)
    mailbox.expunge(2)
    await upToDate(id)

    expect(moved.messages).toBe(3)
    expect(before).toHaveLength(3)
    expect(await subjects()).toEqual(['Same 1', 'Same 3'])
  })

  test('does not take what a sync of the old one still stores', async () => {
    fill(mailbox, 'Old', 'INBOX', 30)
    fill(other, 'New')
    const described = Promise.withResolvers<void>()
    mailbox.onDescribed = () => described.resolve()
    await described.promise

    await change({ port: 1143, mail: 'delete' }).expect(200)

    await upToDate(id)
    await upToDate(id)
    expect(await subjects()).toEqual(named('New'))
  })
})

/** As a server renames: the messages, their numbers and the folder's number go along. */
function rename(from: string, to: string, use: string | null = null): void {
  const folder = mailbox.folders.get(from)!
  mailbox.folders.delete(from)
  mailbox.folders.set(to, { ...folder, use })
  mailbox.tell()
}

const settle = (body: object) => owner.post(`/api/mail-accounts/${id}/missing-folders`).send(body)

describe('a folder that is renamed', () => {
  beforeEach(async () => {
    mailbox.addFolder('Work', null)
    mailbox.addFolder('Other', null)
    fill(mailbox, 'Job', 'Work')
    fill(mailbox, 'Other', 'Other')
    await change({ folders: ['INBOX', 'Work'] }).expect(200)
    await upToDate(id)
  })

  test('keeps its mail, is reported, and the folder with its messages is proposed', async () => {
    rename('Work', 'Jobs')

    const { missing_folders } = await upToDate(id)

    expect(missing_folders).toEqual([{ path: 'Work', messages: 3, proposed: 'Jobs' }])
    expect(await subjects()).toEqual(named('Job'))
    await upToDate(id)
    expect((await account()).missing_folders).toEqual(missing_folders)
  })

  test('is proposed by its messages, not by its numbers', async () => {
    mailbox.addFolder('Decoy', null)
    fill(mailbox, 'Decoy', 'Decoy')
    mailbox.addFolder('Jobs', null)
    mailbox.append(writeMail({ subject: 'Later' }), { folder: 'Jobs' })
    for (const raw of mailbox.raw('Work')) mailbox.append(raw, { folder: 'Jobs' })
    mailbox.folders.get('Jobs')!.validity = 77
    mailbox.folders.delete('Work')

    expect((await upToDate(id)).missing_folders).toMatchObject([{ proposed: 'Jobs' }])
  })

  test('is read under its new name when the owner agrees, and its messages stay the same', async () => {
    const before = await ids()
    rename('Work', 'Jobs')
    await upToDate(id)

    await settle({ path: 'Work', action: 'replace', folder: 'Jobs' }).expect(200)
    fill(mailbox, 'Added', 'Jobs', 1)

    expect(await upToDate(id)).toMatchObject({ folders: ['INBOX', 'Jobs'], missing_folders: [], messages: 4 })
    expect(await ids()).toEqual(expect.arrayContaining(before))
    mailbox.expunge(1, 'Jobs')
    await upToDate(id)
    expect(await subjects()).toEqual(['Added 1', 'Job 2', 'Job 3'])
  })

  test('and deleted keeps its mail or not, as the owner says', async () => {
    mailbox.folders.delete('Work')
    expect((await upToDate(id)).missing_folders).toEqual([{ path: 'Work', messages: 3, proposed: null }])

    await settle({ path: 'Work', action: 'keep' }).expect(200)

    expect(await upToDate(id)).toMatchObject({ folders: ['INBOX'], missing_folders: [], messages: 0 })
    expect(await subjects()).toEqual(named('Job'))
  })

  test('and deleted has its mail removed when the owner says so', async () => {
    mailbox.folders.delete('Work')
    await upToDate(id)

    await settle({ path: 'Work', action: 'delete' }).expect(200)

    expect(await upToDate(id)).toMatchObject({ folders: ['INBOX'], missing_folders: [] })
    expect(await subjects()).toEqual([])
  })

  test('keeps its mail when other folders are chosen meanwhile', async () => {
    rename('Work', 'Jobs')
    await upToDate(id)

    await change({ folders: ['INBOX', 'Other'] }).expect(200)

    expect((await upToDate(id)).missing_folders).toMatchObject([{ path: 'Work', messages: 3 }])
    expect(await subjects()).toEqual([...named('Job'), ...named('Other')])
  })

  test('that was the only one stops the account, which begins again when the owner agrees', async () => {
    await change({ folders: ['Work'] }).expect(200)
    await upToDate(id)
    rename('Work', 'Jobs')
    await owner.post(`/api/mail-accounts/${id}/sync`).expect(202)
    await expect.poll(async () => (await account()).state).toBe('stopped')

    expect((await account()).missing_folders).toEqual([{ path: 'Work', messages: 3, proposed: 'Jobs' }])
    await settle({ path: 'Work', action: 'replace', folder: 'Jobs' }).expect(200)

    expect(await upToDate(id)).toMatchObject({ folders: ['Jobs'], messages: 3 })
  })

  test('back is no longer missing', async () => {
    rename('Work', 'Jobs')
    await upToDate(id)
    rename('Jobs', 'Work')

    expect((await upToDate(id)).missing_folders).toEqual([])
    expect(await subjects()).toEqual(named('Job'))
  })

  test('is settled only where it is missing', async () => {
    await settle({ path: 'Work', action: 'keep' }).expect(404)
    await settle({ path: 'Work', action: 'replace' }).expect(400)
  })
})

describe('a folder that nobody chose and that is renamed', () => {
  beforeEach(async () => {
    fill(mailbox, 'Filed', 'Archive')
    await upToDate(id)
  })

  test('keeps its mail and is proposed', async () => {
    rename('Archive', 'Attic')

    expect((await upToDate(id)).missing_folders).toEqual([
      { path: 'Archive', messages: 3, proposed: 'Attic' },
    ])
    expect(await subjects()).toEqual(named('Filed'))
    await settle({ path: 'Archive', action: 'replace', folder: 'Attic' }).expect(200)
    expect(await upToDate(id)).toMatchObject({
      folders: ['INBOX', 'Sent', 'Attic'],
      missing_folders: [],
      messages: 3,
    })
  })

  test('is followed where the server says what it is for', async () => {
    const before = await ids()
    rename('Archive', 'Attic', '\\Archive')

    expect(await upToDate(id)).toMatchObject({ missing_folders: [], messages: 3, folders: null })
    expect(await ids()).toEqual(before)
  })
})

describe('a paused account', () => {
  const synced = async (): Promise<MailAccount> => {
    const asked = new Date().toISOString()
    await owner.post(`/api/mail-accounts/${id}/sync`).expect(202)
    const isDone = async () => {
      const { state, last_sync_at, error } = await account()
      return state === 'paused' && (error !== null || (last_sync_at ?? '') >= asked)
    }
    await expect.poll(isDone, { timeout: 15_000 }).toBe(true)
    return await account()
  }

  test('is synced once when that is asked for, and stays paused', async () => {
    await upToDate(id)
    await change({ paused: true }).expect(200)
    fill(mailbox, 'Asked')

    await synced()
    fill(mailbox, 'Later')
    const { connections } = mailbox

    expect(await subjects()).toEqual(named('Asked'))
    await synced()
    expect(mailbox.connections).toBe(connections + 1)
    expect(await subjects()).toEqual([...named('Asked'), ...named('Later')])
  })

  test('stays paused when its server is gone, and says why', async () => {
    await change({ paused: true }).expect(200)
    mailbox.gone = true

    expect((await synced()).error).toMatch(/Nothing answers|was lost/)
  })

  test('stays paused when its settings are changed while it is synced', async () => {
    await change({ paused: true }).expect(200)
    await owner.post(`/api/mail-accounts/${id}/sync`).expect(202)

    await change({ aliases: ['keeper@lamp.example'] }).expect(200)

    expect((await account()).state).toBe('paused')
  })
})
