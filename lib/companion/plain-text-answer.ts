// A turn for a channel without a screen: read to its end or until a timeout, and answered in one piece. There is always
// an answer; nothing is ever approved here, and nothing waits for an approval.

import type { PlainTextAnswer } from '../contract/companion/companion.ts'
import type { Routed } from '../contract/events/events.ts'
import { plainText } from '../core/text/markdown.ts'
import { stripEmbeds } from '../core/text/split-note.ts'
import type { Database } from '../db/pool.ts'
import { createPendingChangeListsRepo } from '../db/repos/pending_change_lists.ts'
import type { TurnRow } from '../db/repos/turns.ts'
import type { Companion } from './companion.ts'
import { placeWords } from './router/route-turn.ts'
import type { NumberedEvent } from './stream/turn-stream.ts'

type PlainTextDeps = {
  database: Database
  companion: Pick<Companion, 'read'>
  /** The address that a browser finds this server under, without a slash at its end. */
  baseUrl: string
  /** Told of a draft that waits for the owner, to be opened in a browser. */
  onWaiting: (draft: { pending_change_id: string; space_id: string }) => Promise<void>
}

export type PlainTextOptions = {
  /** How long to wait for the end of the turn. */
  timeoutMs?: number
  onEvent?: (event: NumberedEvent) => void
  signal: AbortSignal
}

const defaultTimeoutMs = 55_000

type Answer = {
  text: string
  routed: Routed
  /** Says that it is in another Space; empty: it is not. */
  place: string
  drafts: Set<string>
  stop_reason: string | null
  error: PlainTextAnswer['error']
}

/** The answer of a turn in one piece. Rejects only when the drafts cannot be loaded. */
export async function plainTextAnswer(
  deps: PlainTextDeps,
  turn: TurnRow,
  { timeoutMs = defaultTimeoutMs, onEvent, signal: gone }: PlainTextOptions,
): Promise<PlainTextAnswer> {
  const answer: Answer = {
    text: '',
    routed: 'named',
    place: '',
    drafts: new Set(),
    stop_reason: null,
    error: null,
  }
  const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)])
  const end = await deps.companion.read({
    turn,
    after: 0,
    onEvent(event) {
      addEvent(answer, event)
      onEvent?.(event)
    },
    signal,
  })

  const draft_ids = [...answer.drafts]
  const waiting = await listWaiting(deps.database, turn, draft_ids)
  if (waiting[0]) await deps.onWaiting({ pending_change_id: waiting[0], space_id: turn.space_id })
  const words = end === 'left' ? sentences.late : wordsFor(answer)
  return {
    text: [answer.place, words, waitingWords(waiting.length)].filter(Boolean).join(' '),
    open_in_browser: waiting[0] ? `${deps.baseUrl}/inbox/${waiting[0]}` : null,
    turn_id: turn.id,
    conversation_id: turn.conversation_id,
    routed: answer.routed,
    draft_ids,
    stop_reason: answer.stop_reason,
    error: answer.error,
  }
}

function addEvent(answer: Answer, { type, data }: NumberedEvent): void {
  switch (type) {
    case 'turn':
      answer.routed = data.routed
      if (data.routing?.space) answer.place = placeWords(data.routing.title, data.routing.space.name)
      return
    case 'delta':
      answer.text += data.text
      return
    case 'snapshot':
      answer.text = data.text
      answer.drafts = new Set(data.drafts.map(({ pending_change_id }) => pending_change_id))
      return
    case 'draft':
      answer.drafts.add(data.pending_change_id)
      return
    case 'done':
      for (const id of data.draft_ids) answer.drafts.add(id)
      answer.stop_reason = data.stop_reason
      return
    case 'error':
      answer.error = data
  }
}

function wordsFor({ text, drafts, error, stop_reason }: Answer): string {
  if (error) return text.trim() === '' ? sentences.failed : sentences.brokeOff
  if (stop_reason === 'aborted') return sentences.stopped
  return toPlainText(text) || (drafts.size > 0 ? sentences.drafted : sentences.nothing)
}

const sentences = {
  failed: 'I could not answer just now. Your message is saved. Please try again in a moment.',
  brokeOff: 'I could not finish the answer. The part that arrived is in the conversation.',
  stopped: 'The answer was stopped. The part that arrived is in the conversation.',
  late: 'I am still working on it. The answer will be in the conversation.',
  drafted: 'I drafted what you asked for.',
  nothing: 'I have no answer to that.',
}

function waitingWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? 'One change waits for your approval.' : `${count} changes wait for your approval.`
}

async function listWaiting(database: Database, turn: TurnRow, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const drafts = await createPendingChangeListsRepo(database).listByIds(turn, ids)
  const pending = new Set(drafts.filter(({ status }) => status === 'pending').map(({ id }) => id))
  return ids.filter((id) => pending.has(id))
}

/** The answer to a message that was not accepted. */
export function plainTextRefusal(code: string): string {
  switch (code) {
    case 'turn_running':
    case 'queue_full':
      return 'I am still answering your last message. Please try again in a moment.'
    case 'too_many_requests':
      return 'That is more messages than I can take in a minute. Please try again in a moment.'
    case 'not_found':
      return 'I cannot find that Space or that conversation.'
    case 'idempotency_key_reused':
    case 'invalid':
      return 'I did not understand that message.'
    default:
      return 'Something went wrong, and your message was not accepted. Please try again in a moment.'
  }
}

// An answer as it can be said aloud: no Markdown, no addresses, and short enough to listen to.

/** Characters: about forty seconds of speech. */
const maxChars = 600
const more = 'There is more in the conversation.'

/** Plain text of at most some 600 characters, cut at the end of a sentence. Accepts any string. */
export function toPlainText(markdown: string): string {
  const lines = withoutCode(markdown.slice(0, 20_000)).split('\n').map(toLine).filter(Boolean)
  return shorten(lines.map(asSentence).join(' '))
}

const withoutCode = (text: string) =>
  text.replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, '')

function toLine(line: string): string {
  if (/^[\s|:*_=-]*$/.test(line)) return ''
  const words = line.replace(/^(?:[ \t]|>|#{1,6} |[-*+] |\d{1,9}[.)] |\[[ xX]\] )+/, '')
  const cells = words.startsWith('|') ? words.replace(/^\||\|\s*$/g, '').replace(/\s*\|\s*/g, ', ') : words
  return plainText(stripEmbeds(cells))
    .replace(/\s?\(https?:[^\s)]*\)|https?:\/\/\S+/gi, '')
    .replace(/ ?\[\d[\d:, –-]{0,20}\]/g, '')
    .replace(/[*`~<>]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const asSentence = (line: string) => (/[.!?:;,…。！？]["'”’»)]?$/.test(line) ? line : `${line}.`)

function shorten(text: string): string {
  if (text.length <= maxChars) return text
  const room = text.slice(0, maxChars - more.length - 1).toWellFormed()
  const sentence = /^[\s\S]*[.!?…。！？]["'”’»)]?(?=\s)/.exec(room)?.[0]
  const cut = sentence && sentence.length > maxChars / 3 ? sentence : `${room.replace(/\s+\S*$/, '')} …`
  return `${cut} ${more}`
}

// What is said while an answer is on its way, by rules alone: it must not wait for a model.

/** Something to say to a message before anything is known of its answer. */
export function acknowledge(message: string): string {
  const start = message.trimStart().slice(0, 200)
  const end = message.slice(-200).trimEnd()
  if (/[?？]["'”’»)]*$/.test(end) || asks.test(start)) return 'Let me look.'
  return wishes.test(start) ? 'I will draft that.' : 'One moment.'
}

const asks = /^(?:what|when|where|which|who|whose|why|how|is|are|was|were|do|does|did|can|could)\b/i
const wishes =
  /^(?:please\s+)?(?:add|append|change|create|delete|draft|make|move|remind|rename|remove|replace|set|update|write)\b/i

const activities = new Map([
  ['search', 'I am still searching.'],
  ['search_email', 'I am still searching the mail.'],
  ['read', 'I am still reading.'],
  ['read_email_thread', 'I am still reading the mail.'],
  ['list', 'I am still looking through the lists.'],
  ['propose_change', 'I am still drafting the change.'],
])

/** Keeps what a turn does now, to be told of in one sentence. */
export function spokenProgress(): { add(event: NumberedEvent): void; text(): string } {
  let now = ''
  return {
    add({ type, data }) {
      if (type === 'tool') now = data.status === 'running' ? data.tool : ''
      if (type === 'delta') now = 'write'
    },
    text: () =>
      now === 'write' ? 'I am writing the answer.' : (activities.get(now) ?? 'I am still working on it.'),
  }
}
