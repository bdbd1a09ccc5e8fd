// An agent that starts a program: `npm run mcp` between it and a Void that runs.

import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../helpers/build-app.ts'
import { childEnv } from '../helpers/child-env.ts'
import { listen } from '../helpers/listen.ts'
import { runScript } from '../helpers/run-script.ts'
import { makeAgent, makeWorld } from '../helpers/world.ts'

const void_ = await buildApp()
const url = await listen(void_.app)
const world = await makeWorld(void_)
const { token } = await makeAgent(void_, { slug: 'scribe', spaces: [world.space.id] })
const clients: Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function connect(env: Record<string, string>, mode: 'legacy' | { pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  clients.push(client)
  const bridge = fileURLToPath(new URL('../../lib/cli/mcp.ts', import.meta.url))
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
  expect(await runScript('lib/cli/mcp.ts', [])).toMatchObject({
    code: 2,
    error: expect.stringContaining('VOID_TOKEN'),
  })
})
