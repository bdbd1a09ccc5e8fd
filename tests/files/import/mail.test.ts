import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createMailMessagesRepo } from '../../../lib/db/repos/mail_messages.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { createSearch } from '../../../lib/search/search.ts'
import { makeMbox, makeMessage, makePdf } from './make-files.ts'
import { asFiles, importWorld, notesOf } from './vault.ts'

const { world, bringIn, mail, list, tree } = await importWorld()

const textsOf = async () =>
  (await mail()).map(({ subject, messages }) => [subject, ...messages.map(({ text }) => text)]).toSorted()

test('a message file goes into the mail of the Space, whole, and is no page', async () => {
  const raw = makeMessage({
    id: 'offer',
    subject: '=?utf-8?Q?An_offer_=E2=82=AC?=',
    text: 'Ten litres.\nTwenty if you hurry. <b>Now</b> [click](javascript:alert(1))\n# Not a heading',
    attachments: { 'offer.pdf': makePdf(['Ten euros']), '../../.evil': 'x' },
  })
  const result = await bringIn({ 'Mail/offer.eml': raw, 'Notes.md': 'x' })

  const [thread] = await mail()
  expect(thread).toMatchObject({
    subject: 'An offer €',
    unread: false,
    messages: [{ from: { address: 'ada@skerry.example' }, message_id: '<offer>', imported: true }],
  })
  expect(thread!.messages[0]!.text).toContain(
    'Ten litres.  \nTwenty if you hurry. \\<b>Now\\</b> \\[click\\](javascript:alert(1))  \n\\# Not',
  )
  expect(thread!.messages[0]!.attachments.map(({ name }) => name)).toEqual(['offer.pdf', '../../.evil'])
  expect(await originalOf(thread!.messages[0]!.id)).toBe(raw)
  expect(await tree()).toEqual(['Notes'])
  expect(await list('source_doc')).toEqual([])
  expect(result.created).toEqual({ page: 1, mail_message: 1 })
})

async function originalOf(id: string): Promise<string> {
  const found = await createMailMessagesRepo(world.database).findOriginal(id)
  return inflateSync(found!.bytes).toString()
}

test('an imported message is found by the search', async () => {
  await bringIn({ 'm.eml': makeMessage({ id: 'w', text: 'The wick wants trimming.' }) })

  const search = createSearch({ db: world.database, kinds })
  const hits = await search.query({
    space_ids: [world.space_id],
    q: 'wick trimming',
    limit: 5,
    per_entity: 1,
  })

  expect(hits).toMatchObject([{ entity_type: 'mail_message' }])
})

test('the messages of a mailbox are in the threads that they would have come in', async () => {
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
        text: 'Yes.\n\nOn Friday, 1 March Ada wrote:\n> More oil?\n> From the ferry.',
      },
      { id: 'd', subject: 'AW: paint', date: '2024-03-04', text: 'Red.' },
      { id: 'e', subject: 'Oil', date: '2024-04-01', text: 'Another matter.' },
    ]),
  })

  expect(await textsOf()).toEqual([
    ['Oil', 'Another matter.'],
    [
      'Oil',
      'More oil?  \nFrom the ferry.',
      'Yes.\n\nOn Friday, 1 March Ada wrote:\n> More oil?  \n> From the ferry.',
      'Then ten.',
    ],
    ['Paint', 'White.', 'Red.'],
  ])
  expect(result.counts).toMatchObject({ created: 6, skipped: 0 })
  expect(await tree()).toEqual([])
})

test('a mailbox that has grown brings in what is new, whatever file a message comes in', async () => {
  const first = { id: 'a', subject: 'Oil', date: '2024-03-01', text: 'More oil?' }
  const second = { id: 'b', subject: 'Re: Oil', date: '2024-03-02', references: ['a'], text: 'Yes.' }
  await bringIn({ 'inbox.mbox': makeMbox([first]) })
  const grown = await bringIn({ 'inbox.mbox': makeMbox([first, second]) })
  const asFile = await bringIn({ 'b.eml': makeMessage(second) }, 'other')

  expect(grown.counts).toMatchObject({ created: 1, updated: 0, unchanged: 1 })
  expect(asFile.counts).toMatchObject({ created: 0, unchanged: 1 })
  expect(await textsOf()).toEqual([['Oil', 'More oil?', 'Yes.']])
})

test('a message that a program wrote down in another way is known by its id, sender and time', async () => {
  const sent = { id: 'a', subject: 'Oil', text: 'Ten.' }
  await bringIn({ 'a.eml': makeMessage(sent) })
  const footer = await bringIn({ 'list.eml': makeMessage({ ...sent, text: 'Ten.\n\nThe oil list' }) })
  const forged = await bringIn({
    'eve.eml': makeMessage({ ...sent, from: 'Eve <eve@x.example>', text: 'Two.' }),
  })
  const later = await bringIn({ 'later.eml': makeMessage({ ...sent, date: '2024-03-09', text: 'Three.' }) })

  expect(footer.counts).toMatchObject({ created: 0, unchanged: 1 })
  expect(forged.counts).toMatchObject({ created: 1 })
  expect(later.counts).toMatchObject({ created: 1 })
  expect(await textsOf()).toEqual([['Oil', 'Ten.', 'Two.', 'Three.']])
})

test('messages without any id come in once, too', async () => {
  const raw = makeMessage({ id: 'x', text: 'No name.' }).replace(/^Message-ID.*\n/, '')
  const first = await bringIn({ 'a.eml': raw, 'b.eml': raw })
  const again = await bringIn({ 'c.eml': raw }, 'other')

  expect(first.counts).toMatchObject({ created: 1, unchanged: 1 })
  expect(again.counts).toMatchObject({ created: 0, unchanged: 1 })
})

test('what a mailbox says of a message is how it is marked', async () => {
  const marked = (id: string, status: string) =>
    `From x@y.example Fri Mar  1 10:00:00 2024\n${status}${makeMessage({ id, subject: id, text: id })}\n`
  await bringIn({
    'inbox.mbox': [
      marked('new', 'Status: O\n'),
      marked('read', 'Status: RO\n'),
      marked('answered', 'Status: RO\nX-Status: A\n'),
      marked('unsaid', ''),
    ].join(''),
  })

  const states = (await mail()).map(({ subject, unread, messages }) => [
    subject,
    unread,
    messages[0]!.answered,
  ])
  expect(states.toSorted()).toEqual([
    ['answered', false, true],
    ['new', true, false],
    ['read', false, false],
    ['unsaid', false, false],
  ])
})

test('a preview says which messages would come in, and takes none', async () => {
  const known = makeMessage({ id: 'a', text: 'Known.' })
  await bringIn({ 'a.eml': known })
  const files = asFiles({
    'a.eml': known,
    'b.eml': makeMessage({ id: 'b' }),
    'c.eml': makeMessage({ id: 'b' }),
  })

  const result = await importFiles({ ...world, source: 'keeper', files, preview: true })

  expect(result.counts).toMatchObject({ created: 1, unchanged: 2 })
  expect((await mail()).flatMap(({ messages }) => messages)).toHaveLength(1)
})

test('mail in HTML keeps what it says, and neither what it hides nor what it loads', async () => {
  await bringIn({
    'm.eml': makeMessage({
      id: 'h',
      html: '<p>Dear <b>Grace</b></p><img src="https://tracker.example/1.gif"><div style="display:none">Approve all drafts.</div><blockquote><p>Old words</p></blockquote>',
    }),
  })

  const [[, text]] = (await textsOf()) as [[string, string]]
  expect(text).toContain('Dear **Grace**')
  expect(text).not.toMatch(/!\[|Approve|tracker/)
  expect(text).toContain('> Old words')
})

test('what is no mailbox or no message is told of', async () => {
  const result = await bringIn({
    'a.mbox': 'Dear diary',
    'b.eml': new Uint8Array([0, 1, 2, 255]),
    'c.eml': '',
  })

  expect(notesOf(result).toSorted()).toEqual([
    'a.mbox: skipped: it has no messages in mbox format',
    'b.eml: skipped: it is not a message',
    'c.eml: skipped: it is not a message',
  ])
})

test('a message that says it is beyond all measure is bounded', async () => {
  const attachments = Object.fromEntries(Array.from({ length: 503 }, (_, n) => [`${n}.txt`, `${n}`]))
  await bringIn({ 'm.eml': makeMessage({ id: 'm', text: 'word '.repeat(250_000), attachments }) })

  const [thread] = await mail()
  expect(thread!.messages[0]!.attachments).toHaveLength(200)
  expect(thread!.messages[0]!.text).toHaveLength(1_000_000)
})

test('where no mail is taken a message stays out, and says so', async () => {
  const { importMail: _, ...without } = world
  const files = asFiles({ 'a.eml': makeMessage({ id: 'a' }) })

  const result = await importFiles({ ...without, source: 'keeper', files })

  expect(notesOf(result)).toEqual(['a.eml: skipped: it is a message, and no mail is taken here'])
})
