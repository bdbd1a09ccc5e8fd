// Runs that outlive their server, a stop, a failing model and their budget: nothing that was found is lost, and no call is
// paid twice but the one that was cut off.

import { beforeEach, describe, expect, test } from 'vitest'
import { type CallModel, ModelError } from '../../../lib/ai/model.ts'
import type { ResearchStageName } from '../../../lib/contract/research.ts'
import type { Database } from '../../../lib/db/pool.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { expireLeases, mortal } from '../../helpers/servers.ts'
import { testDb } from '../../helpers/test-db.ts'
import { answerOf, type Frame, followTurn, ofType, postTurn, readFrames } from '../../helpers/turn-client.ts'
import { makeWorld, type World } from '../../helpers/world.ts'
import {
  claimsOf,
  createResearchClient,
  createStageModel,
  endOf,
  judgeSaying,
  type lampAnswer,
  lampPlan,
  noCorrections,
  numberOf,
  type ResearchClient,
  runOf,
  type StageCall,
  stagesOf,
} from './research-client.ts'

const database = await testDb()
let model = createStageModel()
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
const modelPrices = new Map([['scripted', { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }]])
const { owner, deps, app } = await buildApp({ database, callModel, modelPrices, namingQuietMs: 3_600_000 })
const url = await listen(app)
let world: World
let client: ResearchClient

beforeEach(async () => {
  model = createStageModel(usual)
  world = await makeWorld({ owner })
  client = createResearchClient({ url, owner, space_id: world.space.id })
})

const question = 'How does the lamp work?'
const usual: Record<StageCall, typeof lampAnswer> = {
  plan: lampPlan,
  calibrate: noCorrections,
  // The second in other words, for the judge.
  write: (request) =>
    claimsOf(
      { text: 'The lamp turns once in twelve seconds.', cites: [numberOf(request, 'twelve seconds')] },
      { text: 'The lamp runs on rapeseed oil.', cites: [numberOf(request, 'rapeseed')] },
    ),
  judge: judgeSaying('supported'),
}

/** A server that dies when it begins a stage, or, with `inside`, in the call of one. */
async function startDoomed(at: { stage?: ResearchStageName; inside?: StageCall }) {
  const { database: dying, kill } = mortal(database)
  const dead = Promise.withResolvers<void>()
  const die = () => {
    kill()
    dead.resolve()
  }
  const watched: Database = {
    ...dying,
    async query(text, values) {
      const begins = text.includes('insert into research_stages') && values?.[4] === at.stage
      if (!begins) return await dying.query(text, values)
      die()
      throw new Error('killed')
    },
  }
  const built = await buildApp({
    database: watched,
    modelPrices,
    namingQuietMs: 3_600_000,
    async callModel(request) {
      const step = await model.step(request)
      if (model.calls.at(-1) !== at.inside) return await scriptedModel([step])(request)
      die()
      return await new Promise(() => {})
    },
  })
  return { at: await listen(built.app), dead: dead.promise }
}

/** Another server takes over what the dead one ran, and this is what its readers get. */
async function takeOver(turnId: string): Promise<Frame[]> {
  await expireLeases(database)
  const stop = await deps.companion.startRecovery()
  const frames = await Array.fromAsync(readFrames(await followTurn(url, turnId)))
  stop()
  return frames
}

async function begin({ at, dead }: { at: string; dead?: Promise<void> }, body: object): Promise<string> {
  const response = await postTurn({ url: at, space_id: world.space.id, body: { text: 'go on', ...body } })
  const [opening] = [(await readFrames(response).next()).value]
  if (opening?.type !== 'turn') throw new Error('a turn began otherwise')
  await dead
  return opening.data.turn_id
}

const countCalls = () =>
  Object.fromEntries(
    [...Map.groupBy(model.calls, (name) => name)].map(([name, { length }]) => [name, length]),
  )

async function expectWhole(run: string): Promise<void> {
  const stored = await client.find(run)
  expect(stored).toMatchObject({ status: 'done', outcome: 'checked' })
  expect(stored.counts).toMatchObject({ claims: 2, supported: 2 })
  const { body: drafts } = await owner.get(`/api/pending-changes?space_id=${world.space.id}`)
  expect(drafts.items.map(({ id }: { id: string }) => id)).toEqual([stored.pending_change_id])
}

describe('a server that dies', () => {
  test('as it begins the first stage leaves a run that another one plans, once', async () => {
    const doomed = await startDoomed({ stage: 'analyze_query' })
    const turn = await begin(doomed, { text: question, research: 'standard' })
    const frames = await takeOver(turn)

    expect(endOf(frames)).toBe('paused')
    expect(countCalls()).toEqual({ plan: 1 })
    expect((await client.find(runOf(frames))).status).toBe('paused')
  })

  test.each(['websearch_calibration', 'retrieve', 'synthesize', 'verify', 'output'] as const)(
    'as it begins %s is replaced by another one, which calls nothing again',
    async (stage) => {
      const run = runOf(await client.ask(question, 'standard'))
      const turn = await begin(await startDoomed({ stage }), {})
      const frames = await takeOver(turn)

      expect(endOf(frames)).toBe('end_turn')
      expect(countCalls()).toEqual({ plan: 1, calibrate: 1, write: 1, judge: 1 })
      await expectWhole(run)
    },
  )

  test.each(['calibrate', 'write', 'judge'] as const)(
    'in the call of %s is replaced by another one, which makes that call alone again and counts both',
    async (inside) => {
      const run = runOf(await client.ask(question, 'standard'))
      const turn = await begin(await startDoomed({ inside }), {})
      const frames = await takeOver(turn)

      expect(endOf(frames)).toBe('end_turn')
      expect(countCalls()).toEqual({ plan: 1, calibrate: 1, write: 1, judge: 1, [inside]: 2 })
      await expectWhole(run)
      const cut = (await client.find(run)).stages.find(({ status }) => status === 'failed')
      expect(cut?.tokens).toBeGreaterThan(1000)
      expect(cut?.cost).toBeGreaterThan(0)
    },
  )

  test('gives readers of the resumed turn the stages that were done before', async () => {
    await client.ask(question, 'standard')
    const turn = await begin(await startDoomed({ stage: 'synthesize' }), {})
    const frames = await takeOver(turn)

    expect(stagesOf(frames)).toContain('retrieve done')
    expect(stagesOf(frames).filter((stage) => stage === 'output done')).toHaveLength(1)
    expect(answerOf(frames).match(/twelve seconds/g)).toHaveLength(1)
  })

  test('in an orderly way hands its run over', async () => {
    const run = runOf(await client.ask(question, 'standard'))
    const held = Promise.withResolvers<void>()
    model.replies.write = (request, round) => {
      held.resolve()
      return round === 1 || typeof usual.write !== 'function' ? { hang: true } : usual.write(request, round)
    }
    const leaving = await buildApp({ database, callModel, modelPrices, namingQuietMs: 3_600_000 })
    const turn = await begin({ at: await listen(leaving.app) }, {})
    await held.promise
    await leaving.deps.companion.drain(0, 5000)
    const frames = await takeOver(turn)

    expect(endOf(frames)).toBe('end_turn')
    expect(countCalls()).toEqual({ plan: 1, calibrate: 1, write: 2, judge: 1 })
    await expectWhole(run)
  })
})

describe('a run that is stopped', () => {
  test('keeps what it has, and goes on from there', async () => {
    const run = runOf(await client.ask(question, 'standard'))
    const held = Promise.withResolvers<void>()
    model.replies.write = () => {
      held.resolve()
      return { hang: true }
    }
    const going = client.ask('go on')
    await held.promise
    const { body: stopped } = await owner.post(`/api/research/${run}/stop`).send({})
    const frames = await going

    expect(endOf(frames)).toBe('aborted')
    expect(stopped.status).toBe('stopped')
    expect(stopped.counts.evidence).toBeGreaterThan(0)
    model.replies.write = usual.write
    expect(endOf(await client.resume(run))).toBe('end_turn')
    expect(countCalls()).toEqual({ plan: 1, calibrate: 1, write: 2, judge: 1 })
    await expectWhole(run)
  })

  test('leaves its thread free for other messages', async () => {
    const run = runOf(await client.ask(question, 'standard'))
    await owner.post(`/api/research/${run}/stop`).send({})

    expect(answerOf(await client.ask('Good evening'))).toBe('An ordinary answer.')
  })
})

test('a model that fails at the answer leaves a run that can be resumed', async () => {
  const run = runOf(await client.ask(question, 'standard'))
  model.replies.write = { error: new ModelError('model_overloaded', 'Overloaded.', { retryable: true }) }
  const frames = await client.ask('go on')

  expect(frames.at(-1)).toMatchObject({ type: 'error', data: { code: 'model_overloaded' } })
  expect(await client.find(run)).toMatchObject({ status: 'failed', error: { code: 'model_overloaded' } })
  model.replies.write = usual.write
  expect(endOf(await client.resume(run))).toBe('end_turn')
  expect(countCalls()).toEqual({ plan: 1, calibrate: 1, write: 2, judge: 1 })
  await expectWhole(run)
})

describe('a budget', () => {
  const costly = { input_tokens: 0, output_tokens: 499_000 }
  test.each([
    ['plan', 'websearch_calibration'],
    ['calibrate', 'synthesize'],
    ['write', 'verify'],
  ] as const)('that %s has used up stops the run before %s, with everything kept', async (call, stage) => {
    const reply = usual[call]
    model.replies[call] = async (request, round) => ({
      ...(typeof reply === 'function' ? await reply(request, round) : reply),
      usage: costly,
    })
    const run = runOf(await client.ask(question, 'standard'))
    const frames = await client.ask('go on')

    expect(endOf(frames)).toBe('paused')
    expect(stagesOf(frames).at(-1)).toBe(`${stage} paused`)
    expect(await client.find(run)).toMatchObject({ status: 'paused', pause: 'budget' })
    expect(answerOf(frames)).toContain('raise the budget from 500,000 to ')
    const before = model.calls.length
    expect(endOf(await client.ask('what now?'))).toBe('paused')
    expect(model.calls).toHaveLength(before)
    model.replies[call] = reply
    let end = 'paused'
    // Each time it is raised to what the next step needs.
    for (let times = 0; times < 4 && end === 'paused'; times += 1) end = endOf(await client.ask('go on'))
    expect(end).toBe('end_turn')
    expect(countCalls()).toEqual({ plan: 1, calibrate: 1, write: 1, judge: 1 })
    const { budget } = await client.find(run)
    expect(budget.usd).toBe(10)
    expect(budget.tokens).toBeGreaterThan(500_000)
    await expectWhole(run)
  })

  test('is raised by the button to what was said, and the other limit stays', async () => {
    const reply = usual.plan
    model.replies.plan = async (request, round) => ({
      ...(typeof reply === 'function' ? await reply(request, round) : reply),
      usage: costly,
    })
    const run = runOf(await client.ask(question, 'standard'))
    const frames = await client.ask('go on')
    model.replies.plan = reply
    const said = /from 500,000 to ([\d,]+) tokens/.exec(answerOf(frames))![1]!

    await client.resume(run)

    const { budget } = await client.find(run)
    expect(budget).toEqual({ usd: 10, tokens: Number(said.replaceAll(',', '')) })
    expect(budget.tokens).toBeLessThan(1_000_000)
  })

  test('in dollars is one too, and the owner names the next', async () => {
    const run = runOf(await client.ask(question, 'standard'))
    const first = await client.resume(run, { budget: { usd: 0.001 } })

    expect(endOf(first)).toBe('paused')
    expect(answerOf(first)).toContain('could cost')
    expect(model.calls).toEqual(['plan'])
    const second = await client.resume(run, { budget: { usd: 5 } })
    expect(endOf(second)).toBe('end_turn')
    expect((await client.find(run)).cost.usd).toBeCloseTo(4 * 0.0002, 6)
    expect(ofType(second, 'research').at(-1)?.data.cost).toBeGreaterThan(0)
  })

  test('of the day holds research too', async () => {
    await deps.ai.budget.set(1)
    const frames = await client.ask(question, 'standard')
    await deps.ai.budget.set(0)

    expect(endOf(frames)).toBe('paused')
    expect(stagesOf(frames)).toEqual(['analyze_query started', 'analyze_query paused'])
    expect(model.calls).toEqual([])
    expect(endOf(await client.ask('go on'))).toBe('paused')
    expect(model.calls).toEqual(['plan'])
  })
})
