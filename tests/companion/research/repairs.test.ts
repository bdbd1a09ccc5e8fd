// What happens to an answer that fails: how often it is written again, what that may cost, and what is said of it when it
// never gets better.

import { beforeEach, describe, expect, test } from 'vitest'
import type { CallModel, ModelRequest } from '../../../lib/ai/model.ts'
import { createTextThreads } from '../../../lib/jobs/workers/text-threads.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { type ScriptedStep, scriptedModel } from '../../helpers/scripted-model.ts'
import { answerOf } from '../../helpers/turn-client.ts'
import { makeWorld, type World } from '../../helpers/world.ts'
import {
  claimsOf,
  contentOf,
  createResearchClient,
  createStageModel,
  endOf,
  lampAnswer,
  numberOf,
  type ResearchClient,
  runOf,
  stagesOf,
} from './research-client.ts'

let model = createStageModel()
let isVerifierDown = false
const real = createTextThreads()
const threads: typeof real = {
  run: async (task, ...rest) => {
    if (isVerifierDown && task.name === 'verifyClaims') throw new Error('the verifier is down')
    return await real.run(task, ...rest)
  },
  close: real.close,
}
const callModel: CallModel = async (request) => await scriptedModel([await model.step(request)])(request)
const { app, owner } = await buildApp({ callModel, threads, namingQuietMs: 3_600_000 })
const url = await listen(app)
let world: World
let client: ResearchClient

beforeEach(async () => {
  model = createStageModel()
  isVerifierDown = false
  world = await makeWorld({ owner })
  client = createResearchClient({ url, owner, space_id: world.space.id })
})

const question = 'How does the lamp work?'
const wrong = claimsOf({ text: 'The lamp was bought by the Queen of Denmark.', cites: ['1'] })
const right = async (request: ModelRequest): Promise<ScriptedStep> =>
  typeof lampAnswer === 'function' ? await lampAnswer(request, 1) : lampAnswer
const countWrites = () => model.calls.filter((name) => name === 'write').length

async function runThrough() {
  const run = runOf(await client.ask(question, 'standard'))
  const frames = await client.ask('go on')
  return { run, frames, stored: await client.find(run) }
}

describe('an answer', () => {
  test.each([
    [1, 'checked'],
    [2, 'checked'],
    [3, 'partly_checked'],
  ])('that is wrong %i times is repaired at most twice, and ends %s', async (times, outcome) => {
    model.replies.write = (request, round) => (round <= times ? wrong : right(request))
    const { stored } = await runThrough()

    expect(stored.outcome).toBe(outcome)
    expect(countWrites()).toBe(Math.min(times, 2) + 1)
    const rounds = stored.stages.filter(({ stage }) => stage === 'verify').map(({ summary }) => summary)
    expect(rounds.filter((summary) => summary.startsWith('Repair'))).toHaveLength(Math.min(times, 2))
    expect(stored.stages.filter(({ stage }) => stage === 'retrieve')).toHaveLength(1)
  })

  test('that cites the wrong passage gets the right number without being written again', async () => {
    model.replies.write = (request) => {
      const { passages } = contentOf(request)
      const other = passages.find(({ text }: { text: string }) => !text.includes('rapeseed'))
      return claimsOf({ text: 'The lamp burns rapeseed oil.', cites: [other.n] })
    }
    const { stored } = await runThrough()

    expect(countWrites()).toBe(1)
    const wanted = numberOf(model.requests.at(-1)!, 'rapeseed')
    expect(stored.claims).toMatchObject([{ verdict: 'quoted', cites: [wanted] }])
  })

  test('that invents a quotation is never shown as supported', async () => {
    model.replies.write = (request) =>
      claimsOf({
        text: 'The page says “the lamp turns twice in twelve seconds whenever fog comes in”.',
        cites: [numberOf(request, 'twelve seconds')],
      })
    const { stored, frames } = await runThrough()

    expect(stored.claims.map(({ verdict }) => verdict)).toEqual(['unchecked'])
    expect(stored.claims[0]!.reasons.join(' ')).toContain('quot')
    expect(stored.outcome).toBe('partly_checked')
    expect(answerOf(frames)).toMatch(/^1 claim: 1 unchecked\./)
  })

  test('that no verifier could check is unchecked, never supported, and the run is kept', async () => {
    isVerifierDown = true
    const { run, frames, stored } = await runThrough()

    expect(endOf(frames)).toBe('end_turn')
    expect(stored.claims.map(({ verdict }) => verdict)).toEqual(['unchecked', 'unchecked'])
    expect(stored).toMatchObject({ outcome: 'partly_checked', scores: null })
    expect(answerOf(frames)).toContain('could not be checked')
    const again = await client.post(`/api/research/${run}/rerun`)
    expect(endOf(again)).toBe('end_turn')
    const { body } = await owner.get(`/api/research/${runOf(again)}/comparison`).expect(200)
    expect(body.claims.map(({ change }: { change: string }) => change)).toEqual(['same', 'same'])
  })
})

describe('a budget', () => {
  const costly = { input_tokens: 0, output_tokens: 499_000 }

  test('that the first plan has used up stops the next one', async () => {
    const { replies } = model
    const plan = replies.plan as ScriptedStep
    // Of 500,000 tokens a fifth is for planning.
    replies.plan = { ...plan, usage: { input_tokens: 0, output_tokens: 99_000 } }
    const run = runOf(await client.ask(question, 'standard'))
    const frames = await client.ask('Only about the oil, please')

    expect(stagesOf(frames)).toEqual(['analyze_query started', 'analyze_query paused'])
    expect(await client.find(run)).toMatchObject({ status: 'paused', pause: 'budget' })
    replies.plan = plan
    expect(endOf(await client.ask('go on'))).toBe('paused')
    expect(contentOf(model.requests.at(-1)!).wanted_change).toBe('Only about the oil, please')
    expect(endOf(await client.ask('go on'))).toBe('end_turn')
  })

  test('that an answer has used up stops its repair, with the answer and its failures kept', async () => {
    model.replies.write = async (request, round) =>
      round === 1 ? { ...wrong, usage: costly } : await right(request)
    const { run, frames, stored } = await runThrough()

    expect(endOf(frames)).toBe('paused')
    expect(stagesOf(frames).at(-1)).toBe('verify paused')
    expect(stored.claims).toMatchObject([{ verdict: 'unchecked' }])
    expect(endOf(await client.ask('go on'))).toBe('paused')
    expect(endOf(await client.ask('go on'))).toBe('end_turn')
    expect(contentOf(model.requests[model.calls.lastIndexOf('write')]!).failures[0]).toContain('c1')
    expect(countWrites()).toBe(2)
    expect((await client.find(run)).outcome).toBe('checked')
  })
})
