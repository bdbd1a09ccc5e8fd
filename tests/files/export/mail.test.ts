// Mail out and in again: the same messages, threads, folders and flags.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { exportVault } from '../../../lib/files/export/export-vault.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { FakeMailbox } from '../../outside/mail/fake-mailbox.ts'
import { mailVoid } from '../../outside/mail/mail-void.ts'
import { writeMail } from '../../outside/mail/write-mail.ts'

const mailbox = new FakeMailbox()
const { deps, owner, space, addAccount, upToDate, threads } = await mailVoid({ connectMail: mailbox.connect })
const { database, kinds, content, mail } = deps
afterAll(deps.mail.start())

async function exported(spaceId: string) {
  const { body } = await owner.get(`/api/spaces/${spaceId}`).expect(200)
  const files: { path: string; bytes: Uint8Array }[] = []
  for await (const file of exportVault({ database, kinds, space: body, trash: false })) files.push(file)
  return files
}

async function bringIn(files: readonly { path: string; bytes: Uint8Array }[]): Promise<string> {
  const { body } = await owner.post('/api/spaces').send({ name: 'Back again' }).expect(201)
  const result = await importFiles({
    ...{ database, files, space_id: body.id, source: 'vault' },
    ...{
      writer: content.writer,
      importMail: mail.importMail,
      importFolder: join(tmpdir(), 'void-mail-back'),
    },
  })
  expect(result.notes).toEqual([])
  return body.id
}

/** What is said of the mail of a Space, without ids. */
async function mailOf(spaceId: string) {
  const found = []
  for (const { id, subject, unread, last_direction } of await threads('', spaceId)) {
    const { body } = await owner.get(`/api/mail-threads/${id}`).expect(200)
    const items = body.items.map(
      ({ id: _, thread_id: __, imported: ___, ...message }: Record<string, unknown>) => message,
    )
    found.push({ subject, unread, last_direction, items })
  }
  return found
}

const raws = [
  writeMail({ id: '<a@x>', subject: 'Ten barrels?', date: 'Fri, 20 Nov 2026 10:00:00 +0000' }),
  writeMail({
    id: '<b@x>',
    from: 'Keeper <keeper@skerry.example>',
    to: 'Anna Berg <anna@example.org>',
    subject: 'Re: Ten barrels?',
    references: ['<a@x>'],
    date: 'Fri, 20 Nov 2026 11:00:00 +0000',
  }),
  writeMail({ id: '<c@x>', subject: '../..\\con: "Öl" *?*', date: 'Thu, 19 Nov 2026 11:00:00 +0000' }),
  writeMail({ id: null, subject: '', date: 'Thu, 19 Nov 2026 11:00:00 +0000', body: 'No name.' }),
]

test('mail of an account comes back from an export with its bytes, threads, folders and flags', async () => {
  const long = `\\${'x'.repeat(300)}`
  mailbox.append(raws[0]!, { flags: ['\\Seen', '\\Answered', long] })
  mailbox.append(raws[1]!, { folder: 'Sent', flags: ['\\Seen'] })
  mailbox.append(raws[2]!, { flags: ['\\Flagged'] })
  mailbox.append(raws[2]!, { folder: 'Archive', flags: ['\\Flagged'] })
  mailbox.append(raws[3]!, { flags: ['\\Seen'] })
  const account = await addAccount()
  await upToDate(account.id)

  const files = await exported(space.id)
  const back = await bringIn(files)

  const written = files.filter(({ path }) => path.startsWith('Mail/'))
  expect(written.map(({ bytes }) => String(Buffer.from(bytes))).toSorted()).toEqual(raws.toSorted())
  expect(written.map(({ path }) => path).toSorted()).toEqual([
    'Mail/2026/2026-11-19 ..-..-con- -Öl- ---.eml',
    'Mail/2026/2026-11-19 No subject.eml',
    'Mail/2026/2026-11-20 Re- Ten barrels-.eml',
    'Mail/2026/2026-11-20 Ten barrels-.eml',
  ])
  expect(await mailOf(back)).toEqual(await mailOf(space.id))
  expect(await mailOf(back)).toMatchObject([{ last_direction: 'sent' }, {}, {}])
  const manifest = JSON.parse(String(Buffer.from(files[0]!.bytes)))
  const again = JSON.parse(String(Buffer.from((await exported(back))[0]!.bytes)))
  expect(again.mail).toEqual(manifest.mail)
  expect(Object.values(manifest.mail)).toContainEqual({
    sent: false,
    places: [
      { folder: 'Archive', flags: ['\\Flagged'] },
      { folder: 'INBOX', flags: ['\\Flagged'] },
    ],
  })
})

test('what an export says the owner sent stays sent when an account of another address is added', async () => {
  const back = await bringIn(await exported(space.id))
  await addAccount({ address: 'other@skerry.example' }, back)

  expect(await threads('', back)).toContainEqual(expect.objectContaining({ last_direction: 'sent' }))
})

test('an export brought in twice, or into the Space that it came from, adds nothing', async () => {
  const files = await exported(space.id)
  const before = await mailOf(space.id)
  const about = { writer: content.writer, importMail: mail.importMail, importFolder: tmpdir() }

  const result = await importFiles({ database, files, space_id: space.id, source: 'own', ...about })

  expect(result.counts).toMatchObject({ created: 0, unchanged: raws.length })
  const shown = (await mailOf(space.id)).map(({ subject, unread }) => [subject, unread])
  expect(shown).toEqual(before.map(({ subject, unread }) => [subject, unread]))
})

test('JSON Lines have a line for each message', async () => {
  const { text } = await owner.get(`/api/spaces/${space.id}/export`).buffer(true)
  const lines = text
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line))

  const messages = lines.filter(({ type }: { type: string }) => type === 'mail_message')
  expect(messages.map(({ title }: { title: string }) => title)).toContain('Ten barrels?')
  expect(lines.at(-1).counts.mail_message).toBe(raws.length)
})
