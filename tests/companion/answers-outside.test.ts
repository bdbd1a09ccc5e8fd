// What the owner does with a thread and its answers: shares them, goes on from a message, puts an answer into other words.

import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'

// The offline companion answers: it cites.
const void_ = await buildApp()
const { owner, as, app } = void_
let world: World
let at: string
let conversation: string
let question: { id: string }
let answer: { id: string; body: string; metadata: { citations: { n: number; end: number }[] } }

beforeAll(async () => {
  world = await makeWorld(void_)
  at = `/api/spaces/${world.space.id}`
})

const listMessages = async (id: string) =>
  (await owner.get(`/api/conversations/${id}/messages`).expect(200)).body.items

async function ask(text: string) {
  const { body: thread } = await owner.post(`${at}/conversations`)
  await owner.post(`${at}/companion/turn`).send({ text, conversation_id: thread.id })
  conversation = thread.id
  ;[question, answer] = await listMessages(thread.id)
}

describe('a shared file', () => {
  beforeAll(() => ask('What does the lamp burn?'))

  test.each(['thread', 'answer'])('of a %s is HTML with citations as links, and no script', async (what) => {
    const path = what === 'thread' ? `${at}/conversations/${conversation}` : `/api/messages/${answer.id}`
    const { text, headers } = await owner.get(`${path}/export.html`).expect(200)
    const page = text ?? ''

    expect(headers['content-disposition']).toBe('attachment; filename="what-does-the-lamp-burn.html"')
    expect(page).toContain('rapeseed oil')
    expect(page).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/s\/skerry-light\/pages\//)
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|<iframe|<object|\son\w+=|javascript:/i)
  })

  test('of an answer is Markdown below its question', async () => {
    const { text } = await owner.get(`/api/messages/${answer.id}/export.md`).expect(200)

    expect(text).toMatch(/^# What does the lamp burn\?\n\n## /)
    expect(text).toContain('Sources:')
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '"><svg onload=alert(1)>',
    '```\n</pre><script>alert(1)</script>\n```',
    '</title><script>alert(1)</script>',
    `<b onclick="alert(1)">x</b> ${'y'.repeat(60_000)}<script>alert(1)</script>`,
  ])('holds hostile words as text: %#', async (hostile) => {
    app.locals.callModel = async (request: never) => scriptedModel([{ text: hostile }])(request)
    const { body: thread } = await owner.post(`${at}/conversations`)
    await owner
      .post(`${at}/companion/turn`)
      .send({ text: `${hostile.slice(0, 200)} What is it?`, conversation_id: thread.id })
    app.locals.callModel = undefined
    await owner.patch(`${at}/conversations/${thread.id}`).send({ title: hostile.slice(0, 150) })

    const { text } = await owner.get(`${at}/conversations/${thread.id}/export.html`)

    expect(text).not.toMatch(/<script|<svg|<img|<[a-z]+ [^>]*\son\w+=|href="javascript:/i)
  })

  test('is no agent’s, of no question, and of nothing unknown', async () => {
    const { token } = await makeAgent(void_, { slug: 'scribe' })

    const statuses = await Promise.all([
      as(token).get(`/api/messages/${answer.id}/export.html`),
      as(token).post(`/api/messages/${answer.id}/clone`).send({}),
      as(token).patch(`/api/messages/${answer.id}`).send({ body: 'x' }),
      owner.get(`/api/messages/${question.id}/export.md`),
      owner.get('/api/messages/01900000-0000-7000-8000-00000000dead/export.html'),
    ])

    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404])
  })
})

describe('a clone', () => {
  test('begins with what was said up to a message, and is the thread in use', async () => {
    await ask('What does the lamp burn?')
    await owner
      .post(`${at}/companion/turn`)
      .send({ text: 'And how long is the lease?', conversation_id: conversation })

    const { body: clone } = await owner.post(`/api/messages/${answer.id}/clone`).send({}).expect(201)

    const bodies = (await listMessages(clone.id)).map(({ body }: { body: string }) => body)
    expect(bodies).toEqual(['What does the lamp burn?', answer.body])
    expect(clone).toMatchObject({ title: 'What does the lamp burn? (copy)', imported_from: null })
    expect((await owner.get(`${at}/companion`)).body.conversation_id).toBe(clone.id)
    expect(await listMessages(conversation)).toHaveLength(4)
  })

  test('goes on: the model reads what was copied', async () => {
    await ask('What does the lamp burn?')
    const { body: clone } = await owner.post(`/api/messages/${answer.id}/clone`).send({}).expect(201)
    let read = ''
    app.locals.callModel = async (request: { messages: unknown }) => {
      read = JSON.stringify(request.messages)
      return scriptedModel([{ text: 'Aye.' }])(request as never)
    }

    await owner.post(`${at}/companion/turn`).send({ text: 'Go on.', conversation_id: clone.id })
    app.locals.callModel = undefined

    expect(read).toContain('What does the lamp burn?')
    expect(read).toContain('rapeseed oil')
  })
})

describe('an edited answer', () => {
  test('is marked, keeps what the companion wrote, and cites where it still stands', async () => {
    await ask('What does the lamp burn?')
    const { citations } = answer.metadata
    expect(citations.length).toBeGreaterThan(0)

    const { body: longer } = await owner
      .patch(`/api/messages/${answer.id}`)
      .send({ body: `To be clear: ${answer.body}` })
      .expect(200)
    expect(longer.metadata.edited_at).toMatch(/^\d{4}-/)
    expect(longer.metadata.citations).toEqual(
      citations.map((each) => ({ ...each, end: each.end + 'To be clear: '.length })),
    )

    const { body: other } = await owner
      .patch(`/api/messages/${answer.id}`)
      .send({ body: 'Paraffin, nowadays.' })
      .expect(200)
    expect(other.metadata.citations).toEqual([])

    const { items } = (await owner.get(`/api/messages/${answer.id}/versions`).expect(200)).body
    expect(items.map(({ version, body }: { version: number; body: string }) => [version, body])).toEqual([
      [1, answer.body],
      [2, `To be clear: ${answer.body}`],
    ])
    expect(items[0].citations).toEqual(citations)
    const { text } = await owner.get(`${at}/conversations/${conversation}/export.md`)
    expect(text).toContain('(edited by the owner)')
  })

  test('is what the companion reads from then on', async () => {
    await ask('What does the lamp burn?')
    await owner.patch(`/api/messages/${answer.id}`).send({ body: 'Paraffin, nowadays.' }).expect(200)
    let read = ''
    app.locals.callModel = async (request: { messages: unknown }) => {
      read = JSON.stringify(request.messages)
      return scriptedModel([{ text: 'Aye.' }])(request as never)
    }

    await owner.post(`${at}/companion/turn`).send({ text: 'Go on.', conversation_id: conversation })
    app.locals.callModel = undefined

    expect(read).toContain('Paraffin, nowadays.')
    expect(read).not.toContain('rapeseed oil')
  })

  test('is no question, and not empty', async () => {
    expect((await owner.patch(`/api/messages/${question.id}`).send({ body: 'x' })).status).toBe(400)
    expect((await owner.patch(`/api/messages/${answer.id}`).send({ body: '' })).status).toBe(400)
  })
})
