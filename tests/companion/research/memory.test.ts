// Memory in research: it says what a question means, and answers nothing.

import { beforeEach, expect, test } from 'vitest'
import { countTokens } from '../../../lib/core/text/count-tokens.ts'
import { buildApp } from '../../helpers/build-app.ts'
import { listen } from '../../helpers/listen.ts'
import { scriptedModel } from '../../helpers/scripted-model.ts'
import { makeWorld, type World } from '../../helpers/world.ts'
import {
  claimsOf,
  contentOf,
  createResearchClient,
  createStageModel,
  judgeSaying,
  numberOf,
  type ResearchClient,
  runOf,
} from './research-client.ts'

let model = createStageModel()
const online = await buildApp({
  callModel: async (request) => await scriptedModel([await model.step(request)])(request),
  namingQuietMs: 3_600_000,
})
const { owner } = online
const url = await listen(online.app)
let world: World
let client: ResearchClient

beforeEach(async () => {
  model = createStageModel()
  world = await makeWorld({ owner })
  client = createResearchClient({ url, owner, space_id: world.space.id })
})

/** On the page of all Spaces, which is kept in another one: there no passage is found. */
async function remember(body: string): Promise<void> {
  const { id, version } = (await owner.get('/api/memory').expect(200)).body
  await owner.patch(`/api/pages/${id}`).send({ version, body }).expect(200)
}

const callsOf = (stage: string) => model.requests.filter((_, index) => model.calls[index] === stage)

async function answers() {
  const { body: state } = await owner.get(`/api/spaces/${world.space.id}/companion`).expect(200)
  const { body } = await owner.get(`/api/conversations/${state.conversation_id}/messages`).expect(200)
  return body.items.filter(({ role }: { role: string }) => role === 'assistant')
}

test('the plan is given the lines, and its answer lists them; the stages that answer are not, and theirs lists none', async () => {
  await remember('- The big lamp is called Gerda.\n')
  const run = runOf(await client.ask('How does the lamp work?', 'quick'))
  await client.resume(run)
  const given = model.requests.map((request) => 'remembered' in contentOf(request))
  const [plan, answer] = await answers()

  expect(contentOf(callsOf('plan')[0]!).remembered).toEqual(['- The big lamp is called Gerda.'])
  expect(given).toEqual(model.calls.map((stage) => stage === 'plan'))
  expect(plan.metadata.memory).toEqual([{ text: 'The big lamp is called Gerda.', said: null, old: false }])
  expect(answer.metadata).not.toHaveProperty('memory')
})

test('a claim that rests on a line of memory alone is not verified, whatever it cites and a judge says', async () => {
  model.replies.judge = judgeSaying('supported')
  await remember('- The lamp turns once in five minutes.\n')
  model.replies.write = (request) =>
    claimsOf({
      text: 'The lamp turns once in five minutes.',
      cites: [numberOf(request, 'twelve seconds')],
    })
  const run = runOf(await client.ask('How does the lamp work?', 'quick'))
  await client.resume(run)
  const { claims } = await client.find(run)

  expect(claims).toHaveLength(1)
  expect(['unchecked', 'contradicted']).toContain(claims![0]!.verdict)
})

test('the plan is given no more than any turn is', async () => {
  await remember(Array.from({ length: 400 }, (_, n) => `- Line ${n} of what was remembered`).join('\n'))
  await client.ask('How does the lamp work?', 'quick')
  const { remembered } = contentOf(callsOf('plan')[0]!)

  expect(remembered.length).toBeGreaterThan(10)
  expect(countTokens(remembered.join('\n'))).toBeLessThanOrEqual(800)
})

test('without lines nothing is said of memory', async () => {
  await remember('')
  await client.ask('How does the lamp work?', 'quick')

  expect(contentOf(callsOf('plan')[0]!)).not.toHaveProperty('remembered')
})
