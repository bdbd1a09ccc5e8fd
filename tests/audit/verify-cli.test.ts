import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { claimDataFolder } from '../../lib/db/data-folder.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { openDatabase } from '../../lib/db/pool.ts'

const cli = fileURLToPath(new URL('../../lib/audit/verify-cli.ts', import.meta.url))
const base = await mkdtemp(join(tmpdir(), 'void-audit-'))
afterAll(() => rm(base, { recursive: true }))

async function run(folder: string, ...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: base,
    env: { PATH: process.env.PATH, DATA_DIR: folder },
  })
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { out, error, code }
}

test('the command tells a sound log from a broken one, and what to do while a server runs', async () => {
  const folder = join(base, 'data')
  const held = claimDataFolder(folder)
  const first = await openDatabase({ folder: held.store })
  await migrate(first)
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
    out: expect.stringContaining('Row 2 is the first that is not sound'),
  })
}, 120_000)

test('a store without the schema says so', async () => {
  const answer = await run(join(base, 'empty'))

  expect(answer).toMatchObject({ code: 2, error: expect.stringContaining('npm run migrate') })
}, 60_000)
