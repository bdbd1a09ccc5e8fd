// The spy in a server sees what would be found: a changed row, an opened connection.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { startFakeAnthropic, text } from '../../helpers/fake-anthropic.ts'
import { startVoidProcess } from '../../helpers/void-process.ts'
import { createClient, makeAttackWorld, ownerToken } from './attack-world.ts'
import { createSpy } from './create-spy.ts'

test('a row that the owner changes and the connection to the model are seen, the turn itself is not', async () => {
  const folder = makeDataFolder(await mkdtemp(join(tmpdir(), 'void-spy-')))
  const fake = await startFakeAnthropic([text('Good evening.')], { repeatLast: true })
  const spy = createSpy(join(folder, 'opened.txt'))
  const env = {
    DATA_DIR: folder,
    OWNER_TOKEN: ownerToken,
    ANTHROPIC_BASE_URL: fake.url,
    ANTHROPIC_API_KEY: 'x',
  }
  const server = await startVoidProcess({ ...env, ...spy.env, ROUTER_MODEL: 'none' }, spy.options)
  const call = createClient(server.url)
  const names = await makeAttackWorld(call, 'http://127.0.0.1:9')
  await spy.changes(server)

  await call('POST', `/api/spaces/${names.space}/companion/turn`, { text: 'Good evening' })
  const byTurn = await spy.changes(server)
  await call('PATCH', `/api/tasks/${names.task}`, { version: 1, title: 'Paint it red' })
  const byOwner = await spy.changes(server)
  const opened = await readFile(join(folder, 'opened.txt'), 'utf8')
  server.kill()
  await server.gone
  await fake.close()
  await rm(folder, { recursive: true, force: true })

  expect(byTurn).toEqual([])
  expect(byOwner).toContainEqual(expect.stringMatching(/^\+ tasks .*Paint it red/))
  expect(byOwner).toContainEqual(expect.stringMatching(/^\+ audit_log /))
  expect(opened).toContain(`connect ${new URL(fake.url).host}`)
}, 120_000)
