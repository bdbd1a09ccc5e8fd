// An agent that starts a program: `npm run mcp` between it and a Void that runs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../helpers/build-app.ts'
import { childEnv } from '../../helpers/child-env.ts'
import { listen } from '../../helpers/listen.ts'
import { runScript } from '../../helpers/run-script.ts'
import { makeAgent, makeWorld } from '../../helpers/world.ts'

const void_ = await buildApp()
const url = await listen(void_.app)
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe', spaces: [world.space.id] })
const clients: Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function connect(env: Record<string, string>, mode: 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  clients.push(client)
  const bridge = fileURLToPath(new URL('../../../lib/server/cli/mcp.ts', import.meta.url))
  const started = {
    command: process.execPath,
    args: [bridge],
    env: { ...childEnv, ...env },
    stderr: 'ignore' as const,
  }
  await client.connect(new StdioClientTransport(started))
  return client
}

test.each([['legacy' as const], [{ pin: '2026-07-28' }]])(
  'a call goes through and comes back (%j)',
  async (mode) => {
    const client = await connect({ VOID_URL: url, VOID_TOKEN: token }, mode)

    const { tools } = await client.listTools()
    const result = await client.callTool({ name: 'search', arguments: { q: 'rapeseed oil' } })
    const { contents } = await client.readResource({ uri: `void://skerry-light/page/${world.lamp.id}` })

    expect(tools.map(({ name }) => name)).toContain('propose_change')
    expect(JSON.stringify(result.content)).toContain('rapeseed')
    expect(contents).toHaveLength(1)
  },
)

test('a wrong token and a server that is not there are said as the answer', async () => {
  await expect(connect({ VOID_URL: url, VOID_TOKEN: 'void_agent_none' }, 'legacy')).rejects.toThrow(
    /token|credential/i,
  )
  await expect(connect({ VOID_URL: 'http://127.0.0.1:9', VOID_TOKEN: token }, 'legacy')).rejects.toThrow(
    'cannot be reached',
  )
  expect(await runScript('lib/server/cli/mcp.ts', [])).toMatchObject({
    code: 2,
    error: expect.stringContaining('VOID_TOKEN'),
  })
})

test('a stream of news goes through, ends when it is cancelled, and keeps no bridge from its end', async () => {
  const bridge = fileURLToPath(new URL('../../../lib/server/cli/mcp.ts', import.meta.url))
  const child = spawn(process.execPath, [bridge], {
    env: { ...childEnv, VOID_URL: url, VOID_TOKEN: token },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines: { method?: string; params?: { _meta?: Record<string, unknown> } }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const uri = `void://skerry-light/page/${world.lamp.id}`
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const listenTo = (id: number) =>
    send({
      ...{ id, method: 'subscriptions/listen' },
      params: { notifications: { resourceSubscriptions: [uri] }, _meta },
    })
  const toldTo = () =>
    lines
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => params?._meta?.['io.modelcontextprotocol/subscriptionId'])
  const change = async (version: number) =>
    await void_.owner
      .patch(`/api/pages/${world.lamp.id}`)
      .send({ version, body: `${version}` })
      .expect(200)

  listenTo(1)
  listenTo(2)
  await expect.poll(() => lines).toHaveLength(2)
  await change(1)
  await expect.poll(() => toldTo().toSorted()).toEqual([1, 2])
  send({ method: 'notifications/cancelled', params: { requestId: 1, _meta } })
  listenTo(3)
  await expect.poll(() => lines).toHaveLength(5)
  await change(2)
  await expect.poll(() => toldTo().slice(2).toSorted()).toEqual([2, 3])
  child.stdin.end()
  const [code] = await once(child, 'exit')

  expect(code).toBe(0)
})
