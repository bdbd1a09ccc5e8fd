// A release is rolled out server by server: the one before goes on with the new schema, by itself and beside the new one.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { databaseEnv, directUrlOf } from '../helpers/direct-url.ts'
import { checkOutLastRelease, hasLastRelease, type Release } from '../helpers/last-release.ts'
import { runScript } from '../helpers/run-script.ts'
import { startVoidProcess, type VoidProcess } from '../helpers/void-process.ts'
import { type CrashClient, createTurnClient } from '../tools/crash/crash-client.ts'
import { makeCrashDatabase } from '../tools/crash/crash-database.ts'
import { type CrashModel, finalText, startCrashModel } from '../tools/crash/crash-model.ts'

const patience = { timeout: 120_000, interval: 100 }
type Which = 'last' | 'this'

/** Servers that run at once need a database that they share, and the code of the last release its commit. */
const missing = [
  ...(inject('postgresTemplate') ? [] : ['TEST_DATABASE_URL']),
  ...(hasLastRelease() ? [] : ['the history of this repository']),
]
const reason = missing.length > 0 ? ` (skipped without ${missing.join(' and ')})` : ''

describe.skipIf(missing.length > 0)(`while a release is rolled out${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'void-rolling-'))
  const secretsKey = randomBytes(32).toString('base64')
  const client: CrashClient = createTurnClient()
  const servers = new Map<Which, VoidProcess>()
  let release: Release
  let model: CrashModel
  let database: Awaited<ReturnType<typeof makeCrashDatabase>>

  beforeAll(async () => {
    release = checkOutLastRelease()
    model = await startCrashModel()
    database = await makeCrashDatabase()
  })

  afterAll(async () => {
    for (const server of servers.values()) server.kill()
    await Promise.all([...servers.values()].map(({ gone }) => gone))
    await model.close()
    await database.drop()
    release.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A server of a release, which is started where none runs. */
  async function server(which: Which): Promise<VoidProcess> {
    const running = servers.get(which)
    if (running) return running
    const env = {
      DATA_DIR: join(folder, which),
      OWNER_TOKEN: client.token,
      SECRETS_KEY: secretsKey,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'rolling',
      ROUTER_MODEL: 'none',
      // The last release says something to a new connection that not every pooler takes.
      ...databaseEnv(which === 'last' ? (directUrlOf(database.url!) ?? database.url) : database.url),
    }
    const started = await startVoidProcess(
      env,
      which === 'last' ? { serverScript: release.serverScript } : {},
    )
    servers.set(which, started)
    return started
  }

  async function kill(which: Which): Promise<void> {
    const killed = servers.get(which)
    servers.delete(which)
    killed?.kill()
    await killed?.gone
  }

  async function call(
    { url }: VoidProcess,
    method: 'get' | 'post' | 'patch',
    path: string,
    body: object = {},
  ) {
    const sent = request(url)[method](path).set('authorization', `Bearer ${client.token}`)
    const response = await (method === 'get' ? sent : sent.send(body))
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return response.body
  }

  /** A question, its answer, and what was drafted for it: begun at one server, read and approved at another. */
  async function mainJob(at: VoidProcess, then: VoidProcess) {
    const turn = await client.begin(at.url, await client.prepare(at.url))
    expect(turn.turnId).not.toBeNull()
    expect(await client.whenEnded(then.url, turn.turnId!, performance.now() + patience.timeout)).toBe('done')
    const found = await client.look(then.url, turn)
    expect(found).toMatchObject({ questions: ['draft a boat'], drafts: 1 })
    expect(found.answers[0]).toContain(finalText)

    const drafts = await call(then, 'get', `/api/pending-changes?space_id=${turn.spaceId}`)
    await call(then, 'post', `/api/pending-changes/${drafts.items[0].id}/approve`)
    const tasks = await call(at, 'get', `/api/spaces/${turn.spaceId}/tasks`)
    expect(tasks.items).toHaveLength(1)

    const page = await call(at, 'post', `/api/spaces/${turn.spaceId}/pages`, {
      title: 'Lamp',
      body: 'The oil is paraffin.\n\nkeeper: Ann #lamp',
    })
    const changed = await call(then, 'patch', `/api/pages/${page.id}`, {
      version: page.version,
      body: 'The oil is rapeseed.',
    })
    const hits = await call(at, 'get', `/api/search?space_id=${turn.spaceId}&q=rapeseed`)
    expect(hits.items[0]).toMatchObject({ entity_id: page.id })
    const history = await call(at, 'get', `/api/pages/${page.id}/history`)
    await call(at, 'post', `/api/audit/${history.items[0].seq}/undo`)
    expect(await call(then, 'get', `/api/pages/${page.id}`)).toMatchObject({
      body: page.body,
      version: changed.version + 1,
    })
    expect(await client.goOn(then.url, turn)).toBe(true)
  }

  /** The id of a turn that runs in a conversation, once one does. */
  async function runningTurn(conversationId: string): Promise<string> {
    const db = new pg.Client({ connectionString: database.url })
    await db.connect()
    try {
      return await vi.waitUntil(async () => {
        const { rows } = await db.query<{ id: string }>('select id from turns where conversation_id = $1', [
          conversationId,
        ])
        return rows[0]?.id
      }, patience)
    } finally {
      await db.end()
    }
  }

  test('the last release does its main job on the new schema', async () => {
    const last = await server('last')

    await mainJob(last, last)
  }, 300_000)

  test('both do it together, each going on where the other began', async () => {
    const [last, next] = [await server('last'), await server('this')]

    await mainJob(last, next)
    await mainJob(next, last)
  }, 300_000)

  test.each([
    ['this release ends a turn of a server of the last one that was killed', 'last', 'this'],
    ['the last release ends a turn of a server of this one that was killed', 'this', 'last'],
  ] as const)(
    '%s',
    async (_name, killedRelease, otherRelease) => {
      const [killed, other] = [await server(killedRelease), await server(otherRelease)]
      const prepared = await client.prepare(killed.url)
      const begun = client.begin(killed.url, prepared)
      const turnId = await runningTurn(prepared.conversationId)

      await Promise.all([kill(killedRelease), begun])

      expect(await client.whenEnded(other.url, turnId, performance.now() + patience.timeout)).toBe('done')
      const found = await client.look(other.url, { ...prepared, turnId })
      expect(found).toMatchObject({ questions: ['draft a boat'], drafts: 1 })
      expect(found.answers).toHaveLength(1)
    },
    300_000,
  )

  test('no history was refused by the model, and the audit log of both is whole', async () => {
    const { code, out, error } = await runScript('lib/server/cli/verify-audit.ts', [], {
      env: databaseEnv(database.url),
      cwd: folder,
    })

    expect(`${out}${error}`).toMatch(/All [1-9]\d* rows verified; none is missing/)
    expect(code).toBe(0)
    expect(model.refusals).toEqual([])
  }, 300_000)
})
