// Calls that wait for the owner: drafted in a turn, decided like any draft, made once.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import { runCalls } from '../../../lib/outside/sources/call-runner.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { companion } from '../../helpers/one-turn.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType, takeTurn } from '../../helpers/turn-client.ts'
import { makeWorld } from '../../helpers/world.ts'
import { fakeSource, reference } from './source-helpers.ts'

const folder = mkdtempSync(join(tmpdir(), 'void-calls-'))
const log = join(folder, 'log')
let script: ScriptedStep[] = []
const model = scriptedModel(Array.from({ length: 200 }, () => () => script.shift() ?? { text: 'Done.' }))
const void_ = await buildApp({ callModel: model })
const { owner, deps } = void_
const url = await listen(void_.app)
const world = await makeWorld(void_)
const at = `/api/spaces/${world.space.id}`
let sourceId = ''

afterAll(async () => {
  await deps.callRunner.settled()
  await deps.connections.close()
  rmSync(folder, { recursive: true })
})

beforeAll(async () => {
  const { body } = await owner
    .post(`${at}/sources`)
    .send(fakeSource('', { LOG: log }))
    .expect(201)
  sourceId = body.id
  await owner.post(`/api/sources/${sourceId}/test`).expect(200)
})

beforeEach(() => rmSync(log, { force: true }))

const made = () =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

const ask = async (text: string) => await takeTurn({ url, space_id: world.space.id, body: { text } })

/** A turn that drafts these calls; the drafts. */
async function draft(...texts: string[]) {
  const tools = texts.map((text, index) => ({
    id: `toolu_${crypto.randomUUID()}_${index}`,
    name: 'call_tool',
    input: { source: 'Fake', tool: 'delete_all', arguments: { text }, reason: 'You asked.' },
  }))
  script = [{ tools }, { text: 'Drafted.' }]
  const frames = await ask('Delete it.')
  const ids = ofType(frames, 'draft').map(({ data }) => data.pending_change_id)
  return await Promise.all(ids.map(async (id) => (await owner.get(`/api/pending-changes/${id}`)).body))
}

const runOf = async (id: string) => (await owner.get(`/api/pending-changes/${id}`)).body.card.call
const ended = async (id: string) => {
  await expect.poll(async () => (await runOf(id))?.state, { timeout: 10_000 }).toMatch(/done|failed|unknown/)
  return await runOf(id)
}

describe('a tool that asks', () => {
  test('is not called: the call waits as a draft with a card of its own', async () => {
    const [change] = await draft('everything')

    expect(change).toMatchObject({
      action: 'call',
      entity_type: 'call',
      status: 'pending',
      base_version: null,
      payload: {
        source: 'Fake',
        source_id: sourceId,
        tool: 'delete_all',
        arguments: '{\n  "text": "everything"\n}',
      },
      card: {
        operation: 'call',
        title: 'Fake › delete_all',
        summary: 'Call ‘delete_all’ of the source ‘Fake’',
        note: 'You asked.',
        call: null,
      },
    })
    expect(change.card.warnings).toContainEqual(expect.objectContaining({ code: 'outside_call' }))
    expect(made()).toEqual([])
  })

  test('is called once when the owner approves, with those very arguments; result, audit and outcome follow', async () => {
    const [change] = await draft('the page about the lamp')

    const approved = await owner
      .post(`/api/pending-changes/${change.id}/approve`)
      .send({ payload_sha256: change.payload_sha256 })
    const again = await owner.post(`/api/pending-changes/${change.id}/approve`).send({})
    const run = await ended(change.id)
    const result = await owner.get(`/api/tool-results/${run.result_id}`)
    const audit = await owner.get(`/api/audit?entity_id=${change.entity_id}`)
    script = [
      { tools: [{ name: 'call_tool', input: { result: run.result_id } }] },
      { text: 'It says “the page about the lamp”.' },
    ]
    const frames = await ask('What came of it?')
    const told = JSON.stringify(model.requests.at(-2)?.messages.at(-1))

    expect([approved.status, again.status]).toEqual([200, 200])
    expect(made()).toEqual([{ name: 'delete_all', args: { text: 'the page about the lamp' } }])
    expect(run).toMatchObject({ state: 'done', error: null, started_at: expect.any(String) })
    expect(result.body).toMatchObject({ text: 'delete_all: the page about the lamp', tool: 'delete_all' })
    expect(audit.status).toBe(200)
    expect(JSON.stringify(audit.body)).toContain('"action":"call"')
    expect(told).toContain(run.result_id)
    expect(told).toContain('\\"call\\":\\"done\\"')
    expect(ofType(frames, 'citation')[0]?.data).toMatchObject({ kind: 'tool_result', checked: true })
  })

  test('is called with the owner’s arguments when those are edited, and with nothing else', async () => {
    const [change] = await draft('all')
    const approve = (edited: object) =>
      owner.post(`/api/pending-changes/${change.id}/approve`).send({ edited })

    const other = await approve({ tool: 'echo' })
    const broken = await approve({ arguments: '{ "text": ' })
    const list = await approve({ arguments: '[1]' })
    const edited = await approve({ arguments: '{ "text": "one" }' })
    await ended(edited.body.id)

    expect([other.status, broken.status, list.status, edited.status]).toEqual([400, 400, 400, 200])
    expect(made()).toEqual([{ name: 'delete_all', args: { text: 'one' } }])
  })

  test('is not called when the owner rejects, nor in part, nor with another hash', async () => {
    const [change] = await draft('no')
    const path = `/api/pending-changes/${change.id}`

    const part = await owner.post(`${path}/approve`).send({ fields: ['arguments'] })
    const mismatch = await owner.post(`${path}/approve`).send({ payload_sha256: '0'.repeat(64) })
    const rejected = await owner.post(`${path}/reject`).send({ reason: 'Never.' })
    const late = await owner.post(`${path}/approve`).send({})
    await deps.callRunner.settled()

    expect([part.status, mismatch.status, rejected.status, late.status]).toEqual([400, 409, 200, 409])
    expect(made()).toEqual([])
  })

  test('is called once by ten owners at once', async () => {
    const [change] = await draft('race')

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => owner.post(`/api/pending-changes/${change.id}/approve`).send({})),
    )
    await ended(change.id)

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(made()).toHaveLength(1)
  })

  test('is called in the order of a changeset, which a preview does not call', async () => {
    const [first, second] = await draft('first', 'second')
    const payloads = { [first.id]: first.payload_sha256, [second.id]: second.payload_sha256 }

    const preview = await owner.get(`/api/changesets/${first.changeset_id}/preview`)
    await deps.callRunner.settled()
    const before = made()
    const approved = await owner.post(`/api/changesets/${first.changeset_id}/approve`).send({ payloads })
    await ended(first.id)
    await ended(second.id)

    expect(preview.status).toBeLessThan(500)
    expect(before).toEqual([])
    expect(approved.status).toBe(200)
    expect(made().map(({ args }) => args.text)).toEqual(['first', 'second'])
  })

  test('is not even drafted for an agent that may only read', async () => {
    const reader = { ...companion, capabilities: { read: true, suggest: false, write: false } }
    const call = {
      ...{ space_id: world.space.id, source: 'Fake', tool: 'delete_all', arguments: { text: 'no' } },
      ...{ turn: null, tool_use_id: null, reason: '', signal: new AbortController().signal },
    }

    await expect(deps.outsideTools.call(reader, call)).rejects.toMatchObject({ status: 403 })
    expect(made()).toEqual([])
  })

  test('cannot be undone, and the answer says so', async () => {
    const [change] = await draft('undo me')
    await owner.post(`/api/pending-changes/${change.id}/approve`).send({})
    await ended(change.id)

    const undo = await owner.post(`/api/pending-changes/${change.id}/undo`).send({})

    expect(undo.status).toBe(409)
    expect(undo.body.error).toMatchObject({
      code: 'not_undoable',
      message: expect.stringContaining('outside of Void'),
    })
  })

  test('is not called when it changed, or was set to off, since the draft was made', async () => {
    const [off, changed] = [...(await draft('off')), ...(await draft('changed'))]
    await owner.patch(`/api/sources/${sourceId}/tools/delete_all`).send({ policy: 'off' }).expect(200)
    await owner.post(`/api/pending-changes/${off.id}/approve`).send({})
    const first = await ended(off.id)
    await owner.patch(`/api/sources/${sourceId}/tools/delete_all`).send({ policy: 'ask' }).expect(200)
    await deps.database.query(
      `update source_tools
       set definition = definition || ' ', sha256 = encode(sha256(convert_to(definition || ' ', 'UTF8')), 'hex')
       where name = 'delete_all'`,
      [],
    )
    await owner.post(`/api/pending-changes/${changed.id}/approve`).send({})
    const second = await ended(changed.id)
    await owner.patch(`/api/sources/${sourceId}/tools/delete_all`).send({ policy: 'ask' }).expect(200)

    expect([first.state, second.state]).toEqual(['failed', 'failed'])
    expect([first.error, second.error]).toEqual([
      expect.stringContaining('has not allowed'),
      expect.stringContaining('has changed'),
    ])
    expect(made()).toEqual([])
  })

  test.each([
    ['says that it failed', 'fail', 'failed', 'No such day.'],
    ['dies while it is called', 'die', 'unknown', 'The source failed'],
    ['answers with 100 MB', 'huge', 'unknown', 'The source failed'],
  ])('that %s is not called again', async (_name, text, state, error) => {
    const [change] = await draft(text)
    await owner.post(`/api/pending-changes/${change.id}/approve`).send({})
    const run = await ended(change.id)
    deps.callRunner.kick()
    await deps.callRunner.settled()

    expect(run).toMatchObject({ state, error: expect.stringContaining(error) })
    expect(made()).toHaveLength(1)
  })

  test('and was running when its server ended is unknown, and never called again', async () => {
    const [change] = await draft('crash')
    // As a server leaves it that dies right after the claim.
    await deps.database.query('alter table calls disable trigger calls_are_run', [])
    await owner.post(`/api/pending-changes/${change.id}/approve`).send({})
    await deps.callRunner.settled()
    await deps.database.query('alter table calls enable trigger calls_are_run', [])
    await deps.database.query(
      `insert into call_runs (call_id, state, started_at) values ($1, 'running', now())`,
      [change.entity_id],
    )

    await runCalls(
      {
        ...{ database: deps.database, kinds: deps.kinds, now: () => new Date(), onEnd: async () => {} },
        logger: createLogger('silent'),
        callTool: () => Promise.reject(new Error('called again')),
      },
      new AbortController().signal,
    )

    expect(await runOf(change.id)).toMatchObject({
      state: 'unknown',
      error: expect.stringContaining('server ended'),
    })
    expect(made()).toEqual([])
    await expect(
      deps.database.query(`update call_runs set state = 'approved' where call_id = $1`, [change.entity_id]),
    ).rejects.toThrow('a call goes from unknown to approved')
  })
})

test('a real file is written only when the owner approves', async () => {
  const file = join(folder, 'note.txt')
  const { body: source } = await owner.post(`${at}/sources`).send(reference('server-filesystem', [folder]))
  await owner.post(`/api/sources/${source.id}/test`).expect(200)
  script = [
    {
      tools: [
        {
          name: 'call_tool',
          input: {
            source: source.name,
            tool: 'write_file',
            arguments: { path: file, content: 'Six bells.' },
          },
        },
      ],
    },
    { text: 'Drafted.' },
  ]
  const frames = await ask('Write it down.')
  const [change] = ofType(frames, 'draft')
  const before = existsSync(file)

  await owner.post(`/api/pending-changes/${change?.data.pending_change_id}/approve`).send({})
  const run = await ended(String(change?.data.pending_change_id))

  expect(before).toBe(false)
  expect(run.state).toBe('done')
  expect(readFileSync(file, 'utf8')).toBe('Six bells.')
})

test('no route, list, search or export knows calls as things of the Space', async () => {
  const answers = await Promise.all([owner.get(`${at}/calls`), owner.post(`${at}/calls`).send({})])
  const found = await owner.get(`/api/search?q=delete_all&space_id=${world.space.id}`)

  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  expect(JSON.stringify(found.body)).not.toContain('"call"')
})
