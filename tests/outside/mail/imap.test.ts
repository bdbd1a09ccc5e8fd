// What only a real server can show.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnectImap } from '../../../lib/outside/mail/sync/imap-server.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { type ImapFixture, imapUrl, openImapFixture } from './imap-fixture.ts'
import { startImapProxy } from './imap-proxy.ts'
import { writeMail } from './write-mail.ts'

describe.skipIf(!imapUrl)('a real server', () => {
  let imap: ImapFixture
  let stop: () => Promise<void>
  let accountId = ''
  let at = ''
  const started = buildApp()
  const owner = async () => (await started).owner

  beforeAll(async () => {
    imap = await openImapFixture()
    const { deps } = await started
    stop = deps.mail.start()
    const { body: space } = await (await owner())
      .post('/api/spaces')
      .send({ name: 'Skerry Light' })
      .expect(201)
    at = `/api/spaces/${space.id}`
  })
  afterAll(async () => {
    await stop?.()
    await imap?.close()
  })

  const account = async () => (await (await owner()).get(`${at}/mail-accounts`)).body.items[0]
  const subjects = async (query = '') =>
    (await (await owner()).get(`${at}/mail-threads${query}`)).body.items.map(
      ({ subject }: { subject: string }) => subject,
    )

  test('is read without leaving a trace', async () => {
    await imap.append(writeMail({ subject: 'Unread' }))
    await imap.append(writeMail({ subject: 'In sent' }), 'Sent', ['\\Seen'])
    await imap.append(writeMail({ subject: 'Spam' }), 'Junk')
    const { body } = await (await owner())
      .post(`${at}/mail-accounts`)
      .send({ address: imap.user, host: imap.host, port: imap.port, security: 'none', password: 'secret' })
      .expect(201)
    accountId = body.id
    await expect.poll(async () => (await account()).state, { timeout: 15_000 }).toBe('watching')

    expect((await subjects()).toSorted()).toEqual(['In sent', 'Unread'])
    await imap.client.mailboxOpen('INBOX')
    const [message] = await imap.client.fetchAll('1:*', { flags: true })
    expect([...(message?.flags ?? [])].filter((flag) => flag !== '\\Recent')).toEqual([])
  })

  test('tells of new mail, flags and deletions while it is watched', async () => {
    const uid = await imap.append(writeMail({ subject: 'Fresh' }))
    await expect.poll(() => subjects('?subject=Fresh'), { timeout: 10_000 }).toEqual(['Fresh'])

    await imap.client.mailboxOpen('INBOX')
    await imap.client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    const unread = async () =>
      (await (await owner()).get(`${at}/mail-threads?subject=Fresh`)).body.items[0]?.unread
    await expect.poll(unread, { timeout: 10_000 }).toBe(false)

    await imap.client.messageDelete(String(uid), { uid: true })
    await expect.poll(() => subjects('?subject=Fresh'), { timeout: 10_000 }).toEqual([])
  })

  test('says what has changed in a folder, so that it is not listed again', async () => {
    const user = `q${imap.user}`
    const proxy = await startImapProxy(imap)
    const connect = createConnectImap({ version: '0', connectMs: 10_000 })
    const address = { host: imap.host, port: proxy.port, security: 'none', username: user } as const
    const server = await connect({ ...address, password: 'secret' }, new AbortController().signal)
    const writer = await openImapFixture(user)
    const first = await writer.append(writeMail({ subject: 'First' }))
    const second = await writer.append(writeMail({ subject: 'Second' }))
    const before = await server.open('INBOX')

    await writer.client.mailboxOpen('INBOX')
    await writer.client.messageFlagsAdd(String(second), ['\\Seen'], { uid: true })
    await writer.client.messageDelete(String(first), { uid: true })
    const third = await writer.append(writeMail({ subject: 'Third' }))
    await server.open('Sent')
    await server.open('INBOX')
    const changes = await server.listChanges(before.highest_modseq!)

    expect(changes?.gone).toEqual([first])
    expect(changes?.flagged.map(({ uid }) => uid)).toEqual([second, third])
    expect(changes?.flagged[0]?.flags).toContain('\\Seen')
    expect(proxy.sent).toMatch(/UID FETCH 1:\* \(UID FLAGS MODSEQ\) \(CHANGEDSINCE \d+ VANISHED\)/)
    await server.close()
    await writer.close()
    await proxy.close()
  })

  test('keeps messages and their ids when a folder is made anew', async () => {
    const raw = writeMail({ subject: 'Survives' })
    await imap.client.mailboxCreate('Projects')
    await imap.append(raw, 'Projects')
    const folders = ['INBOX', 'Sent', 'Archive', 'Projects']
    await (await owner()).patch(`/api/mail-accounts/${accountId}`).send({ folders }).expect(200)
    await expect.poll(() => subjects('?subject=Survives'), { timeout: 15_000 }).toEqual(['Survives'])
    const idOf = async () =>
      (await (await owner()).get(`${at}/mail-threads?subject=Survives`)).body.items[0]?.id
    const id = await idOf()

    await imap.client.mailboxOpen('INBOX')
    await imap.client.mailboxDelete('Projects')
    await imap.client.mailboxCreate('Projects')
    await imap.append(writeMail({ subject: 'Another one' }), 'Projects')
    await imap.append(raw, 'Projects')
    await (await owner()).post(`/api/mail-accounts/${accountId}/sync`).expect(202)
    await expect.poll(() => subjects('?subject=Another'), { timeout: 15_000 }).toEqual(['Another one'])
    await expect.poll(() => subjects('?subject=Survives'), { timeout: 15_000 }).toEqual(['Survives'])
    expect(await idOf()).toBe(id)
    await imap.client.mailboxRename('Projects', 'Plans')
    await (await owner()).post(`/api/mail-accounts/${accountId}/sync`).expect(202)
    const missing = async () => (await account()).missing_folders
    await expect
      .poll(missing, { timeout: 15_000 })
      .toEqual([{ path: 'Projects', messages: 2, proposed: 'Plans' }])
    expect(await idOf()).toBe(id)
    await (await owner())
      .post(`/api/mail-accounts/${accountId}/missing-folders`)
      .send({ path: 'Projects', action: 'delete' })
      .expect(200)
    await imap.client.mailboxDelete('Plans')
    await (await owner()).patch(`/api/mail-accounts/${accountId}`).send({ folders: null }).expect(200)
    await expect.poll(() => subjects('?subject=Survives'), { timeout: 15_000 }).toEqual([])
  })

  test('says what is wrong', async () => {
    const test = async (change: object) => {
      await (await owner())
        .patch(`/api/mail-accounts/${accountId}`)
        .send({ ...change, mail: 'keep' })
        .expect(200)
      return (await (await owner()).post(`/api/mail-accounts/${accountId}/test`).expect(200)).body
    }
    expect(await test({ password: 'wrong' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('The server refused the user name or the password.'),
    })
    expect(await test({ password: 'secret', security: 'starttls' })).toMatchObject({ ok: false })
    expect(await test({ security: 'tls' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('TLS'),
    })
    expect(await test({ security: 'none', port: 1 })).toMatchObject({
      ok: false,
      error: 'Nothing answers at this host and port. Check the port.',
    })
    expect(await test({ port: imap.port })).toEqual({
      ok: true,
      error: null,
      folders: ['INBOX', 'Sent', 'Archive'],
      available: expect.arrayContaining(['INBOX', 'Sent', 'Archive', 'Drafts']),
    })
  })

  test('threads messages as the server does', async () => {
    for (const raw of threadCorpus()) await imap.append(raw, 'Archive')
    await (await owner()).post(`/api/mail-accounts/${accountId}/sync`).expect(202)
    const total = async () => (await account()).messages
    await expect.poll(total, { timeout: 15_000 }).toBe(2 + threadCorpus().length)

    const expected = await serverThreads()
    expect(expected).toHaveLength(9)
    expect(await ownThreads()).toEqual(expected)
  })

  /** Sets of Message-IDs, one for each thread of the archive. */
  async function serverThreads(): Promise<string[]> {
    await imap.client.mailboxOpen('Archive')
    const ids = new Map<number, string>()
    for await (const { uid, envelope } of imap.client.fetch('1:*', { envelope: true, uid: true })) {
      ids.set(uid, envelope?.messageId ?? '')
    }
    let found = ''
    const { exec } = imap.client as unknown as { exec: Exec }
    const response = await exec.call(
      imap.client,
      'UID THREAD',
      ['REFERENCES', 'UTF-8', 'ALL'].map((value) => ({ type: 'ATOM', value })),
      {
        untagged: {
          THREAD: async (untagged: { attributes?: unknown }) => {
            found = JSON.stringify(untagged.attributes)
          },
        },
      },
    )
    response.next()
    const roots: unknown[] = JSON.parse(found)
    return toSets(roots.map((root) => numbersIn(root).map((uid) => ids.get(uid)!)))
  }

  async function ownThreads(): Promise<string[]> {
    const inArchive = new Set(threadCorpus().map((raw) => /Message-ID: (\S+)/.exec(raw)?.[1]))
    const { items } = (await (await owner()).get(`${at}/mail-threads?limit=100`)).body
    const sets: string[][] = []
    for (const { id } of items) {
      const { body } = await (await owner()).get(`/api/mail-threads/${id}`)
      const ids = body.items.map(({ message_id }: { message_id: string }) => message_id)
      if (ids.some((each: string) => inArchive.has(each))) sets.push(ids)
    }
    return toSets(sets)
  }
})

/** What imapflow offers its own commands; it has none for THREAD. */
type Exec = (
  command: string,
  attributes: { type: string; value: string }[],
  options: { untagged: Record<string, (untagged: { attributes?: unknown }) => Promise<void>> },
) => Promise<{ next(): void }>

const toSets = (sets: string[][]) => sets.map((ids) => ids.toSorted().join(' ')).toSorted()

/** The values of atoms in nested lists, as imapflow parses them. */
function numbersIn(value: unknown): number[] {
  if (Array.isArray(value)) return value.flatMap(numbersIn)
  const atom: unknown = Reflect.get(Object(value), 'value')
  return typeof atom === 'string' && /^\d+$/.test(atom) ? [Number(atom)] : []
}

/** Threads whose answers come before what they answer, whose middle is missing, that go in a circle, and more. */
function threadCorpus(): string[] {
  const mail = (id: string, subject: string, references: string[] = [], inReplyTo?: string) =>
    writeMail({
      id: `<${id}@t.example>`,
      subject,
      ...(references.length > 0 ? { references: references.map((each) => `<${each}@t.example>`) } : {}),
      ...(inReplyTo ? { inReplyTo: `<${inReplyTo}@t.example>` } : {}),
    })
  return [
    mail('a3', 'Re: Lease', ['a1', 'a2']),
    mail('a1', 'Lease'),
    mail('a2', 'Re: Lease', ['a1']),
    mail('b1', 'Paint'),
    mail('b4', 'Re: Paint', ['b1', 'b2', 'b3']),
    mail('c2', 'Re: Oil', [], 'c1'),
    mail('c1', 'Oil'),
    mail('d1', 'Circle', ['d2']),
    mail('d2', 'Re: Circle', ['d1']),
    mail('e2', 'Re: Lost head', ['e1']),
    mail('e3', 'AW: Lost head', ['e1']),
    mail('f2', 'Re: No ids at all'),
    mail('f1', 'No ids at all'),
    mail('g1', 'Renamed'),
    mail('g2', 'Something else (was: Renamed)', ['g1']),
    mail('h1', 'Itself', ['h1']),
    mail('i1', 'Alone'),
  ]
}
