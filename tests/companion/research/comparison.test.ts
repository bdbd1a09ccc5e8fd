// A run that is run again after its sources have changed: what the comparison says, where it is shown, and which answers
// are marked as resting on what is no longer there.

import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel } from '../../../lib/ai/model.ts'
import type { ResearchComparison } from '../../../lib/contract/research-comparison.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { makeWorld, type World } from '../../helpers/world.ts'
import {
  claimsOf,
  createResearchClient,
  createStageModel,
  endOf,
  judgeSaying,
  numberOf,
  type ResearchClient,
  runOf,
} from './research-client.ts'

let model = createStageModel()
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
const { app, owner } = await buildApp({ callModel, namingQuietMs: 3_600_000 })
const url = await listen(app)
let world: World
let client: ResearchClient

beforeEach(async () => {
  model = createStageModel()
  world = await makeWorld({ owner })
  client = createResearchClient({ url, owner, space_id: world.space.id })
})

async function runThrough(): Promise<string> {
  const run = runOf(await client.ask('How does the lamp work?', 'quick'))
  expect(endOf(await client.resume(run))).toBe('end_turn')
  return run
}

async function runAgain(previous: string): Promise<string> {
  const frames = await client.post(`/api/research/${previous}/rerun`)
  expect(endOf(frames)).toBe('end_turn')
  return runOf(frames)
}

async function compare(run: string): Promise<ResearchComparison> {
  const { body } = await owner.get(`/api/research/${run}/comparison`).expect(200)
  return body
}

async function changeLamp(change: (body: string) => string): Promise<void> {
  const { body: page } = await owner.get(`/api/pages/${world.lamp.id}`)
  await owner
    .patch(`/api/pages/${world.lamp.id}`)
    .send({ version: page.version, body: change(page.body) })
    .expect(200)
}

const changesOf = ({ claims }: ResearchComparison) => claims.map(({ change, text }) => [change, text])

describe('a run that is run again', () => {
  test('finds the same ledger and the same verdicts while nothing has changed', async () => {
    const first = await runThrough()
    const second = await runAgain(first)

    const { passages, claims, ...ids } = await compare(second)
    const { counts } = await client.find(first)
    expect(ids).toEqual({ run_id: second, previous_id: first })
    expect(passages).toEqual({ same: counts.evidence, changed: 0, gone: 0, new: 0, items: [] })
    expect(claims.map(({ change, verdict }) => [change, verdict])).toEqual([
      ['same', 'quoted'],
      ['same', 'quoted'],
    ])
  })

  test('says that a source now says otherwise, even where the new answer is silent about it', async () => {
    const first = await runThrough()
    await changeLamp((body) => body.replace('twelve seconds', 'thirty seconds'))
    model.replies.write = (request) =>
      claimsOf({ text: 'The lamp burns rapeseed oil.', cites: [numberOf(request, 'rapeseed')] })
    const second = await runAgain(first)

    const found = await compare(second)
    expect(found.passages).toMatchObject({ changed: 1, gone: 0, new: 0 })
    expect(found.passages.items[0]).toMatchObject({ change: 'changed', entity_id: world.lamp.id })
    expect(changesOf(found)).toEqual([
      ['contradicted', 'The lamp turns once in twelve seconds.'],
      ['same', 'The lamp burns rapeseed oil.'],
    ])
    expect(found.claims[0]).toMatchObject({ id: null, previous_verdict: 'quoted', verdict: 'unchecked' })
    expect(found.claims[0]!.reasons.join(' ')).toContain('passage has “thirty')
  })

  test('calls a claim stale whose passage no longer says it, and never takes another value for the same claim', async () => {
    const first = await runThrough()
    await changeLamp((body) => body.replace('rapeseed oil', 'paraffin'))
    model.replies.write = (request) =>
      claimsOf(
        { text: 'The lamp turns once in twelve seconds.', cites: [numberOf(request, 'twelve seconds')] },
        { text: 'The lamp burns paraffin.', cites: [numberOf(request, 'paraffin')] },
      )
    const second = await runAgain(first)

    expect(changesOf(await compare(second))).toEqual([
      ['stale', 'The lamp burns rapeseed oil.'],
      ['new', 'The lamp burns paraffin.'],
      ['same', 'The lamp turns once in twelve seconds.'],
    ])
  })

  test('says that a claim gained support', async () => {
    model.replies.write = (request) =>
      claimsOf({ text: 'The lamp was made in Rotterdam.', cites: [numberOf(request, 'rapeseed')] })
    const first = await runThrough()
    expect((await client.find(first)).outcome).toBe('partly_checked')
    await changeLamp((body) => `${body}\n\nThe lamp was made in Rotterdam.`)
    const second = await runAgain(first)

    const [claim] = (await compare(second)).claims
    expect(claim).toMatchObject({ change: 'gained_support', verdict: 'quoted' })
  })

  test('matches a claim that is said in other words, and one that moved to another place', async () => {
    const first = await runThrough()
    await changeLamp((body) => `# Before\n\nA new beginning.\n\n${body}`)
    model.replies.judge = judgeSaying('supported')
    model.replies.write = (request) =>
      claimsOf(
        { text: 'Rapeseed oil is burned by the lamp.', cites: [numberOf(request, 'rapeseed')] },
        { text: 'Once in twelve seconds the lamp turns.', cites: [numberOf(request, 'twelve seconds')] },
      )
    const second = await runAgain(first)

    const { claims } = await compare(second)
    expect(claims.map(({ change }) => change)).toEqual(['same', 'same'])
    expect(claims.find(({ text }) => text.startsWith('Once'))?.previous_text).toBe(
      'The lamp turns once in twelve seconds.',
    )
  })

  test('has the comparison on the page that it drafts, and the first run has none', async () => {
    const first = await runThrough()
    await changeLamp((body) => body.replace('twelve seconds', 'thirty seconds'))
    model.replies.write = (request) =>
      claimsOf({ text: 'The lamp turns once in thirty seconds.', cites: [numberOf(request, 'thirty')] })
    const second = await runAgain(first)

    const bodyOf = async (run: string) => {
      const { pending_change_id } = await client.find(run)
      return (await owner.get(`/api/pending-changes/${pending_change_id}`)).body.payload.body
    }
    expect(await bodyOf(first)).not.toContain('Since the previous run')
    expect(await bodyOf(second)).toContain('## Since the previous run')
    expect(await bodyOf(second)).toContain('| quoted | unchecked | now contradicted |')
  })

  test('never finds its own page, which would vouch for what its sources no longer say', async () => {
    const first = await runThrough()
    const { pending_change_id } = await client.find(first)
    await owner.post(`/api/pending-changes/${pending_change_id}/approve`).send({}).expect(200)
    await changeLamp((body) => body.replace('twelve seconds', 'thirty seconds'))
    const second = await runAgain(first)

    const { body: ledger } = await owner.get(`/api/research/${second}/evidence`)
    expect(ledger.items.filter(({ text }: { text: string }) => text.includes('twelve seconds'))).toEqual([])
    expect((await compare(second)).claims[0]!.change).toBe('contradicted')
  })

  test('has no comparison before it is finished, and a run that repeats none has none', async () => {
    const first = await runThrough()

    const alone = await owner.get(`/api/research/${first}/comparison`)
    expect(alone.status).toBe(409)
    expect(alone.body.error).toMatchObject({ code: 'no_comparison', details: { previous_id: null } })
    model.replies.write = { text: 'No.', stopReason: 'refusal' }
    const frames = await client.post(`/api/research/${first}/rerun`, { depth: 'quick' })
    expect((await owner.get(`/api/research/${runOf(frames)}/comparison`)).status).toBe(200)
  })
})

describe('an answer whose sources change', () => {
  test('counts the cited passages that are no longer there, whatever else changed', async () => {
    const run = await runThrough()
    const counted = async () => (await client.find(run)).cited_passages
    const before = await counted()
    await owner
      .post(`/api/spaces/${world.space.id}/pages`)
      .send({ title: 'Lamp oil', body: 'The lamp has a wick.' })
    const unrelated = await counted()
    await changeLamp((body) => `Another paragraph before all others.\n\n${body}`)
    const moved = await counted()
    await changeLamp((body) => body.replace('twelve', 'thirteen'))
    const changed = await counted()

    expect(before.changed).toBe(0)
    expect(before.total).toBeGreaterThan(0)
    expect(unrelated).toEqual(before)
    expect(moved).toEqual(before)
    expect(changed).toEqual({ ...before, changed: 1 })
  })

  test('counts those of a page in the trash, and not once it is restored', async () => {
    const run = await runThrough()
    const { body: page } = await owner.get(`/api/pages/${world.lamp.id}`)
    await owner.delete(`/api/pages/${page.id}`).send({ version: page.version }).expect(200)
    const gone = (await client.find(run)).cited_passages
    await owner.post(`/api/pages/${page.id}/restore`).send({}).expect(200)

    expect(gone.changed).toBe(gone.total)
    expect((await client.find(run)).cited_passages.changed).toBe(0)
  })

  test('is found by the page that was drafted from it, whatever the owner edits there', async () => {
    const run = await runThrough()
    const { pending_change_id } = await client.find(run)
    const { body: draft } = await owner.get(`/api/pending-changes/${pending_change_id}`)
    await owner.post(`/api/pending-changes/${pending_change_id}/approve`).send({}).expect(200)
    const { body: page } = await owner.get(`/api/pages/${draft.entity_id}`)
    await owner.patch(`/api/pages/${page.id}`).send({ version: page.version, title: 'Mine' }).expect(200)

    const list = async (page_id: string) =>
      (await owner.get(`/api/spaces/${world.space.id}/research?page_id=${page_id}`)).body.items
    expect((await list(page.id)).map(({ id }: { id: string }) => id)).toEqual([run])
    expect(await list(world.lamp.id)).toEqual([])
    expect((await owner.get(`/api/pages/${page.id}`)).body.origin).toBe('agent')
  })
})

test('the passages of another Space do not count as sources', async () => {
  const run = await runThrough()
  const other = createResearchClient({ url, owner, space_id: world.other.id })
  const strange = runOf(await other.ask('How does the lamp work?', 'quick'))
  await other.resume(strange)

  expect((await other.find(strange)).cited_passages).toEqual({ total: 0, changed: 0 })
  expect((await client.find(run)).cited_passages.changed).toBe(0)
})
