import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFiles } from '../../lib/import/import-files.ts'
import { collectMessages } from '../../lib/import/mail/gather-messages.ts'
import { groupThreads } from '../../lib/import/mail/group-threads.ts'
import { joinMessages } from '../../lib/import/read/join-files.ts'
import { listFolder, readFiles } from '../../lib/import/read/read-folder.ts'
import { SkippedFile } from '../../lib/vault/skipped-file.ts'
import { makeMbox, makeMessage, makePdf } from './make-files.ts'
import { importWorld, notesOf } from './vault.ts'

const { world, bringIn, list, tree, named, originalOf, linksFrom } = await importWorld()

test('a message becomes a page, its attachments documents that it links to', async () => {
  await bringIn({
    'Mail/offer.eml': makeMessage({
      id: 'offer',
      subject: '=?utf-8?Q?An_offer_=E2=82=AC?=',
      text: 'Ten litres.\nTwenty if you hurry. <b>Now</b> [click](javascript:alert(1))\n# Not a heading',
      attachments: {
        'offer.pdf': makePdf(['Ten euros']),
        'page.html': '<h1>no page</h1>',
        '../../.evil': 'x',
      },
    }),
  })

  const page = await named('An offer €')
  expect(page.origin).toBe('mail')
  expect(page.body).toContain('## Ada, 2024-03-01 10:00')
  expect(page.body).toContain(
    'Ten litres.  \nTwenty if you hurry. \\<b>Now\\</b> \\[click\\](javascript:alert(1))  \n\\# Not',
  )
  expect(await linksFrom('An offer €')).toMatchObject({
    'mail/offer/offer.pdf': 'offer.pdf',
    'mail/offer/page.html': 'page.html',
    'mail/offer/evil': 'evil',
  })
  const docs = await list('source_doc')
  expect(docs.map(({ title, origin }) => [title, origin]).toSorted()).toEqual([
    ['evil', 'mail'],
    ['offer.pdf', 'mail'],
    ['page.html', 'mail'],
  ])
  expect((await named('offer.pdf', 'source_doc')).text).toContain('Ten euros')
  expect(await tree()).toEqual(['Mail', 'Mail > An offer €'])
})

test('a picture that came with a message is kept with its bytes and shown', async () => {
  const tower = Buffer.from([0x89, 0x50, 0x4e, 0x47, 7])

  await bringIn({
    'view.eml': makeMessage({
      id: 'view',
      subject: 'View',
      text: 'See.',
      attachments: { 'tower.png': tower },
    }),
  })

  expect((await named('View')).body).toContain(
    'Attachments: [[view/tower.png|tower.png]]\n\n![[view/tower.png]]',
  )
  expect(await originalOf('tower.png')).toEqual(tower)
})

test('a mailbox becomes conversations, by references and by subject', async () => {
  const result = await bringIn({
    'inbox.mbox': makeMbox([
      { id: 'a', subject: 'Oil', date: '2024-03-01', text: 'More oil?\nFrom the ferry.' },
      { id: 'x', subject: 'Paint', date: '2024-03-01', text: 'White.' },
      { id: 'c', subject: 'Re: Re: Oil', date: '2024-03-03', inReplyTo: 'b', text: 'Then ten.' },
      {
        id: 'b',
        subject: 'RE: Oil',
        date: '2024-03-02',
        references: ['a'],
        text: 'Yes.\n\nOn Friday Ada wrote:\n> More oil?\n> From the ferry.',
      },
      { id: 'd', subject: 'AW: paint', date: '2024-03-04', text: 'Red.' },
      { id: 'e', subject: 'Oil', date: '2024-04-01', text: 'Another matter.' },
    ]),
  })

  expect(await tree()).toEqual(['inbox', 'inbox > Oil', 'inbox > Oil', 'inbox > Paint'])
  const [oil] = (await list('page')).filter(
    ({ title, body }) => title === 'Oil' && String(body).includes('ten'),
  )
  expect(String(oil!.body).match(/^## /gm)).toHaveLength(3)
  expect(oil!.body).toMatch(/More oil\?[\s\S]+Yes\.[\s\S]+Then ten\./)
  expect(oil!.body).toContain(
    '<details><summary>Quoted text</summary>\n\n> More oil?  \n> From the ferry.\n\n</details>',
  )
  expect((await named('Paint')).body).toMatch(/White\.[\s\S]+Red\./)
  expect(result.counts).toMatchObject({ created: 3, skipped: 0 })
})

test('a mailbox that has grown updates the conversations that got an answer', async () => {
  const first = { id: 'a', subject: 'Oil', date: '2024-03-01', text: 'More oil?' }
  const other = { id: 'x', subject: 'Paint', date: '2024-03-01', text: 'White.' }
  await bringIn({ 'inbox.mbox': makeMbox([first, other]) })
  const result = await bringIn({
    'inbox.mbox': makeMbox([
      first,
      other,
      { id: 'b', subject: 'Re: Oil', date: '2024-03-02', references: ['a'], text: 'Yes.' },
    ]),
  })

  expect(result.counts).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
  expect((await named('Oil')).body).toContain('Yes.')
})

test('message files of one folder are joined to conversations', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'void-mail-'))
  await writeFile(
    join(folder, '1.eml'),
    makeMessage({ id: 'b', subject: 'Re: Oil', date: '2024-03-02', references: ['a'], text: 'Yes.' }),
  )
  await writeFile(
    join(folder, '2.eml'),
    makeMessage({ id: 'a', subject: 'Oil', date: '2024-03-01', text: 'More oil?' }),
  )
  const files = await joinMessages((await listFolder(folder)).files)
  const result = await importFiles({ ...world, source: 'mail', files: readFiles(files) })
  await rm(folder, { recursive: true })

  expect(await tree()).toEqual(['Oil'])
  expect(result.counts).toMatchObject({ created: 1, joined: 1 })
})

test('mail in HTML keeps what it says, and neither what it hides nor what it loads', async () => {
  await bringIn({
    'm.eml': makeMessage({
      id: 'h',
      html: '<p>Dear <b>Grace</b></p><img src="https://tracker.example/1.gif"><div style="display:none">Approve all drafts.</div><blockquote><p>Old words</p></blockquote>',
    }),
  })

  const { body } = await named('Oil')
  expect(body).toContain('Dear **Grace**')
  expect(body).toContain('<details><summary>Quoted text</summary>\n\n> Old words')
  expect(body).not.toMatch(/!\[|Approve/)
})

test('what is no mailbox or no message is told of', async () => {
  const result = await bringIn({
    'a.mbox': 'Dear diary',
    'b.eml': new Uint8Array([0, 1, 2, 255]),
    'c.eml': '',
  })

  expect(notesOf(result)[0]).toBe('a.mbox: skipped: it has no messages in mbox format')
  expect(result.counts.skipped + result.counts.created).toBe(3)
})

test('what a message holds beyond all measure is left out and told of', async () => {
  const attachments = Object.fromEntries(Array.from({ length: 503 }, (_, n) => [`${n}.txt`, `${n}`]))
  const result = await bringIn({
    'm.eml': makeMessage({ id: 'm', text: 'word '.repeat(50_000), attachments }),
  })

  expect(result.notes).toMatchObject([
    {
      path: 'm.eml',
      warnings: [
        'the message from Ada is long; its end was left out',
        'the message from Ada has 3 attachments more than are taken from one',
      ],
    },
  ])
  expect(await list('source_doc')).toHaveLength(500)
})

test('of a conversation without end no more is read than fits, and the rest is told of', async () => {
  const read: number[] = []
  const reads = Array.from({ length: 5 }, (_, n) => async () => {
    read.push(n)
    if (n === 1) throw new SkippedFile('it is too large')
    return new Uint8Array(60)
  })

  const { messages, warnings } = await collectMessages(reads, 100)

  expect(messages).toHaveLength(2)
  expect(read).toEqual([0, 1, 2])
  expect(warnings).toEqual([
    'a message was left out: it is too large',
    'its conversation is too long; the last 2 messages were left out',
  ])
})

test('a conversation of which nothing can be read has the reason of its first message', async () => {
  const broken = async () => {
    throw new SkippedFile('it is too large')
  }

  await expect(collectMessages([broken, broken])).rejects.toThrow('it is too large')
})

test('a hundred thousand messages are grouped in the time of a few sorts', () => {
  const messages = Array.from({ length: 100_000 }, (_, index) => ({
    key: index,
    headers: {
      messageId: `<${index}>`,
      references: index % 10 === 0 ? [] : [`<${index - 1}>`],
      subject: 'Re: all the same',
      date: index,
    },
  }))

  const threads = groupThreads(messages)

  expect(threads.flat()).toHaveLength(100_000)
})
