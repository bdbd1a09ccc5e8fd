import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Health } from '../../../lib/contract/health.ts'
import { ownerToken } from '../../helpers/build-app.ts'
import { startVoidProcess } from '../../helpers/void-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-restart-'))
afterAll(() => rmSync(folder, { recursive: true }))

const env = { DATA_DIR: folder, OWNER_TOKEN: ownerToken, ANTHROPIC_API_KEY_REF: 'secret:model-key' }
const headers = { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' }
const modelOf = async (url: string) => Health.parse(await (await fetch(`${url}/health`)).json()).model

test('a stored key connects the model at once, and still does after a kill', async () => {
  const first = await startVoidProcess(env)
  const before = await modelOf(first.url)
  const put = await fetch(`${first.url}/api/secrets/model-key`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ value: 'sk-1' }),
  })
  const stored = await modelOf(first.url)
  first.kill()
  await first.gone

  const second = await startVoidProcess(env)
  const after = await modelOf(second.url)
  second.terminate()
  await second.gone

  expect(put.status).toBe(204)
  expect(before).toMatchObject({ mode: 'offline' })
  expect([stored, after]).toEqual([
    expect.objectContaining({ mode: 'online' }),
    expect.objectContaining({ mode: 'online' }),
  ])
}, 60_000)
