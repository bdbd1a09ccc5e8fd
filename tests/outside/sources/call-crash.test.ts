// A server that is killed while it makes a call, and started again.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownerToken } from '../../helpers/build-app.ts'
import { startFakeAnthropic, text, toolUse } from '../../helpers/fake-anthropic.ts'
import { startVoidProcess } from '../../helpers/void-process.ts'
import { fakeSource } from './source-helpers.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-call-crash-'))
const log = join(folder, 'log')
const fake = await startFakeAnthropic([
  toolUse('call_tool', { source: 'Fake', tool: 'delete_all', arguments: { text: 'hang' } }),
  text('Drafted.'),
])
afterAll(async () => {
  await fake.close()
  rmSync(folder, { recursive: true })
})

const env = {
  DATA_DIR: join(folder, 'data'),
  OWNER_TOKEN: ownerToken,
  ANTHROPIC_BASE_URL: fake.url,
  ANTHROPIC_API_KEY: 'key',
  ROUTER_MODEL: 'none',
}

const callOf = (url: string) => async (method: string, path: string, body?: object) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return await response.text()
}

const made = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0)

test('the call is unknown, and is not made again', async () => {
  const first = await startVoidProcess(env)
  const ask = callOf(first.url)
  const { id: space } = JSON.parse(await ask('POST', '/api/spaces', { name: 'Crash' }))
  const source = JSON.parse(await ask('POST', `/api/spaces/${space}/sources`, fakeSource('', { LOG: log })))
  await ask('POST', `/api/sources/${source.id}/test`)
  const frames = await ask('POST', `/api/spaces/${space}/companion/turn`, { text: 'Delete it.' })
  const draft = /"pending_change_id":"([^"]+)"/.exec(frames)?.[1]
  await ask('POST', `/api/pending-changes/${draft}/approve`, {})
  await expect.poll(made, { timeout: 20_000 }).toBe(1)
  first.kill()
  await first.gone

  const second = await startVoidProcess(env)
  const stateOf = async () =>
    JSON.parse(await callOf(second.url)('GET', `/api/pending-changes/${draft}`)).card.call.state
  await expect.poll(stateOf, { timeout: 60_000, interval: 500 }).toBe('unknown')
  second.terminate()
  await second.gone

  expect(made()).toBe(1)
}, 120_000)
