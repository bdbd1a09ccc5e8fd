// What is taken out of a conversation: an answer as a page, a thread as a file.

import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { scriptedModel } from '../helpers/scripted-model.ts'
import { makeAgent, makeWorld, type World } from '../helpers/world.ts'

// The offline companion answers: it cites.
const void_ = await buildApp()
const { owner, as, app } = void_
let world: World
let at: string
let answer: { id: string; body: string; turn_id: string }
let conversation: string

beforeAll(async () => {
  world = await makeWorld(void_)
  at = `/api/spaces/${world.space.id}`
  await owner.post(`${at}/companion/turn`).send({ text: 'What does the lamp burn?' })
  const state = (await owner.get(`${at}/companion`)).body
  conversation = state.conversation_id
  answer = state.messages.at(-1)
})

const nobody = '01900000-0000-7000-8000-00000000dead'

describe('an answer saved as a page', () => {
  test('is the owner’s page in an agent’s words, with its citations as links and the way back', async () => {
    const { body: page } = await owner.post(`/api/messages/${answer.id}/page`).send({}).expect(201)

    expect(page).toMatchObject({
      title: 'What does the lamp burn?',
      space_id: world.space.id,
      created_by: 'owner',
      origin: 'agent',
    })
    expect(page.body).toContain(`/s/skerry-light/pages/${world.lamp.id}?cite=`)
    expect(page.body).toContain('rapeseed oil')
    expect(page.body).toContain(`[Show in thread](/s/skerry-light?turn=${answer.turn_id})`)
    const { items } = (await owner.get(`/api/audit?space_id=${world.space.id}&limit=1`)).body
    expect(items[0]).toMatchObject({ actor: 'owner', action: 'create', entity_id: page.id })
  })

  test('takes a title', async () => {
    const { body } = await owner.post(`/api/messages/${answer.id}/page`).send({ title: 'Oil\n for it' })

    expect(body.title).toBe('Oil for it')
  })

  test('is no question, nothing unknown, nothing of a deleted thread', async () => {
    const [question] = (await owner.get(`${at}/companion`)).body.messages
    const save = async (id: string) => (await owner.post(`/api/messages/${id}/page`).send({})).status
    expect([await save(question.id), await save(nobody)]).toEqual([400, 404])

    const { body: gone } = await owner.post(`${at}/conversations`)
    await owner
      .post(`${at}/companion/turn`)
      .send({ text: 'How long is the lease?', conversation_id: gone.id })
    const messages = (await owner.get(`/api/conversations/${gone.id}/messages`)).body.items
    await owner.delete(`${at}/conversations/${gone.id}`)

    expect(await save(messages.at(-1).id)).toBe(404)
  })

  test('is never an agent’s doing', async () => {
    const { token } = await makeAgent(void_, { slug: 'scribe' })

    const saved = await as(token).post(`/api/messages/${answer.id}/page`).send({})
    const read = await as(token).get(`${at}/conversations/${conversation}/export.md`)

    expect([saved.status, read.status]).toEqual([403, 403])
  })
})

describe('a thread as a file', () => {
  const download = async (space: string, id: string) =>
    await owner.get(`/api/spaces/${space}/conversations/${id}/export.md`)

  test('has every message under its author, tools in a line, links that work elsewhere', async () => {
    const { status, headers, text } = await download(world.space.id, conversation)

    expect(status).toBe(200)
    expect(headers['content-disposition']).toBe('attachment; filename="what-does-the-lamp-burn.md"')
    expect(headers['content-type']).toContain('text/markdown')
    expect(text).toMatch(/^# What does the lamp burn\?\n\n## You\n/)
    expect(text).toMatch(/\n## Companion\n\n\*\d{4}-\d\d-\d\d \d\d:\d\d UTC\*\n\n\*Used: search/)
    expect(text).toMatch(/\]\(http:\/\/127\.0\.0\.1:\d+\/s\/skerry-light\/pages\//)
  })

  test('is whole, also when it is longer than what is read at once', async () => {
    const { body: long } = await owner.post(`${at}/conversations`)
    const numbers = Array.from({ length: 45 }, (_, number) => number)
    app.locals.callModel = async (request: never) => scriptedModel([{ text: 'Aye.' }])(request)
    for (const number of numbers) {
      await owner
        .post(`${at}/companion/turn`)
        .send({ text: `Message number ${number}.`, conversation_id: long.id })
    }
    app.locals.callModel = undefined

    const { text } = await download(world.space.id, long.id)

    expect(text.match(/Message number \d+\./g)).toEqual([
      'Message number 0.',
      ...numbers.map((number) => `Message number ${number}.`),
    ])
    expect(text.match(/^Aye\.$/gm)).toHaveLength(numbers.length)
  })

  test('is that of its own Space alone', async () => {
    expect((await download(world.other.id, conversation)).status).toBe(404)
    expect((await download(world.space.id, nobody)).status).toBe(404)
  })

  test('says how an answer ended that failed', async () => {
    const { body: bad } = await owner.post(`${at}/conversations`)
    app.locals.callModel = async () => {
      throw new Error('no')
    }
    await owner.post(`${at}/companion/turn`).send({ text: 'Say it.', conversation_id: bad.id })
    app.locals.callModel = undefined
    const { error } = (await owner.get(`/api/conversations/${bad.id}/messages`)).body.items.at(-1).metadata

    expect((await download(world.space.id, bad.id)).text).toContain(error.message.slice(0, 20))
  })
})
