// A screenshot that comes with a message is shown to router and model, and kept with the conversation.

import { beforeEach, describe, expect, test } from 'vitest'
import { type ContentBlock, type ModelRequest, noUsage } from '../../lib/ai/model.ts'
import { createRetentionRepo } from '../../lib/db/repos/maintenance.ts'
import { ownerToken } from '../helpers/build-app.ts'
import { postTurn } from '../helpers/turn-client.ts'
import { makeWorld } from '../helpers/world.ts'
import { startLetters } from './turns.ts'

const routed: ModelRequest[] = []
const letters = await startLetters({
  namingQuietMs: 3_600_000,
  smallModel: async (request) => {
    routed.push(request)
    const text = '{"choice":"new"}'
    return { text, content: [{ type: 'text', text }], toolUses: [], stopReason: 'end_turn', usage: noUsage }
  },
})
const { owner, turn, requests, url, deps } = letters
const world = await makeWorld(letters)
const space_id = world.space.id
let thread: string

beforeEach(async () => {
  thread = (await owner.post(`/api/spaces/${space_id}/conversations`).send({})).body.id
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const jpeg = Buffer.from([
  ...[0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
  ...[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x55, 0xff, 0xd9],
]).toString('base64')
const webp = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** A whole PNG of about so many bytes. */
function pngOf(bytes: number): string {
  const [head, end] = [Buffer.from(png, 'base64').subarray(0, -12), Buffer.from(png, 'base64').subarray(-12)]
  const chunk = Buffer.alloc(bytes + 12)
  chunk.writeUInt32BE(bytes, 0)
  chunk.write('teXt', 4)
  return Buffer.concat([head, chunk, end]).toString('base64')
}

const imagesIn = (request: ModelRequest | undefined): ContentBlock[] =>
  (request?.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image'),
  )
const question = async (id = thread) =>
  (await owner.get(`/api/conversations/${id}/messages`)).body.items.find(
    ({ role }: { role: string }) => role === 'user',
  )
const bytesOf = async (path: string) => {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${ownerToken}` } })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    base64: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}
const send = (more: object) => turn(space_id, [], { text: 'What is this?', conversation_id: thread, ...more })

describe('{ text, screenshot }', () => {
  test.each([
    ['a PNG as base64', png, png, 'image/png'],
    ['a PNG as a data URL', `data:image/png;base64,${png}`, png, 'image/png'],
    ['a JPEG that says it is a PNG', `data:image/png;base64,${jpeg}`, jpeg, 'image/jpeg'],
    ['a WebP', webp, webp, 'image/webp'],
    ['base64 in lines', `${png.slice(0, 76)}\n${png.slice(76)}\r\n`, png, 'image/png'],
    ['a data URL in capitals', `DATA:IMAGE/PNG;BASE64,${png}`, png, 'image/png'],
  ])('shows the model %s, and keeps it', async (_, screenshot, data, media_type) => {
    await send({ screenshot })

    expect(imagesIn(requests[0])).toEqual([{ type: 'image', source: { type: 'base64', media_type, data } }])
    const { metadata } = await question()
    expect(metadata.screenshot).toMatchObject({ mime: media_type, size: Buffer.from(data, 'base64').length })
    expect(await bytesOf(`/api/conversations/${thread}/attachments/${metadata.screenshot.id}`)).toEqual({
      status: 200,
      type: media_type,
      base64: data,
    })
  })

  test('is shown to the router', async () => {
    await send({})
    routed.length = 0

    await turn(space_id, [], { text: 'And what is wrong here?', screenshot: png })

    expect(imagesIn(routed[0])).toHaveLength(1)
    expect(imagesIn(requests[0])).toHaveLength(1)
  })

  test('is no file of the Space', async () => {
    await send({ screenshot: png })

    expect((await owner.get(`/api/spaces/${space_id}/source-docs`)).body.items).toEqual([])
  })

  test('stays in the history, and goes with its conversation', async () => {
    await send({ screenshot: png })
    await send({ text: 'And its colour?' })
    expect(imagesIn(requests[0])).toHaveLength(1)
    const { metadata } = await question()
    const path = `/api/conversations/${thread}/attachments/${metadata.screenshot.id}`

    await owner.delete(`/api/spaces/${space_id}/conversations/${thread}`).expect(200)
    expect((await bytesOf(path)).status).toBe(404)
    await deps.database.transaction((tx) =>
      createRetentionRepo(tx).purgeConversations(new Date(Date.now() + 1000), 10),
    )

    const { rows } = await deps.database.query(
      'select id from conversation_attachments where conversation_id = $1',
      [thread],
    )
    expect(rows).toEqual([])
  })

  test('moves with its message to another conversation', async () => {
    await send({})
    await turn(space_id, [], { text: 'Draft an NDA for Acme.', screenshot: png })
    const { body } = await owner.get(`/api/routing-decisions?space_id=${space_id}`)
    const { id, conversation_id } = body.items[0]
    const { metadata } = await question(conversation_id)

    await owner.post(`/api/routing-decisions/${id}/undo`).send({ to: thread }).expect(200)

    const at = (conversation: string) =>
      bytesOf(`/api/conversations/${conversation}/attachments/${metadata.screenshot.id}`)
    expect((await at(thread)).base64).toBe(png)
    expect((await at(conversation_id)).status).toBe(404)
  })

  test('is there in a copy of the conversation, and for an edited message', async () => {
    await send({ screenshot: png })
    const { id, turn_id } = await question()
    const { body: copy } = await owner.post(`/api/messages/${id}/clone`).expect(201)
    await owner.delete(`/api/spaces/${space_id}/conversations/${thread}`).expect(200)

    const { metadata } = await question(copy.id)
    const path = `/api/conversations/${copy.id}/attachments/${metadata.screenshot.id}`
    expect((await bytesOf(path)).base64).toBe(png)

    await owner.post(`/api/spaces/${space_id}/conversations/${thread}/restore`).expect(200)
    await send({ text: 'What is that?', replaces: turn_id })
    expect(imagesIn(requests[0])).toHaveLength(1)
  })

  test('is in the export of the Space', async () => {
    await send({ screenshot: png })
    const { metadata } = await question()

    const response = await fetch(`${url}/api/spaces/${space_id}/export`, {
      headers: { authorization: `Bearer ${ownerToken}` },
    })

    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        type: 'conversation_attachment',
        id: metadata.screenshot.id,
        conversation_id: thread,
        base64: png,
      }),
    )
  })

  test('counts as read before a draft', async () => {
    await turn(
      space_id,
      [
        {
          name: 'propose_change',
          input: { entity_type: 'task', action: 'create', payload: { title: 'Oil it' } },
        },
      ],
      { screenshot: png, conversation_id: thread },
    )

    const { body } = await owner.get(`/api/pending-changes?space_id=${space_id}&status=pending`)
    const { body: draft } = await owner.get(`/api/pending-changes/${body.items[0].id}`)
    expect(draft.card.provenance.sources).toContainEqual(
      expect.objectContaining({ entity_type: 'screenshot', title: 'Screenshot', untrusted: true }),
    )
  })

  test('is part of what an idempotency key stands for', async () => {
    const post = (screenshot: string) =>
      postTurn({
        url,
        space_id,
        body: { text: 'Look.', conversation_id: thread, screenshot },
        headers: { 'idempotency-key': `look-${thread}` },
      })
    const first = await post(png)
    await first.text()

    expect((await post(png)).status).toBe(200)
    expect((await post(webp)).status).toBe(422)
  })

  test.each([
    ['no base64', 'Look at {this}!', 400],
    ['base64 of a text', Buffer.from('Look at this, it is a text.').toString('base64'), 400],
    ['a GIF', gif, 400],
    ['half a PNG', png.slice(0, 60), 400],
    ['half a WebP', webp.slice(0, 40), 400],
    ['a data URL that is not in base64', 'data:image/png,abc', 400],
    ['an address', 'https://127.0.0.1/shot.png', 400],
    ['nothing', '', 400],
    ['a PNG that is too large', pngOf(5_000_000), 413],
    ['a body that is too large', 'A'.repeat(9_000_000), 413],
  ])('refuses %s', async (_, screenshot, status) => {
    const response = await postTurn({
      url,
      space_id,
      body: { text: 'Look.', conversation_id: thread, screenshot },
    })

    expect(response.status).toBe(status)
    expect(JSON.stringify(await response.json())).toMatch(/screenshot|body|large/i)
  })

  test('null is none', async () => {
    await send({ screenshot: null })

    expect(imagesIn(requests[0])).toHaveLength(0)
    expect((await question()).metadata.screenshot).toBeUndefined()
  })

  test('takes one of almost 5 MB', async () => {
    const screenshot = pngOf(4_999_800)

    await send({ screenshot })

    expect(imagesIn(requests[0])).toHaveLength(1)
  })

  test('is not for research', async () => {
    const response = await postTurn({
      url,
      space_id,
      body: { text: '/research lamps', conversation_id: thread, screenshot: png },
    })

    expect(response.status).toBe(400)
  })
})
