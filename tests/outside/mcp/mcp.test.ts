// Outside agents through MCP: the real client, in both revisions of the protocol, against the app.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { countTokens } from '../../../lib/core/text/count-tokens.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { createRawClient } from './raw-client.ts'

const void_ = await buildApp()
const { owner, deps, app } = void_
const url = await listen(app)
const world = await makeWorld(void_)
const scribe = await makeAgent(void_, { slug: 'scribe', spaces: [world.space.id] })
const everywhere = await makeAgent(void_, { slug: 'everywhere' })
const reader = await makeAgent(void_, { slug: 'reader', spaces: [world.space.id], tier: 'read' })
const mute = await makeAgent(void_, {
  slug: 'mute',
  spaces: [world.space.id],
  capabilities: { read: false, suggest: true },
})

const revisions = ['2026-07-28', '2025-11-25'] as const
const clients: Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function connect(token: string, revision: (typeof revisions)[number] = '2026-07-28'): Promise<Client> {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  clients.push(client)
  return client
}

const textOf = (result: { content?: unknown }) =>
  (result.content as { type: string; text?: string }[]).map(({ text }) => text ?? '').join('\n')

type Stored = { name: string; status: string; arguments: unknown; space_id: string | null; result: string }
const calls = async (): Promise<Stored[]> =>
  (await deps.database.query<Stored>('select * from tool_calls order by id')).rows

beforeEach(async () => {
  await deps.database.query('delete from tool_calls')
})

describe.each(revisions)('in revision %s', (revision) => {
  test('an agent searches, reads, and proposes what the owner then decides', async () => {
    const client = await connect(scribe.token, revision)

    const found = await client.callTool({ name: 'search', arguments: { q: 'rapeseed oil' } })
    const read = await client.callTool({ name: 'read', arguments: { kind: 'page', id: world.lamp.id } })
    const proposed = await client.callTool({
      name: 'propose_change',
      arguments: {
        space: 'skerry-light',
        entity_type: 'page',
        action: 'update',
        entity_id: world.lamp.id,
        payload: { title: `The lamp ${revision}` },
        reason: 'It is clearer.',
      },
    })
    const { draft, url: link } = proposed.structuredContent as { draft: string; url: string }
    const waiting = await client.callTool({ name: 'changes', arguments: { id: draft } })
    const { body: change } = await owner.get(`/api/pending-changes/${draft}`).expect(200)
    await owner
      .post(`/api/pending-changes/${draft}/reject`)
      .send({ reason: 'The old name is on the door.' })
      .expect(200)
    const decided = await client.callTool({ name: 'changes', arguments: { id: draft } })

    expect(textOf(found)).toContain('rapeseed')
    expect(found.structuredContent).toMatchObject({
      passages: expect.arrayContaining([
        { kind: 'page', id: world.lamp.id, title: expect.any(String), text: expect.any(String) },
      ]),
    })
    expect(read.structuredContent).toMatchObject({ kind: 'page', id: world.lamp.id })
    expect(proposed.structuredContent).toMatchObject({ status: 'pending', id: world.lamp.id })
    expect(link).toBe(`${url}/inbox/${draft}`)
    expect(change).toMatchObject({ status: 'pending', agent_id: scribe.agentId })
    expect(waiting.structuredContent).toMatchObject({ drafts: [{ draft, outcome: 'pending' }] })
    expect(decided.structuredContent).toMatchObject({
      drafts: [{ draft, outcome: 'rejected', reason: 'The old name is on the door.' }],
    })
    expect((await owner.get(`/api/pages/${world.lamp.id}`)).body.version).toBe(1)
    expect(
      (await calls())
        .map(({ name, status }) => `${name} ${status}`)
        .filter((name) => !name.startsWith('mcp')),
    ).toEqual(['search done', 'read done', 'propose_change done', 'changes done', 'changes done'])
  })

  test('every list is the same for everybody and holds no tool that decides', async () => {
    const [one, other] = await Promise.all([connect(scribe.token, revision), connect(reader.token, revision)])
    const [{ tools }, { tools: others }] = await Promise.all([one.listTools(), other.listTools()])

    expect(tools.map(({ name }) => name)).toEqual([
      'search',
      'read',
      'propose_change',
      'list',
      'changes',
      'revise_change',
      'withdraw_change',
      'research',
    ])
    expect(others).toEqual(tools)
    // What a model is given; schemas of results, icons and _meta are for programs.
    const given = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
    expect(countTokens(JSON.stringify(given))).toBeLessThanOrEqual(3000)
    expect(tools.find(({ name }) => name === 'search')?.annotations).toMatchObject({ readOnlyHint: true })
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true)
  })

  test('resources are the entities of the Spaces of the token, and no others', async () => {
    const client = await connect(scribe.token, revision)

    const { resources } = await client.listResources()
    const lamp = resources.find(({ uri }) => uri.endsWith(world.lamp.id))
    const { contents } = await client.readResource({ uri: lamp!.uri })

    expect(lamp?.uri).toBe(`void://skerry-light/page/${world.lamp.id}`)
    expect(resources.every(({ uri }) => uri.startsWith('void://skerry-light/'))).toBe(true)
    expect(contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('# The lamp'),
    })
    for (const uri of [
      `void://harbour-office/page/${world.lamp.id}`,
      'void://skerry-light/page/0190a1b2-0000-7000-8000-00000000000f',
      'void://skerry-light/conversation/0190a1b2-0000-7000-8000-00000000000f',
      'file:///etc/passwd',
    ]) {
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
    }
  })

  test('the arguments of prompts and addresses are completed with what the token may read', async () => {
    const [client, silent] = await Promise.all([
      connect(scribe.token, revision),
      connect(mute.token, revision),
    ])
    const address = { type: 'ref/resource' as const, uri: 'void://{space}/{kind}/{id}' }
    const ask = { type: 'ref/prompt' as const, name: 'tidy' }
    const complete = async (
      ref: typeof address | typeof ask,
      argument: { name: string; value: string },
      given: Record<string, string> = {},
      by = client,
    ) => (await by.complete({ ref, argument, context: { arguments: given } })).completion.values

    expect(await complete(ask, { name: 'space', value: 'Sk' })).toEqual(['skerry-light'])
    expect(await complete(address, { name: 'space', value: '' })).toEqual(['skerry-light'])
    expect(await complete(address, { name: 'kind', value: 'pa' })).toEqual(['page', 'page_view'])
    expect(await complete(ask, { name: 'page', value: 'lease of' })).toEqual(["Lease of the keeper's house"])
    expect(
      await complete(address, { name: 'id', value: 'paint' }, { space: 'skerry-light', kind: 'task' }),
    ).toEqual([world.paint.id])
    expect(await complete(address, { name: 'id', value: 'paint' }, { kind: 'page' })).toEqual([])
    expect(await complete(ask, { name: 'page', value: 'l' }, { space: 'harbour-office' })).toEqual([])
    expect(await complete(ask, { name: 'page', value: 'lease' }, {}, silent)).toEqual([])
    expect(await complete(ask, { name: 'page', value: 'x'.repeat(100_000) })).toEqual([])
    expect(await complete(ask, { name: 'nothing', value: '' })).toEqual([])
  })

  test('the server and each tool have an icon that is fetched from nowhere', async () => {
    const client = await connect(scribe.token, revision)

    const { tools } = await client.listTools()

    const icons = [client.getServerVersion(), ...tools].flatMap((each) => each?.icons ?? [])
    expect(icons).toHaveLength(9)
    expect(icons.every(({ src }) => src.startsWith('data:image/svg+xml'))).toBe(true)
  })

  test('the card of a draft can be shown as an app, which may call nothing', async () => {
    const client = await connect(mute.token, revision)

    const { tools } = await client.listTools()
    const linked = tools.flatMap(({ name, _meta }) => (_meta ? [{ name, _meta }] : []))
    const { contents } = await client.readResource({ uri: 'ui://void/draft' })

    const _meta = { ui: { resourceUri: 'ui://void/draft', visibility: ['model'] } }
    expect(linked).toEqual(['propose_change', 'revise_change'].map((name) => ({ name, _meta })))
    expect(contents).toMatchObject([
      { mimeType: 'text/html;profile=mcp-app', text: expect.stringContaining('<!doctype html>') },
    ])
    expect(JSON.stringify(contents)).not.toMatch(/innerHTML|https?:\/\/[a-z]/)
    await expect(client.readResource({ uri: 'ui://void/other' })).rejects.toThrow(/not found/i)
  })

  test('prompts are made of what they are given', async () => {
    const client = await connect(scribe.token, revision)

    const { prompts } = await client.listPrompts()
    const { messages } = await client.getPrompt({ name: 'ask', arguments: { question: 'How much oil?' } })

    expect(prompts.map(({ name }) => name)).toEqual(['ask', 'draft', 'tidy'])
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('How much oil?') })
    await expect(client.getPrompt({ name: 'ask', arguments: {} })).rejects.toThrow('question')
    await expect(client.getPrompt({ name: 'decide' })).rejects.toThrow('no prompt')
  })
})

describe('what is refused', () => {
  const refused = async (token: string, name: string, args: Record<string, unknown>) => {
    const client = await connect(token)
    const result = await client.callTool({ name, arguments: args })
    expect(result.isError).toBe(true)
    return textOf(result)
  }
  const rename = {
    entity_type: 'page',
    action: 'update',
    entity_id: world.lamp.id,
    payload: { title: 'X' },
    reason: 'Y',
  }

  test('another Space, by any of its names', async () => {
    for (const space of [world.other.id, 'harbour-office', 'nowhere', '']) {
      expect(await refused(scribe.token, 'search', { q: 'oil', space })).toMatch(
        /space: choose one of .*skerry-light/,
      )
    }
    expect(await refused(everywhere.token, 'search', { q: 'oil' })).toMatch(/harbour-office/)
    expect(await refused(scribe.token, 'read', { kind: 'page', id: world.other.id })).toMatch(/There is no/)
  })

  test('what the tier does not hold', async () => {
    expect(await refused(reader.token, 'propose_change', rename)).toContain('Denied')
    expect(await refused(mute.token, 'search', { q: 'oil' })).toContain('Denied')
    expect(await refused(mute.token, 'read', { kind: 'page', id: world.lamp.id })).toContain('Denied')
  })

  test('conversations, tools that are the companion’s, and arguments of the wrong form', async () => {
    expect(await refused(scribe.token, 'read', { kind: 'conversation', id: world.lamp.id })).toContain(
      'Only the owner',
    )
    const client = await connect(scribe.token)
    await expect(client.callTool({ name: 'open', arguments: { id: world.lamp.id } })).rejects.toThrow(
      'no tool open',
    )
    expect(await refused(scribe.token, 'search', { q: 7 })).toContain('not valid')
    expect(await refused(scribe.token, 'propose_change', { ...rename, action: 'approve' })).toContain(
      'not valid',
    )
    const failed = (await calls()).filter(({ name }) => !name.startsWith('mcp'))
    expect(failed).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'error' })))
  })

  test('a draft of another agent', async () => {
    const made = await (await connect(everywhere.token)).callTool({
      name: 'propose_change',
      arguments: { ...rename, space: 'skerry-light' },
    })
    const { draft } = made.structuredContent as { draft: string }

    expect(await refused(scribe.token, 'changes', { id: draft })).toContain('no draft')
    const retract = { entity_type: 'page', action: 'retract', supersedes: draft, reason: 'No.' }
    expect(await refused(scribe.token, 'propose_change', retract)).toContain('not valid')
    for (const [tool, more] of [
      ['withdraw_change', {}],
      ['revise_change', { payload: { title: 'Mine' } }],
    ] as const) {
      expect(await refused(scribe.token, tool, { id: draft, ...more })).toContain(
        'There is no draft of yours',
      )
    }
  })
})

test('a draft is revised, keeping what is left out, and withdrawn, once', async () => {
  const client = await connect(scribe.token)
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as {
      draft: string
      status: string
    }
  const first = await call('propose_change', {
    ...{ entity_type: 'page', action: 'create', reason: 'They were seen.' },
    payload: { title: 'Gulls', body: 'Forty birds.' },
  })

  const second = await call('revise_change', {
    id: first.draft,
    edits: [{ old_text: 'Forty', new_text: 'Fifty' }],
  })
  const { body: revised } = await owner.get(`/api/pending-changes/${second.draft}`)
  const withdrawn = await call('withdraw_change', { id: second.draft })
  const again = await call('withdraw_change', { id: second.draft })

  expect(revised).toMatchObject({
    status: 'pending',
    supersedes: first.draft,
    reason: 'They were seen.',
    payload: { title: 'Gulls', body: 'Fifty birds.' },
  })
  expect((await owner.get(`/api/pending-changes/${first.draft}`)).body.status).toBe('superseded')
  expect([withdrawn.status, again.status]).toEqual(['retracted', 'retracted'])
  const late = await client.callTool({
    name: 'revise_change',
    arguments: { id: second.draft, payload: { title: 'Birds' } },
  })
  expect(late.isError).toBe(true)
  expect(textOf(late)).toContain('already retracted')
})

test('an agent that may not read learns nothing of the Space from its own drafts', async () => {
  const client = await connect(mute.token)
  const change = { entity_type: 'page', entity_id: world.lamp.id, reason: 'It is old.' }

  const made = await client.callTool({ name: 'propose_change', arguments: { ...change, action: 'delete' } })
  const { draft } = made.structuredContent as { draft: string }
  const withdrawn = await client.callTool({ name: 'withdraw_change', arguments: { id: draft } })
  const told = await client.callTool({ name: 'changes', arguments: {} })

  expect(withdrawn.structuredContent).toMatchObject({ status: 'retracted' })
  expect(JSON.stringify([made, withdrawn, told])).not.toMatch(/the lamp/i)
})

test('a Space is entered by its name and its id, however many newer ones there are', async () => {
  await deps.database.query(
    `insert into spaces (id, slug, name, description, created_by, updated_by)
     select gen_random_uuid(), 'newer-' || n, 'Newer', '', 'owner', 'owner' from generate_series(1, 101) n`,
  )
  const client = await connect(everywhere.token)
  for (const space of [world.space.id, 'skerry-light']) {
    const found = await client.callTool({ name: 'search', arguments: { q: 'rapeseed', space } })
    expect(textOf(found)).toContain('rapeseed')
  }
  await deps.database.query(`delete from spaces where slug like 'newer-%'`)
})

test('many resources come in pages, each once, and a cursor that was not given is refused', async () => {
  await deps.database.query(
    `insert into pages (id, space_id, title, body, position, origin, created_by, updated_by)
     select gen_random_uuid(), $1, 'Log ' || n, '', n, 'owner', 'owner', 'owner' from generate_series(1, 250) n`,
    [world.other.id],
  )
  const { token } = await makeAgent(void_, { slug: 'pager', spaces: [world.other.id] })
  const client = createRawClient(url, token)
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { result } = await client.request('resources/list', cursor === undefined ? {} : { cursor })
    pages.push(result.resources.map(({ uri }: { uri: string }) => uri))
    cursor = result.nextCursor
  } while (cursor !== undefined)

  expect(pages.map(({ length }) => length)).toEqual([100, 100, 50])
  expect(new Set(pages.flat()).size).toBe(250)
  for (const wrong of ['x', 'WzAsMCwieCJd', 'W10', 'x'.repeat(10_000)])
    expect((await client.request('resources/list', { cursor: wrong })).error?.code).toBe(-32602)
  await deps.database.query('delete from pages where space_id = $1', [world.other.id])
})

const bearer = { authorization: `Bearer ${scribe.token}` }
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** A request as no client of ours would send it. */
const post = (headers: Record<string, string>, body: unknown) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })

test('what the owner rejected is not drafted again, until the thing is another', async () => {
  const client = await connect(scribe.token)
  const propose = async (args: Record<string, unknown>) =>
    (
      await client.callTool({
        name: 'propose_change',
        arguments: { entity_type: 'page', reason: 'Again.', ...args },
      })
    ).structuredContent as { draft: string; status: string; reason?: string }
  const { body: horn } = await owner.post(`/api/spaces/${world.space.id}/pages`).send({ title: 'The horn' })
  const rename = { action: 'update', entity_id: horn.id, payload: { title: 'Siren' } }
  const page = { action: 'create', payload: { title: 'Gulls', body: 'They cry.' } }
  const reject = (id: string) =>
    owner.post(`/api/pending-changes/${id}/reject`).send({ reason: 'It is a horn.' }).expect(200)
  const [renamed, made] = [await propose(rename), await propose(page)]
  await reject(renamed.draft)
  await reject(made.draft)

  const again = [await propose(rename), await propose({ ...rename, reason: 'Please!' }), await propose(page)]
  const other = await propose({ ...rename, payload: { title: 'Sirens' } })
  await owner.patch(`/api/pages/${horn.id}`).send({ version: 1, body: 'It was sold.' }).expect(200)
  const later = await propose(rename)

  expect(again).toMatchObject(
    [renamed, renamed, made].map(({ draft }) => ({ draft, status: 'rejected', reason: 'It is a horn.' })),
  )
  expect(other.status).toBe('pending')
  expect(later.status).toBe('pending')
  expect([renamed.draft, made.draft]).not.toContain(later.draft)
})

test('NUL and half surrogate pairs are taken out wherever they stand', async () => {
  const dirt = '\u0000\ud83d'
  const params = {
    name: 'search\u0000',
    arguments: { 'q\u0000': `oil${dirt}`, space: 'skerry-light\u0000' },
  }
  const response = await post(bearer, { jsonrpc: '2.0', id: `1${dirt}`, method: 'tools/call', params })
  const text = await response.text()

  expect(text).toContain('rapeseed')
  expect(text + JSON.stringify(await calls())).not.toMatch(/\\u0000|\\ud83d|\0/i)
})

test('without a token, with the owner’s, with one that is gone, or from another site there is no way in', async () => {
  const ask = (headers: Record<string, string>, body: unknown = listTools) => post(headers, body)
  const gone = await makeAgent(void_, { slug: 'gone' })
  await owner.delete(`/api/agents/${gone.agentId}/tokens/${gone.tokenId}`).expect(200)

  expect((await ask({})).status).toBe(401)
  expect((await ask({})).headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect((await ask({ authorization: `Bearer ${gone.token}` })).status).toBe(401)
  expect((await owner.post('/mcp').send(listTools)).status).toBe(403)
  expect((await ask({ ...bearer, origin: 'https://evil.example' })).status).toBe(403)
  expect((await ask({ ...bearer, origin: 'null' })).status).toBe(403)
  expect((await ask(bearer, { method: 'tools/list' })).status).toBe(400)
  expect((await ask({ ...bearer, 'content-type': 'text/plain' })).status).toBe(415)
  expect(
    (await ask(bearer, { jsonrpc: '2.0', id: 1, method: 'x', params: { a: 'x'.repeat(5_000_000) } })).status,
  ).toBe(413)
})
