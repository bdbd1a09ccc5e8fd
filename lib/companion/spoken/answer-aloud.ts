// A turn for a channel without a screen: read to its end, or as long as somebody waits, and told in one piece. There is
// always something to say; nothing is ever approved here, and nothing waits for an approval.

import type { SpokenAnswer } from '../../contract/companion.ts'
import type { Routed } from '../../contract/events.ts'
import type { Database } from '../../db/pool.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import type { TurnRow } from '../../db/repos/turns.ts'
import type { Companion } from '../companion.ts'
import type { NumberedEvent } from '../turn-stream.ts'
import { toSpoken } from './to-spoken.ts'

export type AloudDeps = {
  database: Database
  companion: Pick<Companion, 'read'>
  /** The address that a browser finds this server under, without a slash at its end. */
  baseUrl: string
  /** How long somebody waits. */
  patienceMs?: number
  signal: AbortSignal
}

const usualPatienceMs = 55_000

type Heard = {
  text: string
  routed: Routed
  drafts: Set<string>
  stop_reason: string | null
  error: SpokenAnswer['error']
}

/** The answer of a turn in one piece. Rejects only when the drafts cannot be looked up. */
export async function answerAloud(deps: AloudDeps, turn: TurnRow): Promise<SpokenAnswer> {
  const heard: Heard = { text: '', routed: 'named', drafts: new Set(), stop_reason: null, error: null }
  const patience = AbortSignal.timeout(deps.patienceMs ?? usualPatienceMs)
  const signal = AbortSignal.any([deps.signal, patience])
  const end = await deps.companion.read({ turn, after: 0, tell: (event) => hear(heard, event), signal })

  const draft_ids = [...heard.drafts]
  const waiting = await listWaiting(deps.database, turn, draft_ids)
  const words = end === 'left' ? sentences.late : wordsFor(heard)
  return {
    text: [words, waitingWords(waiting.length)].filter(Boolean).join(' '),
    open_in_browser: waiting[0] ? `${deps.baseUrl}/inbox/${waiting[0]}` : null,
    turn_id: turn.id,
    conversation_id: turn.conversation_id,
    routed: heard.routed,
    draft_ids,
    stop_reason: heard.stop_reason,
    error: heard.error,
  }
}

function hear(heard: Heard, { type, data }: NumberedEvent): void {
  switch (type) {
    case 'turn':
      heard.routed = data.routed
      return
    case 'delta':
      heard.text += data.text
      return
    case 'snapshot':
      heard.text = data.text
      heard.drafts = new Set(data.drafts.map(({ pending_change_id }) => pending_change_id))
      return
    case 'draft':
      heard.drafts.add(data.pending_change_id)
      return
    case 'done':
      for (const id of data.draft_ids) heard.drafts.add(id)
      heard.stop_reason = data.stop_reason
      return
    case 'error':
      heard.error = data
  }
}

function wordsFor({ text, drafts, error, stop_reason }: Heard): string {
  if (error) return text.trim() === '' ? sentences.failed : sentences.brokeOff
  if (stop_reason === 'aborted') return sentences.stopped
  return toSpoken(text) || (drafts.size > 0 ? sentences.drafted : sentences.nothing)
}

const sentences = {
  failed: 'I could not answer just now. Your message is kept. Please try again in a moment.',
  brokeOff: 'I could not finish the answer. What there is of it is in the conversation.',
  stopped: 'The answer was stopped. What there is of it is in the conversation.',
  late: 'I am still working on it. The answer will be in the conversation.',
  drafted: 'I drafted what you asked for.',
  nothing: 'I have nothing to say to that.',
}

function waitingWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? 'One change waits for your approval.' : `${count} changes wait for your approval.`
}

async function listWaiting(database: Database, turn: TurnRow, ids: readonly string[]): Promise<string[]> {
  const within = { space_ids: [turn.space_id], agent_id: turn.agent_id }
  const drafts = createPendingChangesRepo(database)
  const waiting: string[] = []
  for (const id of ids) if ((await drafts.find(id, within))?.status === 'pending') waiting.push(id)
  return waiting
}

/** What is said when a message was not even taken. */
export function refusalAloud(code: string): string {
  switch (code) {
    case 'turn_running':
    case 'queue_full':
      return 'I am still answering your last message. Please try again in a moment.'
    case 'not_found':
      return 'I cannot find that Space or that conversation.'
    case 'idempotency_key_reused':
    case 'invalid':
      return 'I did not understand that message.'
    default:
      return 'Something went wrong, and your message was not taken. Please try again in a moment.'
  }
}
