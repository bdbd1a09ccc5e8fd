import { type CallModel, type ModelRequest, type ModelResponse, noUsage } from '../../../lib/ai/model.ts'
import { answerText } from '../../../lib/companion/research/output/answer-text.ts'
import { composeAnswer } from '../../../lib/companion/research/output/compose-answer.ts'
import { pageBody } from '../../../lib/companion/research/output/page-body.ts'
import { summarizeRun } from '../../../lib/companion/research/output/summarize-run.ts'
import { newClaim } from '../../../lib/companion/research/rules/quote-evidence.ts'
import { researchDefaults } from '../../../lib/companion/research/run/research-settings.ts'
import type { ResearchClaim } from '../../../lib/contract/research.ts'
import type { ResearchRunRow } from '../../../lib/db/repos/research_runs.ts'
import type { ResearchEvidenceRow } from '../../../lib/db/repos/research_stages.ts'
import type { Figure, Measurement } from './measurement.ts'
import { type OpenStore, withStore } from './open-store.ts'
import { createProse, makePages } from './prose.ts'
import { percentile } from './statistics.ts'

const pages = 300
const subQuestions = 8
const claimCount = 40
const warmUps = 3
const rounds = 20
const outputRounds = 40
const outputCharacters = 30_000
const atMost = (value: number) => ({ kind: 'at most' as const, value })

/** What a run costs beside its model: both turns of it, from the question to the drafted page. */
export const research: Measurement = {
  name: 'research',
  about: `a standard run with a model of no delay, ${subQuestions} sub-questions in a Space of ${pages} pages, on PGlite`,
  run: (log) =>
    withStore(async (store) => [...(await measureRuns(store, log)), ...measureOutput()] satisfies Figure[]),
}

async function measureRuns(store: OpenStore, log: (message: string) => void): Promise<Figure[]> {
  const space_id = await store.importPages(makePages(pages))
  log(`${warmUps} runs to warm up, ${rounds} measured, each in a conversation of its own`)
  const times: number[] = []
  const processor: number[] = []
  const byStage = new Map<string, number[]>()
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const [started, before] = [performance.now(), process.cpuUsage()]
    const stages = await runOnce(store, space_id, round)
    const { user, system } = process.cpuUsage(before)
    if (round < warmUps) continue
    times.push(performance.now() - started)
    processor.push((user + system) / 1000)
    for (const [stage, ms] of stages) byStage.set(stage, [...(byStage.get(stage) ?? []), ms])
  }
  return [
    { name: 'a run, p50', unit: 'ms', value: percentile(times, 0.5), bound: atMost(150) },
    { name: 'a run, p95', unit: 'ms', value: percentile(times, 0.95) },
    { name: '… processor time, p50', unit: 'ms', value: percentile(processor, 0.5) },
    ...[...byStage].map(
      ([stage, own]): Figure => ({
        name: `… ${stage}, p50`,
        unit: 'ms',
        value: percentile(own, 0.5),
      }),
    ),
  ]
}

/** What each stage took. */
async function runOnce({ deps }: OpenStore, space_id: string, round: number): Promise<[string, number][]> {
  const owner = { kind: 'owner' } as const
  const { id: conversation_id } = await deps.content.conversations.create(space_id, owner, null)
  const stages: [string, number][] = []
  const say = async (text: string, research: 'standard' | null) => {
    const turn = await deps.companion.start(owner, {
      space_id,
      conversation_id,
      message: { text, research: research ? { depth: research, rerun_of: null } : undefined },
      callModel,
      idempotency_key: null,
      queue: false,
    })
    await deps.companion.read({
      turn,
      after: 0,
      onEvent: ({ type, data }) => {
        if (type === 'research' && data.duration_ms !== undefined) stages.push([data.stage, data.duration_ms])
        return true
      },
      drained: async () => {},
      signal: new AbortController().signal,
    })
  }
  await say(`What is said of kan bin, ${round}?`, 'standard')
  await say('go on', null)
  if (stages.at(-1)?.[0] !== 'output') throw new Error('the run did not come to its page')
  return stages
}

const prose = createProse(5)
const plan = {
  question: 'What is said of kan bin?',
  sub_questions: Array.from({ length: subQuestions }, () => `What is said of ${prose.words(3).join(' ')}?`),
}

const callModel: CallModel = async (request) => reply(JSON.stringify(answerTo(request)))

function answerTo({ system, messages }: ModelRequest): unknown {
  if (system.startsWith('You plan')) return plan
  if (system.startsWith('You check')) return { corrections: [] }
  const { claims: judged, passages = [] } = JSON.parse(String(messages[0]!.content)) as Asked
  if (system.startsWith('You judge'))
    return {
      verdicts: judged!.map(({ id, passages: own }) => ({
        ...{ id, verdict: 'supported', missing: '' },
        sentences: own.map(({ text }) => sentenceOf(text)),
      })),
    }
  // Every other one in other words than its passage, for the judge.
  const claims = passages.slice(0, claimCount).map(({ n, text }, at) => ({
    text: at % 2 === 0 ? sentenceOf(text) : sentenceOf(text).replace(' ', ' also '),
    cites: [n],
  }))
  return { sections: [{ heading: 'What is said', claims }], not_found: [] }
}

type Asked = {
  passages?: { n: string; text: string }[]
  claims?: { id: string; passages: { text: string }[] }[]
}

const sentenceOf = (text: string) => `${text.replace(/^#+ .*\n+/gm, '').split('. ')[0]}.`

const reply = (text: string): ModelResponse => ({
  text,
  content: [{ type: 'text', text }],
  toolUses: [],
  stopReason: 'end_turn',
  usage: noUsage,
})

function measureOutput(): Figure[] {
  const parts = makeAnswer()
  const times = Array.from({ length: outputRounds }, () => {
    const started = performance.now()
    const answer = composeAnswer(parts)
    const { text } = answerText(answer)
    summarizeRun({ ...parts, stages: [], answer })
    pageBody(answer, {
      hrefOf: (_type, id) => `/s/bench/pages/${id}`,
      cost: '$0.10',
      notes: answer.sections.flatMap(({ claims }) => claims.map(() => 'not in the cited passages')),
      problems: [],
      comparison: null,
    })
    if (text.length < outputCharacters) throw new Error('the answer is too short')
    return performance.now() - started
  }).slice(outputRounds / 2)
  const name = `the output of an answer of ${outputCharacters.toLocaleString('en-US')} characters, p50`
  return [{ name, unit: 'ms', value: percentile(times, 0.5), bound: atMost(5) }]
}

function makeAnswer() {
  const words = createProse(7)
  const evidence = Array.from({ length: 60 }, (_, at): ResearchEvidenceRow => {
    const { title, body } = words.page(words.words(3).join(' '))
    const n = String(at + 1)
    const facts = {
      sha256: '',
      origin: 'owner',
      untrusted: false,
      heading: '',
      address: null,
      earlier: null,
      quotes: [],
      sub_questions: [],
    }
    return { n, position: at + 1, entity_type: 'page', entity_id: n, ordinal: 0, title, text: body, ...facts }
  })
  const claims: ResearchClaim[] = []
  for (let size = 0; size < outputCharacters; ) {
    const text = `${words.words(30).join(' ')}.`
    size += text.length
    const cites = [String(1 + words.below(60)), String(1 + words.below(60))]
    claims.push(newClaim(claims.length, { section: `Section ${claims.length % 8}`, text, cites }))
  }
  const run = { id: 'run', question: 'What?', depth: 'standard', verification: null } as ResearchRunRow
  const { thresholds } = researchDefaults
  return {
    run,
    evidence,
    claims,
    outcome: 'checked' as const,
    not_found: [],
    thresholds,
    quotations_only: false,
  }
}
