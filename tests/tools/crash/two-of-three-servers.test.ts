// Two of three servers on one Postgres are killed at the same moment, with turns, an import and writes under way: whatever
// they acknowledged is there, and the third goes on with it.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { databaseEnv, directUrlOf } from '../../helpers/direct-url.ts'
import { runScript } from '../../helpers/run-script.ts'
import { startVoidProcess, type VoidProcess } from '../../helpers/void-process.ts'
import { createTurnClient, type StartedTurn } from './crash-client.ts'
import { makeCrashDatabase } from './crash-database.ts'
import { finalText, startCrashModel } from './crash-model.ts'

const patience = { timeout: 120_000, interval: 50 }
const notes = 200
/** Of a turn and of a background job, in seconds. */
const leases = { turn: 5, job: 10 }
const isPostgres = inject('postgresTemplate') !== null
const reason = isPostgres ? '' : ' (skipped without TEST_DATABASE_URL)'

describe.skipIf(!isPostgres)(`when two of three servers are killed at once${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'void-two-of-three-'))
  const client = createTurnClient()
  const answers = Promise.withResolvers<void>()
  let model: Awaited<ReturnType<typeof startCrashModel>>
  let database: Awaited<ReturnType<typeof makeCrashDatabase>>
  let db: pg.Client
  let servers: VoidProcess[] = []

  beforeAll(async () => {
    model = await startCrashModel({ beforeAnswer: () => answers.promise })
    database = await makeCrashDatabase()
    db = new pg.Client({ connectionString: directUrlOf(database.url!) ?? database.url })
    await db.connect()
    const secretsKey = randomBytes(32).toString('base64')
    const start = (name: string) =>
      startVoidProcess({
        DATA_DIR: join(folder, name),
        OWNER_TOKEN: client.token,
        SECRETS_KEY: secretsKey,
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'crash',
        ROUTER_MODEL: 'none',
        ...databaseEnv(database.url),
      })
    servers = [await start('first'), await start('second'), await start('third')]
  }, 240_000)

  afterAll(async () => {
    answers.resolve()
    for (const server of servers) server.kill()
    await Promise.all(servers.map(({ gone }) => gone))
    await model.close()
    await db.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function call({ url }: VoidProcess, method: 'get' | 'post', path: string, body: object = {}) {
    const sent = request(url)[method](path).set('authorization', `Bearer ${client.token}`)
    const response = await (method === 'get' ? sent : sent.send(body))
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return response.body
  }

  async function ask<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return (await db.query<Row>(statement, values)).rows
  }

  async function startImport(at: VoidProcess): Promise<{ id: string; space: string }> {
    const space = await call(at, 'post', '/api/spaces', { name: 'Imported' })
    const job = await call(at, 'post', `/api/spaces/${space.id}/imports`, { source: 'disk', root: null })
    for (let first = 0; first < notes; first += 100) {
      const files = Array.from({ length: 100 }, (_, n) => ({
        path: `Note ${first + n}.md`,
        base64: Buffer.from(`# Note ${first + n}\nThe lamp turns once a minute.`).toString('base64'),
      }))
      await call(at, 'post', `/api/imports/${job.id}/files`, { files })
    }
    await call(at, 'post', `/api/imports/${job.id}/start`)
    return { id: job.id, space: space.id }
  }

  /** Writes pages at a server until that is gone; the ids of those that were acknowledged. */
  async function writeUntilGone(at: VoidProcess, space: string): Promise<string[]> {
    const ids: string[] = []
    try {
      for (;;) {
        const page = await call(at, 'post', `/api/spaces/${space}/pages`, { title: `Page ${ids.length}` })
        ids.push(page.id)
      }
    } catch {
      return ids
    }
  }

  test('nothing acknowledged is lost, and the third ends the turns and the import', async () => {
    const [first, second, third] = servers as [VoidProcess, VoidProcess, VoidProcess]
    const begun = await Promise.all(
      [first, first, second, second, third].map(async ({ url }) => ({
        turn: client.begin(url, await client.prepare(url)),
      })),
    )
    const held = "status = 'running' and exists (select from pending_changes where turn_id = turns.id)"
    await expect.poll(() => ask(`select from turns where ${held}`), patience).toHaveLength(begun.length)
    const space = await call(first, 'post', '/api/spaces', { name: 'Written' })
    const written = [writeUntilGone(first, space.id), writeUntilGone(second, space.id)]
    const pages = () => ask('select from pages where space_id = $1 limit 4', [space.id])
    await expect.poll(pages, patience).toHaveLength(4)
    const imported = await startImport(first)
    const progress = () => ask("select from import_jobs where state = 'running' and done > 0")
    await expect.poll(progress, patience).toHaveLength(1)

    first.kill()
    second.kill()
    await Promise.all([first.gone, second.gone])
    const [atKill] = await ask<{ state: string; claim: number }>('select state, claim from import_jobs')
    const [longest] = await ask<{ turn: boolean; job: boolean }>(
      `select (select max(lease_until) from turns where status = 'running') <= now() + interval '${leases.turn} seconds' as turn,
              (select max(lease_until) from job_leases) <= now() + interval '${leases.job} seconds' as job`,
    )
    answers.resolve()

    expect(atKill?.state).toBe('running')
    expect(longest).toEqual({ turn: true, job: true })
    const turns = await Promise.all(begun.map(({ turn }) => turn))
    await expectEnded(third, turns)
    const killed = turns.slice(0, 4).map(({ turnId }) => turnId)
    expect(await ask('select from turns where id = any($1) and attempt > 1', [killed])).toHaveLength(4)
    const state = () => ask('select state, claim > $1 as resumed from import_jobs', [atKill?.claim])
    await expect.poll(state, patience).toEqual([{ state: 'done', resumed: true }])
    const titles = await ask('select distinct title from pages where space_id = $1', [imported.space])
    expect(titles).toHaveLength(notes)
    const acknowledged = (await Promise.all(written)).flat()
    expect(acknowledged.length).toBeGreaterThan(0)
    for (const id of acknowledged) expect((await call(third, 'get', `/api/pages/${id}`)).id).toBe(id)
  }, 400_000)

  test('the audit log is whole, and no history was refused by the model', async () => {
    const { code, out, error } = await runScript('lib/server/cli/verify-audit.ts', [], {
      env: databaseEnv(database.url),
      cwd: folder,
    })

    expect(`${out}${error}`).toMatch(/All [1-9]\d* rows verified; none is missing/)
    expect(code).toBe(0)
    expect(model.refusals).toEqual([])
  }, 120_000)

  /** Each was acknowledged, ended once, with one draft and the whole answer, and its conversation goes on. */
  async function expectEnded(at: VoidProcess, turns: StartedTurn[]) {
    for (const turn of turns) {
      expect(turn.turnId).not.toBeNull()
      expect(await client.whenEnded(at.url, turn.turnId!, performance.now() + patience.timeout)).toBe('done')
      const found = await client.look(at.url, turn)
      expect(found).toMatchObject({ questions: ['draft a boat'], drafts: 1 })
      expect(found.answers).toEqual([expect.stringContaining(finalText)])
      expect(await client.goOn(at.url, turn)).toBe(true)
    }
  }
})
