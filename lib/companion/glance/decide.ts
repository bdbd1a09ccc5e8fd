// One look, from what is seen to a decision: the gates that need no model, the triage, the analyst, and the gates that
// what it says has to pass. Knows nothing of how it is recorded.

import type { ToolRegistry } from '../../ai/agent/registry.ts'
import type { ToolServices } from '../../ai/agent/services.ts'
import type { CurrentModel } from '../../ai/models/model-provider.ts'
import type { GlanceKind, GlanceReason, GlanceStage } from '../../contract/companion/glance.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { localDay } from '../../core/text/dates/local-day.ts'
import { splitHidden } from '../../core/text/quote-name.ts'
import type { Database } from '../../db/pool.ts'
import { createGlanceMailRepo } from '../../db/repos/glance_mail.ts'
import { createLinksRepo } from '../../db/repos/links.ts'
import { loadThread, type Seen } from './load-view.ts'
import { analyze, type Finding } from './models/analyst.ts'
import type { Meter } from './models/meter.ts'
import { type Candidate, triage } from './models/triage.ts'
import { composeAction, phrasesOf } from './rules/compose-action.ts'
import { isGrounded } from './rules/is-grounded.ts'
import { judgeThread } from './rules/judge-thread.ts'
import { matchThreads, readSubject } from './rules/match-thread.ts'

type Spoken = {
  message: string
  action_prompt: string
  thread_id: string
  message_id: string
  quote: string
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
  const today = localDay(deps.now())
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

  const { outcome, read, tools } = await analyze({
    ...deps,
    callModel: meter.measure(look.main),
    agent: look.agent,
    space_id: look.space_id,
    candidate,
    seen,
    today,
    maxMs: deps.analystMs,
    signal,
  })
  if (typeof outcome === 'string') return silent('analyst', outcome, tools)
  const checked = await check(deps, look, { candidate, finding: outcome, read })
  if (typeof checked === 'string') return silent('analyst', checked, tools)
  return { stage: 'analyst', reason: null, spoken: checked, tools }
}

type Proposal = { candidate: Candidate; finding: Finding; read: string }

/** What the analyst would say, held against what is stored by now; or why it is not said. */
async function check(
  { database, now }: DecideDeps,
  { space_id, seen }: Look,
  { candidate, finding, read }: Proposal,
): Promise<Spoken | GlanceReason> {
  const message = readMessage(finding.message)
  if (message === null) return 'bad_message'
  const { subject, isBeginning } = readSubject(candidate.subject)
  const mail = createGlanceMailRepo(database)
  const links = createLinksRepo(database)
  const load = (id: string | undefined) => (id ? loadThread(database, space_id, id) : null)
  const [alike, named] = await Promise.all([
    isBeginning ? mail.listBeginning(space_id, subject) : mail.listAlike(space_id, subject),
    load(finding.thread_id),
  ])
  const [id, ...others] = matchThreads(candidate, alike)
  if (id === undefined) return 'no_match'
  if (others.length > 0) return 'ambiguous'
  const thread = finding.thread_id ? named : await load(id)
  if (thread?.id !== id || (seen.thread && seen.thread.id !== id)) return 'other_thread'

  const asked = judgeThread(thread)
  if (typeof asked === 'string') return asked
  const reading = {
    text: [...(seen.thread ? [seen.text] : []), read].join('\n'),
    mail: thread.messages.filter((each) => seen.thread || read.includes(each.id)),
    now: now(),
  }
  if (!isGrounded(message, reading)) return 'not_grounded'
  const { message: asking, sentence, kind } = asked
  return {
    message,
    action_prompt: composeAction(asked, await links.listTaken(space_id, phrasesOf(asked))),
    thread_id: id,
    message_id: asking.id,
    quote: sentence,
    sender: asking.from.address.toLowerCase(),
    kind,
  }
}

/** Characters of a nudge. */
const maxMessage = 120

const abbreviations = /(?:^|\s)(?:mr|mrs|ms|dr|prof|st|no|nr|co|inc|ltd|vs|approx|bzw|ca|p|\p{L})\.$/iu

/** One sentence of at most 120 characters without links or anything unseen; `null` for anything else. */
export function readMessage(text: string | undefined): string | null {
  if (text === undefined || text.length > 4 * maxMessage) return null
  const line = visible(text)
  if (line === '' || line.length > maxMessage || /\n\s*\S/.test(text.trim())) return null
  if (/https?:|www\.|[<>[\]`|]/i.test(line) || !/\p{L}{2}/u.test(line)) return null
  return hasOneSentence(line) ? line : null
}

const visible = (text: string): string =>
  cleanLine(
    splitHidden(text)
      .map((piece) => (typeof piece === 'string' ? piece : ''))
      .join(''),
  )

/** A full stop within ends none behind “Dr.”, an initial or a number. */
function hasOneSentence(line: string): boolean {
  for (const { index } of line.matchAll(/[.!?…]["'”’)]?\s(?=\S)/gu)) {
    const before = line.slice(0, index + 1)
    if (!abbreviations.test(before) && !/\d\.$/.test(before)) return false
  }
  return true
}
