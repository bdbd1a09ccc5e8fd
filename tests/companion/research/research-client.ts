// Research over HTTP, with a model that plays each stage.

import type { ModelRequest } from '../../../lib/ai/model.ts'
import type { ResearchEvent, ResearchRun } from '../../../lib/contract/research.ts'
import { ownerToken, type TestApp } from '../../helpers/build-app.ts'
import type { ScriptedStep } from '../../helpers/scripted-model.ts'
import { type Frame, ofType, readFrames, takeTurn } from '../../helpers/turn-client.ts'

/** What a stage's call is recognised by: the beginning of its instruction. */
const instructions = {
  plan: 'You plan a search',
  calibrate: 'You check the terms',
  write: 'You answer a question',
  judge: 'You judge whether',
}

export type StageCall = keyof typeof instructions

type Reply = ScriptedStep | ((request: ModelRequest, round: number) => ScriptedStep | Promise<ScriptedStep>)

export const jsonStep = (value: unknown): ScriptedStep => ({
  text: JSON.stringify(value),
  usage: { input_tokens: 100, output_tokens: 50 },
})

export const planOf = (...sub_questions: string[]) =>
  jsonStep({
    question: 'How does the lamp work?',
    sub_questions,
    criteria: [],
    ambiguities: [],
    suggested_depth: null,
  })

export const claimsOf = (...claims: { text: string; cites: (string | number)[] }[]) =>
  jsonStep({ sections: [{ heading: 'The lamp', claims }], not_found: [] })

export const lampPlan = planOf('How often does the lamp turn?', 'What does the lamp burn?')

/** The answer that the lighthouse's page supports; its numbers are looked up in what was given. */
export const lampAnswer: Reply = (request) =>
  claimsOf(
    { text: 'The lamp turns once in twelve seconds.', cites: [numberOf(request, 'twelve seconds')] },
    { text: 'The lamp burns rapeseed oil.', cites: [numberOf(request, 'rapeseed')] },
  )

/** The number of the passage with these words. */
export function numberOf(request: ModelRequest, words: string): string {
  const { passages } = contentOf(request)
  return passages.find(({ text }: { text: string }) => text.includes(words))?.n ?? '0'
}

export const contentOf = ({ messages }: ModelRequest) => JSON.parse(String(messages[0]!.content))

export const noCorrections = jsonStep({ corrections: [] })

/** A judge who says the same of every claim it is asked of; of a support, by the first passage as a whole. */
export const judgeSaying =
  (verdict: 'supported' | 'contradicted' | 'not_enough'): Reply =>
  (request) =>
    jsonStep({
      verdicts: contentOf(request).claims.map(
        ({ id, passages }: { id: string; passages: { text: string }[] }) => ({
          id,
          verdict,
          sentences: verdict === 'not_enough' ? [] : [passages[0]!.text],
          missing: verdict === 'not_enough' ? 'all of it' : '',
        }),
      ),
    })

/** A model that knows which stage asks. `calls`: the stages in the order in which they asked. */
export function createStageModel(replies: Partial<Record<StageCall, Reply>> = {}) {
  const calls: StageCall[] = []
  const requests: ModelRequest[] = []
  const all: Record<StageCall, Reply> = {
    plan: lampPlan,
    calibrate: noCorrections,
    write: lampAnswer,
    judge: judgeSaying('not_enough'),
    ...replies,
  }

  async function step(request: ModelRequest): Promise<ScriptedStep> {
    const stage = stageOf(request)
    if (!stage) return { text: 'An ordinary answer.' }
    calls.push(stage)
    requests.push(request)
    const reply = all[stage]
    return typeof reply === 'function'
      ? await reply(request, calls.filter((one) => one === stage).length)
      : reply
  }

  return { calls, requests, replies: all, step }
}

const stageOf = ({ system }: ModelRequest) =>
  (Object.keys(instructions) as StageCall[]).find((name) => system.startsWith(instructions[name])) ?? null

export type ResearchClient = ReturnType<typeof createResearchClient>

export function createResearchClient({
  url,
  owner,
  space_id,
}: {
  url: string
  owner: TestApp['owner']
  space_id: string
}) {
  return {
    ask: (text: string, research?: string, more: object = {}) =>
      takeTurn({ url, space_id, body: { text, ...(research ? { research } : {}), ...more } }),

    async post(path: string, body: object = {}): Promise<Frame[]> {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
      return await Array.fromAsync(readFrames(response))
    },

    resume(run: string, body: object = {}): Promise<Frame[]> {
      return this.post(`/api/research/${run}/resume`, body)
    },

    async find(run: string): Promise<ResearchRun> {
      return (await owner.get(`/api/research/${run}`)).body
    },
  }
}

export const runOf = (frames: readonly Frame[]): string => {
  const event = ofType(frames, 'research')[0]
  if (!event) throw new Error(`no research in ${JSON.stringify(frames)}`)
  return event.data.run_id
}

/** As `stage status`, in order. */
export const stagesOf = (frames: readonly Frame[]): string[] =>
  ofType(frames, 'research').map(({ data }: { data: ResearchEvent }) => `${data.stage} ${data.status}`)

export const endOf = (frames: readonly Frame[]) => {
  const last = frames.at(-1)!
  return last.type === 'done' ? last.data.stop_reason : last.type
}
