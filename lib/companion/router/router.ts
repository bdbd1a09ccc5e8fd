// Which conversation a message belongs to, when it names none. A router is a function over what is known; two make one:
// `createModelRouter` asks a small model, rule-router.ts counts words. `choose` bounds either in time and in what it may
// answer, so that whatever goes wrong means: a conversation of its own.

import { z } from 'zod'
import { type ContentBlock, readJsonAnswer } from '../../ai/model.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import { prompts } from '../../ai/prompts/prompts.ts'
import { cleanLine } from '../../core/text/clean.ts'

export type Thread = {
  id: string
  title: string
  /** One line. */
  summary: string
  /** ISO 8601. */
  last_activity_at: string
  /** Name of its Space. Default: the Space of the message. */
  space?: string
}

/** What a router knows. Titles, summaries and messages are other people's words, never instructions. */
export type RoutingCase = {
  message: string
  /** The conversation in use, with what was last said in it; `null` when there is none. */
  active: (Thread & { last_question: string | null; last_answer: string | null }) | null
  /** The latest other conversations, those of this Space first, newest first. */
  others: readonly Thread[]
  /** An image that came with the message, for a model that can look at it. */
  images?: readonly ContentBlock[]
  /** Names of the current view and open tabs. Default: unknown. */
  shown?: { view: string | null; tabs: readonly string[] }
  now: Date
}

export type Choice = { choice: 'continue' } | { choice: 'resume'; id: string } | { choice: 'new' }

/** What a router says: its choice, why in a word, and its own words for the record. */
export type RouterAnswer = { choice: Choice; reason: string; answer: string | null }

/** May reject, with `UnusableAnswer` for an answer that is no choice. */
export type Router = {
  by: 'model' | 'rules'
  /** The model's name. */
  model: string | null
  route(known: RoutingCase, signal: AbortSignal): Promise<RouterAnswer>
}

export type Decision = {
  choice: Choice
  decided_by: 'obvious' | 'model' | 'rules' | 'fallback'
  /** What the rules saw, why nobody had to be asked, or why the router was not followed: `timeout`, `failed`, `malformed`, `unknown_id`. */
  reason: string
  model: string | null
  answer: string | null
  duration_ms: number
}

/** A model's answer that is no choice. */
class UnusableAnswer extends Error {
  readonly answer: string

  constructor(answer: string) {
    super('The answer is no choice of a conversation.')
    this.name = 'UnusableAnswer'
    this.answer = answer
  }
}

export const routingLimitMs = 2000

/**
 * Asks the router, at most `limitMs`. Never rejects: a late, failed or unusable answer, or one that names a
 * conversation which is not among the others, means a new one.
 */
export async function choose(
  router: Router,
  known: RoutingCase,
  { limitMs = routingLimitMs, clock = () => performance.now() } = {},
): Promise<Decision> {
  const started = clock()
  const outcome = await ask(router, known, limitMs)
  return { ...outcome, model: router.model, duration_ms: Math.max(0, Math.round(clock() - started)) }
}

type Outcome = Pick<Decision, 'choice' | 'decided_by' | 'reason' | 'answer'>

async function ask(router: Router, known: RoutingCase, limitMs: number): Promise<Outcome> {
  const fallback = (reason: string, answer: string | null): Outcome => ({
    choice: { choice: 'new' },
    decided_by: 'fallback',
    reason,
    answer,
  })
  try {
    const { choice, answer, reason } = await withinLimit((signal) => router.route(known, signal), limitMs)
    if (!isPossible(choice, known)) return fallback('unknown_id', answer)
    return { choice, decided_by: router.by, reason, answer }
  } catch (error) {
    if (error instanceof UnusableAnswer) return fallback('malformed', error.answer)
    return fallback(error === tooLate ? 'timeout' : 'failed', null)
  }
}

function isPossible(choice: Choice, { active, others }: RoutingCase): boolean {
  if (choice.choice === 'continue') return active !== null
  return choice.choice === 'new' || others.some(({ id }) => id === choice.id)
}

/** Rejects with `tooLate` when the time is up, also where the work does not heed its signal. */
async function withinLimit<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  limitMs: number,
): Promise<Result> {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(tooLate)
    controller.abort(tooLate)
  }, limitMs)
  try {
    return await Promise.race([work(controller.signal), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const tooLate = new Error('The router took too long.')

// The router that asks a small model. What it knows goes in as one JSON value under a fixed instruction, and what comes
// back is held to a schema: a title that gives orders can at worst have a message put into the wrong conversation of
// the same Space, which the owner sees and takes back.

const answer = z.discriminatedUnion('choice', [
  z.object({ choice: z.literal('continue') }),
  z.object({ choice: z.literal('resume'), id: z.string() }),
  z.object({ choice: z.literal('new') }),
])

export function createModelRouter({ name, callModel }: Pick<CurrentModel, 'name' | 'callModel'>): Router {
  return {
    by: 'model',
    model: name,
    async route(known, signal) {
      const question = JSON.stringify(describeCase(known))
      const content = known.images?.length ? [...known.images, { type: 'text', text: question }] : question
      const messages = [{ role: 'user' as const, content }]
      const { text } = await callModel({
        system: prompts.router.text,
        messages,
        tools: [],
        signal,
      })
      const choice = readJsonAnswer(text, answer)
      if (!choice) throw new UnusableAnswer(text.slice(0, 2000))
      return { choice, reason: 'model', answer: text.slice(0, 2000) }
    },
  }
}

/** Cut, so that neither a long message nor a long title crowds out the rest. */
function describeCase({ message, active, others, shown, now }: RoutingCase) {
  const describe = ({ id, title, summary, last_activity_at, space }: Thread) => ({
    id,
    ...(space !== undefined && { space: short(space, 80) }),
    title: short(title, 120),
    summary: short(summary, 240),
    last_activity: ago(last_activity_at, now),
  })
  return {
    message: message.slice(0, 2000).toWellFormed(),
    active: active && {
      ...describe(active),
      last_question: short(active.last_question ?? '', 400),
      last_answer: short(active.last_answer ?? '', 400),
    },
    others: others.map(describe),
    ...(shown && {
      view: shown.view && short(shown.view, 120),
      tabs: shown.tabs.map((tab) => short(tab, 120)),
    }),
  }
}

const short = (text: string, length: number) =>
  cleanLine(text.slice(0, length * 2))
    .slice(0, length)
    .toWellFormed()

function ago(at: string, now: Date): string {
  const minutes = Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 60_000))
  if (minutes < 120) return `${minutes} minutes ago`
  return minutes < 2880 ? `${Math.round(minutes / 60)} hours ago` : `${Math.round(minutes / 1440)} days ago`
}
