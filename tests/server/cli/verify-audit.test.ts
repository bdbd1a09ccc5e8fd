import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claimDataFolder } from '../../../lib/db/data-folder.ts'
import { openDatabase } from '../../../lib/db/pool.ts'
import { makeDataFolder } from '../../helpers/data-folder.ts'
import { runScript } from '../../helpers/run-script.ts'

const base = await mkdtemp(join(tmpdir(), 'void-audit-'))
afterAll(() => rm(base, { recursive: true }))

const run = (folder: string, ...args: string[]) =>
  runScript('lib/server/cli/verify-audit.ts', args, { cwd: base, env: { DATA_DIR: folder } })

test('the command tells a sound log from a broken one, and what to do while a server runs', async () => {
  const folder = makeDataFolder(join(base, 'data'))
  const held = claimDataFolder(folder)
  const first = await openDatabase({ folder: held.store })
  await first.query(
    `insert into audit_log (actor, action, entity_type, entity_id)
     select 'owner', 'create', 'page', gen_random_uuid() from generate_series(1, 3)`,
  )
  await first.close()

  const busy = await run(folder)
  held.release()
  const sound = await run(folder)
  const head = /head is (\S+)/.exec(sound.out)?.[1] ?? ''
  const noted = await run(folder, head)
  const nonsense = await run(folder, 'yesterday')

  const again = claimDataFolder(folder)
  const second = await openDatabase({ folder: again.store })
  await second.query('alter table audit_log disable trigger user')
  await second.query("update audit_log set actor = 'nobody' where seq = 2")
  await second.close()
  again.release()
  const broken = await run(folder)

  expect(busy.code).toBe(2)
  expect(busy.error).toMatch(/already running.*Stop it first.*GET \/api\/audit\/verify/s)
  expect(sound).toMatchObject({ code: 0, error: '' })
  expect(sound.out).toContain('All 3 rows')
  expect(noted.code).toBe(0)
  expect(nonsense).toMatchObject({ code: 2 })
  expect(broken).toMatchObject({
    code: 1,
    out: expect.stringContaining('Row 2 is the first that does not verify'),
  })
}, 120_000)

test('a store without the schema says so', async () => {
  const folder = makeDataFolder(join(base, 'empty'))
  const held = claimDataFolder(folder)
  const database = await openDatabase({ folder: held.store })
  await database.query('drop schema public cascade')
  await database.query('create schema public')
  await database.close()
  held.release()

  const answer = await run(folder)

  expect(answer).toMatchObject({ code: 2, error: expect.stringContaining('npm run migrate') })
}, 60_000)
