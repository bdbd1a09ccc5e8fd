// Attachments: taken when asked for, read within limits, never shown by the browser itself.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDocx, makeMessage, makePdf, makeZip } from '../../files/import/make-files.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType, takeTurn } from '../../helpers/turn-client.ts'
import { deliver } from './deliver.ts'
import { mailVoid } from './mail-void.ts'
import { writeMail } from './write-mail.ts'

let script: ScriptedStep[] = []
const model = scriptedModel(Array.from({ length: 100 }, () => () => script.shift() ?? { text: 'Done.' }))
const void_ = await mailVoid({ callModel: model })
const { owner, deps, mailbox, space } = void_
const url = await listen(void_.app)
let stop: () => Promise<void>

beforeAll(() => {
  stop = deps.mail.start()
})
afterAll(() => stop())

const textOf = async (id: string, number: number, status = 200) =>
  (await owner.get(`/api/mail-messages/${id}/attachments/${number}/text`).expect(status)).body
const download = (id: string, number: number) =>
  owner.get(`/api/mail-messages/${id}/attachments/${number}`).responseType('blob')

const html = '<h1>Lease</h1><script>alert(1)</script><p>The rent is <b>410</b> crowns.</p>'
const hostileName = '../../"evil"\u202e.html'
const message = await deliver(
  deps,
  space.id,
  makeMessage({
    id: 'files',
    subject: 'Lease',
    text: 'See the files.',
    attachments: {
      'lease.pdf': makePdf(['The rent is 410 crowns.', 'It ends in May.']),
      'lease.docx': await makeDocx(['The rent is 411 crowns.']),
      'notes.txt': 'The rent is 412 crowns.',
      [hostileName]: html,
      'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      'broken.pdf': '%PDF-1.7 and nothing more',
      'no-text.txt': Buffer.from([0, 1, 2, 255, 0, 0, 3]),
    },
  }),
)

describe('of a message that is stored whole', () => {
  test.each([
    [1, 'lease.pdf', /^## Page 1\n\nThe rent is 410 crowns\.\n\n## Page 2\n\nIt ends in May\.$/],
    [2, 'lease.docx', /The rent is 411 crowns\./],
    [3, 'notes.txt', /^The rent is 412 crowns\.$/],
    [4, expect.stringContaining('evil'), /^# Lease\n\nThe rent is \*\*410\*\* crowns\.$/],
  ])('the text of %i (%s) is read', async (number, name, text) => {
    expect(await textOf(message, number)).toMatchObject({
      ...{ message_id: message, number, name, problem: null },
      text: expect.stringMatching(text),
    })
  })

  test.each([
    [5, /reads the text of PDF, Word and text files/],
    [6, /^Its text cannot be read \(.+\)\.$/],
    [7, /says that it is text, and is not/],
  ])('of %i is said why it has no text', async (number, problem) => {
    expect(await textOf(message, number)).toMatchObject({ text: '', problem: expect.stringMatching(problem) })
  })

  test('they are downloaded as they came, as files and nothing else', async () => {
    const answer = await download(message, 4).expect(200)

    expect(Buffer.from(answer.body).toString()).toBe(html)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''[\w%.~-]+$/),
    })
  })

  test.each([0, 8, 1001])('there is none numbered %i', async (number) => {
    const { status } = await owner.get(`/api/mail-messages/${message}/attachments/${number}`)
    expect([400, 404]).toContain(status)
  })

  test('none is given to who may not read mail', async () => {
    const get = async (from: typeof owner, id: string) =>
      (await from.get(`/api/mail-messages/${id}/attachments/1`)).status
    expect(await get(void_.as('agent_nobody'), message)).toBe(401)
    expect(await get(owner, crypto.randomUUID())).toBe(404)
  })

  test('a document that unpacks without end is given up, and the next is read', async () => {
    const bomb = await makeZip({ 'word/document.xml': `<w:document>${'a'.repeat(60_000_000)}</w:document>` })
    const id = await deliver(
      deps,
      space.id,
      makeMessage({ id: 'bomb', text: 'x', attachments: { 'bomb.docx': bomb, 'a.txt': 'Still here.' } }),
    )

    expect(await textOf(id, 1)).toMatchObject({
      text: '',
      problem: 'Its text cannot be read (it unpacks to 1028 times its size).',
    })
    expect((await textOf(id, 2)).text).toBe('Still here.')
  })
})

describe('of a message that only its server has whole', () => {
  const words = `Line of the price list, 92 crowns.\n`.repeat(60_000)
  const body = Buffer.from(Buffer.from(words).toString('base64').replace(/.{76}/g, '$&\r\n'))
  const part = { media_type: 'text/plain', charset: null, encoding: 'base64', bytes: body.length }
  let id = ''

  beforeAll(async () => {
    const text = { ...part, part: '1', encoding: '7bit', bytes: 10, filename: null }
    const raw = writeMail({ subject: 'Large', body: `See the list.\r\n${'x'.repeat(1_200_000)}` })
    const uid = mailbox.append(raw)
    mailbox.parts.set(uid, [text, { ...part, part: '2', filename: 'prices.txt', body }])
    await void_.addAccount()
  })

  test('it is listed', async () => {
    const found = async () => (await void_.threads('?subject=Large'))[0]?.id
    await expect.poll(found, { timeout: 15_000 }).toBeTypeOf('string')
    const { body: thread } = await owner.get(`/api/mail-threads/${await found()}`).expect(200)
    id = thread.items[0].id
    expect(thread.items[0].attachments).toEqual([
      { name: 'prices.txt', media_type: 'text/plain', bytes: body.length },
    ])
  })

  test('it is fetched in pieces, and its text is kept', async () => {
    const file = await download(id, 1).expect(200)
    expect(Buffer.from(file.body).toString()).toBe(words)
    const pieces = mailbox.commands.filter((command) => command.includes('2 from'))
    expect(pieces.length).toBeGreaterThan(1)

    const read = await textOf(id, 1)
    expect(read.text).toHaveLength(500_000)
    expect(read.problem).toContain('500,000')
    mailbox.gone = true
    expect((await textOf(id, 1)).text).toHaveLength(500_000)
    mailbox.gone = false
  })

  test('a server that is away says so, and nothing is lost', async () => {
    mailbox.gone = true
    const answer = await owner.get(`/api/mail-messages/${id}/attachments/1`).expect(409)
    expect(answer.body.error).toMatchObject({
      code: 'mail_unavailable',
      message: 'The attachment is on the server. Nothing answers at this host and port. Check the port.',
    })
    mailbox.gone = false
    await download(id, 1).expect(200)
  })
})

test('the companion reads one in place of the messages, to be cited and as words from outside', async () => {
  const { body: thread } = await owner.get(`/api/mail-threads/${message}`).expect(200)
  const read = { thread_id: thread.id, message: 1, attachment: 1 }
  const title = 'Rent'
  const draft = { entity_type: 'page', action: 'create', payload: { title, body: 'x' }, reason: 'Asked.' }
  script = [
    { tools: [{ name: 'read_email_thread', input: read }] },
    { tools: [{ name: 'propose_change', input: draft }] },
    { text: 'It says “The rent is 410 crowns.”' },
  ]
  const frames = await takeTurn({ url, space_id: space.id, body: { text: 'What is the rent?' } })
  const told = JSON.stringify(model.requests.at(-1)?.messages)

  expect(told).toContain('lease.pdf (Lease)')
  expect(told).not.toContain('See the files.')
  expect(ofType(frames, 'citation').map(({ data }) => data)).toMatchObject([
    { kind: 'mail_message', id: message, checked: true, cited_text: expect.stringContaining('410 crowns') },
  ])
  const [drafted] = ofType(frames, 'draft')
  expect(drafted?.data.card?.provenance.sources).toMatchObject([{ entity_id: message, untrusted: true }])
})
