// "Open tasks", "what is due this week?", "list my projects". The tools can search and read but not list, so titles are
// looked for by the commonest letters: search finds a text inside a title too. The answer says that there may be more.

import { type Found, readThing, type Thing } from '../answers.ts'
import { kindNamed, kindWord } from '../commands/kind-words.ts'
import { addDays, dayOf, readDay, weekdayOf } from '../dates/day.ts'
import { ask, type Plan, together } from '../plan.ts'
import { type Reply, say } from '../reply.ts'
import { describeThing } from './describe-thing.ts'
import { nameOf } from './quote.ts'

export type Listing = { kind: string; status: string[] | null; due: Due | null; words: string }

type Due = 'today' | 'tomorrow' | 'week' | 'overdue' | 'any'

const letters = ['e', 'a', 'o']
const mostRead = 18
const kindsAsked = new RegExp(`\\b(${kindWord})s?\\b`)
const fillers =
  /\b(?:what|which|whats|show|me|list|all|of|my|the|are|is|there|do|does|i|have|any|give|please|in|space|currently|still|left|got|here|every|how|many|need|to|be|things?|see|can|you|things|status|with|that|now|next|by|on)\b/g

const statuses: [RegExp, string[]][] = [
  [/\b(?:in progress|started)\b/, ['in_progress']],
  [
    /\b(?:unfinished|open|todo|pending|undone|active|unresolved|outstanding)\b/,
    ['open', 'in_progress', 'active'],
  ],
  [/\b(?:done|finished|completed?|closed)\b/, ['done']],
  [/\bcancell?ed\b/, ['cancelled']],
  [/\b(?:on hold|paused)\b/, ['on_hold']],
]
const dues: [RegExp, Due][] = [
  [/\b(?:overdue|late|past due)\b/, 'overdue'],
  [/\b(?:due )?today\b/, 'today'],
  [/\b(?:due )?tomorrow\b/, 'tomorrow'],
  [/\b(?:due )?(?:this week|soon|in the next days)\b/, 'week'],
  [/\bdue\b/, 'any'],
]

/** `null` unless the text asks for a kind of thing, perhaps by state or day, and for nothing else. */
export function readListing(text: string): Listing | null {
  if (text.length > 120) return null
  let words = text
    .toLowerCase()
    .replace(/['’]s\b/g, ' is')
    .replace(/[^\p{L}\p{N}-]+/gu, ' ')
    .trim()
  const listing: Listing = { kind: '', status: null, due: null, words }
  for (const [pattern, due] of dues)
    if (!listing.due && pattern.test(words)) {
      listing.due = due
      words = words.replace(pattern, ' ')
    }
  for (const [pattern, status] of statuses)
    if (!listing.status && pattern.test(words)) {
      listing.status = status
      words = words.replace(pattern, ' ')
    }
  const kind = kindsAsked.exec(words)?.[1]
  const rest = words.replace(kindsAsked, ' ').replace(fillers, ' ').trim()
  const isPlural = /s\b/.test(words) || listing.due !== null
  if (rest !== '' || (!kind && !listing.due) || !isPlural) return null
  return { ...listing, kind: kind ? kindNamed(kind) : 'task' }
}

/** `null` when the Space holds nothing of the kind. */
export function* listThings(listing: Listing, today: Date): Plan<Reply | null> {
  const answers = yield* together(letters.map((q) => ask('search', { q, kinds: [listing.kind] })))
  const found = answers.flatMap((answer) => answer.found).filter(({ kind }) => kind === listing.kind)
  const distinct = [...new Map(found.map((each) => [each.id, each])).values()].slice(0, mostRead)
  if (distinct.length === 0) return null
  if (listing.kind === 'page' || listing.kind === 'source_doc')
    return report(listing, distinct.map(nameLine), distinct)

  const reads = yield* together(distinct.map(({ kind, id }) => ask('read', { kind, id })))
  const things = reads.flatMap((answer) => readThing(answer) ?? [])
  const lines = things
    .filter((thing) => fits(thing, listing, today))
    .toSorted((a, b) => dueOf(a).localeCompare(dueOf(b)))
    .map((thing) => `- ${describeThing(thing, today)}`)
  return report(listing, lines, distinct)
}

const nameLine = (found: Found) => `- ${nameOf({ ...found, title: found.title.split(' › ')[0] ?? '' }, '')}`

const dueOf = ({ fields }: Thing) => (typeof fields.due_on === 'string' ? fields.due_on : '9999')

function report({ kind, words }: Listing, lines: string[], looked: Found[]): Reply {
  const plural = `${kind === 'source_doc' ? 'source document' : kind}s`
  const limits = `I looked at ${looked.length} ${plural}, found by their titles; there may be more, since I can search but not list.`
  return lines.length > 0
    ? say(`For “${words}” I found:`, lines.join('\n'), limits)
    : say(`I found none for “${words}”. ${limits}`)
}

function fits({ fields }: Thing, { status, due }: Listing, now: Date): boolean {
  const state = String(fields.status ?? '')
  if (status && !status.includes(state)) return false
  if (!due) return true
  const day = typeof fields.due_on === 'string' ? readDay(fields.due_on) : null
  if (day === null || (!status && (state === 'done' || state === 'cancelled'))) return false
  const today = dayOf(now)
  if (due === 'overdue') return day < today
  if (due === 'today') return day === today
  if (due === 'tomorrow') return day === addDays(today, 1)
  return due === 'any' || day <= addDays(today, (7 - weekdayOf(today)) % 7)
}
