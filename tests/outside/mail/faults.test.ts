// What breaks between Void and a real server: a process that is killed, connections that are cut, a server that is away.

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { MailAccount } from '../../../lib/contract/mail.ts'
import { createConnectImap } from '../../../lib/outside/mail/sync/imap-server.ts'
import { buildApp, ownerToken } from '../../helpers/build-app.ts'
import { startVoidProcess } from '../../helpers/void-process.ts'
import { type ImapFixture, imapUrl, openImapFixture } from './imap-fixture.ts'
import { startImapProxy } from './imap-proxy.ts'
import { writeMail } from './write-mail.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-mail-faults-'))
afterAll(() => rmSync(folder, { recursive: true }))

// The list of 120 messages is some 40 kB, a batch of 25 of them some 140.
const longBody = 'The boat comes on Thursday.\n'.repeat(200)
const someBatches = 250_000

const subjectsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => `Message ${n} of the lighthouse`)

async function filled(
  count: number,
  body = 'The boat comes on Thursday.',
): Promise<{ imap: ImapFixture; subjects: string[] }> {
  const imap = await openImapFixture()
  const subjects = subjectsOf(count)
  for (const subject of subjects) await imap.append(writeMail({ subject, body }))
  return { imap, subjects }
}

const settingsOf = ({ user, host, port }: { user: string; host: string; port: number }) => ({
  ...{ address: user, host, port, security: 'none', password: 'secret' },
})

/** The owner's requests to a server that listens; fails for an answer that is no success. */
const requester = (url: string) => async (method: string, path: string, body?: object) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return JSON.parse(await response.text())
}

type Ask = ReturnType<typeof requester>

const accountOf = async (ask: Ask, space: string): Promise<MailAccount> =>
  (await ask('GET', `/api/spaces/${space}/mail-accounts`)).items[0]

/** The subjects of all threads, sorted. */
async function listAll(ask: Ask, space: string): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page = await ask('GET', `/api/spaces/${space}/mail-threads?limit=100${cursor}`)
    found.push(...page.items.map(({ subject }: { subject: string }) => subject))
    if (page.next_cursor === null) return found.toSorted()
    cursor = `&cursor=${page.next_cursor}`
  }
}

describe.skipIf(!imapUrl)('with a real server', () => {
  test('a sync that was killed goes on, and has each message once', async () => {
    const { imap, subjects } = await filled(120, longBody)
    const proxy = await startImapProxy(imap)
    proxy.holdAfter = someBatches
    const env = { DATA_DIR: join(folder, 'data'), OWNER_TOKEN: ownerToken }
    const first = await startVoidProcess(env)
    let ask = requester(first.url)
    const { id: space } = await ask('POST', '/api/spaces', { name: 'Skerry Light' })
    await ask('POST', `/api/spaces/${space}/mail-accounts`, {
      ...settingsOf(imap),
      port: proxy.port,
    })
    await expect
      .poll(async () => (await accountOf(ask, space)).messages, { timeout: 30_000, interval: 10 })
      .toBeGreaterThan(0)
    first.kill()
    await first.gone
    proxy.holdAfter = null

    const second = await startVoidProcess(env)
    ask = requester(second.url)
    const left = (await accountOf(ask, space)).messages
    await expect
      .poll(async () => (await accountOf(ask, space)).state, { timeout: 90_000, interval: 200 })
      .toBe('watching')
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(subjects.length)
    expect(await accountOf(ask, space)).toMatchObject({ messages: subjects.length, unreadable: 0 })
    expect(await listAll(ask, space)).toEqual(subjects.toSorted())
    second.terminate()
    await second.gone
    await proxy.close()
    await imap.close()
  }, 180_000)

  test('a connection that is cut again and again, and a server that is away, lose and double nothing', async () => {
    const { imap, subjects } = await filled(120, longBody)
    const proxy = await startImapProxy(imap)
    proxy.cutAfter = someBatches
    const connectMail = createConnectImap({ version: '0', connectMs: 5000 })
    const { owner, deps } = await buildApp({ connectMail })
    const stop = deps.mail.start()
    const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)
    const at = `/api/spaces/${space.id}`
    await owner
      .post(`${at}/mail-accounts`)
      .send({ ...settingsOf(imap), port: proxy.port })
      .expect(201)
    const account = async (): Promise<MailAccount> => (await owner.get(`${at}/mail-accounts`)).body.items[0]
    const isAt = (state: string) =>
      expect.poll(async () => (await account()).state, { timeout: 60_000 }).toBe(state)
    await expect.poll(() => proxy.cuts, { timeout: 60_000 }).toBeGreaterThan(2)
    await proxy.down()
    await isAt('retrying')
    expect((await account()).error).toMatch(/Nothing answers|connection was lost/)

    proxy.cutAfter = null
    await proxy.up()
    await isAt('watching')
    const { rows } = await deps.database.query<{ title: string }>(
      'select title from mail_messages where space_id = $1 and deleted_at is null order by title collate "C"',
      [space.id],
    )
    expect(rows.map(({ title }) => title)).toEqual(subjects.toSorted())
    await stop()
    await proxy.close()
    await imap.close()
  }, 180_000)

  test('a message with an attachment of 40 MB is taken without it, and the attachment when it is asked for', async () => {
    const imap = await openImapFixture()
    const file = randomBytes(40_000_000)
    const encoded = file.toString('base64').replace(/.{76}/g, '$&\r\n')
    await imap.append(
      [
        'From: Anna <anna@example.org>',
        'Subject: The plans',
        'Message-ID: <plans@example.org>',
        'Date: Fri, 20 Nov 2026 10:00:00 +0000',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="b"',
        '',
        '--b\r\nContent-Type: text/plain\r\n\r\nHere they are.',
        '--b\r\nContent-Type: application/zip; name="plans.zip"',
        'Content-Disposition: attachment; filename="plans.zip"',
        'Content-Transfer-Encoding: base64',
        '',
        encoded,
        '--b--',
        '',
      ].join('\r\n'),
    )
    const { owner, deps } = await buildApp()
    const stop = deps.mail.start()
    const { body: space } = await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)
    const at = `/api/spaces/${space.id}`
    await owner.post(`${at}/mail-accounts`).send(settingsOf(imap)).expect(201)
    const threads = async () => (await owner.get(`${at}/mail-threads`)).body.items
    await expect.poll(async () => (await threads()).length, { timeout: 60_000 }).toBe(1)

    const { body: thread } = await owner.get(`/api/mail-threads/${(await threads())[0].id}`).expect(200)
    const [message] = thread.items
    expect(message).toMatchObject({ text: 'Here they are.', attachments: [{ name: 'plans.zip' }] })
    const { rows } = await deps.database.query<{ length: number }>(
      'select octet_length(bytes) as length from mail_originals where message_id = $1',
      [message.id],
    )
    expect(rows[0]!.length).toBeLessThan(100_000)
    const { body: got } = await owner
      .get(`/api/mail-messages/${message.id}/attachments/1`)
      .responseType('blob')
      .expect(200)
    expect(sha256(got)).toBe(sha256(file))
    await stop()
    await imap.close()
  }, 180_000)
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
