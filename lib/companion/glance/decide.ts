// One look, from what is seen to a decision: the gates that need no model, the triage, the analyst, and the gates that
// what it says has to pass. Knows nothing of how it is recorded.

import type { ToolRegistry } from '../../ai/agent/registry.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import type { GlanceKind, GlanceReason, GlanceStage } from '../../contract/companion/glance.ts'
import { type Calendar, today as todayOf } from '../../core/schedule/calendar.ts'
import { cleanLine } from '../../core/text/clean.ts'
import type { Database } from '../../db/pool.ts'
import { createConversationsRepo } from '../../db/repos/conversations.ts'
import { createGlanceMailRepo } from '../../db/repos/glance_mail.ts'
import { createNamesRepo } from '../../db/repos/names.ts'
import { loadThread, type Seen } from './load-view.ts'
import { analyze, type Found } from './models/analyst.ts'
import type { Meter } from './models/meter.ts'
import { type Candidate, triage } from './models/triage.ts'
import { composeAction, phrasesOf } from './rules/compose-action.ts'
import { judgeThread } from './rules/judge-thread.ts'
import { matchThreads, readSubject } from './rules/match-thread.ts'

type Spoken = {
  message: string
  action_prompt: string
  thread_id: string
  message_id: string
  quote: string
  note: string | null
  sender: string
  kind: GlanceKind
}

export type Outcome = {
  stage: GlanceStage
  /** `null`: it speaks. */
  reason: GlanceReason | null
  spoken: Spoken | null
  tools: string[]
}

export type DecideDeps = {
  database: Database
  registry: ToolRegistry
  services: ToolServices
  /** Wall clock of the triage, and of the analyst. */
  triageMs: number
  analystMs: number
  now: () => Date
  calendar: Calendar
}

type Look = {
  space_id: string
  seen: Seen
  small: CurrentModel
  main: CurrentModel
  agent: { id: string; slug: string; name: string }
  meter: Meter
  signal: AbortSignal
}

/** What code says of what is seen before any model is asked; `null`: a model may be. */
export function screen({ thread, onScreen }: Seen): GlanceReason | null {
  if (thread) {
    const judged = judgeThread(thread)
    return typeof judged === 'string' ? judged : null
  }
  return onScreen?.length === 0 ? 'no_mail_on_screen' : null
}

export async function decide(deps: DecideDeps, look: Look): Promise<Outcome> {
  const { seen, signal, meter } = look
  const today = todayOf(deps.calendar)
  const silent = (stage: GlanceStage, reason: GlanceReason, tools: string[] = []): Outcome => ({
    stage,
    reason,
    tools,
    spoken: null,
  })

  const candidate = await triage({
    callModel: meter.measure(look.small),
    seen,
    today,
    signal: AbortSignal.any([signal, AbortSignal.timeout(deps.triageMs)]),
  })
  if (typeof candidate === 'string') return silent('triage', candidate)
  if (seen.onScreen && matchThreads(candidate, seen.onScreen).length === 0)
    return silent('triage', 'not_legible')

  const conversations = await latestConversations(deps.database, look.space_id)
  const { outcome, tools } = await analyze({
    ...deps,
    callModel: meter.measure(look.main),
    agent: look.agent,
    space_id: look.space_id,
    candidate,
    conversations,
    seen,
    today,
    maxMs: deps.analystMs,
    signal,
  })
  if (typeof outcome === 'string') return silent('analyst', outcome, tools)
  const checked = await check(deps, look, { candidate, found: outcome })
  if (typeof checked === 'string') return silent('analyst', checked, tools)
  return { stage: 'analyst', reason: null, spoken: checked, tools }
}

const maxConversations = 10
const maxSummary = 200

/** What the owner talked about last, by which the analyst sees that a mail is dealt with. */
async function latestConversations(
  db: Database,
  spaceId: string,
): Promise<{ title: string; summary: string }[]> {
  const asked = { words: '', status: 'current', limit: maxConversations } as const
  const rows = await createConversationsRepo(db).search(spaceId, asked)
  const short = (text: string) => cleanLine(text).slice(0, maxSummary).toWellFormed()
  return rows.map(({ title, summary }) => ({ title: short(title), summary: short(summary) }))
}

type Proposal = { candidate: Candidate; found: Found }

/** What the analyst found, held against what is stored by now; or why it is not said. */
async function check(
  { database }: DecideDeps,
  { space_id, seen }: Look,
  { candidate, found }: Proposal,
): Promise<Spoken | GlanceReason> {
  const { subject, isBeginning } = readSubject(candidate.subject)
  const mail = createGlanceMailRepo(database)
  const links = createNamesRepo(database)
  const load = (id: string | undefined) => (id ? loadThread(database, space_id, id) : null)
  const [alike, named] = await Promise.all([
    isBeginning ? mail.listBeginning(space_id, subject) : mail.listAlike(space_id, subject),
    load(found.thread_id),
  ])
  const [id, ...others] = matchThreads(candidate, alike)
  if (id === undefined) return 'no_match'
  if (others.length > 0) return 'ambiguous'
  const thread = found.thread_id ? named : await load(id)
  if (thread?.id !== id || (seen.thread && seen.thread.id !== id)) return 'other_thread'

  const message = judgeThread(thread)
  if (typeof message === 'string') return message
  // The readers of days are loaded when there is something to check.
  const { checkAsk, composeNudge } = await import('./rules/check-ask.ts')
  const ask = checkAsk(found, message)
  if (typeof ask === 'string') return ask
  // Who writes back to an answer mostly thanks for it: then only a question, or what names a day, is one more ask.
  const isAnswered = thread.messages.some(({ direction }) => direction === 'sent')
  if (isAnswered && ask.due === null && !/[?？؟]/.test(ask.sentence)) return 'handled'
  if (thread.mutes.some(({ type, value }) => type === 'kind' && mutesKind(value, ask.kind))) return 'muted'
  const asked = { message, due: ask.due }
  return {
    message: composeNudge(message, ask),
    action_prompt: composeAction(asked, await links.listTaken(space_id, phrasesOf(asked))),
    thread_id: id,
    message_id: message.id,
    quote: ask.sentence,
    note: found.note,
    sender: message.from.address.toLowerCase(),
    kind: ask.kind,
  }
}

/** “Replies”, as earlier releases named them, are all but deadlines. */
const mutesKind = (muted: string, kind: GlanceKind): boolean =>
  muted === kind || (muted === 'reply' && kind !== 'deadline')
