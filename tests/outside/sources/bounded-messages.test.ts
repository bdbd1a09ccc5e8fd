// What a source sends is counted before it is parsed. `npm run attack mcp-sources` tries more, on a whole server.

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTextThreads } from '../../../lib/jobs/workers/text-threads.ts'
import { createCallTool } from '../../../lib/outside/sources/call-tool.ts'
import { createMessageReader } from '../../../lib/outside/sources/message-reader.ts'
import { shortenMessage } from '../../../lib/outside/sources/shorten-message.ts'
import { buildApp } from '../../helpers/build-app.ts'
import {
  beginEvents,
  respond,
  rpc,
  type SourceScript,
  sendJson,
  sourceTool,
  startScriptedSource,
} from '../../helpers/scripted-source.ts'
import { makeWorld } from '../../helpers/world.ts'
import { fakeSource, useProposed } from './source-helpers.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}/sources`
const callTool = createCallTool({ ...deps, now: () => new Date() })
const threads = createTextThreads()
const closing: (() => void)[] = []
afterAll(async () => {
  for (const close of closing) close()
  await deps.connections.close()
  await threads.close()
})

beforeEach(async () => {
  for (const { id } of (await owner.get(at)).body.items) await owner.delete(`/api/sources/${id}`)
})

async function add(script: SourceScript): Promise<string> {
  const { url, close } = await startScriptedSource(script)
  closing.push(close)
  return (await owner.post(at).send({ name: 'Web', transport: 'http', url }).expect(201)).body.id
}

const testOf = async (id: string) => (await owner.post(`/api/sources/${id}/test`).expect(200)).body

async function answerOf(id: string, tool = 'echo') {
  await useProposed(void_, id)
  const { body } = await owner.get(`/api/sources/${id}/tools`)
  const { sha256 } = body.items.find(({ name }: { name: string }) => name === tool)
  return await callTool(
    {
      ...{ space_id: world.space.id, source_id: id, tool, tool_sha256: sha256 },
      ...{ policy: 'read', arguments: {} },
    },
    new AbortController().signal,
  )
}

const items = (count: number, item: unknown) => Array.from({ length: count }, () => item)

describe('a message', () => {
  test.each([
    ['of many values', rpc({ id: 1, result: { content: items(30_000, 1) } }), /more than 20,000 values/],
    ['of many levels', `{"a":${'['.repeat(4000)}${']'.repeat(4000)}}`, /deeper than 3,000/],
    [
      'of many large levels',
      `{"a":"${'x'.repeat(200_000)}","b":${'['.repeat(4000)}${']'.repeat(4000)}}`,
      /deeper/,
    ],
    ['of much text', rpc({ id: 1, result: items(30, 'x'.repeat(100_000)) }), /more than 2 MB of text/],
    ['of many bytes', 'x'.repeat(4_000_001), /more than 4 MB/],
  ])('%s ends the connection', async (_, json, reason) => {
    const reasons: string[] = []
    const reader = createMessageReader(threads, (why) => reasons.push(why))

    await expect(reader.read(Buffer.from(json))).rejects.toMatchObject({ code: 'source_failed' })
    await expect(reader.read(Buffer.from('{}'))).rejects.toThrow(reason)

    expect(reasons).toEqual([expect.stringMatching(reason)])
  })

  test('within bounds is what it was', async () => {
    const reader = createMessageReader(threads, () => {})
    const small = rpc({ id: 1, result: { content: [{ type: 'text', text: 'Boat.' }] } })
    const large = rpc({
      id: 1,
      result: { tools: items(200, sourceTool('echo', { description: 'é'.repeat(2000) })) },
    })

    expect(await reader.read(Buffer.from(small))).toBe(small)
    expect(await reader.read(Buffer.from(large))).toBe(large)
  })

  test('has the texts of a result cut where nobody reads on', () => {
    const content = [
      { type: 'text', text: 'a'.repeat(200_000) },
      { type: 'image', data: 'b'.repeat(900_000), mimeType: 'image/png' },
      { type: 'text', text: 'c'.repeat(900_000) },
    ]
    const bytes = Buffer.from(rpc({ id: 1, result: { content } }))

    const short = shortenMessage({ bytes })

    const [first, ...rest] = JSON.parse('json' in short ? short.json : '').result.content
    expect(first).toEqual(content[0])
    expect(JSON.stringify(rest).length).toBeLessThan(60_000)
  })

  test('that nobody asked for counts until the next request', async () => {
    const reader = createMessageReader(threads, () => {})
    const send = async (count: number) => {
      for (let n = 0; n < count; n += 1) await reader.read(Buffer.from('{}'))
    }
    await send(1500)
    reader.asked()
    await send(1500)

    await expect(send(1500)).rejects.toThrow('2000 messages nobody asked for')
  })
})

describe('a source', () => {
  test('with a wide result fails, and says why', async () => {
    const id = await add({ 'tools/call': respond({ content: items(100_000, 1) }) })

    const answer = await answerOf(id)

    expect(answer).toMatchObject({ sent: true, answered: false })
    expect((await owner.get(`/api/sources/${id}`)).body.last_error).toBe(
      'It sent a message with more than 20,000 values.',
    )
  })

  test('over stdio too', async () => {
    const { id } = (
      await owner
        .post(at)
        .send(fakeSource('', { ANSWER: 'wide' }))
        .expect(201)
    ).body

    expect(await answerOf(id)).toMatchObject({
      answered: false,
      text: expect.stringContaining('20,000 values'),
    })
  })

  test('whose result has wrong items has answered with no result', async () => {
    const id = await add({ 'tools/call': respond({ content: 'no list' }) })

    expect(await answerOf(id)).toMatchObject({
      answered: true,
      failed: true,
      text: expect.stringContaining('no result'),
    })
  })

  test('with a long result has it cut', async () => {
    const id = await add({
      'tools/call': respond({ content: [{ type: 'text', text: '\n"'.repeat(900_000) }] }),
    })

    const { text, cut, answered } = await answerOf(id)

    expect({ length: text.length, cut, answered }).toEqual({ length: 200_000, cut: true, answered: true })
  })

  test('that answers in events, with one for nobody before, is read', async () => {
    const id = await add({
      'tools/call': (res, { id: request }) =>
        beginEvents(res).end(
          `data: ${rpc({ method: 'notifications/message', params: {} })}\n\ndata: {"jsonrpc": "2.0",\ndata: "id": ${request}, "result": {"content": [{"type": "text", "text": "Two lines."}]}}\n\n`,
        ),
    })

    expect(await answerOf(id)).toMatchObject({ text: 'Two lines.', answered: true })
  })

  test('that asks for answers without end fails: answering it is no request', async () => {
    const id = await add({
      'tools/call': (res) =>
        beginEvents(res).end(
          items(2500, 0)
            .map((_, n) => `data: ${rpc({ id: n, method: 'ping' })}\n\n`)
            .join(''),
        ),
    })

    expect(await answerOf(id)).toMatchObject({ text: expect.stringContaining('nobody asked for') })
  })

  test('that repeats a page of tools fails', async () => {
    const id = await add({ 'tools/list': respond({ tools: [sourceTool('echo')], nextCursor: 'again' }) })

    expect(await testOf(id)).toMatchObject({ ok: false, error: 'Its list of tools repeats a page.' })
  })

  test('is not asked for what nobody asked for', async () => {
    let opened = 0
    const id = await add({
      GET: (res) => {
        opened += 1
        res.writeHead(405).end()
      },
    })

    expect(await testOf(id)).toMatchObject({ ok: true, tools: 1 })
    expect(opened).toBe(0)
  })

  test('that is silent can be switched off at once', async () => {
    const id = await add({ initialize: () => {} })
    const testing = testOf(id)
    await new Promise((resolve) => setTimeout(resolve, 100))

    await owner.patch(`/api/sources/${id}`).send({ enabled: false }).expect(200)

    expect(await testing).toMatchObject({ ok: false })
  })

  test('with an error of a few megabytes has a short one', async () => {
    const id = await add({
      'tools/call': (res, { id: request }) =>
        sendJson(res, rpc({ id: request, error: { code: -32_000, message: 'no '.repeat(900_000) } })),
    })

    const { text, cut } = await answerOf(id)

    expect({ length: text.length, cut }).toEqual({ length: 200_000, cut: true })
  })
})
