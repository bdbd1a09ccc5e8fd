// Exports of ChatGPT and Claude as threads: through the route that all files take.

import { describe, expect, test } from 'vitest'
import { indexConversations } from '../../../lib/search/reindex.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { foghornChat, gptConversation, lampChat } from './chat-exports.ts'
import { makeZip } from './make-files.ts'

const { deps, owner } = await buildApp()
let spaces = 0
const newSpace = async (): Promise<string> => {
  spaces += 1
  return (
    await owner
      .post('/api/spaces')
      .send({ name: `Skerry ${spaces}` })
      .expect(201)
  ).body.id
}

async function upload(space: string, path: string, bytes: Uint8Array | string) {
  const { id } = (await owner.post(`/api/spaces/${space}/imports`).send({ source: 'chats' }).expect(201)).body
  const base64 = Buffer.from(bytes).toString('base64')
  await owner
    .post(`/api/imports/${id}/files`)
    .send({ files: [{ path, base64 }] })
    .expect(200)
  return id as string
}

async function act(id: string, what: 'preview' | 'start' | 'undo') {
  await owner.post(`/api/imports/${id}/${what}`).expect(202)
  await deps.content.imports.idle()
  return (await owner.get(`/api/imports/${id}`).expect(200)).body
}

async function bringIn(space: string, chats: readonly unknown[], path = 'conversations.json') {
  const id = await upload(space, path, JSON.stringify(chats))
  return await act(id, 'start')
}

const outcomes = async (id: string) =>
  (await owner.get(`/api/imports/${id}/files`).expect(200)).body.items.map(
    ({ title, outcome, undone, reason }: Record<string, string | null>) =>
      [title, outcome, reason ?? undone].filter(Boolean).join(': '),
  )

const threads = async (space: string, query = '') =>
  (await owner.get(`/api/spaces/${space}/conversations${query}`).expect(200)).body.items

const index = () =>
  indexConversations(deps, { active_since: new Date(), quiet_since: new Date(), limit: 100 })

describe('an export', () => {
  test('is previewed, brought in as threads that say where they are from, and undone', async () => {
    const space = await newSpace()
    const id = await upload(space, 'conversations.json', JSON.stringify([lampChat, foghornChat, 7]))

    const preview = await act(id, 'preview')
    expect([preview.state, preview.counts.created, preview.counts.skipped]).toEqual(['previewed', 3, 1])
    expect(await threads(space)).toEqual([])

    const done = await act(id, 'start')
    expect([done.state, done.created]).toEqual(['done', { conversation: 3 }])
    expect(await outcomes(id)).toEqual(
      ['Lamp oil: created', 'Lamp oil (version 2): created', 'skipped: it is not a conversation'].toSpliced(
        2,
        0,
        'Foghorn repair: created',
      ),
    )
    const listed = await threads(space)
    expect(
      listed.map((each: Record<string, string>) => [each.title, each.imported_from, each.status]),
    ).toEqual([
      ['Foghorn repair', 'claude', 'archived'],
      ['Lamp oil (version 2)', 'chatgpt', 'archived'],
      ['Lamp oil', 'chatgpt', 'archived'],
    ])

    const undone = await act(id, 'undo')
    expect([undone.state, await threads(space)]).toEqual(['undone', []])
    expect((await bringIn(space, [lampChat])).counts.created).toBe(2)
  })

  test('in a zip is the same, and what lies beside its conversations is left out', async () => {
    const space = await newSpace()
    const zip = await makeZip({
      'chat.html': '<p>How much oil</p>',
      'user.json': '{"email":"me@example.org"}',
      'conversations.json': JSON.stringify([lampChat]),
      'notes.md': 'A note.',
    })
    const id = await upload(space, 'export.zip', zip)

    const { created, counts } = await act(id, 'start')

    expect(created).toMatchObject({ conversation: 2 })
    expect(counts.skipped).toBe(2)
  })

  test('again changes nothing; one with more takes the place; one that was deleted stays so', async () => {
    const space = await newSpace()
    await bringIn(space, [lampChat, foghornChat])
    const longer = {
      ...foghornChat,
      chat_messages: [
        ...foghornChat.chat_messages,
        { uuid: 'm3', sender: 'human', text: 'Thank you.', created_at: '2025-03-02T10:00:00Z' },
      ],
    }
    const [lamp] = (await threads(space)).filter(({ title }: { title: string }) => title === 'Lamp oil')
    await owner.delete(`/api/spaces/${space}/conversations/${lamp.id}`).expect(200)

    const { counts } = await bringIn(space, [lampChat, longer])

    expect([counts.created, counts.updated, counts.unchanged, counts.deleted]).toEqual([0, 1, 1, 1])
    const [foghorn] = (await threads(space)).filter(
      ({ title }: { title: string }) => title === 'Foghorn repair',
    )
    const { items } = (await owner.get(`/api/conversations/${foghorn.id}/messages`).expect(200)).body
    expect(items.map(({ body }: { body: string }) => body).at(-1)).toBe('Thank you.')
  })

  test('a file of that name that is no export is a file', async () => {
    const space = await newSpace()

    const { created } = await bringIn(space, [{ room: 4 }])

    expect(created).toEqual({ source_doc: 1 })
  })
})

describe('an imported thread', () => {
  test('is found by search as a conversation, and by its words in the list', async () => {
    const space = await newSpace()
    await bringIn(space, [lampChat, foghornChat])
    await index()

    const { items } = (await owner.get(`/api/search?q=diaphragm&space_id=${space}`).expect(200)).body

    expect(items[0]).toMatchObject({ entity_type: 'conversation', title: 'Foghorn repair' })
    expect((await threads(space, '?q=diaphragm')).length).toBe(1)
  })

  test('takes no message, is not continued, and is no thread of the companion', async () => {
    const space = await newSpace()
    await bringIn(space, [foghornChat])
    const [{ id }] = await threads(space)
    const at = `/api/spaces/${space}/conversations/${id}`

    const sent = await owner
      .post(`/api/spaces/${space}/companion/turn`)
      .send({ text: 'And now?', conversation_id: id })
    expect([sent.status, sent.body.error.code]).toEqual([409, 'imported_thread'])
    for (const body of [{ in_use: true }, { archived: false }, { model: 'other' }])
      expect((await owner.patch(at).send(body)).status).toBe(409)

    const routed = await owner
      .post(`/api/spaces/${space}/companion/turn`)
      .set('accept', 'application/json')
      .send({ text: 'Why is the foghorn silent?' })
    expect(routed.body.conversation_id).not.toBe(id)
    const state = (await owner.get(`/api/spaces/${space}/companion`).expect(200)).body
    expect(state.conversation_id).not.toBe(id)
    const activity = (await owner.get(`/api/activity?space_id=${space}`).expect(200)).body
    expect(JSON.stringify(activity)).not.toContain('diaphragm is torn')
  })
})

test('a copy of an imported thread goes on, and says of each answer whose it is', async () => {
  const space = await newSpace()
  await bringIn(space, [foghornChat])
  const [{ id }] = await threads(space)
  const messagesOf = async (thread: string) =>
    (await owner.get(`/api/conversations/${thread}/messages`).expect(200)).body.items
  const { id: last } = (await messagesOf(id)).at(-1)

  const { body: clone } = await owner.post(`/api/messages/${last}/clone`).send({}).expect(201)
  await owner
    .post(`/api/spaces/${space}/companion/turn`)
    .set('accept', 'application/json')
    .send({ text: 'List my tasks', conversation_id: clone.id })
    .expect(200)
  const again = (await messagesOf(clone.id)).at(-1)
  const { body: second } = await owner.post(`/api/messages/${again.id}/clone`).send({}).expect(201)

  expect(clone.imported_from).toBeNull()
  for (const thread of [clone.id, second.id]) {
    const answers = (await messagesOf(thread)).filter(({ role }: { role: string }) => role === 'assistant')
    const products = answers.map(
      ({ metadata }: { metadata: Record<string, string> }) => metadata.imported_from,
    )
    expect(products).toEqual([...Array(answers.length - 1).fill('claude'), undefined])
    const { text } = await owner.get(`/api/spaces/${space}/conversations/${thread}/export.md`).expect(200)
    expect(text).toContain('## Claude')
  }
})

test('fifty thousand messages are brought in within a minute', async () => {
  const space = await newSpace()
  const text = 'The keeper of the light writes what the sea does, and what the lamp burns. '.repeat(5)
  const chats = Array.from({ length: 1000 }, (_, chat) =>
    gptConversation(
      { id: `chat-${chat}`, title: `Night ${chat}` },
      Array.from({ length: 50 }, (_, n) => ({
        ...{ id: `${chat}-${n}`, parent: n === 0 ? null : `${chat}-${n - 1}` },
        ...{ role: n % 2 === 0 ? 'user' : 'assistant', text: `${n}. ${text}`, at: 1_700_000_000 + n },
      })),
    ),
  )
  const id = await upload(space, 'conversations.json', JSON.stringify(chats))
  const started = performance.now()

  const { counts } = await act(id, 'start')

  const seconds = (performance.now() - started) / 1000
  console.log(`50,000 messages in ${seconds.toFixed(1)} s`)
  expect(counts.created).toBe(1000)
  expect(seconds).toBeLessThan(60)
}, 120_000)
