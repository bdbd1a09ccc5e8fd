// Where research looks beside the pages of a Space: its mail, and a source that searches. What they say is evidence from
// outside, and whatever goes wrong there costs the run a sentence.

import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import type { ResearchEvidence } from '../../../lib/contract/research.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { ofType } from '../../helpers/turn-client.ts'
import { makeWorld, type World } from '../../helpers/world.ts'
import { deliver } from '../../outside/mail/deliver.ts'
import { writeMail } from '../../outside/mail/write-mail.ts'
import { fakeSource, useProposed } from '../../outside/sources/source-helpers.ts'
import {
  claimsOf,
  contentOf,
  createResearchClient,
  createStageModel,
  endOf,
  numberOf,
  type ResearchClient,
  runOf,
} from './research-client.ts'

let model = createStageModel()
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
const void_ = await buildApp({ callModel, namingQuietMs: 3_600_000, callMs: 300 })
const { owner, deps } = void_
const url = await listen(void_.app)
afterAll(() => deps.connections.close())
let world: World
let client: ResearchClient

beforeEach(async () => {
  model = createStageModel()
  world = await makeWorld({ owner })
  client = createResearchClient({ url, owner, space_id: world.space.id })
})

async function runThrough(depth: 'quick' | 'standard' = 'standard') {
  const run = runOf(await client.ask('How does the lamp work?', depth))
  const frames = await client.resume(run)
  expect(endOf(frames)).toBe('end_turn')
  return { run, frames }
}

async function ledgerOf(run: string): Promise<ResearchEvidence[]> {
  return (await owner.get(`/api/research/${run}/evidence?limit=200`)).body.items
}

async function draftOf(run: string) {
  const { pending_change_id } = await client.find(run)
  return (await owner.get(`/api/pending-changes/${pending_change_id}`)).body
}

/** A source that searches and answers this; `calls` is what it was asked so far. */
async function connectSearch(answer: string, { name = 'Web', use = true } = {}) {
  const log = join(mkdtempSync(join(tmpdir(), 'void-search-')), 'calls')
  const settings = { ...fakeSource('search', { ANSWER: answer, LOG: log }), name }
  const { id } = (await owner.post(`/api/spaces/${world.space.id}/sources`).send(settings).expect(201)).body
  if (use) await useProposed({ owner }, id)
  const calls = (): string[] => {
    try {
      const lines = readFileSync(log, 'utf8').trim().split('\n')
      return lines.map((line) => JSON.parse(line).args.query)
    } catch {
      return []
    }
  }
  return { id, calls }
}

const page = {
  title: 'Lamps of the <b>coast</b>',
  url: 'https://lamps.example/coast?a=(1)',
  snippet: 'The lamp of Skerry was lit in 1871.',
}
const webAnswer = JSON.stringify({ web: { results: [page, { url: 'https://nothing.example' }] } })

describe('mail', () => {
  const offer = () =>
    deliver(
      deps,
      world.space.id,
      writeMail({ subject: 'Oil', body: 'The lamp burns two barrels of oil a month, says the trader.' }),
    )

  test('is evidence at every depth, from outside, and taints the page', async () => {
    const message = await offer()
    model.replies.write = (request) =>
      claimsOf({
        text: 'The lamp burns two barrels of oil a month.',
        cites: [numberOf(request, 'two barrels')],
      })
    const { run, frames } = await runThrough('quick')

    const found = (await ledgerOf(run)).find(({ entity_id }) => entity_id === message)
    expect(found).toMatchObject({
      entity_type: 'mail_message',
      origin: 'mail',
      untrusted: true,
      title: 'Oil',
    })
    expect(ofType(frames, 'tool').map(({ data }) => data.tool)).toContain('search_email')
    const { payload, provenance } = await draftOf(run)
    expect(payload.body).toContain(`/s/${world.space.slug}/mail/${message})`)
    expect(provenance.sources).toContainEqual(
      expect.objectContaining({ entity_id: message, origin: 'mail', untrusted: true }),
    )
    expect((await client.find(run)).cited_passages).toEqual({ total: 1, changed: 0 })
  })

  test('does not crowd out what the owner keeps', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        deliver(
          deps,
          world.space.id,
          writeMail({
            subject: `Lamp ${n}`,
            body: `How often does the lamp turn? Lamp news ${n}, lamp, lamp.`,
          }),
        ),
      ),
    )
    const { run } = await runThrough('quick')

    const ledger = await ledgerOf(run)
    expect(ledger.slice(0, 3).some(({ entity_id }) => entity_id === world.lamp.id)).toBe(true)
    expect((await client.find(run)).outcome).toBe('checked')
  })

  test('of another Space is not found, and none is looked for where there is none', async () => {
    await deliver(
      deps,
      world.other.id,
      writeMail({ subject: 'Lamp', body: 'The lamp of the harbour is secret.' }),
    )
    const { run, frames } = await runThrough('quick')

    expect((await ledgerOf(run)).filter(({ entity_type }) => entity_type === 'mail_message')).toEqual([])
    expect(ofType(frames, 'tool').map(({ data }) => data.tool)).not.toContain('search_email')
  })
})

describe('a source that searches', () => {
  test('is asked each sub-question, and what it says is evidence from outside with its address', async () => {
    const { calls } = await connectSearch(webAnswer)
    model.replies.write = (request) =>
      claimsOf({ text: 'The lamp of Skerry was lit in 1871.', cites: [numberOf(request, '1871')] })
    const { run, frames } = await runThrough()

    const found = (await ledgerOf(run)).filter(({ n }) => n.startsWith('W'))
    expect(found).toEqual([
      expect.objectContaining({
        n: 'W1',
        entity_type: 'tool_result',
        title: 'Lamps of the coast',
        text: page.snippet,
        origin: 'web',
        untrusted: true,
        address: 'https://lamps.example/coast?a=(1)',
        sub_questions: [0, 1],
      }),
    ])
    expect(new Set(calls())).toEqual(new Set(['How often does the lamp turn?', 'What does the lamp burn?']))
    const [citation] = ofType(frames, 'citation')
    expect(citation?.data).toMatchObject({ kind: 'tool_result', id: found[0]!.entity_id, checked: true })
    expect((await owner.get(`/api/tool-results/${found[0]!.entity_id}`)).body.text).toBe(webAnswer)
    const { payload, provenance, card } = await draftOf(run)
    expect(payload.body).toContain('[W1] Lamps of the coast <https://lamps.example/coast?a=(1)>: “')
    expect(provenance.sources).toContainEqual(
      expect.objectContaining({
        entity_type: 'tool_result',
        origin: 'mcp',
        untrusted: true,
        given_by: 'tool',
      }),
    )
    expect(card.warnings.length).toBeGreaterThan(0)
    expect(provenance.quotes).toContainEqual(
      expect.objectContaining({
        quote: page.snippet,
        verdict: 'verbatim',
        source: { entity_type: 'tool_result', entity_id: found[0]!.entity_id, title: 'Web › web_search' },
      }),
    )
    expect((await client.find(run)).cited_passages).toEqual({ total: 0, changed: 0 })
  })

  test('is looked at for the terms of the plan, too', async () => {
    await connectSearch(webAnswer)
    await runThrough()

    const { found } = contentOf(model.requests[model.calls.indexOf('calibrate')]!)
    expect(found).toContainEqual({ title: 'Lamps of the coast', text: page.snippet })
  })

  test.each([
    ['at depth quick', async () => (await connectSearch(webAnswer)).calls, 'quick'],
    [
      'while each call needs the owner’s approval',
      async () => {
        const { id, calls } = await connectSearch(webAnswer)
        await owner.patch(`/api/sources/${id}/tools/web_search`).send({ policy: 'ask' }).expect(200)
        return calls
      },
      'standard',
    ],
    [
      'while the owner has not looked at its tools',
      async () => (await connectSearch(webAnswer, { use: false })).calls,
      'standard',
    ],
    [
      'while it is disabled',
      async () => {
        const { id, calls } = await connectSearch(webAnswer)
        await owner.patch(`/api/sources/${id}`).send({ enabled: false }).expect(200)
        return calls
      },
      'standard',
    ],
  ] as const)('is not asked %s', async (_when, connect, depth) => {
    const calls = await connect()
    const { run } = await runThrough(depth)

    expect(calls()).toEqual([])
    expect((await ledgerOf(run)).every(({ n }) => /^\d+$/.test(n))).toBe(true)
    const { body } = await owner.get(`/api/pending-changes?space_id=${world.space.id}`)
    expect(body.items).toHaveLength(1)
  })

  test.each([
    ['dies', 'die', 'Web” was left out'],
    ['never answers', 'hang', 'Web” was left out'],
    ['says that it failed', 'fail', 'No credit left.'],
  ])('that %s costs the run a sentence, and is not asked again', async (_what, answer, words) => {
    const { calls } = await connectSearch(answer)
    const { run } = await runThrough()

    const stored = await client.find(run)
    expect(stored.outcome).toBe('checked')
    expect(stored.stages.find(({ stage }) => stage === 'retrieve')?.summary).toContain(words)
    expect((await draftOf(run)).payload.body).toContain('was left out')
    // Once to calibrate, once to retrieve.
    expect(calls()).toHaveLength(2)
  })

  test('is replaced by the next one when it fails', async () => {
    await connectSearch('fail', { name: 'A dead one' })
    await connectSearch(webAnswer, { name: 'Web' })
    const { run } = await runThrough()

    expect((await ledgerOf(run)).map(({ n }) => n)).toContain('W1')
  })

  test('that says too much, or gives orders, stays within the limits and is only quoted', async () => {
    await connectSearch('flood')
    const { run } = await runThrough()

    const ledger = await ledgerOf(run)
    expect(ledger.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(48_000)
    expect(ledger.every(({ text }) => text.length <= 2000)).toBe(true)
    expect(ledger.every(({ address }) => address === null || address.startsWith('https://'))).toBe(true)
    expect(model.requests.every(({ tools }) => tools.length === 0)).toBe(true)
    expect((await owner.get(`/api/spaces/${world.space.id}/pages`)).body.items).toHaveLength(2)
  })
})
