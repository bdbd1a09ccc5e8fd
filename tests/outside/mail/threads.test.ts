// Messages in threads, whichever comes first.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { deliver } from './deliver.ts'
import { type MailDraft, writeMail } from './write-mail.ts'

const { owner, deps } = await buildApp()

async function newSpace(): Promise<string> {
  return (await owner.post('/api/spaces').send({ name: 'Skerry Light' }).expect(201)).body.id
}

/** The subjects of each thread, after these came one by one. */
async function threadsOf(drafts: MailDraft[]): Promise<string[][]> {
  const space_id = await newSpace()
  for (const draft of drafts) await store(space_id, writeMail(draft))
  const { body } = await owner.get(`/api/spaces/${space_id}/mail-threads?limit=100`).expect(200)
  const sets: string[][] = []
  for (const { id, messages } of body.items) {
    const { body: thread } = await owner.get(`/api/mail-threads/${id}`).expect(200)
    expect(thread.items).toHaveLength(messages)
    sets.push(thread.items.map(({ subject }: { subject: string }) => subject).toSorted())
  }
  return sets.toSorted()
}

const store = (space_id: string, raw: string) => deliver(deps, space_id, raw)

const mail = (id: string, subject: string, references: string[] = []): MailDraft => ({
  id: `<${id}@t.example>`,
  subject,
  references: references.map((each) => `<${each}@t.example>`),
})

describe('messages are of one thread', () => {
  const chain = [
    mail('1', 'Lease'),
    mail('2', 'Re: Lease 2', ['1']),
    mail('3', 'Re: Lease 3', ['1', '2']),
    mail('4', 'Re: Lease 4', ['3']),
  ]

  test('that name one another, in whichever order they come', async () => {
    const whole = [['Lease', 'Re: Lease 2', 'Re: Lease 3', 'Re: Lease 4']]
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(chain, { minLength: 4 }), async (drafts) => {
        expect(await threadsOf(drafts)).toEqual(whole)
      }),
      { numRuns: 8 },
    )
  })

  test('that answer one that is not there', async () => {
    expect(await threadsOf([mail('b', 'Re: X', ['a']), mail('c', 'AW: X', ['a'])])).toEqual([
      ['AW: X', 'Re: X'],
    ])
  })

  test('that name each other in a circle, or themselves', async () => {
    const circle = [mail('a', 'A', ['b']), mail('b', 'B', ['c']), mail('c', 'C', ['a'])]
    expect(await threadsOf(circle)).toEqual([['A', 'B', 'C']])
    expect(await threadsOf([mail('a', 'Self', ['a'])])).toEqual([['Self']])
  })

  test('where an answer names nothing but has the subject, before or after', async () => {
    const [head, answer] = [mail('h', 'Oil'), { subject: 'RE: Oil', to: 'anna@example.org' }]
    expect(await threadsOf([head, answer])).toEqual([['Oil', 'RE: Oil']])
    expect(await threadsOf([answer, head])).toEqual([['Oil', 'RE: Oil']])
  })
})

describe('what a header says beside ids is none', () => {
  const answer = (id: string, inReplyTo: string, more: MailDraft = {}): MailDraft => ({
    ...mail(id, `Re: ${id}`),
    inReplyTo,
    ...more,
  })

  test.each([
    ['the address of who wrote it', 'Message from Anna Berg <anna@work.example>'],
    ['the same with a time', 'Your message of "Fri, 20 Nov 2026 10:00:00 +0100" from <anna@example.org>'],
    ['an address that the message is to', '<keeper@skerry.example>'],
    ['a name', '<anna>'],
  ])('%s', async (_name, header) => {
    expect(await threadsOf([answer('a', header), answer('b', header)])).toHaveLength(2)
  })

  test('but the id behind such a phrase is', async () => {
    const header =
      'Message from Anna Berg <anna@work.example> of "Fri, 20 Nov 2026 10:00:00 +0100" <1@t.example>'
    expect(await threadsOf([mail('1', 'Lease'), answer('2', header)])).toEqual([['Lease', 'Re: 2']])
  })
})

describe('messages are not of one thread', () => {
  test('that have the same subject and answer nothing', async () => {
    expect(await threadsOf([mail('1', 'Report'), mail('2', 'Report')])).toEqual([['Report'], ['Report']])
  })

  test('where an answer without names is between other people', async () => {
    const stranger = { subject: 'Re: Oil', from: 'eve@example.net', to: 'mallory@example.net' }
    expect(await threadsOf([mail('1', 'Oil'), stranger])).toEqual([['Oil'], ['Re: Oil']])
  })

  test('that have no subject and no ids', async () => {
    const nameless = { subject: '', id: null }
    expect(await threadsOf([nameless, { ...nameless, body: 'Other.' }])).toHaveLength(2)
  })

  test('of another Space, whatever they name', async () => {
    const [one, other] = [await newSpace(), await newSpace()]
    await store(one, writeMail(mail('1', 'Secret')))
    await store(other, writeMail(mail('2', 'Re: Secret', ['1'])))
    for (const space of [one, other]) {
      const { body } = await owner.get(`/api/spaces/${space}/mail-threads`)
      expect(body.items).toHaveLength(1)
      expect(body.items[0].messages).toBe(1)
    }
  })
})

test('a message with the id of another one is a message of its own', async () => {
  const [real, forged] = [mail('1', 'Invoice'), { ...mail('1', 'Invoice'), from: 'eve@example.net' }]
  expect(await threadsOf([real, forged])).toEqual([['Invoice', 'Invoice']])
})

test('a message that names a thousand others is stored, and names two hundred', async () => {
  const many = Array.from({ length: 1000 }, (_, n) => `x${n}`)
  expect(await threadsOf([mail('m', 'Many', many)])).toEqual([['Many']])
})

test('a date that cannot be is the time at which it came', async () => {
  const space_id = await newSpace()
  for (const date of ['Fri, 20 Nov 9999 10:00:00 +0000', 'Mon, 1 Jan 1900 00:00:00 +0000', 'soon', '']) {
    await store(space_id, writeMail({ date, subject: date || 'none' }))
  }
  const { body } = await owner.get(`/api/spaces/${space_id}/mail-threads`).expect(200)
  const latest = Date.now() + 60_000
  expect(body.items).toHaveLength(4)
  for (const { last_message_at } of body.items) {
    expect(Date.parse(last_message_at)).toBeLessThan(latest)
    expect(Date.parse(last_message_at)).toBeGreaterThan(latest - 600_000)
  }
})

test('threads are listed by their latest message, searched and paged', async () => {
  const space_id = await newSpace()
  for (let n = 1; n <= 5; n++) {
    const date = `Fri, 20 Nov 2026 1${n}:00:00 +0000`
    await store(
      space_id,
      writeMail({ subject: `Tide ${n}`, date, body: n === 3 ? 'A cormorant.' : 'Water.' }),
    )
  }
  const at = `/api/spaces/${space_id}/mail-threads`
  const list = async (query: string) => (await owner.get(`${at}?${query}`).expect(200)).body
  const subjects = ({ items }: { items: { subject: string }[] }) => items.map(({ subject }) => subject)

  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.next_cursor}`)
  expect([subjects(first), subjects(second)]).toEqual([
    ['Tide 5', 'Tide 4'],
    ['Tide 3', 'Tide 2'],
  ])
  expect(subjects(await list('q=cormorants'))).toEqual(['Tide 3'])
  expect(subjects(await list('q=cormorant&from=nobody'))).toEqual([])
  expect(subjects(await list('from=ANNA&subject=tide%201'))).toEqual(['Tide 1'])
  const paged = await list('q=tide&limit=3')
  expect((await list(`q=tide&limit=3&cursor=${paged.next_cursor}`)).items).toHaveLength(2)
  await owner.get(`${at}?cursor=nonsense`).expect(400)
})

test('a message can be downloaded as it came, and is found by its own id', async () => {
  const space_id = await newSpace()
  const raw = writeMail({ subject: 'Original', body: 'Exactly this.' })
  await store(space_id, raw)
  const { body: list } = await owner.get(`/api/spaces/${space_id}/mail-threads`)
  const { body: thread } = await owner.get(`/api/mail-threads/${list.items[0].id}`)
  const { id } = thread.items[0]

  const original = await owner.get(`/api/mail-messages/${id}/original`).responseType('blob').expect(200)
  expect(Buffer.from(original.body).toString()).toBe(raw)
  expect(original.headers['content-security-policy']).toContain('sandbox')
  expect((await owner.get(`/api/mail-threads/${id}`)).body.id).toBe(thread.id)
})
