import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { Source } from '../../../lib/contract/sources.ts'
import { createSourcesRepo } from '../../../lib/db/repos/sources.ts'
import { createTextThreads } from '../../../lib/jobs/workers/text-threads.ts'
import { createConnections } from '../../../lib/outside/sources/connections.ts'
import { listTools } from '../../../lib/outside/sources/source-tools.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'
import { fakeSource, reference, useProposed } from './source-helpers.ts'

const void_ = await buildApp()
const { owner, deps } = void_
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}/sources`
afterAll(() => deps.connections.close())

beforeEach(async () => {
  for (const { id } of (await owner.get(at)).body.items) await owner.delete(`/api/sources/${id}`)
})

const add = async (body: object): Promise<Source> => (await owner.post(at).send(body).expect(201)).body
const check = async (id: string) => (await owner.post(`/api/sources/${id}/test`).expect(200)).body
const toolsOf = async (id: string) => (await owner.get(`/api/sources/${id}/tools`)).body.items

describe('reference servers', () => {
  test.each([
    ['server-everything', [], 'echo'],
    ['server-filesystem', [fileURLToPath(new URL('.', import.meta.url))], 'read_text_file'],
    ['server-memory', [], 'read_graph'],
  ])('%s is started, tested and listed', async (name, args, tool) => {
    const { id } = await add(reference(name, args))

    const result = await check(id)
    const tools = await toolsOf(id)
    const { body: source } = await owner.get(`/api/sources/${id}`)

    expect(result).toMatchObject({ ok: true, error: null, server: { name: expect.any(String) } })
    expect(result.tools).toBe(tools.length)
    expect(tools.map((each: { name: string }) => each.name)).toContain(tool)
    expect(source).toMatchObject({ status: 'ok', last_error: null, checked_at: expect.any(String) })
  })

  test('the filesystem’s tools are proposed by what they say of themselves', async () => {
    const { id } = await add(reference('server-filesystem', ['/tmp']))
    await check(id)

    const policies = Object.fromEntries(
      (await toolsOf(id)).map(({ name, policy, proposed }: Record<string, string>) => [
        name,
        [policy, proposed],
      ]),
    )

    expect(policies).toMatchObject({
      read_text_file: ['ask', 'read'],
      list_directory: ['ask', 'read'],
      write_file: ['ask', 'ask'],
      edit_file: ['ask', 'ask'],
    })
  })
})

test('a second Void is a source over http, with its token as a secret', async () => {
  const other = await buildApp()
  const url = await listen(other.app)
  const there = await makeWorld(other)
  const { token } = await makeAgent(other, { slug: 'neighbour', spaces: [there.space.id] })
  await owner.put('/api/secrets/neighbour').send({ value: token })

  const { id, headers } = await add({
    name: 'Neighbour',
    transport: 'http',
    url: `${url}/mcp`,
    headers: { Authorization: 'Bearer secret:neighbour' },
  })
  const result = await check(id)
  const tools = await toolsOf(id)

  expect(headers).toEqual({ Authorization: 'Bearer secret:neighbour' })
  expect(result).toMatchObject({ ok: true, server: { name: 'void' } })
  expect(tools).toContainEqual(expect.objectContaining({ name: 'search', policy: 'ask', proposed: 'read' }))
  expect(tools).toContainEqual(expect.objectContaining({ name: 'propose_change', policy: 'ask' }))
})

describe('settings', () => {
  it('are changed, and tested as they are then', async () => {
    const { id } = await add(fakeSource('crash'))
    const before = await check(id)
    const changed = await owner.patch(`/api/sources/${id}`).send({ env: {}, name: 'Renamed', enabled: false })
    const after = await check(id)
    const removed = await owner.delete(`/api/sources/${id}`)

    expect([before.ok, after.ok]).toEqual([false, true])
    expect(changed.body).toMatchObject({ name: 'Renamed', enabled: false, env: {} })
    expect(removed.status).toBe(200)
    expect((await owner.get(`/api/sources/${id}`)).status).toBe(404)
  })

  it('never show a value that looks like a secret, and keep it when it comes back hidden', async () => {
    const { id, env } = await add({ ...fakeSource('', { API_TOKEN: 'tok-4711', DAY: 'friday' }) })
    const shown = { FAKE: '', API_TOKEN: '(hidden)', DAY: 'friday' }
    await owner.patch(`/api/sources/${id}`).send({ env: { ...shown, DAY: 'monday' } })

    const renamed = await owner.patch(`/api/sources/${id}`).send({ env: { OTHER_TOKEN: '(hidden)' } })

    const { rows } = await deps.database.query('select env from sources where id = $1', [id])
    expect(renamed.status).toBe(400)
    expect(env).toEqual(shown)
    expect(rows[0]).toEqual({ env: { FAKE: '', API_TOKEN: 'tok-4711', DAY: 'monday' } })
  })

  it.each([
    [{ name: 'X', transport: 'stdio' }],
    [{ name: 'X', transport: 'http' }],
    [{ name: 'X', transport: 'http', url: 'file:///etc/passwd' }],
    [{ name: 'X', transport: 'http', url: 'http://a.example', command: 'sh' }],
    [{ name: 'X', transport: 'stdio', command: 'node', url: 'http://a.example' }],
    [{ name: 'X', transport: 'stdio', command: 'node', env: { 'A B': 'c' } }],
    [{ name: 'X', transport: 'http', url: 'http://a.example', headers: { 'a\nb': 'c' } }],
    [{ name: '', transport: 'stdio', command: 'node' }],
    [{ name: 'X', transport: 'stdio', command: 'node', more: true }],
    [
      {
        name: 'X',
        transport: 'stdio',
        command: 'node',
        args: ['x'.repeat(8000), 'x'.repeat(8000), ...Array(98).fill('x'.repeat(800))],
      },
    ],
  ])('are refused when they make no sense: %#', async (body) => {
    expect((await owner.post(at).send(body)).status).toBe(400)
  })

  it('have a name of their own in the Space', async () => {
    await add(fakeSource(''))
    const again = await owner.post(at).send({ ...fakeSource(''), name: 'fake ' })

    expect(again.status).toBe(409)
    expect(again.body.error.code).toBe('source_exists')
  })

  it('are the owner’s alone', async () => {
    const { id } = await add(fakeSource(''))
    const agent = void_.as((await makeAgent(void_, { slug: 'prober' })).token)

    const answers = await Promise.all([
      agent.get(at),
      agent.post(at).send(fakeSource('')),
      agent.get(`/api/sources/${id}`),
      agent.patch(`/api/sources/${id}`).send({ enabled: false }),
      agent.delete(`/api/sources/${id}`),
      agent.post(`/api/sources/${id}/test`),
      agent.get(`/api/sources/${id}/tools`),
      agent.patch(`/api/sources/${id}/tools/echo`).send({ policy: 'read' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(403))
  })
})

describe('a tool', () => {
  it('that changes is off until the owner sets a policy for what it is now', async () => {
    const { id } = await add(fakeSource(''))
    await useProposed(void_, id)
    const { rows } = await deps.database.query<{ sha256: string }>(
      'select sha256 from source_tools limit 1',
      [],
    )
    await deps.database.query(
      `update source_tools
       set definition = replace(definition, 'Says it back', 'Was harmless'),
           sha256 = encode(sha256(convert_to(replace(definition, 'Says it back', 'Was harmless'), 'UTF8')), 'hex')
       where name = 'echo'`,
      [],
    )

    await check(id)
    const [changed] = (await toolsOf(id)).filter(({ name }: { name: string }) => name === 'echo')
    const stale = await owner
      .patch(`/api/sources/${id}/tools/echo`)
      .send({ policy: 'read', sha256: changed.sha256 })
    const accepted = await owner
      .patch(`/api/sources/${id}/tools/echo`)
      .send({ policy: 'read', sha256: changed.changed.sha256 })

    expect(rows).toHaveLength(1)
    expect(changed).toMatchObject({ active: false, policy: 'read' })
    expect(changed.definition.description).toBe('Was harmless.')
    expect(changed.changed.definition.description).toBe('Says it back.')
    expect(stale.status).toBe(409)
    expect(accepted.body).toMatchObject({ active: true, changed: null, sha256: changed.changed.sha256 })
  })

  it('that comes later is off', async () => {
    const { id } = await add(fakeSource(''))
    await check(id)
    await deps.database.query(`delete from source_tools where name = 'echo'`, [])

    await check(id)

    expect(await toolsOf(id)).toContainEqual(
      expect.objectContaining({ name: 'echo', policy: 'off', proposed: 'read', active: false }),
    )
  })

  it('that is gone stays listed and is not used', async () => {
    const { id } = await add(fakeSource(''))
    await check(id)
    await deps.database.query(
      `insert into source_tools (source_id, name, definition, sha256, policy)
       select source_id, 'gone', definition, sha256, 'ask' from source_tools where name = 'echo'`,
      [],
    )

    await check(id)

    expect(await toolsOf(id)).toContainEqual(
      expect.objectContaining({ name: 'gone', offered: false, active: false }),
    )
  })

  it('is set as proposed when the owner agrees, but for those that the owner has decided on', async () => {
    const { id } = await add(fakeSource(''))
    await check(id)
    const before = await toolsOf(id)
    await owner.patch(`/api/sources/${id}/tools/unmarked`).send({ policy: 'off' }).expect(200)

    await useProposed(void_, id)

    const after = Object.fromEntries(
      (await toolsOf(id)).map(({ name, policy, decided }: Record<string, unknown>) => [
        name,
        [policy, decided],
      ]),
    )
    expect(before.map(({ decided }: { decided: boolean }) => decided)).toEqual([false, false, false])
    expect(after).toEqual({ echo: ['read', true], delete_all: ['ask', true], unmarked: ['off', true] })
  })

  it('is not set as proposed when it is another than was looked at, and then none is', async () => {
    const { id } = await add(fakeSource(''))
    await check(id)
    const seen = (await toolsOf(id)).map(({ name, sha256 }: Record<string, string>) => ({ name, sha256 }))
    const use = (tools: object) => owner.post(`/api/sources/${id}/tools/use-proposed`).send({ tools })
    const { token } = await makeAgent(void_, { slug: 'helper' })

    const stale = await use([...seen.slice(0, 2), { ...seen[2], sha256: '0'.repeat(64) }])
    const unknown = await use([seen[0], { name: 'none', sha256: seen[0].sha256 }])
    const nothing = await use([])
    const byAgent = await void_.as(token).post(`/api/sources/${id}/tools/use-proposed`).send({ tools: seen })

    expect([stale, unknown, nothing, byAgent].map(({ status }) => status)).toEqual([409, 404, 400, 403])
    expect((await toolsOf(id)).map(({ policy }: { policy: string }) => policy)).toEqual(['ask', 'ask', 'ask'])
  })

  it('that nobody knows is 404', async () => {
    const { id } = await add(fakeSource(''))

    expect((await owner.patch(`/api/sources/${id}/tools/none`).send({ policy: 'read' })).status).toBe(404)
  })
})

describe('a source that misbehaves is an error that says so, and the server goes on', () => {
  it.each([
    ['crash', /cannot start/],
    ['not-tools', /./],
    ['nameless', /no usable name/],
    ['many', /more than 500 tools/],
    ['long', /longer than 32000 bytes/],
    ['pages', /more than 50 pages/],
    ['other-json', /more than 2000 messages/],
    ['flood', /more than 2000 messages/],
  ])('%s', async (mode, reason) => {
    const { id } = await add(fakeSource(mode))

    const result = await check(id)

    expect(result).toMatchObject({ ok: false, tools: 0, error: expect.stringMatching(reason) })
    expect((await owner.get(`/api/sources/${id}`)).body).toMatchObject({
      status: 'failed',
      last_error: result.error,
    })
    expect((await owner.get('/health')).status).toBe(200)
  })

  it.each([
    '{"name":"bad","inputSchema":"none"}',
    '{"name":"bad","inputSchema":[]}',
    '{"name":"bad","inputSchema":{"type":"array"}}',
    '{"name":"bad","inputSchema":{"type":"object","properties":[1]}}',
    '{"name":"bad","inputSchema":{"type":"object","properties":{"a":7}}}',
    '{"name":"bad","inputSchema":{"type":"object","required":"a"}}',
    'deep',
    'long',
    '{"name":"bad","description":7}',
    '{"name":"bad","annotations":"none"}',
    '{"name":"<b>bad</b> one","inputSchema":{"type":"object"}}',
    '{"inputSchema":{"type":"object"}}',
    '"bad"',
    'null',
  ])('but for one tool that is wrong, which alone is not offered: %#', async (bad) => {
    const { id } = await add(fakeSource('one-bad', { BAD: bad }))

    expect(await check(id)).toMatchObject({ ok: true, tools: 2, error: null })
    const tools = (await owner.get(`/api/sources/${id}/tools`)).body.items
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['echo', 'search'])
  })

  it('and a secret that its process prints is not in the error', async () => {
    await owner.put('/api/secrets/printed').send({ value: 'tok-printed-4711' })
    const { id } = await add(fakeSource('crash', { TOKEN: 'secret:printed' }))

    const { error } = await check(id)

    expect(error).toContain('cannot start with …')
    expect(error).not.toContain('tok-printed')
  })

  it('and neither is there a program that is not installed, nor a secret that is not stored', async () => {
    const missing = await add({
      name: 'None',
      transport: 'stdio',
      command: '/nowhere/program',
      unconfined: true,
    })
    const unset = await add(fakeSource('', { TOKEN: 'secret:nowhere' }))

    expect((await check(missing.id)).error).toMatch(/ENOENT|No such file/)
    expect((await check(unset.id)).error).toContain('secret:nowhere')
  })

  it('and its process gets none of the server’s variables, nor its home folder', async () => {
    process.env.VOID_TEST_KEY = 'do-not-pass'
    const { id } = await add(fakeSource('', { DAY: 'friday' }))
    const row = await createSourcesRepo(deps.database).find(id)

    const { content } = await deps.connections.use(row!, ({ client }) =>
      client.callTool({ name: 'echo', arguments: { text: 'env' } }),
    )

    const env = JSON.parse(Reflect.get(Object(content[0]), 'text'))
    delete process.env.VOID_TEST_KEY
    expect(env).toMatchObject({ DAY: 'friday', HOME: expect.stringContaining(id) })
    expect(Object.keys(env)).not.toContain('VOID_TEST_KEY')
    expect(env.HOME).not.toBe(process.env.HOME)
  })

  it('but lines that are no JSON are passed over', async () => {
    const { id } = await add(fakeSource('garbage'))

    expect(await check(id)).toMatchObject({ ok: true, tools: 3 })
  })

  it.each(['silent', 'slow-list'])('and one that never answers is given up: %s', async (mode) => {
    const { id } = await add(fakeSource(mode))
    const row = await createSourcesRepo(deps.database).find(id)
    const connections = createConnections({
      secrets: deps.secrets,
      threads: createTextThreads(),
      version: '0',
      connectMs: 2000,
    })

    const work = connections.use(row!, ({ client }) => listTools(client, 500))

    await expect(work).rejects.toMatchObject({
      code: 'source_failed',
      message: expect.stringMatching(/timed? ?out/i),
    })
    await connections.close()
  })

  it.each([
    [
      'redirects',
      (res: Response_) => res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      /redirects \(302\)/,
    ],
    [
      'answers with a page',
      (res: Response_) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /./,
    ],
    ['answers with 100 MB', flood, /./],
    ['refuses', (res: Response_) => res.writeHead(500).end('no'), /500|no/],
  ])('over http that %s', async (_name, answer, reason) => {
    const server = createServer((_req, res) => answer(res))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { id } = await add({ name: 'Web', transport: 'http', url: `http://127.0.0.1:${port}/mcp` })

    const result = await check(id)
    server.closeAllConnections()
    server.close()

    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(reason) })
  })
})

type Response_ = import('node:http').ServerResponse

function flood(res: Response_): void {
  res.writeHead(200, { 'content-type': 'application/json' })
  res.on('error', () => {})
  let left = 100
  const more = () => {
    if (left-- > 0 && !res.destroyed) res.write(`"${'x'.repeat(1_000_000)}",`, more)
    else res.end()
  }
  res.write('[', more)
}
