// A program from its first connection to the owner's decision, with the server killed in between. The library connects,
// searches and reads; it refuses answers that are tasks, so those are asked for with its token.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { allowAll, connectProgram, createProgram } from '../../auth/oauth/program.ts'
import { ownerToken } from '../../helpers/build-app.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { createRawClient } from './raw-client.ts'

const folder = await mkdtemp(join(tmpdir(), 'void-mcp-'))
const running: VoidProcess[] = []
afterAll(async () => {
  for (const server of running) server.kill()
  await Promise.all(running.map(({ gone }) => gone))
  await rm(folder, { recursive: true })
})

async function start(PORT = '0'): Promise<VoidProcess> {
  const server = await startVoidProcess({ DATA_DIR: folder, OWNER_TOKEN: ownerToken, PORT })
  running.push(server)
  return server
}

test('a task goes on through a killed server and ends with the owner’s edit', async () => {
  makeDataFolder(folder)
  const server = await start()
  const { url } = server
  const owner = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as { id: string; body: string }
  }
  const space = await owner('POST', '/api/spaces', { name: 'Skerry Light' })
  const page = await owner('POST', `/api/spaces/${space.id}/pages`, {
    title: 'The lamp',
    body: 'The lamp burns rapeseed oil.',
  })
  const program = createProgram(url, { name: 'Lamp writer' })
  await connectProgram(url, program, { ...allowAll, reach: 'some', space: space.id })
  const client = await program.connect()
  const found = await client.callTool({ name: 'search', arguments: { q: 'rapeseed' } })
  const read = await client.callTool({ name: 'read', arguments: { kind: 'page', id: page.id } })
  const raw = createRawClient(url, program.stored.tokens!.access_token)
  const { result: started } = await raw.callTool('propose_change', {
    entity_type: 'page',
    action: 'update',
    entity_id: page.id,
    payload: { body: 'The lamp burns paraffin.' },
    reason: 'It was converted.',
  })

  server.kill()
  await server.gone
  await start(new URL(url).port)
  const waiting = await raw.task(started.taskId)
  const edited = { body: 'The lamp burns paraffin since 1911.' }
  await owner('POST', `/api/pending-changes/${started.taskId}/approve`, { edited })
  const { result: ended } = await raw.task(started.taskId)
  const again = await program.connect()
  const told = await again.callTool({ name: 'changes', arguments: { id: started.taskId } })

  expect(JSON.stringify(found.content)).toContain('rapeseed')
  expect(read.structuredContent).toMatchObject({ kind: 'page', id: page.id })
  expect(started).toMatchObject({ resultType: 'task', status: 'working' })
  expect(waiting.result).toMatchObject({ taskId: started.taskId, status: 'working' })
  expect(ended).toMatchObject({
    status: 'completed',
    result: { structuredContent: { status: 'edited', draft: started.taskId, version: 2 } },
  })
  expect(JSON.stringify(ended.result.structuredContent.owner_changed)).toContain('since 1911')
  expect(told.structuredContent).toMatchObject({ drafts: [{ draft: started.taskId, outcome: 'edited' }] })
  expect((await owner('GET', `/api/pages/${page.id}`)).body).toBe(edited.body)
})
