// Accounts are synced by rules that hold for any server; this one is a mailbox in memory, with faults.

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createMailFoldersRepo } from '../../../lib/db/repos/mail_folders.ts'
import { FakeMailbox } from './fake-mailbox.ts'
import { mailVoid, ownAddress } from './mail-void.ts'
import { writeMail } from './write-mail.ts'

let mailbox = new FakeMailbox()
const void_ = await mailVoid({ connectMail: (...given) => mailbox.connect(...given) })
const { owner, deps, upToDate, threads } = void_
const stop = deps.mail.start()
afterAll(stop)

let id = ''
/** A mailbox and an account of its own for each test, in a Space without mail. */
beforeEach(async () => {
  if (id) await owner.delete(`/api/mail-accounts/${id}?mail=delete`)
  await expect.poll(subjects).toEqual([])
  mailbox = new FakeMailbox()
  id = (await void_.addAccount()).id
})

const subjectsOf = async (subject: string) =>
  (await threads(`?subject=${subject}`)).map((thread) => thread.subject)
const subjects = async () => (await threads()).map(({ subject }) => subject).toSorted()

describe('a sync', () => {
  test('takes in what is there, the newest first, and reads only', async () => {
    for (let n = 1; n <= 60; n++) mailbox.append(writeMail({ subject: `Tide ${n}` }))
    const account = await upToDate(id)

    const first = mailbox.commands.find((command) => command.startsWith('fetch'))
    expect(account).toMatchObject({ state: 'watching', messages: 60, unreadable: 0, error: null })
    expect(first).toMatch(/^fetch 60,59/)
    // It waits for news a moment after it says that it does.
    await expect
      .poll(() => new Set(mailbox.commands.map((command) => command.split(' ')[0])))
      .toEqual(new Set(['list', 'examine', 'search', 'describe', 'fetch', 'idle']))
    expect(mailbox.maxFetched).toBeLessThanOrEqual(25)
  })

  test('of many messages has the planner know of them', async () => {
    for (let n = 1; n <= 200; n++) mailbox.append(writeMail({ subject: `Tide ${n}` }))
    await upToDate(id)

    const { rows } = await deps.database.query<{ tablename: string }>(
      "select distinct tablename from pg_stats where tablename in ('mail_messages', 'mail_threads')",
    )
    expect(rows).toHaveLength(2)
  })

  test.each(['INBOX', 'Archive'])(
    'takes in what arrives while %s comes in, before the rest of it',
    async (folder) => {
      for (let n = 1; n <= 250; n++) mailbox.append(writeMail({ subject: `Tide ${n}` }), { folder })
      mailbox.onDescribed = (uids) => {
        if (uids.length < 200) return
        mailbox.onDescribed = () => {}
        mailbox.append(writeMail({ subject: 'Arrived' }))
      }
      const account = await upToDate(id)

      const all = mailbox.commands
      const fetchOf = (uid: number) => all.findIndex((command) => command.split(/[ ,]/).includes(`${uid}`))
      const arrived = folder === 'INBOX' ? fetchOf(251) : all.indexOf('fetch 1')
      expect(arrived).toBeGreaterThan(fetchOf(250))
      expect(arrived).toBeLessThan(fetchOf(20))
      expect(await subjectsOf('Arrived')).toEqual(['Arrived'])
      expect(account).toMatchObject({ messages: 251, unreadable: 0 })
    },
  )

  test('does not read junk and trash, even where they were chosen', async () => {
    mailbox.append(writeMail({ subject: 'Spam' }), { folder: 'Junk' })
    mailbox.append(writeMail({ subject: 'Old' }), { folder: 'Trash' })
    mailbox.append(writeMail({ subject: 'Wanted' }))
    await owner
      .patch(`/api/mail-accounts/${id}`)
      .send({ folders: ['INBOX', 'Junk', 'Trash'] })
      .expect(200)
    await upToDate(id)

    expect(await subjects()).toEqual(['Wanted'])
    expect(mailbox.commands).not.toContain('examine Junk')
  })

  test('of an unchanged mailbox asks for nothing but the state of its folders', async () => {
    mailbox.append(writeMail())
    await upToDate(id)
    mailbox.commands.length = 0
    await upToDate(id)

    expect(new Set(mailbox.commands)).toEqual(
      new Set(['list', 'examine INBOX', 'examine Sent', 'examine Archive', 'idle']),
    )
  })

  test('sees new mail, flags and deletions when the server tells of them', async () => {
    const uid = mailbox.append(writeMail({ subject: 'First' }))
    await upToDate(id)
    mailbox.append(writeMail({ subject: 'Second' }))
    await expect.poll(subjects).toEqual(['First', 'Second'])

    mailbox.setFlags(uid, ['\\Seen', '\\Answered'])
    const first = (await threads('?subject=First'))[0]!
    await expect
      .poll(async () => (await owner.get(`/api/mail-threads/${first.id}`)).body.items[0])
      .toMatchObject({ unread: false, answered: true })

    mailbox.expunge(uid)
    await expect.poll(subjects).toEqual(['Second'])
  })

  test('follows flags of a server that does not count changes', async () => {
    mailbox.countsChanges = false
    const uid = mailbox.append(writeMail({ subject: 'Flagged' }))
    await upToDate(id)
    expect((await threads())[0]?.unread).toBe(true)
    mailbox.setFlags(uid, ['\\Seen'])
    await expect.poll(async () => (await threads())[0]?.unread).toBe(false)
  })

  describe('of a server that says what is gone', () => {
    const commandsOf = async (change: () => void) => {
      mailbox.commands.length = 0
      change()
      await upToDate(id)
      return new Set(mailbox.commands.map((command) => command.split(' ')[0]))
    }

    test('follows new mail, flags and deletions without listing the folder', async () => {
      mailbox.tellsGone = true
      const first = mailbox.append(writeMail({ subject: 'First' }))
      mailbox.append(writeMail({ subject: 'Second' }))
      await upToDate(id)
      const commands = await commandsOf(() => {
        mailbox.setFlags(2, ['\\Seen'])
        mailbox.expunge(first)
        mailbox.append(writeMail({ subject: 'Third' }))
      })

      expect(await subjects()).toEqual(['Second', 'Third'])
      expect((await threads('?subject=Second'))[0]?.unread).toBe(false)
      expect(commands).toContain('changes')
      expect(commands).not.toContain('search')
      expect(commands).not.toContain('flags')
    })

    test('lists the folder where what it said cannot be all', async () => {
      mailbox.tellsGone = true
      const first = mailbox.append(writeMail({ subject: 'First' }))
      mailbox.append(writeMail({ subject: 'Second' }))
      await upToDate(id)
      mailbox.hidden.add(first)
      const commands = await commandsOf(() => {
        mailbox.expunge(first)
        mailbox.append(writeMail({ subject: 'Third' }))
        mailbox.append(writeMail({ subject: 'Fourth' }))
      })

      expect(await subjects()).toEqual(['Fourth', 'Second', 'Third'])
      expect(commands).toContain('search')
    })
  })

  test('puts messages together that the provider says are of one thread', async () => {
    mailbox.append(writeMail({ subject: 'Lease' }))
    mailbox.append(writeMail({ subject: 'The boathouse, at last' }))
    mailbox.append(writeMail({ subject: 'Lease' }))
    for (const [uid, thread] of Object.entries({ 1: 'a', 2: 'a', 3: 'b' })) {
      mailbox.threads.set(Number(uid), thread)
    }
    await upToDate(id)

    const sizes = (await threads()).map(({ messages }) => messages).toSorted()
    expect(sizes).toEqual([1, 2])
  })

  test('takes in one of 100,000 messages, and loses those that are gone', async () => {
    const many = 100_000
    mailbox.append(writeMail({ subject: 'The first one' }))
    await upToDate(id)
    const repo = createMailFoldersRepo(deps.database)
    const { id: folder } = await repo.open({ id: crypto.randomUUID(), account_id: id, path: 'INBOX' })
    await deps.database.query(
      `insert into mail_locations (folder_id, uid, message_id, flags)
       select folder_id, n, message_id, flags from mail_locations, generate_series(2, $2) as n where folder_id = $1`,
      [folder, many],
    )
    const inbox = mailbox.folders.get('INBOX')!
    for (let uid = 3; uid <= many; uid += 2) inbox.messages.set(uid, inbox.messages.get(1)!)
    inbox.next = many + 1
    mailbox.append(writeMail({ subject: 'The last one' }))
    mailbox.commands.length = 0
    await upToDate(id)

    expect(await subjects()).toEqual(['The first one', 'The last one'])
    expect(await repo.countUids(folder)).toBe(many / 2 + 1)
    expect(mailbox.commands.filter((command) => command.startsWith('fetch'))).toEqual(['fetch 100001'])
  })

  test('reads again what could not be read in time', async () => {
    await upToDate(id)
    const repo = createMailFoldersRepo(deps.database)
    const { id: folder } = await repo.open({ id: crypto.randomUUID(), account_id: id, path: 'INBOX' })
    await repo.addLocations(folder, [{ uid: 1, message_id: null, flags: [], problem: 'It took too long.' }])
    mailbox.append(writeMail({ subject: 'Late' }))
    const { unreadable } = await upToDate(id)

    expect(await subjects()).toEqual(['Late'])
    expect(unreadable).toBe(0)
  })

  test('goes on where it was cut, and stores nothing twice', async () => {
    await owner.patch(`/api/mail-accounts/${id}`).send({ paused: true }).expect(200)
    for (let n = 1; n <= 80; n++) mailbox.append(writeMail({ subject: `Cut ${n}` }))
    mailbox.commands.length = 0
    mailbox.cutAfter = 6
    await owner.patch(`/api/mail-accounts/${id}`).send({ paused: false }).expect(200)
    await expect.poll(async () => (await void_.account(id)).state).toBe('watching')
    const account = await void_.account(id)

    const fetched = mailbox.commands.filter((command) => command.startsWith('fetch'))
    expect(account.messages).toBe(80)
    expect((await threads('?limit=100')).length).toBe(80)
    // The batch that was under way alone was asked for again.
    expect(new Set(fetched).size).toBe(fetched.length - 1)
  })

  test('keeps messages and their ids when the folder is numbered anew', async () => {
    for (let n = 1; n <= 5; n++) mailbox.append(writeMail({ subject: `Kept ${n}` }))
    await upToDate(id)
    const before = (await threads()).map((thread) => thread.id).toSorted()
    mailbox.renumber()
    mailbox.append(writeMail({ subject: 'Kept 6' }))
    await upToDate(id)

    const after = (await threads()).map((thread) => thread.id).toSorted()
    expect(after).toHaveLength(6)
    expect(after).toEqual(expect.arrayContaining(before))
  })

  test('a message that moves to another folder stays the same', async () => {
    const raw = writeMail({ subject: 'Moved' })
    const uid = mailbox.append(raw)
    await upToDate(id)
    const [before] = await threads()
    mailbox.append(raw, { folder: 'Archive' })
    mailbox.expunge(uid)
    await upToDate(id)

    expect((await threads()).map((thread) => thread.id)).toEqual([before!.id])
  })

  test('one message in two folders is one message', async () => {
    const raw = writeMail({ subject: 'Twice' })
    mailbox.append(raw)
    mailbox.append(raw, { folder: 'Archive' })
    expect((await upToDate(id)).messages).toBe(1)
  })

  test('of a large message takes the text and the names of its attachments', async () => {
    const body = `Read this.\r\n${'x'.repeat(1_100_000)}`
    mailbox.append(writeMail({ subject: 'Large', body }))
    await upToDate(id)
    const [thread] = await threads()
    const { body: read } = await owner.get(`/api/mail-threads/${thread!.id}`)

    expect(mailbox.commands).toContain('fetch 1 1')
    expect(mailbox.commands).not.toContain('fetch 1')
    expect(read.items[0].text).toMatch(/^Read this\./)
    expect(read.items[0].text.length).toBeLessThanOrEqual(501_000)
  })
})

describe('an account', () => {
  test('whose password is wrong stops, says so, and is tried again when it is changed', async () => {
    mailbox.password = 'another'
    await owner.post(`/api/mail-accounts/${id}/sync`).expect(202)
    await expect.poll(async () => (await void_.account(id)).state).toBe('stopped')
    const { connections } = mailbox
    expect((await void_.account(id)).error).toBe(
      'The server refused the user name or the password. It says: Wrong.',
    )

    await owner.patch(`/api/mail-accounts/${id}`).send({ password: 'another' }).expect(200)
    const account = await upToDate(id)
    expect(account.error).toBeNull()
    expect(mailbox.connections).toBeGreaterThan(connections)
  })

  test('whose server is gone is retried, and says why', async () => {
    await upToDate(id)
    mailbox.gone = true
    mailbox.tell()
    const why = async () => {
      const { state, error } = await void_.account(id)
      return `${state}: ${error}`
    }
    // The connection that was open, or the next one that was tried.
    await expect
      .poll(why)
      .toMatch(/^retrying: (?:The connection was lost|Nothing answers at this host and port)\./)
    mailbox.gone = false
    await upToDate(id)
  })

  test('that is paused is left alone until it is resumed', async () => {
    await upToDate(id)
    await owner.patch(`/api/mail-accounts/${id}`).send({ paused: true }).expect(200)
    mailbox.append(writeMail({ subject: 'Waiting' }))
    expect((await void_.account(id)).state).toBe('paused')

    await owner.patch(`/api/mail-accounts/${id}`).send({ paused: false }).expect(200)
    await expect.poll(subjects).toEqual(['Waiting'])
  })

  test('never shows its password, which is a secret that goes with it', async () => {
    const { body: secrets } = await owner.get('/api/secrets')
    const { body: list } = await owner.get(`/api/spaces/${void_.space.id}/mail-accounts`)
    expect(JSON.stringify([secrets, list])).not.toContain('"secret"')
    expect(secrets.items.map(({ name }: { name: string }) => name)).toContain(`mail-${id}`)

    await owner.delete(`/api/mail-accounts/${id}?mail=delete`).expect(200)
    const { body: after } = await owner.get('/api/secrets')
    expect(after.items).toEqual([])
    id = ''
  })

  test('knows by its addresses what the owner wrote', async () => {
    mailbox.append(writeMail({ subject: 'Own', from: `Keeper <${ownAddress}>` }), { folder: 'Sent' })
    mailbox.append(writeMail({ subject: 'Alias', from: 'office@skerry.example' }), { folder: 'Sent' })
    await upToDate(id)
    const directions = async () =>
      Object.fromEntries((await threads()).map((thread) => [thread.subject, thread.last_direction]))
    expect(await directions()).toMatchObject({ Own: 'sent', Alias: 'received' })

    await owner
      .patch(`/api/mail-accounts/${id}`)
      .send({ aliases: ['office@skerry.example'] })
      .expect(200)
    expect(await directions()).toMatchObject({ Own: 'sent', Alias: 'sent' })
  })

  test.each([
    ['a host elsewhere without TLS', { host: 'imap.example.org', security: 'none' }],
    ['no address', { address: 'keeper' }],
    ['a password of two lines', { password: 'a\r\nA1 DELETE INBOX' }],
    ['a host with a space', { host: 'imap.example.org x' }],
    ['an unknown field', { hidden: true }],
  ])('with %s is refused', async (_name, change) => {
    await owner.patch(`/api/mail-accounts/${id}`).send(change).expect(400)
  })

  test('of an address that the Space has is refused', async () => {
    const settings = { address: ownAddress.toUpperCase(), host: 'localhost', port: 143, security: 'none' }
    const { body } = await owner
      .post(`/api/spaces/${void_.space.id}/mail-accounts`)
      .send({ ...settings, password: 'secret' })
      .expect(409)
    expect(body.error.code).toBe('mail_account_exists')
    expect((await owner.get('/api/secrets')).body.items).toHaveLength(1)
  })

  test('is tested: it says what is wrong, or which folders are read', async () => {
    const { body: good } = await owner.post(`/api/mail-accounts/${id}/test`).expect(200)
    expect(good).toEqual({
      ...{ ok: true, error: null, folders: ['INBOX', 'Sent', 'Archive'] },
      available: ['INBOX', 'Sent', 'Archive', 'Drafts'],
    })
    mailbox.gone = true
    const { body: bad } = await owner.post(`/api/mail-accounts/${id}/test`).expect(200)
    expect(bad).toMatchObject({ ok: false, error: 'Nothing answers at this host and port. Check the port.' })
  })
})

test('a folder that is being replaced counts until the new one is complete', async () => {
  mailbox.append(writeMail({ subject: 'Held' }))
  await upToDate(id)
  const repo = createMailFoldersRepo(deps.database)
  const folder = await repo.open({ id: crypto.randomUUID(), account_id: id, path: 'INBOX' })
  await repo.replace(folder.id)
  const fresh = await repo.open({ id: crypto.randomUUID(), account_id: id, path: 'INBOX' })

  expect(fresh.id).not.toBe(folder.id)
  expect(await repo.countUids(folder.id)).toBe(1)
  await repo.finish(fresh.id, { uid_validity: '9', uid_next: '1', highest_modseq: null })
  expect(await repo.countUids(folder.id)).toBe(0)
})

test('an account is removed with its mail, or without', async () => {
  mailbox.append(writeMail({ subject: 'Stays', body: 'Cormorants nest under the gallery.' }))
  await upToDate(id)
  await owner.delete(`/api/mail-accounts/${id}`).expect(200)
  expect(await subjects()).toEqual(['Stays'])

  mailbox = new FakeMailbox()
  id = (await void_.addAccount()).id
  mailbox.append(writeMail({ subject: 'Goes', body: 'Petrels nest under the stairs.' }))
  await upToDate(id)
  expect(await subjects()).toEqual(['Goes', 'Stays'])
  await owner.delete(`/api/mail-accounts/${id}?mail=delete`).expect(200)
  id = ''

  await expect.poll(subjects).toEqual(['Stays'])
  const found = async () => (await owner.get('/api/search?q=petrels')).body.items.length
  await expect.poll(found).toBe(0)
})
